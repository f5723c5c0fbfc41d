"""What requests are answered with, as the API's description tells it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

Fields = dict[str, Any]


class Failure(BaseModel):
    error: str


class Health(BaseModel):
    status: str
    version: str


class ValueAnswer(BaseModel):
    value: Any
    count: int


class FieldAnswer(BaseModel):
    """values: the frequent ones, most frequent first; from and to: where numbers begin and end."""

    name: str
    values: list[ValueAnswer]
    distinct: int
    numeric: bool
    from_: float | None = Field(alias="from")
    to: float | None


class CollectionInfo(BaseModel):
    """advice: a sentence where the model has become old; learned_from: texts, labels, marks, given, or nothing yet."""

    name: str
    documents: int
    bytes: int
    features: int
    model: int
    learned_from: str | None
    fields: dict[str, int]
    marks: int
    interests: int
    advice: str
    read_only: bool
    has_map: bool
    trainings: list[dict[str, Any]] | None = None


class SnippetAnswer(BaseModel):
    text: str
    matches: list[tuple[int, int]]


class WordAnswer(BaseModel):
    word: str
    contribution: float


class ThemeAnswer(BaseModel):
    codeword: int
    contribution: float
    words: list[str]


class ReasonsAnswer(BaseModel):
    matches: list[str]
    words: list[WordAnswer]
    themes: list[ThemeAnswer]
    lexical: float | None
    semantic: float | None


class HitAnswer(BaseModel):
    id: str
    rank: int
    earlier_rank: int | None
    score: float
    title: str
    snippet: SnippetAnswer
    source: str
    fields: Fields
    mark: str | None
    reasons: ReasonsAnswer


class LessonAnswer(BaseModel):
    theme: int
    words: list[str]
    change: float


class LessonsAnswer(BaseModel):
    up: list[LessonAnswer]
    down: list[LessonAnswer]


class SearchAnswer(BaseModel):
    hits: list[HitAnswer]
    total: int
    query: str
    learned: list[str]
    lessons: LessonsAnswer
    marks: dict[str, str]
    weights: dict[str, float]
    seconds: float


class PassageAnswer(BaseModel):
    start: int
    stop: int
    share: float


class DocumentAnswer(BaseModel):
    id: str
    title: str
    text: str
    fields: Fields
    source: str
    added: float
    matches: list[tuple[int, int]]
    passages: list[PassageAnswer]
    mark: str | None


class Removed(BaseModel):
    removed: int


class MarkAnswer(BaseModel):
    id: str | None
    value: str | None = None
    query: str | None = None
    interest: str | None = None
    time: float | None = None
    ids: list[str] | None = None


class MarkedAnswer(MarkAnswer):
    """found: what the search that came with the mark finds after it."""

    found: SearchAnswer | None = None


class InterestAnswer(BaseModel):
    """new: documents that came since it was last looked at."""

    name: str
    query: str
    filters: Fields
    weights: dict[str, float]
    marks: dict[str, str]
    created: float
    new: int


class Names(BaseModel):
    names: list[str]


class RemainingAnswer(BaseModel):
    expected: float
    low: float
    high: float


class ScreeningAnswer(BaseModel):
    documents: int
    marked: int
    relevant: int
    finds: list[int]
    remaining: RemainingAnswer | None
    chance: float | None


class RegionAnswer(BaseModel):
    x: float
    y: float
    words: list[str]


class MapAnswer(BaseModel):
    ids: list[str]
    x: list[float]
    y: list[float]
    regions: list[RegionAnswer]
    fields: dict[str, int]
    values: list[Any] | None = None


class ScoresAnswer(BaseModel):
    scores: list[float]


class JobStarted(BaseModel):
    job: str


class JobAnswer(BaseModel):
    id: str
    kind: str
    collection: str
    state: str
    step: str
    done: int
    total: int
    report: dict[str, Any] | None
    error: str | None
