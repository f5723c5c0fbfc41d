"""Exports projects as plain values for JSON, and imports them into another collection."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from satchel.errors import DamagedFileError, InputError, MissingFileError
from satchel.projects.marks import VALUES, Mark, keep_texts, kept_marks, looked_up, plain_query, write_marks
from satchel.projects.project import Project, read_project, read_projects, save_project
from satchel.store import DiaryRow, Store, model_fingerprint

FORMAT, VERSION = "satchel-projects", 1
FIRST_FORMAT = "satchel-interests"
"""The name in files of the first version of Satchel."""
GIVEN = "what was given"
LATEST = 253_402_300_799.0
"""The end of the year 9999 in seconds since 1970; Python's dates end there."""


def projects_as_json(store: Store, names: Iterable[str] | None, texts: bool) -> dict[str, Any]:
    """Projects with their marks. texts: add the texts of marked documents, so that another collection can learn too."""
    chosen = read_projects(store) if names is None else [read_project(store, name) for name in names]
    written = [_as_json(store, one, texts) for one in chosen]
    return {"format": FORMAT, "version": VERSION, "model": model_fingerprint(store), "projects": written}


def import_projects(store: Store, content: object, where: str = GIVEN) -> list[str]:
    """Imports exported projects; -> their names. If a project of that name exists, it gets the marks of both.

    If both have a mark on a document, the later one counts. Weights of themes are kept only if this collection has
    exactly the model that they were made for. where: the name of the content in messages.
    """
    read = checked(content, where)
    same_model = read.get("model") == model_fingerprint(store)
    names = []
    for entry in read["projects"]:
        weights = {int(codeword): value for codeword, value in entry["weights"].items()} if same_model else {}
        save_project(store, entry["name"], entry["query"], entry["filters"], weights)
        known = {mark.id: mark for mark in kept_marks(store, project=entry["name"])}
        marks = [
            DiaryRow(0, one["id"], one["value"], plain_query(entry["query"]), entry["name"], float(one["time"]))
            for one in entry["marks"]
        ]
        write_marks(store, [mark for mark in marks if mark.id not in known or _is_later(mark, known[mark.id])], False)
        keep_texts(store, {one["id"]: one["text"] for one in entry["marks"] if one.get("text") is not None})
        names.append(entry["name"])
    return names


def _is_later(mark: DiaryRow, known: Mark) -> bool:
    return mark.value != known.value and mark.time > known.time


def _as_json(store: Store, project: Project, texts: bool) -> dict[str, Any]:
    marks = kept_marks(store, project=project.name)
    found = looked_up(store, [mark.id for mark in marks])[1] if texts else {}
    return {
        "name": project.name,
        "query": project.query,
        "filters": dict(project.filters),
        "weights": {str(codeword): weight for codeword, weight in project.weights.items()},
        "created": project.created,
        "marks": [
            {"id": mark.id, "value": mark.value, "time": mark.time}
            | ({"text": found[mark.id]} if mark.id in found else {})
            for mark in marks
        ],
    }


def checked(content: object, where: str = GIVEN) -> dict[str, Any]:
    """The content of a file of projects, checked; raises InputError or DamagedFileError if it is something else."""
    try:
        read: dict[str, Any] = dict(content)  # type: ignore[call-overload]
        if read.get("format") == FIRST_FORMAT:
            read = {**read, "format": FORMAT, "projects": read["interests"]}
        if read["format"] != FORMAT:
            raise InputError(f"{where} holds no projects; give a file that `satchel project export` wrote")
        if read["version"] > VERSION:
            newer = f"{where} has format version {read['version']}, newer than {VERSION}"
            raise InputError(f"{newer}; install a newer Satchel")
        for entry in read["projects"]:
            _check(entry)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedFileError(f"{where} is damaged or holds no projects ({error}); export them again") from error
    return read


def read_file(path: Path) -> object:
    """The content of a file of projects, not yet checked."""
    if not path.is_file():
        raise MissingFileError(f"no file of projects at {path}")
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise DamagedFileError(f"{path} is damaged or holds no projects ({error}); export them again") from error


def _check(entry: dict[str, Any]) -> None:
    """Raises ValueError, KeyError or TypeError if a part of a project is missing or of the wrong type."""
    if not isinstance(entry["name"] + entry["query"], str) or not isinstance(entry["filters"], dict):
        raise TypeError("a name, a query or filters are missing")
    _ = {int(codeword): float(weight) for codeword, weight in entry["weights"].items()}
    for mark in entry["marks"]:
        if mark["value"] not in VALUES or not isinstance(mark["id"] + (mark.get("text") or ""), str):
            raise ValueError(f"unknown mark {mark['value']!r}; choose from {', '.join(VALUES)}")
        if not 0 <= float(mark["time"]) <= LATEST:
            raise ValueError(f"the time of a mark is {mark['time']!r}, which is not a time")
