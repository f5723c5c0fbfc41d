"""The protocols of a new collection, used as a person would: its searches compared with bm25s, and one round of
marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from time import perf_counter
from typing import Any, Final, Self

import numpy as np

from satchel.collection import Collection, Document
from satchel.datasets import AdHocSet
from satchel.errors import InputError, MissingExtraError, unknown_name
from satchel.evaluation import FeedbackResult, RunResult, evaluate_run, simulate_feedback
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.feedback import FEEDBACK_MEASURES, gains_after_marks, measures_of
from satchel.experiments.protocols.judging import RUN_LENGTH, gains, judge_adhoc, judgments_of
from satchel.experiments.protocols.retrieval import JUDGED, judged_set
from satchel.experiments.results import Outcome, percent
from satchel.ranking import Bm25, Retriever, Rocchio
from satchel.types import IntArray, Ranking, Run


class FreshCollection:
    """A new collection of a set's documents, open until `close`; seconds: the time to add them.

    shown: query -> its first ranking, as positions in the set. Several methods start from it.
    """

    def __init__(self, data: AdHocSet, seed: int) -> None:
        start = perf_counter()
        self.data = data
        self.shown: dict[str, Ranking] = {}
        self.collection = Collection.create(":memory:", random_state=seed)
        self.collection.add(documents_of(data))
        self.seconds = perf_counter() - start

    def close(self) -> None:
        self.collection.close()


def documents_of(data: AdHocSet) -> Iterator[Document]:
    """Yields the documents with the title apart from the text, as in files; the texts of the set begin with the
    title."""
    documents = data.documents
    for id_, text, title in zip(documents.ids, documents.texts, documents.titles, strict=True):
        yield Document(id_, text.removeprefix(title).strip() if title else text, title=title)


@KEPT.shared(of=["name"])
def fresh_collection(name: str, seed: int) -> FreshCollection:
    """Makes the collection of a data set; consecutive methods with the same set and seed share it."""
    return FreshCollection(judged_set(name), seed)


PEER: Final = "bm25s"
MODES: Final = {"both": "both", "by words": "lexical", "by meaning": "semantic"}
SYSTEMS: Final = (PEER, "Bm25", *MODES)
OVER_PEER, P = f"over {PEER}", "p"
SEARCH_MEASURES: Final = (
    *JUDGED,
    "queries",
    *(f"{measure}, {kind}" for measure in JUDGED for kind in (OVER_PEER, P)),
)


def collection_search(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """Ranks the best 1,000 documents for all judged queries: by the collection in one of its modes, or by a ranker.

    The name of the method says which. "bm25s": the package of that name; "Bm25": our own ranker on the same texts;
    "both", "by words" and "by meaning": `Collection.search`. Option `split`: the split of the queries ("test"). "p"
    comes from the paired randomisation test against bm25s; if that package is not installed, "p" and "over bm25s" are
    left out.
    """
    split, name = str(experiment.options.get("split", "test")), experiment.dataset_of(method)
    if method.method not in SYSTEMS:
        raise unknown_name("system", method.method, SYSTEMS)
    if method.method in MODES:
        result, seconds = _judge_collection(name, MODES[method.method], split, seed)
    else:
        retriever: Retriever = Bm25() if method.method == "Bm25" else Bm25sPeer()
        judged = judge_adhoc(judged_set(name), retriever, JUDGED, split=split)
        result, seconds = judged.result, judged.seconds
    measures = percent(result.measures) | {"queries": len(result.query_ids)}
    if method.method != PEER:
        measures |= over_peer(result, name, split)
    for scoring in method.scorings:
        yield Outcome(scoring, 0, measures, seconds)


def _judge_collection(name: str, mode: str, split: str, seed: int) -> tuple[RunResult, float]:
    """Returns the measures, and the seconds to add and search."""
    fresh = fresh_collection(name, seed)
    judgments = judgments_of(fresh.data, split)
    queries = fresh.data.judged_queries(judgments)
    start = perf_counter()
    run = run_of(fresh.collection, dict(zip(queries.ids, queries.texts, strict=True)), mode)
    seconds = fresh.seconds + perf_counter() - start
    return evaluate_run(run, judgments, JUDGED), seconds


def run_of(collection: Collection, queries: Mapping[str, str], mode: str) -> Run:
    """Searches the collection for each query; query id -> document id -> score.

    The score is 1 / rank, which keeps the order of documents that the search scores alike.
    """
    run: dict[str, dict[str, float]] = {}
    for id_, text in queries.items():
        hits = collection.search(text, RUN_LENGTH, mode=mode, explained=False)  # type: ignore[arg-type]
        run[id_] = {hit.id: 1.0 / hit.rank for hit in hits}
    return run


def over_peer(result: RunResult, name: str, split: str) -> dict[str, float]:
    """The gain over bm25s in points, and its p, for each measure; empty if bm25s is not installed."""
    try:
        peer = _judged_peer(name, split)
    except MissingExtraError:
        return {}
    return gains(result.per_query, peer.per_query, JUDGED, OVER_PEER, P)


@KEPT.shared()
def _judged_peer(name: str, split: str) -> RunResult:
    return judge_adhoc(judged_set(name), Bm25sPeer(), JUDGED, split=split).result


class Bm25sPeer:
    """bm25s as its manual shows it: its English stop words, Snowball's English stems, Lucene's BM25.

    bm25s fills up its answers with documents that share no word with the query; these are removed here.
    """

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        self._peer = _packages()
        bm25s, self._stemmer = self._peer
        self._index = bm25s.BM25()
        self._index.index(self._words(texts), show_progress=False)
        self._n_texts = len(texts)
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """Returns the best k documents of each query; ids are -1 and scores -inf if there are fewer."""
        depth = min(k, self._n_texts)
        found = self._index.retrieve(self._words(queries), k=depth, show_progress=False)
        ids, scores = np.asarray(found.documents, np.int64), np.asarray(found.scores, np.float32)
        shared = scores > 0
        return Ranking(np.where(shared, ids, -1), np.where(shared, scores, np.float32(-np.inf)))

    def _words(self, texts: Sequence[str]) -> Any:
        bm25s, stemmer = self._peer
        return bm25s.tokenize(list(texts), stopwords="en", stemmer=stemmer, show_progress=False)


def _packages() -> tuple[Any, Any]:
    """Imports bm25s and the stemmer for it."""
    try:
        bm25s, snowball = import_module("bm25s"), import_module("Stemmer")
    except ImportError:
        raise MissingExtraError(
            "comparing with bm25s needs two packages that are not installed: pip install bm25s PyStemmer"
        ) from None
    return bm25s, snowball.Stemmer("english")


NONE: Final = "none"
COLLECTION: Final = "collection"
MARK_MEASURES: Final = FEEDBACK_MEASURES


class CollectionWithMarks:
    """A retriever whose first ranking is that of `Collection.search` in the mode both.

    After marks, `after` gives the ranking: weights of Rocchio (Bm25 learns from the same marks), "collection" (its own
    search with marks), or "none" (the first ranking stays). k is always 1,000, whatever the caller passes.
    """

    def __init__(self, fresh: FreshCollection, after: Rocchio | str) -> None:
        self._collection, self._ids = fresh.collection, fresh.data.documents.ids
        self._places = {id_: place for place, id_ in enumerate(self._ids)}
        self._after, self._texts = after, fresh.data.documents.texts
        self._shown = fresh.shown

    def fit(self, texts: Sequence[str], labels: object = None) -> Self:
        """Fits Bm25 to the texts; the collection already has its documents."""
        if isinstance(self._after, Rocchio):
            self._bm25 = Bm25(expansion=self._after).fit(self._texts)
        return self

    def search(
        self, queries: Sequence[str], k: int, relevant: IntArray | None = None, irrelevant: IntArray | None = None
    ) -> Ranking:
        """Ranks the documents for one query; relevant and irrelevant: positions of marked documents."""
        (query,) = queries
        if relevant is None or irrelevant is None or self._after == NONE:
            return self._first(query)
        if self._after == COLLECTION:
            return self._searched(query, relevant, irrelevant)
        return self._bm25.search([query], min(k, RUN_LENGTH), relevant=relevant, irrelevant=irrelevant)

    def _first(self, query: str) -> Ranking:
        if query not in self._shown:
            self._shown[query] = self._searched(query, np.empty(0, np.int64), np.empty(0, np.int64))
        return self._shown[query]

    def _searched(self, query: str, relevant: IntArray, irrelevant: IntArray) -> Ranking:
        marks = ([self._ids[place] for place in side] for side in (relevant, irrelevant))
        given = dict(zip(("relevant", "irrelevant"), marks, strict=True))
        hits = self._collection.search(query, RUN_LENGTH, explained=False, **given)  # type: ignore[arg-type]
        ids = np.array([[self._places[hit.id] for hit in hits]], np.int64)
        return Ranking(ids, np.array([[hit.score for hit in hits]], np.float32))


def collection_marks(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """Gives at most 5 + 5 marks on the first 30 hits, the same for all methods, and measures the rest of the
    collection.

    The name of the method is looked up in the option `learners`, a table: "collection", "none", or a list of Rocchio's
    weights a, b and c for Bm25. Other options: `split`, the split of the queries ("test"); `reference`, the learner
    that the others are compared with. The best 1,000 of each ranking are judged.
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
        retriever=CollectionWithMarks(fresh, after),
        random_state=seed,
    )
