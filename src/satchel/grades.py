"""The values of a mark and how much each counts."""

from __future__ import annotations

from typing import Literal, TypeAlias

MarkValue: TypeAlias = Literal["relevant", "maybe", "irrelevant"]
GRADES: dict[MarkValue, float] = {"relevant": 1.0, "maybe": 0.5, "irrelevant": -1.0}
"""Mark -> its weight: above 0 for relevant, below 0 for irrelevant."""
EXPORTED: dict[MarkValue, int] = {"relevant": 2, "maybe": 1, "irrelevant": 0}
"""Mark -> grade in TREC judgments."""
