"""Suggestions go on with what was typed: earlier queries and projects, words of the documents, titles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel import Collection
from satchel.importing.types import Document

DOCUMENTS = [
    *(Document(f"s{n}", f"grid storage of energy {n}", f"Storage number {n}") for n in range(3)),
    Document("t", "a story about the grid", "The story of a store"),
    Document("u", "stormy weather with a café", "Wind"),
    Document("v", "bread", "Stöve and oven"),
]


@pytest.fixture(params=["file", "memory"])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Collection]:
    with Collection.create(":memory:" if request.param == "memory" else tmp_path / "own.satchel") as made:
        made.add(DOCUMENTS)
        yield made


def test_words_come_by_how_many_documents_hold_them_then_titles(own: Collection) -> None:
    found = own.suggestions.of("stor", 20)
    assert found[0] == "storage"
    assert {"storage", "story", "stormy", "Storage number 0", "The story of a store"} <= set(found)
    assert all("stor" in one.casefold() for one in found)


def test_words_before_the_last_one_must_be_in_the_same_documents(own: Collection) -> None:
    found = own.suggestions.of("Grid  sto", 20)
    assert found[:1] == ["Grid storage"]
    assert "Grid story" in found
    assert "Grid stormy" not in found
    assert own.suggestions.of("zebra sto") == []


def test_accents_and_case_make_no_difference(own: Collection) -> None:
    assert "café" in own.suggestions.of("CAF")
    assert "Stöve and oven" in own.suggestions.of("stov", 20)


def test_earlier_queries_and_projects_come_first(own: Collection) -> None:
    own.mark("t", "relevant", query="wind and storms")
    own.projects.save("Stored energy", "storage of energy")
    assert own.suggestions.of("sto", 6)[:2] == ["Stored energy", "storage of energy"]
    assert own.suggestions.of("and stor")[0] == "wind and storms"
    assert set(own.suggestions.of("")) == {"wind and storms", "Stored energy", "storage of energy"}


def test_nothing_is_suggested_twice_nor_what_was_typed(own: Collection) -> None:
    found = own.suggestions.of("storage", 20)
    assert "storage" not in found
    assert len(found) == len(set(found)) > 2
    assert len(own.suggestions.of("s", 3)) == 3


@pytest.mark.parametrize("text", ["", " ", "zzz", "%", '"', "a" * 300, "\0", "\ud800", "🚀"])
def test_any_text_may_be_typed(own: Collection, text: str) -> None:
    assert own.suggestions.of(text) == []


def test_a_document_that_was_removed_suggests_nothing(own: Collection) -> None:
    own.remove(["u"])
    assert own.suggestions.of("stormy weath") == own.suggestions.of("weath") == []
