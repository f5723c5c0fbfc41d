"""Rankings: the exact index over document vectors, and retrievers that take texts."""

from satchel.ranking.checks import Metric, check_metric
from satchel.ranking.combined import CombinedRetriever
from satchel.ranking.compact import compress
from satchel.ranking.expansion import Rm3, Rocchio
from satchel.ranking.fusion_weights import LearnedWeights, judgments_by_position, learn_weights
from satchel.ranking.index import ExactIndex, Scorer
from satchel.ranking.lexical import SEARCH_WORDS, LexicalRetriever
from satchel.ranking.rankers import Bm25, LanguageModel, Pl2
from satchel.ranking.retriever import EncoderRetriever, Retriever

__all__ = [
    "SEARCH_WORDS",
    "Bm25",
    "CombinedRetriever",
    "EncoderRetriever",
    "ExactIndex",
    "LanguageModel",
    "LearnedWeights",
    "LexicalRetriever",
    "Metric",
    "Pl2",
    "Retriever",
    "Rm3",
    "Rocchio",
    "Scorer",
    "check_metric",
    "compress",
    "judgments_by_position",
    "learn_weights",
]
