"""A manual as sections in reading order, from pages of HTML or files of Info."""

import gzip
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from lxml import etree, html


class Section(NamedTuple):
    """A heading, "" before the first one, and the text up to the next; blocks stand on lines of their own."""

    heading: str
    text: str


HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = (
    *("address", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "figcaption", "hr", "li", "ol", "p", "pre"),
    *("section", "table", "td", "th", "tr", "ul"),
)
UNREAD_TAGS = ("script", "style", "nav", "head", "select", "button", "footer", "form")
UNREAD_CLASSES = (
    *("toc", "tocblock", "contents", "shortcontents", "section-toc", "table-of-contents", "toctree-wrapper", "menu"),
    *("element-contents", "element-shortcontents", "mini-toc", "navheader", "navfooter", "nav-panel", "navigation"),
    *("docnav", "related", "header", "footer", "sphinxsidebar", "headerlink", "fancy_toc", "chlinktop", "chlinkbot"),
)
UNREAD_IDS = (
    "toc",
    "quickview",
    "page-header",
    "path",
    "sidebar",
    "nav-path",
    "top",
    "SEC_Contents",
    "SEC_Shortcontents",
)
LEFT_OUT = re.compile(
    r"(?:gen|py-mod|theindex|doc-?)?index[-_.]|search|.*-Index\.html|Contents\.html|.*_mj\.html", re.IGNORECASE
)
"""Pages that list what stands on others, or hold the same once more; the first page is always read."""
_UNDERLINE = re.compile(r"([*=.-])\1{2,}")


def sections_of(start: Path, is_one_page: bool = False) -> list[Section]:
    """All sections of the manual that begins with this page or file."""
    if start.suffix == ".gz":
        return list(_read_info(start))
    pages = [_parsed(start)] if is_one_page else _in_reading_order(start)
    return [section for tree in pages for section in _read_page(tree)]


def title_of(start: Path) -> str:
    """The title of the first page, or the name of the Info manual."""
    if start.suffix == ".gz":
        return f"{start.name.split('.')[0]} manual"
    return " ".join((_parsed(start).findtext(".//title") or start.stem).split())


def _in_reading_order(start: Path) -> Iterator[Any]:
    """The pages that "next" leads to one after the other, then those that any page links to, nearest first."""
    folder, seen = start.resolve().parent, set[Path]()
    waiting: deque[Path] = deque([start.resolve()])
    later: deque[Path] = deque()
    while waiting or later:
        page = waiting.popleft() if waiting else later.popleft()
        if page in seen:
            continue
        seen.add(page)
        tree = _parsed(page)
        following = tree.xpath("//link[@rel='next']/@href | //a[@rel='next']/@href")
        waiting.extend(_within(folder, page, following[:1]))
        later.extend(_within(folder, page, tree.xpath("//a/@href")))
        yield tree


def _within(folder: Path, page: Path, links: list[str]) -> Iterator[Path]:
    """Pages of the same manual that are there."""
    for link in links:
        name = unquote(link.partition("#")[0])
        if not name.endswith(".html") or ":" in name:
            continue
        target = (page.parent / name).resolve()
        if target.is_relative_to(folder) and not LEFT_OUT.match(target.name) and target.is_file():
            yield target


def _parsed(page: Path) -> Any:
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    content = page.read_bytes()
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        content = content.decode("latin-1").encode("utf-8")
    return html.document_fromstring(content or b"<p></p>", parser=parser)


def _read_page(tree: Any) -> Iterator[Section]:
    for element in [element for element in tree.iter(etree.Element) if _is_unread(element)]:
        if element.getparent() is not None:
            element.drop_tree()
    heading, parts = "", list[str]()
    for event, element in etree.iterwalk(tree, events=("start", "end", "comment")):
        if event == "comment":
            parts.append(element.tail or "")
            continue
        if event == "start":
            if element.tag in HEADINGS:
                yield Section(heading, _tidy(parts))
                heading, parts = _line(element.text_content()), []
            parts += ["\n" if element.tag in BLOCKS else "", _spaces(element.text)]
        else:
            if element.tag in HEADINGS:
                parts = []
            parts += ["\n" if element.tag in BLOCKS else "", _spaces(element.tail)]
    yield Section(heading, _tidy(parts))


def _is_unread(element: Any) -> bool:
    if not isinstance(element.tag, str):
        return False
    classes = (element.get("class") or "").split()
    return (
        element.tag in UNREAD_TAGS
        or (element.tag != "body" and element.get("id") in UNREAD_IDS and element.tag not in HEADINGS)
        or any(name in UNREAD_CLASSES for name in classes)
    )


def _read_info(start: Path) -> Iterator[Section]:
    """The parts of an Info manual: name.info-1.gz, name.info-2.gz, …; menus and indices are left out."""
    base = start.name.removesuffix(".gz").removesuffix("-1")
    parts = sorted(start.parent.glob(f"{base}-*.gz"), key=lambda part: int(re.sub(r"\D", "", part.name.split("-")[-1])))
    heading, lines = "", list[str]()
    for part in parts or [start]:
        for node in gzip.decompress(part.read_bytes()).decode("utf-8", "replace").split("\x1f")[1:]:
            if not node.lstrip("\f\n").startswith("File:"):
                continue
            rows = [row for row in node.strip("\f\n").split("\n")[1:] if not row.startswith("* ")]
            for row, below in zip(rows, [*rows[1:], ""], strict=True):
                if row.strip() and _UNDERLINE.fullmatch(below) and abs(len(below) - len(row)) < 3:
                    yield Section(heading, _tidy(lines))
                    heading, lines = _line(row), []
                elif not _UNDERLINE.fullmatch(row):
                    lines.append(row + "\n")
    yield Section(heading, _tidy(lines))


def _line(text: str) -> str:
    return " ".join(text.replace("¶", " ").split())


def _spaces(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "")


def _tidy(parts: list[str]) -> str:
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)
