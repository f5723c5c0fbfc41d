"""What leaves a collection: hits, marks and documents as rows, vectors as arrays, the model as its folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from satchel.collection.export_forms import WRITERS, Record
from satchel.collection.file import CollectionFile
from satchel.collection.hits import Hit, Hits
from satchel.collection.interests import read_interest
from satchel.collection.marks import marks_in_force
from satchel.collection.model_files import copy_model
from satchel.collection.space import Space
from satchel.datasets.lines import write_lines
from satchel.errors import InputError, missing_extra, one_of

What: TypeAlias = Literal["hits", "marks", "documents", "vectors", "model"]
FORMS: dict[str, tuple[str, ...]] = {
    "hits": ("csv", "jsonl", "ris", "trec"),
    "marks": ("csv", "jsonl", "ris", "qrels"),
    "documents": ("csv", "jsonl", "ris"),
    "vectors": ("npy", "parquet"),
    "model": ("folder",),
}
"""What can be exported, and in which forms; the first is taken where the file's ending names none of them."""
_OTHERS = {form for forms in FORMS.values() for form in forms} | {"bib", "docx", "html", "pdf", "tsv", "xls", "xlsx"}
"""Endings that promise something: nothing else is written under them."""


def export(
    file: CollectionFile,
    space: Callable[[], Space],
    path: Path,
    what: What,
    form: str | None,
    hits: Hits | None,
    interest: str | None,
) -> int:
    """Writes a file, whole or not at all, or a folder; -> how many rows it has. space: asked for where vectors are."""
    one_of("export", what, get_args(What))
    form = form or _form_of(path, what)
    one_of(f"form of {what}", form, FORMS[what])
    if path.resolve() == file.path.resolve():
        raise InputError(f"{path} is the collection itself; export to another file")
    if what != "model" and path.is_dir():
        raise InputError(f"{path} is a folder; give the name of a file to write {what} to")
    if what == "model":
        copy_model(file, path)
        return 1
    if what == "vectors":
        return _write_vectors(file, space(), path, form)
    if what == "documents":
        WRITERS[form](path, _document_rows(file))
        return int(file.value("SELECT count(*) FROM documents"))
    rows = list(_hit_rows(file, hits) if what == "hits" else _mark_rows(file, interest))
    WRITERS[form](path, rows)
    return len(rows)


def _form_of(path: Path, what: str) -> str:
    endings = [ending.lstrip(".").lower() for ending in path.suffixes if ending != ".gz"]
    ending = endings[-1] if endings else ""
    alike = {"run": "trec", "ndjson": "jsonl", "json": "jsonl"}.get(ending, ending)
    if alike not in FORMS[what] and alike in _OTHERS and what != "model":
        raise InputError(f"{what} are not written as .{ending}; choose from {', '.join(FORMS[what])}")
    return alike if alike in FORMS[what] else FORMS[what][0]


def _hit_rows(file: CollectionFile, hits: Hits | None) -> Iterator[Record]:
    if hits is None:
        raise InputError("give the hits to export: export(path, 'hits', hits=collection.search(…))")
    texts = _texts(file, [hit.id for hit in hits])
    for hit in hits:
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


def _mark_rows(file: CollectionFile, interest: str | None) -> Iterator[Record]:
    if interest is not None:
        read_interest(file, interest)
    marks = marks_in_force(file, interest=interest)
    found = {row["id"]: row for row in _document_rows(file, [mark.id for mark in marks])}
    for mark in marks:
        document = found.get(mark.id, {"title": "", "text": "", "fields": {}})
        yield {
            "id": mark.id,
            "value": mark.value,
            "query": mark.query,
            "interest": mark.interest,
            "time": datetime.fromtimestamp(mark.time, UTC).isoformat(timespec="seconds"),
            "title": document["title"],
            "text": document["text"],
            "fields": document["fields"],
        }


def _document_rows(file: CollectionFile, ids: Sequence[str] | None = None) -> Iterator[Record]:
    among = "" if ids is None else "WHERE id IN (SELECT value FROM json_each(?))"
    values = [] if ids is None else [json.dumps(ids)]
    for row in file.run(f"SELECT id, title, text, source, fields FROM documents {among} ORDER BY id", *values):
        yield dict(zip(("id", "title", "text", "source"), row[:4], strict=True)) | {"fields": json.loads(row[4])}


def _texts(file: CollectionFile, ids: Sequence[str]) -> dict[str, str]:
    return {str(row["id"]): str(row["text"]) for row in _document_rows(file, ids)}


def _write_vectors(file: CollectionFile, space: Space, path: Path, form: str) -> int:
    """Rows in the order of ids. Beside an .npy file a list of the ids is written, `NAME.ids.json`."""
    if space.encoder is None:
        raise InputError(f"{file.path} has no vectors yet; add documents with words first")
    ids = [id_ for (id_,) in file.rows("SELECT id FROM documents ORDER BY id")]
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if form == "npy":
            with part.open("wb") as stream:
                np.save(stream, space.vectors, allow_pickle=False)
            write_lines(path.with_name(f"{path.stem}.ids.json"), [json.dumps(ids, ensure_ascii=False)])
        else:
            _write_parquet(part, ids, space)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return len(ids)


def _write_parquet(path: Path, ids: list[str], space: Space) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("writing Parquet files", "parquet") from None
    values = pyarrow.array(space.vectors.reshape(-1))
    rows = pyarrow.FixedSizeListArray.from_arrays(values, space.vectors.shape[1])
    pyarrow.parquet.write_table(pyarrow.table({"id": ids, "vector": rows}), path)
