"""Networks that read words and answer with topics and documents; trained with torch, served with numpy."""

from satchel.neural.networks import FeedForwardRetriever, RecurrentRetriever
from satchel.neural.recipes import NETWORK_RECIPES, NetworkRecipe
from satchel.neural.retriever import NeuralRetriever
from satchel.neural.served import network_from

__all__ = [
    "NETWORK_RECIPES",
    "FeedForwardRetriever",
    "NetworkRecipe",
    "NeuralRetriever",
    "RecurrentRetriever",
    "network_from",
]
