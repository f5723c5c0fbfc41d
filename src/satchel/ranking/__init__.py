"""Rankings: the exact index over document vectors, and retrievers that take texts."""

from satchel.ranking.expansion import Rm3, Rocchio
from satchel.ranking.index import ExactIndex, Scorer
from satchel.ranking.rankers import SEARCH_WORDS, Bm25, LanguageModel, LexicalRetriever, Pl2
from satchel.ranking.retrievers import CombinedRetriever, EncoderRetriever, Retriever
from satchel.ranking.vectors import Metric, check_metric, compress

__all__ = [
    "SEARCH_WORDS",
    "Bm25",
    "CombinedRetriever",
    "EncoderRetriever",
    "ExactIndex",
    "LanguageModel",
    "LexicalRetriever",
    "Metric",
    "Pl2",
    "Retriever",
    "Rm3",
    "Rocchio",
    "Scorer",
    "check_metric",
    "compress",
]
