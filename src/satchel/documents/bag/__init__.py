"""The bag of embedded words: what it is, how it is learned from texts, labels and marks."""

from satchel.documents.bag.bag import BagOfEmbeddedWords
from satchel.documents.bag.recipe import RECIPES, Recipe, Training

__all__ = ["RECIPES", "BagOfEmbeddedWords", "Recipe", "Training"]
