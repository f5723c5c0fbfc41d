"""A query that is exactly an id, a DOI, a PMID or a file name finds that document first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from satchel import Collection
from satchel.importing.types import Document
from satchel.query import Mode

RIVAL = "10 1000 abc 7 report final moon 123 doc pdf PMID doi org https"
DOCUMENTS = [
    Document("doc one", "bread", "Oven", {"doi": "10.1000/AbC.7"}, "/a/report final.pdf"),
    Document("two", "bread and butter", "", {"doi": "https://doi.org/10.1000/xyz"}, "/a/two.txt"),
    Document("three", "moon rock", "", {"pmid": "123"}, "/b/Report final.pdf"),
    Document("four", "moon", "", {"accession": 456}, "/b/README"),
    *(Document(f"rival{n}", f"{RIVAL} {RIVAL} xyz 456 readme two one", RIVAL, {"year": n}) for n in range(8)),
]
MODES = ("both", "lexical", "semantic")


@pytest.fixture(scope="module", params=["file", "memory"])
def own(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    path: str | Path = ":memory:" if request.param == "memory" else tmp_path_factory.mktemp("own") / "own.satchel"
    with Collection.create(path) as made:
        made.add(DOCUMENTS)
        yield made


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("doc one", ["doc one"]),
        ("  two ", ["two"]),
        ("10.1000/abc.7", ["doc one"]),
        ("doi: 10.1000/ABC.7", ["doc one"]),
        ("https://doi.org/10.1000/abc.7", ["doc one"]),
        ("10.1000/xyz", ["two"]),
        ("123", ["three"]),
        ("PMID: 123", ["three"]),
        ("pmid456", ["four"]),
        ("report final.pdf", ["doc one", "three"]),
        ("readme", ["four"]),
    ],
)
def test_a_named_document_is_first_in_every_mode(own: Collection, query: str, first: list[str], mode: str) -> None:
    hits = own.search(query, 20, mode=cast(Mode, mode))
    assert [hit.id for hit in hits][: len(first)] == first
    assert hits.total == len({hit.id for hit in hits}) == len(hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("query", ["moon", "report final", "final.pdf", "10.1000/abc", "PMID", "doc"])
def test_a_part_of_a_name_puts_nothing_first(own: Collection, query: str) -> None:
    hits = own.search(query, 20, mode="lexical")
    assert [hit.id for hit in hits] == [hit.id for hit in sorted(hits, key=lambda hit: (-hit.score, hit.id))]
    assert all((hit.reasons.lexical or 0) > 0 for hit in hits)


def test_a_named_document_must_meet_the_filters(own: Collection) -> None:
    assert "three" not in [hit.id for hit in own.search("PMID: 123", 20, filters={"year": 3})]
