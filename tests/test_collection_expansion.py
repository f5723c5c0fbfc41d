"""Words from marks, beside Rocchio's formula written out."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from satchel.collection.expansion import IRRELEVANT_WEIGHT, N_TERMS, RELEVANT_WEIGHT, term_weights

from satchel import Collection
from satchel.collection import Document
from satchel.ranking.fusion import Evidence, query_trust

TEXTS = ["moon rock moon", "moon crater dust", "bread dough", "bread oven dust", "oven rock", "dust"]
FOR, AGAINST = [Evidence("moon crater moon", 1.0), Evidence("crater rock", 0.5)], [Evidence("oven dust", -1.0)]


@pytest.fixture
def file(tmp_path: Path):
    with Collection.create(tmp_path / "own.satchel") as collection:
        collection.add([Document(f"d{place}", text) for place, text in enumerate(TEXTS)])
        yield collection._file


def _unit(text: str) -> Counter[str]:
    df = Counter(word for one in TEXTS for word in set(one.split()))
    values = {word: np.log1p(n) * np.log(1 + len(TEXTS) / df[word]) for word, n in Counter(text.split()).items()}
    return Counter({word: value / np.linalg.norm([*values.values()]) for word, value in values.items()})


def test_weights_are_those_of_rocchios_formula(file):
    trust = query_trust("dust moon", [*FOR, *AGAINST])
    assert trust == 0
    expected = Counter({"moon": (1 + trust) / np.sqrt(5), "dust": 2 * (1 + trust) / np.sqrt(5)})
    for text, grade in FOR:
        for word, value in _unit(text).items():
            expected[word] += RELEVANT_WEIGHT * grade * value / 1.5
    for text, _ in AGAINST:
        for word, value in _unit(text).items():
            expected[word] -= IRRELEVANT_WEIGHT * value
    weights = term_weights(file, "dust moon dust", [*FOR, *AGAINST])
    assert weights == pytest.approx({word: value for word, value in expected.items() if value > 0})
    assert "oven" not in weights


def test_a_query_that_tells_the_marks_apart_counts_twice(file):
    told, alone = term_weights(file, "moon", [FOR[0], *AGAINST]), term_weights(file, "moon", [FOR[0]])
    assert told["moon"] == pytest.approx(1 + alone["moon"])


def test_a_word_of_the_query_that_marks_speak_against_is_left_out_unless_none_is_left(file):
    assert set(term_weights(file, "moon oven", AGAINST)) == {"moon"}
    assert term_weights(file, "oven", AGAINST) == {"oven": 1.0}


def test_no_more_words_join_than_are_told_and_no_common_ones(file, monkeypatch):
    monkeypatch.setattr("satchel.collection.expansion.FEW", 1)
    assert set(term_weights(file, "bread", FOR)) == {"bread", "crater"}
    many = Evidence(" ".join(f"word{place}" for place in range(2 * N_TERMS)), 1.0)
    assert set(term_weights(file, "bread", [many])) == {"bread"}


def test_counts_that_are_known_are_not_looked_up_again(file):
    counts = {"moon": 1}
    first = term_weights(file, "bread", FOR, counts)
    assert counts == {"moon": 1, "crater": 1, "rock": 2}
    assert term_weights(file, "bread", FOR, counts) == first != term_weights(file, "bread", FOR)
