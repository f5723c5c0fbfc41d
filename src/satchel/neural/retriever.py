"""The base of the networks as retrievers: texts and topics in, rankings of documents and of topics out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.errors import DamagedFileError, InputError, NotFittedError, one_of, require_torch, seed, whole_number
from satchel.estimator import Estimator, Parameters, plain
from satchel.neural.readers import parts_of
from satchel.neural.recipes import (
    NetworkRecipe,
    NeuralDevice,
    chosen_device,
    nested_network_parameters,
    network_recipe_of,
)
from satchel.neural.served import ServedNetwork, network_from
from satchel.neural.training import DocumentSplit, Trained, read_topics, train_on
from satchel.ranking import best_positions, nothing_found
from satchel.storage import Json, load_model, save_model
from satchel.text import PRESETS, Tokenizer, Vocabulary, WordSequences, check_texts, learn_vocabulary, word_sequences
from satchel.types import FloatArray, IntArray, NetworkEpoch, Ranking, TrainingRun

Shapes: TypeAlias = dict[str, tuple[int, ...]]
GATES = {"rnn": 1, "lstm": 4, "gru": 3}
"""How many rows of a cell's weights belong to one number of its state."""


def network_shapes(layers: Mapping[str, Any], n_words: int, n_topics: int, n_documents: int) -> Shapes:
    """The arrays by name; `layers`: the parameters of `satchel.learning.NetworkShape`."""
    hidden, output = layers["hidden"], layers["output"]
    shapes = {"documents.weight": (n_documents, hidden), "documents.bias": (n_documents,)}
    if output != "flat":
        shapes |= {"topics.weight": (n_topics, hidden), "topics.bias": (n_topics,)}
    for prefix in ("reader", "second") if output == "cascade" else ("reader",):
        shapes |= {f"{prefix}.{name}": shape for name, shape in _reader_shapes(layers, n_words)}
    return shapes


def check_arrays(arrays: Mapping[str, NDArray[Any]], expected: Shapes) -> None:
    """Raises ValueError unless these are the arrays of the network, each with its shape."""
    for name in expected.keys() ^ arrays.keys():
        raise ValueError(f"the array {name!r} is {'missing' if name in expected else 'not one of this network'}")
    for name, shape in expected.items():
        if arrays[name].shape != shape or arrays[name].dtype != np.float32:
            given = f"{arrays[name].dtype} {arrays[name].shape}"
            raise ValueError(f"the array {name!r} is {given}; expected float32 {shape}")


def check_units(documents: NDArray[Any], topic_starts: NDArray[Any], n_topics: int) -> tuple[IntArray, IntArray]:
    """Checks the positions of the texts that can be found, each once, and the starts of their topics; returns both."""
    for name, array in (("documents", documents), ("topic_starts", topic_starts)):
        if array.dtype != np.int64 or array.ndim != 1:
            raise ValueError(f"the units' {name} are {array.dtype} {array.shape}; expected a row of int64")
    if len(topic_starts) != n_topics + 1 or topic_starts[0] != 0 or topic_starts[-1] != len(documents):
        raise ValueError(f"{len(documents)} documents and {n_topics} topics do not fit the output layers")
    if (np.diff(topic_starts) < 1).any() or (documents < 0).any() or len(np.unique(documents)) < len(documents):
        raise ValueError("a topic without documents, or a document that stands twice")
    return documents, topic_starts


def _reader_shapes(layers: Mapping[str, Any], n_words: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    hidden, projection = layers["hidden"], layers["projection"]
    yield "projection.weight", (n_words, projection)
    if layers["ngram"] is not None:
        yield "hidden.weight", (hidden, layers["ngram"] * projection)
        yield "hidden.bias", (hidden,)
        return
    rows = GATES[layers["cell"]] * hidden
    for number in range(layers["layers"]):
        yield f"cells.{number}.weight_ih", (rows, hidden if number else projection)
        yield f"cells.{number}.weight_hh", (rows, hidden)
        yield f"cells.{number}.bias_ih", (rows,)
        yield f"cells.{number}.bias_hh", (rows,)


Output: TypeAlias = Literal["factorised", "flat", "cascade"]
MW_WORDS = PRESETS["mw"]
AT_ONCE = 256
"""This many queries are answered together; each needs a row with a number for every document."""
WORDS_AT_ONCE = 1 << 15
"""This many words are read together; each needs a hidden state."""


class NeuralRetriever(Estimator):
    """Base of the networks that read words and answer with topics and documents, [MW].

    A new network stores its parameters in the constructor, and gives its layers in `_layers`.
    Learned: `topics_`, in order of their first text; `documents_`, the positions of the texts that can be found;
    `vocabulary_`; `history_`, a record for each epoch; `network_`, which serves.
    """

    projection: int
    hidden: int
    recipe: NetworkRecipe | str
    output: Output
    tokenizer: Tokenizer
    checkpoint: str | Path | None
    device: NeuralDevice
    verbose: bool
    random_state: int

    _objects: ClassVar[Mapping[str, type[Parameters]]] = {"recipe": NetworkRecipe}

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Learns which topic (label) and which document words come from; without labels all texts are of one topic.

        Texts that are set aside for validation get no place in the output and are not found, as in [MW]; nor are texts
        without a known word.
        """
        checked, recipe, layers = check_texts(texts), self.whole_recipe, self._layers()
        if not checked:
            raise InputError(f"{type(self).__name__} cannot learn from 0 texts; give at least one with words")
        topics = read_topics(labels, len(checked))
        require_torch("training a network")
        vocabulary, _ = learn_vocabulary(
            checked, self.tokenizer, min_count=recipe.min_count, max_size=recipe.vocabulary_size, has_unknown=True
        )
        run = TrainingRun(self.checkpoint, chosen_device(self.device), self.verbose, seed(self.random_state))
        sequences = word_sequences(checked, self.tokenizer, vocabulary)
        trained = train_on(sequences, topics, vocabulary, layers, recipe, run)
        self._set(trained, topics.names, vocabulary)
        return self

    @property
    def whole_recipe(self) -> NetworkRecipe:
        """The recipe that was given, or the recipe of that name."""
        one_of("output", self.output, get_args(Output))
        recurrent, flat = self._layers()["ngram"] is None, self.output == "flat"
        return network_recipe_of(self.recipe, recurrent=recurrent, flat=flat).with_plain_numbers()

    def _object(self, name: str) -> Any:
        return self.whole_recipe if name == "recipe" else super()._object(name)

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The best k documents of each query: [MW] section 4, the output vector sorted, ties in document order.

        A query shorter than a window is filled up with `<unk>`. A query without a known word finds nothing: its ids are
        -1, like the places after the last document with a probability above 0.
        """
        k, sequences = whole_number("k", k), self._sequences(queries)
        in_order, scoring = np.argsort(self.documents_), self.whole_recipe.scoring
        return _best(
            sequences, lambda part: self.network_.answers(part, scoring)[:, in_order], self.documents_[in_order], k
        )

    def search_topics(self, queries: Sequence[str], k: int) -> Ranking:
        """The best k topics of each query, positions in `topics_`; the score is the mean probability of its windows."""
        k, sequences = whole_number("k", k), self._sequences(queries)
        return _best(sequences, self.network_.topic_answers, np.arange(len(self.topics_)), k)

    def transform(self, texts: Sequence[str]) -> FloatArray:
        """The mean hidden state of each text, float32 (n_texts, hidden); zero for a text without a known word."""
        parts = parts_of(self._sequences(texts), AT_ONCE, WORDS_AT_ONCE)
        empty = np.zeros((0, self.hidden), np.float32)
        return np.concatenate([empty, *(self.network_.hidden_states(part) for _, part in parts)])

    def save(self, folder: str | Path) -> None:
        """Writes a model folder (`config.json`, `model.safetensors`, `vocabulary.txt`); no code, no pickle."""
        self._check_fitted()
        parameters = {name: plain(value) for name, value in self.get_params(deep=False).items()}
        parameters |= {"tokenizer": vars(self.tokenizer), "checkpoint": None}
        config: dict[str, Json] = {
            "encoder": type(self).__name__,
            "parameters": parameters,
            "topics": list(self.topics_),
            "history": [list(record) for record in self.history_],
        }
        arrays = self._arrays | {"unit.documents": self.documents_, "unit.topic_starts": self.network_.topic_starts}
        save_model(folder, config, arrays, self.vocabulary_.words)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """The retriever that `save` wrote; it searches without torch."""
        model = load_model(folder)
        if model.config["encoder"] != cls.__name__:
            raise InputError(f"{folder} holds a {model.config['encoder']}, not a {cls.__name__}")
        try:
            content: Any = model.config  # JSON of our own making; what is not as written fails here, by name
            parameters: dict[str, Any] = content["parameters"]
            if model.version == 1:
                parameters = nested_network_parameters(parameters, recurrent="cell" in parameters)
            retriever = cls(**_parameters_from(parameters))
            retriever._restore(content, dict(model.arrays), Vocabulary(model.words, has_unknown=True))
        except (KeyError, TypeError, ValueError) as error:
            raise DamagedFileError(f"the model in {folder} is not a whole {cls.__name__}: {error}") from error
        return retriever

    def _layers(self) -> dict[str, Any]:
        """The parameters of `satchel.learning.NetworkShape`, checked."""
        raise NotImplementedError

    def _set(self, trained: Trained, topics: tuple[Any, ...], vocabulary: Vocabulary) -> None:
        self.topics_, self.vocabulary_, self.history_ = topics, vocabulary, trained.history
        self.documents_: IntArray = trained.split.documents
        self._arrays: dict[str, NDArray[Any]] = trained.arrays
        cell = None if self._layers()["ngram"] is not None else self._layers()["cell"]
        self.network_: ServedNetwork = network_from(trained.arrays, trained.split.topic_starts, cell)

    def _restore(self, content: Any, arrays: dict[str, NDArray[Any]], vocabulary: Vocabulary) -> None:
        layers, _ = self._layers(), self.whole_recipe  # both refuse parameters that make no sense
        n_topics = len(content["topics"])
        documents, starts = check_units(arrays.pop("unit.documents"), arrays.pop("unit.topic_starts"), n_topics)
        check_arrays(arrays, network_shapes(layers, len(vocabulary), n_topics, len(documents)))
        history = [NetworkEpoch(*record) for record in content["history"]]
        split = DocumentSplit(documents, np.empty(0, np.int64), starts)
        self._set(Trained(arrays, split, history), tuple(content["topics"]), vocabulary)

    def _sequences(self, texts: Sequence[str]) -> WordSequences:
        self._check_fitted()
        return word_sequences(texts, self.tokenizer, self.vocabulary_)

    def _check_fitted(self) -> None:
        if not hasattr(self, "network_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")


def _parameters_from(stored: dict[str, Any]) -> dict[str, Any]:
    """The constructor's parameters from JSON."""
    recipe = stored["recipe"]
    made = recipe if isinstance(recipe, str) else NetworkRecipe.from_json(recipe)
    return stored | {"recipe": made, "tokenizer": Tokenizer(**stored["tokenizer"])}


def _best(sequences: WordSequences, answers: Callable[[WordSequences], FloatArray], names: IntArray, k: int) -> Ranking:
    """The best k answers to each text, of those above 0; answers: a part of the texts -> (n_texts, n_names)."""
    ids, scores = nothing_found(len(sequences.starts) - 1, k)
    for first, part in parts_of(sequences, AT_ONCE, WORDS_AT_ONCE):
        for row, answer in enumerate(answers(part), first):
            best = best_positions(answer, k)
            best = best[answer[best] > 0]
            ids[row, : len(best)], scores[row, : len(best)] = names[best], answer[best]
    return Ranking(ids, scores)
