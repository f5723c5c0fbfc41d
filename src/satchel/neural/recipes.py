"""The settings of a network, how it learns and how it answers, as one object; and two recipes by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from satchel.errors import InputError, number_within, one_of, whole_number
from satchel.estimator import Parameters
from satchel.neural.served import Scoring
from satchel.types import Device

ChunkLength: TypeAlias = "int | Literal['shortest']"
NeuralDevice: TypeAlias = Literal["cpu", "cuda", "auto"]
Optimiser: TypeAlias = Literal["adam", "sgd"]
SHORTEST_CHUNK = 10
"""The least W, if the shortest document has fewer words; [MW] section 5.3 names it for Reuters and Cade."""
LARGEST_NUMBER = 1e6


@dataclass(frozen=True, repr=False)
class NetworkRecipe(Parameters):
    """How a network learns and answers, beside its layers. `NetworkRecipe()` is the best one; docs/how-to/neural.md
    says what each part gives.

    optimiser: "sgd" halves its rate by validation texts ([MW] section 3.6); "adam" lets its rate fall along a cosine
    and takes half of its chunks from the beginnings of documents, which are like queries.
    rate, l2, max_epochs, dropout: of training. batch_size: documents of a step; None: one of each topic ([MW] section
    3.2). chunk_length: words of a document that a step reads, or "shortest" for as many as the shortest document has.
    unknown: share of words that are read as `<unk>`; None: one of each chunk ([MW] section 3.5). document_weight: how
    much the documents' error counts beside the topics'. validation_share: of the texts, set aside. min_count,
    vocabulary_size: rarer words are `<unk>`. scoring: which topics answer: the most probable one of each window
    ("argmax", [MW]), the one that all windows choose together ("joint"), or all as far as they are probable
    ("expectation").

    Differs from [MW]: Adam with a falling rate in place of halved steps; batches of any documents in place of one of
    each topic, so that frequent topics stay frequent; longer chunks; more words forgotten; dropout; the documents'
    error counts less beside the topics'; no document is set aside, so that all can be found; windows choose their topic
    together.
    """

    optimiser: Optimiser = "adam"
    rate: float = 0.001
    l2: float = 1e-5
    max_epochs: int = 20
    chunk_length: ChunkLength = 20
    batch_size: int | None = 64
    unknown: float | None = 0.2
    dropout: float = 0.5
    document_weight: float = 0.1
    validation_share: float = 0.0
    min_count: int = 2
    vocabulary_size: int | None = None
    scoring: Scoring = "joint"

    def __post_init__(self) -> None:
        one_of("optimiser", self.optimiser, get_args(Optimiser))
        one_of("scoring", self.scoring, get_args(Scoring))
        number_within("rate", self.rate, 0, LARGEST_NUMBER)
        whole_number("max_epochs", self.max_epochs, 0)
        whole_number("min_count", self.min_count)
        if self.chunk_length != "shortest":
            whole_number("chunk_length (where it is not 'shortest')", self.chunk_length)
        for name in ("batch_size", "vocabulary_size"):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name))
        for name in ("l2", "document_weight"):
            if getattr(self, name) != 0:
                number_within(name, getattr(self, name), 0, LARGEST_NUMBER)
        for name in ("dropout", "validation_share", "unknown"):
            if getattr(self, name) not in (0, None):
                number_within(name, getattr(self, name), 0, 1)
        if self.optimiser == "sgd" and not self.validation_share:
            raise InputError(
                "'sgd' (recipe='paper') halves its rate by validation texts; give validation_share, such as 0.2"
            )

    @property
    def schedule(self) -> Literal["halving", "cosine"]:
        """How the rate falls."""
        return "halving" if self.optimiser == "sgd" else "cosine"

    @property
    def beginnings(self) -> float:
        """The share of chunks that are taken from where a document begins."""
        return 0.0 if self.optimiser == "sgd" else 0.5


PAPER = NetworkRecipe(
    optimiser="sgd",
    rate=0.1,
    l2=1e-6,
    max_epochs=100,
    chunk_length="shortest",
    batch_size=None,
    unknown=None,
    dropout=0.0,
    document_weight=1.0,
    validation_share=0.2,
    min_count=7,
    scoring="argmax",
)
"""[MW] sections 3.2 to 3.6 and 5."""

NETWORK_RECIPES: Mapping[str, NetworkRecipe] = {"best": NetworkRecipe(), "paper": PAPER}


def network_recipe_of(recipe: object, *, recurrent: bool, flat: bool) -> NetworkRecipe:
    """The recipe given, or the recipe of that name for such a network.

    The paper's recurrent networks learn at a rate of 0.2. A flat output learns from the documents' error alone.
    """
    if isinstance(recipe, NetworkRecipe):
        if flat and not recipe.document_weight:
            raise InputError("output='flat' learns from the documents' error alone; document_weight must be above 0")
        return recipe
    one_of("recipe", recipe, NETWORK_RECIPES)
    found = NETWORK_RECIPES[str(recipe)]
    found = found.replaced(rate=0.2) if recurrent and recipe == "paper" else found
    return found.replaced(document_weight=1.0) if flat else found


def nested_network_parameters(first: Mapping[str, Any], *, recurrent: bool) -> dict[str, Any]:
    """Today's parameters from those of a model folder of version 1, as JSON.

    Version 1 had one flat list of parameters, in which None stood for the value of the recipe; `beginnings` is dropped.
    """
    recipe = network_recipe_of(first["recipe"], recurrent=recurrent, flat=first["output"] == "flat")
    given = {name: first[name] for name in NetworkRecipe.names() if name != "optimiser"}
    changed = recipe.replaced(**{name: value for name, value in given.items() if value is not None})
    kept = {name: value for name, value in first.items() if name not in given and name != "beginnings"}
    return kept | {"recipe": first["recipe"] if changed == recipe else changed.as_json()}


def chosen_device(name: str) -> Device:
    """The device of that name; "auto" is CUDA where torch finds it."""
    one_of("device", name, get_args(NeuralDevice))
    if name == "cpu":
        return "cpu"
    if name == "cuda":
        return "cuda"
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
