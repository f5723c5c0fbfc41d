"""The library's results as plain values for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from satchel.collection import (
        AddReport,
        FieldValues,
        Hit,
        Hits,
        Info,
        Interest,
        Mark,
        Reasons,
        Training,
        TrainingReport,
    )
    from satchel.collection.mapping import CollectionMap
    from satchel.feedback import Lesson


def info_as_json(name: str, info: Info, read_only: bool, has_map: bool) -> dict[str, Any]:
    return {
        "name": name,
        "documents": info.n_documents,
        "bytes": info.n_bytes,
        "features": info.n_features,
        "model": info.model,
        "learned_from": info.trainings[-1].learned_from if info.trainings else None,
        "fields": dict(info.fields),
        "marks": info.n_marks,
        "interests": len(info.interests),
        "advice": info.advice,
        "read_only": read_only,
        "has_map": has_map,
    }


def field_as_json(field: FieldValues) -> dict[str, Any]:
    return {
        "name": field.name,
        "values": [{"value": one.value, "count": one.n_documents} for one in field.values],
        "distinct": field.n_distinct,
        "numeric": field.numeric,
        "from": field.least,
        "to": field.most,
    }


def training_as_json(training: Training) -> dict[str, Any]:
    return training._asdict() | {"details": dict(training.details)}


def hits_as_json(hits: Hits, seconds: float) -> dict[str, Any]:
    return {
        "hits": [_hit_as_json(hit) for hit in hits],
        "total": hits.total,
        "query": hits.query,
        "learned": list(hits.learned),
        "lessons": {
            "up": [_lesson_as_json(lesson) for lesson in hits.lessons.up],
            "down": [_lesson_as_json(lesson) for lesson in hits.lessons.down],
        },
        "marks": dict(hits.marks),
        "weights": _weights_as_json(hits.weights),
        "seconds": round(seconds, 6),
    }


def _hit_as_json(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.id,
        "rank": hit.rank,
        "earlier_rank": hit.earlier_rank,
        "score": hit.score,
        "title": hit.title,
        "snippet": {"text": hit.snippet.text, "matches": hit.snippet.matches},
        "source": hit.source,
        "fields": dict(hit.fields),
        "mark": hit.mark,
        "reasons": _reasons_as_json(hit.reasons),
    }


def _reasons_as_json(reasons: Reasons) -> dict[str, Any]:
    return {
        "matches": reasons.matches,
        "words": [{"word": word.word, "contribution": word.contribution} for word in reasons.words],
        "themes": [theme._asdict() for theme in reasons.themes],
        "lexical": reasons.lexical,
        "semantic": reasons.semantic,
    }


def _lesson_as_json(lesson: Lesson) -> dict[str, Any]:
    return {"theme": lesson.theme, "words": list(lesson.words), "change": float(lesson.change)}


def _weights_as_json(weights: Any) -> dict[str, float]:
    return {str(theme): float(weight) for theme, weight in weights.items()}


def mark_as_json(mark: Mark) -> dict[str, Any]:
    return mark._asdict()


def marks_as_json(marks: Sequence[Mark]) -> dict[str, Any]:
    """Marks that were made or taken back together: the last of them, and the ids of all."""
    return mark_as_json(marks[-1]) | {"ids": [mark.id for mark in marks]} if marks else {"id": None}


def interest_as_json(interest: Interest) -> dict[str, Any]:
    return {
        "name": interest.name,
        "query": interest.query,
        "filters": dict(interest.filters),
        "weights": _weights_as_json(interest.weights),
        "marks": dict(interest.marks),
        "created": interest.created,
        "new": interest.new,
    }


def add_report_as_json(report: AddReport) -> dict[str, Any]:
    return {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "skipped": [{"source": one.source, "reason": one.reason} for one in report.skipped],
        "advice": report.advice,
    }


def training_report_as_json(report: TrainingReport) -> dict[str, Any]:
    return report._asdict()


def map_as_json(found: CollectionMap, fields: Mapping[str, int]) -> dict[str, Any]:
    """Places are rounded to four digits: a ten-thousandth of the map's side."""
    x, y = ([round(value, 4) for value in found.points[:, side].tolist()] for side in (0, 1))
    regions = [{"x": region.x, "y": region.y, "words": list(region.words)} for region in found.regions]
    return {"ids": found.ids, "x": x, "y": y, "regions": regions, "fields": dict(fields)}
