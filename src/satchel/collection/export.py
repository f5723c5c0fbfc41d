"""Exports: rows in forms that other programs read, and vectors as an array."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from satchel.errors import InputError, missing_extra, one_of
from satchel.projects import Mark, kept_marks, read_project
from satchel.search import Hit, Hits
from satchel.storage import write_lines
from satchel.store import Store, StoredDocument
from satchel.types import EXPORTED, FloatArray

Record: TypeAlias = Mapping[str, Any]
"""A row: column name -> plain value; "fields" is a mapping, "query" is present only if there is a query."""

_RIS_TAGS = {"authors": "AU", "keywords": "KW", "year": "PY", "journal": "JO", "doi": "DO", "url": "UR"}


def csv_lines(rows: Iterable[Record]) -> Iterator[str]:
    """CSV with one column per name, in the order of first use; fields become columns after the others."""
    table = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in table for name in row))
    yield _csv_line(names)
    for row in table:
        yield _csv_line([row.get(name, "") for name in names])


def json_lines(rows: Iterable[Record]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False)


def ris_lines(rows: Iterable[Record]) -> Iterator[str]:
    """RIS for reference managers: title, abstract and the fields that RIS has a tag for; a mark becomes a note."""
    for row in rows:
        yield from _ris(row)


def run_lines(rows: Iterable[Record]) -> Iterator[str]:
    """`query Q0 document rank score tag`; white space within ids and queries becomes an underscore."""
    for row in rows:
        yield f"{_token(row['query'])} Q0 {_token(row['id'])} {row['rank']} {row['score']!r} satchel"


def judgment_lines(rows: Iterable[Record]) -> Iterator[str]:
    """`query 0 document grade`: relevant 2, maybe 1, irrelevant 0; a project's name replaces its query."""
    for row in rows:
        yield f"{_token(row['project'] or row['query'])} 0 {_token(row['id'])} {EXPORTED[row['value']]}"


LINES: dict[str, Callable[[Iterable[Record]], Iterator[str]]] = {
    "csv": csv_lines,
    "jsonl": json_lines,
    "ris": ris_lines,
    "trec": run_lines,
    "qrels": judgment_lines,
}
"""The lines of each form, without their ends."""


def _flat(row: Record) -> dict[str, Any]:
    own = {name: _cell(value) for name, value in row.items() if name != "fields"}
    fields = {name: _cell(value) for name, value in row.get("fields", {}).items()}
    return own | {name if name not in own else f"{name} (field)": value for name, value in fields.items()}


def _cell(value: Any) -> Any:
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else value


def _csv_line(cells: list[Any]) -> str:
    line, end = io.StringIO(), "\r\n"  # the writer quotes cells that contain characters of the line end
    csv.writer(line, lineterminator=end).writerow(cells)
    return line.getvalue().removesuffix(end)


def _ris(row: Record) -> Iterator[str]:
    fields = row.get("fields", {})
    yield f"TY  - {_one_line(fields.get('type') or 'GEN')}"
    yield f"ID  - {_one_line(row['id'])}"
    if row.get("title"):
        yield f"TI  - {_one_line(row['title'])}"
    for name, tag in _RIS_TAGS.items():
        value = fields.get(name)
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            yield f"{tag}  - {_one_line(one)}"
    if row.get("text"):
        yield f"AB  - {_one_line(row['text'])}"
    if verdict := row.get("value") or row.get("mark"):
        yield f"N1  - {verdict}"
    yield "ER  - "
    yield ""


def _one_line(value: object) -> str:
    return " ".join(str(value).split())


def _token(name: object) -> str:
    """A name without spaces: TREC files use spaces between columns."""
    return "_".join(str(name).split()) or "_"


T = TypeVar("T")
What: TypeAlias = Literal["hits", "marks", "documents", "vectors", "model"]
FORMS: dict[str, tuple[str, ...]] = {
    "hits": ("csv", "jsonl", "ris", "trec"),
    "marks": ("csv", "jsonl", "ris", "qrels"),
    "documents": ("csv", "jsonl", "ris"),
    "vectors": ("npy", "parquet"),
    "model": ("folder",),
}
"""What can be exported -> its forms; the first is used if the file's ending names none of them."""
_OTHERS = {form for forms in FORMS.values() for form in forms} | {"bib", "docx", "html", "pdf", "tsv", "xls", "xlsx"}
"""Endings with a fixed meaning; no other form is written to files with them."""
_AT_ONCE = 500


def form_of(path: Path, what: str, form: str | None = None) -> str:
    """The given form, or the form of the file's ending; raises InputError if `what` cannot have it."""
    one_of("export", what, FORMS)
    if form is not None:
        one_of(f"form of {what}", form, FORMS[what])
        return form
    endings = [ending.lstrip(".").lower() for ending in path.suffixes if ending != ".gz"]
    ending = endings[-1] if endings else ""
    alike = {"run": "trec", "ndjson": "jsonl", "json": "jsonl"}.get(ending, ending)
    if alike not in FORMS[what] and alike in _OTHERS and what != "model":
        raise InputError(f"{what} are not written as .{ending}; choose from {', '.join(FORMS[what])}")
    return alike if alike in FORMS[what] else FORMS[what][0]


def exported_rows(store: Store, what: str, hits: Hits | None = None, project: str | None = None) -> Iterator[Record]:
    """Hits, marks or documents as rows of plain values, each with text and fields."""
    if what == "hits":
        if hits is None:
            raise InputError("give the hits to export: export(path, 'hits', hits=collection.search(…))")
        return _hit_rows(store, hits)
    return _mark_rows(store, project) if what == "marks" else _document_rows(store)


def exported_lines(
    store: Store, what: str, form: str, hits: Hits | None = None, project: str | None = None
) -> Iterator[str]:
    """Hits, marks or documents as lines in a form."""
    one_of(f"form of {what}", form, FORMS[what])
    return LINES[form](exported_rows(store, what, hits, project))


def exported_vectors(store: Store) -> tuple[list[str], FloatArray]:
    """Ids and vectors (n_documents, n_features), in the order of ids."""
    numbers = store.listed()
    vectors = store.vectors(numbers)
    if not vectors.shape[1]:
        raise InputError(f"{store.path} has no vectors yet; add documents with words first")
    return store.ids(), vectors


def write_rows(path: Path, form: str, rows: Iterable[Record]) -> int:
    """Writes rows to a file, completely or not at all; -> the number of rows."""
    n_rows = 0

    def counted() -> Iterator[Record]:
        nonlocal n_rows
        for row in rows:
            n_rows += 1
            yield row

    write_lines(path, LINES[form](counted()))
    return n_rows


def write_vectors(path: Path, form: str, ids: list[str], vectors: FloatArray) -> None:
    """Writes an .npy file and the list of ids, `NAME.ids.json`, or a Parquet file; completely or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if form == "npy":
            with part.open("wb") as stream:
                np.save(stream, vectors, allow_pickle=False)
            write_lines(path.with_name(f"{path.stem}.ids.json"), [json.dumps(ids, ensure_ascii=False)])
        else:
            part.write_bytes(parquet_bytes(ids, vectors))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def parquet_bytes(ids: list[str], vectors: FloatArray) -> bytes:
    """A Parquet file with the columns id and vector."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("writing Parquet files", "parquet") from None
    rows = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(vectors.reshape(-1)), vectors.shape[1])
    written = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"id": ids, "vector": rows}), written)
    return written.getvalue()


def _hit_rows(store: Store, hits: Hits) -> Iterator[Record]:
    for some in _parts(hits.hits):
        texts = {one.id: one.text for one in _documents(store, [hit.id for hit in some])}
        for hit in some:
            yield _hit_row(hit, hits.query, texts.get(hit.id, ""))


def _hit_row(hit: Hit, query: str, text: str) -> Record:
    return {
        "query": query,
        "rank": hit.rank,
        "id": hit.id,
        "score": hit.score,
        "title": hit.title,
        "snippet": str(hit.snippet),
        "source": hit.source,
        "mark": hit.mark,
        "reasons": str(hit.reasons),
        "text": text,
        "fields": hit.fields,
    }


def _mark_rows(store: Store, project: str | None) -> Iterator[Record]:
    if project is not None:
        read_project(store, project)
    for some in _parts(kept_marks(store, project=project)):
        found = {one.id: one for one in _documents(store, [mark.id for mark in some])}
        for mark in some:
            yield _mark_row(mark, found.get(mark.id))


def _mark_row(mark: Mark, document: StoredDocument | None) -> Record:
    return {
        "id": mark.id,
        "value": mark.value,
        "query": mark.query,
        "project": mark.project,
        "time": datetime.fromtimestamp(mark.time, UTC).isoformat(timespec="seconds"),
        "title": "" if document is None else document.title,
        "text": "" if document is None else document.text,
        "fields": {} if document is None else document.fields,
    }


def _document_rows(store: Store) -> Iterator[Record]:
    """All documents in the order of ids, some at a time."""
    for some in _parts(store.listed().tolist()):
        for one in store.documents(some):
            yield {"id": one.id, "title": one.title, "text": one.text, "source": one.source, "fields": one.fields}


def _parts(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Parts of the rows, so that only some texts are in memory."""
    return (rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE))


def _documents(store: Store, ids: Sequence[str]) -> list[StoredDocument]:
    return store.documents([known.number for known in store.known(ids).values()])
