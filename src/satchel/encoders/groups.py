"""Groups of texts about the same subject, found without labels, and the words that name each group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.arrays import Clusters, RowsInMemory, spherical_kmeans
from satchel.encoders.base import CONTENT_WORDS, Encoder
from satchel.encoders.fisher import FisherVectors
from satchel.errors import InputError, seed, whole_number
from satchel.text import Tokenizer, check_texts, learn_vocabulary
from satchel.types import FloatArray, IntArray, SparseArray, Vectors

N_STARTS = 5
"""Spherical k-means starts this often; the run whose texts lie nearest to their centres is kept."""
MOST_GROUPS = 20
"""The most groups if no number is given."""
FORMS_OF_A_WORD = 4
"""Candidates for each word of a name: of several words with one stem only the first is used."""
NO_GROUP = -1


class Group(NamedTuple):
    """Words that name a group, most telling first, and the positions of its texts, nearest to the centre first."""

    words: tuple[str, ...]
    members: IntArray


class Groups(NamedTuple):
    """Groups, largest first. labels (n_texts,): the group of each text, -1 for one without a known word.

    fits (n_texts,): the cosine of each text to the centre of its group. vectors: those of the texts.
    """

    groups: list[Group]
    labels: IntArray
    fits: FloatArray
    vectors: Vectors


def group_texts(
    texts: Sequence[str],
    n_groups: int | None = None,
    *,
    encoder: Encoder | None = None,
    n_words: int = 6,
    tokenizer: Tokenizer = CONTENT_WORDS,
    random_state: int = 0,
) -> Groups:
    """Puts texts into groups by spherical k-means on their vectors, and names each group by its words.

    n_groups: None takes √(n/2), between 2 and 20, for n texts. encoder: is fitted to the texts; by default
    FisherVectors of one component, which suit small collections best. n_words: how many words a name has, chosen among
    those that `tokenizer` gives.
    """
    texts = check_texts(texts)
    n_words = whole_number("n_words", n_words)
    random_state = seed(random_state)
    encoder = FisherVectors(n_components=1, random_state=random_state) if encoder is None else encoder
    vectors = encoder.fit(texts).transform(texts)
    nonzero = RowsInMemory(vectors).nonzero
    if not len(nonzero):
        raise InputError(f"the {len(texts)} texts do not differ in their words: there is nothing to group")
    wanted = _usual_number(len(nonzero)) if n_groups is None else whole_number("n_groups", n_groups)
    if wanted > len(nonzero):
        raise InputError(
            f"n_groups is {wanted}, but only {len(nonzero)} of the {len(texts)} texts have a vector that is not zero; "
            "choose fewer groups or give more texts"
        )
    labels, fits = _nearest_groups(vectors, nonzero, wanted, random_state)
    names = name_groups(texts, labels, n_words, tokenizer)
    members = [np.flatnonzero(labels == number) for number in range(len(names))]
    by_fit = [own[np.argsort(-fits[own], kind="stable")] for own in members]
    return Groups([Group(*pair) for pair in zip(names, by_fit, strict=True)], labels, fits, vectors)


def name_groups(texts: Sequence[str], labels: IntArray, n_words: int, tokenizer: Tokenizer) -> list[tuple[str, ...]]:
    """The words that set each group apart: those with the highest `telling_words`, one of each stem."""
    vocabulary, counts = learn_vocabulary(texts, tokenizer)
    scores = telling_words(counts, labels)
    order = np.argsort(-scores, axis=1, kind="stable")[:, : FORMS_OF_A_WORD * n_words]
    candidates = [
        [vocabulary.words[word] for word in best if own[word] > 0] for best, own in zip(order, scores, strict=True)
    ]
    return [tuple(worth_reading(words)[:n_words]) for words in candidates]


def worth_reading(words: Sequence[str]) -> list[str]:
    """Leaves out a word whose stem came before ("games" after "game") and puts numbers last: they say little."""
    stems = Tokenizer(stem=True).terms(words)
    kept = set(dict(reversed(list(zip(stems, words, strict=True)))).values())  # the first word of each stem
    return sorted((word for word in words if word in kept), key=str.isdecimal)


def telling_words(counts: SparseArray, labels: IntArray) -> NDArray[np.float64]:
    """How well each word names each group, (n_groups, n_words): p log lift, p = P(word | group), lift = p / P(word).

    P is the share of texts that hold the word. The lift alone would choose words of a single text, and p alone words
    of every group.
    """
    from scipy.sparse import csr_array

    n_groups = int(labels.max(initial=NO_GROUP)) + 1
    rows = np.flatnonzero(labels >= 0)
    shares = 1 / np.maximum(np.bincount(labels[rows], minlength=n_groups), 1)
    present = csr_array((np.ones(len(counts.data)), counts.indices, counts.indptr), shape=counts.shape)
    members = csr_array((shares[labels[rows]], (labels[rows], rows)), shape=(n_groups, counts.shape[0]))
    inside = np.asarray((members @ present).todense())
    everywhere = np.bincount(counts.indices, minlength=counts.shape[1]) / max(1, counts.shape[0])
    lift = np.divide(inside, everywhere, out=np.ones_like(inside), where=everywhere > 0)
    found: NDArray[np.float64] = inside * np.log(lift, out=np.zeros_like(lift), where=lift > 0)
    return found


def _nearest_groups(
    vectors: Vectors, nonzero: IntArray, n_groups: int, random_state: int
) -> tuple[IntArray, FloatArray]:
    """The group of each text and its cosine to the centre, by the best start; the largest group is number 0."""
    rows = RowsInMemory(vectors)
    units = rows.rows(nonzero)
    starts = np.random.default_rng(random_state).integers(0, 2**31, N_STARTS)
    tried = [spherical_kmeans(units, n_groups, int(start)) for start in starts]
    best = max(tried, key=lambda clusters: float(_fits(units, clusters).sum(dtype=np.float64)))
    sizes = np.bincount(best.labels, minlength=n_groups)
    kept = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
    number = np.full(n_groups, NO_GROUP)
    number[kept] = np.arange(len(kept))
    labels, fits = np.full(rows.n_rows, NO_GROUP), np.zeros(rows.n_rows, np.float32)
    labels[nonzero], fits[nonzero] = number[best.labels], _fits(units, best)
    return labels, fits


def _fits(units: Vectors, clusters: Clusters) -> FloatArray:
    """The cosine of each row to the centre of its cluster, (n_rows,)."""
    cosines = np.asarray(units @ clusters.centres.T)
    return np.take_along_axis(cosines, clusters.labels[:, None], axis=1).ravel()


def _usual_number(n_texts: int) -> int:
    return max(1, min(MOST_GROUPS, max(2, round(float(np.sqrt(n_texts / 2)))), n_texts))
