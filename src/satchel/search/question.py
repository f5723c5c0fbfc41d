"""A question: a request joined with its project's query, conditions and marks, with every id looked up once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from satchel.errors import AbsentError
from satchel.projects import Project, looked_up, plain_query, read_project
from satchel.query import (
    Between,
    Comparison,
    Condition,
    Contains,
    Is,
    Marked,
    Near,
    Not,
    Parsed,
    Phrase,
    Prefix,
    Request,
    Since,
    Within,
    Word,
    all_of,
    condition_of,
    key_of,
    leaves_of,
    parse,
    wanted_leaves,
)
from satchel.ranking import Evidence
from satchel.search.asked import AskedText
from satchel.search.sought import Sought
from satchel.store import DiaryRow, Store, marks_in_force, read_settings, values_of
from satchel.text import Analysed
from satchel.types import GRADES, MarkValue

_OF_FILES = frozenset(("source", "file"))


@dataclass(frozen=True)
class Question:
    """A search with nothing left to look up.

    query: the words to rank by. typed: the query as it was given. required: what the query itself requires and
    excludes; condition: that and all filters. raised: quotations that only raise the rank. notes: sentences on what was
    not understood. marks: document id -> mark. weights: theme -> weight, set by hand. numbers: id -> number of the
    named documents that exist here. texts: id -> text of all named documents; texts_elsewhere: whether one is in
    another collection.
    """

    request: Request
    query: Analysed
    condition: Condition | None
    marks: Mapping[str, MarkValue]
    weights: Mapping[int, float]
    numbers: Mapping[str, int]
    texts: Mapping[str, str]
    texts_elsewhere: bool
    typed: str = ""
    required: Condition | None = None
    raised: tuple[Phrase, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def sought(self) -> Sought:
        """The phrases and beginnings of words that the query asks for."""
        return Sought.of(self.required, self.raised)

    @cached_property
    def names_words(self) -> bool:
        """Whether the query requires words, so that every document that meets it is found."""
        return any(isinstance(leaf, Word | Phrase | Prefix | Near) for leaf in wanted_leaves(self.required))

    @property
    def like(self) -> tuple[str, ...]:
        return tuple(self.request.like or ())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is searched for, so that all documents are listed."""
        return not (self.query.strip() or self.like or self.marks)

    @property
    def evidence(self) -> list[Evidence]:
        """The texts of marked documents and of the `like` documents."""
        graded = {id_: GRADES[value] for id_, value in self.marks.items()} | dict.fromkeys(self.like, 1.0)
        return [Evidence(self.texts[id_], grade) for id_, grade in graded.items() if id_ in self.texts]

    @property
    def key(self) -> Hashable | None:
        """A key for caches: questions with the same ranking have the same key, whichever page they ask for.

        None if the ranking depends on more than the documents: on marks, the map, the sources of files or texts of
        other collections, which may change while the documents stay the same.
        """
        passing = (Since, Marked, Within)
        for leaf in leaves_of(self.condition):
            fields = (leaf.field,) if isinstance(leaf, Is | Between | Contains) else getattr(leaf, "fields", ())
            if isinstance(leaf, passing) or not _OF_FILES.isdisjoint(fields):
                return None
        if self.texts_elsewhere:
            return None
        if self.request.sort.removeprefix("-") == "source":
            return None
        moved = tuple(self.marks.items()), tuple(self.weights.items()), self.request.sort
        conditions = key_of(self.condition), key_of(self.required), self.raised
        return (str(self.query), self.request.mode, self.like, *moved, *conditions, self.request.depth)

    def compared(self, comparison: Comparison) -> Question:
        """The same question under other marks and weights."""
        return replace(self, marks=comparison.marks, weights=comparison.weights)


def question_of(store: Store, request: Request) -> Question:
    """The question for a request; marks of the request override those kept for the query or project."""
    project = None if request.project is None else read_project(store, request.project)
    typed = request.query or (project.query if project is not None else "")
    parsed = parse(typed, store.fields_there()) if typed.strip() else Parsed(typed)
    marks = {**(_kept_marks(store, typed, project) if request.kept_marks else {}), **request.marks}
    if request.weights is not None:
        weights: Mapping[int, float] = request.weights
    else:
        weights = project.weights if project is not None else {}
    comparison = request.compare_with
    compared = comparison.marks if isinstance(comparison, Comparison) else {}
    like = tuple(request.like or ())
    numbers, texts = looked_up(store, [*marks, *like, *compared])
    for id_ in request.marks:
        if id_ not in texts:
            raise missing(store, id_)
    for id_ in like:
        if id_ not in numbers:
            raise AbsentError(f"`like`: there is no document {id_!r} in {store.path}; give the id of a hit")
    return Question(
        request=request,
        query=AskedText(parsed.words, read_settings(store)),
        condition=all_of(_condition(request, project), parsed.condition),
        marks=marks,
        weights=weights,
        numbers=numbers,
        texts=texts,
        texts_elsewhere=any(id_ not in numbers for id_ in texts),
        typed=typed,
        required=parsed.condition,
        raised=parsed.raised,
        notes=parsed.notes,
    )


def missing(store: Store, id_: str) -> AbsentError:
    """The error for an id that no document has."""
    return AbsentError(f"no document {id_!r:.200} is in {store.path}; give the id of a hit")


def _condition(request: Request, project: Project | None) -> Condition | None:
    """All conditions of the search. A filter of the request replaces the project's filter on the same field."""
    given = request.filters
    if project is not None and (given is None or isinstance(given, Mapping)):
        filters = condition_of({**project.filters, **(given or {})})
    else:
        filters = all_of(condition_of(given), None if project is None else condition_of(project.filters))
    if not request.only_new or project is None:
        return all_of(filters, request.within)
    return all_of(filters, request.within, Since(project.seen), Not(Marked(project=project.name)))


def _kept_marks(store: Store, query: str, project: Project | None) -> Mapping[str, MarkValue]:
    if project is not None:
        return project.marks
    if not query.strip():
        return {}
    return values_of(marks_in_force(store.rows(DiaryRow, undone=0, project=None, query=plain_query(query))))
