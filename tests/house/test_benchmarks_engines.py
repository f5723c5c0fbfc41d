"""The engines beside ours, on a handful of texts, and the clocks that they are measured with."""

import numpy as np
import pytest
from benchmarks.engines.fts5 import Fts5
from benchmarks.engines.scan import Scan
from benchmarks.engines.words import words_of
from benchmarks.importing import Parts, read, write_lines
from benchmarks.timing import Taken, in_turn, spread, together

from satchel.importing import Document

DOCUMENTS = [Document("a", "pears and apples", "Fruit"), Document("b", "rails and trains", "Roads"), Document("c", "x")]


def made(name, folder):
    if name == "fts5":
        return Fts5(folder / "fts5.db", DOCUMENTS)
    if name == "bm25s":
        pytest.importorskip("bm25s")
        from benchmarks.engines.bm25s import Bm25s

        return Bm25s(DOCUMENTS)
    pytest.importorskip("tantivy")
    from benchmarks.engines.tantivy import Tantivy

    Tantivy.build(folder / "tantivy", DOCUMENTS)
    return Tantivy(folder / "tantivy", has_snippets=name == "snippets")


@pytest.mark.parametrize("name", ["fts5", "bm25s", "tantivy", "snippets"])
def test_an_engine_finds_first_the_document_that_has_the_word(name, tmp_path):
    assert made(name, tmp_path).search('train: "(AND', 1) == ["b"]


def test_the_scan_gives_the_nearest_vectors_in_order():
    vectors = np.array([[3, 0], [1, 1], [0, 2], [-1, 0]], np.float32)
    scan = Scan(list("abcd"), vectors, lambda query: np.array([1, 0.1], np.float32))
    assert scan.search("", 3) == ["a", "b", "c"]


def test_words_of_a_query_hold_no_operators():
    assert words_of('Grid AND "storage" -wind:x*') == ["grid", "and", "storage", "wind", "x"]


def test_documents_come_back_from_the_file_as_they_were(tmp_path):
    assert list(read(write_lines(DOCUMENTS, tmp_path / "rows.jsonl"))) == DOCUMENTS


def test_every_query_is_asked_of_all_and_each_begins_in_turn():
    order = []
    times = in_turn({name: lambda query, name=name: order.append(name + query) for name in "xy"}, ["1", "2"])
    assert order == ["x1", "y1", "y2", "x2"]
    assert [len(taken) for taken in times.values()] == [2, 2]


def test_the_spread_is_the_median_and_the_95th_percentile_of_each_clock():
    times = [Taken(number, 2 * number) for number in range(101)]
    assert spread(times) == (Taken(50, 100), Taken(95, 190))
    assert together(times[:2], times[1:3]) == [Taken(1, 2), Taken(3, 6)]


def test_the_parts_of_an_import_are_its_stages_in_order():
    parts = Parts("reading")
    for stage in ("learning", "learning", "reading", "encoding"):
        parts(stage, 0, 0)
    assert [part.name for part in parts.all()] == ["reading", "learning", "encoding"]
