"""What every reader of tables gives."""

from collections.abc import Mapping
from typing import NamedTuple


class Row(NamedTuple):
    """A row: its number among the rows, from 1; the line that it begins on; its cells by column, or why there are none.

    unit: what `line` counts; without a line it is the place itself.
    """

    number: int
    line: int
    cells: Mapping[str, object] | None
    problem: str = ""
    unit: str = "line"

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return f"{self.unit} {self.line}" if self.line else self.unit
