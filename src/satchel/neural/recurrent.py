"""A recurrent network that reads word by word, [MW] section 2.2."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from satchel.errors import one_of, whole_number
from satchel.neural.recipes import ChunkLength, NeuralDevice, Recipe
from satchel.neural.retriever import MW_WORDS, NeuralRetriever, Output
from satchel.neural.served import Scoring
from satchel.text import Tokenizer

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
        recipe: Recipe = "best",
        *,
        output: Output = "factorised",
        scoring: Scoring | None = None,
        tokenizer: Tokenizer = MW_WORDS,
        vocabulary_size: int | None = None,
        min_count: int | None = None,
        chunk_length: ChunkLength | None = None,
        validation_share: float | None = None,
        l2: float | None = None,
        rate: float | None = None,
        max_epochs: int | None = None,
        batch_size: int | None = None,
        dropout: float | None = None,
        unknown: float | None = None,
        beginnings: float | None = None,
        document_weight: float | None = None,
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
        self.scoring = scoring
        self.tokenizer = tokenizer
        self.vocabulary_size = vocabulary_size
        self.min_count = min_count
        self.chunk_length = chunk_length
        self.validation_share = validation_share
        self.l2 = l2
        self.rate = rate
        self.max_epochs = max_epochs
        self.batch_size = batch_size
        self.dropout = dropout
        self.unknown = unknown
        self.beginnings = beginnings
        self.document_weight = document_weight
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
