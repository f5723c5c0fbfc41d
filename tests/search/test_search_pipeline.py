"""One ranking by words and by meaning: the best documents are read again, the same ones for every page."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from made_collections import make_collection
from satchel import Collection
from satchel.importing.types import Document
from satchel.query import Request
from satchel.ranking import Letters
from satchel.ranking.fusion import N_READ, fuse, read_again
from satchel.search import question_of, rank, search
from satchel.search.result import Ranked
from satchel.text import stop_list

ODD = ["rocket", "rokcet", "ROCKETS", "brëad", "the", "xyzzy", "…", '"', "moon*", "oven AND", "🚀", "d001", "NEAR("]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    with make_collection(tmp_path_factory.mktemp("reread"), 150) as made:
        yield made


def ranked(collection: Collection, request: Request) -> Ranked:
    store, snapshot = collection._store, collection._snapshot()
    with store.reading():
        return rank(store, snapshot, question_of(store, request))


def test_both_searches_are_fused_and_only_the_best_hundred_change_as_their_texts_say(collection: Collection) -> None:
    found = ranked(collection, Request("rocket bread people"))
    fused = fuse(found.lexical, found.semantic)
    with collection._store.reading():
        places = collection._store.in_order(found.numbers)
        order = np.lexsort((places, -fused))
        best = collection._store.documents(found.numbers[order[:N_READ]].tolist())
    texts = [f"{one.title}\n{one.text}" for one in best]
    expected = fused.copy()
    letters = Letters(stop_list("sklearn") | stop_list("smart"))
    expected[order[:N_READ]] = read_again(fused[order[:N_READ]], ["rocket", "bread", "people"], texts, (), letters)
    assert len(found.numbers) > N_READ
    assert np.array_equal(found.scores, expected)
    assert not np.array_equal(expected, fused)
    assert (np.diff(found.scores) <= 0).all()


def test_each_leg_alone_has_its_own_scores(collection: Collection) -> None:
    for mode, own in (("lexical", "lexical"), ("semantic", "semantic")):
        found = ranked(collection, Request("rocket bread", mode=mode))  # type: ignore[arg-type]
        assert np.array_equal(found.scores, getattr(found, own))
        assert (found.scores > 0).all()


def test_nothing_found_is_nothing_read(collection: Collection) -> None:
    found = ranked(collection, Request("xyzzy"))
    assert found.numbers.size == found.scores.size == 0
    assert search(collection._store, collection._snapshot(), Request("xyzzy")).hits == ()


def test_a_ranking_is_made_once_for_all_its_pages_and_kept_for_no_other(collection: Collection) -> None:
    first = ranked(collection, Request("rocket bread", 7))
    assert ranked(collection, Request("rocket bread", 7, offset=7, explained=False)) is first
    others = [
        Request("rocket bread", mode="lexical"),
        Request("rocket bread", relevant=["d001"]),
        Request("rocket bread", weights={0: 0.5}),
        Request("rocket bread", like="d001"),
        Request("rocket bread", filters={"year": 1}),
        Request("rocket bread", filters={"year": True}),
        Request("rocket bread", offset=1000),
    ]
    found = [ranked(collection, other) for other in others]
    assert len({id(one) for one in [first, *found]}) == 8
    assert [ranked(collection, other) for other in others] == found


def test_what_changes_while_documents_stay_is_asked_anew(collection: Collection) -> None:
    for request in (Request("rocket", filters={"source": "/a"}), Request("rocket", area=(0, 0, 1, 1))):
        with collection._store.reading():
            assert question_of(collection._store, request).key is None


def test_pages_fit_together_whatever_their_length(collection: Collection) -> None:
    whole = [(hit.id, hit.score, hit.rank) for hit in collection.search("rocket moon", 150)]
    for k in (1, 7, 99, 101):
        pages = [hit for start in range(0, 150, k) for hit in collection.search("rocket moon", k, offset=start)]
        assert [(hit.id, hit.score, hit.rank) for hit in pages] == whole


def test_texts_that_are_the_same_stand_in_the_order_of_ids(tmp_path: Path) -> None:
    twins = [Document(name, "a rocket flies to the moon") for name in ("c", "a", "b")]
    with make_collection(tmp_path, 20) as made:
        made.add(twins)
        found = [hit.id for hit in made.search("a rocket flies", 23) if hit.id in "abc"]
        assert found == ["a", "b", "c"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.sampled_from(ODD), min_size=1, max_size=4), text=st.text(max_size=8))
def test_what_one_leg_finds_is_on_the_page_of_both(collection: Collection, words: list[str], text: str) -> None:
    query = " ".join([*words, text])
    lexical, semantic = (collection.search(query, 200, mode=mode) for mode in ("lexical", "semantic"))  # type: ignore[arg-type]
    both = {hit.id for hit in collection.search(query, 200)}
    assert both >= {hit.id for hit in lexical} | {hit.id for hit in semantic}
