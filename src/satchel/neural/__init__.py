"""Networks that read words and answer with topics and documents; trained with torch, served with numpy."""

from satchel.neural.feed_forward import FeedForwardRetriever
from satchel.neural.recipes import NETWORK_RECIPES, NetworkRecipe
from satchel.neural.recurrent import RecurrentRetriever
from satchel.neural.retriever import NeuralRetriever

__all__ = ["NETWORK_RECIPES", "FeedForwardRetriever", "NetworkRecipe", "NeuralRetriever", "RecurrentRetriever"]
