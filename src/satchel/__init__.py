"""Satchel finds documents by meaning and learns from your marks.

The public names are imported on first use, so that `import satchel` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from satchel.collection import Collection as Collection
    from satchel.collection import FusedRetriever as FusedRetriever
    from satchel.encoders import BagOfEmbeddedWords as BagOfEmbeddedWords
    from satchel.encoders import FisherVectors as FisherVectors
    from satchel.encoders import Lda as Lda
    from satchel.encoders import Lsi as Lsi
    from satchel.encoders import MeanWords as MeanWords
    from satchel.encoders import ParagraphVector as ParagraphVector
    from satchel.encoders import Plsa as Plsa
    from satchel.encoders import TfIdf as TfIdf
    from satchel.feedback import Feedback as Feedback
    from satchel.neural import FeedForwardRetriever as FeedForwardRetriever
    from satchel.neural import RecurrentRetriever as RecurrentRetriever
    from satchel.ranking import Bm25 as Bm25
    from satchel.ranking import EncoderRetriever as EncoderRetriever
    from satchel.ranking import LanguageModel as LanguageModel
    from satchel.ranking import Pl2 as Pl2
    from satchel.words import LsiWords as LsiWords
    from satchel.words import WordVectors as WordVectors
    from satchel.words import YuleWords as YuleWords

_HOMES = {
    "BagOfEmbeddedWords": "satchel.encoders",
    "Collection": "satchel.collection",
    "Bm25": "satchel.ranking",
    "EncoderRetriever": "satchel.ranking",
    "FeedForwardRetriever": "satchel.neural",
    "Feedback": "satchel.feedback",
    "FisherVectors": "satchel.encoders",
    "FusedRetriever": "satchel.collection",
    "LanguageModel": "satchel.ranking",
    "Lda": "satchel.encoders",
    "Lsi": "satchel.encoders",
    "LsiWords": "satchel.words",
    "MeanWords": "satchel.encoders",
    "ParagraphVector": "satchel.encoders",
    "Pl2": "satchel.ranking",
    "Plsa": "satchel.encoders",
    "RecurrentRetriever": "satchel.neural",
    "TfIdf": "satchel.encoders",
    "WordVectors": "satchel.words",
    "YuleWords": "satchel.words",
}
__all__ = [
    "BagOfEmbeddedWords",
    "Bm25",
    "Collection",
    "EncoderRetriever",
    "FeedForwardRetriever",
    "Feedback",
    "FisherVectors",
    "FusedRetriever",
    "LanguageModel",
    "Lda",
    "Lsi",
    "LsiWords",
    "MeanWords",
    "ParagraphVector",
    "Pl2",
    "Plsa",
    "RecurrentRetriever",
    "TfIdf",
    "WordVectors",
    "YuleWords",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'satchel' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
