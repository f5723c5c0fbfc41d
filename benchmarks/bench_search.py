"""Exact search against bare numpy in the same run: the price of exactness and of a fixed order.

Peers: `V @ q` with `np.argpartition` (unordered, float32 ties as they fall) for plain search; masking, normalising and
multiplying anew for masked search.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypedDict

import numpy as np

from satchel.ranking import ExactIndex
from satchel.types import FloatArray

N_DOCUMENTS, N_FEATURES, K, N_BATCH = 100_000, 64, 100, 32


class Row(TypedDict):
    name: str
    ours_seconds: float
    peer: str
    peer_seconds: float
    ratio: float


def run() -> list[Row]:
    """Rows with seconds of ours and of the peer; ratio below 1: ours is faster."""
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((N_DOCUMENTS, N_FEATURES), dtype=np.float32)
    queries = rng.standard_normal((N_BATCH, N_FEATURES), dtype=np.float32)
    mask = rng.random(N_FEATURES).astype(np.float32)
    index = ExactIndex(vectors)
    index.search(queries[:1], K, mask)  # makes the squares, which are kept
    size = f"{N_DOCUMENTS // 1000}k x {N_FEATURES}"
    return [
        _compare(
            f"top-{K} of {size}, one query",
            lambda: index.search(queries[:1], K),
            "V @ q + argpartition",
            lambda: _product_and_partition(vectors, queries[0]),
        ),
        _compare(
            f"top-{K} of {size}, one masked query",
            lambda: index.search(queries[:1], K, mask),
            "mask, normalise, multiply, argpartition",
            lambda: _mask_again(vectors, queries[0], mask),
            repetitions=15,
        ),
        _compare(
            f"top-{K} of {size}, {N_BATCH} queries",
            lambda: index.search(queries, K),
            "Q @ V.T + argpartition",
            lambda: np.argpartition(queries @ vectors.T, -K, axis=1)[:, -K:],
            repetitions=9,
        ),
    ]


def _product_and_partition(vectors: FloatArray, query: FloatArray) -> object:
    return np.argpartition(vectors @ query, -K)[-K:]


def _mask_again(vectors: FloatArray, query: FloatArray, mask: FloatArray) -> object:
    masked = vectors * mask
    masked /= np.linalg.norm(masked, axis=1, keepdims=True)
    return _product_and_partition(masked, query * mask)


def _compare(
    name: str, ours: Callable[[], object], peer_name: str, peer: Callable[[], object], repetitions: int = 101
) -> Row:
    """Medians of interleaved repetitions: both see the same machine, whatever else runs on it."""
    seconds = np.array([[_seconds(ours), _seconds(peer)] for _ in range(repetitions)])
    ours_seconds, peer_seconds = np.median(seconds, axis=0).tolist()
    return Row(
        name=name,
        ours_seconds=ours_seconds,
        peer=peer_name,
        peer_seconds=peer_seconds,
        ratio=ours_seconds / peer_seconds,
    )


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    for row in run():
        times = f"{1000 * row['ours_seconds']:8.2f} ms {1000 * row['peer_seconds']:8.2f} ms"
        print(f"{row['name']:38} {times}  ratio {row['ratio']:.2f}  ({row['peer']})")


if __name__ == "__main__":
    main()
