"""The result of a search: hits with snippets and reasons, and the whole ranking behind the page."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, overload

import numpy as np

from satchel.encoders import CodewordContribution, WordContribution
from satchel.feedback import Lessons, Refined
from satchel.importing import Fields
from satchel.types import DoubleArray, IntArray, MarkValue

NO_LESSONS = Lessons((), ())


@dataclass(frozen=True)
class Ranked:
    """The whole ranking: document numbers, best first, with the scores by words and by meaning (-inf: not found).

    passages: the place of the best passage in each document. total: how many documents were found in all, which may be
    more than are ranked here. stems: stem searched for -> the word to show for it. weights: of all stems searched for,
    with those of similar spelling. added: words that marks added, best first. refined: the direction searched in; None
    for a search by words only. nearness: the least cosine at which a document counts as found by meaning alone.
    variants: the stems searched for that are only spelled like a word of the query.
    """

    numbers: IntArray
    scores: DoubleArray
    lexical: DoubleArray
    semantic: DoubleArray
    passages: IntArray
    total: int
    stems: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    refined: Refined | None = None
    lessons: Lessons = NO_LESSONS
    nearness: float = 0.0
    variants: frozenset[str] = frozenset()

    def ordered(self, scores: DoubleArray, places: IntArray) -> Ranked:
        """The ranking by these scores, best first; ties by place."""
        order = np.lexsort((places, -scores))
        found = (self.numbers[order], scores[order], self.lexical[order], self.semantic[order])
        return Ranked(*found, self.passages[order], self.total)


class Snippet(NamedTuple):
    """A part of a document; matches: the start and end of each query word in it."""

    text: str
    matches: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """The text with `before` and `after` around every match."""
        parts, end = [], 0
        for start, stop in self.matches:
            parts += [self.text[end:start], before, self.text[start:stop], after]
            end = stop
        return "".join([*parts, self.text[end:]])

    def __str__(self) -> str:
        return self.text


class Reasons(NamedTuple):
    """Why a document was found.

    matches: words of the query that the document contains. words and themes: what its words, and the codewords, add to
    the cosine of query and document; biggest first. lexical and semantic: its scores (BM25, cosine); None if that
    search did not find it.
    """

    matches: tuple[str, ...] = ()
    words: tuple[WordContribution, ...] = ()
    themes: tuple[CodewordContribution, ...] = ()
    lexical: float | None = None
    semantic: float | None = None

    def __str__(self) -> str:
        near = ", ".join(self._near_words())
        if not self.matches:
            listed = self.lexical is not None and not near and not (self.semantic or 0) > 0
            return f"is near in meaning: {near}" if near else "meets the query" if listed else "is near in meaning"
        contained = ", ".join(f'"{word}"' for word in self.matches)
        return f"contains {contained}; near in meaning: {near}" if near else f"contains {contained}"

    def _near_words(self) -> list[str]:
        """At most three words that bring the document near, best first: its own, else those of its themes."""
        known = {word.casefold() for word in self.matches}
        own = [word.word for word in self.words]
        every = own or [word for theme in self.themes for word in theme.words[:2]]
        return [word for word in dict.fromkeys(every) if word.casefold() not in known][:3]


class Hit(NamedTuple):
    """A document that was found. rank: from 1 on, over all pages; mark: its mark for this query or project.

    place: where the snippet is in a long document, by page and heading, if they are known.

    earlier_rank: its rank under the marks and weights of `compare_with`; None if none were given, or if the document
    was not found under them.
    """

    id: str
    score: float
    title: str
    snippet: Snippet
    source: str
    fields: Fields
    reasons: Reasons
    rank: int
    mark: MarkValue | None = None
    earlier_rank: int | None = None
    place: str = ""


class FacetValue(NamedTuple):
    """A value of a field and how many of the documents found have it; with `to`, all numbers from `value` to `to`."""

    value: str | int | float
    n_documents: int
    to: int | float | None = None


class Facet(NamedTuple):
    """The values of a field among the documents found.

    values: numbers from high to low, others by how many documents have them. n_distinct: how many values there are in
    all. n_documents: how many of the documents found have the field.
    """

    field: str
    values: tuple[FacetValue, ...]
    n_distinct: int
    n_documents: int


@dataclass(frozen=True)
class Hits(Sequence[Hit]):
    """One page of hits, best first.

    total: how many documents were ranked, over all pages. lessons: the themes that marks and weights moved up and down.
    marks: document id -> mark, all marks that counted. weights: theme -> weight, set by hand. words: the words that
    the marks added to the query, best first. notes: a sentence for each part of the query that was not understood.
    facets: the values of the fields asked for, among all that was found. did_you_mean: the query with words in place of
    rare ones that are spelled alike and far more frequent; empty if there are none.
    """

    hits: tuple[Hit, ...]
    total: int
    query: str = ""
    lessons: Lessons = NO_LESSONS
    marks: Mapping[str, MarkValue] = field(default_factory=dict)
    weights: Mapping[int, float] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    facets: tuple[Facet, ...] = ()
    did_you_mean: str = ""

    @property
    def learned(self) -> tuple[str, ...]:
        """What the marks taught: one line for themes that the best documents now have more of, one for less.

        If no theme moved, as in a very small collection, the line lists the words added to the query.
        """
        said = {"more": str(self.lessons._replace(down=()))[2:], "less": str(self.lessons._replace(up=()))[2:]}
        if not any(said.values()) and self.words:
            return (f"more: {', '.join(self.words)}",)
        return tuple(f"{how}: {themes}" for how, themes in said.items() if themes)

    def __len__(self) -> int:
        return len(self.hits)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[place]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __str__(self) -> str:
        lines = [f"{hit.rank}. {hit.title or hit.id} ({hit.score:.3f})\n   {hit.snippet}" for hit in self.hits]
        return "\n".join(lines) or "nothing found"

    def _repr_html_(self) -> str:
        rows = [
            f"<tr><td>{hit.rank}</td><td>{html.escape(hit.title or hit.id)}</td><td>{_in_bold(hit.snippet)}</td>"
            f"<td>{html.escape(str(hit.reasons))}</td></tr>"
            for hit in self.hits
        ]
        head = "<tr><th>rank</th><th>document</th><th>snippet</th><th>reasons</th></tr>"
        return f"<table>{head}{''.join(rows)}</table>"


def _in_bold(snippet: Snippet) -> str:
    marked = html.escape(snippet.marked("\1", "\2"))
    return marked.replace("\1", "<b>").replace("\2", "</b>")
