"""What a search knows of words by their numbers is what their texts say; earlier searches change nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from made_collections import COMMON, KITCHEN, SPACE, two_topics
from satchel import Collection
from satchel.encoders import LinearEncoder
from satchel.importing.types import Document
from satchel.ranking import Letters
from satchel.ranking.letters import count_groups, query_fit
from satchel.search.lexicon import Lexicon, PassageWords, read_passages
from satchel.text import stop_list, title_first

NOTHING = PassageWords(np.empty(0, np.int32), np.zeros(1, np.int64))
WORDS = [*SPACE, *KITCHEN, *COMMON]


def long_document(number: int) -> Document:
    draw = random.Random(number)
    return Document(f"long{number}", " ".join(draw.choices(WORDS, k=800)), title="A long paper")


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    with Collection.create(tmp_path_factory.mktemp("lexicon") / "own.satchel") as made:
        made.add(
            [*two_topics(40), *map(long_document, range(4)), Document("empty", ""), Document("café", "Café naïve")]
        )
        yield made


def read(collection: Collection) -> tuple[PassageWords, list[str]]:
    """A passage of each document as word numbers and as text; of long ones the third, without the title."""
    store = collection._store
    with store.reading():
        numbers = store.listed().tolist()
        cuts = store.windows(numbers)
        assert len(cuts) == 4
        passages = read_passages(store, numbers, dict.fromkeys(cuts, 2))
        parts = {number: tuple(rows[2, 2:].tolist()) for number, rows in cuts.items()}
        texts = [
            one.text if number in cuts else title_first(one.title, one.text)
            for number, one in zip(numbers, store.documents(numbers, None, parts), strict=True)
        ]
    return passages, texts


def letters() -> Letters:
    return Letters(stop_list("sklearn") | stop_list("smart"))


def test_bags_of_word_numbers_have_the_letters_of_the_texts(collection: Collection) -> None:
    passages, texts = read(collection)
    lexicon = Lexicon(collection._snapshot().model.encoder)
    by_number = lexicon.letters.count(lexicon.bags(collection._store, passages))
    by_text = count_groups(texts, letters())
    for query in ("rocket bread", "telescopes", "café", "xyzzy"):
        assert query_fit(query, by_number).tolist() == query_fit(query, by_text).tolist()
    assert query_fit("rocket bread", by_text).max() > 0


def test_counts_of_word_numbers_are_those_of_the_texts(collection: Collection) -> None:
    passages, texts = read(collection)
    encoder = collection._snapshot().model.encoder
    assert isinstance(encoder, LinearEncoder)
    counts = Lexicon(encoder).counts(collection._store, passages)
    assert counts is not None
    expected = np.zeros(counts.shape)
    for row, text in enumerate(texts):
        for term in encoder.tokenizer.tokens(text):
            if term in encoder.vocabulary_:
                expected[row, encoder.vocabulary_.ids([term])[0]] += 1
    assert expected.sum() > 800
    assert np.array_equal(counts.toarray(), expected)


def test_an_encoder_without_words_has_no_counts(collection: Collection) -> None:
    assert Lexicon(None).counts(collection._store, read(collection)[0]) is None
    assert [len(bag.slots) for bag in Lexicon(None).bags(collection._store, NOTHING)] == []


def test_threads_that_share_a_lexicon_find_what_each_would_find_alone(collection: Collection) -> None:
    passages, texts = read(collection)
    queries = [f"{word} {other}{number}" for number, word in enumerate(WORDS) for other in WORDS[:4]]
    expected = [query_fit(query, count_groups(texts, letters())).tolist() for query in queries]
    lexicon = Lexicon(collection._snapshot().model.encoder)
    store = collection._store

    def found(query: str) -> list[float]:
        some = lexicon.bags(store, passages)
        return query_fit(query, lexicon.letters.count(some)).tolist()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(found, queries)) == expected


def test_threads_that_teach_letters_at_once_learn_each_word_once() -> None:
    words = [f"{random.Random(number).choice(WORDS)}{number}" for number in range(4_000)]
    letters = Letters()
    with ThreadPoolExecutor(8) as pool:
        slots = list(pool.map(lambda start: letters.slots_of(words[start : start + 400]), [*range(0, 3_600, 40)] * 4))
    alone = Letters()
    for start, own in zip([*range(0, 3_600, 40)] * 4, slots, strict=True):
        some = words[start : start + 400]
        assert own.tolist() == letters.slots_of(some).tolist()
        assert len(letters.groups_of(some)) == len(alone.groups_of(some))


@pytest.mark.parametrize("mode", ["both", "lexical", "semantic"])
def test_earlier_searches_never_change_the_bits_of_a_ranking(tmp_path: Path, mode: str) -> None:
    documents = [*two_topics(60), *map(long_document, range(8))]
    with Collection.create(tmp_path / "own.satchel") as made:
        made.add(documents)
        made.mark("d002", "relevant", query="rocket moon")
        made.mark("d003", "irrelevant", query="rocket moon")
    with Collection.open(tmp_path / "own.satchel") as asked:
        for query in ("bread", "zebra crossing", "butter knife", "a long paper", "d001", "moons rocket"):
            asked.search(query, 30)
        after = [(hit.id, hit.score) for hit in asked.search("rocket moon", 68, mode=mode)]  # type: ignore[arg-type]
    with Collection.open(tmp_path / "own.satchel") as new:
        first = [(hit.id, hit.score) for hit in new.search("rocket moon", 68, mode=mode)]  # type: ignore[arg-type]
    assert len(first) >= 30
    assert after == first


def test_a_snippet_is_of_the_best_passage(collection: Collection) -> None:
    words = random.Random(9).choices(COMMON, k=900)
    words[700:703] = ["zeppelin", "flies", "slowly"]
    with Collection.create(collection.path.with_name("snippet.satchel")) as made:
        made.add([Document("z", " ".join(words)), Document("nul", "nul\0 " + " ".join(words)), *two_topics(10)])
        for mode in ("both", "lexical"):
            found = {hit.id: hit for hit in made.search("zeppelins slowly", mode=mode)}  # type: ignore[arg-type]
            for id_ in ("z", "nul"):
                snippet = found[id_].snippet
                assert "zeppelin flies slowly" in str(snippet)
                assert [str(snippet)[start:stop] for start, stop in snippet.matches] == ["zeppelin", "slowly"]
                assert str(snippet).startswith("… ")
                assert str(snippet).endswith(" …")
                assert found[id_].reasons.matches == ("zeppelin", "slowly")
