"""Lexical search against bm25s with the same words, from texts to rankings: speed, memory and what is found.

Both index the same collections with the same analysis and answer the same queries; bm25s gets its tokens from the same
tokenizer. Where bm25s is given words that are ready, ours still begins with the text.
"""

import tracemalloc
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.timing import Row, compare
from satchel import Bm25
from satchel.datasets import load, place_of
from satchel.text import word_sequences

COLLECTIONS = ("cranfield", "npl", "scifact")
N_DRAWN, N_WORDS, LENGTH, N_QUERIES, K = 50_000, 60_000, 80, 200, 100
REPEAT = 5


def run() -> list[Row]:
    rows: list[Row] = []
    for name in COLLECTIONS:
        if place_of(name) != "source":
            data = load(name)
            rows += rows_of(name, data.documents.texts, data.queries.texts[:N_QUERIES])
            rows.append(memory(name, data.documents.texts))
    texts = drawn_texts(N_DRAWN + N_QUERIES)
    queries = [" ".join(text.split()[:5]) for text in texts[N_DRAWN:]]
    return rows + rows_of(f"{N_DRAWN // 1000}k drawn texts", texts[:N_DRAWN], queries)


def rows_of(name: str, texts: list[str], queries: list[str]) -> list[Row]:
    """Queries together, one at a time, and against a bm25s whose words are ready."""
    ours = Bm25().fit(texts)
    terms, asked = known_terms(ours, texts), [known for known in known_terms(ours, queries) if known]
    peer = peer_index(terms)

    def theirs_from_texts() -> None:
        peer.retrieve([ours.tokenizer.tokens(query) for query in queries], k=K, show_progress=False)

    def one_by_one() -> None:
        for query in queries:
            ours.search([query], K)

    def theirs_one_by_one() -> None:
        for query in queries:
            peer.retrieve([ours.tokenizer.tokens(query)], k=K, show_progress=False)

    what = f"{name}: top-{K} of {len(queries)} queries"
    rows = [
        compare(what, lambda: ours.search(queries, K), "bm25s", theirs_from_texts, repeat=REPEAT),
        compare(f"{what}, one by one", one_by_one, "bm25s", theirs_one_by_one, repeat=REPEAT),
        compare(
            f"{what}, words ready for bm25s",
            lambda: ours.search(queries, K),
            "bm25s.retrieve alone",
            lambda: peer.retrieve(asked, k=K, show_progress=False),
            repeat=REPEAT,
        ),
    ]
    return [with_rate(row, len(queries)) for row in rows]


def with_rate(row: Row, n_queries: int) -> Row:
    return row._replace(note=f"{n_queries / row.ours:,.0f} queries/s against {n_queries / row.theirs:,.0f}; target 1")


def memory(name: str, texts: list[str]) -> Row:
    """What each index holds once it is built; ours also keeps the counts, for marks and expansion."""
    fitted = Bm25().fit(texts)
    terms = known_terms(fitted, texts)
    mine, theirs = held(lambda: Bm25().fit(texts)), held(lambda: peer_index(terms))
    note = f"{mine * 1e6 / fitted.counts_.nnz:.0f} bytes a posting, with vocabulary and counts"
    return Row(f"{name}: memory of the index", mine, "bm25s", theirs, mine / theirs, note, "MB")


def held(build: Callable[[], object]) -> float:
    """Megabytes that what was built keeps."""
    tracemalloc.start()
    kept = build()
    megabytes = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    del kept
    return megabytes


def peer_index(terms: list[list[str]]) -> Any:
    peer = import_module("bm25s").BM25(k1=1.5, b=0.75, method="lucene")
    peer.index(terms, show_progress=False)
    return peer


def known_terms(ranker: Bm25, texts: list[str]) -> list[list[str]]:
    """The known terms of each text, in order."""
    ids, starts = word_sequences(texts, ranker.tokenizer, ranker.vocabulary_)
    words = np.array(ranker.vocabulary_.words, dtype=object)[ids]
    return [part.tolist() for part in np.split(words, starts[1:-1])]


def drawn_texts(n: int) -> list[str]:
    """Texts of words drawn by a law like Zipf's: as large as wanted, and the same everywhere."""
    frequencies = 1 / (np.arange(N_WORDS) + 10)
    drawn = np.random.default_rng(0).choice(N_WORDS, (n, LENGTH), p=frequencies / frequencies.sum())
    return [" ".join(f"w{word}" for word in row) for row in drawn.tolist()]


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
