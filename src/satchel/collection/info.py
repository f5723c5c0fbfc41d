"""What a collection holds, in numbers."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from satchel.collection.model import advice, words_since
from satchel.projects import kept_marks
from satchel.store import ProjectRow, Store, TrainingRow


class TrainingRecord(NamedTuple):
    """How a model was made. learned_from: "texts", "labels", "marks" or "given"."""

    model: int
    time: float
    learned_from: str
    n_documents: int
    seconds: float
    details: Mapping[str, object]


class Info(NamedTuple):
    """A collection in numbers. fields: name -> how many documents have it. unknown_words: the share of unknown words in
    documents added since the model was learned. advice: a sentence if the model has become old."""

    path: Path
    n_bytes: int
    version: int
    n_documents: int
    n_features: int
    model: int
    trainings: tuple[TrainingRecord, ...]
    fields: Mapping[str, int]
    n_marks: int
    projects: tuple[str, ...]
    last_added: float | None
    unknown_words: float
    advice: str

    def rows(self) -> list[tuple[str, str]]:
        """The names and values to show."""
        learned = self.trainings[-1].learned_from if self.trainings else "none yet"
        return [
            ("file", str(self.path)),
            ("documents", f"{self.n_documents:,}"),
            ("size", f"{self.n_bytes / 1e6:,.1f} MB"),
            ("model", f"{learned}, {self.n_features} numbers a document" if self.model else learned),
            ("fields", ", ".join(self.fields) or "none"),
            ("marks", f"{self.n_marks:,}"),
            ("projects", ", ".join(self.projects) or "none"),
            *([("advice", self.advice)] if self.advice else []),
        ]

    def __str__(self) -> str:
        return "\n".join(f"{name:<10} {value}" for name, value in self.rows())

    def _repr_html_(self) -> str:
        rows = (f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in self.rows())
        return f"<table>{''.join(rows)}</table>"


def read_info(store: Store) -> Info:
    """Reads the numbers of a collection, all of one moment."""
    summary = store.summary()
    return Info(
        path=store.path,
        n_bytes=summary.n_bytes,
        version=summary.version,
        n_documents=store.count(),
        n_features=summary.n_features,
        model=store.state().model,
        trainings=tuple(TrainingRecord(*row[:5], json.loads(row.details)) for row in store.rows(TrainingRow)),
        fields=store.field_names(),
        n_marks=len(kept_marks(store)),
        projects=tuple(row.name for row in store.rows(ProjectRow)),
        last_added=summary.last_added,
        unknown_words=words_since(store).share,
        advice=advice(store),
    )
