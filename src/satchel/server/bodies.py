"""What requests may hold: every part has a kind and a bound, and a part that is not known is refused."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, create_model, model_validator
from pydantic.config import JsonDict

from satchel.collection import MarkValue, Request
from satchel.query import MOST_CHARACTERS, MOST_IDS


def _whole(value: object) -> object:
    """In JSON 3.0 is a whole number, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Query: TypeAlias = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS)]
Id: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Name: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"\S")]
Theme: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,6}$")]
Weight: TypeAlias = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Weights: TypeAlias = Annotated[
    dict[Theme, Weight], Field(max_length=10_000, json_schema_extra={"additionalProperties": False})
]
Whole: TypeAlias = Annotated[int, Field(ge=-(2**53), le=2**53)]
Amount: TypeAlias = Annotated[float, Field(ge=-(2.0**53), le=2.0**53, allow_inf_nan=False)]
Text: TypeAlias = Annotated[str, StringConstraints(max_length=1_000)]
Value: TypeAlias = Text | bool | Whole | Amount


class Strict(BaseModel):
    """A body in which nothing is guessed: no text for a number, no part that is not listed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def plain(self) -> dict[str, Any]:
        """What was sent, as the library takes it."""
        return self.model_dump(by_alias=True, exclude_unset=True)


class SpanBody(Strict):
    """From one value to another, ends included; one of them may be left out."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"minProperties": 1})
    from_: Value = Field(default="", alias="from")
    to: Value = ""

    @model_validator(mode="after")
    def _has_an_end(self) -> SpanBody:
        if not self.model_fields_set:
            raise ValueError("a span needs from, to or both")
        return self


Filter: TypeAlias = Value | Annotated[list[Value], Field(max_length=1_000)] | SpanBody
Filters: TypeAlias = Annotated[dict[Annotated[str, StringConstraints(max_length=200)], Filter], Field(max_length=50)]
Coordinate: TypeAlias = Annotated[float, Field(ge=-10, le=10, allow_inf_nan=False)]


class ComparisonBody(Strict):
    """Marks and weights of another ranking."""

    marks: dict[Id, MarkValue] = Field(default={}, max_length=MOST_IDS)
    weights: Weights = {}


_NOT_NEW: JsonDict = {"properties": {"only_new": {"const": False}}}
_OF_A_PROJECT: JsonDict = {"required": ["project"], "properties": {"project": {"type": "string"}}}
"""What is new is asked for a project: one of these holds."""


class _Asked(Strict):
    """A search as it is sent; the fields are those of `satchel.query.Request`."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [_NOT_NEW, _OF_A_PROJECT]})

    def request(self) -> Request:
        """The same as the library takes it; raises InputError where the library refuses it."""
        return Request(**self.plain())

    def written(self) -> str:
        """As it travels: the same for searches that were sent alike."""
        return self.model_dump_json(by_alias=True, exclude_unset=True)


KINDS: dict[str, Any] = {
    "like": list[Id] | None,
    "filters": Filters | None,
    "relevant": list[Id],
    "irrelevant": list[Id],
    "maybe": list[Id],
    "project": Name | None,
    "weights": Weights | None,
    "area": Annotated[list[Coordinate], Field(min_length=4, max_length=4)] | None,
    "compare_with": ComparisonBody | None,
}
"""Fields that JSON spells otherwise than Python; all others have the type that the request has."""


def _field(name: str, hint: Any, default: object) -> tuple[Any, Any]:
    """A field of the request with its bounds: of a whole number, of the length of a text or of a list."""
    kind, told = get_args(hint)
    if kind is int:
        bounds = Field(ge=told.least, le=told.most, description=told.help)
        return Annotated[int, bounds, BeforeValidator(_whole)], default
    return Annotated[KINDS.get(name, kind), Field(max_length=told.most, description=told.help)], _as_list(default)


def _as_list(default: object) -> object:
    return list(default) if isinstance(default, tuple) else default


if TYPE_CHECKING:
    Search = _Asked
else:
    _HINTS = get_type_hints(Request, include_extras=True)
    Search = create_model(
        "Search",
        __base__=_Asked,
        __doc__=Request.__doc__,
        **{field.name: _field(field.name, _HINTS[field.name], field.default) for field in fields(Request)},
    )


class Marking(Strict):
    """A verdict on one document or on several, for a query or a project; "none" takes it away. search: what to find
    after it, in the same answer."""

    id: Id | None = None
    ids: list[Id] | None = Field(default=None, min_length=1, max_length=MOST_IDS)
    value: Literal["relevant", "maybe", "irrelevant", "none"]
    query: Query = ""
    project: Name | None = None
    search: Search | None = None

    @property
    def named(self) -> list[str]:
        return list(dict.fromkeys([*([self.id] if self.id is not None else []), *(self.ids or [])]))


class Undoing(Strict):
    """Whose last mark is taken back: that of a query, of a project, or the last of all; search as with a mark."""

    query: Query | None = None
    project: Name | None = None
    search: Search | None = None


class NewProject(Strict):
    """A query to be kept under a name."""

    name: Name
    query: Query = ""
    filters: Filters = {}
    weights: Weights = {}


class ProjectName(Strict):
    """A project by its name."""

    name: Name


class KeptMark(Strict):
    """A mark of a project that was exported; text: that of the document, so that it teaches elsewhere, too."""

    id: Id
    value: Literal["relevant", "maybe", "irrelevant", "none"]
    time: Annotated[float, Field(ge=0, le=1e11, allow_inf_nan=False)]
    text: str | None = None


class KeptProject(Strict):
    """A project that was exported."""

    name: Name
    query: Query
    filters: Filters
    weights: Weights
    marks: list[KeptMark] = Field(max_length=1_000_000)
    created: Annotated[float, Field(ge=0, le=1e11, allow_inf_nan=False)] = 0.0


class ProjectsFile(Strict):
    """What `satchel project export`, or the server, wrote."""

    format: Literal["satchel-projects"]
    version: Annotated[Literal[1], BeforeValidator(_whole)]
    model: Annotated[str, StringConstraints(max_length=200)]
    projects: list[KeptProject] = Field(max_length=10_000)


class TrainingBody(Strict):
    """What to learn from: a field that holds labels, the marks, or the texts alone."""

    labels: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    marks: bool = False


class ExportedHits(Strict):
    """What a search finds, of this project where one is named; without a search all of it, or all documents."""

    what: Literal["hits"]
    form: Literal["csv", "jsonl", "ris", "trec"] = "csv"
    search: Search | None = None
    project: Name | None = None


class ExportedMarks(Strict):
    """All marks, or those of a project."""

    what: Literal["marks"]
    form: Literal["csv", "jsonl", "ris", "qrels"] = "csv"
    project: Name | None = None


class ExportedDocuments(Strict):
    what: Literal["documents"]
    form: Literal["csv", "jsonl", "ris"] = "csv"


class ExportedVectors(Strict):
    what: Literal["vectors"]
    form: Literal["npy", "parquet"] = "npy"


class ExportedModel(Strict):
    what: Literal["model"]
    form: Literal["folder"] = "folder"


Export: TypeAlias = Annotated[
    ExportedHits | ExportedMarks | ExportedDocuments | ExportedVectors | ExportedModel, Field(discriminator="what")
]
