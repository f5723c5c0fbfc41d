"""What a person asks for, in one form for the library, the command line and HTTP."""

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
from satchel.query.where import Filters, Value, condition_of, read_filters

__all__ = [
    "And",
    "Area",
    "Between",
    "Comparison",
    "Condition",
    "Contains",
    "Filters",
    "Is",
    "Leaf",
    "Marked",
    "Mode",
    "Not",
    "Or",
    "Request",
    "Since",
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
