"""Retrievers: texts in, rankings out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from satchel.documents import Encoder
from satchel.errors import InputError, NotFittedError
from satchel.estimator import Estimator
from satchel.ranking.checks import Metric, check_metric
from satchel.ranking.index import ExactIndex
from satchel.text import check_texts
from satchel.types import Ranking


class Retriever(Protocol):
    """Whatever finds documents for queries. Ids are positions in the fitted texts."""

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self: ...

    def search(self, queries: Sequence[str], k: int) -> Ranking: ...


class EncoderRetriever(Estimator):
    """Encodes documents and queries alike and finds the nearest vectors exactly.

    encoder: any encoder; `fit` clones it into `encoder_` and fits the clone, so the one given stays as it is.
    prefit: the encoder is fitted already and is used as it is; `fit` then only encodes and indexes the texts.
    """

    def __init__(self, encoder: Encoder, metric: Metric = "cosine", prefit: bool = False) -> None:
        self.encoder = encoder
        self.metric = metric
        self.prefit = prefit

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Learns the encoder from the texts (and labels, if it uses them) and indexes the texts."""
        from sklearn.base import clone

        check_metric(self.metric)
        if isinstance(self.encoder, type) or not all(
            hasattr(self.encoder, name) for name in ("get_params", "transform")
        ):
            raise InputError(f"the encoder is {self.encoder!r}; expected an encoder such as TfIdf()")
        texts = check_texts(texts)
        encoder = self.encoder if self.prefit else clone(self.encoder).fit(texts, labels)
        self.index_ = ExactIndex(encoder.transform(texts), self.metric)
        self.encoder_: Encoder = encoder
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The k nearest documents of each query; a query without a known word finds nothing (ids -1)."""
        if not hasattr(self, "index_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        return self.index_.search(self.encoder_.transform(queries), k)
