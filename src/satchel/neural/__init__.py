"""Networks that read words and answer with topics and documents; trained with torch, served with numpy."""

from satchel.neural.feed_forward import FeedForwardRetriever
from satchel.neural.recurrent import RecurrentRetriever
from satchel.neural.retriever import NeuralRetriever

__all__ = ["FeedForwardRetriever", "NeuralRetriever", "RecurrentRetriever"]
