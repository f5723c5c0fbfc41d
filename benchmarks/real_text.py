"""Real documents and queries from the data folder, where they lie there; else those of `synthetic`, which is said."""

import sys
from functools import cache
from itertools import islice

from benchmarks import synthetic
from satchel.datasets import AdHocSet, LabelledSet, load, place_of
from satchel.importing import Document

LABELLED, AD_HOC = ("20ng", "r8", "r52"), ("cranfield", "cacm", "npl", "scifact", "nfcorpus-partial")


@cache
def are_here() -> bool:
    """Whether all sets lie in the data folder or the cache; told on stderr where one does not."""
    missing = [name for name in (*LABELLED, *AD_HOC) if place_of(name) == "source"]
    if missing:
        print(f"texts are made up because {', '.join(missing)} are not here: satchel data get NAME", file=sys.stderr)
    return not missing


def kind() -> str:
    """What the texts are, for the name of a row."""
    return "real texts" if are_here() else "made-up texts"


@cache
def documents(most: int) -> list[Document]:
    """Documents d0000000, d0000001, …: newsgroups, newswire and abstracts, about 60,000 at most, or so many made up."""
    if not are_here():
        return list(synthetic.documents(most))
    texts: list[tuple[str, str]] = []
    for name in LABELLED:
        found = load(name)
        assert isinstance(found, LabelledSet)
        texts += [("", text) for text in (*found.train.texts, *found.test.texts)]
    for own in _ad_hoc_sets():
        texts += zip(own.documents.titles, own.documents.texts, strict=True)
    return [Document(f"d{place:07}", text, title) for place, (title, text) in enumerate(islice(texts, most))]


@cache
def queries(n_queries: int) -> list[str]:
    """As many queries of each set, in turn; or made-up ones."""
    if not are_here():
        return synthetic.queries(n_queries)
    in_turn = zip(*(own.queries.texts for own in _ad_hoc_sets()), strict=False)
    return list(islice((query for some in in_turn for query in some), n_queries))


def _ad_hoc_sets() -> list[AdHocSet]:
    return [found for name in AD_HOC if isinstance(found := load(name), AdHocSet)]
