"""The plain exact scan of vectors in numpy: one product, and the best k by argpartition."""

from collections.abc import Callable, Sequence

import numpy as np

from satchel.types import FloatArray


class Scan:
    """vectors (n_documents, n_features); vector_of: the vector of a query, made before the clock runs."""

    def __init__(self, ids: Sequence[str], vectors: FloatArray, vector_of: Callable[[str], FloatArray]) -> None:
        self._ids, self._vector_of = ids, vector_of
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        self._vectors = np.ascontiguousarray(vectors / np.maximum(lengths, 1e-12), np.float32)

    def search(self, query: str, k: int) -> list[str]:
        cosines = self._vectors @ self._vector_of(query)
        best = np.argpartition(-cosines, k)[:k]
        return [self._ids[place] for place in best[np.argsort(-cosines[best])]]
