"""The judged set: manuals without the headings that are asked, and the headings with the manual of each."""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from benchmarks.manuals.catalogue import MANUALS, Manual
from benchmarks.manuals.packages import downloaded, unpacked
from benchmarks.manuals.pages import Section, sections_of, title_of

Half = Literal["choose", "judge"]
FEWEST_WORDS, FEWEST_OF_A_SECTION = 5_000, 40
"""Words of a manual, and of a section whose heading is asked."""
FEWEST_IN_HEADING, MOST_IN_HEADING = 3, 12
_NUMBER = re.compile(
    r"(?:(?:chapter|appendix|part|section)\s+[\dA-Z]+\b[\s:.–—-]*|(?:\d+|[A-Z])(?:[.-]\d+)+\.?\s+|(?:\d+|[A-Z])\.\s+)",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\s*\[[\w.-]+\]$")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"[()\[\]{}<>=\\/_@$%*|:;]|\d\.\d|\bindex$", re.IGNORECASE)


class Text(NamedTuple):
    """One manual; package: the package with its version."""

    id: str
    title: str
    text: str
    package: str


class Heading(NamedTuple):
    """A question and the manual that it comes from."""

    query: str
    manual: str
    half: Half


class JudgedSet(NamedTuple):
    texts: list[Text]
    headings: list[Heading]


def judged_set(folder: Path) -> JudgedSet:
    """The set in `manuals.jsonl` and `headings.jsonl` of the folder; both are made where they are missing."""
    texts, headings = folder / "manuals.jsonl", folder / "headings.jsonl"
    if not (texts.is_file() and headings.is_file()):
        made = made_of(dict(_read_manuals(folder / "packages")))
        _write(headings, made.headings)
        _write(texts, made.texts)
    return JudgedSet([Text(**row) for row in _rows(texts)], [Heading(**row) for row in _rows(headings)])


class _Read(NamedTuple):
    title: str
    package: str
    sections: list[Section]


def _read_manuals(packages: Path) -> Iterable[tuple[str, _Read]]:
    """Name, title and sections of each manual that is to be had and long enough."""
    by_package: dict[str, list[Manual]] = {}
    for manual in MANUALS:
        by_package.setdefault(manual.package, []).append(manual)
    for name, manuals in by_package.items():
        if (package := downloaded(name, packages)) is None:
            continue
        with unpacked(package) as share:
            for manual in manuals:
                print(f"… {manual.name}", file=sys.stderr)
                start = share / manual.start
                sections = sections_of(start, manual.is_one_page) if start.is_file() else []
                if sum(len(section.text.split()) for section in sections) < FEWEST_WORDS:
                    print(f"{manual.name} is left out: {start.name} of {package.name} is too short", file=sys.stderr)
                else:
                    yield manual.name, _Read(title_of(start), package.stem, sections)


def made_of(manuals: dict[str, _Read]) -> JudgedSet:
    """Headings that occur once in all manuals are questions; every line that consists of one is taken out."""
    headings = [heading_of(section) for read in manuals.values() for section in read.sections]
    times = Counter(folded(heading) for heading in headings)
    halves, texts, asked = halves_of(list(manuals)), list[Text](), list[Heading]()
    for name, read in manuals.items():
        own = [heading_of(section) for section in read.sections if is_question(section)]
        own = [heading for heading in own if times[folded(heading)] == 1]
        asked += [Heading(heading, name, halves[name]) for heading in own]
        texts.append(
            Text(name, read.title, _without(read.sections, {folded(heading) for heading in own}), read.package)
        )
    return JudgedSet(texts, asked)


def halves_of(names: Sequence[str]) -> dict[str, Half]:
    """Every other manual, in an order that has nothing to do with what they are about, is for choosing."""
    mixed = sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())
    return {name: ("choose", "judge")[place % 2] for place, name in enumerate(mixed)}


def is_question(section: Section) -> bool:
    """Whether a heading says in plain words what its section is about, and the section has a text of its own."""
    heading = heading_of(section)
    words = _WORD.findall(heading.casefold())
    telling = [word for word in words if len(word) > 2 and word not in ENGLISH_STOP_WORDS]
    return (
        FEWEST_IN_HEADING <= len(heading.split()) <= MOST_IN_HEADING
        and len(words) >= FEWEST_IN_HEADING
        and len(telling) >= 2
        and heading.isascii()
        and not _CODE.search(heading)
        and len(section.text.split()) >= FEWEST_OF_A_SECTION
    )


def heading_of(section: Section) -> str:
    """The heading without its number; typographic quotes become plain ones."""
    plain = section.heading.translate(str.maketrans("‘’“”–—", "''\"\"--"))
    return _ENDING.sub("", _NUMBER.sub("", plain, count=1)).strip()


def folded(line: str) -> str:
    return " ".join(_WORD.findall(line.casefold()))


def _without(sections: Sequence[Section], asked: set[str]) -> str:
    """All sections; of lists of contents, too, the lines that are asked are left out."""
    lines: list[str] = []
    for section in sections:
        for line in [section.heading, *section.text.split("\n")]:
            if folded(heading_of(Section(line, ""))) not in asked:
                lines.append(line)
        lines.append("")
    return "\n".join(lines).strip()


def _write(path: Path, rows: Sequence[Text] | Sequence[Heading]) -> None:
    new = path.with_suffix(".new")
    new.write_text("".join(json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    new.replace(path)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
