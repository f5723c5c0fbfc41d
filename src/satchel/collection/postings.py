"""What a word finds: its documents read from FTS5's index in one piece, and scored as FTS5's bm25() scores them.

bm25() is asked for one row at a time and looks up the size of the document each time. The index itself knows where a
word stands; sizes are kept in memory, and the formula is one line over all documents: the same bits,
sooner.
"""

from __future__ import annotations

import math
import sqlite3
import threading
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.collection.file import CollectionFile
from satchel.collection.schema import TOKENIZER
from satchel.ranking.probes import DoubleArray
from satchel.types import IntArray

TITLE_WEIGHT = 2.0
"""How much more a word in the title counts than one in the text; 3 was the same on train queries, 1 and 5 less."""
SATURATION, LENGTH_SHARE = 1.2, 0.75
"""k1 and b of bm25()."""
LEAST_IDF = 1e-6
"""Of a word that stands in half of the documents or more, as bm25() has it."""
_PLACES = "SELECT group_concat(CASE col WHEN 'title' THEN -doc ELSE doc END) FROM temp.occurrences WHERE term = ?"
_COLUMNS = 2


class Leg(NamedTuple):
    """What one search found: numbers of documents and their scores, (n_found,) each, higher is better; in no order."""

    numbers: IntArray
    scores: DoubleArray


class Sizes(NamedTuple):
    """The words of documents as FTS5 counted them: by_number (largest number + 1,); mean and n_documents of all."""

    by_number: NDArray[np.int32]
    mean: float
    n_documents: int


def read_sizes(file: CollectionFile, numbers: IntArray, before: Sizes | None = None, since: int = -1) -> Sizes:
    """numbers: those of all documents. before: the sizes as they were at the change `since`; only later ones are read.

    A row of FTS5's table of sizes holds one number for each column, seven bits a byte, high bits first, and the top
    bit set in all bytes but the last.
    """
    by_number = np.zeros(int(numbers.max(initial=0)) + 1, np.int32)
    if before is not None:
        kept = min(len(by_number), len(before.by_number))
        by_number[:kept] = before.by_number[:kept]
    among = "" if before is None else f"WHERE id IN (SELECT number FROM documents WHERE change > {since:d})"
    cursor = file.run(f"SELECT id, sz FROM lexical_docsize {among}")
    while rows := cursor.fetchmany(20_000):
        sizes = _decoded(b"".join(row[1] for row in rows)).reshape(len(rows), _COLUMNS).sum(axis=1)
        found = np.array([row[0] for row in rows], np.int64)
        known = found < len(by_number)
        by_number[found[known]] = sizes[known]
    total = int(by_number[numbers].sum(dtype=np.int64))
    return Sizes(by_number, total / max(1, len(numbers)), len(numbers))


def _decoded(packed: bytes) -> IntArray:
    """The numbers that are packed one after the other."""
    octets = np.frombuffer(packed, np.uint8)
    ends = np.flatnonzero(octets < 128)
    starts = np.concatenate(([0], ends[:-1] + 1))
    places = np.repeat(ends, ends - starts + 1) - np.arange(len(octets))  # of each byte, from the end of its number
    return np.asarray(np.add.reduceat((octets & 127).astype(np.int64) << (7 * places), starts), np.int64)


def word_leg(file: CollectionFile, sizes: Sizes, word: str) -> Leg:
    """All documents that have the word, in any of its forms, by BM25; in no order."""
    tokens = tokens_of(word)
    if len(tokens) != 1:
        return _phrase_leg(file, word) if tokens else Leg(np.empty(0, np.int64), np.empty(0))
    places = np.fromstring(file.value(_PLACES, tokens[0]) or "", np.int64, sep=",")
    numbers, holder = np.unique(np.abs(places), return_inverse=True)
    counts = np.asarray(np.bincount(holder, np.where(places < 0, TITLE_WEIGHT, 1.0), len(numbers)), np.float64)
    return Leg(numbers, bm25(counts, sizes.by_number[numbers], sizes.mean, sizes.n_documents))


def bm25(counts: DoubleArray, sizes: NDArray[np.int32], mean_size: float, n_documents: int) -> DoubleArray:
    """idf · f (k1 + 1) / (f + k1 (1 - b + b D / mean D)) of one word, (n_found,), as SQLite's bm25() computes it.

    counts f, sizes D (n_found,): of the n documents that hold the word. idf = ln((N - n + ½) / (n + ½)), at least 1e-6.
    """
    found = len(counts)
    idf = max(math.log((n_documents - found + 0.5) / (found + 0.5)), 0.0) or LEAST_IDF
    share = 1 - LENGTH_SHARE + LENGTH_SHARE * sizes / (mean_size or 1.0)
    scores: DoubleArray = idf * (counts * (SATURATION + 1) / (counts + SATURATION * share))
    return scores


def _phrase_leg(file: CollectionFile, word: str) -> Leg:
    """Of what FTS5 takes for several words that follow each other."""
    score = f"-bm25(lexical, {TITLE_WEIGHT}, 1.0)"
    rows = file.rows(f"SELECT rowid, {score} FROM lexical WHERE lexical MATCH ?", quoted(word))
    return Leg(np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows], np.float64))


def quoted(term: str) -> str:
    """A word as FTS5 takes it for a word and nothing else."""
    return '"' + term.replace('"', '""').replace("\0", " ") + '"'


@lru_cache(1 << 16)
def tokens_of(word: str) -> tuple[str, ...]:
    """What FTS5 makes of a word: one token, none where it holds nothing but signs, several where signs split it."""
    connection, turn = _tokenizing()
    with turn:
        connection.execute("INSERT INTO given (given) VALUES ('delete-all')")
        connection.execute("INSERT INTO given (rowid, word) VALUES (1, ?)", (word.replace("\0", " "),))
        return tuple(token for (token,) in connection.execute("SELECT term FROM tokens ORDER BY offset"))


@cache
def _tokenizing() -> tuple[sqlite3.Connection, threading.Lock]:
    """A table in memory that is asked how FTS5 splits and stems."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.execute(f"CREATE VIRTUAL TABLE given USING fts5 (word, content = '', tokenize = '{TOKENIZER}')")
    connection.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab(given, instance)")
    return connection, threading.Lock()
