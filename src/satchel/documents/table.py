"""The encoders by name: what a model folder, an experiment's file or the command line may ask for."""

from __future__ import annotations

from pathlib import Path

from satchel.documents.bag import BagOfEmbeddedWords
from satchel.documents.encoder import Encoder
from satchel.documents.fisher import FisherVectors
from satchel.documents.lsi import Lsi
from satchel.documents.mean_words import MeanWords
from satchel.documents.paragraph_vector import ParagraphVector
from satchel.documents.tfidf import TfIdf
from satchel.documents.topics import Lda, Plsa
from satchel.errors import unknown_name
from satchel.storage.model_folder import load_model

_ALL: tuple[type[Encoder], ...] = (TfIdf, Lsi, MeanWords, ParagraphVector, BagOfEmbeddedWords, FisherVectors, Plsa, Lda)
ENCODERS: dict[str, type[Encoder]] = {encoder.__name__: encoder for encoder in _ALL}


def load_encoder(folder: str | Path) -> Encoder:
    """The encoder in a model folder, whichever it is; its class comes from the table, never from the file."""
    model = load_model(folder)
    name = str(model.config["encoder"])
    if name not in ENCODERS:
        raise unknown_name("encoder", name, ENCODERS)
    return ENCODERS[name].from_model(model, Path(folder))
