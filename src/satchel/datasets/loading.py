"""Loads a data set by name from this machine, or fetches it from its source into the cache."""

import tempfile
from pathlib import Path
from typing import Literal, overload

from satchel.datasets import sample
from satchel.datasets.beir import read_beir
from satchel.datasets.catalogue import DATASETS, DataSet
from satchel.datasets.labelled import read_labelled, read_review
from satchel.datasets.sources import Source
from satchel.datasets.types import AdHocSet, LabelledSet, LabelledTexts, Review
from satchel.errors import DownloadError, MissingFileError, unknown_name
from satchel.progress import Progress, no_progress
from satchel.storage import cache_folder, data_folder, find

AnySet = LabelledSet | AdHocSet | Review | LabelledTexts
LabelledName = Literal["20ng", "20news-bydate", "r8", "r8-stemmed", "r52", "webkb", "cade"]
AdHocName = Literal["cranfield", "cacm", "npl", "scifact", "nfcorpus", "nfcorpus-partial"]


@overload
def load(name: LabelledName, on_progress: Progress = no_progress) -> LabelledSet: ...
@overload
def load(name: AdHocName, on_progress: Progress = no_progress) -> AdHocSet: ...
@overload
def load(name: Literal["sample"], on_progress: Progress = no_progress) -> LabelledTexts: ...
@overload
def load(name: str, on_progress: Progress = no_progress) -> AnySet: ...
def load(name: str, on_progress: Progress = no_progress) -> AnySet:
    """Loads a data set from $SATCHEL_DATA, else from the cache. Nothing is downloaded; `fetch` does that.

    `on_progress` receives the modules read when the sample collection is built for the first time.
    """
    entry = _entry(name)
    if entry.kind == "texts":
        return sample.load_sample(on_progress)
    paths = _located(entry)
    if paths is None and entry.stand_in is not None:
        paths = _located(_entry(entry.stand_in))
    if paths is None:
        raise MissingFileError(
            f"the data set {name!r} is neither in $SATCHEL_DATA nor in the cache; get it with: satchel data get {name}"
        )
    return _read(entry, paths)


def fetch(name: str, on_progress: Progress = no_progress) -> Path:
    """Downloads the data set into the cache and verifies it, unless it is there already; returns its path."""
    entry = _entry(name)
    if entry.source is None:
        return sample.build_sample(on_progress)
    if _located(entry) is None:
        try:
            _fetch(entry, entry.source, on_progress)
        except DownloadError:
            raise
        except OSError as error:
            raise DownloadError(f"cannot keep {name} in the cache: {error}") from error
    paths = _located(entry)
    if paths is None:
        raise DownloadError(f"the source of {name} no longer holds its files; nothing was kept")
    return paths[0] if entry.kind == "review" else paths[0].parent


def place_of(name: str) -> str:
    """Says where `load` would find the set now: "data folder", "cache", "source" (not here yet) or "built in"."""
    entry = _entry(name)
    if entry.source is None:
        return "built in"
    paths = _located(entry)
    if paths is None:
        return "source"
    folder = data_folder()
    return "data folder" if folder is not None and paths[0].is_relative_to(folder) else "cache"


def texts_of(name: str) -> list[str]:
    """The texts of a set to learn from: the train split, all documents, or all records."""
    found = load(name)
    if isinstance(found, LabelledSet):
        return found.train.texts
    return found.documents.texts if isinstance(found, AdHocSet) else found.texts


def _entry(name: str) -> DataSet:
    if not isinstance(name, str) or name not in DATASETS:
        raise unknown_name("data set", name, DATASETS)
    return DATASETS[name]


def _located(entry: DataSet) -> list[Path] | None:
    """Finds the first complete set of files in the data folder or the cache; None if there is none."""
    for files in entry.files:
        found = [find(f"{file}.gz") or find(file) for file in files]
        present = [path for path in found if path is not None]
        if len(present) == len(files):
            return present
    return None


def _read(entry: DataSet, paths: list[Path]) -> LabelledSet | AdHocSet | Review:
    if entry.kind == "ad hoc":
        return read_beir(paths[0].parent)
    if entry.kind == "review":
        return read_review(paths[0], entry.name)
    return LabelledSet(entry.name, read_labelled(paths[0], "train-"), read_labelled(paths[1], "test-"))


def _fetch(entry: DataSet, source: Source, on_progress: Progress) -> None:
    """Makes the set in a scratch folder, checks its counts, then moves its files. The file that `load` looks for is
    moved last."""
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=".fetch-") as name:
        scratch = Path(name)
        source.write(scratch, cache / "downloads", on_progress)
        marks = [path for file in entry.files[0] for path in (scratch / f"{file}.gz", scratch / file) if path.is_file()]
        _check_counts(entry, marks)
        top = marks[0].parent
        others = [path for path in sorted(top.rglob("*")) if path.is_file() and path not in marks]
        for path in [*others, *marks]:
            target = cache / path.relative_to(scratch)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.replace(target)


def _check_counts(entry: DataSet, paths: list[Path]) -> None:
    if len(paths) != len(entry.files[0]):
        raise DownloadError(f"the source of {entry.name} did not hold its files; nothing was kept")
    found = _read(entry, paths)
    if isinstance(found, LabelledSet):
        counts = (len(found.train), len(found.test))
    elif isinstance(found, AdHocSet):
        counts = (len(found.documents), len(found.queries))
    else:
        counts = (len(found), int(found.included.sum()))
    if counts != entry.counts:
        raise DownloadError(f"the source of {entry.name} sent {counts} rows, expected {entry.counts}; nothing was kept")
