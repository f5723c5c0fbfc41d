"""`satchel train`: a bag of embedded words from labelled texts, kept as a model folder."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satchel.cli.console import notes, out, print_json
from satchel.cli.texts import LabelledSource, labelled_texts_from, texts_from
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.documents import BagOfEmbeddedWords

TRAINING_OPTIONS = {
    "m": "--m",
    "objective": "--objective",
    "n_epochs": "--epochs",
    "batch_size": "--batch-size",
    "validation_fraction": "--validation",
    "patience": "--patience",
    "checkpoint": "--checkpoint",
    "device": "--device",
}
"""Parameters that say how to learn from labels, by the name of the constructor."""


def train(
    texts: Annotated[
        str, typer.Argument(help="A TSV (label<TAB>text), JSON lines or CSV file, or a labelled data set's name.")
    ],
    model_folder: Annotated[Path, typer.Argument(help="The folder to write; a model that is there is replaced.")],
    text: Annotated[str | None, typer.Option(help="The column of the texts, where the guess is wrong.")] = None,
    label: Annotated[str | None, typer.Option(help="The column of the labels, where the guess is wrong.")] = None,
    words: Annotated[
        str | None,
        typer.Option(help="Word vectors: a name from `satchel words list`, or a path.", show_default="from the texts"),
    ] = None,
    codewords: Annotated[int | None, typer.Option(help="Numbers per document.", min=1, show_default="64")] = None,
    sigma: Annotated[float | None, typer.Option(help="Softness of a word's memberships.", show_default="0.5")] = None,
    min_count: Annotated[int | None, typer.Option(help="Rarer words are left out.", min=1, show_default="1")] = None,
    m: Annotated[float | None, typer.Option(help="Fuzziness of the entropy.", show_default="0.005")] = None,
    objective: Annotated[
        str | None, typer.Option(help="spherical-entropy or entropy.", show_default="spherical-entropy")
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="Passes over the texts.", min=1, show_default="10")] = None,
    batch_size: Annotated[int | None, typer.Option(help="Texts in a step.", min=1, show_default="100")] = None,
    validation: Annotated[
        float | None, typer.Option(help="Share of the texts set aside; the best epoch on them is kept.")
    ] = None,
    patience: Annotated[
        int | None, typer.Option(help="Stop after so many epochs without a better one; needs --validation.", min=1)
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Keep the state here: after Ctrl-C the same command goes on.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="cpu or cuda.", show_default="cpu")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same model.", min=0)] = 0,
    unlabelled: Annotated[
        bool, typer.Option("--unlabelled", help="Learn from the texts alone, without torch.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary and the history as JSON.")] = False,
) -> None:
    """Train a bag of embedded words on labelled texts.

    \b
    Examples:
      satchel train reviews.csv ./model --text body --label verdict
      satchel train 20ng ./model --words glove.6B.100d --checkpoint ./half
      satchel train notes.txt ./model --unlabelled
    """
    given = {
        "words": words,
        "n_codewords": codewords,
        "sigma": sigma,
        "min_count": min_count,
        "m": m,
        "objective": objective,
        "n_epochs": epochs,
        "batch_size": batch_size,
        "validation_fraction": validation,
        "patience": patience,
        "checkpoint": None if checkpoint is None else str(checkpoint),
        "device": device,
    }
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    _check_options(chosen, unlabelled, label)
    _check_target(model_folder, checkpoint)
    if not unlabelled:
        _check_training(chosen)
    encoder = _encoder(chosen, seed)
    source = _read(texts, text, label, unlabelled)
    start = perf_counter()
    _fit(encoder, source, checkpoint, model_folder)
    summary = _summary(encoder, source, model_folder, perf_counter() - start)
    if as_json:
        print_json(summary)
    else:
        _print(summary)


def _check_options(chosen: dict[str, Any], unlabelled: bool, label: str | None) -> None:
    """Refuses options that would be ignored."""
    ignored = [option for name, option in TRAINING_OPTIONS.items() if name in chosen]
    ignored += [] if label is None else ["--label"]
    if unlabelled and ignored:
        raise InputError(f"--unlabelled learns from the texts alone; leave out {', '.join(ignored)}")
    if "patience" in chosen and not chosen.get("validation_fraction"):
        raise InputError("--patience counts epochs by texts set aside; give their share too, such as --validation 0.1")


def _check_target(folder: Path, checkpoint: Path | None) -> None:
    """Before anything is learned: the model can be written where it shall be."""
    from satchel.storage.model_folder import refuse_to_overwrite

    if checkpoint is not None and checkpoint.resolve() == folder.resolve():
        raise InputError(f"the checkpoint and the model cannot share the folder {folder}; name two folders")
    refuse_to_overwrite(folder.resolve())


def _check_training(chosen: dict[str, Any]) -> None:
    """Before anything is learned: torch is here, the device too, and the objective is one of those there are."""
    from satchel.documents.bag_training import require_torch

    require_torch()
    from satchel.learning import TrainingPlan
    from satchel.learning.devices import check_device

    plan = TrainingPlan(**{name: chosen[name] for name in ("objective", "m", "device") if name in chosen})
    check_device(plan.device)


def _encoder(chosen: dict[str, Any], seed: int) -> BagOfEmbeddedWords:
    from satchel.documents import BagOfEmbeddedWords
    from satchel.words import WordVectors

    words = WordVectors.load(chosen["words"]) if "words" in chosen else None
    return BagOfEmbeddedWords(**{**chosen, "words": words}, random_state=seed, verbose=True)


def _read(source: str, text: str | None, label: str | None, unlabelled: bool) -> LabelledSource:
    if unlabelled:
        read = LabelledSource(texts_from(source, text=text), [])
        notes.print(f"{len(read.texts):,} texts", markup=False)
        return read
    read = labelled_texts_from(source, text=text, label=label)
    columns = "" if read.columns is None else " (columns {label!r} and {text!r})".format(**read.columns)
    notes.print(f"{len(read.texts):,} texts of {len(set(read.labels)):,} classes{columns}", markup=False)
    return read


def _fit(encoder: BagOfEmbeddedWords, source: LabelledSource, checkpoint: Path | None, folder: Path) -> None:
    try:
        encoder.fit(source.texts, source.labels or None)
        encoder.save(folder)
    except KeyboardInterrupt:
        notes.print(_after_interrupt(checkpoint), markup=False, soft_wrap=True)
        raise typer.Exit(130) from None


def _after_interrupt(checkpoint: Path | None) -> str:
    if checkpoint is None:
        return "satchel: interrupted, nothing was kept; with --checkpoint FOLDER the same command would go on"
    if not checkpoint.exists():
        return "satchel: interrupted before the first step of training, nothing was lost; run the same command again"
    return f"satchel: interrupted, the state is kept in {checkpoint}; run the same command again to go on"


def _summary(encoder: BagOfEmbeddedWords, source: LabelledSource, folder: Path, seconds: float) -> dict[str, object]:
    history = encoder.history_
    judged = [(record.validation_loss, record.epoch) for record in history if record.validation_loss is not None]
    return {
        "documents": len(source.texts),
        "classes": len(set(source.labels)),
        "columns": source.columns,
        "words": len(encoder.vocabulary_),
        "codewords": encoder.n_codewords,
        "epochs": len(history),
        "kept epoch": min(judged)[1] if judged else len(history),
        "entropy": [history[0].loss, history[-1].loss] if history else None,
        "sigma": encoder.sigma_,
        "seconds": round(seconds, 2),
        "folder": str(folder),
        "history": [record._asdict() for record in history],
    }


def _print(summary: dict[str, object]) -> None:
    counted = ("documents", "classes", "words", "codewords")
    learned = ", ".join(f"{summary[name]:,} {name}" for name in counted if summary[name])
    if isinstance(summary["entropy"], list):
        first, last = summary["entropy"]
        learned += f"\n{summary['epochs']} epochs, entropy {first:.4f} → {last:.4f}, sigma {summary['sigma']:.3f}"
        if summary["kept epoch"] != summary["epochs"]:
            learned += f"; kept epoch {summary['kept epoch']}, the best by validation"
    out.print(f"{learned}\n{summary['seconds']:.1f} seconds; the model lies in {summary['folder']}", markup=False)
