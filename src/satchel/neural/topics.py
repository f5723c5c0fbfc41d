"""Labels to topics, and which documents a network learns from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError
from satchel.types import IntArray


class Topics(NamedTuple):
    """names: the topics by number, in order of their first text; of_text (n_texts,): the number of each text's."""

    names: tuple[Hashable, ...]
    of_text: IntArray


def read_topics(labels: Iterable[object] | None, n_texts: int) -> Topics:
    """One topic a text; without labels all texts are of one topic, whose name is None."""
    if labels is None:
        return Topics((None,), np.zeros(n_texts, np.int64))
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise InputError(f"labels must be a list with one label per text, not {type(labels).__name__}")
    numbers: dict[Hashable, int] = {}
    of_text = [numbers.setdefault(_topic(place, label), len(numbers)) for place, label in enumerate(labels)]
    if len(of_text) != n_texts:
        raise InputError(f"{len(of_text)} labels for {n_texts} texts; give one label per text")
    return Topics(tuple(numbers), np.array(of_text, np.int64))


def _topic(place: int, label: Any) -> Hashable:
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, str | int) or (isinstance(label, float) and label == label):
        return label
    given = " ".join(repr(label).split())[:60]
    raise InputError(f"text {place} has the label {given}; a network needs one topic a text, a string or a number")


class Split(NamedTuple):
    """Positions of texts: those that get a unit of the output, sorted by topic, and those that are only judged."""

    documents: IntArray
    validation: IntArray
    topic_starts: IntArray


def split_documents(topics: Topics, has_words: NDArray[np.bool_], share: float, random_state: int) -> Split:
    """Sets a share of each topic's documents aside at random ([MW] section 3.3, step 7); a topic keeps at least one.

    A document without words teaches nothing and gets no unit: it is never found. Topics all of whose documents are so
    are refused, since nothing could be said of them.
    """
    if not has_words.any():
        raise InputError("no text holds a word that is kept; give more texts, or lower min_count")
    random, kept, aside = np.random.default_rng([random_state, 1]), [], []
    for number, name in enumerate(topics.names):
        rows = np.flatnonzero((topics.of_text == number) & has_words)
        if not len(rows):
            raise InputError(
                f"no text of the topic {name!r} holds a word that is kept; lower min_count or leave the topic out"
            )
        n = min(round(share * len(rows)), len(rows) - 1)
        order = random.permutation(rows)
        aside.append(order[:n])
        kept.append(np.sort(order[n:]))
    validation = np.sort(np.concatenate(aside))
    if share > 0 and all(len(rows) == 1 for rows in kept) and not len(validation):
        raise InputError(
            "every topic has one text with words, which it must keep, so that none can be set aside for validation; "
            "use recipe='best' with validation_share=0"
        )
    if share > 0 and not len(validation):
        raise InputError(
            f"validation_share is {share}, which sets none of the {len(topics.of_text)} texts aside; raise it"
        )
    starts = np.concatenate(([0], np.cumsum([len(rows) for rows in kept])))
    return Split(np.concatenate(kept), validation, starts)
