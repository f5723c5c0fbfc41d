"""Exact search against bare numpy: the price of exactness and of a fixed order.

Peers: `V @ q` with `np.argpartition` (unordered, float32 ties as they fall) for plain search; masking, normalising and
multiplying anew for masked search. The numbers of a vector decrease as those of LSI do. A first few queries are made
before the clock runs: the codes of `ranking/codes.py` are made then, where SimSIMD is installed.
"""

import numpy as np

from benchmarks.timing import Row, compare
from satchel.ranking import ExactIndex
from satchel.ranking.codes import dot_products
from satchel.ranking.dense import PATIENCE
from satchel.types import FloatArray

N_DOCUMENTS, N_FEATURES, K, N_BATCH = 100_000, (64, 128, 256), 1_000, 32


def run() -> list[Row]:
    rng = np.random.default_rng(0)
    decreasing = (np.arange(max(N_FEATURES)) + 1) ** -0.3
    widest = (rng.standard_normal((N_DOCUMENTS, max(N_FEATURES))) * decreasing).astype(np.float32)
    narrowest = np.ascontiguousarray(widest[:, : min(N_FEATURES)])
    rows = [row for n in N_FEATURES for row in one_query(np.ascontiguousarray(widest[:, :n]), narrowest)]
    index, queries = ExactIndex(narrowest), narrowest[:N_BATCH] + narrowest[N_BATCH : 2 * N_BATCH]
    batch = compare(
        f"{named(narrowest)}, {N_BATCH} queries",
        lambda: index.search(queries, K),
        "Q @ V.T + argpartition",
        lambda: np.argpartition(queries @ narrowest.T, -K, axis=1)[:, -K:],
        repeat=11,
    )
    return [*rows, batch]


def one_query(vectors: FloatArray, narrowest: FloatArray) -> list[Row]:
    """One query with and without a mask, and beside the bare scan of the narrowest vectors."""
    index, query = ExactIndex(vectors), vectors[0] + vectors[1]
    mask = np.random.default_rng(0).random(len(query)).astype(np.float32)
    for _ in range(PATIENCE + 1):
        index.search(query[None, :], K, mask)
    note = "by int8 codes" if dot_products() else "by float32: SimSIMD is not installed"

    def search() -> object:
        return index.search(query[None, :], K)

    bare = (f"{named(vectors)}, one query", search, "V @ q + argpartition", vectors, f"{note}; target 1.25")
    beside = (f"{named(vectors)}, one query", search, "the same of 64 numbers", narrowest, note)
    masked = compare(
        f"{named(vectors)}, one masked query",
        lambda: index.search(query[None, :], K, mask),
        "mask, normalise, V @ q + argpartition",
        lambda: mask_again(vectors, query, mask),
        repeat=21,
        note=note,
    )
    plain = [
        compare(name, ours, peer, lambda v=few: product_and_partition(v, query[: v.shape[1]]), repeat=51, note=said)
        for name, ours, peer, few, said in ([bare] if vectors.shape == narrowest.shape else [bare, beside])
    ]
    return [*plain, masked]


def named(vectors: FloatArray) -> str:
    return f"exact top-{K} of {len(vectors) // 1000}k × {vectors.shape[1]}"


def product_and_partition(vectors: FloatArray, query: FloatArray) -> object:
    return np.argpartition(vectors @ query, -K)[-K:]


def mask_again(vectors: FloatArray, query: FloatArray, mask: FloatArray) -> object:
    masked = vectors * mask
    masked /= np.linalg.norm(masked, axis=1, keepdims=True)
    return product_and_partition(masked, query * mask)


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
