"""Texts that are read as they stand: plain text, Markdown, reStructuredText, source code."""

import re
from collections.abc import Iterator

from satchel.importing.decoding import text_of
from satchel.importing.source import SourceFile
from satchel.importing.types import FieldValue, Found

_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^[ ]{0,3}#{1,2}[ \t]+(\S.*)$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,1000})\]\([^()\n]{0,2000}\)")
_RULE = re.compile(r"([=\-~^\"'#*+`:.])\1{2,}\s*")
_FENCE = re.compile(r"^[ ]{0,3}(```|~~~)", re.MULTILINE)
_KEPT_MATTER = ("author", "date", "tags", "keywords", "categories", "description", "lang")


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
    """The first heading of the first or second level that stands in front of any code, else ""."""
    fence = _FENCE.search(text)
    found = _HEADING.search(text, 0, fence.start() if fence else len(text))
    return _LINK.sub(r"\1", found[1].rstrip(" \t\r#")) if found else ""


def front_matter(text: str) -> tuple[dict[str, FieldValue], str]:
    """The `name: value` lines between two rules at the top of a text, and the text after them.

    Only what stands on one line is taken, a list in brackets too; this is no reader of YAML.
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
