"""Jupyter notebooks: what people wrote in them, words and code; what the code printed is left out."""

import json
from collections.abc import Iterator

from satchel.errors import DamagedFileError
from satchel.importing.decoding import text_of
from satchel.importing.limits import MAX_MARKUP
from satchel.importing.readers.plain import markdown_title
from satchel.importing.source import SourceFile
from satchel.importing.types import Found


def read_notebook(file: SourceFile) -> Iterator[Found]:
    """One document: all cells in order; the title is the first heading."""
    try:
        notebook = json.loads(text_of(file.content(MAX_MARKUP), "utf-8-sig"))
    except (ValueError, RecursionError):
        raise DamagedFileError("is not a notebook: it holds no JSON") from None
    written = [(kind, text) for kind, text in _cells(notebook) if text.strip()]
    title = next(filter(None, (markdown_title(text) for kind, text in written if kind == "markdown")), "")
    yield file.whole("\n\n".join(text.strip() for _, text in written), title)


def _cells(notebook: object) -> Iterator[tuple[str, str]]:
    """Kind and text of each cell; before version 4 cells lay in worksheets, and code was "input"."""
    if not isinstance(notebook, dict) or not ("cells" in notebook or "worksheets" in notebook):
        raise DamagedFileError("is not a notebook: it has no cells")
    for sheet in [notebook, *_objects(notebook.get("worksheets"))]:
        for cell in _objects(sheet.get("cells")):
            yield str(cell.get("cell_type")), _joined(cell.get("source", cell.get("input")))


def _objects(value: object) -> list[dict[str, object]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _joined(value: object) -> str:
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""
