"""Word vectors: read, learned from texts, aligned with a vocabulary.

The learners are imported on first use: reading and looking up words does not wait for scikit-learn.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from satchel.words.alignment import AlignedWords, align
from satchel.words.fetching import fetch_words
from satchel.words.known import KNOWN_WORDS, KnownWords
from satchel.words.reading import (
    read_fasttext,
    read_folder,
    read_glove,
    read_word2vec_binary,
    read_word2vec_text,
    read_words,
)
from satchel.words.vectors import NearestWord, WordVectors

if TYPE_CHECKING:
    from satchel.words.lsi import LsiWords
    from satchel.words.yule import YuleWords

__all__ = [
    "KNOWN_WORDS",
    "AlignedWords",
    "KnownWords",
    "LsiWords",
    "NearestWord",
    "WordVectors",
    "YuleWords",
    "align",
    "fetch_words",
    "read_fasttext",
    "read_folder",
    "read_glove",
    "read_word2vec_binary",
    "read_word2vec_text",
    "read_words",
]

_HOMES = {"LsiWords": "satchel.words.lsi", "YuleWords": "satchel.words.yule"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'satchel.words' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
