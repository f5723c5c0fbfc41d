"""The contract of every document encoder: texts in, vectors out, in scikit-learn's manner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from satchel.errors import DamagedFileError, InputError, NotFittedError
from satchel.estimator import Estimator, plain
from satchel.parts import listed
from satchel.storage import Arrays, Json, Model, load_model, model_files, read_model, save_model
from satchel.text import Tokenizer, Vocabulary, check_texts, learn_vocabulary
from satchel.types import SparseArray, Vectors
from satchel.words import WordLearner, WordVectors


class Encoder(Estimator):
    """Base of all document encoders.

    A new encoder stores its parameters in the constructor, and does nothing else there. It learns in `_learn` and
    encodes in `_encode`; `_learned` and `_restore` say what a model folder holds. The tests of the contract run over
    every encoder in the table of `satchel.parts`.
    """

    _fitted_with: dict[str, Any]
    nearness: float = 0.0
    """The least cosine at which a document is near a query, as a collection has measured it for this encoder."""

    def fit(self, texts: Iterable[str], labels: Sequence[object] | None = None) -> Self:
        """Learns from texts, and from one label per text if the encoder uses labels."""
        checked = check_texts(texts)
        labels = _check_labels(labels, len(checked))
        if not checked:
            raise InputError(f"{type(self).__name__} cannot learn from 0 texts; give at least one with words")
        self._learn(checked, labels)
        self._fitted_with = self._meant()
        return self

    def transform(self, texts: Iterable[str]) -> Vectors:
        """Vectors of the texts, float32 (n_documents, n_features); a text without a known word is the zero vector."""
        self._check_fitted()
        return self._encode(check_texts(texts))

    def fit_transform(self, texts: Iterable[str], labels: Sequence[object] | None = None) -> Vectors:
        """Learns from texts and returns their vectors."""
        checked = check_texts(texts)
        return self.fit(checked, labels).transform(checked)

    def save(self, folder: str | Path) -> None:
        """Writes a model folder (`config.json`, `model.safetensors`, `vocabulary.txt`); no code, no pickle."""
        save_model(folder, *self._saved())

    def files(self) -> dict[str, bytes]:
        """The files of that folder by name, for a caller that keeps them elsewhere; `encoder_in` reads them."""
        return model_files(*self._saved())

    def _saved(self) -> tuple[dict[str, Json], Arrays, Sequence[str]]:
        self._check_fitted()
        self._check_unchanged()
        arrays, words = self._learned()
        return {"encoder": type(self).__name__, "parameters": self._parameters()}, arrays, words

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """The encoder that `save` wrote; its vectors are the same to the last bit."""
        model = load_model(folder)
        if model.config["encoder"] != cls.__name__:
            found = model.config["encoder"]
            raise InputError(f"{folder} holds the encoder {found}, not {cls.__name__}; load it with load_encoder")
        return cls.from_model(model, Path(folder))

    @classmethod
    def from_model(cls, model: Model, folder: Path) -> Self:
        """The encoder that a model folder's contents describe; `folder` is named in errors."""
        try:
            parameters = dict(_named_values(model.config["parameters"]))
            if model.version == 1:
                parameters = cls._from_version_1(parameters)
            encoder = cls(**cls._parameters_from(parameters))
            encoder._restore(model.arrays, model.words)
            encoder._fitted_with = encoder._meant()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DamagedFileError(f"the model in {folder} is not a whole {cls.__name__}: {error}") from error
        return encoder

    def __sklearn_is_fitted__(self) -> bool:
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags()
        return tags

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        raise NotImplementedError

    def _encode(self, texts: list[str]) -> Vectors:
        raise NotImplementedError

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        """The learned arrays by name, and the words of their rows."""
        raise NotImplementedError

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        """Sets the learned attributes from the arrays of `_learned`; ValueError or KeyError if they do not fit."""
        raise NotImplementedError

    def _parameters(self) -> dict[str, Json]:
        """The constructor's parameters as JSON."""
        return {name: plain(value) for name, value in self.get_params(deep=False).items()}

    @classmethod
    def _parameters_from(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        """The constructor's parameters from JSON. No code is looked up by a name in it."""
        return parameters | {
            name: kind.from_json(parameters[name])
            for name, kind in cls._objects.items()
            if isinstance(parameters[name], dict)
        }

    @classmethod
    def _from_version_1(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        """Converts the parameters of a model folder of version 1 to those of today; both as JSON."""
        return parameters

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")

    def _check_unchanged(self) -> None:
        """Raises InputError if a parameter was changed after `fit`: what was learned does not belong to it."""
        for name, now in self._meant().items():
            fitted = self._fitted_with[name]
            if now is not fitted and now != fitted:
                raise InputError(f"the parameter {name} was changed after fit; call fit again, then save")


def load_encoder(folder: str | Path) -> Encoder:
    """The encoder in a model folder. Its class comes from the table of encoders, never from the file."""
    return _encoder_of(load_model(folder), Path(folder))


def encoder_in(files: Mapping[str, bytes], place: Path) -> Encoder:
    """The encoder from the files that `files` gave; `place` is named in errors."""
    return _encoder_of(read_model(files, place), place)


def _encoder_of(model: Model, place: Path) -> Encoder:
    encoder: Encoder = listed("encoder", str(model.config["encoder"])).from_model(model, place)
    return encoder


def expect_shape(arrays: Mapping[str, NDArray[Any]], name: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
    """The array of that name if it has that shape (None: any length) and holds finite numbers."""
    if name not in arrays:
        raise ValueError(f"the array {name!r} is missing")
    array = arrays[name]
    fits = len(array.shape) == len(shape) and all(want in (None, n) for n, want in zip(array.shape, shape, strict=True))
    if not fits or array.dtype.kind != "f" or not np.isfinite(array).all():
        raise ValueError(f"the array {name!r} of shape {array.shape} does not fit the {shape[0]} words")
    return array


def _check_labels(labels: Iterable[object] | None, n_texts: int) -> Sequence[object] | None:
    if labels is None:
        return None
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise InputError(f"labels must be a list with one label per text, not {type(labels).__name__}")
    checked = list(labels)
    if len(checked) != n_texts:
        raise InputError(f"{len(checked)} labels for {n_texts} texts; give one label per text")
    return checked


def _named_values(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise ValueError("its parameters are not named values")
    return value


EVERY_WORD = Tokenizer()
TWO_LETTERS = Tokenizer(min_length=2)
CONTENT_WORDS = Tokenizer(min_length=2, stop_words="sklearn")


class CountingEncoder(Encoder):
    """Base of encoders with a tokenizer and a vocabulary; the order of words does not matter to them."""

    tokenizer: Tokenizer
    vocabulary_: Vocabulary

    def _count(self, texts: list[str], **limits: int | None) -> tuple[Vocabulary, SparseArray]:
        """The vocabulary of the texts with their counts, or an error that says why there is none."""
        vocabulary, counts = learn_vocabulary(texts, self.tokenizer, **limits)  # type: ignore[arg-type]
        if not len(vocabulary):
            given = ", ".join(f"{name}={limit}" for name, limit in limits.items() if limit is not None)
            found = f"{type(self).__name__} found no word to learn in the {len(texts)} texts"
            raise InputError(f"{found} ({given}, {self.tokenizer}); give texts with words or ask for less")
        return vocabulary, counts

    def _parameters(self) -> dict[str, Json]:
        return super()._parameters() | {"tokenizer": asdict(self.tokenizer)}

    @classmethod
    def _parameters_from(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        return super()._parameters_from(parameters) | {"tokenizer": Tokenizer(**parameters["tokenizer"])}


def word_vectors_of(words: object, texts: list[str], tokenizer: Tokenizer) -> WordVectors | None:
    """The word vectors that an encoder uses; None where none were given.

    A learner such as `YuleWords(50)` learns them from the texts and stays unchanged. Without a tokenizer of its own it
    uses the encoder's, so that both know the same words.
    """
    if isinstance(words, WordLearner):
        parameters = words.get_params(deep=False)
        return type(words)(**parameters | {"tokenizer": words.tokenizer or tokenizer}).learn(texts)
    if words is not None and not isinstance(words, WordVectors):
        given = type(words).__name__
        raise InputError(f"words must be WordVectors, a learner such as LsiWords() or None, not {given}")
    return words
