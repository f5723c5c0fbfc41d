"""`satchel train`: a bag of embedded words from texts and what labels they have, in a folder or in a collection."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

import typer

from satchel.cli.console import notes, out, print_json
from satchel.cli.encoder_options import check_options, chosen_encoder, named_encoder
from satchel.cli.opened import Quiet
from satchel.cli.texts import LabelledSource, labelled_texts_from, texts_from
from satchel.cli.train_collection import (
    is_collection,
    model_parameters,
    refuse_for_collection,
    refuse_for_texts,
    train_collection,
)
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.encoders import BagOfEmbeddedWords, Encoder


def train(
    texts: Annotated[
        str,
        typer.Argument(
            help="A TSV (label<TAB>text), JSON lines or CSV file, a labelled data set's name, or a collection."
        ),
    ],
    model_folder: Annotated[
        Path | None,
        typer.Argument(help="The folder to write; a model that is there is replaced. Not for a collection."),
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="FIELD", help="Of a collection: learn from the labels in this field.")
    ] = None,
    marks: Annotated[
        bool, typer.Option("--marks", help="Of a collection: learn from the marks that were kept.")
    ] = False,
    text: Annotated[str | None, typer.Option(help="The column of the texts, where the guess is wrong.")] = None,
    label: Annotated[str | None, typer.Option(help="The column of the labels, where the guess is wrong.")] = None,
    separator: Annotated[
        str | None, typer.Option(help="What parts several labels in one cell, such as ';'.", show_default="one label")
    ] = None,
    unlabelled: Annotated[bool, typer.Option("--unlabelled", help="Learn from the texts alone.")] = False,
    goal: Annotated[
        str | None,
        typer.Option(help="in-domain: to find texts of these classes; transfer: of others.", show_default="in-domain"),
    ] = None,
    other: Annotated[
        str | None,
        typer.Option(
            "--encoder", help="TfIdf, Lsi, … or package.module:Class.", show_default="the bag of embedded words"
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of --encoder, such as n_components=64.")
    ] = None,
    recipe: Annotated[str | None, typer.Option(help="best or paper.", show_default="best")] = None,
    words: Annotated[
        str | None,
        typer.Option(help="Word vectors: a name from `satchel words list`, or a path.", show_default="from the texts"),
    ] = None,
    codewords: Annotated[int | None, typer.Option(help="Numbers per document.", min=1, show_default="64")] = None,
    sigma: Annotated[
        float | None, typer.Option(help="Softness of a word's memberships.", show_default="by the recipe")
    ] = None,
    min_count: Annotated[
        int | None, typer.Option(help="Rarer words are left out.", min=1, show_default="by the recipe")
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help="least-squares, or step by step (with torch) cross-entropy, spherical-entropy or entropy.",
            show_default="by the recipe",
        ),
    ] = None,
    m: Annotated[float | None, typer.Option(help="Fuzziness of the classes.", show_default="by the recipe")] = None,
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
    seed: Annotated[int | None, typer.Option(help="Same seed, same model.", min=0, show_default="0")] = None,
    quiet: Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary and the history as JSON.")] = False,
) -> None:
    """Train a bag of embedded words, or another encoder, on texts with or without labels; or a collection's model anew.

    A collection keeps the parameters of its model unless some are given here; without --labels and --marks it learns
    from its texts alone. Its old model serves until the new one is complete. The options from --m to --device belong
    to the objectives that train step by step.

    \b
    Examples:
      satchel train reviews.csv ./model --text body --label verdict
      satchel train notes.txt ./model --unlabelled
      satchel train tickets.jsonl ./model --goal transfer
      satchel train notes.txt ./model --unlabelled --encoder Lsi --set n_components=64
      satchel train 20ng ./model --recipe paper --words glove.6B.100d --checkpoint ./half
      satchel train papers.satchel --labels topic
      satchel train papers.satchel --marks
    """
    given = {
        "goal": goal,
        "recipe": recipe,
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
        "random_state": seed,
    }
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    of_files = {"--label": label, "--separator": separator}
    if parameters and other is None:
        raise InputError("--set sets a parameter of another encoder; name it by --encoder")
    if is_collection(texts):
        folders = {"the folder": model_folder, "--checkpoint": checkpoint, "--encoder": other}
        refuse_for_collection(texts, {**folders, **of_files, "--text": text, "--unlabelled": unlabelled})
        check_options(chosen, labels is None and not marks, {}, by="without --labels or --marks a collection")
        there = model_parameters(Path(texts)) if chosen else {}
        again = chosen_encoder({**there, **chosen}, set(chosen), labelled=labels is not None) if chosen else None
        train_collection(Path(texts), labels, marks, again, quiet, as_json)
        return
    refuse_for_texts(texts, labels, marks)
    if model_folder is None:
        raise InputError("name the folder for the model, such as `satchel train reviews.csv ./model`")
    check_options(chosen, unlabelled, of_files)
    _check_target(model_folder, checkpoint)
    encoder: Encoder = (
        chosen_encoder({**chosen, "verbose": not quiet}, set(chosen), labelled=not unlabelled)
        if other is None
        else named_encoder(other, parameters or [], chosen)
    )
    source = (
        LabelledSource(texts_from(texts, text=text), [])
        if unlabelled
        else labelled_texts_from(texts, text=text, label=label, separator=separator)
    )
    if not quiet:
        notes.print(_counted(source, unlabelled), markup=False)
    start = perf_counter()
    _fit(encoder, source, model_folder)
    summary = _summary(encoder, recipe or "best", source, model_folder, perf_counter() - start)
    if as_json:
        print_json(summary)
    elif not quiet:
        _print(summary)


def _check_target(folder: Path, checkpoint: Path | None) -> None:
    """Before anything is learned: the model can be written where it shall be."""
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


def _counted(read: LabelledSource, unlabelled: bool) -> str:
    """What was read, before anything is learned from it."""
    if unlabelled:
        return f"{len(read.texts):,} texts"
    columns = "" if read.columns is None else " (columns {label!r} and {text!r})".format(**read.columns)
    without = len(read.texts) - read.n_labelled
    rest = f", {without:,} of them without a label" if without else ""
    return f"{len(read.texts):,} texts of {len(read.classes):,} classes{columns}{rest}"


def _fit(encoder: Encoder, source: LabelledSource, folder: Path) -> None:
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
