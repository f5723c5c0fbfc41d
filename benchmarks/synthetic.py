"""Documents made up of words by Zipf's law, with topics: as many as are asked for, the same every time."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from satchel.importing import Document

N_WORDS, N_TOPICS, TOPIC_WORDS = 50_000, 50, 900
COMMON, OWN = 60, 40
"""Words of a document: of the language as a whole, and of its topic."""
BLOCK = 1_000


@cache
def vocabulary() -> list[str]:
    """Distinct words of three letters and more, the first ones the most frequent."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    random, words = np.random.default_rng(0), dict[str, None]()
    while len(words) < N_WORDS:
        words["".join(random.choice(letters, random.integers(3, 10)))] = None
    return list(words)


def documents(n_documents: int) -> Iterator[Document]:
    """Documents d0000000, d0000001, … of 100 words, with the field year."""
    words, random = np.array(vocabulary()), np.random.default_rng(1)
    shares = 1 / (np.arange(N_WORDS) + 2.7)
    edges = np.cumsum(shares / shares.sum())
    for start in range(0, n_documents, BLOCK):
        size = min(BLOCK, n_documents - start)
        topics = random.integers(0, N_TOPICS, (size, 1)) * TOPIC_WORDS
        common = np.minimum(np.searchsorted(edges, random.random((size, COMMON))), N_WORDS - 1)
        rows = words[np.hstack([common, topics + random.integers(0, TOPIC_WORDS, (size, OWN))])]
        for place, row in enumerate(rows, start):
            yield Document(f"d{place:07}", " ".join(row), fields={"year": place % 30})


def queries(n_queries: int) -> list[str]:
    """Three words each, neither the most frequent ones nor the rarest."""
    words, random = vocabulary(), np.random.default_rng(2)
    return [" ".join(words[place] for place in random.integers(100, 5_000, 3)) for _ in range(n_queries)]
