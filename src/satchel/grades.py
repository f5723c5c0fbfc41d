"""What a mark may say, and how much it counts: the one table of it."""

from __future__ import annotations

from typing import Literal, TypeAlias

MarkValue: TypeAlias = Literal["relevant", "maybe", "irrelevant"]
GRADES: dict[MarkValue, float] = {"relevant": 1.0, "maybe": 0.5, "irrelevant": -1.0}
"""Above 0 for what is looked for, below 0 for what is not."""
EXPORTED: dict[MarkValue, int] = {"relevant": 2, "maybe": 1, "irrelevant": 0}
"""As judgments of TREC have it."""
