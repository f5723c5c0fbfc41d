"""Readers of text files: plain text, Markdown, reStructuredText, code, notebooks and TREC's collections."""

import html
import json
import re
from collections.abc import Iterator

from satchel.errors import DamagedFileError
from satchel.importing.decoding import joined_paragraphs, text_of
from satchel.importing.source import Gathered, SourceFile
from satchel.importing.types import MAX_MARKUP, MAX_TEXT, FieldValue, Found, too_long

_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^[ ]{0,3}#{1,2}[ \t]+(\S.*)$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,1000})\]\([^()\n]{0,2000}\)")
_RULE = re.compile(r"([=\-~^\"'#*+`:.])\1{2,}\s*")
_FENCE = re.compile(r"^[ ]{0,3}(```|~~~)", re.MULTILINE)
_KEPT_MATTER = ("author", "date", "tags", "keywords", "categories", "description", "lang")
_DOCNO = re.compile(r"<DOCNO>\s*([^<]{0,2000}?)\s*</DOCNO>", re.IGNORECASE)
_TREC_TITLE = re.compile(r"<(TITLE|HEADLINE|HEAD|HL|TTL|TI|H3)>([^<]{0,10000})</\1>", re.IGNORECASE)
_TREC_BODY = re.compile(r"<(TEXT|LP|LEADPARA|ABSTRACT|BODY)\b[^<>]{0,1000}>", re.IGNORECASE)
_TREC_BEGIN = re.compile(r"(?=<DOC>)", re.IGNORECASE)
_TREC_END = re.compile(r"</DOC>", re.IGNORECASE)
_TREC_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>")


def read_text(file: SourceFile) -> Iterator[Found]:
    """A text file is one document; its name is its title."""
    yield file.whole(text_of(file.content(), file.encoding))


def read_markdown(file: SourceFile) -> Iterator[Found]:
    """One document: links without their addresses; the title from the front matter, else the first heading."""
    text = text_of(file.content(), file.encoding).removeprefix("\ufeff")
    matter, text = front_matter(text)
    title = matter.pop("title", "") or markdown_title(text)
    fields = {name: matter[name] for name in _KEPT_MATTER if name in matter}
    yield file.whole(_LINK.sub(r"\1", text), title if isinstance(title, str) else "", fields)


def read_restructured(file: SourceFile) -> Iterator[Found]:
    """One document; the title is the first line that is underlined."""
    text = text_of(file.content(), file.encoding)
    yield file.whole(text, _underlined(text))


def markdown_title(text: str) -> str:
    """The first heading of the first or second level before any code, else ""."""
    fence = _FENCE.search(text)
    found = _HEADING.search(text, 0, fence.start() if fence else len(text))
    return _LINK.sub(r"\1", found[1].rstrip(" \t\r#")) if found else ""


def front_matter(text: str) -> tuple[dict[str, FieldValue], str]:
    """The `name: value` lines between two rules at the top of a text, and the text after them.

    Only values on one line are read, lists in brackets too; this is not a full YAML reader.
    """
    found = _FRONT_MATTER.match(text)
    if not found:
        return {}, text
    matter: dict[str, FieldValue] = {}
    for line in found[1].splitlines():
        name, colon, value = line.partition(":")
        value = value.strip()
        if not colon or not value or name != name.strip() or value in ("|", ">"):
            continue
        matter[name.lower()] = _listed(value) if value[0] == "[" and value[-1] == "]" else value.strip("\"'")
    return matter, text[found.end() :]


def _listed(value: str) -> list[str]:
    return [part for part in (entry.strip().strip("\"'") for entry in value[1:-1].split(",")) if part]


def _underlined(text: str) -> str:
    previous = ""
    for line in text[:20_000].splitlines():
        if previous.strip() and not _RULE.fullmatch(previous) and _RULE.fullmatch(line):
            return previous.strip()
        previous = line
    return ""


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
    """Kind and text of each cell; before version 4 cells were in worksheets, and code was "input"."""
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


def looks_like_trec(sample: str) -> bool:
    """Whether the beginning of a file is that of a TREC file."""
    return "<DOC>" in sample[:2000].upper() and "<DOCNO>" in sample.upper()


def read_trec(file: SourceFile) -> Iterator[Found]:
    """One document per <DOC>: DOCNO is the id, and the text is that of <TEXT> and similar tags, else all of it."""
    number = 0
    for number, (gathered, ended) in enumerate(_trec_documents(file), start=1):
        place = f"document {number} (line {gathered.begin})"
        if gathered.too_long:
            yield file.skipped(str(too_long(MAX_TEXT)), place)
        elif not ended:
            yield file.skipped("has no </DOC>: the file is truncated or damaged here", place)
        else:
            yield _trec_document(file, gathered.text, place, number)
    if not number:
        raise DamagedFileError("holds no <DOC>, so it is not a TREC collection")


def _trec_documents(file: SourceFile) -> Iterator[tuple[Gathered, bool]]:
    """The lines of each document, and whether its end was found."""
    document: Gathered | None = None
    for number, whole_line in file.lines():
        for line in _TREC_BEGIN.split(whole_line) if "<" in whole_line else (whole_line,):
            if line[:5].upper() == "<DOC>":
                if document is not None:
                    yield document, False
                document, line = Gathered(number), line[5:]
            if document is None:
                continue
            end = _TREC_END.search(line) if "<" in line else None
            document.add(line[: end.start()] if end else line)
            if end:
                yield document, True
                document = None
    if document is not None:
        yield document, False


def _trec_document(file: SourceFile, markup: str, place: str, number: int) -> Found:
    docno = _DOCNO.search(markup)
    if docno is None:
        return file.skipped("has no <DOCNO>", place)
    markup = _without_comments(markup.replace(docno[0], " ", 1))
    titles = " ".join(found[2] for found in _TREC_TITLE.finditer(markup))
    title = " ".join(html.unescape(titles).split())
    return file.record(docno[1], place, _trec_text(markup), title, number=number)


def _without_comments(markup: str) -> str:
    parts, place = list[str](), 0
    while (begin := markup.find("<!--", place)) >= 0 and (end := markup.find("-->", begin)) >= 0:
        parts.append(markup[place:begin])
        place = end + len("-->")
    return " ".join([*parts, markup[place:]])


def _trec_text(markup: str) -> str:
    parts, position = list[str](), 0
    while begin := _TREC_BODY.search(markup, position):
        end = re.compile(rf"</{begin[1]}>", re.IGNORECASE).search(markup, begin.end())
        position = end.end() if end else len(markup)  # a part inside a part is not read twice
        parts.append(markup[begin.end() : end.start() if end else position])
    text = "\n\n".join(parts) if parts else _TREC_TITLE.sub(" ", markup)
    return joined_paragraphs(html.unescape(_TREC_TAG.sub(" ", text)))
