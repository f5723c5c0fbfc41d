"""`satchel train`: trains a model on texts, with or without labels, into a folder; or trains a collection's model
again."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satchel.cli.arguments import Quiet, opened
from satchel.cli.console import as_form, notes, out, print_json, progress_bar
from satchel.cli.texts import LabelledSource, labelled_texts_from, texts_from
from satchel.cli.train_texts import (
    check_options,
    check_target,
    chosen_encoder,
    learn_from_texts,
    named_encoder,
)
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.collection import TrainingReport
    from satchel.encoders import BagOfEmbeddedWords, Encoder

ENDING = ".satchel"
_MAGIC = b"SQLite format 3\0"


def train(
    texts: Annotated[
        str,
        typer.Argument(
            help="A TSV (label<TAB>text), JSON lines or CSV file, a labelled data set's name, or a collection."
        ),
    ],
    model_folder: Annotated[
        Path | None,
        typer.Argument(help="The folder to write. An existing model is replaced. Leave it out for a collection."),
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="FIELD", help="For a collection, learn from the labels in this field.")
    ] = None,
    marks: Annotated[bool, typer.Option("--marks", help="For a collection, learn from the saved marks.")] = False,
    text: Annotated[str | None, typer.Option(help="The column that holds the texts, if the guess is wrong.")] = None,
    label: Annotated[str | None, typer.Option(help="The column that holds the labels, if the guess is wrong.")] = None,
    separator: Annotated[
        str | None,
        typer.Option(help="The separator of several labels in one cell, such as ';'.", show_default="one label"),
    ] = None,
    unlabelled: Annotated[bool, typer.Option("--unlabelled", help="Learn from the texts alone.")] = False,
    goal: Annotated[
        str | None,
        typer.Option(
            help="What to search later: in-domain for these classes, transfer for others.", show_default="in-domain"
        ),
    ] = None,
    other: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            help="Another encoder: TfIdf, Lsi, … or package.module:Class.",
            show_default="the bag of embedded words",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of --encoder, such as n_components=64.")
    ] = None,
    recipe: Annotated[str | None, typer.Option(help="The recipe: best or paper.", show_default="best")] = None,
    words: Annotated[
        str | None,
        typer.Option(
            help="The word vectors: a name from `satchel words list`, or a path.", show_default="from the texts"
        ),
    ] = None,
    codewords: Annotated[
        int | None, typer.Option(help="How many numbers a document has.", min=1, show_default="64")
    ] = None,
    sigma: Annotated[
        float | None, typer.Option(help="How softly a word belongs to several codewords.", show_default="by the recipe")
    ] = None,
    min_count: Annotated[
        int | None,
        typer.Option(help="Leave out words that occur less often than this.", min=1, show_default="by the recipe"),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help="least-squares; or, step by step with torch: cross-entropy, spherical-entropy or entropy.",
            show_default="by the recipe",
        ),
    ] = None,
    m: Annotated[float | None, typer.Option(help="How fuzzy the classes are.", show_default="by the recipe")] = None,
    epochs: Annotated[
        int | None, typer.Option(help="How many passes over the texts.", min=1, show_default="10")
    ] = None,
    batch_size: Annotated[
        int | None, typer.Option(help="How many texts a step uses.", min=1, show_default="100")
    ] = None,
    validation: Annotated[
        float | None, typer.Option(help="The share of texts set aside. The best epoch on them is kept.")
    ] = None,
    patience: Annotated[
        int | None, typer.Option(help="Stop after this many epochs without a better one. Needs --validation.", min=1)
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Save the state here. After Ctrl-C, the same command goes on from it.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="The device: cpu or cuda.", show_default="cpu")] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same model.", min=0, show_default="0")
    ] = None,
    quiet: Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary and the history as JSON.")] = False,
) -> None:
    """Train an encoder on texts, with or without labels; or train the model of a collection again.

    The encoder is a bag of embedded words unless --encoder names another. A collection keeps the parameters of its
    model unless you give others here. Without --labels and --marks it learns only from its texts. The old model serves
    until the new one is complete. The options from --m to --device are for objectives that train step by step.

    \b
    Examples:
      satchel train reviews.csv ./model --text body --label rating
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
        again = _changed_encoder(Path(texts), chosen, labelled=labels is not None) if chosen else None
        train_collection(Path(texts), labels, marks, again, quiet, as_json)
        return
    refuse_for_texts(texts, labels, marks)
    if model_folder is None:
        raise InputError("name the folder for the model, such as `satchel train reviews.csv ./model`")
    check_options(chosen, unlabelled, of_files)
    check_target(model_folder, checkpoint)
    encoder = _encoder(other, parameters or [], chosen, verbose=not quiet, labelled=not unlabelled)
    if unlabelled:
        source = LabelledSource(texts_from(texts, text=text), [])
    else:
        source = labelled_texts_from(texts, text=text, label=label, separator=separator)
    learn_from_texts(encoder, source, model_folder, recipe or "best", quiet, as_json)


def _encoder(
    name: str | None, settings: list[str], chosen: dict[str, Any], *, verbose: bool, labelled: bool
) -> Encoder:
    """Makes the bag of embedded words, or another encoder by its name."""
    if name is not None:
        return named_encoder(name, settings, chosen)
    return chosen_encoder({**chosen, "verbose": verbose}, set(chosen), labelled=labelled)


def _changed_encoder(path: Path, chosen: dict[str, Any], *, labelled: bool) -> BagOfEmbeddedWords:
    """Makes the encoder of the collection's model, with the given parameters in place of its own."""
    return chosen_encoder({**model_parameters(path), **chosen}, set(chosen), labelled=labelled)


def is_collection(source: str) -> bool:
    """Whether the source is a collection, by the ending of its name or the first bytes of the file."""
    path = Path(source)
    if path.suffix == ENDING or not path.is_file():
        return path.suffix == ENDING
    with path.open("rb") as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def refuse_for_collection(source: str, given: dict[str, object]) -> None:
    """Refuses options that are only for texts in files."""
    if wrong := [option for option, value in given.items() if value]:
        raise InputError(f"{source} is a collection, and its model is trained in place; leave out {', '.join(wrong)}")


def refuse_for_texts(source: str, labels: str | None, marks: bool) -> None:
    """Refuses options that are only for collections."""
    if labels is not None:
        raise InputError(
            f"--labels names a field of a collection, and {source} is not a collection; name its column by --label"
        )
    if marks:
        raise InputError(f"--marks needs a collection, and {source} is not a collection; leave it out")


def model_parameters(path: Path) -> dict[str, Any]:
    """The parameters of the collection's model; none if its encoder is not a bag of embedded words."""
    from satchel.encoders import BagOfEmbeddedWords, load_encoder

    with opened(path) as collection, tempfile.TemporaryDirectory() as folder:
        collection.export(Path(folder) / "model", "model")
        model = load_encoder(Path(folder) / "model")
    return dict(model.get_params(deep=False)) if isinstance(model, BagOfEmbeddedWords) else {}


def train_collection(
    path: Path, labels: str | None, marks: bool, encoder: BagOfEmbeddedWords | None, quiet: bool, as_json: bool
) -> None:
    """Trains the collection's model; the old one is used until the new one is complete."""
    with opened(path) as collection:
        try:
            with progress_bar() as on_progress:
                report = collection.train(labels=labels, marks=marks, encoder=encoder, on_progress=on_progress)
        except KeyboardInterrupt:
            notes.print("satchel: interrupted, the model is the one that was there before", markup=False)
            raise typer.Exit(130) from None
    if as_json:
        print_json({"file": str(path), **as_form(report)})
    elif not quiet:
        _print_report(report, path)


def _print_report(report: TrainingReport, path: Path) -> None:
    details: dict[str, Any] = report.details
    numbers = ", ".join(f"{name} {_shown(value)}" for name, value in details.items() if value is not None)
    out.print(
        f"{report}{f' ({numbers})' if numbers else ''}; {path} has model {report.model}", markup=False, soft_wrap=True
    )


def _shown(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
