"""Rankings: the exact index over document vectors, and retrievers that take texts."""

from satchel.ranking.expansion import Rm3, Rocchio
from satchel.ranking.formulas import bm25, least_idf, length_share
from satchel.ranking.fusion import N_READ, RANK_CONSTANT, Evidence, Scale, fuse, query_trust, read_again
from satchel.ranking.index import ExactIndex, Scorer
from satchel.ranking.letters import MOST_CHARACTERS, Letters, WordBag
from satchel.ranking.rankers import SEARCH_WORDS, Bm25, LanguageModel, LexicalRetriever, Pl2
from satchel.ranking.retrievers import CombinedRetriever, EncoderRetriever, Method, Retriever
from satchel.ranking.selection import best_positions, contenders, nothing_found
from satchel.ranking.spelling import SimilarWords, letters_apart, variants_of
from satchel.ranking.vectors import (
    CompactVectors,
    Metric,
    check_metric,
    checked_vectors,
    compress,
    masked_direction,
    not_finite,
)

__all__ = [
    "MOST_CHARACTERS",
    "N_READ",
    "RANK_CONSTANT",
    "SEARCH_WORDS",
    "Bm25",
    "CombinedRetriever",
    "CompactVectors",
    "EncoderRetriever",
    "Evidence",
    "ExactIndex",
    "LanguageModel",
    "Letters",
    "LexicalRetriever",
    "Method",
    "Metric",
    "Pl2",
    "Retriever",
    "Rm3",
    "Rocchio",
    "Scale",
    "Scorer",
    "SimilarWords",
    "WordBag",
    "best_positions",
    "bm25",
    "check_metric",
    "checked_vectors",
    "compress",
    "contenders",
    "fuse",
    "least_idf",
    "length_share",
    "letters_apart",
    "masked_direction",
    "not_finite",
    "nothing_found",
    "query_trust",
    "read_again",
    "variants_of",
]
