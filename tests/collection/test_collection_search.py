"""Search finds documents by words and by meaning, exactly, whatever is asked."""

import re
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from made_collections import KITCHEN, SPACE, make_collection, two_topics
from satchel import Collection, Feedback
from satchel.collection import read_filters
from satchel.encoders import load_encoder
from satchel.errors import InputError
from satchel.feedback import Refined
from satchel.importing.types import Document
from satchel.search.explain import theme_shares
from satchel.store import TITLE_WEIGHT

HOSTILE = [
    '"', '""', "'", "*", "rocket*", "NEAR(rocket orbit)", "NEAR", "AND", "OR", "NOT rocket", "title:rocket",
    "text : moon", "rocket AND (orbit", "^rocket", "-rocket", "rocket + orbit", "{title text}: moon", "\0", "rock\0et",
    "_", "__ _", "🎒", "\ud800", "%", "; DROP TABLE documents", "rocket " * 3000,
    " ".join(f"w{n}" for n in range(500)), "ﬁne", "a" * 100_000,
]  # fmt: skip


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    with make_collection(tmp_path_factory.mktemp("search"), 60) as made:
        yield made


def ids(hits: object) -> list[str]:
    return [hit.id for hit in hits]  # type: ignore[attr-defined]


def test_lexical_scores_are_those_of_fts5_over_title_and_text(collection: Collection) -> None:
    peer = sqlite3.connect(":memory:")
    peer.execute("CREATE VIRTUAL TABLE t USING fts5 (id UNINDEXED, title, text, tokenize = 'porter unicode61')")
    peer.executemany("INSERT INTO t VALUES (?, ?, ?)", [(d.id, d.title, d.text) for d in two_topics(60)])
    question = "SELECT id, -bm25(t, 0, ?, 1) AS score FROM t WHERE t MATCH 'rockets OR oven'"
    expected = dict(peer.execute(question, (TITLE_WEIGHT,)))
    peer.close()
    hits = collection.search("rockets oven", 100, mode="lexical")
    assert {hit.id: hit.score for hit in hits} == pytest.approx(expected, rel=1e-9)
    assert ids(hits) == sorted(ids(hits), key=lambda id_: (-round(expected[id_], 9), id_))
    assert hits.total == len(expected)


def test_semantic_scores_are_cosines_of_the_models_vectors(collection: Collection, tmp_path: Path) -> None:
    collection.export(tmp_path / "model", "model")
    collection.export(tmp_path / "v.npy", "vectors")
    vectors, encoder = np.load(tmp_path / "v.npy").astype(np.float64), load_encoder(tmp_path / "model")
    query = encoder.transform(["moon rocket"])[0].astype(np.float64)
    cosines = vectors @ query / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(query))
    hits = collection.search("moon rocket", 60, mode="semantic")
    best = [f"d{place:03}" for place in np.argsort(-cosines, kind="stable") if cosines[place] > 0]
    assert ids(hits) == best
    assert [hit.score for hit in hits] == pytest.approx(sorted(cosines[cosines > 0], reverse=True), abs=1e-6)


def test_meaning_finds_documents_that_have_no_word_of_the_query(collection: Collection) -> None:
    words = set(ids(collection.search("rocket", 60, mode="lexical")))
    found = [id_ for id_ in ids(collection.search("rocket", 30, mode="both")) if id_ not in words]
    assert found
    assert {collection[id_].fields["topic"] for id_ in found[:5]} == {"space"}


def test_both_holds_what_either_leg_finds(collection: Collection) -> None:
    both = ids(collection.search("rocket bread", 60))
    apart = [ids(collection.search("rocket bread", 60, mode=mode)) for mode in ("lexical", "semantic")]
    assert set(both) == set(apart[0]) | set(apart[1])


def test_an_unknown_word_beside_a_known_one_does_no_harm(collection: Collection) -> None:
    assert ids(collection.search("rocket zzzyx", 5)) == ids(collection.search("rocket", 5))
    assert len(collection.search("zzzyx")) == 0


def test_a_word_that_the_model_does_not_know_is_found_by_the_index_of_words(tmp_path: Path) -> None:
    with make_collection(tmp_path, 20) as own:
        own.add([Document("new", "a quokka was seen")])
        assert ids(own.search("quokkas")) == ["new"]
        assert own.search("quokka", mode="semantic").total == 0


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: repr(query[:20]))
@pytest.mark.parametrize("mode", ["both", "lexical"])
def test_no_query_breaks_the_search(collection: Collection, query: str, mode: str) -> None:
    for hit in collection.search(query, 3, mode=mode):  # type: ignore[arg-type]
        assert hit.id in collection


def test_operators_count_only_where_they_are_written_as_such(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "o.satchel") as own:
        own.add([Document("a", "come near me"), Document("b", "bread and salt"), Document("c", "title of a book")])
        assert ids(own.search("NEAR", mode="lexical")) == ["a"]
        assert set(ids(own.search("title:bread", mode="lexical"))) == set()
        assert set(ids(own.search("title bread", mode="lexical"))) == {"b", "c"}


def test_stop_words_are_asked_for_only_where_there_is_nothing_else(collection: Collection) -> None:
    assert ids(collection.search("the rocket of many", 60, mode="lexical")) == ids(
        collection.search("rocket", 60, mode="lexical")
    )
    assert collection.search("many", mode="lexical").total > 0


def test_pages_put_together_are_the_whole(collection: Collection) -> None:
    whole = collection.search("rocket bread", 60)
    pages = [collection.search("rocket bread", 7, offset=start) for start in range(0, 63, 7)]
    assert [hit.id for page in pages for hit in page] == ids(whole)
    assert [hit.rank for page in pages for hit in page] == list(range(1, len(whole) + 1))
    assert {page.total for page in pages} == {whole.total}


def test_any_number_of_hits_and_any_page_can_be_asked_for(collection: Collection) -> None:
    assert ids(collection.search("rocket bread", 10**30)) == ids(collection.search("rocket bread", 60))
    assert len(collection.search("rocket bread", 10, offset=10**30)) == 0
    assert len(collection.search("", 10, offset=10**30)) == 0


def test_an_empty_query_lists_all_documents_by_id(collection: Collection) -> None:
    hits = collection.search("", 100)
    assert ids(hits) == [f"d{number:03}" for number in range(60)]
    assert ids(collection.search(filters={"topic": "space"}, k=2, offset=1)) == ["d002", "d004"]


FILTERS = [
    ({"topic": "space"}, lambda f: f["topic"] == "space"),
    ({"year": 2003}, lambda f: f["year"] == 2003),
    ({"year": "2003"}, lambda f: f["year"] == 2003),
    ({"year": [2003, 2004]}, lambda f: f["year"] in (2003, 2004)),
    ({"year": {"from": 2003}}, lambda f: f["year"] >= 2003),
    ({"year": {"from": 2003, "to": "2005"}, "tags": "k"}, lambda f: f["year"] in (2003, 2005) and "k" in f["tags"]),
    ({"tags": "t1"}, lambda f: "t1" in f["tags"]),
    ({"tags": ["t1", "k"]}, lambda f: "t1" in f["tags"] or "k" in f["tags"]),
    ({"topic": {"from": "l"}}, lambda f: f["topic"] >= "l"),
    ({"nothing": 1}, lambda f: False),
]  # fmt: skip


@pytest.mark.parametrize(("filters", "passes"), FILTERS)
@pytest.mark.parametrize("mode", ["lexical", "semantic", "both"])
def test_filters_leave_the_ranking_of_what_passes(collection, filters, passes, mode) -> None:
    everything = collection.search("rocket oven people", 60, mode=mode)
    expected = [hit.id for hit in everything if passes(hit.fields)]
    found = collection.search("rocket oven people", 60, mode=mode, filters=filters)
    if mode == "both":
        assert set(ids(found)) == set(expected)
    else:
        assert ids(found) == expected


def test_filters_know_ids_sources_and_titles(collection: Collection) -> None:
    assert ids(collection.search(filters={"id": ["d003", "d001"]})) == ["d001", "d003"]
    assert ids(collection.search(filters={"title": "On bread", "id": {"to": "d020"}})) == ["d001", "d011"]


def test_filters_can_be_written_as_a_person_writes_them() -> None:
    assert read_filters(["year>=2001", "year <= 2003", "topic=space", "tags=a,b"]) == {
        "year": {"from": "2001", "to": "2003"},
        "topic": "space",
        "tags": ["a", "b"],
    }
    with pytest.raises(InputError, match="'year' is not a filter; write FIELD=VALUE"):
        read_filters(["year"])
    for second in ("year=2002", "year>=2005"):
        with pytest.raises(InputError, match="is a second filter on 'year'; write year=A,B for one of several"):
            read_filters(["year>=2001", second])


def test_a_value_that_holds_a_comma_can_be_written(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "c.satchel") as collection:
        collection.add(Document(name, "bread", fields={"authors": [name]}) for name in ("Ant, Ann", "Bee, Bo", "Cat"))
        answers = {"Ant, Ann": ["Ant, Ann"], "Bee, Bo,Cat": ["Bee, Bo", "Cat"], "Cat, Dog": ["Cat"]}
        for written, expected in answers.items():
            assert ids(collection.search(filters=read_filters([f"authors={written}"]))) == expected


def test_true_and_false_can_be_written(tmp_path: Path) -> None:
    with Collection.create(tmp_path / "c.satchel") as collection:
        collection.add([Document("a", "bread", fields={"open": True}), Document("b", "bread", fields={"open": False})])
        assert ids(collection.search(filters=read_filters(["open=true"]))) == ["a"]
        assert ids(collection.search(filters={"open": False})) == ["b"]


def test_dates_lie_between_years_months_and_days_ends_included(tmp_path: Path) -> None:
    dates = ["2019-12-31", "2020-01-01T08:00:00+01:00", "2020-05-31", "2021", "in 2020", "2020-13 or so"]
    with Collection.create(tmp_path / "c.satchel") as collection:
        collection.add(Document(date, "bread", fields={"date": date}) for date in dates)
        for written, expected in (
            (["date>=2020"], [1, 2, 3, 5]),
            (["date<=2020"], [0, 1, 2, 5]),
            (["date>=2020-05", "date<=2020-05"], [2]),
            (["date<=2020-01-01"], [0, 1]),
        ):
            found = ids(collection.search(filters=read_filters(written)))
            assert found == sorted(dates[place] for place in expected)


def test_a_field_that_no_document_has_is_answered_with_those_spelt_alike(collection: Collection) -> None:
    collection.check_fields(["year", "id", "source", "title"])
    with pytest.raises(InputError, match=r"no document has a field 'yaer'; is it 'year'\?"):
        collection.check_fields(["topic", "yaer"])
    with pytest.raises(InputError, match="no document has a field 'lang!'; choose from tags, topic, year"):
        collection.check_fields(read_filters(["lang!=en"]))
    with Collection.create(collection.path.with_name("empty.satchel")) as empty:
        empty.check_fields(["year"])


def test_like_finds_the_topic_of_a_document_and_not_itself(collection: Collection) -> None:
    for mode in ("lexical", "semantic", "both"):
        found = ids(collection.search(like="d007", k=8, mode=mode))  # type: ignore[arg-type]
        assert "d007" not in found
        assert [collection[id_].fields["topic"] for id_ in found] == ["kitchen"] * 8


def test_a_mark_changes_the_ranking_as_feedback_says(collection: Collection, tmp_path: Path) -> None:
    collection.export(tmp_path / "model", "model")
    collection.export(tmp_path / "v.npy", "vectors")
    vectors, encoder = np.load(tmp_path / "v.npy"), load_encoder(tmp_path / "model")
    refined = Feedback().refine(
        encoder.transform(["people"])[0], vectors[[1, 3]], vectors[[0, 2]], vectors, relevant_grades=[1, 0.5]
    )
    cosines = vectors @ refined.query / np.linalg.norm(vectors, axis=1)
    hits = collection.search(
        "people", 10, mode="semantic", relevant=["d001"], maybe=["d003"], irrelevant=["d000", "d002"]
    )
    assert [hit.score for hit in hits] == pytest.approx(sorted(cosines, reverse=True)[:10], abs=1e-5)
    assert {hit.fields["topic"] for hit in hits} == {"kitchen"}


@pytest.mark.parametrize("mode", ["lexical", "semantic", "both"])
def test_marks_re_rank_and_say_what_was_learned(collection: Collection, mode: str) -> None:
    marks = {"relevant": ["d001", "d003"], "irrelevant": ["d000", "d002"]}
    hits = collection.search("people moon", 10, mode=mode, **marks)  # type: ignore[arg-type]
    assert sum(hit.fields["topic"] == "kitchen" for hit in hits) >= 8
    assert {hit.mark for hit in hits if hit.id in ("d001", "d003")} == {"relevant"}
    if mode != "lexical":
        more, less = (set(re.findall(r"\w+", sentence)) for sentence in hits.learned)
        assert ("more" in more, "less" in less) == (True, True)
        assert len(more & set(KITCHEN)) > len(more & set(SPACE))
        assert len(less & set(SPACE)) > len(less & set(KITCHEN))


def test_reasons_name_the_words_of_the_query_and_sum_to_the_cosine(collection: Collection) -> None:
    hit = collection.search("rockets", 5)[0]
    assert "rocket" in hit.reasons.matches
    (names, vectors), hit = collection.vectors(), collection.search("rocket", 5)[0]
    query = collection.model.transform(["rocket"])[0]  # type: ignore[union-attr]
    refined = Refined(query / np.linalg.norm(query), np.ones(64, np.float32))
    shares = theme_shares(refined, vectors[[names.index(hit.id)]])
    assert shares.sum() == pytest.approx(hit.reasons.semantic, abs=1e-6)
    assert hit.reasons.words[0].contribution > 0
    assert "rocket" in str(hit.reasons)


def test_wrong_arguments_are_one_sentence(collection: Collection) -> None:
    for arguments, message in (
        ({"mode": "magic"}, "unknown mode 'magic'; choose from both, lexical, semantic"),
        ({"k": 0}, "k is 0"),
        ({"offset": -1}, "offset is -1"),
        ({"like": "nobody"}, "`like`: there is no document 'nobody' in"),
        ({"relevant": ["nobody"]}, "no document 'nobody' is in"),
        ({"relevant": "d001"}, "relevant must be a list of ids"),
        ({"relevant": ["d001"], "irrelevant": ["d001"]}, "given as relevant and as irrelevant"),
        ({"filters": {"year": None}}, "the filter on 'year' is None"),
        ({"filters": {"year": {"above": 1}}}, "a span is"),
        ({"filters": ["year"]}, "filters must be a mapping"),
        ({"filters": {"topic": "\ud800"}}, "has a character that cannot be written as UTF-8"),
        ({"relevant": ["\ud800"]}, r"no document '\\ud800' is in"),
        ({"maybe": None}, "maybe is None; expected a list of ids"),
        ({"like": 3}, "like is 3; expected a list of ids"),
        ({"weights": {"a": 1}}, "expected theme -> weight"),
        ({"compare_with": {"marks": ["d001"]}}, "expected marks and weights"),
        ({"project": "x"}, "there is no project 'x'"),
        ({"query": 3}, "the query is of type int"),
    ):
        with pytest.raises(InputError, match=message):
            collection.search(**{"query": "rocket", **arguments})


@pytest.mark.parametrize("seed", range(4))
def test_any_way_to_the_same_documents_gives_the_same_ranking(tmp_path: Path, seed: int) -> None:
    random, base = np.random.default_rng(seed), two_topics(30)
    pool = two_topics(80, random_state=9)
    fresh_ids: dict[str, Document] = {document.id: document for document in base}
    with Collection.create(tmp_path / "worn.satchel") as worn:
        worn.add(base)
        for _ in range(25):
            some = [pool[place] for place in random.integers(0, 80, 5)]
            if random.random() < 0.6:
                changed = [document._replace(text=document.text + f" {random.choice(SPACE)}") for document in some]
                worn.add(changed)
                fresh_ids |= {document.id: document for document in reversed(changed)}
            else:
                worn.remove([document.id for document in some])
                for document in some:
                    fresh_ids.pop(document.id, None)
        worn.export(tmp_path / "model", "model")
        with Collection.create(tmp_path / "fresh.satchel", model=tmp_path / "model") as fresh:
            fresh.add(list(fresh_ids.values())[::-1])
            assert list(worn) == list(fresh)
            for mode in ("lexical", "semantic", "both"):
                for arguments in ({}, {"relevant": [next(iter(fresh))]}, {"filters": {"topic": "space"}}):
                    ours, theirs = (c.search("rocket bread people", 100, mode=mode, **arguments) for c in (worn, fresh))
                    assert [(hit.id, hit.score) for hit in ours] == [(hit.id, hit.score) for hit in theirs]
        assert worn.check() == []


def test_documents_that_tie_stand_in_the_order_of_their_ids(tmp_path: Path) -> None:
    names = [f"n{number:04}" for number in range(1500)]
    with Collection.create(tmp_path / "ties.satchel") as own:
        own.add(Document(name, "the very same words") for name in reversed(names))
        assert ids(own.search("same words", 1200, mode="lexical")) == names[:1200]


def test_a_reader_sees_what_another_has_added(tmp_path: Path) -> None:
    with make_collection(tmp_path, 20) as writer, Collection.open(writer.path, read_only=True) as reader:
        assert reader.search("rocket").total > 0
        assert len(reader.search("quokka")) == 0
        writer.add([Document("new", "a quokka in a rocket")])
        assert ids(reader.search("quokka")) == ["new"]
        writer.remove(["new"])
        assert len(reader.search("quokka")) == 0


def test_threads_share_a_collection(collection: Collection) -> None:
    expected, found = ids(collection.search("rocket bread")), []
    threads = [threading.Thread(target=lambda: found.append(ids(collection.search("rocket bread")))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_a_ranking_that_is_kept_is_that_of_a_fresh_one(collection: Collection) -> None:
    asked = {"relevant": ["d001"], "irrelevant": ["d002"]}
    first = collection.search("moon oven", 5, **asked)  # type: ignore[arg-type]
    second = collection.search("moon oven", 5, offset=5, **asked)  # type: ignore[arg-type]
    with Collection.open(collection.path) as other:
        assert [*first, *second] == list(other.search("moon oven", 10, **asked))  # type: ignore[arg-type]


def test_a_kept_ranking_is_forgotten_when_documents_change(tmp_path: Path) -> None:
    with make_collection(tmp_path, 20) as made:
        before = made.search("rocket", 20)
        made.add([Document("new", "rocket rocket rocket")])
        assert "new" in ids(made.search("rocket", 20))
        made.remove(["new"])
        assert list(made.search("rocket", 20)) == list(before)


def test_a_ranking_kept_for_a_source_is_that_of_where_the_document_lies_now(tmp_path: Path) -> None:
    with make_collection(tmp_path, 20) as made:
        for place in ("/old/a.txt", "/new/a.txt"):
            made.add([Document("a", "rocket moon", source=place)])
            found = {where: ids(made.search("rocket", filters={"source": where})) for where in ("/old/a.txt", place)}
            assert found == {"/old/a.txt": [], place: ["a"]}
