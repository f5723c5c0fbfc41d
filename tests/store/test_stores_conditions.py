"""Conditions find in every store the documents that a brute-force evaluator finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from made_stores import by_id, ids_of, makers, prepared, put, sqlite_store, vector_of
from satchel.errors import InputError
from satchel.importing.types import Fields, FieldValue
from satchel.query import And, Between, Condition, Contains, Is, Leaf, Marked, Not, Or, Since, Within, evaluate, key_of
from satchel.store import DiaryRow, Store
from satchel.store.stored_files import Places, write_places

VALUES: tuple[str | int | float | bool, ...] = (
    *(2019, "2019", 2019.0, "2019-05", "2019-05-31", "2019-05-31T10:00", "2019x", "20190", 2020, "2018-12-31"),
    *(0, 1, -3, 2.5, "2.5", "-3", "1e3", 1000, 2**53 + 1, "9" * 30, 1e300, "nan", "inf", "1", "0", "2019.0"),
    *(True, False, "true", "False", "TRUE", "", " ", "ant", "Ant", "Äpfel", "äpfel", "straße", "STRASSE", "🚀", "~"),
)
N_DOCUMENTS = 60
N_ON_MAP = 30
TITLES = ("2019", "2019-05", "Ant", "ähre", "", "1")
NUMBERS = range(N_DOCUMENTS)


def fields_of(number: int) -> Fields:
    """Every value stands in field a of a document; b has several, or is missing."""
    fields: dict[str, FieldValue] = {"a": VALUES[number % len(VALUES)]}
    if number % 3 == 0:
        fields["b"] = [str(VALUES[(number * 7) % len(VALUES)]), str(VALUES[(number * 5) % len(VALUES)])]
    elif number % 3 == 1:
        fields["b"] = VALUES[(number * 11) % len(VALUES)]
    return fields


def id_of(number: int) -> str:
    return f"{'dD'[number % 2]}{number:02}"


def change_of(number: int) -> int:
    return 3 if 25 <= number < 35 else 1 if number < N_ON_MAP else 2


def mark_of(number: int) -> tuple[str, str | None]:
    """Value and project; every second document is marked."""
    return ("relevant", "maybe", "irrelevant", "none")[number // 2 % 4], "own" if number % 4 else None


def filled(store: Store) -> Store:
    """Documents of two changes, of which a third changed some. Those of the first were put on the map."""
    documents = [
        prepared(id_of(n), f"text {n} moon", TITLES[n % len(TITLES)], fields_of(n), f"/Part {n % 4}") for n in NUMBERS
    ]
    put(store, *documents[:N_ON_MAP])
    numbers = np.arange(1, N_ON_MAP + 1)
    points = np.stack([numbers, numbers[::-1]], axis=1).astype(np.float32) / N_ON_MAP
    with store.writing():
        write_places(store, Places(numbers, points, numbers[:2], (), 1, 1))
    put(store, *documents[N_ON_MAP:])
    put(store, *(one._replace(text="changed") for one in documents[25:35]))
    with store.writing():
        store.write_rows(DiaryRow(0, id_of(n), mark_of(n)[0], "moon", mark_of(n)[1], float(n)) for n in NUMBERS[::2])
        store.write_rows([DiaryRow(0, id_of(4), "irrelevant", "moon", None, 99.0, undone=1)])
        store.write_rows([DiaryRow(0, "gone", "maybe", "moon", None, 99.0)])
    return store


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Store]]:
    made = [filled(make()) for make in makers(tmp_path_factory.mktemp("conditions")).values()]
    yield made
    for one in made:
        one.close()


# brute force: one document and one leaf at a time


def is_met(leaf: Leaf, number: int) -> bool:
    if isinstance(leaf, Since):
        return change_of(number) > leaf.change
    if isinstance(leaf, Marked):
        value, project = mark_of(number)
        asked = leaf.project == project and (project is not None or leaf.query == "moon")
        return number % 2 == 0 and asked and value in leaf.values
    if isinstance(leaf, Within):
        x, y = (number + 1) / N_ON_MAP, (N_ON_MAP - number) / N_ON_MAP
        return change_of(number) == 1 and leaf.left <= x <= leaf.right and leaf.top <= y <= leaf.bottom
    own = {"id": id_of(number), "title": TITLES[number % len(TITLES)], "source": f"/Part {number % 4}"}
    if leaf.field in own:
        return text_meets(leaf, own[leaf.field])
    kept = fields_of(number).get(leaf.field, [])
    return any(value_meets(leaf, value) for value in (kept if isinstance(kept, list) else [kept]))


def text_meets(leaf: Is | Between | Contains, text: str) -> bool:
    if isinstance(leaf, Contains):
        return leaf.text.casefold() in text.casefold()
    if isinstance(leaf, Is):
        return any(same(text, wanted) or text == truth(wanted) for wanted in leaf.values)
    return (leaf.least is None or str(leaf.least) <= text) and (leaf.most is None or text <= str(leaf.most))


def value_meets(leaf: Is | Between | Contains, value: str | int | float | bool) -> bool:
    if isinstance(leaf, Contains):
        return leaf.text.casefold() in str(int(value) if isinstance(value, bool) else value).casefold()
    if isinstance(leaf, Is):
        return any(same(value, wanted) for wanted in leaf.values)
    return between(value, leaf.least, leaf.most)


def amount(value: object) -> float | None:
    try:
        found = float(value)  # type: ignore[arg-type]
    except ValueError:
        return None
    return found if np.isfinite(found) else None


def truth(value: object) -> str | None:
    return {"true": "1", "false": "0"}.get(str(value).lower())


def same(value: object, wanted: object) -> bool:
    """A number is the same as the text that reads like it, as it is written or as a whole number."""
    if (said := truth(wanted)) is not None:
        return value == wanted or (not isinstance(value, str) and value == int(said))
    if (number := amount(wanted)) is None:
        return value == wanted
    if isinstance(value, str):
        whole = abs(number) < 2**63 and number == int(number)
        return value == str(wanted) or (whole and value == str(int(number)))
    return value in (number, wanted)


def is_date(value: object) -> bool:
    parts = str(value).split("-")
    return len(parts) < 4 and [len(part) for part in parts] == [4, 2, 2][: len(parts)] and "".join(parts).isdecimal()


def between(value: object, least: object, most: object) -> bool:
    ends = [end for end in (least, most) if end is not None]
    if not ends:
        return True
    of_years = all(is_date(end) for end in ends)
    as_numbers = all(amount(end) is not None for end in ends)
    own = amount(value)
    if (
        as_numbers
        and own is not None
        and (least is None or own >= amount(least))
        and (most is None or own <= amount(most))
    ):  # type: ignore[operator]
        return True
    if not isinstance(value, str) or (as_numbers and not of_years):
        return False
    if as_numbers and not (value[:4].isascii() and value[:4].isdecimal() and len(value) > 4 and value[4] == "-"):
        return False
    last = f"{most}~" if of_years else str(most)
    return (least is None or value >= str(least)) and (most is None or value <= last)


def expected(condition: Condition) -> list[str]:
    def holds(number: int) -> bool:
        return evaluate(condition, lambda leaf: is_met(leaf, number), all, any, lambda part: not part)

    return sorted(id_of(number) for number in NUMBERS if holds(number))


values = st.sampled_from(VALUES)
fields = st.sampled_from(["a", "b", "id", "title", "source", "nowhere"])
ends = st.one_of(values, st.sampled_from(["2018", 2018, "2019-05", "2019-06", "d10", "/Part 1", -5, 3, "a"]), st.none())
part = st.floats(0, 1, width=32)
leaves = st.one_of(
    st.builds(Is, fields, st.lists(values | st.sampled_from(["d10", "/Part 1"]), max_size=3).map(tuple)),
    st.builds(Between, fields, ends, ends),
    st.builds(Contains, fields, st.sampled_from(["", "a", "SS", "ß", "ä", "1", "true", "e", "PART", "0", "%", "🚀"])),
    st.builds(Since, st.integers(-1, 4)),
    st.builds(
        Marked,
        st.sampled_from([("relevant",), ("maybe", "irrelevant"), ("relevant", "maybe", "irrelevant"), ()]),
        st.sampled_from([None, "own", "nobody's"]),
        st.sampled_from(["moon", "sun"]),
    ),
    st.builds(Within, part, part, part, part),
)
trees = st.recursive(
    leaves,
    lambda parts: st.one_of(
        st.lists(parts, max_size=3).map(lambda own: And(tuple(own))),
        st.lists(parts, max_size=3).map(lambda own: Or(tuple(own))),
        parts.map(Not),
    ),
    max_leaves=6,
)


@settings(max_examples=400)
@given(condition=trees)
@example(And(()))
@example(Or(()))
@example(Between("a"))
@example(Is("a", (True,)))
def test_a_condition_finds_what_one_document_at_a_time_finds(stores: list[Store], condition: Condition) -> None:
    wanted = expected(condition)
    for store in stores:
        with store.reading():
            assert ids_of(store, store.listed(condition)) == wanted, type(store)
            assert store.count(condition) == len(wanted)


@settings(max_examples=300)
@given(least=values | st.none(), most=values | st.none())
def test_a_span_finds_dates_years_and_numbers(stores: list[Store], least: FieldValue, most: FieldValue) -> None:
    condition = Between("a", least, most)  # type: ignore[arg-type]
    for store in stores:
        with store.reading():
            assert ids_of(store, store.listed(condition)) == expected(condition), type(store)


@pytest.mark.parametrize("wanted", VALUES, ids=repr)
def test_one_value_finds_all_that_are_the_same(stores: list[Store], wanted: str | int | float | bool) -> None:
    for store in stores:
        with store.reading():
            found = ids_of(store, store.listed(Is("a", (wanted,))))
            assert found == expected(Is("a", (wanted,))), type(store)
            assert found


def test_searches_find_only_what_meets_the_condition(stores: list[Store]) -> None:
    condition = Or((Between("a", 2000, 2020), Not(Contains("title", "a"))))
    for store in stores:
        with store.reading():
            words, near = (
                by_id(store, found)
                for found in (
                    store.find_words({"moon": 1.0, "text": 1.0}, 100, condition),
                    store.find_near(vector_of("text 3 moon"), None, 100, condition),
                )
            )
            every = by_id(store, store.find_words({"moon": 1.0, "text": 1.0}, 100))
        met = set(expected(condition))
        assert words == {id_: score for id_, score in every.items() if id_ in met} != {}
        assert near.keys() <= met != set()


def test_no_depth_of_nesting_is_too_deep(stores: list[Store]) -> None:
    deep: Condition = Is("id", ("d00",))
    wide: Condition = deep
    for place in range(10_000):
        deep = Not(deep)
        wide = (And if place % 2 else Or)((wide, Since(0)))
    for store in stores:
        with store.reading():
            assert ids_of(store, store.listed(deep)) == ["d00"]
            assert ids_of(store, store.listed(Not(deep))) == [id_ for id_ in store.ids() if id_ != "d00"]
            assert store.count(wide) == N_DOCUMENTS


def test_a_key_tells_apart_what_python_takes_for_equal() -> None:
    conditions = [Is("a", (1,)), Is("a", (True,)), Is("a", (1.0,)), Is("a", ("1",)), None, And(()), Or(())]
    nested = [And((Since(1), Since(2))), And((And((Since(1),)), Since(2))), Or((Since(1), Since(2))), Not(Since(1))]
    assert len({key_of(one) for one in [*conditions, *nested]}) == 11
    assert key_of(Not(Is("a", (1,)))) == key_of(Not(Is("a", (1,))))


def test_an_area_needs_a_map(tmp_path: Path) -> None:
    for make in makers(tmp_path).values():
        store = make()
        put(store, prepared("a", "moon"))
        with store.reading(), pytest.raises(InputError, match="has no map yet; make it before"):
            store.listed(Within(0, 0, 1, 1))


def test_a_number_that_was_given_again_is_not_where_the_old_document_was(stores: list[Store], tmp_path: Path) -> None:
    store = filled(sqlite_store(tmp_path / "own.satchel"))
    with store.writing():
        store.remove([id_of(N_DOCUMENTS - 1), id_of(3)])
        store.next_change()
    put(store, prepared("again", "new"))
    everywhere = Within(0, 0, 1, 1)
    with store.reading():
        assert "again" not in ids_of(store, store.listed(everywhere))
        assert store.count(everywhere) == stores[0].count(everywhere) - 1
