"""The protocol of search in a fresh collection: what a person finds who has added documents and set nothing."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from time import perf_counter
from typing import Any, Final, Self

import numpy as np

from satchel.collection import Collection
from satchel.errors import MissingExtraError, unknown_name
from satchel.evaluation import RunResult, evaluate_run
from satchel.evaluation.runs import DEFAULT_MEASURES
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.fresh_collection import fresh_collection
from satchel.experiments.protocols.judging import RUN_LENGTH, gains, judge_adhoc, judgments_of
from satchel.experiments.protocols.retrieval import judged_set
from satchel.experiments.results import Outcome, percent
from satchel.ranking import Bm25, Retriever
from satchel.types import Ranking, Run

PEER: Final = "bm25s"
MODES: Final = {"both": "both", "by words": "lexical", "by meaning": "semantic"}
SYSTEMS: Final = (PEER, "Bm25", *MODES)
JUDGED: Final = (*DEFAULT_MEASURES, "R@1000")
OVER_PEER, P = f"over {PEER}", "p"
SEARCH_MEASURES: Final = (
    *JUDGED,
    "queries",
    *(f"{measure}, {kind}" for measure in JUDGED for kind in (OVER_PEER, P)),
)


def collection_search(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """All judged queries, the best 1,000 documents of each: by the collection in one of its modes, or by a ranker.

    The method's name says which. "bm25s": the package of that name; "Bm25": our own over the same texts; "both",
    "by words" and "by meaning": `Collection.search`. Option `split`: whose queries ask ("test"). "p": of the paired
    randomisation test against bm25s; without that package there is none, and nothing "over bm25s".
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
    """The measures, and the seconds of adding and asking."""
    fresh = fresh_collection(name, seed)
    judgments = judgments_of(fresh.data, split)
    queries = fresh.data.judged_queries(judgments)
    start = perf_counter()
    run = asked(fresh.collection, dict(zip(queries.ids, queries.texts, strict=True)), mode)
    seconds = fresh.seconds + perf_counter() - start
    return evaluate_run(run, judgments, JUDGED), seconds


def asked(collection: Collection, queries: Mapping[str, str], mode: str) -> Run:
    """Query id -> document id -> score. Ties, which stand in the order of ids, are told apart by the rank."""
    run: dict[str, dict[str, float]] = {}
    for id_, text in queries.items():
        hits = collection.search(text, RUN_LENGTH, mode=mode, explained=False)  # type: ignore[arg-type]
        run[id_] = {hit.id: 1.0 / hit.rank for hit in hits}
    return run


def over_peer(result: RunResult, name: str, split: str) -> dict[str, float]:
    """The gain over bm25s in points and its p, for each measure; empty where bm25s is not installed."""
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

    A document that shares no word with the query, with which bm25s fills up its answers, is not in the ranking.
    """

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        self._peer = _packages()
        bm25s, self._stemmer = self._peer
        self._index = bm25s.BM25()
        self._index.index(self._words(texts), show_progress=False)
        self._n_texts = len(texts)
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The best k documents of each query; ids -1 and scores -inf where there are fewer."""
        depth = min(k, self._n_texts)
        found = self._index.retrieve(self._words(queries), k=depth, show_progress=False)
        ids, scores = np.asarray(found.documents, np.int64), np.asarray(found.scores, np.float32)
        shared = scores > 0
        return Ranking(np.where(shared, ids, -1), np.where(shared, scores, np.float32(-np.inf)))

    def _words(self, texts: Sequence[str]) -> Any:
        bm25s, stemmer = self._peer
        return bm25s.tokenize(list(texts), stopwords="en", stemmer=stemmer, show_progress=False)


def _packages() -> tuple[Any, Any]:
    """bm25s and the stemmer that it is given."""
    try:
        bm25s, snowball = import_module("bm25s"), import_module("Stemmer")
    except ImportError:
        raise MissingExtraError(
            "comparing with bm25s needs two packages that are not installed: pip install bm25s PyStemmer"
        ) from None
    return bm25s, snowball.Stemmer("english")
