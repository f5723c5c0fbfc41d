"""The two parameter objects of the bag of embedded words: what the model is, and how it learns step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Literal, Self, get_args

from satchel.errors import InputError, number_within, one_of, true_or_false, whole_number
from satchel.estimator import Parameters
from satchel.types import BagParts, Objective, WordUpdates
from satchel.words import UnknownStart

Codebook = Literal["spherical", "k-means"]
Weighting = Literal["log-idf", "counts"]
Schedule = Literal["cosine", "constant"]
PAPER_PARTS = ("words", "codebook", "sigma", "mask")
MANY_TEXTS = 1000
"""With this many texts or more, words that occur only once are left out unless `min_count` says otherwise."""


def _check_share(name: str, value: object, *, may_be_one: bool) -> None:
    """Raises InputError unless the value is a number from 0 to 1; 1 itself only if `may_be_one`."""
    if (
        not isinstance(value, bool)
        and isinstance(value, Real)
        and (0 <= float(value) < 1 or (may_be_one and value == 1))
    ):
        return
    given = " ".join(repr(value).split())[:60]
    raise InputError(f"{name} is {given}; expected a number from 0 to {'1' if may_be_one else 'below 1'}")


def _check_learned(learned: object) -> None:
    if isinstance(learned, str) or not isinstance(learned, Sequence):
        raise InputError(f"learned is {learned!r}; expected a list of parts, such as ('words', 'mask')")
    for part in learned:
        one_of("part to learn", part, BagParts._fields)
    if len(set(learned)) != len(learned):
        raise InputError(f"learned is {learned!r}; expected each part once")


@dataclass(frozen=True, repr=False)
class Training(Parameters):
    """How labels are learned step by step, [PT18] Algorithm 1; for every objective but "least-squares".

    m: fuzziness of the classes, Eq. (6). learned: which parts move. learning_rate: of Adam; a tenth of it for sigma.
    word_dropout: share of a document's words left out of a step. schedule: how the rate falls. n_epochs, batch_size:
    passes over the texts, documents in a step. centres_per_class: several, by k-means inside the class. word_updates:
    a step moves the words of its batch ("touched") or all, as Adam was published. max_length: how many words of a
    document are looked at. validation_fraction: share of each class set aside; the best epoch on it is kept. patience:
    stops after this many epochs that were not better.
    """

    m: float = 0.2
    learned: Sequence[str] = BagParts._fields
    learning_rate: float = 0.003
    word_dropout: float = 0.5
    schedule: Schedule = "cosine"
    n_epochs: int = 10
    batch_size: int = 100
    centres_per_class: int = 1
    word_updates: WordUpdates = "touched"
    max_length: int | None = None
    validation_fraction: float = 0.0
    patience: int | None = None

    def __post_init__(self) -> None:
        number_within("m", self.m, 0, 1e6)
        _check_learned(self.learned)
        number_within("learning_rate", self.learning_rate, 1e-6, 1e6)
        _check_share("word_dropout", self.word_dropout, may_be_one=False)
        one_of("schedule", self.schedule, get_args(Schedule))
        one_of("word updates", self.word_updates, get_args(WordUpdates))
        whole_number("n_epochs", self.n_epochs, 0)
        for name in ("batch_size", "centres_per_class", "max_length", "patience"):
            if getattr(self, name) is not None or name in ("batch_size", "centres_per_class"):
                whole_number(name, getattr(self, name))
        if self.validation_fraction != 0:
            number_within("validation_fraction", self.validation_fraction, 0, 1)
        if self.patience is not None and not self.validation_fraction:
            raise InputError("patience needs documents set aside: give validation_fraction too, such as 0.1")


@dataclass(frozen=True, repr=False)
class Recipe(Parameters):
    """What the model is. `Recipe()` is the best one; `RECIPES` has it and the paper's by name.

    dim: numbers of the words that are learned from the texts. min_count: rarer words are left out; None: 2 for 1,000
    texts or more, else 1. unknown_words: the start of words that have no given vector. codebook: how codewords are
    found. softness: σ² of Eq. (1) over the mean distance of words and codewords; sigma: σ itself, in place of softness.
    weighting: a word counts by its share of the document, or by log(1 + count) times a power of idf. standardised:
    codewords get mean 0 and deviation 1 over the texts. neighbours: documents move towards this many of their nearest
    neighbours (0: they stay). slope: what remains of values below zero, from 0 to 1 (1: all). objective: how labels are
    learned; training: the settings of learning them step by step.
    """

    _objects: ClassVar[Mapping[str, type[Parameters]]] = {"training": Training}

    dim: int = 50
    min_count: int | None = None
    unknown_words: UnknownStart = "zeros"
    codebook: Codebook = "spherical"
    sigma: float | None = None
    softness: float = 0.4
    weighting: Weighting = "log-idf"
    standardised: bool = True
    neighbours: int = 50
    slope: float = 0.1
    objective: Objective = "least-squares"
    training: Training = Training()

    def __post_init__(self) -> None:
        whole_number("dim", self.dim)
        if self.min_count is not None:
            whole_number("min_count", self.min_count)
        one_of("rule for unknown words", self.unknown_words, get_args(UnknownStart))
        one_of("codebook", self.codebook, get_args(Codebook))
        soft = "softness" if self.sigma is None else "sigma"
        number_within(soft, getattr(self, soft), 1e-6, 1e6)
        one_of("weighting", self.weighting, get_args(Weighting))
        true_or_false("standardised", self.standardised)
        whole_number("neighbours", self.neighbours, 0)
        _check_share("slope", self.slope, may_be_one=True)
        one_of("objective", self.objective, get_args(Objective))
        if not isinstance(self.training, Training):
            raise InputError(f"training is {self.training!r}; expected a Training, such as Training(n_epochs=20)")

    def replaced(self, **changes: Any) -> Self:
        """A copy with other values; a softness without a sigma takes the place of the sigma that was there."""
        sigma, softness = (changes.get(name, getattr(self, name)) for name in ("sigma", "softness"))
        if {"sigma", "softness"} <= changes.keys() and sigma is not None:
            if (sigma, softness) != (self.sigma, self.softness):
                raise InputError("sigma and softness both say how soft memberships are; give one of them")
        elif "softness" in changes:
            changes["sigma"] = None
        return super().replaced(**changes)


RECIPES: Mapping[str, Recipe] = {
    "best": Recipe(),
    "paper": Recipe(
        dim=100,
        min_count=1,
        unknown_words="paper",
        codebook="k-means",
        sigma=0.5,
        weighting="counts",
        standardised=False,
        neighbours=0,
        slope=1.0,
        objective="spherical-entropy",
        training=Training(
            m=0.005,
            learned=PAPER_PARTS,
            learning_rate=0.01,
            word_dropout=0.0,
            schedule="constant",
            max_length=1000,
        ),
    ),
}
"""Recipes by name: the best one found, and BoEW and RO-BoEW of [PT18] sections 3.1 to 3.3."""


def recipe_of(recipe: object) -> Recipe:
    """The recipe given, or the recipe of that name."""
    if isinstance(recipe, Recipe):
        return recipe
    one_of("recipe", recipe, RECIPES)
    return RECIPES[str(recipe)]


def training_of(training: object, recipe: Recipe) -> Training:
    """The training given; for a name, the training of the recipe of that name; for None, this recipe's own."""
    if training is None:
        return recipe.training
    if isinstance(training, Training):
        return training
    one_of("training", training, RECIPES)
    return RECIPES[str(training)].training


def nested_parameters(first: Mapping[str, Any]) -> dict[str, Any]:
    """Today's parameters from those of a model folder of version 1, as JSON.

    Version 1 had one flat list of parameters, in which None stood for the value of the recipe.
    """
    recipe = recipe_of(first["recipe"])
    of_recipe, of_training = (
        {name: first[name] for name in kind.names() if name not in ("objective", "training")}
        for kind in (Recipe, Training)
    )
    model, training = (
        before.replaced(**{name: value for name, value in given.items() if value is not None})
        for before, given in ((recipe, of_recipe), (recipe.training, of_training))
    )
    kept = {name: value for name, value in first.items() if name not in of_recipe | of_training}
    return kept | {
        "recipe": first["recipe"] if model == recipe else model.as_json(),
        "training": None if training.as_json() == recipe.training.as_json() else training.as_json(),
    }
