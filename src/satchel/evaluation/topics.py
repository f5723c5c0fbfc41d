"""The measures of [MW] section 4: a document is relevant if it has the query's topic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError, whole_number
from satchel.evaluation.checks import checked_ranking, listed, number_labels
from satchel.evaluation.measures import Values
from satchel.types import IntArray, Ranking


@dataclass(frozen=True)
class TopicsResult:
    """The result of `evaluate_topics`, as fractions, except the mean rank (from 1) and the MCC (from -1 to 1).

    per_query: name -> (n_evaluated,); the rank of a query without success is NaN.
    wanted (n_evaluated,): the topic of each of these queries, as a position in `topics`.
    contingency (n_topics + 1, n_topics + 1): rows are the queries' topics, columns the retrieved ones, in the order of
    `topics`; the last column counts queries that retrieved nothing.
    """

    measures: Mapping[str, float]
    per_query: Mapping[str, Values]
    wanted: IntArray
    contingency: IntArray
    topics: tuple[Hashable, ...]
    evaluated: IntArray
    n_excluded: int

    def __str__(self) -> str:
        width = max(len(name) for name in self.measures)
        lines = [f"{name:<{width}}  {_printed(name, value)}" for name, value in self.measures.items()]
        excluded = f", {self.n_excluded} without a relevant document left out" if self.n_excluded else ""
        return "\n".join([*lines, f"{len(self.evaluated)} queries{excluded}"])

    def per_topic(self, name: str) -> Values:
        """The mean of a measure over the queries of each topic, (n_topics,), [MW] Figures 9 and 10; NaN if a topic has
        no query."""
        return mean_by_topic(self.per_query[name], self.wanted, len(self.topics))


def evaluate_topics(
    ranking: Ranking, database_labels: Sequence[Hashable], query_labels: Sequence[Hashable], *, k: int = 20
) -> TopicsResult:
    """Computes MAP over the first k documents, success rate, mean rank and MCC, [MW] sections 4.1 to 4.3 and 5.1.

    A document is retrieved if its id is at least 0 and its score is above -inf (empty documents have -inf by
    distance). So give rankings that are as deep as the system retrieves; only the MAP stops at k. A query whose topic
    no document has is left out and counted.
    The mean rank is over the successful queries; in the paper the others have no rank.
    """
    ids, scores = checked_ranking(ranking)
    k = whole_number("k", k)
    database_labels, query_labels = listed(database_labels, "database labels"), listed(query_labels, "query labels")
    _check(ids, database_labels, query_labels)
    topics = number_labels(database_labels)
    wanted = np.array([topics.get(label, -1) for label in query_labels], np.int64)
    evaluated = np.flatnonzero(wanted >= 0)
    if not len(evaluated):
        raise InputError("no query has a relevant document: the labels of queries and database share no label")
    nothing = len(topics)
    of_document = np.array([topics[label] for label in database_labels] + [nothing], np.int64)
    is_retrieved = (ids >= 0) & (scores > -np.inf)
    retrieved = of_document[np.where(is_retrieved, ids, -1)][evaluated]  # (n_evaluated, depth), topics
    wanted = wanted[evaluated]
    sizes = np.bincount(of_document, minlength=nothing + 1)[wanted]
    relevant = retrieved == wanted[:, None]
    ranks = best_ranks(relevant)
    success = successes(ranks)
    first = retrieved[:, 0] if retrieved.shape[1] else np.full(len(wanted), nothing)
    contingency = contingency_table(wanted, np.where(success, wanted, first), nothing + 1)
    per_query = {
        f"MAP (top {k})": average_precision(relevant, sizes, k),
        "success rate": success.astype(np.float64),
        "mean rank": np.where(success, ranks, np.nan),
    }
    return _result(per_query, wanted, contingency, tuple(topics), evaluated, len(query_labels))


def join_topics(parts: Sequence[TopicsResult]) -> TopicsResult:
    """Joins the results of parts of the queries, in order: for rankings that are too deep to hold all at once."""
    if not parts or any(part.topics != parts[0].topics for part in parts):
        raise InputError("give at least one result, all with the same database labels")
    lengths = [len(part.evaluated) + part.n_excluded for part in parts]
    starts = np.cumsum([0, *lengths[:-1]])
    return _result(
        {name: np.concatenate([part.per_query[name] for part in parts]) for name in parts[0].per_query},
        np.concatenate([part.wanted for part in parts]),
        np.sum([part.contingency for part in parts], axis=0),
        parts[0].topics,
        np.concatenate([part.evaluated + start for part, start in zip(parts, starts, strict=True)]),
        sum(lengths),
    )


def _result(
    per_query: Mapping[str, Values],
    wanted: IntArray,
    contingency: IntArray,
    topics: tuple[Hashable, ...],
    evaluated: IntArray,
    n_queries: int,
) -> TopicsResult:
    """Averages the values over queries (the rank over successful ones) and computes the MCC of the whole table."""
    means = {name: _mean(values) for name, values in per_query.items()}
    means["MCC"] = matthews_correlation(contingency)
    return TopicsResult(means, per_query, wanted, contingency, topics, evaluated, n_queries - len(evaluated))


def mean_by_topic(values: Values, wanted: IntArray, n_topics: int) -> Values:
    """Mean of the values of each topic's queries, [MW] Figures 9-10; NaN values do not count.

    values, wanted (n_queries,) -> (n_topics,).
    """
    known = ~np.isnan(values)
    counts = np.bincount(wanted[known], minlength=n_topics)
    sums = np.bincount(wanted[known], weights=values[known], minlength=n_topics)
    means: Values = np.divide(sums, counts, out=np.full(n_topics, np.nan), where=counts > 0)
    return means


def topic_sizes(labels: Sequence[Hashable]) -> dict[Hashable, int]:
    """Counts the documents of each topic, [MW] Figure 7: largest first; topics of equal size in order of appearance."""
    sizes = Counter(listed(labels, "labels"))
    return dict(sizes.most_common())


def evenness(sizes: Sequence[int]) -> float:
    """How equal in size topics are, [MW] Figure 7: the entropy of their shares divided by its maximum, from 0 to 1.

    1 if all are equal, near 0 if one topic has almost everything. The paper only draws the sizes and gives no number.
    """
    p = np.asarray(sizes, np.float64) / np.sum(sizes)
    return float(-(p * np.log(p)).sum() / math.log(len(p))) if len(p) > 1 else 1.0


def skewness(sizes: Sequence[int]) -> float:
    """The skewness of sizes, [MW] Figure 7: their third central moment divided by the cubed standard deviation.

    Above 0 if a few topics are much larger than the others, below 0 if a few are much smaller, 0 if all are equal. It
    says on which side the unusual sizes are; `evenness` says how unequal they are.
    """
    x = np.asarray(sizes, np.float64)
    away = x - x.mean()
    spread = float((away**2).mean())
    return float((away**3).mean()) / spread**1.5 if spread > 0 else 0.0


def average_precision(relevant: NDArray[np.bool_], sizes: IntArray, k: int) -> Values:
    """Average precision over the first k documents, [MW] section 4.1; relevant (n_queries, depth), best first.

    The sum of the precision at each relevant document among the first k, divided by n = min(k, |C_target|). The paper
    does not define the sum exactly; this one gives the 0.22 and 0.07 of its worked example (Figure 8, k = 5).

    Differs from trec_eval's AP, which divides by all |C_target| relevant documents: there 20 right ones of a topic of
    500 score 20/500, here 1. AP over a ranking cut at k is this times min(k, |C_target|) / |C_target|.
    """
    seen = relevant[:, :k]
    precision = np.cumsum(seen, axis=1) / np.arange(1, seen.shape[1] + 1)
    average: Values = (precision * seen).sum(axis=1) / np.minimum(k, sizes)
    return average


def best_ranks(relevant: NDArray[np.bool_]) -> Values:
    """Rank of the best relevant document of each query, from 1, [MW] section 4.3; inf where none is retrieved."""
    if not relevant.shape[1]:
        return np.full(len(relevant), np.inf)
    return np.where(relevant.any(axis=1), relevant.argmax(axis=1) + 1.0, np.inf)


def successes(ranks: Values) -> NDArray[np.bool_]:
    """Whether each query finds a relevant document, (n_queries,); the mean is the success rate, [MW] section 5.1."""
    return np.isfinite(ranks)


def contingency_table(wanted: IntArray, retrieved: IntArray, n_topics: int) -> IntArray:
    """C (n_topics, n_topics): counts the queries of topic i for which topic j was retrieved, [MW] section 4.2."""
    table: IntArray = np.bincount(wanted * n_topics + retrieved, minlength=n_topics**2).reshape(n_topics, n_topics)
    return table


def matthews_correlation(contingency: IntArray) -> float:
    """Multi-class MCC of a contingency table, [MW] section 4.2 after Jurman et al. (2012); 0 where it has no value.

    (c·s - Σ t_k p_k) / √((s² - Σ t_k²)(s² - Σ p_k²)) with s queries, c of them on the diagonal, row sums t and
    column sums p.

    Differs: a query that retrieves nothing counts as a topic of its own, never right; the paper does not mention this
    case.
    """
    table = contingency.astype(np.float64)
    t, p, s = table.sum(axis=1), table.sum(axis=0), table.sum()
    spread = (s**2 - t @ t) * (s**2 - p @ p)
    return float((np.trace(table) * s - t @ p) / math.sqrt(spread)) if spread > 0 else 0.0


def _mean(values: Values) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def _printed(name: str, value: float) -> str:
    return f"{value:6.2f}" if name == "mean rank" else f"{value:6.3f}" if name == "MCC" else f"{100 * value:6.2f} %"


def _check(ids: IntArray, database_labels: Sequence[Hashable], query_labels: Sequence[Hashable]) -> None:
    if len(ids) != len(query_labels):
        raise InputError(f"the ranking has {len(ids)} queries but there are {len(query_labels)} query labels")
    if ids.size and ids.max() >= len(database_labels):
        raise InputError(
            f"the ranking names document {ids.max()} but there are only {len(database_labels)} database labels"
        )
