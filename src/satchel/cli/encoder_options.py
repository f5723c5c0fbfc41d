"""The encoder that the options of `satchel train` ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from satchel.errors import InputError, one_of, require_torch
from satchel.estimator import from_flat
from satchel.parts import build, parameters_from

if TYPE_CHECKING:
    from satchel.encoders import BagOfEmbeddedWords, Encoder

LABEL_OPTIONS = {"goal": "--goal", "objective": "--objective"}
"""Parameters that matter only with labels, by the name of the constructor."""
STEP_OPTIONS = {
    "m": "--m",
    "n_epochs": "--epochs",
    "batch_size": "--batch-size",
    "validation_fraction": "--validation",
    "patience": "--patience",
    "checkpoint": "--checkpoint",
    "device": "--device",
}
"""Parameters of the objectives that train step by step."""
BAG_OPTIONS = {
    "recipe": "--recipe",
    "words": "--words",
    "n_codewords": "--codewords",
    "sigma": "--sigma",
    "min_count": "--min-count",
}
"""The other parameters of the bag of embedded words that have an option."""


def check_options(
    chosen: dict[str, Any], unlabelled: bool, columns: dict[str, str | None], by: str = "--unlabelled"
) -> None:
    """Refuses options that would be ignored."""
    ignored = [option for name, option in (LABEL_OPTIONS | STEP_OPTIONS).items() if name in chosen]
    ignored += [option for option, value in columns.items() if value is not None]
    if unlabelled and ignored:
        raise InputError(f"{by} learns from the texts alone; leave out {', '.join(ignored)}")
    if "patience" in chosen and not chosen.get("validation_fraction"):
        raise InputError("--patience counts epochs by texts set aside; give their share too, such as --validation 0.1")


def chosen_encoder(parameters: dict[str, Any], given: set[str], *, labelled: bool) -> BagOfEmbeddedWords:
    """The encoder, checked before anything is read: its names, and torch and the device where it needs them.

    parameters: by flat names, such as `n_epochs`.
    given: the parameters that the command names, of which none may be ignored.
    """
    from satchel.encoders import BagOfEmbeddedWords
    from satchel.encoders.bag.classes import Goal
    from satchel.words import WordVectors

    words = parameters.get("words")
    encoder = from_flat(BagOfEmbeddedWords, {**parameters, "words": None})
    by_steps = encoder.whole_recipe.objective != "least-squares"
    one_of("goal", encoder.goal, get_args(Goal))
    ignored = [option for name, option in STEP_OPTIONS.items() if name in given]
    if ignored and not by_steps:
        steps = "ask for an objective that trains step by step: --objective cross-entropy, or --recipe paper"
        raise InputError(f"for {', '.join(ignored)} {steps}")
    if labelled and by_steps:
        _check_training(encoder.device)
    encoder.set_params(words=WordVectors.load(words) if isinstance(words, str) else words)
    return encoder


def named_encoder(name: str, settings: list[str], chosen: dict[str, Any]) -> Encoder:
    """Another encoder by its name, or one of a person's own; `chosen` may hold the seed and nothing of the bag's."""
    bags = [option for key, option in (BAG_OPTIONS | LABEL_OPTIONS | STEP_OPTIONS).items() if key in chosen]
    if bags:
        own = f"set the parameters of {name} by --set NAME=VALUE"
        raise InputError(f"{', '.join(bags)} belong to the bag of embedded words; {own}")
    encoder: Encoder = build("encoder", {**parameters_from(settings), "name": name}, chosen.get("random_state", 0))
    if not hasattr(encoder, "save"):
        raise InputError(f"{name!r} cannot write a model folder: it has no method save")
    return encoder


def _check_training(device: str) -> None:
    """Before anything is learned: torch is here, and the device too."""
    require_torch("training on labels")
    from satchel.learning.devices import check_device

    check_device(device)
