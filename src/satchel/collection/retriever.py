"""Search in a collection as a retriever: texts in, rankings out, nothing kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from satchel.collection.collection import IN_MEMORY, Collection
from satchel.errors import InputError, NotFittedError, seed, whole_number
from satchel.importing import Document
from satchel.query import Request
from satchel.ranking import RANK_CONSTANT, CombinedRetriever, Method, Retriever, Scale, nothing_found
from satchel.text import check_texts
from satchel.types import Ranking


class FusedRetriever(CombinedRetriever):
    """Words and meaning together: what a `Collection` of the texts would find; or retrievers of one's own, combined.

    retrievers: None for a collection in memory, which learns its model from the texts; its ranking is that of the
    product, by the same code. Otherwise any retrievers, and all parameters but random_state are those of
    `satchel.ranking.CombinedRetriever`, which says what they mean.
    """

    def __init__(
        self,
        retrievers: Sequence[Retriever] | None = None,
        method: Method = "weighted-scores",
        weights: Sequence[float] | None = None,
        *,
        scale: Scale = "best",
        depth: int | None = None,
        rank_constant: float = RANK_CONSTANT,
        prefit: bool = False,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            retrievers,
            method,
            weights,
            scale=scale,
            depth=depth,
            rank_constant=rank_constant,
            prefit=prefit,
        )
        self.retrievers = retrievers
        self.random_state = random_state

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Adds the texts to a collection in memory; labels are not used. Or fits each of the retrievers."""
        if self.retrievers is not None:
            return super().fit(texts, labels)
        checked = check_texts(texts)
        if not checked:
            raise InputError(f"{type(self).__name__} cannot learn from 0 texts; give at least one")
        width = len(str(len(checked)))  # so that ids stand in the order of the texts
        self.collection_ = Collection.create(IN_MEMORY, random_state=seed(self.random_state))
        self.collection_.add(Document(f"{place:0{width}}", text) for place, text in enumerate(checked))
        self.n_documents_ = len(checked)
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The best k texts of each query, best first; ids -1 where fewer are found."""
        if self.retrievers is not None:
            return super().search(queries, k)
        if not hasattr(self, "collection_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        k, asked = whole_number("k", k), check_texts(queries)
        ids, scores = nothing_found(len(asked), k)
        for row, query in enumerate(asked):
            if not query.strip():
                continue  # nothing asked finds nothing, where a collection lists all
            hits = self.collection_.find(Request(query, min(k, self.n_documents_), explained=False))
            ids[row, : len(hits)] = [int(hit.id) for hit in hits]
            scores[row, : len(hits)] = np.array([hit.score for hit in hits], np.float32)
        return Ranking(ids, scores)
