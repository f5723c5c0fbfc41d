"""The protocol of marks in a fresh collection: what one round of marks changes, beside the lexical Rocchio."""

from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Final, Self

import numpy as np

from satchel.errors import InputError, unknown_name
from satchel.evaluation import FeedbackResult, simulate_feedback
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.feedback import FEEDBACK_MEASURES, gains_after_marks, measures_of
from satchel.experiments.protocols.fresh_collection import FreshCollection, fresh_collection
from satchel.experiments.protocols.judging import RUN_LENGTH, judgments_of
from satchel.experiments.results import Outcome
from satchel.ranking import Bm25, Rocchio
from satchel.types import IntArray, Ranking

NONE: Final = "none"
COLLECTION: Final = "collection"
MARK_MEASURES: Final = FEEDBACK_MEASURES


class MarkedCollection:
    """The first ranking is that of `Collection.search`, mode both; after marks it is that of one of three.

    rocchio: Bm25 with these weights of Rocchio learns from the same marks; or "collection": its own search with marks;
    or "none": the first ranking stays. k is 1,000 for all, however many are asked for.
    """

    def __init__(self, fresh: FreshCollection, after: Rocchio | str) -> None:
        self._collection, self._ids = fresh.collection, fresh.data.documents.ids
        self._places = {id_: place for place, id_ in enumerate(self._ids)}
        self._after, self._texts = after, fresh.data.documents.texts
        self._shown = fresh.shown

    def fit(self, texts: Sequence[str], labels: object = None) -> Self:
        """The collection has its documents already; Bm25 is given the same texts."""
        if isinstance(self._after, Rocchio):
            self._bm25 = Bm25(expansion=self._after).fit(self._texts)
        return self

    def search(
        self, queries: Sequence[str], k: int, relevant: IntArray | None = None, irrelevant: IntArray | None = None
    ) -> Ranking:
        """The ranking of one query; relevant and irrelevant: positions of marked documents."""
        (query,) = queries
        if relevant is None or irrelevant is None or self._after == NONE:
            return self._first(query)
        if self._after == COLLECTION:
            return self._asked(query, relevant, irrelevant)
        return self._bm25.search([query], min(k, RUN_LENGTH), relevant=relevant, irrelevant=irrelevant)

    def _first(self, query: str) -> Ranking:
        if query not in self._shown:
            self._shown[query] = self._asked(query, np.empty(0, np.int64), np.empty(0, np.int64))
        return self._shown[query]

    def _asked(self, query: str, relevant: IntArray, irrelevant: IntArray) -> Ranking:
        marks = ([self._ids[place] for place in side] for side in (relevant, irrelevant))
        given = dict(zip(("relevant", "irrelevant"), marks, strict=True))
        hits = self._collection.search(query, RUN_LENGTH, explained=False, **given)  # type: ignore[arg-type]
        ids = np.array([[self._places[hit.id] for hit in hits]], np.int64)
        return Ranking(ids, np.array([[hit.score for hit in hits]], np.float32))


def collection_marks(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """At most 5 + 5 marks among the first 30 hits of a collection, the same for all methods, on what is left.

    The method's name is looked up in the option `learners`, a table: "collection", "none", or the weights a, b and c of
    Rocchio for Bm25 as a list. Other options: `split`, whose queries ask ("test"); `reference`, the learner that the
    others are compared with. Judged are the best 1,000 of each ranking.
    """
    split, name = str(experiment.options.get("split", "test")), experiment.dataset_of(method)
    start = perf_counter()
    result = _marked(name, _learner(experiment, method.method), split, seed)
    seconds = perf_counter() - start
    measures = measures_of(result)
    if (reference := experiment.options.get("reference")) is not None:
        measures |= gains_after_marks(result, _marked(name, _learner(experiment, str(reference)), split, seed))
    for scoring in method.scorings:
        yield Outcome(scoring, 0, measures, seconds)


def _learner(experiment: Experiment, name: str) -> str | tuple[float, float, float]:
    table = experiment.options.get("learners")
    if not isinstance(table, Mapping) or name not in table:
        raise unknown_name("learner", name, table if isinstance(table, Mapping) else ())
    learner = table[name]
    if learner in (COLLECTION, NONE):
        return str(learner)
    if not isinstance(learner, list) or len(learner) != 3:
        raise InputError(f"the learner {name!r} is {learner!r}; expected 'collection', 'none' or three weights")
    a, b, c = (float(weight) for weight in learner)
    return a, b, c


@KEPT.shared(most=8)
def _marked(name: str, learner: str | tuple[float, float, float], split: str, seed: int) -> FeedbackResult:
    fresh = fresh_collection(name, seed)
    data, judgments = fresh.data, judgments_of(fresh.data, split)
    queries = data.judged_queries(judgments)
    after = learner if isinstance(learner, str) else Rocchio(weights=learner)
    return simulate_feedback(
        data.documents.texts,
        data.documents.ids,
        queries.texts,
        queries.ids,
        judgments=judgments,
        retriever=MarkedCollection(fresh, after),
        random_state=seed,
    )
