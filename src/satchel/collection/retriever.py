"""The search of a collection as a retriever: texts in, rankings out, no file."""

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
    """Searches by words and by meaning, as a `Collection` of the texts does; or combines your own retrievers.

    retrievers: None for a collection in memory, which learns its model from the texts and ranks with the same code as
    any `Collection`. Otherwise any retrievers; all parameters but random_state are then those of
    `satchel.ranking.CombinedRetriever`, which explains them.
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
        """Adds the texts to a collection in memory, without labels, or fits each of the given retrievers."""
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
        """The best k texts of each query, best first; ids -1 if fewer are found."""
        if self.retrievers is not None:
            return super().search(queries, k)
        if not hasattr(self, "collection_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        k, texts = whole_number("k", k), check_texts(queries)
        ids, scores = nothing_found(len(texts), k)
        for row, query in enumerate(texts):
            if not query.strip():
                continue  # an empty query finds nothing here; a collection would list all
            hits = self.collection_.find(Request(query, min(k, self.n_documents_), explained=False))
            ids[row, : len(hits)] = [int(hit.id) for hit in hits]
            scores[row, : len(hits)] = np.array([hit.score for hit in hits], np.float32)
        return Ranking(ids, scores)
