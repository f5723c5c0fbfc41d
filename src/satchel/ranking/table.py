"""The retrievers by name: what an experiment's file or the command line may ask for."""

from __future__ import annotations

from satchel.ranking.rankers import Bm25, LanguageModel, Pl2
from satchel.ranking.retriever import Retriever

_ALL: tuple[type[Retriever], ...] = (Bm25, Pl2, LanguageModel)
RETRIEVERS: dict[str, type[Retriever]] = {retriever.__name__: retriever for retriever in _ALL}
"""Besides these, any encoder finds documents by cosine: `EncoderRetriever`."""
