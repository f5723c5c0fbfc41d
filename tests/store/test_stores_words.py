"""What words find: BM25 written as a double loop, and the same bits after whatever history of changes."""

from __future__ import annotations

import json
import math
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from made_stores import MakeStore, by_id, ids_of, makers, prepared, put, remove, sqlite_store
from satchel.datasets import AdHocSet, load
from satchel.query import Is
from satchel.store import Prepared, SqliteStore, Store
from satchel.store.index import segments
from satchel.store.index.segments import MOST_SEGMENTS, to_merge
from satchel.store.indexed import file_name
from satchel.text import Analysed, windows

WORDS = [f"word{number}" for number in range(30)]
K1, B = 1.2, 0.75
WEIGHTS = {"text": 1.0, "title": 2.0}
OTHERS = 0.5


@pytest.fixture(params=["sqlite", "memory"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    return makers(tmp_path)[request.param]


def drawn(number: int, seed: int = 0) -> Prepared:
    """A document with a title, fields and a file's name; one in six is long enough for several passages."""
    draw = random.Random(number + 1000 * seed)
    text = " ".join(draw.choices(WORDS, weights=range(30, 0, -1), k=draw.choice([0, 1, 5, 60, 200, 470])))
    fields = {"n": number, "tags": draw.choices(WORDS, k=2)} if number % 3 else {}
    source = f"/papers/{draw.choice(WORDS)} {draw.choice(WORDS)}.txt" if number % 2 else ""
    title = " ".join(draw.choices(WORDS, k=draw.randint(0, 4)))
    return prepared(f"d{number:03}", text, title, fields, source)


def passages_of(one: Prepared) -> list[dict[str, list[str]]]:
    """Field -> its stems, for each passage."""
    text = Analysed(one.text).stems
    values = {"title": one.title, "id": one.id, "file": file_name(one.source)}
    own = {name: Analysed(value).stems for name, value in values.items()}
    for name, value in json.loads(one.fields).items():
        every = value if isinstance(value, list) else [value]
        own[f"field {name}"] = [stem for each in every for stem in Analysed(str(each)).stems]
    return [{"text": text[start:stop], **own} for start, stop in windows(len(text))]


def bm25_slowly(documents: list[Prepared], weights: dict[str, float]) -> dict[str, float]:
    """Passage by passage, stem by stem and field by field; a document scores by its best passage."""
    read = {one.id: passages_of(one) for one in documents}
    every = [passage for own in read.values() for passage in own]
    mean = sum(len(passage["text"]) + len(passage["title"]) for passage in every) / max(1, len(every))
    scores: dict[str, float] = {}
    for id_, own in read.items():
        for passage in own:
            score = 0.0
            for stem, weight in weights.items():
                frequency = sum(
                    WEIGHTS.get(name, OTHERS) * min(255, stems.count(stem)) for name, stems in passage.items()
                )
                if frequency:
                    holding = sum(any(stem in stems for stems in one.values()) for one in every)
                    idf = math.log((len(every) - holding + 0.5) / (holding + 0.5))
                    share = 1 - B + B * (len(passage["text"]) + len(passage["title"])) / mean
                    score += weight * (idf if idf > 0 else 1e-6) * (K1 + 1) * frequency / (frequency + K1 * share)
            if score > 0:
                scores[id_] = max(scores.get(id_, 0.0), score)
    return scores


def all_found(store: Store) -> list[object]:
    """Every word alone and two questions of many, with all scores as they are; and the words of all documents."""
    asked = [{word: 1.0} for word in WORDS] + [dict.fromkeys(WORDS[::3], 1.0), {"word1": 0.3, "word20": 2.0}]
    with store.reading():
        found = [store.find_words(weights, 1000) for weights in asked]
        scores = [by_id(store, one) for one in found]
        places = [dict(zip(ids_of(store, one.numbers), one.passages.tolist(), strict=True)) for one in found]
        return [scores, places, store.word_counts(WORDS), words_held(store)]


def words_held(store: Store) -> dict[str, tuple[list[str], object]]:
    """Id -> the words of the document's stream, and its windows."""
    numbers = store.listed().tolist()
    words, starts = store.streams(numbers)
    spelled = store.words_of({*words.tolist()} - {*range(256)}) | dict.fromkeys(range(256), "")
    cuts = store.windows(numbers)
    return {
        id_: ([spelled[word] for word in words[start:stop].tolist()], cuts[number].tolist() if number in cuts else None)
        for id_, number, start, stop in zip(store.ids(), numbers, starts, starts[1:], strict=False)
    }


def afresh(make_store: MakeStore, store: Store) -> Store:
    """Another store with the same documents, put there in one change, in another order."""
    made = make_store()
    documents = [
        prepared(one.id, one.text, one.title, one.fields, one.source)
        for one in store.documents(store.listed()[::-1].tolist())
    ]
    put(made, *documents)
    return made


def n_segments(store: Store) -> int:
    return len(store._segments())  # type: ignore[attr-defined]


def test_scores_are_those_of_a_double_loop(make_store: MakeStore) -> None:
    store, documents = make_store(), [drawn(number) for number in range(50)]
    put(store, *documents[:20])
    put(store, *documents[20:])
    assert n_segments(store) == 2
    assert max(len(passages_of(one)) for one in documents) == 3
    for weights in ({"word0": 1.0}, {"word29": 2.5}, {"word3": 1.0, "word7": 0.1, "nowhere": 4.0}, {"nowhere": 1.0}):
        found = by_id(store, store.find_words(weights, 1000))
        assert found == pytest.approx(bm25_slowly(documents, weights), rel=1e-12)


def test_a_word_in_the_title_counts_as_two_in_the_text(make_store: MakeStore) -> None:
    store = make_store()
    put(store, prepared("a", "x x y"), prepared("b", "y y", "x"), prepared("c", "x y y"), *map(drawn, range(9)))
    found = by_id(store, store.find_words({"x": 1.0}, 9))
    assert found["a"] == found["b"] > found["c"]


def test_one_stem_has_one_count_however_it_is_written(make_store: MakeStore) -> None:
    store = make_store()
    put(store, prepared("a", "Running runs RUN", "run"), prepared("b", "Café cafe\u0301 cafés"), prepared("c", "x"))
    expected = {"run": 1, "cafe": 1, "x": 1, "café": 0, "nowhere": 0}
    assert store.word_counts(expected) == expected
    assert by_id(store, store.find_words({"cafe": 1.0}, 5)).keys() == {"b"}


def test_a_word_in_a_field_an_id_or_a_files_name_counts_as_half_of_one_in_the_text(make_store: MakeStore) -> None:
    store = make_store()
    documents = [
        prepared("a", "moon moon z"),
        prepared("moon", "z z z", fields={"kind": "moon", "tags": ["moon", "sun"], "year": 1969}),
        prepared("c", "z z z", source="/moon/the moon.txt"),
        *map(drawn, range(9)),
    ]
    put(store, *documents)
    for stem in ("moon", "1969", "sun", "txt", "d003"):
        found = by_id(store, store.find_words({stem: 1.0}, 9))
        assert found
        assert found == pytest.approx(bm25_slowly(documents, {stem: 1.0}), rel=1e-12)


def test_a_count_is_kept_up_to_255(make_store: MakeStore) -> None:
    store, documents = make_store(), [prepared("a", "same " * 290), prepared("b", "same", "same " * 700)]
    documents += map(drawn, range(9))
    put(store, *documents)
    assert by_id(store, store.find_words({"same": 1.0}, 9)) == pytest.approx(
        bm25_slowly(documents, {"same": 1.0}), rel=1e-12
    )
    assert store.check(None) == []


def test_a_document_scores_by_its_best_passage(make_store: MakeStore) -> None:
    store = make_store()
    text = " ".join(["plain"] * 620 + ["moon"] + ["plain"] * 300)
    put(store, prepared("long", text), prepared("short", "plain moon"), *map(drawn, range(9)))
    found = store.find_words({"moon": 1.0}, 9)
    places = dict(zip(ids_of(store, found.numbers), found.passages.tolist(), strict=True))
    assert places == {"long": 3, "short": 0}
    number = store.known(["long"])["long"].number
    start, stop, begin, end = store.windows([number])[number][3].tolist()
    assert start <= 620 < stop
    assert "moon" in store.documents([number], None, {number: (begin, end)})[0].text
    assert store.word_counts(["plain"])["plain"] == 1 + len(windows(921))


def test_a_very_long_document_is_found(make_store: MakeStore) -> None:
    store = make_store()
    put(store, prepared("long", "same " * 70_000, "same"), prepared("short", "same"), *map(drawn, range(9)))
    found = by_id(store, store.find_words({"same": 1.0}, 5))
    assert found.keys() == {"long", "short"}
    assert all(map(math.isfinite, found.values()))
    assert store.word_counts(["same"]) == {"same": 1 + len(windows(70_000))}
    assert store.check(None) == []


# histories

actions = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.lists(st.integers(0, 15), min_size=1, max_size=4, unique=True), st.integers(0, 3)),
        st.tuples(st.just("remove"), st.lists(st.integers(0, 15), min_size=1, max_size=4), st.just(0)),
        st.tuples(
            st.just("both"), st.lists(st.integers(0, 15), min_size=1, max_size=3, unique=True), st.integers(0, 3)
        ),
    ),
    max_size=14,
)


def act(store: Store, action: tuple[str, list[int], int]) -> None:
    kind, numbers, seed = action
    if kind == "put":
        put(store, *(drawn(number, seed) for number in numbers))
    elif kind == "remove":
        remove(store, *(f"d{number:03}" for number in numbers))
    else:  # within one change: written, taken out, and others written that get their numbers
        with store.writing():
            put(store, *(drawn(number, seed) for number in numbers))
            store.remove([f"d{number:03}" for number in numbers[:2]])
            put(store, *(drawn(number + 16, seed) for number in numbers[::-1]))
            put(store, drawn(numbers[-1], seed + 1))


@pytest.fixture(params=[MOST_SEGMENTS, 2, 1])
def most_segments(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments are merged seldom, often, at once."""
    monkeypatch.setattr(segments, "MOST_SEGMENTS", request.param)


@pytest.mark.usefixtures("most_segments")
@pytest.mark.parametrize("kind", ["sqlite", "memory"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=actions)
def test_after_any_history_words_find_what_a_fresh_store_finds_bit_for_bit(
    tmp_path_factory: pytest.TempPathFactory, kind: str, history: list[tuple[str, list[int], int]]
) -> None:
    make = makers(tmp_path_factory.mktemp("history"))[kind]
    store = make()
    for action in history:
        act(store, action)
        store.word_counts(WORDS[:2])  # what is remembered is that of the moment
    fresh = afresh(make, store)
    assert all_found(store) == all_found(fresh)
    assert store.check(None) == []
    for one in (store, fresh):
        one.close()


def test_both_stores_find_the_same_bits_after_the_same_history(tmp_path: Path) -> None:
    draw, stores = random.Random(0), [make() for make in makers(tmp_path).values()]
    for turn in range(30):
        numbers = draw.sample(range(16), draw.randint(1, 4))
        kind = draw.choice(["put", "put", "remove", "both"])
        for store in stores:
            act(store, (kind, numbers, turn))
        first, second = map(all_found, stores)
        assert first == second
        assert stores[0].listed().tolist() == stores[1].listed().tolist()


def test_a_number_that_is_given_again_says_nothing_of_the_document_before(make_store: MakeStore) -> None:
    store = make_store()
    put(store, prepared("a", "moon"), prepared("b", "bread oven oven"))
    number = store.known(["b"])["b"].number
    remove(store, "b")
    assert store.word_counts(["oven", "bread"]) == {"oven": 0, "bread": 0}
    put(store, prepared("c", "bread"))
    assert store.known(["c"])["c"].number == number
    assert store.word_counts(["oven", "bread"]) == {"oven": 0, "bread": 1}
    assert by_id(store, store.find_words({"oven": 1.0}, 5)) == {}


# segments


def test_segments_are_merged_as_they_gather_and_nothing_is_lost(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path / "own.satchel")
    for number in range(40):
        put(store, drawn(number))
        assert n_segments(store) <= MOST_SEGMENTS
        if number % 7 == 6:
            remove(store, f"d{number - 3:03}")
    fresh = afresh(lambda: sqlite_store(tmp_path / "fresh.satchel"), store)
    assert n_segments(fresh) == 1
    assert all_found(store) == all_found(fresh)
    assert store.check(None) == []


def test_a_merged_segment_holds_nothing_that_is_no_longer_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "MOST_SEGMENTS", 1)
    store = sqlite_store(tmp_path / "own.satchel")
    put(store, prepared("a", "moon rock"), prepared("b", "bread"))
    put(store, prepared("a", "sun"))
    remove(store, "b")
    put(store, prepared("c", "sun dust"))
    with sqlite3.connect(store.path) as file:
        assert file.execute("SELECT stem FROM postings ORDER BY stem").fetchall() == [
            ("a",),
            ("c",),
            ("dust",),
            ("sun",),
        ]
        assert file.execute("SELECT n_postings FROM segments").fetchall() == [(5,)]
    file.close()


def test_a_large_change_makes_several_segments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("satchel.store.sqlite.keeps_words", "satchel.store.sqlite.words"):
        monkeypatch.setattr(f"{module}.TOKENS_OF_SEGMENT", 100)
    store = sqlite_store(tmp_path / "own.satchel")
    put(store, *(drawn(number) for number in range(5)))
    with store.writing():
        for number in range(5, 12):
            put(store, drawn(number))
    assert 1 < n_segments(store) <= MOST_SEGMENTS
    monkeypatch.undo()
    assert all_found(store) == all_found(afresh(lambda: sqlite_store(tmp_path / "fresh.satchel"), store))
    assert store.check(None) == []


def test_neighbours_that_are_merged_are_small_and_the_older_is_not_much_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    assert to_merge(dict.fromkeys(range(MOST_SEGMENTS), 5)) == []
    assert to_merge(dict.fromkeys(range(MOST_SEGMENTS + 1), 5)) == [0, 1]
    monkeypatch.setattr(segments, "MOST_SEGMENTS", 8)
    assert to_merge(dict.fromkeys(range(8), 5)) == []
    assert to_merge({1: 900, 2: 5, 3: 5, 5: 800, 7: 4, 8: 3, 9: 70, 10: 60, 11: 50}) == [2, 3]
    assert to_merge({1: 900, 2: 800, 3: 90, 5: 80, 7: 10, 8: 9, 9: 4, 10: 4, 11: 1}) == [9, 10]
    assert to_merge(dict.fromkeys((4, 2, 9, 7, 1, 3, 8, 6, 5), 0)) == [1, 2]


@pytest.mark.parametrize("already_there", [0, 1_000_000])
def test_documents_that_come_one_by_one_are_written_a_few_times_each(already_there: int) -> None:
    sizes, written = {-1: already_there}, 0
    for number in range(5000):
        sizes[number] = random.Random(number).choice([1, 1, 1, 20])
        while pair := to_merge(sizes):
            sizes[pair[-1]] += sizes.pop(pair[0])
            written += sizes[pair[-1]]
    assert written < 15 * (sum(sizes.values()) - already_there)


# what is kept of many


def test_documents_that_tie_for_the_last_place_are_all_found(make_store: MakeStore) -> None:
    store = make_store()
    put(store, *(prepared(f"d{n:02}", "same words" + " more" * (n == 7), fields={"n": n}) for n in range(20)))
    asked = {"more": 1.0, "same": 1.0}
    assert ids_of(store, store.find_words(asked, 1).numbers) == ["d07"]
    assert len(store.find_words(asked, 5).numbers) == 20
    some = store.find_words({"same": 1.0}, 2, Is("n", (3, 4, 5)))
    assert sorted(ids_of(store, some.numbers)) == ["d03", "d04", "d05"]


def test_the_best_are_the_first_of_all(make_store: MakeStore) -> None:
    store = make_store()
    put(store, *(drawn(number) for number in range(60)))
    asked = {"word1": 1.0, "word9": 2.0, "word25": 0.5}
    whole = by_id(store, store.find_words(asked, 1000))
    for depth in (1, 2, 10, 59):
        least = sorted(whole.values())[-depth:][0]
        expected = {id_: score for id_, score in whole.items() if score >= least}
        assert by_id(store, store.find_words(asked, depth)) == expected


def test_a_weight_counts_and_what_weighs_nothing_is_not_found(make_store: MakeStore) -> None:
    store = make_store()
    put(store, *(drawn(number) for number in range(30)))
    once, thrice = (by_id(store, store.find_words({"word5": weight}, 1000)) for weight in (1.0, 3.0))
    assert thrice == pytest.approx({id_: 3 * score for id_, score in once.items()})
    assert once
    for weights in ({"word5": -1.0}, {"word5": 0.0}, {}):
        assert not len(store.find_words(weights, 1000).numbers)


# another's numbers


@pytest.fixture(scope="module")
def cranfield(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SqliteStore, list[str]]]:
    """The texts in a store, and the queries."""
    read = load("cranfield")
    store = sqlite_store(tmp_path_factory.mktemp("cranfield") / "own.satchel")
    assert isinstance(read, AdHocSet)
    own = read.documents
    documents = [prepared(*each) for each in zip(own.ids, own.texts, own.titles, strict=True)]
    for start in range(0, len(documents), 200):
        put(store, *documents[start : start + 200])
    yield store, list(read.queries.texts)
    store.close()


def passage_texts(store: Store) -> Iterator[tuple[int, str, str]]:
    """The number, title and text of each passage."""
    for one in store.scan():
        cuts = store.windows([one.number]).get(one.number)
        for start, stop in [(0, len(one.text))] if cuts is None else cuts[:, 2:].tolist():
            yield one.number, one.title, one.text[start:stop]


def test_real_queries_score_as_sqlites_own_bm25_of_the_passages(cranfield: tuple[SqliteStore, list[str]]) -> None:
    """FTS5 with the same tokenizer: all queries whose words both take for the same."""
    store, queries = cranfield
    passages = list(passage_texts(store))
    assert len(passages) > len(store.listed())
    with sqlite3.connect(":memory:") as fts:
        fts.execute(
            "CREATE VIRTUAL TABLE words USING fts5 (number UNINDEXED, title, text, tokenize = 'porter unicode61')"
        )
        fts.executemany("INSERT INTO words (number, title, text) VALUES (?, ?, ?)", passages)
        n_compared = 0
        for query in queries[:60]:
            read = Analysed(query)
            plain = {
                word: stem
                for word, stem in zip(read.words, read.stems, strict=True)
                if word.isalpha() and word.isascii() and not word.endswith(("bly", "logy", "logi", "logical"))
            }
            one_each = {stem: word for word, stem in plain.items()}
            expression = " OR ".join(f'"{word}"' for word in one_each.values())
            question = "SELECT number, -bm25(words, 0, 2, 1) FROM words WHERE words MATCH ? ORDER BY 2"
            theirs = dict(fts.execute(question, (expression,)))  # the best of each document comes last
            found = store.find_words(dict.fromkeys(one_each, 1.0), 10_000)
            ours = dict(zip(found.numbers.tolist(), found.scores.tolist(), strict=True))
            assert ours.keys() == theirs.keys()
            assert ours == pytest.approx(theirs, rel=1e-6)
            n_compared += len(ours)
    fts.close()
    assert n_compared > 30_000


def test_counts_of_real_words_are_those_of_the_passages(cranfield: tuple[SqliteStore, list[str]]) -> None:
    store, _ = cranfield
    counted = Counter(
        stem for _, title, text in passage_texts(store) for stem in {*Analysed(title).stems, *Analysed(text).stems}
    )
    plain = {stem: n for stem, n in counted.items() if not stem.isdigit()}  # ids are found by their numbers too
    assert len(plain) > 4000
    assert store.word_counts(plain) == plain
    assert store.check(None) == []
