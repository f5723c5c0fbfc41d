"""Retrievers: texts in, rankings out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

import numpy as np

from satchel.encoders import Encoder
from satchel.errors import InputError, NotFittedError
from satchel.estimator import Estimator
from satchel.ranking.checks import Metric, check_metric, number_from
from satchel.ranking.index import ExactIndex
from satchel.ranking.pivot import pivoted, unpivoted
from satchel.text import check_texts
from satchel.types import FloatArray, Ranking, Vectors


class Retriever(Protocol):
    """Whatever finds documents for queries. Ids are positions in the fitted texts."""

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self: ...

    def search(self, queries: Sequence[str], k: int) -> Ranking: ...


class EncoderRetriever(Estimator):
    """Encodes documents and queries alike and finds the nearest vectors exactly.

    encoder: any encoder; `fit` clones it into `encoder_` and fits the clone, so the one given stays as it is.
    prefit: the encoder is fitted already and is used as it is; `fit` then only encodes and indexes the texts.
    length_slope: how much of a document's length is made up for, by cosine: its vector is divided by (1 - s) · mean
    length + s · length, see `satchel.ranking.pivot`. None and 1 make up for all of it, 0 for nothing. Says something
    for vectors that are sums over words and not scaled to one length.
    """

    def __init__(
        self,
        encoder: Encoder,
        metric: Metric = "cosine",
        prefit: bool = False,
        length_slope: float | None = None,
    ) -> None:
        self.encoder = encoder
        self.metric = metric
        self.prefit = prefit
        self.length_slope = length_slope

    def __sklearn_clone__(self) -> Self:
        """An encoder that is fitted already stays so."""
        from sklearn.base import clone

        encoder = self.encoder if self.prefit else clone(self.encoder, safe=False)
        return type(self)(encoder, self.metric, self.prefit, self.length_slope)

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Learns the encoder from the texts (and labels, if it uses them) and indexes the texts."""
        from sklearn.base import clone

        self._check_slope(check_metric(self.metric))
        if isinstance(self.encoder, type) or not all(
            hasattr(self.encoder, name) for name in ("get_params", "transform")
        ):
            raise InputError(f"the encoder is {self.encoder!r}; expected an encoder such as TfIdf(), with get_params")
        texts = check_texts(texts)
        encoder = self.encoder if self.prefit else clone(self.encoder).fit(texts, labels)
        vectors = encoder.transform(texts)
        if self.length_slope is not None:
            vectors = pivoted(_dense(vectors), self.length_slope)
        self.index_ = ExactIndex(vectors, self.metric)
        self.encoder_: Encoder = encoder
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The k nearest documents of each query; a query without a known word finds nothing (ids -1)."""
        if not hasattr(self, "index_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        vectors = self.encoder_.transform(queries)
        return self.index_.search(vectors if self.length_slope is None else unpivoted(_dense(vectors)), k)

    def _check_slope(self, metric: Metric) -> None:
        if self.length_slope is None:
            return
        number_from("length_slope", self.length_slope, 0, 1)
        if metric != "cosine":
            raise InputError(f"length_slope needs the metric 'cosine'; this retriever has {metric!r}")


def _dense(vectors: Vectors) -> FloatArray:
    if isinstance(vectors, np.ndarray):
        return vectors
    raise InputError("length_slope needs dense vectors; TfIdf gives sparse ones, all of length 1")
