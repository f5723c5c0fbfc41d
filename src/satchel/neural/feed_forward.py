"""A feed-forward network that reads n words at a time, [MW] section 2.1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from satchel.errors import whole_number
from satchel.neural.recipes import ChunkLength, NeuralDevice, Recipe
from satchel.neural.retriever import MW_WORDS, NeuralRetriever, Output
from satchel.neural.served import Scoring
from satchel.text import Tokenizer


class FeedForwardRetriever(NeuralRetriever):
    """Reads every n words of a query and answers with a topic and its documents, [MW] sections 2.1 and 4.

    ngram: n, how many words are read at once (the paper: 1, 3, 5). projection: numbers a word; hidden: numbers of the
    hidden layer (the paper: 800 for 20ng and Cade, 600 for Reuters).
    recipe: "best", or "paper" for training as [MW] section 3 describes; says what every parameter that is None shall
    be; docs/neural.md lists them. output: "factorised" into topics and their documents, "flat" or "cascade".
    scoring: which topics answer: the most probable one of each window ("argmax", [MW]), the one that all windows choose
    together ("joint"), or all as far as they are probable ("expectation").
    vocabulary_size, min_count: rarer words are `<unk>`. chunk_length: words of a document that a step reads, or
    "shortest" for as many as the shortest document has. device: "cpu", "cuda" or "auto".
    """

    def __init__(
        self,
        ngram: int = 5,
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
        self.ngram = ngram
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
        return {
            "ngram": whole_number("ngram", self.ngram),
            "projection": whole_number("projection", self.projection),
            "hidden": whole_number("hidden", self.hidden),
            "output": self.output,
        }
