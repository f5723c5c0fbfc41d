"""The source forms of the Glasgow test collections: SMART's dotted fields, and NPL's blocks that end in a slash."""

from collections.abc import Iterator
from pathlib import Path

from satchel.storage import damaged, read_lines

ENCODING = "latin-1"  # plain ASCII but for a stray byte, which must not stop the reading


def read_smart(path: Path) -> list[dict[str, str]]:
    """Records of a SMART file: `.I 12` begins one, `.T` and the like begin its fields; white space is made single.

    Keys are the letters of the fields ("I" holds the number); a field that stands there twice is joined.
    """
    records: list[dict[str, str]] = []
    field = ""
    for number, line in read_lines(path, ENCODING):
        head = line.rstrip()
        if head.startswith(".I "):
            records.append({"I": head[3:].strip()})
            field = ""
        elif len(head) == 2 and head[0] == "." and head[1].isupper():
            field = head[1]
        elif line.strip():
            if not records or not field:
                raise damaged(path, number, "expected '.I <number>', then a field such as '.T', before any text")
            records[-1][field] = " ".join([*records[-1].get(field, "").split(), *line.split()])
    return records


def read_blocks(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Blocks of an NPL file: a number on its own line, the lines that belong to it, and a line with only a slash."""
    name, lines = "", list[str]()
    for number, line in read_lines(path, ENCODING):
        word = line.strip()
        if word == "/":
            if name:
                yield name, lines
            name, lines = "", []
        elif not name and word:
            if not word.isdecimal():
                raise damaged(path, number, f"expected the number of the next block, found {word[:40]!r}")
            name = word
        elif word:
            lines.append(word)
    if name:
        raise damaged(path, number, f"block {name} does not end; the file is truncated")


def read_cranfield_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Read `query document code` lines; Cleverdon's codes 1 (complete answer) … 4 (least) become the grades 4 … 1.

    The source explains no code -1 but lists one such document for each query; listed means relevant: its grade is 1.
    """
    judgments: dict[str, dict[str, int]] = {}
    for number, line in read_lines(path, ENCODING):
        columns = line.split()
        if columns and (len(columns) != 3 or columns[2] not in ("-1", "1", "2", "3", "4")):
            raise damaged(path, number, "expected a query, a document and a code 1 to 4 or -1")
        if columns:
            judgments.setdefault(columns[0], {})[columns[1]] = 1 if columns[2] == "-1" else 5 - int(columns[2])
    return judgments


def read_cacm_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Read `query document 0 0` lines; every pair is relevant, and numbers lose their leading zeros."""
    judgments: dict[str, dict[str, int]] = {}
    for number, line in read_lines(path, ENCODING):
        columns = line.split()
        if columns and (len(columns) < 2 or not (columns[0] + columns[1]).isdecimal()):
            raise damaged(path, number, "expected the numbers of a query and a document")
        if columns:
            judgments.setdefault(str(int(columns[0])), {})[str(int(columns[1]))] = 1
    return judgments


def read_npl_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Read blocks of document numbers, one block a query; every one listed is relevant."""
    return {query: {document: 1 for line in lines for document in line.split()} for query, lines in read_blocks(path)}
