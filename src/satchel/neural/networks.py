"""The two networks: one reads n words at a time, the other word by word, [MW] sections 2.1 and 2.2."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from satchel.errors import one_of, whole_number
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


Cell: TypeAlias = Literal["rnn", "lstm", "gru"]


class RecurrentRetriever(NeuralRetriever):
    """Reads a query word by word, remembers, and answers after each with a topic and its documents, [MW] section 2.2.

    cell: "rnn" (tanh), as in the paper, or "lstm" or "gru", which it points to. bptt: through how many steps an error
    goes back (the paper: 1, 3, 5). layers: of cells, one above the other. All else as in `FeedForwardRetriever`.
    """

    def __init__(
        self,
        cell: Cell = "rnn",
        bptt: int = 5,
        layers: int = 1,
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
        self.cell = cell
        self.bptt = bptt
        self.layers = layers
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
        one_of("cell", self.cell, get_args(Cell))
        return {
            "ngram": None,
            "cell": self.cell,
            "bptt": whole_number("bptt", self.bptt),
            "layers": whole_number("layers", self.layers),
            "projection": whole_number("projection", self.projection),
            "hidden": whole_number("hidden", self.hidden),
            "output": self.output,
        }
