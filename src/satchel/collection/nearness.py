"""How near in meaning a document must be to a query to count as found: measured once for each model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from satchel.arrays import unit_rows
from satchel.encoders import Encoder
from satchel.store import NEARNESS, Scanned, Store
from satchel.text import Analysed
from satchel.types import FloatArray

MOST_DOCUMENTS, MOST_QUERIES = 2_000, 200
"""How many documents of a collection are compared, and with how many queries made from their texts."""
WORDS_OF_QUERY = 10
"""A query made from a document is its title or, without one, this many words from its middle."""
SHARE, FEWEST = 0.02, 50
"""By meaning alone a query finds about this share of the documents, and at least about this many."""


class NearnessSample:
    """Every n-th document with its vector, collected while all documents are encoded."""

    def __init__(self, n_documents: int) -> None:
        self._step = max(1, n_documents // MOST_DOCUMENTS)
        self._n_seen = 0
        self._n_documents = n_documents
        self._queries: list[str] = []
        self._vectors: list[FloatArray] = []

    def take(self, documents: Sequence[Scanned], vectors: FloatArray) -> None:
        chosen = range(-self._n_seen % self._step, len(documents), self._step)
        self._n_seen += len(documents)
        self._vectors.append(vectors[chosen.start :: self._step])
        self._queries += (_query_from(documents[place]) for place in chosen)

    def write(self, store: Store, encoder: Encoder) -> None:
        """Stores the cosine above which a document counts as found by meaning alone."""
        documents = unit_rows(np.concatenate(self._vectors)) if self._vectors else np.empty((0, 0), np.float32)
        if len(documents) < 2:
            return
        places = range(0, len(documents), max(1, len(documents) // MOST_QUERIES))
        queries = [self._queries[place] for place in islice(places, MOST_QUERIES)]
        cosines = unit_rows(np.asarray(encoder.transform(queries), np.float32)) @ documents.T
        share = max(SHARE, FEWEST / self._n_documents)
        least = float(np.quantile(cosines, 1 - share)) if share < 1 else 0.0
        store.write_note(NEARNESS, max(1e-9, least))


def _query_from(one: Scanned) -> str:
    if one.title.strip():
        return one.title
    words = Analysed(one.text[:5_000]).words
    start = max(0, (len(words) - WORDS_OF_QUERY) // 2)
    return " ".join(words[start : start + WORDS_OF_QUERY])
