"""Word vectors: read from files, fetched by name, learned from texts, aligned with a vocabulary."""

from satchel.words.known import KNOWN_WORDS, KnownWords, fetch_words
from satchel.words.learners import LsiWords, Scaling, WordLearner, YuleWords, latent_words, lsi_vectors
from satchel.words.vectors import AlignedWords, NearestWord, UnknownStart, WordVectors, align

__all__ = [
    "KNOWN_WORDS",
    "AlignedWords",
    "KnownWords",
    "LsiWords",
    "NearestWord",
    "Scaling",
    "UnknownStart",
    "WordLearner",
    "WordVectors",
    "YuleWords",
    "align",
    "fetch_words",
    "latent_words",
    "lsi_vectors",
]
