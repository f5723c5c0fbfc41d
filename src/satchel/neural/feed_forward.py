"""A feed-forward network that reads n words at a time, [MW] section 2.1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from satchel.errors import whole_number
from satchel.neural.recipes import NetworkRecipe, NeuralDevice
from satchel.neural.retriever import MW_WORDS, NeuralRetriever, Output
from satchel.text import Tokenizer


class FeedForwardRetriever(NeuralRetriever):
    """Reads every n words of a query and answers with a topic and its documents, [MW] sections 2.1 and 4.

    ngram: n, how many words are read at once (the paper: 1, 3, 5). projection: numbers a word; hidden: numbers of the
    hidden layer (the paper: 800 for 20ng and Cade, 600 for Reuters).
    recipe: how it learns and answers: "best", "paper" for training as [MW] section 3 describes, or a `NetworkRecipe`,
    such as NetworkRecipe(max_epochs=5). output: "factorised" into topics and their documents, "flat" or "cascade".
    device: "cpu", "cuda" or "auto".
    """

    def __init__(
        self,
        ngram: int = 5,
        projection: int = 200,
        hidden: int = 800,
        recipe: NetworkRecipe | str = "best",
        *,
        output: Output = "factorised",
        tokenizer: Tokenizer = MW_WORDS,
        checkpoint: str | Path | None = None,
        device: NeuralDevice = "cpu",
        verbose: bool = False,
        random_state: int = 0,
    ) -> None:
        self.ngram = ngram
        self.projection = projection
        self.hidden = hidden
        self.recipe = recipe
        self.output = output
        self.tokenizer = tokenizer
        self.checkpoint = checkpoint
        self.device = device
        self.verbose = verbose
        self.random_state = random_state

    def _layers(self) -> dict[str, Any]:
        return {
            "ngram": whole_number("ngram", self.ngram),
            "projection": whole_number("projection", self.projection),
            "hidden": whole_number("hidden", self.hidden),
            "output": self.output,
        }
