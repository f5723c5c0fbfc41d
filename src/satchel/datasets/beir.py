"""Folders in BEIR's form: corpus.jsonl, queries.jsonl, qrels/<split>.tsv or one qrels.tsv; gzip or not."""

import json
from collections.abc import Iterator
from pathlib import Path

from satchel.datasets.judgments import BEIR_HEADER, read_judgments
from satchel.datasets.labelled import string
from satchel.datasets.types import AdHocSet, Documents, Queries
from satchel.errors import MissingFileError
from satchel.importing import sound_rows
from satchel.storage import damaged, write_lines
from satchel.text import title_first
from satchel.types import Judgments


def read_beir(folder: Path, name: str | None = None) -> AdHocSet:
    """Read a folder in BEIR's form; a single qrels.tsv counts as the split "test"."""
    folder = Path(folder)
    if not folder.is_dir():
        raise MissingFileError(f"there is no folder {folder}")
    return AdHocSet(
        name or folder.name,
        read_documents(_present(folder, "corpus.jsonl")),
        read_queries(_present(folder, "queries.jsonl")),
        {split: read_judgments(path) for split, path in _judgment_files(folder)},
    )


def read_documents(path: Path) -> Documents:
    """Read JSON lines with "_id", "text" and perhaps "title"."""
    ids, texts, titles = [], [], []
    for number, id_, text, title in _rows(path):
        if not id_:
            raise damaged(path, number, "the id is empty")
        ids.append(id_)
        titles.append(title)
        texts.append(title_first(title, text))
    return Documents(ids, texts, titles)


def read_queries(path: Path) -> Queries:
    """Read JSON lines with "_id" and "text"."""
    rows = list(_rows(path))
    return Queries([id_ for _, id_, _, _ in rows], [text for _, _, text, _ in rows])


def write_beir(
    folder: Path, documents: list[tuple[str, str, str]], queries: list[tuple[str, str]], judgments: Judgments
) -> None:
    """Write a folder in BEIR's form from (id, title, text) and (id, text) rows."""
    corpus = (json.dumps({"_id": i, "title": title, "text": text}, ensure_ascii=False) for i, title, text in documents)
    write_lines(folder / "corpus.jsonl.gz", corpus)
    asked = (json.dumps({"_id": i, "text": text}, ensure_ascii=False) for i, text in queries)
    write_lines(folder / "queries.jsonl.gz", asked)
    pairs = (f"{query}\t{document}\t{grade}" for query, row in judgments.items() for document, grade in row.items())
    write_lines(folder / "qrels.tsv.gz", [BEIR_HEADER, *pairs])


def _rows(path: Path) -> Iterator[tuple[int, str, str, str]]:
    seen: set[str] = set()
    for number, row in sound_rows(path, "jsonl"):
        id_ = string(path, number, row, "_id")
        if id_ in seen:
            raise damaged(path, number, f"the id {id_!r} stands there twice")
        seen.add(id_)
        yield number, id_, string(path, number, row, "text"), string(path, number, row, "title", "")


def _present(folder: Path, name: str) -> Path:
    for path in (folder / f"{name}.gz", folder / name):
        if path.is_file():
            return path
    raise MissingFileError(f"{folder} holds no {name} or {name}.gz; it is no folder in BEIR's form")


def _judgment_files(folder: Path) -> list[tuple[str, Path]]:
    found = {path.name.split(".tsv")[0]: path for path in sorted(folder.glob("qrels/*.tsv*"))}
    return list(found.items()) or [("test", _present(folder, "qrels.tsv"))]
