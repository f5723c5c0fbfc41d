"""What the two recipes say of everything that was left open."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias, get_args

from satchel.errors import InputError, number_within, one_of, whole_number
from satchel.neural.served import Scoring
from satchel.types import Device

Recipe: TypeAlias = Literal["best", "paper"]
ChunkLength: TypeAlias = "int | Literal['shortest']"
NeuralDevice: TypeAlias = Literal["cpu", "cuda", "auto"]
SHORTEST_CHUNK = 10
"""W where the shortest document has fewer words: what [MW] section 5.3 names as the length for Reuters and Cade."""
FARTHEST = 1e6


@dataclass(frozen=True)
class Ingredients:
    """Everything that training needs to know beside the layers; docs/neural.md says what each gives."""

    optimiser: Literal["sgd", "adam"]
    schedule: Literal["halving", "cosine"]
    rate: float
    l2: float
    max_epochs: int
    chunk_length: ChunkLength
    batch_size: int | None
    unknown: float | None
    beginnings: float
    dropout: float
    document_weight: float
    validation_share: float
    min_count: int
    scoring: Scoring

    def check(self) -> None:
        """Refuses values that make no sense."""
        one_of("scoring", self.scoring, get_args(Scoring))
        number_within("rate", self.rate, 0, FARTHEST)
        whole_number("max_epochs", self.max_epochs, 0)
        whole_number("min_count", self.min_count)
        if self.chunk_length != "shortest":
            whole_number("chunk_length (where it is not 'shortest')", self.chunk_length)
        if self.batch_size is not None:
            whole_number("batch_size", self.batch_size)
        for name in ("l2", "document_weight"):
            if getattr(self, name) != 0:
                number_within(name, getattr(self, name), 0, FARTHEST)
        for name in ("beginnings", "dropout", "validation_share", "unknown"):
            if getattr(self, name) not in (0, None):
                number_within(name, getattr(self, name), 0, 1)
        if self.schedule == "halving" and not self.validation_share:
            raise InputError("recipe='paper' halves its rate by validation texts; give validation_share, such as 0.2")


PAPER = Ingredients(
    optimiser="sgd",
    schedule="halving",
    rate=0.1,
    l2=1e-6,
    max_epochs=100,
    chunk_length="shortest",
    batch_size=None,
    unknown=None,
    beginnings=0.0,
    dropout=0.0,
    document_weight=1.0,
    validation_share=0.2,
    min_count=7,
    scoring="argmax",
)
"""[MW] sections 3.2 to 3.6 and 5."""

BEST = Ingredients(
    optimiser="adam",
    schedule="cosine",
    rate=0.001,
    l2=1e-5,
    max_epochs=20,
    chunk_length=20,
    batch_size=64,
    unknown=0.2,
    beginnings=0.5,
    dropout=0.5,
    document_weight=0.1,
    validation_share=0.0,
    min_count=2,
    scoring="joint",
)
"""Differs: Adam with a falling rate in place of halved steps; batches of any documents in place of one of each topic,
so that frequent topics stay frequent; longer chunks; more words forgotten; dropout; the documents' error counts less
beside the topics'; no document is set aside, so that all can be found; windows choose their topic together."""

RECIPES: dict[str, Ingredients] = {"best": BEST, "paper": PAPER}


def mix(recipe: Recipe, *, recurrent: bool, flat: bool, **given: Any) -> Ingredients:
    """The recipe with what was given in its place; None leaves a value to the recipe."""
    one_of("recipe", recipe, get_args(Recipe))
    use = RECIPES[recipe]
    if recurrent and recipe == "paper":
        use = replace(use, rate=0.2)
    if flat:
        use = replace(use, document_weight=1.0)
    names = {field.name for field in fields(Ingredients)}
    use = replace(use, **{name: value for name, value in given.items() if name in names and value is not None})
    use.check()
    if flat and not use.document_weight:
        raise InputError("output='flat' learns from the documents' error alone; document_weight must be above 0")
    return use


def chosen_device(name: str) -> Device:
    """The device of that name; "auto" is CUDA where torch finds it."""
    one_of("device", name, get_args(NeuralDevice))
    if name == "cpu":
        return "cpu"
    if name == "cuda":
        return "cuda"
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
