"""The bag of embedded words: what it is, how it is learned from texts, labels and marks."""

from satchel.encoders.bag.bag import BagOfEmbeddedWords
from satchel.encoders.bag.classes import Goal
from satchel.encoders.bag.contrasts import Contrast, learn_contrasts
from satchel.encoders.bag.recipe import RECIPES, Recipe, Training

__all__ = ["RECIPES", "BagOfEmbeddedWords", "Contrast", "Goal", "Recipe", "Training", "learn_contrasts"]
