"""The recipes of the bag of embedded words: what each ingredient is where the user does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Literal, get_args

from satchel.errors import InputError, number_within, one_of, true_or_false, whole_number
from satchel.types import BagParts, Objective
from satchel.words.alignment import UnknownStart

Recipe = Literal["best", "paper"]
Codebook = Literal["spherical", "k-means"]
Weighting = Literal["log-idf", "counts"]
Schedule = Literal["cosine", "constant"]
PAPER_PARTS = ("words", "codebook", "sigma", "mask")
CHOICES = {"codebook": Codebook, "weighting": Weighting, "objective": Objective, "schedule": Schedule}
LARGE = 1000
"""From so many texts on, the best recipe leaves out words that occur only once."""


@dataclass(frozen=True)
class Ingredients:
    """Every switch of the model, with no choice left open but for `sigma` and `min_count`, which wait for the texts.

    min_count None: 2 from 1,000 texts on, else 1. sigma None: σ² = softness · mean distance of words and codewords.
    The lines from m on matter only to the objectives that train step by step.
    """

    dim: int
    min_count: int | None
    unknown_words: UnknownStart
    codebook: Codebook
    sigma: float | None
    softness: float
    weighting: Weighting
    standardised: bool
    neighbours: int
    slope: float
    objective: Objective
    m: float
    learned: tuple[str, ...]
    learning_rate: float
    word_dropout: float
    schedule: Schedule
    max_length: int | None

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            one_of(name, getattr(self, name), get_args(choices))
        one_of("rule for unknown words", self.unknown_words, get_args(UnknownStart))
        whole_number("dim", self.dim)
        whole_number("neighbours", self.neighbours, 0)
        for name in ("min_count", "max_length"):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name))
        for name in ("softness", "learning_rate") if self.sigma is None else ("sigma", "learning_rate"):
            number_within(name, getattr(self, name), 1e-6, 1e6)
        number_within("m", self.m, 0, 1e6)
        _check_share("slope", self.slope, may_be_one=True)
        _check_share("word_dropout", self.word_dropout, may_be_one=False)
        true_or_false("standardised", self.standardised)
        _check_learned(self.learned)


def _check_share(name: str, value: object, *, may_be_one: bool) -> None:
    """Refuses what is no number from 0 to 1, and 1 itself where it may not be."""
    if (
        not isinstance(value, bool)
        and isinstance(value, Real)
        and (0 <= float(value) < 1 or (may_be_one and value == 1))
    ):
        return
    given = " ".join(repr(value).split())[:60]
    raise InputError(f"{name} is {given}; expected a number from 0 to {'1' if may_be_one else 'below 1'}")


def _check_learned(learned: object) -> tuple[str, ...]:
    if isinstance(learned, str) or not isinstance(learned, Sequence):
        raise InputError(f"learned is {learned!r}; expected a list of parts, such as ('words', 'mask')")
    for part in learned:
        one_of("part to learn", part, BagParts._fields)
    if len(set(learned)) != len(learned):
        raise InputError(f"learned is {learned!r}; expected each part once")
    return tuple(learned)


RECIPES: Mapping[Recipe, Ingredients] = {
    "best": Ingredients(
        dim=50,
        min_count=None,
        unknown_words="zeros",
        codebook="spherical",
        sigma=None,
        softness=0.4,
        weighting="log-idf",
        standardised=True,
        neighbours=50,
        slope=0.1,
        objective="least-squares",
        m=0.2,
        learned=BagParts._fields,
        learning_rate=0.003,
        word_dropout=0.5,
        schedule="cosine",
        max_length=None,
    ),
    "paper": Ingredients(
        dim=100,
        min_count=1,
        unknown_words="paper",
        codebook="k-means",
        sigma=0.5,
        softness=0.4,
        weighting="counts",
        standardised=False,
        neighbours=0,
        slope=1.0,
        objective="spherical-entropy",
        m=0.005,
        learned=PAPER_PARTS,
        learning_rate=0.01,
        word_dropout=0.0,
        schedule="constant",
        max_length=1000,
    ),
}


def mix(recipe: Recipe, given: Mapping[str, object]) -> Ingredients:
    """The recipe with the ingredients that were given in place of its own; None is not given.

    A softness given without a sigma replaces the recipe's sigma.
    """
    one_of("recipe", recipe, RECIPES)
    names = [field.name for field in fields(Ingredients)]
    chosen = {name: given[name] for name in names if given.get(name) is not None}
    if "softness" in chosen and "sigma" in chosen:
        raise InputError("sigma and softness both say how soft memberships are; give one of them")
    if "softness" in chosen:
        chosen["sigma"] = None
    if "learned" in chosen:
        chosen["learned"] = _check_learned(chosen["learned"])
    return replace(RECIPES[recipe], **chosen)  # type: ignore[arg-type]
