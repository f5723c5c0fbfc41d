"""Document encoders: texts to vectors."""

from satchel.documents.bag import RECIPES, BagOfEmbeddedWords, Recipe, Training
from satchel.documents.encoder import Encoder, encoder_in, load_encoder
from satchel.documents.fisher import FisherVectors
from satchel.documents.groups import Group, Groups, group_texts
from satchel.documents.linear import (
    CodewordContribution,
    ComputedRows,
    Explanation,
    LinearEncoder,
    WordContribution,
)
from satchel.documents.lsi import Lsi
from satchel.documents.mean_words import MeanWords
from satchel.documents.paragraph_vector import ParagraphVector
from satchel.documents.tfidf import TfIdf
from satchel.documents.topics import Lda, Plsa

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
