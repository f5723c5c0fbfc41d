"""The part of `satchel train` for texts: makes the encoder from the options, fits it, and prints a summary."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeGuard, get_args

import typer

from satchel.cli.console import notes, out, print_json
from satchel.cli.texts import LabelledSource
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
        raise InputError(f"{by} learns only from the texts; leave out {', '.join(ignored)}")
    if "patience" in chosen and not chosen.get("validation_fraction"):
        raise InputError("--patience needs texts that are set aside; give their share too, such as --validation 0.1")


def chosen_encoder(parameters: dict[str, Any], given: set[str], *, labelled: bool) -> BagOfEmbeddedWords:
    """Makes the encoder. Names, torch and the device (if needed) are checked before anything is read.

    parameters: by flat names, such as `n_epochs`. given: the parameters that the command names; none of them may be
    ignored.
    """
    from satchel.encoders import BagOfEmbeddedWords, Goal
    from satchel.words import WordVectors

    words = parameters.get("words")
    encoder = from_flat(BagOfEmbeddedWords, {**parameters, "words": None})
    by_steps = encoder.whole_recipe.objective != "least-squares"
    one_of("goal", encoder.goal, get_args(Goal))
    ignored = [option for name, option in STEP_OPTIONS.items() if name in given]
    if ignored and not by_steps:
        steps = "choose an objective that trains step by step: --objective cross-entropy, or --recipe paper"
        raise InputError(f"for {', '.join(ignored)} {steps}")
    if labelled and by_steps:
        _check_training(encoder.device)
    encoder.set_params(words=WordVectors.load(words) if isinstance(words, str) else words)
    return encoder


def named_encoder(name: str, settings: list[str], chosen: dict[str, Any]) -> Encoder:
    """Makes another encoder by its name, or one of a person's own. Of the bag's parameters, `chosen` may hold only the
    seed."""
    bags = [option for key, option in (BAG_OPTIONS | LABEL_OPTIONS | STEP_OPTIONS).items() if key in chosen]
    if bags:
        own = f"set the parameters of {name} by --set NAME=VALUE"
        raise InputError(f"{', '.join(bags)} belong to the bag of embedded words; {own}")
    encoder: Encoder = build("encoder", {**parameters_from(settings), "name": name}, chosen.get("random_state", 0))
    if not hasattr(encoder, "save"):
        raise InputError(f"{name!r} cannot write a model folder: it has no method save")
    return encoder


def _check_training(device: str) -> None:
    """Checks, before anything is learned, that torch and the device are there."""
    require_torch("training on labels")
    from satchel.learning import check_device

    check_device(device)


def check_target(folder: Path, checkpoint: Path | None) -> None:
    """Checks, before anything is learned, that the model can be written."""
    from satchel.storage import refuse_to_overwrite

    if checkpoint is not None and checkpoint.resolve() == folder.resolve():
        raise InputError(f"the checkpoint and the model cannot share the folder {folder}; name two folders")
    refuse_to_overwrite(folder.resolve())
    try:
        folder.resolve().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the folder {folder.parent} for the model: {error.strerror}; name another"
        ) from None


def learn_from_texts(
    encoder: Encoder, source: LabelledSource, folder: Path, recipe: str, quiet: bool, as_json: bool
) -> None:
    """Fits and saves the encoder, and prints what it learned. Without labels it learns from the texts alone."""
    if not quiet:
        notes.print(_about(source), markup=False)
    start = perf_counter()
    _fit_and_save(encoder, source, folder)
    summary = _summary(encoder, recipe, source, folder, perf_counter() - start)
    if as_json:
        print_json(summary)
    elif not quiet:
        _print(summary)


def _about(read: LabelledSource) -> str:
    """Describes what was read, in one line to print before training."""
    if not read.labels:
        return f"{len(read.texts):,} texts"
    columns = "" if read.columns is None else " (columns {label!r} and {text!r})".format(**read.columns)
    without = len(read.texts) - read.n_labelled
    rest = f", {without:,} of them without a label" if without else ""
    return f"{len(read.texts):,} texts of {len(read.classes):,} classes{columns}{rest}"


def _fit_and_save(encoder: Encoder, source: LabelledSource, folder: Path) -> None:
    try:
        encoder.fit(source.texts, source.labels or None)
        encoder.save(folder)
    except KeyboardInterrupt:
        checkpoint, by_steps = None, False
        if _is_bag(encoder):
            checkpoint = encoder.checkpoint
            by_steps = bool(source.labels) and encoder.whole_recipe.objective != "least-squares"
        notes.print(_after_interrupt(checkpoint, by_steps), markup=False, soft_wrap=True)
        raise typer.Exit(130) from None


def _is_bag(encoder: Encoder) -> TypeGuard[BagOfEmbeddedWords]:
    from satchel.encoders import BagOfEmbeddedWords

    return isinstance(encoder, BagOfEmbeddedWords)


def _after_interrupt(checkpoint: str | Path | None, by_steps: bool) -> str:
    if checkpoint is None:
        kept = "satchel: interrupted, nothing was kept"
        return f"{kept}; with --checkpoint FOLDER the same command would go on" if by_steps else kept
    if not Path(checkpoint).exists():
        return "satchel: interrupted before the first step of training, nothing was lost; run the same command again"
    return f"satchel: interrupted, the state is kept in {checkpoint}; run the same command again to go on"


def _summary(encoder: Encoder, recipe: str, source: LabelledSource, folder: Path, seconds: float) -> dict[str, object]:
    counted = {"documents": len(source.texts), "labelled": source.n_labelled, "classes": len(source.classes)}
    ended = {"seconds": round(seconds, 2), "folder": str(folder)}
    if _is_bag(encoder):
        return (
            counted
            | _learned(encoder, recipe, source)
            | ended
            | {"history": [one._asdict() for one in encoder.history_]}
        )
    return counted | {"encoder": type(encoder).__name__, "numbers": int(encoder.transform([""]).shape[1])} | ended


def _learned(encoder: BagOfEmbeddedWords, recipe: str, source: LabelledSource) -> dict[str, object]:
    history = encoder.history_
    judged = [(record.validation_loss, record.epoch) for record in history if record.validation_loss is not None]
    return {
        "columns": source.columns,
        "words": len(encoder.vocabulary_),
        "codewords": encoder.n_codewords,
        "recipe": recipe,
        "objective": encoder.whole_recipe.objective if source.labels else None,
        "goal": encoder.goal if source.labels else None,
        "strength": encoder.strength_,
        "mean average precision by strength": {f"{tried:g}": value for tried, value in encoder.strengths_.items()},
        "epochs": len(history),
        "kept epoch": min(judged)[1] if judged else len(history),
        "loss": [history[0].loss, history[-1].loss] if history else None,
        "sigma": encoder.sigma_,
    }


def _print(summary: dict[str, Any]) -> None:
    counted = ("documents", "labelled", "classes", "words", "codewords")
    learned = ", ".join(f"{summary[name]:,} {name}" for name in counted if summary.get(name))
    if "encoder" in summary:
        learned += f"; {summary['encoder']} gives each text {summary['numbers']:,} numbers"
    judged = summary.get("mean average precision by strength")
    if judged:
        before, after = judged["0"], judged[f"{summary['strength']:g}"]
        aside = "classes" if summary["goal"] == "transfer" else "texts"
        learned += f"\nmean average precision on {aside} set aside: {before:.3f} without labels, {after:.3f} with"
    if summary.get("loss") is not None:
        first, last = summary["loss"]
        learned += f"\n{summary['epochs']} epochs, loss {first:.4f} → {last:.4f}, sigma {summary['sigma']:.3f}"
        if summary["kept epoch"] != summary["epochs"]:
            learned += f"; kept epoch {summary['kept epoch']}, the best by validation"
    out.print(f"{learned}\n{summary['seconds']:.1f} seconds; the model lies in {summary['folder']}", markup=False)
