"""HTML to text, by lxml if it is installed, else by Python's own parser.

Both parsers report tags and text to the same `Outline`, so both give the same text for valid pages. No tree is built,
nothing is fetched and no entities are known except those of HTML.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Protocol

from satchel.importing.decoding import SAMPLE, encoding_of, joined_paragraphs, text_of
from satchel.importing.source import SourceFile
from satchel.importing.types import FieldValue, Found

_UNREAD = frozenset(
    (
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "canvas",
        "iframe",
        "object",
        "select",
        "button",
        "nav",
        "footer",
    )
)
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl", "dt", "figcaption"),
        *("figure", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "option", "p"),
        *("pre", "section", "table", "tbody", "tfoot", "thead", "title", "tr", "ul", "nav", "footer"),
    )
)
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_META = {"author": "author", "description": "description", "keywords": "keywords", "date": "date"}
_DECLARED = re.compile(rb"charset\s*=\s*[\"']?\s*([\w:.-]{2,40})", re.IGNORECASE)
_SHORTEST_MAIN = 200  # characters; a shorter <main> is probably filled by a script
_SPACES = re.compile(r"[ \t\r\n\f]+")


class Page(Protocol):
    """The receiver of what a parser finds."""

    def start(self, tag: str, attributes: dict[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def data(self, data: str) -> None: ...


class Outline:
    """Gathers the text of a page: blocks on lines of their own, no menus and scripts, <main> alone if it is full."""

    def __init__(self) -> None:
        self.fields: dict[str, FieldValue] = {}
        self._parts: list[str] = []
        self._main: list[str] = []
        self._title: list[str] = []
        self._heading: list[str] = []
        self._unread: list[str] = []  # the open tags of a part that is left out, outermost first
        self._line_is_empty = True
        self._open = {"main": 0, "title": 0, "h1": 0, "pre": 0}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """A tag begins."""
        if self._unread:
            if tag == self._unread[0]:
                self._unread.append(tag)
            return
        if tag in _UNREAD:
            self._unread.append(tag)
        elif tag == "meta":
            self._meta(attributes)
        elif tag in self._open:
            self._open[tag] += 1
        if tag in _BLOCKS:
            self._break("\n\n" if tag in ("p", "h1", "h2", "h3", "h4", "h5", "h6") else "\n")
        elif tag in ("td", "th"):
            self._write("\t")

    def end(self, tag: str) -> None:
        """A tag ends."""
        if self._unread:
            if tag == self._unread[0]:
                self._unread.pop()
            return
        if tag in _BLOCKS and tag not in _VOID:
            self._break("\n")
        if self._open.get(tag, 0):
            self._open[tag] -= 1

    def data(self, data: str) -> None:
        """Text, in pieces of any length."""
        if self._unread:
            return
        if self._open["title"]:
            self._title.append(data)
            return
        text = data if self._open["pre"] else _SPACES.sub(" ", data)
        if self._open["h1"]:
            self._heading.append(text)
        self._line_is_empty &= text.isspace() or not text
        self._write(text)

    def close(self) -> None:
        """The page ends; lxml needs this method."""

    @property
    def title(self) -> str:
        """The text of <title>, else the first-level headings."""
        return "".join(self._title).strip() or "".join(self._heading).strip()

    @property
    def text(self) -> str:
        """The text of <main> if it is long enough, else of the whole page."""
        main = joined_paragraphs("".join(self._main))
        return main if len(main) >= _SHORTEST_MAIN else joined_paragraphs("".join(self._parts))

    def _break(self, lines: str) -> None:
        if lines != "\n" or not self._line_is_empty:
            self._write(lines)
        self._line_is_empty = True

    def _write(self, text: str) -> None:
        self._parts.append(text)
        if self._open["main"]:
            self._main.append(text)

    def _meta(self, attributes: dict[str, str]) -> None:
        name = _META.get(attributes.get("name", "").lower())
        content = " ".join(attributes.get("content", "").split())
        if name and content:
            words = [word.strip() for word in content.split(",") if word.strip()]
            self.fields[name] = words if name == "keywords" else content


class _StandardParser(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=True)
        self._page = page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._page.start(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        self._page.end(tag)

    def handle_data(self, data: str) -> None:
        self._page.data(data)


def read_web_page(file: SourceFile) -> Iterator[Found]:
    """One document: the title of the page, its text, and author, date, description and keywords if it has them."""
    data = file.content()
    page = outline_of(text_of(data, file.encoding or _declared(data)))
    yield file.whole(page.text, page.title, page.fields)


def outline_of(text: str) -> Outline:
    """The outline of a page of HTML."""
    page = Outline()
    try:
        _parse_by_lxml(text, page)
    except ImportError:
        parse_by_standard_library(text, page)
    return page


def parse_by_standard_library(text: str, page: Page) -> None:
    """Report tags and text to the page by Python's own parser, which is slower and less exact if tags are wrong."""
    parser = _StandardParser(page)
    parser.feed(text)
    parser.close()


def _parse_by_lxml(text: str, page: Page) -> None:
    from lxml import etree

    # Bytes with a given encoding: lxml then ignores the encoding that the text itself declares.
    parser = etree.HTMLParser(target=page, encoding="utf-8", no_network=True, huge_tree=True)
    parser.feed(text.encode("utf-8", "replace"))
    parser.close()


def _declared(data: bytes) -> str | None:
    """The encoding that a page declares, if it has no mark, is not UTF-8 and Python knows the encoding."""
    head = data[:SAMPLE]
    found = _DECLARED.search(head[:4096])
    if found is None or 0 in head:
        return None
    name = found[1].decode("ascii")
    try:
        "".encode(name)
        head.decode("utf-8")
    except LookupError:
        return None
    except UnicodeDecodeError as error:
        cut = error.start > len(head) - 4 and len(data) > len(head)
        return None if cut or encoding_of(head[: error.start]) != "utf-8" else name
    return None
