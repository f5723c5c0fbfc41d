"""A document as a bag of embedded words: a histogram over learned codewords, trained end to end on labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.documents.bag_math import learn_codebook, memberships
from satchel.documents.encoder import expect_shape
from satchel.documents.linear import EVERY_WORD, CodewordContribution, LinearEncoder
from satchel.errors import InputError, number_within, one_of, seed, whole_number
from satchel.storage.model_folder import Json
from satchel.text import Tokenizer, Vocabulary
from satchel.text.weighting import mean_weights
from satchel.types import BagParts, Device, EpochRecord, FloatArray, Objective, SparseArray, WordUpdates
from satchel.words import LsiWords, WordVectors, align

if TYPE_CHECKING:
    from satchel.words.alignment import UnknownStart

Recipe = Literal["paper"]


class BagOfEmbeddedWords(LinearEncoder):
    """BoEW, and with labels RO-BoEW, of [PT18] sections 3.1 to 3.3.

    Without labels: word vectors, a codebook by k-means over them, and memberships of words in codewords; a document is
    the mean membership of its words. With labels, Algorithm 1 moves all of it to lower the entropy of the classes.
    A word's memberships do not depend on the document, so a collection is encoded by one sparse product.

    words: word vectors; None learns LSI words from the texts. Words without a vector start as `unknown_words` says.
    n_codewords: numbers per document. sigma: softness of Eq. (1). m: fuzziness of Eq. (5).
    objective: "spherical-entropy" for retrieval by cosine, "entropy" for Euclidean distance.
    learned: which parts Algorithm 1 moves. centres_per_class: one mean, or several by k-means inside the class.
    max_length: how many words of a document training looks at; encoding takes them all.
    word_updates: "touched" moves only the words of a batch, "all" is Adam as published, see `TrainingPlan`.
    validation_fraction, patience: documents set aside, and epochs without a lower entropy on them before it stops.
    checkpoint: a folder; an interrupted `fit` goes on from there when it is called again with the same data.

    Differs: all words of the vocabulary are counted, where the authors' code cuts documents at 500 words throughout.
    Differs: a step moves the words of its batch alone, where the paper's Adam moves all; `word_updates="all"` is the
    paper's. Measured over three seeds by `satchel reproduce pt18/adam`.
    """

    def __init__(
        self,
        words: WordVectors | None = None,
        n_codewords: int = 64,
        recipe: Recipe = "paper",
        objective: Objective = "spherical-entropy",
        *,
        sigma: float = 0.5,
        m: float = 0.005,
        learned: Sequence[str] = BagParts._fields,
        n_epochs: int = 10,
        batch_size: int = 100,
        centres_per_class: int = 1,
        unknown_words: UnknownStart = "paper",
        word_updates: WordUpdates = "touched",
        max_length: int | None = 1000,
        validation_fraction: float = 0.0,
        patience: int | None = None,
        checkpoint: str | Path | None = None,
        tokenizer: Tokenizer = EVERY_WORD,
        min_count: int = 1,
        dim: int = 100,
        device: Device = "cpu",
        verbose: bool = False,
        random_state: int = 0,
    ) -> None:
        self.words = words
        self.n_codewords = n_codewords
        self.recipe = recipe
        self.objective = objective
        self.sigma = sigma
        self.m = m
        self.learned = learned
        self.n_epochs = n_epochs
        self.batch_size = batch_size
        self.centres_per_class = centres_per_class
        self.unknown_words = unknown_words
        self.word_updates = word_updates
        self.max_length = max_length
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.checkpoint = checkpoint
        self.tokenizer = tokenizer
        self.min_count = min_count
        self.dim = dim
        self.device = device
        self.verbose = verbose
        self.random_state = random_state

    def describe(self, codeword: int, k: int = 10) -> list[str]:
        """The k words that belong most to a codeword; of equal ones the more frequent first."""
        self._check_fitted()
        whole_number("codeword", codeword, 0, len(self.codebook_) - 1)
        order = np.argsort(-self.memberships_[:, codeword], kind="stable")[: whole_number("k", k)]
        return [self.vocabulary_.words[row] for row in order]

    def _codeword_contributions(self, query: str, document: str) -> list[CodewordContribution]:
        q, d = (np.asarray(vector, dtype=np.float64) for vector in self.transform([query, document]))
        shares = q * d / (np.linalg.norm(q) * np.linalg.norm(d))
        order = np.argsort(-shares, kind="stable").tolist()
        return [CodewordContribution(c, float(shares[c]), tuple(self.describe(c, 3))) for c in order]

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        self._check_parameters()
        vocabulary, words = self._vocabulary_and_words(texts)
        start = align(words, vocabulary, self.unknown_words, self.random_state).vectors
        codebook = learn_codebook(start, self.n_codewords, self.random_state)
        parts = BagParts(start, codebook, float(self.sigma), np.ones(self.n_codewords, dtype=np.float32))
        history: list[EpochRecord] = []
        if labels is not None:
            from satchel.documents.bag_training import train_bag

            parts, history = train_bag(self, texts, labels, vocabulary, parts)
        self._set(vocabulary, parts)
        self.history_ = history

    def _vocabulary_and_words(self, texts: list[str]) -> tuple[Vocabulary, WordVectors]:
        vocabulary, counts = self._count(texts, min_count=self.min_count)
        if self.words is not None:
            return vocabulary, self.words
        dim = min(self.dim, *counts.shape)
        learner = LsiWords(dim, tokenizer=self.tokenizer, min_count=self.min_count, random_state=self.random_state)
        return vocabulary, learner.learn(texts)

    def _set(self, vocabulary: Vocabulary, parts: BagParts) -> None:
        self.vocabulary_ = vocabulary
        self.word_vectors_, self.codebook_, self.sigma_, self.mask_ = parts
        self.memberships_ = memberships(self.word_vectors_, self.codebook_, self.sigma_)
        self._masked = self.memberships_ * self.mask_

    def _check_parameters(self) -> None:
        one_of("recipe", self.recipe, get_args(Recipe))
        one_of("objective", self.objective, get_args(Objective))
        one_of("word updates", self.word_updates, get_args(WordUpdates))
        one_of("device", self.device, get_args(Device))
        for name in ("n_codewords", "batch_size", "centres_per_class", "dim"):
            whole_number(name, getattr(self, name))
        whole_number("n_epochs", self.n_epochs, 0)
        for name in ("max_length", "patience"):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name))
        number_within("sigma", self.sigma, 1e-6, 1e6)
        number_within("m", self.m, 0, 1e6)
        if self.validation_fraction != 0:
            number_within("validation_fraction", self.validation_fraction, 0, 1)
        seed(self.random_state)
        self._check_parts_and_places()

    def _check_parts_and_places(self) -> None:
        words: object = self.words
        if words is not None and not isinstance(words, WordVectors):
            raise InputError(f"words must be WordVectors or None, not {type(words).__name__}; see WordVectors.load")
        learned: object = self.learned
        if isinstance(learned, str) or not isinstance(learned, Sequence):
            raise InputError(f"learned is {self.learned!r}; expected a list of parts, such as ('words', 'mask')")
        for part in self.learned:
            one_of("part to learn", part, BagParts._fields)
        if len(set(self.learned)) != len(self.learned):
            raise InputError(f"learned is {self.learned!r}; expected each part once")
        checkpoint: object = self.checkpoint
        if checkpoint is not None and not isinstance(checkpoint, str | Path):
            raise InputError(f"checkpoint must be the path of a folder, not {type(checkpoint).__name__}")
        if self.patience is not None and not self.validation_fraction:
            raise InputError("patience needs documents set aside: give validation_fraction too, such as 0.1")

    def _weights(self, counts: SparseArray) -> SparseArray:
        return mean_weights(counts, None)

    def _word_rows(self) -> FloatArray:
        """Memberships under the mask: [PT18] Eqs. (3) and (4) are linear in them."""
        return self._masked

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        arrays: dict[str, NDArray[Any]] = {
            "words": self.word_vectors_,
            "codebook": self.codebook_,
            "sigma": np.array([self.sigma_], dtype=np.float64),
            "mask": self.mask_,
        }
        return arrays, self.vocabulary_.words

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        vectors = expect_shape(arrays, "words", (len(words), None))
        codebook = expect_shape(arrays, "codebook", (self.n_codewords, vectors.shape[1]))
        sigma = float(expect_shape(arrays, "sigma", (1,))[0])
        mask = expect_shape(arrays, "mask", (self.n_codewords,))
        self._set(Vocabulary(words), BagParts(vectors, codebook, sigma, mask))
        self.history_ = []
        if self.words is not None:
            self.words = WordVectors(words, vectors)

    def _parameters(self) -> dict[str, Json]:
        words = None if self.words is None else "stored"
        return super()._parameters() | {"words": words, "learned": [*self.learned], "checkpoint": None}

    @classmethod
    def _parameters_from(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        return super()._parameters_from(parameters) | {"learned": tuple(parameters["learned"])}
