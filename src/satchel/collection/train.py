"""Trains the model again on texts, labels or marks. The old model is used until the new one is ready."""

from __future__ import annotations

import json
import time
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from satchel.collection.model import (
    count_unknown,
    default_encoder,
    encode,
    learning_step,
    start_watching,
    take_model,
)
from satchel.collection.reading import TextsOfStore
from satchel.encoders import BagOfEmbeddedWords
from satchel.errors import CollectionError, InputError
from satchel.progress import Progress
from satchel.projects import Mark, kept_marks
from satchel.store import Store, load_model
from satchel.types import GRADES

if TYPE_CHECKING:
    from satchel.feedback import MarkedNeed


class TrainingReport(NamedTuple):
    """The result of training. learned_from: "texts", "labels" or "marks". n_told: documents with a label or a mark.
    model: the number of the new model. details: what the training itself reports, such as the number of steps."""

    learned_from: str
    n_documents: int
    n_told: int
    seconds: float
    model: int
    details: dict[str, object]

    def __str__(self) -> str:
        described = "" if self.learned_from == "texts" else f", {self.n_told:,} of them with {self.learned_from}"
        return f"learned from {self.n_documents:,} documents{described} in {self.seconds:.1f} s"


class _Material(NamedTuple):
    """The documents of one moment: ids, texts and fields."""

    ids: list[str]
    texts: list[str]
    fields: list[str]
    marks: list[Mark]
    model: int
    encoder: BagOfEmbeddedWords


class _Learned(NamedTuple):
    encoder: BagOfEmbeddedWords
    n_told: int
    details: dict[str, object]


def train(
    store: Store, labels: str | None, marks: bool, encoder: BagOfEmbeddedWords | None, on_progress: Progress
) -> TrainingReport:
    """Learns outside any transaction, then replaces model and vectors in one transaction."""
    if labels is not None and marks:
        raise InputError("train on labels or on marks, not on both at once")
    with store.reading():
        material = _read(store, encoder, marks)
    on_progress("learning the model", 0, 0)
    started = time.perf_counter()
    learned = _from_marks(material) if marks else _from_labels(material, labels) if labels else _from_texts(material)
    seconds = time.perf_counter() - started
    kind = "marks" if marks else "labels" if labels else "texts"
    details = learned.details | ({"field": labels} if labels else {})
    number = _swap(store, material.model, learned.encoder, kind, seconds, details, on_progress)
    return TrainingReport(kind, len(material.ids), learned.n_told, seconds, number, details)


def _read(store: Store, encoder: BagOfEmbeddedWords | None, with_marks: bool) -> _Material:
    marks = kept_marks(store) if with_marks else []
    marked, step = {mark.id for mark in marks}, learning_step(store.count())
    chosen = [one for place, one in enumerate(store.scan()) if place % step == 0 or one.id in marked]
    if not chosen:
        raise InputError(f"{store.path} has no documents to learn from; add some first")
    start = encoder if encoder is not None else _same_kind(store)
    ids, fields = [one.id for one in chosen], [one.fields for one in chosen]
    return _Material(ids, TextsOfStore(store).texts(chosen), fields, marks, store.state().model, start)


def _same_kind(store: Store) -> BagOfEmbeddedWords:
    """An unfitted encoder with the parameters of the present model."""
    from sklearn.base import clone

    model = load_model(store)
    if model is None:
        return default_encoder(None, int(store.note("random_state", 0)))
    if not isinstance(model, BagOfEmbeddedWords):
        raise InputError(f"the model of {store.path} is {type(model).__name__}; training needs a BagOfEmbeddedWords")
    fresh: BagOfEmbeddedWords = clone(model)
    return fresh


def _from_texts(material: _Material) -> _Learned:
    return _Learned(material.encoder.fit(material.texts), 0, {})


def _from_labels(material: _Material, field: str) -> _Learned:
    values = [json.loads(fields).get(field) for fields in material.fields]
    labels = [None if value in ("", []) else value for value in values]
    n_labelled = sum(label is not None for label in labels)
    if not n_labelled:
        names = sorted({name for fields in material.fields for name in json.loads(fields)})
        there = f"the fields are {', '.join(names)}" if names else "the documents have no fields"
        raise InputError(f"no document has a field {field!r}; {there}")
    fitted = material.encoder.fit(material.texts, labels)
    classes = {one for label in labels if label is not None for one in (label if isinstance(label, list) else [label])}
    return _Learned(fitted, n_labelled, {"classes": len(classes), "strength": fitted.strength_})


def _from_marks(material: _Material) -> _Learned:
    from satchel.feedback import train_on_marks

    places = {id_: place for place, id_ in enumerate(material.ids)}
    here = [mark for mark in material.marks if mark.id in places]
    if not here:
        raise InputError("no document of the collection is marked; mark hits first")
    trained = train_on_marks(material.encoder, material.texts, list(_as_needs(here, places)))
    n_marked = len({mark.id for mark in here})
    labels = trained.labels or []
    names = {name for of_text in labels for name in of_text or ()}
    return _Learned(trained.encoder, n_marked, {"classes": len(names), "step": trained.step})


def _as_needs(marks: Iterable[Mark], places: dict[str, int]) -> Iterable[MarkedNeed]:
    """The marks of each project, and those of each query without a project."""
    from satchel.feedback import MarkedNeed

    groups: dict[tuple[Hashable | None, str], list[Mark]] = {}
    for mark in marks:
        groups.setdefault((mark.project, "" if mark.project is not None else mark.query), []).append(mark)
    for (name, _), own in groups.items():
        relevant = [mark for mark in own if mark.value != "irrelevant"]
        irrelevant = [mark for mark in own if mark.value == "irrelevant"]
        yield MarkedNeed(
            name,
            [places[mark.id] for mark in relevant],
            [places[mark.id] for mark in irrelevant],
            [_sureness(mark) for mark in relevant],
            [_sureness(mark) for mark in irrelevant],
        )


def _swap(
    store: Store,
    old: int,
    encoder: BagOfEmbeddedWords,
    kind: str,
    seconds: float,
    details: dict[str, object],
    on_progress: Progress,
) -> int:
    """Replaces model and vectors together, including documents added meanwhile; -> the new model's number."""
    with store.writing():
        if store.state().model != old:
            raise CollectionError(
                f"{store.path} was trained by another program meanwhile; train again if you still want to"
            )
        store.next_change()
        number = take_model(store, encoder, kind, seconds, details)
        encode(store, encoder, on_progress)
        start_watching(store, count_unknown(store, encoder))
        return number


def _sureness(mark: Mark) -> float:
    """The weight of a mark without its sign."""
    return abs(GRADES[mark.value])  # type: ignore[index]
