"""From words to hidden states with numpy, by windows or word by word. [MW] sections 2.1 and 2.2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from satchel.text import WordSequences
from satchel.types import FloatArray, IntArray


class Windows(NamedTuple):
    """Windows of n words: ids (n_windows, n), and the text that each comes from, ascending, (n_windows,)."""

    ids: NDArray[np.int32]
    text: IntArray


def windows_of(sequences: WordSequences, n: int) -> Windows:
    """Every n words that follow each other; [MW] section 5: the window slides by one.

    A text shorter than n is one window, filled up at its end with `<unk>` (id 0), which training has put everywhere.
    Differs: a window without a known word says nothing, and is left out; the paper would answer it.
    """
    ids, starts = sequences
    lengths = np.diff(starts)
    n_windows = np.where(lengths > 0, np.maximum(lengths - n + 1, 1), 0)
    text = np.repeat(np.arange(len(lengths)), n_windows)
    before = np.concatenate(([0], np.cumsum(n_windows)))[text]
    place = (starts[text] + np.arange(len(text)) - before)[:, None] + np.arange(n)
    inside = place < starts[text + 1][:, None]
    found = np.where(inside, ids[np.minimum(place, max(0, len(ids) - 1))], 0).astype(np.int32)
    known = found.any(axis=1)
    return Windows(found[known], text[known])


def padded(sequences: WordSequences) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The texts as one matrix: ids (n_texts, longest), and which states there count for the text.

    Those from the first known word to the end of the text count.
    """
    ids, starts = sequences
    lengths = np.diff(starts)
    place = np.arange(int(lengths.max(initial=0)))
    inside = place < lengths[:, None]
    matrix = np.zeros(inside.shape, np.int32)
    matrix[inside] = ids
    return matrix, inside & (np.cumsum(matrix > 0, axis=1) > 0)


def parts_of(sequences: WordSequences, most_texts: int, most_words: int) -> Iterator[tuple[int, WordSequences]]:
    """Splits the texts into parts; with each part comes the position of its first text.

    A part has at most `most_texts` texts and, filled up to its longest one, at most `most_words` words. A longer text
    is a part by itself.
    """
    first, longest = 0, 0
    for position, length in enumerate(np.diff(sequences.starts).tolist()):
        longest, n = max(longest, length), position - first + 1
        if n > 1 and (n > most_texts or n * longest > most_words):
            yield first, _part(sequences, first, position)
            first, longest = position, length
    if len(sequences.starts) > 1:
        yield first, _part(sequences, first, len(sequences.starts) - 1)


def _part(sequences: WordSequences, first: int, last: int) -> WordSequences:
    starts = sequences.starts[first : last + 1]
    return WordSequences(sequences.ids[starts[0] : starts[-1]], starts - starts[0])


WINDOWS_AT_ONCE = 1 << 12
"""At most this many windows are read at once: n · p numbers each, 16 MiB in all with the paper's layers."""


class States(NamedTuple):
    """Hidden states (n_states, hidden), and the text that each was read from, ascending."""

    hidden: FloatArray
    text: IntArray


class Reader(Protocol):
    """Turns words into hidden states."""

    def read(self, sequences: WordSequences) -> States:
        """The hidden states of all texts; a text without a known word has none."""
        ...


@dataclass(frozen=True)
class ServedFeedForward:
    """projection (n_words, p), weight (hidden, n · p), bias (hidden,)."""

    projection: FloatArray
    weight: FloatArray
    bias: FloatArray

    def read(self, sequences: WordSequences) -> States:
        """One state for each window of n words."""
        ids, text = windows_of(sequences, self.weight.shape[1] // self.projection.shape[1])
        hidden = np.empty((len(ids), len(self.weight)), np.float32)
        for first in range(0, len(ids), WINDOWS_AT_ONCE):
            block = slice(first, first + WINDOWS_AT_ONCE)
            x = self.projection[ids[block]].reshape(-1, self.weight.shape[1])  # (n_windows, n · p)
            np.tanh(x @ self.weight.T + self.bias, out=hidden[block])
        return States(hidden, text)


class CellWeights(NamedTuple):
    """of the input (gates · hidden, p or hidden), of the state (gates · hidden, hidden), and their two biases."""

    weight_ih: FloatArray
    weight_hh: FloatArray
    bias_ih: FloatArray
    bias_hh: FloatArray


@dataclass(frozen=True)
class ServedRecurrent:
    """projection (n_words, p), and cells one above the other."""

    projection: FloatArray
    cell: str
    cells: tuple[CellWeights, ...]

    def read(self, sequences: WordSequences) -> States:
        """One state after each word, beginning with the first known one."""
        ids, speaks = padded(sequences)
        step, width = STEPS[self.cell], self.cells[0].weight_hh.shape[1]
        state = [np.zeros((len(ids), width * (1 + (self.cell == "lstm"))), np.float32) for _ in self.cells]
        states = np.zeros((*ids.shape, width), np.float32)
        for place in range(ids.shape[1]):
            x = self.projection[ids[:, place]]
            for layer, weights in enumerate(self.cells):
                state[layer] = step(weights, x, state[layer])
                x = state[layer][:, :width]
            states[:, place] = x
        return States(states[speaks], np.nonzero(speaks)[0])


def rnn_step(w: CellWeights, x: FloatArray, h: FloatArray) -> FloatArray:
    """h' = tanh(W x + b + U h + c)."""
    return np.tanh(x @ w.weight_ih.T + w.bias_ih + h @ w.weight_hh.T + w.bias_hh)


def lstm_step(w: CellWeights, x: FloatArray, state: FloatArray) -> FloatArray:
    """c' = f∘c + i∘g, h' = o∘tanh(c'); the state is h and c side by side."""
    h, c = np.split(state, 2, axis=1)
    i, f, g, o = np.split(x @ w.weight_ih.T + w.bias_ih + h @ w.weight_hh.T + w.bias_hh, 4, axis=1)
    c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
    return np.concatenate([_sigmoid(o) * np.tanh(c), c], axis=1)


def gru_step(w: CellWeights, x: FloatArray, h: FloatArray) -> FloatArray:
    """h' = (1 - z)∘n + z∘h, with n = tanh(W x + b + r∘(U h + c))."""
    of_input, of_state = x @ w.weight_ih.T + w.bias_ih, h @ w.weight_hh.T + w.bias_hh
    (r_x, z_x, n_x), (r_h, z_h, n_h) = np.split(of_input, 3, axis=1), np.split(of_state, 3, axis=1)
    r, z = _sigmoid(r_x + r_h), _sigmoid(z_x + z_h)
    new: FloatArray = (1 - z) * np.tanh(n_x + r * n_h) + z * h
    return new


STEPS = {"rnn": rnn_step, "lstm": lstm_step, "gru": gru_step}


def reader_from(arrays: Mapping[str, NDArray[Any]], prefix: str, cell: str | None) -> Reader:
    """The reader from arrays whose names begin with the prefix; cell: None for one that reads windows."""
    projection = arrays[f"{prefix}.projection.weight"]
    if cell is None:
        return ServedFeedForward(projection, arrays[f"{prefix}.hidden.weight"], arrays[f"{prefix}.hidden.bias"])
    n_layers = sum(name.startswith(f"{prefix}.cells.") and name.endswith(".weight_ih") for name in arrays)
    cells = (
        CellWeights(*(arrays[f"{prefix}.cells.{n}.{part}"] for part in CellWeights._fields)) for n in range(n_layers)
    )
    return ServedRecurrent(projection, cell, tuple(cells))


def _sigmoid(x: FloatArray) -> FloatArray:
    half = x.dtype.type(0.5)
    squashed: FloatArray = half * (1 + np.tanh(half * x))
    return squashed
