"""Reads and writes judged queries: folders in BEIR's form, and judgments in TREC's four columns or BEIR's three."""

import json
from collections.abc import Iterator
from numbers import Integral
from pathlib import Path
from typing import Literal

from satchel.datasets.labelled import string
from satchel.datasets.types import AdHocSet, Documents, Queries
from satchel.errors import InputError, MissingFileError, unknown_name
from satchel.importing import sound_rows
from satchel.storage import damaged, read_lines, write_lines
from satchel.text import title_first
from satchel.types import Judgments


def read_beir(folder: Path, name: str | None = None) -> AdHocSet:
    """Reads a folder in BEIR's form; a single qrels.tsv counts as the split "test"."""
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
    """Reads JSON lines with "_id", "text" and perhaps "title"."""
    ids, texts, titles = [], [], []
    for number, id_, text, title in _rows(path):
        if not id_:
            raise damaged(path, number, "the id is empty")
        ids.append(id_)
        titles.append(title)
        texts.append(title_first(title, text))
    return Documents(ids, texts, titles)


def read_queries(path: Path) -> Queries:
    """Reads JSON lines with "_id" and "text"."""
    rows = list(_rows(path))
    return Queries([id_ for _, id_, _, _ in rows], [text for _, _, text, _ in rows])


def write_beir(
    folder: Path, documents: list[tuple[str, str, str]], queries: list[tuple[str, str]], judgments: Judgments
) -> None:
    """Writes a folder in BEIR's form from rows (id, title, text) and (id, text)."""
    corpus = (json.dumps({"_id": i, "title": title, "text": text}, ensure_ascii=False) for i, title, text in documents)
    write_lines(folder / "corpus.jsonl.gz", corpus)
    query_lines = (json.dumps({"_id": i, "text": text}, ensure_ascii=False) for i, text in queries)
    write_lines(folder / "queries.jsonl.gz", query_lines)
    pairs = (f"{query}\t{document}\t{grade}" for query, row in judgments.items() for document, grade in row.items())
    write_lines(folder / "qrels.tsv.gz", [BEIR_HEADER, *pairs])


def _rows(path: Path) -> Iterator[tuple[int, str, str, str]]:
    seen: set[str] = set()
    for number, row in sound_rows(path, "jsonl"):
        id_ = string(path, number, row, "_id")
        if id_ in seen:
            raise damaged(path, number, f"the id {id_!r} appears twice")
        seen.add(id_)
        yield number, id_, string(path, number, row, "text"), string(path, number, row, "title", "")


def _present(folder: Path, name: str) -> Path:
    for path in (folder / f"{name}.gz", folder / name):
        if path.is_file():
            return path
    raise MissingFileError(f"{folder} holds no {name} or {name}.gz; it is not a folder in BEIR's form")


def _judgment_files(folder: Path) -> list[tuple[str, Path]]:
    found = {path.name.split(".tsv")[0]: path for path in sorted(folder.glob("qrels/*.tsv*"))}
    return list(found.items()) or [("test", _present(folder, "qrels.tsv"))]


BEIR_HEADER = "query-id\tcorpus-id\tscore"
FORMS = ("trec", "beir")


def read_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Reads TREC qrels (query, iteration, document, grade) or BEIR's tsv (query, document, grade, with a header).

    The first line decides which: TREC has four columns, BEIR three. BEIR's header may be missing. Grades are whole
    numbers; a pair that is judged twice must have the same grade both times.
    """
    path = Path(path)
    judgments: dict[str, dict[str, int]] = {}
    width = 0
    for number, line in read_lines(path):
        columns = line.split("\t") if line.count("\t") == 2 else line.split()
        if not columns or (width == 0 and _is_header(columns)):
            continue
        width = width or len(columns)
        if len(columns) != width or width not in (3, 4):
            expected = width if width in (3, 4) else "3 (BEIR) or 4 (TREC)"
            raise damaged(path, number, f"has {len(columns)} columns, expected {expected}")
        grade = _grade(path, number, columns[-1])
        if judgments.setdefault(columns[0], {}).setdefault(columns[-2], grade) != grade:
            raise damaged(path, number, f"judges query {columns[0]!r}, document {columns[-2]!r} again, differently")
    return judgments


def write_judgments(path: Path, judgments: Judgments, form: Literal["trec", "beir"] = "trec") -> None:
    """Writes judgments in the given order; as gzip if the name ends in .gz."""
    if form not in FORMS:
        raise unknown_name("form of judgments", form, FORMS)
    lines = [] if form == "trec" else [BEIR_HEADER]
    for query, grades in judgments.items():
        for document, grade in grades.items():
            _check_id(query, form)
            _check_id(document, form)
            _check_grade(query, document, grade)
            lines.append(f"{query} 0 {document} {grade}" if form == "trec" else f"{query}\t{document}\t{grade}")
    write_lines(Path(path), lines)


def _is_header(columns: list[str]) -> bool:
    return len(columns) == 3 and columns[0].lower() in ("query-id", "query_id", "qid")


def _grade(path: Path, number: int, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise damaged(path, number, f"the grade is {value!r}, expected a whole number") from None


def _check_grade(query: str, document: str, grade: object) -> None:
    if isinstance(grade, bool) or not isinstance(grade, Integral):
        raise InputError(f"the grade of query {query!r}, document {document!r} is {grade!r}; expected a whole number")


def _check_id(name: str, form: str) -> None:
    if not isinstance(name, str):
        raise InputError(f"the id {name!r} is of type {type(name).__name__}; ids are strings")
    apart = name.split() if form == "trec" else [part for part in name.splitlines() if "\t" not in part]
    if apart != [name]:
        raise InputError(
            f"the id {name!r} cannot stand in a {form} file; white space separates columns there; rename it"
        )
