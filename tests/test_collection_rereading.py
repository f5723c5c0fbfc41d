"""The best documents are read again, the same ones for every page; and one leg alone fills a page."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from made_collections import make_collection
from satchel import Collection
from satchel.collection.rereading import reread
from satchel.importing.types import Document
from satchel.ranking.fusion import N_READ, read_again

ODD = ["rocket", "rokcet", "ROCKETS", "brëad", "the", "xyzzy", "…", '"', "moon*", "oven AND", "🚀", "d001", "NEAR("]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    with make_collection(tmp_path_factory.mktemp("reread"), 150) as made:
        yield made


def test_only_the_best_hundred_change_and_as_their_texts_say(collection: Collection) -> None:
    space = collection._space()
    positions, scores = np.arange(149, -1, -1), np.linspace(1, 0, 150)
    changed = reread(collection._file, space, positions, scores, "rocket bread", [])
    ids = sorted(collection)
    texts = [f"{collection[ids[place]].title}\n{collection[ids[place]].text}" for place in positions[:N_READ]]
    assert np.array_equal(changed[N_READ:], scores[N_READ:])
    assert np.array_equal(changed[:N_READ], read_again(scores[:N_READ], "rocket bread", texts))
    assert not np.array_equal(changed[:N_READ], scores[:N_READ])


def test_nothing_found_is_nothing_read(collection: Collection) -> None:
    nothing = reread(collection._file, collection._space(), np.empty(0, np.int64), np.empty(0), "rocket", [])
    assert nothing.size == 0


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
