"""What a collection holds, in numbers."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from satchel.collection import drift
from satchel.collection.adding import count
from satchel.collection.file import CollectionFile
from satchel.collection.marks import marks_in_force
from satchel.collection.model_files import model_number
from satchel.collection.schema import VERSION


class Training(NamedTuple):
    """How a model came to be. learned_from: "texts", "labels", "marks", or "given"."""

    model: int
    time: float
    learned_from: str
    n_documents: int
    seconds: float
    details: Mapping[str, object]


class Info(NamedTuple):
    """What is in the file. fields: name -> how many documents have it. unknown_words: the share of the words in
    documents added since the model was learned that it does not know. advice: where the model has become old."""

    path: Path
    n_bytes: int
    version: int
    n_documents: int
    n_features: int
    model: int
    trainings: tuple[Training, ...]
    fields: Mapping[str, int]
    n_marks: int
    interests: tuple[str, ...]
    last_added: float | None
    unknown_words: float
    advice: str

    def rows(self) -> list[tuple[str, str]]:
        """Names and values to show."""
        learned = self.trainings[-1].learned_from if self.trainings else "none yet"
        return [
            ("file", str(self.path)),
            ("documents", f"{self.n_documents:,}"),
            ("size", f"{self.n_bytes / 1e6:,.1f} MB"),
            ("model", f"{learned}, {self.n_features} numbers a document" if self.model else learned),
            ("fields", ", ".join(self.fields) or "none"),
            ("marks", f"{self.n_marks:,}"),
            ("interests", ", ".join(self.interests) or "none"),
            *([("advice", self.advice)] if self.advice else []),
        ]

    def __str__(self) -> str:
        return "\n".join(f"{name:<10} {value}" for name, value in self.rows())

    def _repr_html_(self) -> str:
        rows = (f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in self.rows())
        return f"<table>{''.join(rows)}</table>"


def read_info(file: CollectionFile) -> Info:
    """All of it is of one moment."""
    sizes = file.value("SELECT length(vector) FROM vectors LIMIT 1")
    fields = file.rows("SELECT name, count(DISTINCT number) FROM fields GROUP BY name ORDER BY 2 DESC, name")
    trainings = file.rows("SELECT * FROM trainings ORDER BY model")
    journal = file.path.with_name(file.path.name + "-wal")
    return Info(
        path=file.path,
        n_bytes=file.path.stat().st_size + (journal.stat().st_size if journal.exists() else 0),
        version=VERSION,
        n_documents=count(file),
        n_features=0 if sizes is None else int(sizes) // 4,
        model=model_number(file),
        trainings=tuple(Training(*row)._replace(details=json.loads(row[5])) for row in trainings),
        fields=dict(fields),
        n_marks=len(marks_in_force(file)),
        interests=tuple(name for (name,) in file.rows("SELECT name FROM interests ORDER BY name")),
        last_added=file.value("SELECT max(added) FROM documents"),
        unknown_words=drift.words_since(file).share,
        advice=drift.advice(file),
    )
