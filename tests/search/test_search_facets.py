"""Facets count all that was found, and sorting orders all of it, as a slow count over the documents does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from satchel import Collection
from satchel.errors import InputError
from satchel.importing.types import Document
from satchel.query import Mode, Request
from satchel.store.amounts import amount_of

N_DOCUMENTS = 1_500


def fields_of(n: int) -> dict[str, Any]:
    drawn = np.random.default_rng(n)
    fields: dict[str, Any] = {
        "amount": float(drawn.integers(0, 400)) / 4,
        "tags": [f"t{one}" for one in {n % 3, n % 7}],
    }
    if n % 5:
        fields["year"] = [2000 + n % 11, str(2000 + n % 11)][n % 2]
    if n % 4 == 0:
        fields["place"] = ["Ürzig", "bonn", "Aachen", "10", "9"][n % 20 // 4]
    return fields


def document(n: int) -> Document:
    words = ["moon", "bread"][n % 2] + (" rock" if n % 3 else " oven")
    return Document(f"d{n:04}", f"{words} and many things {n % 50}", f"{'zaäb'[n % 4]} title {n % 9}", fields_of(n))


@pytest.fixture(scope="module", params=["file", "memory"])
def own(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    path: str | Path = ":memory:" if request.param == "memory" else tmp_path_factory.mktemp("own") / "own.satchel"
    with Collection.create(path) as made:
        made.add([document(n) for n in range(N_DOCUMENTS)])
        yield made


def every_id(own: Collection, query: str, **options: Any) -> list[str]:
    """All that is found by words, page by page, without facets."""
    found: list[str] = []
    while page := own.search(query, 1_000, offset=len(found), explained=False, **options).hits:
        found += [hit.id for hit in page]
    return found


def counted(ids: list[str], field: str) -> Counter[Any]:
    counts: Counter[Any] = Counter()
    for id_ in ids:
        value = fields_of(int(id_[1:])).get(field)
        own = value if isinstance(value, list) else [] if value is None else [value]
        counts.update({int(one) if field == "year" else one for one in own})
    return counts


@pytest.mark.parametrize("query", ["moon", "moon rock", "", "things oven"])
def test_facets_count_everything_that_was_found_by_words(own: Collection, query: str) -> None:
    hits = own.search(query, 3, mode="lexical", facets=["year", "tags"])
    ids = every_id(own, query, mode="lexical")
    assert hits.total == len(ids) > 3
    year, tags = hits.facets
    assert (year.field, tags.field) == ("year", "tags")
    assert {one.value: one.n_documents for one in year.values} == counted(ids, "year")
    assert {one.value: one.n_documents for one in tags.values} == counted(ids, "tags")
    assert [one.value for one in year.values] == sorted(counted(ids, "year"), reverse=True)
    assert [one.n_documents for one in tags.values] == sorted(counted(ids, "tags").values(), reverse=True)
    assert year.n_documents == sum("year" in fields_of(int(id_[1:])) for id_ in ids)


@pytest.mark.parametrize("mode", ["both", "lexical", "semantic"])
def test_the_counts_of_a_field_that_all_have_sum_to_the_total(own: Collection, mode: str) -> None:
    hits = own.search("moon rock", 3, mode=cast(Mode, mode), facets=["amount"])
    assert sum(one.n_documents for one in hits.facets[0].values) == hits.total == hits.facets[0].n_documents


def test_many_numbers_are_counted_in_spans_that_are_filters(own: Collection) -> None:
    (amount,) = own.search("moon", 3, mode="lexical", facets="amount").facets
    assert 10 <= len(amount.values) <= 20
    for one in amount.values:
        span = {"from": one.value, "to": one.value if one.to is None else one.to}
        assert own.search("moon", 1, mode="lexical", filters={"amount": span}).total == one.n_documents


@pytest.mark.parametrize("mode", ["both", "lexical"])
def test_the_filter_of_a_field_does_not_count_for_its_own_facet(own: Collection, mode: str) -> None:
    filters = {"year": 2003, "tags": "t1"}
    year, tags = own.search("moon", 3, mode=cast(Mode, mode), filters=filters, facets=["year", "tags"]).facets
    assert year == own.search("moon", 3, mode=cast(Mode, mode), filters={"tags": "t1"}, facets=["year"]).facets[0]
    assert tags == own.search("moon", 3, mode=cast(Mode, mode), filters={"year": 2003}, facets=["tags"]).facets[0]
    assert len(year.values) > 1


def test_documents_like_others_are_counted_without_those(own: Collection) -> None:
    hits = own.search("moon", 3, like=["d0000"], facets=["amount"])
    assert sum(one.n_documents for one in hits.facets[0].values) == hits.total


def test_too_many_facets_are_refused_and_an_unknown_one_is_empty(own: Collection) -> None:
    with pytest.raises(InputError, match="at most 20"):
        Request(facets=[str(n) for n in range(21)])
    assert own.search("moon", 1, facets=["nowhere"]).facets[0] == ("nowhere", (), 0, 0)


def key_of(id_: str, field: str) -> tuple[Any, ...] | None:
    """What a document is sorted by: numbers before texts, texts without case and accents."""
    value = document(int(id_[1:])).title if field == "title" else fields_of(int(id_[1:])).get(field)
    value = value[0] if isinstance(value, list) else value
    if value is None:
        return None
    amount = amount_of(value)
    plain = str(value).casefold().replace("ü", "u").replace("ä", "a")
    return (False, amount, "", str(value)) if amount is not None else (True, 0.0, plain, str(value))


@pytest.mark.parametrize("field", ["title", "year", "amount", "place", "tags"])
@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("query", ["moon", ""])
def test_sorting_orders_everything_that_was_found(own: Collection, field: str, sign: str, query: str) -> None:
    ids = sorted(every_id(own, query, mode="lexical"))
    with_value = sorted((id_ for id_ in ids if key_of(id_, field)), key=lambda id_: cast(Any, key_of(id_, field)))
    if sign:
        with_value.sort(key=lambda id_: cast(Any, key_of(id_, field)), reverse=True)  # stable: ties stay by id
    expected = with_value + [id_ for id_ in ids if not key_of(id_, field)]
    assert every_id(own, query, mode="lexical", sort=f"{sign}{field}") == expected


def test_sorting_changes_neither_the_total_nor_the_scores(own: Collection) -> None:
    by_relevance, by_year = (
        own.search("moon rock", 1_000, sort=sort, explained=False) for sort in ("relevance", "year")
    )
    assert by_relevance.total == by_year.total > 1_000
    scores = {hit.id: hit.reasons for hit in by_relevance}
    assert sum(hit.id in scores for hit in by_year) > 100
    lexical = (
        own.search("moon rock", 1_000, mode="lexical", sort=sort, explained=False) for sort in ("relevance", "year")
    )
    first, second = ({hit.id: hit.score for hit in hits} for hits in lexical)
    assert all(second[id_] == score for id_, score in first.items() if id_ in second)


def test_date_means_the_year_where_no_document_has_a_date(own: Collection) -> None:
    assert every_id(own, "moon", sort="-date") == every_id(own, "moon", sort="-year")


def test_documents_are_sorted_by_when_they_were_added(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "own.satchel") as made:
        for id_ in ("b", "a", "c"):
            made.add([Document(id_, "moon")])
        assert [hit.id for hit in made.search("moon", sort="added")] == ["b", "a", "c"]
        assert [hit.id for hit in made.search("", sort="-added")] == ["c", "a", "b"]


def test_a_field_to_sort_by_that_no_document_has_is_named(own: Collection) -> None:
    with pytest.raises(InputError, match=r"no document has a field 'yeer' to sort by; choose from .*year"):
        own.search("moon", sort="yeer")
    with pytest.raises(InputError, match="sort is '-'"):
        Request(sort="-")


def test_counts_follow_documents_that_were_added_changed_and_removed(tmp_path: Path) -> None:
    for place in (":memory:", tmp_path / "own.satchel"):
        with Collection.create(place) as made:
            made.add([Document("a", "moon", fields={"tag": "x"}), Document("b", "moon", fields={"tag": "x"})])
            assert made.search("moon", facets="tag").facets[0].values == (("x", 2, None),)
            made.add([Document("a", "moon", fields={"tag": "y"}), Document("c", "moon", fields={"tag": "y"})])
            made.remove(["b"])
            assert made.search("moon", facets="tag").facets[0].values == (("y", 2, None),)
