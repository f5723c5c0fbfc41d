"""What an experiment gives: one row per method, distance and seed, with its verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["OK", "OKish", "FAIL"]


@dataclass(frozen=True)
class ResultRow:
    """Measured beside published, in percent; seconds are for fitting, encoding and judging."""

    method: str
    distance: str
    length: int
    measures: Mapping[str, float]
    published: Mapping[str, float]
    verdict: Verdict
    seconds: float
    seed: int
    machine: str
    note: str = ""


def verdict(measured: float, published: float, tolerance: float) -> Verdict:
    """OK within the tolerance of the published value, OKish within twice of it, else FAIL."""
    difference = abs(measured - published)
    if difference <= tolerance:
        return "OK"
    return "OKish" if difference <= 2 * tolerance else "FAIL"
