"""Search: from a request to a page of hits, over any store."""

from satchel.search.meaning import Direction, cosines, direction_of, encoded
from satchel.search.passages import Passage, Reading, read_for
from satchel.search.pipeline import checked_question, rank, search
from satchel.search.question import missing, question_of
from satchel.search.result import Facet, FacetValue, Hit, Hits, Reasons, Snippet
from satchel.search.snapshot import ServedModel, Snapshot, Snapshots
from satchel.search.suggest import suggestions

__all__ = [
    "Direction",
    "Facet",
    "FacetValue",
    "Hit",
    "Hits",
    "Passage",
    "Reading",
    "Reasons",
    "ServedModel",
    "Snapshot",
    "Snapshots",
    "Snippet",
    "checked_question",
    "cosines",
    "direction_of",
    "encoded",
    "missing",
    "question_of",
    "rank",
    "read_for",
    "search",
    "suggestions",
]
