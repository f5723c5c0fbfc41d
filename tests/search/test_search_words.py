"""Which stems a question asks for: words of the query, words from marks by Rocchio, words that are spelled alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest

from made_stores import prepared, put
from satchel.ranking.fusion import Evidence, query_trust
from satchel.search import words
from satchel.search.words import (
    IRRELEVANT_WEIGHT,
    MOST_REPEATS,
    MOST_TERMS,
    N_TERMS,
    RARE,
    RELEVANT_WEIGHT,
    VARIANT_WEIGHT,
    content_words,
    query_weights,
    spelling_variants,
    stop_words,
    terms_of,
    with_variants,
)
from satchel.store import MemoryStore, Store
from satchel.text import Analysed

TEXTS = ["moon rock moon", "moon crater dust", "bread dough", "bread oven dust", "oven rock", "dust"]
FOR, AGAINST = [Evidence("moon crater moon", 1.0), Evidence("crater rock", 0.5)], [Evidence("oven dust", -1.0)]


@pytest.fixture
def store() -> Store:
    made = MemoryStore()
    put(made, *(prepared(f"d{place}", text) for place, text in enumerate(TEXTS)))
    return made


def weights_of(store: Store, query: str, evidence: list[Evidence]) -> Mapping[str, float]:
    return terms_of(store, Analysed(query), evidence).weights


def _unit(text: str) -> Counter[str]:
    df = Counter(word for one in TEXTS for word in set(one.split()))
    values = {word: np.log1p(n) * np.log(1 + len(TEXTS) / df[word]) for word, n in Counter(text.split()).items()}
    return Counter({word: value / np.linalg.norm([*values.values()]) for word, value in values.items()})


# words of the query


def test_stop_words_are_asked_for_only_where_there_is_nothing_else() -> None:
    assert content_words(Analysed("The Rockets of the rocket")) == {"rockets": "rocket", "rocket": "rocket"}
    assert content_words(Analysed("of the")) == {"of": "of", "the": "the"}
    assert content_words(Analysed("—")) == {}
    assert {"the", "of", "and"} < stop_words()
    assert not {"system", "fire", "computer"} & stop_words()


def test_a_word_counts_as_often_as_it_stands_in_the_query_up_to_a_bound(store: Store) -> None:
    assert query_weights(Analysed("moon Moon moons " + "dust " * 99)) == {"moon": 2, "moons": 1, "dust": MOST_REPEATS}
    assert weights_of(store, "moon moons rock", []) == {"moon": 2, "rock": 1}
    assert terms_of(store, Analysed("craters crater"), []).shown == {"crater": "craters"}


def test_of_a_long_query_the_rarest_words_that_are_there_are_asked_for() -> None:
    store = MemoryStore()
    put(store, *(prepared(f"d{n:03}", " ".join(f"x{m}" for m in range(n, 90))) for n in range(90)))
    query = " ".join(f"x{number}" for number in reversed(range(100)))
    asked = weights_of(store, query, [])
    assert list(asked) == [f"x{number}" for number in reversed(range(MOST_TERMS))]


# words from marks


def test_weights_are_those_of_rocchios_formula(store: Store) -> None:
    assert query_trust("dust moon", [*FOR, *AGAINST]) == 0
    expected = Counter({"moon": 1 / np.sqrt(5), "dust": 2 / np.sqrt(5)})
    for text, grade in FOR:
        for word, value in _unit(text).items():
            expected[word] += RELEVANT_WEIGHT * grade * value / 1.5
    for text, _ in AGAINST:
        for word, value in _unit(text).items():
            expected[word] -= IRRELEVANT_WEIGHT * value
    found = weights_of(store, "dust moon dust", [*FOR, *AGAINST])
    assert found == pytest.approx({word: value for word, value in expected.items() if value > 0})
    assert "oven" not in found


def test_a_query_that_tells_the_marks_apart_counts_twice(store: Store) -> None:
    told, alone = weights_of(store, "moon", [FOR[0], *AGAINST]), weights_of(store, "moon", [FOR[0]])
    assert told["moon"] == pytest.approx(1 + alone["moon"])


def test_a_word_of_the_query_that_marks_speak_against_is_left_out_unless_none_is_left(store: Store) -> None:
    assert weights_of(store, "moon oven", AGAINST).keys() == {"moon"}
    assert weights_of(store, "oven", AGAINST) == {"oven": 1.0}


def test_no_more_words_join_than_are_told_and_no_common_ones(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "FEW", 1)
    assert weights_of(store, "bread", FOR).keys() == {"bread", "crater"}
    many = Evidence(" ".join(f"word{place}" for place in range(2 * N_TERMS)), 1.0)
    assert weights_of(store, "bread", [many]).keys() == {"bread"}


def test_at_most_fifty_words_join_those_that_weigh_most() -> None:
    store, rare = MemoryStore(), [f"word{place:03}" for place in range(80)]
    put(store, prepared("a", " ".join(rare)), prepared("b", "bread"), prepared("c", "other"))
    evidence = [Evidence(" ".join(word for place, word in enumerate(rare) for _ in range(1 + (place > 40))), 1.0)]
    joined = weights_of(store, "bread", evidence).keys() - {"bread"}
    assert joined == {*rare[41:], *rare[:11]}
    assert len(joined) == N_TERMS


def test_words_of_marks_are_shown_as_they_are_written_first(store: Store) -> None:
    shown = terms_of(store, Analysed("bread"), [Evidence("Craters, a crater and rocks", 1.0)]).shown
    assert shown == {"crater": "craters", "rock": "rocks", "bread": "bread"}


# words that are spelled alike


def test_variants_are_words_spelled_alike_that_are_not_asked_for_already() -> None:
    store, known = MemoryStore(), ["rocket", "rockets", "pockets"]
    assert spelling_variants(store, Analysed("rockett"), lambda _: known) == {"rocket": "rocket", "pocket": "pockets"}
    assert spelling_variants(store, Analysed("rockett rocket"), lambda _: known) == {"pocket": "pockets"}
    assert spelling_variants(store, Analysed("the"), lambda _: []) == {}


def test_a_word_that_several_documents_have_has_no_variants() -> None:
    store = MemoryStore()
    put(store, *(prepared(f"d{place}", "a rockett") for place in range(RARE + 1)))
    assert spelling_variants(store, Analysed("rockett"), lambda _: ["rocket"]) == {}


def test_a_variant_counts_a_tenth_and_adds_up() -> None:
    asked = {"rocket": 2.0}
    assert with_variants(asked, ["pocket", "pocket"]) == {"rocket": 2.0, "pocket": pytest.approx(2 * VARIANT_WEIGHT)}
    assert asked == {"rocket": 2.0}
