"""Document encoders: texts to vectors."""

from satchel.encoders.bag import RECIPES, BagOfEmbeddedWords, Contrast, Goal, Recipe, Training, learn_contrasts
from satchel.encoders.base import CONTENT_WORDS, Encoder, encoder_in, load_encoder
from satchel.encoders.fisher import FisherVectors
from satchel.encoders.groups import Group, Groups, group_texts, name_groups
from satchel.encoders.linear import CodewordContribution, ComputedRows, Explanation, LinearEncoder, WordContribution
from satchel.encoders.lsi import Lsi
from satchel.encoders.mean_words import MeanWords
from satchel.encoders.paragraph_vector import ParagraphVector
from satchel.encoders.tfidf import TfIdf
from satchel.encoders.topics import Lda, Plsa

__all__ = [
    "CONTENT_WORDS",
    "RECIPES",
    "BagOfEmbeddedWords",
    "CodewordContribution",
    "ComputedRows",
    "Contrast",
    "Encoder",
    "Explanation",
    "FisherVectors",
    "Goal",
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
    "learn_contrasts",
    "load_encoder",
    "name_groups",
]
