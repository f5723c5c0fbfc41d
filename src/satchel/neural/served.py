"""A trained network in use: arrays in, topics and documents out, with numpy alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.neural.readers import Reader, States, reader_from
from satchel.text import WordSequences
from satchel.types import FloatArray, IntArray


def argmax_answer(topics: FloatArray, documents: FloatArray, topic_of: IntArray) -> FloatArray:
    """The output vector of a query: each window adds the documents of its most probable topic; [MW] section 4.

    topics (n_windows, n_topics), P(topic | window); documents (n_windows, n_documents), P(document | its topic,
    window); topic_of (n_documents,) -> (n_documents,), the mean over the windows; 0 for what was not retrieved.
    """
    chosen = topics.argmax(axis=1)
    answer: FloatArray = np.where(topic_of == chosen[:, None], documents, 0).mean(axis=0)
    return answer


def expected_answer(topics: FloatArray, documents: FloatArray, topic_of: IntArray) -> FloatArray:
    """The mean over the windows of P(topic | window) · P(document | topic, window).

    Differs: every topic answers, as far as it is probable; in [MW] section 4 the most probable one alone.
    """
    answer: FloatArray = (topics[:, topic_of] * documents).mean(axis=0)
    return answer


def joint_answer(topics: FloatArray, documents: FloatArray, topic_of: IntArray) -> FloatArray:
    """The mean over the windows of P(document | topic, window) for the one topic that all windows choose together.

    Differs: in [MW] section 4 every window chooses for itself, and one that errs pushes the documents of its topic
    between those of the right one, the more the smaller the topic is (Figure 8). With one window it is the same.
    """
    chosen = joint_choice(topics, np.zeros(len(topics), np.int64), 1)[0]
    answer: FloatArray = np.where(topic_of == chosen, documents, 0).mean(axis=0)
    return answer


def joint_choice(topics: FloatArray, text: IntArray, n_texts: int) -> IntArray:
    """The topic of each text whose windows' probabilities have the largest product; text (n_windows,), ascending."""
    logs = np.log(np.maximum(topics, np.finfo(np.float32).tiny))
    chosen: IntArray = sums_by_text(logs, text, n_texts).argmax(axis=1)
    return chosen


def softmax(logits: FloatArray) -> FloatArray:
    """Along the last axis, shifted by the largest: no overflow."""
    p: FloatArray = logits - logits.max(axis=-1, keepdims=True)
    np.exp(p, out=p)
    p /= p.sum(axis=-1, keepdims=True)
    return p


def log_sums(logits: FloatArray, starts: IntArray) -> FloatArray:
    """log Σ exp over each group of columns, `starts[i]` to `starts[i + 1]`, none empty: (n, n_groups)."""
    highest = np.maximum.reduceat(logits, starts[:-1], axis=1)
    e = np.exp(logits - np.repeat(highest, np.diff(starts), axis=1))
    sums: FloatArray = highest + np.log(np.add.reduceat(e, starts[:-1], axis=1))
    return sums


def sums_by_text(rows: FloatArray, text: IntArray, n_texts: int) -> NDArray[np.float32]:
    """The sum of each text's rows; text (n_rows,), ascending; (n_texts, n_columns), 0 for a text without rows."""
    sums = np.zeros((n_texts, rows.shape[1]), np.float32)
    if len(rows):
        first = np.flatnonzero(np.diff(text, prepend=-1))
        sums[text[first]] = np.add.reduceat(rows, first, axis=0)
    return sums


Scoring: TypeAlias = Literal["argmax", "joint", "expectation"]
"""Which topics answer: the most probable one of each window, that of all windows together, or all by their
probabilities."""
NUMBERS_AT_ONCE = 1 << 22
"""At most this many probabilities of documents, or copied hidden states, are held at once: 16 MiB, however many windows
and documents there are."""


@dataclass(frozen=True)
class Layer:
    """weight (n_units, hidden), bias (n_units,)."""

    weight: FloatArray
    bias: FloatArray

    def __call__(self, hidden: FloatArray, units: slice = slice(None)) -> FloatArray:
        logits: FloatArray = hidden @ self.weight[units].T + self.bias[units]
        return logits


@dataclass(frozen=True)
class ServedNetwork:
    """The layers of a network. Without a `topics` layer a topic is the sum of its documents.

    second: the reader for the documents, if that is a network of its own. topic_starts: the documents of topic c are
    the units `topic_starts[c]` to `topic_starts[c + 1]`.
    """

    reader: Reader
    second: Reader | None
    topics: Layer | None
    documents: Layer
    topic_starts: IntArray

    def read(self, sequences: WordSequences) -> tuple[States, FloatArray]:
        """The hidden states for topics and those for documents, which may be the same."""
        states = self.reader.read(sequences)
        return states, states.hidden if self.second is None else self.second.read(sequences).hidden

    def topic_probabilities(self, hidden: FloatArray) -> FloatArray:
        """P(topic | state), (n_states, n_topics)."""
        if self.topics is not None:
            return softmax(self.topics(hidden))
        logs = np.zeros((len(hidden), len(self.topic_starts) - 1), np.float32)
        for rows in _blocks(len(hidden), int(self.topic_starts[-1])):
            logs[rows] = log_sums(self.documents(hidden[rows]), self.topic_starts)
        return softmax(logs)

    def document_probabilities(self, hidden: FloatArray, topic: int) -> FloatArray:
        """P(document | topic, state) of the documents of a topic, (n_states, n_documents of the topic)."""
        return softmax(self.documents(hidden, self.units(topic)))

    def units(self, topic: int) -> slice:
        """The documents of a topic."""
        return slice(int(self.topic_starts[topic]), int(self.topic_starts[topic + 1]))

    def answers(self, sequences: WordSequences, scoring: Scoring) -> FloatArray:
        """The output vectors of texts, (n_texts, n_documents): `argmax_answer`, `joint_answer` or `expected_answer`.

        Only the documents of topics that some window chose are computed; rows of a text without a known word are 0.
        """
        n_texts, (states, for_documents) = len(sequences.starts) - 1, self.read(sequences)
        answers = np.zeros((n_texts, int(self.topic_starts[-1])), np.float32)
        p = self.topic_probabilities(states.hidden)
        for topic, speaking, weights in _speakers(p, states.text, n_texts, scoring):
            units = self.units(topic)
            for block in _blocks(len(speaking), max(units.stop - units.start, for_documents.shape[1])):
                rows = speaking[block]
                probabilities = self.document_probabilities(for_documents[rows], topic)
                probabilities *= weights[block]
                answers[:, units] += sums_by_text(probabilities, states.text[rows], n_texts)
        return answers / _windows(states, n_texts)

    def topic_answers(self, sequences: WordSequences) -> FloatArray:
        """The mean over a text's windows of P(topic | window), (n_texts, n_topics)."""
        n_texts, states = len(sequences.starts) - 1, self.reader.read(sequences)
        sums = sums_by_text(self.topic_probabilities(states.hidden), states.text, n_texts)
        return sums / _windows(states, n_texts)

    def hidden_states(self, sequences: WordSequences) -> FloatArray:
        """The mean over a text's windows of the hidden state, (n_texts, hidden)."""
        n_texts, states = len(sequences.starts) - 1, self.reader.read(sequences)
        return sums_by_text(states.hidden, states.text, n_texts) / _windows(states, n_texts)


def _speakers(
    p: FloatArray, text: IntArray, n_texts: int, scoring: Scoring
) -> Iterator[tuple[int, IntArray, FloatArray]]:
    """For each topic that answers: the windows it answers, and with what weights, (n_rows, 1)."""
    if scoring == "expectation":
        yield from ((topic, np.arange(len(p)), p[:, topic, None]) for topic in range(p.shape[1]))
        return
    chosen = p.argmax(axis=1) if scoring == "argmax" else joint_choice(p, text, n_texts)[text]
    for topic in np.unique(chosen).tolist():
        rows = np.flatnonzero(chosen == topic)
        yield topic, rows, np.ones((len(rows), 1), np.float32)


def _blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Slices of the rows; a matrix with the rows of a slice and all columns stays small."""
    height = max(1, NUMBERS_AT_ONCE // n_columns)
    return (slice(first, first + height) for first in range(0, n_rows, height))


def network_from(arrays: Mapping[str, NDArray[Any]], topic_starts: IntArray, cell: str | None) -> ServedNetwork:
    """The network from arrays by name, as training and model folders hold them."""
    second = reader_from(arrays, "second", cell) if "second.projection.weight" in arrays else None
    topics = Layer(arrays["topics.weight"], arrays["topics.bias"]) if "topics.weight" in arrays else None
    documents = Layer(arrays["documents.weight"], arrays["documents.bias"])
    return ServedNetwork(reader_from(arrays, "reader", cell), second, topics, documents, topic_starts)


def _windows(states: States, n_texts: int) -> FloatArray:
    """How many windows each text has, at least 1, (n_texts, 1)."""
    return np.maximum(np.bincount(states.text, minlength=n_texts), 1).astype(np.float32)[:, None]
