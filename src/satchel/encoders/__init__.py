"""Document encoders: texts to vectors."""

from satchel.encoders.bag import RECIPES, BagOfEmbeddedWords, Recipe, Training
from satchel.encoders.base import Encoder, encoder_in, load_encoder
from satchel.encoders.fisher import FisherVectors
from satchel.encoders.groups import Group, Groups, group_texts
from satchel.encoders.linear import (
    CodewordContribution,
    ComputedRows,
    Explanation,
    LinearEncoder,
    WordContribution,
)
from satchel.encoders.lsi import Lsi
from satchel.encoders.mean_words import MeanWords
from satchel.encoders.paragraph_vector import ParagraphVector
from satchel.encoders.tfidf import TfIdf
from satchel.encoders.topics import Lda, Plsa

__all__ = [
    "RECIPES",
    "BagOfEmbeddedWords",
    "CodewordContribution",
    "ComputedRows",
    "Encoder",
    "Explanation",
    "FisherVectors",
    "Group",
    "Groups",
    "Lda",
    "LinearEncoder",
    "Lsi",
    "MeanWords",
    "ParagraphVector",
    "Plsa",
    "Recipe",
    "TfIdf",
    "Training",
    "WordContribution",
    "encoder_in",
    "group_texts",
    "load_encoder",
]
