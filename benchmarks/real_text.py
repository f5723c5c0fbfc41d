"""Real documents and queries from the data folder, where they lie there; else those of `synthetic`, which is said."""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, zip_longest

from benchmarks import synthetic
from satchel.datasets import DATASETS, AdHocSet, LabelledSet, Review, load, place_of
from satchel.importing import Document

LABELLED = ("20news-bydate", "20ng", "r52", "webkb")
"""r8 is not among them: its texts are those of r52."""
AD_HOC = ("cranfield", "cacm", "npl", "scifact", "nfcorpus-partial")
REVIEWS = tuple(name for name in DATASETS if name.startswith("reviews/"))
MADE_UP = 90_000
"""Documents made up where there are no real ones."""
_SENTENCE = re.compile(r"[^.!?\n>|:]{25,120}")
_WORD = re.compile(r"[A-Za-z]{2,}")
FEWEST_WORDS, MOST_WORDS = 4, 12


@cache
def are_here() -> bool:
    """Whether the ad-hoc sets, which have the queries, and some labelled texts lie here; told on stderr."""
    missing = [name for name in (*LABELLED, *AD_HOC, *REVIEWS) if place_of(name) == "source"]
    if missing:
        print(f"not here: {', '.join(missing)}; satchel data get NAME", file=sys.stderr)
    are = not set(AD_HOC) & set(missing) and not set(LABELLED) <= set(missing)
    if not are:
        print("so all texts are made up", file=sys.stderr)
    return are


def kind() -> str:
    """What the texts are, for the name of a row."""
    return "real texts" if are_here() else "made-up texts"


@cache
def documents(most: int | None = None) -> list[Document]:
    """Documents d0000000, d0000001, …: newsgroups, newswire, web pages, abstracts; no text twice. Or made-up ones."""
    if not are_here():
        return list(synthetic.documents(most or MADE_UP))
    different = {(title, text): None for title, text in _texts() if text.strip()}
    return [Document(f"d{place:07}", text, title) for place, (title, text) in enumerate(islice(different, most))]


def _texts() -> Iterator[tuple[str, str]]:
    """Titles and texts of all sets that are here."""
    for name in (*LABELLED, *AD_HOC, *REVIEWS):
        if place_of(name) == "source":
            continue
        found = load(name)
        if isinstance(found, LabelledSet):
            yield from (("", text) for part in (found.train, found.test) for text in part.texts)
        elif isinstance(found, Review):
            yield from (_apart(text) for text in found.texts)
        elif isinstance(found, AdHocSet):
            rows = zip(found.documents.titles, found.documents.texts, strict=True)
            yield from ((title, text.removeprefix(title).strip() or text) for title, text in rows)


def _apart(record: str) -> tuple[str, str]:
    """The title of a record, which is its first line, and the rest."""
    title, line_end, abstract = record.partition("\n")
    return (title, abstract) if line_end else ("", record)


@cache
def queries(n_queries: int) -> list[str]:
    """The test queries of each ad-hoc set, in turn until all are used up, none twice; or made-up ones."""
    if not are_here():
        return synthetic.queries(n_queries)
    found = [load(name) for name in AD_HOC]
    by_set = [own.judged_queries().texts for own in found if isinstance(own, AdHocSet)]
    in_turn = dict.fromkeys(query for some in zip_longest(*by_set) for query in some if query)
    return list(islice(in_turn, n_queries))


def many_queries(n_queries: int) -> list[str]:
    """Different titles and sentences of the documents, of 4 to 12 words, spread over all documents."""
    if not are_here():
        return synthetic.queries(n_queries)
    found: dict[str, None] = {}
    for round_ in range(8):
        for document in documents():
            if len(found) == n_queries:
                return list(found)
            if (sentence := next(islice(_sentences(document), round_, None), None)) is not None:
                found[sentence] = None
    return list(found)


def _sentences(document: Document) -> Iterator[str]:
    pieces: Iterable[str] = (document.title, *_SENTENCE.findall(document.text[:2_000]))
    for piece in pieces:
        words = _WORD.findall(piece)
        if len(words) >= FEWEST_WORDS:
            yield " ".join(words[:MOST_WORDS])
