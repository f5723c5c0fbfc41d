"""Request bodies: every field has a type and bounds; unknown fields are refused."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, create_model, model_validator
from pydantic.config import JsonDict

from satchel.collection import MarkValue, Request
from satchel.query import MOST_CHARACTERS, MOST_IDS


def _whole(value: object) -> object:
    """Turns 3.0 into 3: in JSON both are whole numbers."""
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
    """A body that is read strictly: text is not read as a number, and unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def plain(self) -> dict[str, Any]:
        """Returns the fields that were sent, in the form that the library takes."""
        return self.model_dump(by_alias=True, exclude_unset=True)


class SpanBody(Strict):
    """A span from one value to another, including both; one of them may be left out."""

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
    """Marks and weights of a second ranking to compare with."""

    marks: dict[Id, MarkValue] = Field(default={}, max_length=MOST_IDS)
    weights: Weights = {}


_NOT_NEW: JsonDict = {"properties": {"only_new": {"const": False}}}
_OF_A_PROJECT: JsonDict = {"required": ["project"], "properties": {"project": {"type": "string"}}}
"""`only_new` needs a project: one of these schemas must match."""


class _SearchBody(Strict):
    """The body of a search, with the fields of `satchel.query.Request`."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [_NOT_NEW, _OF_A_PROJECT]})

    def request(self) -> Request:
        """Makes the library's request from the body; raises InputError if the library refuses it."""
        return Request(**self.plain())

    def written(self) -> str:
        """Writes the body as text; equal bodies give the same text."""
        return self.model_dump_json(by_alias=True, exclude_unset=True)


KINDS: dict[str, Any] = {
    "like": list[Id] | None,
    "filters": Filters | None,
    "relevant": list[Id],
    "irrelevant": list[Id],
    "maybe": list[Id],
    "project": Name | None,
    "facets": list[Annotated[str, StringConstraints(min_length=1, max_length=200)]],
    "weights": Weights | None,
    "area": Annotated[list[Coordinate], Field(min_length=4, max_length=4)] | None,
    "compare_with": ComparisonBody | None,
}
"""The fields with another type in JSON than in Python; all others have the request's type."""


def _field(name: str, hint: Any, default: object) -> tuple[Any, Any]:
    """Makes a field of the body with its bounds: of a whole number, or of the length of a text or list."""
    kind, about = get_args(hint)
    if kind is int:
        bounds = Field(ge=about.least, le=about.most, description=about.help)
        return Annotated[int, bounds, BeforeValidator(_whole)], default
    return Annotated[KINDS.get(name, kind), Field(max_length=about.most, description=about.help)], _as_list(default)


def _as_list(default: object) -> object:
    return list(default) if isinstance(default, tuple) else default


if TYPE_CHECKING:
    Search = _SearchBody
else:
    _HINTS = get_type_hints(Request, include_extras=True)
    Search = create_model(
        "Search",
        __base__=_SearchBody,
        __doc__=Request.__doc__,
        **{field.name: _field(field.name, _HINTS[field.name], field.default) for field in fields(Request)},
    )


class Marking(Strict):
    """A mark on one or several documents, for a query or a project; "none" removes it.

    search: a search to answer together with the mark.
    """

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
    """Undoes the last mark of a query, of a project, or of all. search: as with a mark."""

    query: Query | None = None
    project: Name | None = None
    search: Search | None = None


class NewProject(Strict):
    """A query to keep as a project."""

    name: Name
    query: Query = ""
    filters: Filters = {}
    weights: Weights = {}


Word: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class NewSettings(Strict):
    """What to change in the settings of a collection. field_weights: only these fields; null is the usual weight."""

    synonyms: list[Annotated[list[Word], Field(min_length=2, max_length=100)]] = Field(default=[], max_length=20_000)
    stop_words: list[Word] = Field(default=[], max_length=20_000)
    field_weights: dict[Word, Weight | None] = Field(default={}, max_length=1_000)


class ProjectName(Strict):
    """A project by its name."""

    name: Name


class KeptMark(Strict):
    """A mark of an exported project. text: the document's text, so that another collection can learn from it."""

    id: Id
    value: Literal["relevant", "maybe", "irrelevant", "none"]
    time: Annotated[float, Field(ge=0, le=1e11, allow_inf_nan=False)]
    text: str | None = None


class KeptProject(Strict):
    """An exported project."""

    name: Name
    query: Query
    filters: Filters
    weights: Weights
    marks: list[KeptMark] = Field(max_length=1_000_000)
    created: Annotated[float, Field(ge=0, le=1e11, allow_inf_nan=False)] = 0.0


class ProjectsFile(Strict):
    """A file of projects that `satchel project export` or the server wrote."""

    format: Literal["satchel-projects"]
    version: Annotated[Literal[1], BeforeValidator(_whole)]
    model: Annotated[str, StringConstraints(max_length=200)]
    projects: list[KeptProject] = Field(max_length=10_000)


class TrainingBody(Strict):
    """What to train on: a field with labels, the marks, or the texts alone."""

    labels: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    marks: bool = False


class ExportedHits(Strict):
    """The hits of a search or of a project; without either, all documents."""

    what: Literal["hits"]
    form: Literal["csv", "jsonl", "ris", "trec"] = "csv"
    search: Search | None = None
    project: Name | None = None


class ExportedMarks(Strict):
    """All marks, or the marks of a project."""

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
