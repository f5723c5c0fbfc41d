"""Requests, the conditions that filters mean, and methods that take a request's fields as arguments."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel import Collection
from satchel.errors import InputError
from satchel.query import (
    And,
    Between,
    Comparison,
    Condition,
    Contains,
    Is,
    Not,
    Or,
    Request,
    Since,
    Within,
    all_of,
    condition_of,
    leaves_of,
    plain_weights,
    read_filters,
)
from satchel.query.request import DEPTH, Option, is_unicode, takes_fields_of, writable

# requests


def test_a_search_takes_the_fields_of_a_request_and_nothing_else() -> None:
    own = list(inspect.signature(Collection.search).parameters.values())[1:]
    asked = list(inspect.signature(Request).parameters.values())
    assert [(one.name, one.default, one.kind) for one in own] == [(one.name, one.default, one.kind) for one in asked]
    assert [one.name for one in own] == [field.name for field in fields(Request)]


def test_every_field_has_a_sentence_for_people() -> None:
    for name, hint in get_type_hints(Request, include_extras=True).items():
        (option,) = (one for one in hint.__metadata__ if isinstance(one, Option))
        assert option.help.endswith("."), name
        assert option.least is None or option.most is None or option.least < option.most


def test_a_request_that_says_nothing_lists_ten_documents() -> None:
    asked = Request()
    assert (asked.query, asked.k, asked.offset, asked.mode, asked.like) == ("", 10, 0, "both", ())
    assert (asked.marks, asked.within, asked.weights, asked.compare_with) == ({}, None, None, None)
    assert (asked.kept_marks, asked.explained, asked.only_new) == (True, True, False)


WRONG: dict[str, tuple[object, str]] = {
    "query": (3, "the query is of type int; expected a string"),
    "k": (0, "k is 0; expected a whole number of at least 1"),
    "offset": (-1, "offset is -1; expected a whole number of at least 0"),
    "mode": ("meaning", "unknown mode 'meaning'; choose from both, lexical, semantic"),
    "like": ([3], r"like is \[3\]; expected a list of ids"),
    "filters": ("year", "filters must be a mapping of fields to values, not str"),
    "relevant": ("a.pdf", r"relevant must be a list of ids, not one string: \['a.pdf'\]"),
    "irrelevant": (7, "irrelevant is 7; expected a list of ids"),
    "maybe": ([None], r"maybe is \[None\]; expected a list of ids"),
    "project": (["space"], "the project is of type list; expected its name"),
    "only_new": ("yes", "only_new is 'yes'; expected True or False"),
    "kept_marks": (None, "kept_marks is None; expected True or False"),
    "explained": ("no", "explained is 'no'; expected True or False"),
    "weights": ([1, 2], r"weights are \[1, 2\]; expected theme -> weight"),
    "area": ((0, 1), r"area is \(0, 1\); expected two corners"),
    "facets": ([3], r"facets is \[3\]; expected a list of"),
    "sort": ("", "sort is ''; expected relevance, title, date, added or a field"),
    "compare_with": ({"mark": {}}, "compare_with is .*; expected marks and weights"),
}


@pytest.mark.parametrize("name", [field.name for field in fields(Request)])
def test_every_field_is_checked_when_the_request_is_made(name: str) -> None:
    value, sentence = WRONG[name]
    with pytest.raises(InputError, match=sentence):
        Request(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 1.5},
        {"k": True},
        {"mode": ["both"]},
        {"weights": {"x": 1}},
        {"weights": {float("inf"): 1}},
        {"area": "0,0,1,1"},
        {"area": (0, 0, 1, "x")},
        {"area": (0, 0, 1, float("nan"))},
        {"only_new": True},
        {"relevant": ["a"], "irrelevant": ["a"]},
        {"relevant": ["a"], "maybe": ["b", "a"]},
        {"compare_with": "not json"},
        {"compare_with": {"marks": ["a"]}},
        {"compare_with": {"marks": {"a": "good"}}},
        {"compare_with": {"marks": {"a": []}}},
        {"compare_with": {"weights": {"x": "y"}}},
        {"filters": {"year": {"least": 3}}},
        {"filters": {"year": {}}},
        {"filters": {"year": None}},
        {"filters": {"year": [[1]]}},
        {"filters": {"year": {"from": [1]}}},
    ],
    ids=str,
)
def test_what_cannot_be_searched_for_is_one_sentence(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError) as caught:
        Request(**wrong)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_a_request_is_kept_in_one_form_however_it_is_written() -> None:
    asked = Request("moon", like="a", relevant=iter(["b", "c"]), maybe={"d": 1}, area=(1, 0.2, 0, 0.9))
    assert (asked.like, asked.relevant, asked.maybe) == (("a",), ("b", "c"), ("d",))
    assert asked.marks == {"b": "relevant", "c": "relevant", "d": "maybe"}
    assert asked.within == Within(0, 0.2, 1, 0.9)
    assert Request(like=["b", "a", "b"]).like == ("b", "a")
    assert Request(weights={"3": "0.5"}).weights == {3: 0.5}  # type: ignore[dict-item]
    for option in ({"marks": {"a": "maybe"}, "weights": {"2": 1}}, '{"marks": {"a": "maybe"}, "weights": {"2": 1}}'):
        assert Request(compare_with=option).compare_with == Comparison({"a": "maybe"}, {2: 1.0})  # type: ignore[arg-type]
    assert Request(compare_with={}).compare_with == Comparison({}, {})
    with pytest.raises(dataclasses.FrozenInstanceError):
        asked.k = 3  # type: ignore[misc]


def test_so_many_documents_of_each_leg_are_fused_that_a_page_is_full() -> None:
    assert [Request(k=k, offset=offset).depth for k, offset in ((1, 0), (1000, 0), (1, 1000), (10, 2995))] == [
        *(DEPTH, DEPTH, 2 * DEPTH, 4 * DEPTH)
    ]
    assert Request(offset=10**30).depth == 2**62


@given(st.text(alphabet=st.characters(codec=None) | st.sampled_from("\0\ud800\udfff")))
def test_what_cannot_be_written_is_left_out_of_a_query(text: str) -> None:
    query = Request(text).query
    assert query == writable(text) == writable(query)
    assert is_unicode(query)
    assert "\0" not in query
    assert query == text or not is_unicode(text) or "\0" in text


def test_weights_are_numbers_of_themes() -> None:
    assert plain_weights({1: 2, "3": 0}) == {1: 2.0, 3: 0.0}  # type: ignore[dict-item]
    assert plain_weights({}) == {}


# filters


def test_filters_mean_conditions_of_which_all_must_hold() -> None:
    assert condition_of(None) is condition_of({}) is None
    assert condition_of({"lang": "en"}) == Is("lang", ("en",))
    assert condition_of({"lang": ["en", "de"]}) == Is("lang", ("en", "de"))
    assert condition_of({"year": {"from": 2001}}) == Between("year", 2001, None)
    assert condition_of({"year": {"from": 2001, "to": "2005-03"}, "draft": False}) == And(
        (Between("year", 2001, "2005-03"), Is("draft", (False,)))
    )
    own = Or((Since(3), Not(Contains("title", "moon"))))
    assert condition_of(own) is own


def test_filters_are_read_as_people_write_them() -> None:
    assert read_filters([]) == {}
    assert read_filters(["lang=en", "year>=2001", "year <= 2005", "a b = c=d"]) == {
        "lang": "en",
        "year": {"from": "2001", "to": "2005"},
        "a b": "c=d",
    }
    assert read_filters(["topic=a,b", "authors=Ant, Ann"]) == {
        "topic": ["a", "b"],
        "authors": ["Ant, Ann", "Ant", "Ann"],
    }
    assert read_filters(["title="]) == {"title": ""}


@pytest.mark.parametrize(
    "written", [["lang"], ["=en"], ["a=1", "a=2"], ["a>=1", "a>=2"], ["a>=1", "a=2"], ["a=1", "a<=2"]]
)
def test_what_is_no_filter_is_one_sentence(written: list[str]) -> None:
    with pytest.raises(InputError, match=r"is not a filter; write FIELD=VALUE|is a second filter on 'a'"):
        read_filters(written)


def test_all_of_joins_what_is_given() -> None:
    one, two, three = Since(1), Since(2), Since(3)
    assert all_of() is all_of(None, None) is None
    assert all_of(None, one) is one
    assert all_of(And((one, two)), None, three) == And((one, two, three))
    assert all_of(Or((one, two)), three) == And((Or((one, two)), three))


def test_leaves_come_from_left_to_right() -> None:
    tree: Condition = And((Since(1), Not(Or((Since(2), Since(3)))), Or(()), Since(4)))
    assert list(leaves_of(tree)) == [Since(1), Since(2), Since(3), Since(4)]
    assert list(leaves_of(None)) == []


# methods that take the fields as arguments


@dataclasses.dataclass(frozen=True)
class Order:
    what: str
    how_many: int = 1


class Shop:
    @takes_fields_of(Order)
    def buy(self, order: Order) -> list[str]:
        """Gives what was ordered."""
        return [order.what] * order.how_many


def test_a_method_of_a_request_takes_its_fields_as_arguments() -> None:
    assert Shop().buy("tea") == Shop().buy(what="tea", how_many=1) == ["tea"]
    assert Shop().buy("tea", 2) == ["tea", "tea"]
    assert str(inspect.signature(Shop.buy)).replace("'", "") == "(self, what: str, how_many: int = 1) -> list[str]"
    assert str(inspect.signature(Shop().buy)).replace("'", "") == "(what: str, how_many: int = 1) -> list[str]"
    assert (Shop.buy.__name__, Shop.buy.__doc__) == ("buy", "Gives what was ordered.")


@pytest.mark.parametrize(
    "call", [lambda: Shop().buy(), lambda: Shop().buy("tea", 2, 3), lambda: Shop().buy("tea", price=3)]
)
def test_what_the_request_does_not_take_the_method_does_not_take(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        call()
