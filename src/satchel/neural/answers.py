"""From probabilities to the output vector: how a query's windows answer together, [MW] section 4."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
