"""Exact search against bare numpy: the price of exactness and of a fixed order.

Peers: `V @ q` with `np.argpartition` (unordered, float32 ties as they fall) for plain search; masking, normalising and
multiplying anew for masked search.
"""

import numpy as np

from benchmarks.timing import Row, compare
from satchel.ranking import ExactIndex
from satchel.types import FloatArray

N_DOCUMENTS, N_FEATURES, K, N_BATCH = 100_000, 64, 100, 32


def run() -> list[Row]:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((N_DOCUMENTS, N_FEATURES), dtype=np.float32)
    queries = rng.standard_normal((N_BATCH, N_FEATURES), dtype=np.float32)
    mask = rng.random(N_FEATURES).astype(np.float32)
    index = ExactIndex(vectors)
    name = f"exact top-{K} of {N_DOCUMENTS // 1000}k × {N_FEATURES}"
    return [
        compare(
            f"{name}, one query",
            lambda: index.search(queries[:1], K),
            "V @ q + argpartition",
            lambda: product_and_partition(vectors, queries[0]),
            repeat=101,
            note="target 1.5",
        ),
        compare(
            f"{name}, one masked query",
            lambda: index.search(queries[:1], K, mask),
            "mask, normalise, V @ q + argpartition",
            lambda: mask_again(vectors, queries[0], mask),
            repeat=21,
        ),
        compare(
            f"{name}, {N_BATCH} queries",
            lambda: index.search(queries, K),
            "Q @ V.T + argpartition",
            lambda: np.argpartition(queries @ vectors.T, -K, axis=1)[:, -K:],
            repeat=11,
        ),
    ]


def product_and_partition(vectors: FloatArray, query: FloatArray) -> object:
    return np.argpartition(vectors @ query, -K)[-K:]


def mask_again(vectors: FloatArray, query: FloatArray, mask: FloatArray) -> object:
    masked = vectors * mask
    masked /= np.linalg.norm(masked, axis=1, keepdims=True)
    return product_and_partition(masked, query * mask)


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
