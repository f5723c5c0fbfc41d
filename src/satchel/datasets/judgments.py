"""Judgments in and out: TREC's four columns and BEIR's three."""

from numbers import Integral
from pathlib import Path
from typing import Literal

from satchel.errors import InputError, unknown_name
from satchel.storage import damaged, read_lines, write_lines
from satchel.types import Judgments

BEIR_HEADER = "query-id\tcorpus-id\tscore"
FORMS = ("trec", "beir")


def read_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Read TREC qrels (query, iteration, document, grade) or BEIR's tsv (query, document, grade, with a header).

    The first line tells which: four columns or three. BEIR's header may be missing. Grades are whole numbers; a pair
    judged twice must have the same grade both times.
    """
    path = Path(path)
    judgments: dict[str, dict[str, int]] = {}
    width = 0
    for number, line in read_lines(path):
        columns = line.split("\t") if line.count("\t") == 2 else line.split()
        if not columns or (width == 0 and _is_header(columns)):
            continue
        width = width or len(columns)
        if len(columns) != width or width not in (3, 4):
            expected = width if width in (3, 4) else "3 (BEIR) or 4 (TREC)"
            raise damaged(path, number, f"has {len(columns)} columns, expected {expected}")
        grade = _grade(path, number, columns[-1])
        if judgments.setdefault(columns[0], {}).setdefault(columns[-2], grade) != grade:
            raise damaged(path, number, f"judges query {columns[0]!r}, document {columns[-2]!r} again, differently")
    return judgments


def write_judgments(path: Path, judgments: Judgments, form: Literal["trec", "beir"] = "trec") -> None:
    """Write judgments in the given order; gzip where the name ends in .gz."""
    if form not in FORMS:
        raise unknown_name("form of judgments", form, FORMS)
    lines = [] if form == "trec" else [BEIR_HEADER]
    for query, grades in judgments.items():
        for document, grade in grades.items():
            _check_id(query, form)
            _check_id(document, form)
            _check_grade(query, document, grade)
            lines.append(f"{query} 0 {document} {grade}" if form == "trec" else f"{query}\t{document}\t{grade}")
    write_lines(Path(path), lines)


def _is_header(columns: list[str]) -> bool:
    return len(columns) == 3 and columns[0].lower() in ("query-id", "query_id", "qid")


def _grade(path: Path, number: int, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise damaged(path, number, f"the grade is {value!r}, expected a whole number") from None


def _check_grade(query: str, document: str, grade: object) -> None:
    if isinstance(grade, bool) or not isinstance(grade, Integral):
        raise InputError(f"the grade of query {query!r}, document {document!r} is {grade!r}; expected a whole number")


def _check_id(name: str, form: str) -> None:
    if not isinstance(name, str):
        raise InputError(f"the id {name!r} is of type {type(name).__name__}; ids are strings")
    apart = name.split() if form == "trec" else [part for part in name.splitlines() if "\t" not in part]
    if apart != [name]:
        raise InputError(
            f"the id {name!r} cannot stand in a {form} file; ids there hold no white space that parts columns"
        )
