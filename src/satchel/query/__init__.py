"""What a person asks for, in one form for the library, the command line and HTTP; and what is found."""

from satchel.query.condition import (
    And,
    Between,
    Condition,
    Contains,
    Is,
    Leaf,
    Marked,
    Not,
    Or,
    Since,
    Within,
    all_of,
    evaluate,
    key_of,
    leaves_of,
)
from satchel.query.request import Area, Comparison, Mode, Request, plain_weights
from satchel.query.result import NO_LESSONS, Hit, Hits, Reasons, Snippet
from satchel.query.where import Filters, Value, condition_of, read_filters

__all__ = [
    "NO_LESSONS",
    "And",
    "Area",
    "Between",
    "Comparison",
    "Condition",
    "Contains",
    "Filters",
    "Hit",
    "Hits",
    "Is",
    "Leaf",
    "Marked",
    "Mode",
    "Not",
    "Or",
    "Reasons",
    "Request",
    "Since",
    "Snippet",
    "Value",
    "Within",
    "all_of",
    "condition_of",
    "evaluate",
    "key_of",
    "leaves_of",
    "plain_weights",
    "read_filters",
]
