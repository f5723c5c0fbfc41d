"""`satchel train FILE.satchel`: the model of a collection learned anew, from texts, labels or marks."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from satchel.cli.console import as_form, notes, out, print_json, progress_bar
from satchel.cli.opened import opened
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.collection import TrainingReport
    from satchel.encoders import BagOfEmbeddedWords

ENDING = ".satchel"
_MAGIC = b"SQLite format 3\0"


def is_collection(source: str) -> bool:
    """Whether a collection is meant: by the ending of the name, or by the first bytes of the file."""
    path = Path(source)
    if path.suffix == ENDING or not path.is_file():
        return path.suffix == ENDING
    with path.open("rb") as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def refuse_for_collection(source: str, given: dict[str, object]) -> None:
    """Refuses what is only for texts in files."""
    if wrong := [option for option, value in given.items() if value]:
        raise InputError(
            f"{source} is a collection, whose model is learned anew in its place; leave out {', '.join(wrong)}"
        )


def refuse_for_texts(source: str, labels: str | None, marks: bool) -> None:
    """Refuses what is only for collections."""
    if labels is not None:
        raise InputError(f"--labels names a field of a collection, and {source} is none; name its column by --label")
    if marks:
        raise InputError(f"--marks are kept in a collection, and {source} is none")


def model_parameters(path: Path) -> dict[str, Any]:
    """The parameters of the model that is there; none where it is of another kind than is trained here."""
    from satchel.encoders import BagOfEmbeddedWords, load_encoder

    with opened(path) as collection, tempfile.TemporaryDirectory() as folder:
        collection.export(Path(folder) / "model", "model")
        model = load_encoder(Path(folder) / "model")
    return dict(model.get_params(deep=False)) if isinstance(model, BagOfEmbeddedWords) else {}


def train_collection(
    path: Path, labels: str | None, marks: bool, encoder: BagOfEmbeddedWords | None, quiet: bool, as_json: bool
) -> None:
    """Learns; until the new model is complete the old one serves."""
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
        _print(report, path)


def _print(report: TrainingReport, path: Path) -> None:
    details: dict[str, Any] = report.details
    told = ", ".join(f"{name} {_shown(value)}" for name, value in details.items() if value is not None)
    out.print(f"{report}{f' ({told})' if told else ''}; {path} has model {report.model}", markup=False, soft_wrap=True)


def _shown(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
