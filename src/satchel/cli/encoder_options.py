"""The encoder that the options of `satchel train` ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from satchel.errors import InputError, one_of

if TYPE_CHECKING:
    from satchel.documents import BagOfEmbeddedWords

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

    given: the parameters that the command names, of which none may be ignored.
    """
    from satchel.documents import BagOfEmbeddedWords
    from satchel.documents.class_rows import Goal
    from satchel.words import WordVectors

    words = parameters.get("words")
    encoder = BagOfEmbeddedWords(**{**parameters, "words": None})
    by_steps = encoder.ingredients.objective != "least-squares"
    one_of("goal", encoder.goal, get_args(Goal))
    ignored = [option for name, option in STEP_OPTIONS.items() if name in given]
    if ignored and not by_steps:
        steps = "ask for an objective that trains step by step: --objective cross-entropy, or --recipe paper"
        raise InputError(f"for {', '.join(ignored)} {steps}")
    if labelled and by_steps:
        _check_training(encoder.device)
    encoder.set_params(words=WordVectors.load(words) if isinstance(words, str) else words)
    return encoder


def _check_training(device: str) -> None:
    """Before anything is learned: torch is here, and the device too."""
    from satchel.documents.bag_training import require_torch

    require_torch()
    from satchel.learning.devices import check_device

    check_device(device)
