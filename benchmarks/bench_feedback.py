"""Learning from marks, and the search after it, against the plain exact search of the same documents."""

from collections.abc import Callable

import numpy as np

from benchmarks.timing import Row, compare
from satchel.feedback import Feedback, Method, Refined
from satchel.ranking import ExactIndex
from satchel.types import FloatArray, Ranking

N_FEATURES, K, N_MARKS = 64, 100, 10


def run() -> list[Row]:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((1_000_000, N_FEATURES), dtype=np.float32)
    query = vectors[0] + rng.standard_normal(N_FEATURES, dtype=np.float32)
    return [*_rows(vectors[:100_000], query, 21), *_rows(vectors, query, 7)]


def _rows(vectors: FloatArray, query: FloatArray, repeat: int) -> list[Row]:
    index = ExactIndex(vectors)
    found = index.search(query[None], 2 * N_MARKS).ids[0]
    relevant, irrelevant = vectors[found[::2]], vectors[found[1::2]]
    size = f"{len(vectors) // 1000}k × {N_FEATURES}"

    def learn(method: Method) -> Refined:
        return Feedback(method).refine(query, relevant, irrelevant, vectors)

    def search(method: Method) -> Ranking:
        refined = learn(method)
        return index.search(refined.query[None], K, None if refined.is_plain else refined.mask)

    def row(name: str, work: Callable[[], object], note: str) -> Row:
        name = f"{2 * N_MARKS} marks → {name} of {size}"
        return compare(
            name, work, "exact search without marks", lambda: index.search(query[None], K), repeat=repeat, note=note
        )

    return [
        row("new query, auto,", lambda: learn("auto"), "target 20 ms"),
        row("new mask, mask+rocchio,", lambda: learn("mask+rocchio"), "target 20 ms"),
        row(f"new top-{K}, auto,", lambda: search("auto"), "target 2 for 1000k"),
        row(f"new top-{K}, mask+rocchio,", lambda: search("mask+rocchio"), "target 2 for 1000k"),
    ]


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
