"""Texts as windows of word ids: what a network is shown, one window at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.text import WordSequences
from satchel.types import IntArray


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
