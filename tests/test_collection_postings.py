"""What words find, beside SQLite's own bm25(): the same documents and the same bits."""

import random

import numpy as np
import pytest

from satchel import Collection
from satchel.collection import Document
from satchel.collection.lexical import search_words
from satchel.collection.postings import Leg, quoted, read_sizes, tokens_of, word_leg

WORDS = [f"w{number}" for number in range(40)]


def drawn(number: int) -> Document:
    draw = random.Random(number)
    n_words = draw.choice([0, 3, 50, 127, 128, 300])
    text = " ".join(draw.choices(WORDS, weights=range(40, 0, -1), k=n_words))
    return Document(f"d{number}", text, title=" ".join(draw.choices(WORDS, k=draw.randint(0, 4))))


@pytest.fixture
def collection(tmp_path):
    with Collection.create(tmp_path / "drawn.satchel") as made:
        made.add([drawn(number) for number in range(60)])
        made.add([Document("long", "w1 " * 17_000 + "rest")])
        yield made


def by_sqlite(collection: Collection, expression: str) -> dict[int, float]:
    question = "SELECT rowid, -bm25(lexical, 2.0, 1.0) FROM lexical WHERE lexical MATCH ?"
    return dict(collection._file.rows(question, expression))


def as_dict(leg: Leg) -> dict[int, float]:
    return dict(zip(leg.numbers.tolist(), leg.scores.tolist(), strict=True))


def test_a_word_finds_what_bm25_of_sqlite_finds_to_the_last_bit(collection):
    sizes = collection._space().sizes
    for word in [*WORDS, "rest", "nowhere"]:
        assert as_dict(word_leg(collection._file, sizes, word)) == by_sqlite(collection, quoted(word))


def test_several_words_add_up_as_in_sqlite(collection):
    weights = {"w3": 1.0, "w20": 1.0, "w39": 1.0}
    found = search_words(collection._file, collection._space().sizes, weights, 1000, None)
    assert as_dict(found) == by_sqlite(collection, " OR ".join(map(quoted, weights)))


def test_it_stays_so_after_documents_were_replaced_removed_and_added(collection):
    collection.search("w1")  # loads the sizes, so that only later ones are read
    collection.add([Document(f"d{number}", "w1 w2 " * number) for number in range(5, 20)])
    collection.remove([f"d{number}" for number in range(30, 45)])
    collection.add([Document("new", "w39 w39 only here")])
    space = collection._space()
    assert as_dict(word_leg(collection._file, space.sizes, "w39")) == by_sqlite(collection, '"w39"')
    afresh = read_sizes(collection._file, space.numbers)
    assert (space.sizes.mean, space.sizes.n_documents) == (afresh.mean, afresh.n_documents)
    assert np.array_equal(space.sizes.by_number[space.numbers], afresh.by_number[space.numbers])


@pytest.mark.parametrize("word", ["grid_storage", "co-op", "हिन्दी"])
def test_what_fts5_takes_for_several_words_is_found_as_a_phrase(tmp_path, word):
    with Collection.create(tmp_path / "phrases.satchel") as made:
        made.add([Document("a", f"the {word} here"), Document("b", "storage of a grid, a co and an op")])
        found = word_leg(made._file, made._space().sizes, word)
        assert as_dict(found) == by_sqlite(made, quoted(word)) != {}


def test_a_word_is_what_fts5_makes_of_it():
    assert tokens_of("Running") == ("run",)
    assert tokens_of("Ünïcode") == ("unicod",)
    assert tokens_of("grid_storage") == ("grid", "storag")
    assert tokens_of("€") == tokens_of("") == tokens_of("\0") == ()


def test_documents_that_tie_for_the_last_place_are_all_found(tmp_path):
    with Collection.create(tmp_path / "ties.satchel") as made:
        made.add([Document(f"d{number}", "same words" + " more" * (number == 7)) for number in range(20)])
        sizes = made._space().sizes
        assert len(search_words(made._file, sizes, {"more": 1.0, "same": 1.0}, 1, None).numbers) == 1
        assert len(search_words(made._file, sizes, {"more": 1.0, "same": 1.0}, 5, None).numbers) == 20
        some = np.array([3, 4, 5])
        assert search_words(made._file, sizes, {"same": 1.0}, 5, some).numbers.tolist() == [3, 4, 5]


def test_a_weight_counts_and_what_weighs_nothing_is_not_found(collection):
    sizes = collection._space().sizes
    once, thrice = (search_words(collection._file, sizes, {"w5": weight}, 1000, None) for weight in (1.0, 3.0))
    assert np.allclose(thrice.scores, 3 * once.scores)
    assert not len(search_words(collection._file, sizes, {"w5": -1.0}, 1000, None).numbers)
    assert not len(search_words(collection._file, sizes, {}, 1000, None).numbers)
