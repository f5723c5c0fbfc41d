"""What search keeps in memory is brought up to date by what changed, and is that of a fresh opening to the last bit."""

import random
from pathlib import Path

import numpy as np
import pytest

from made_collections import make_collection, two_topics
from satchel import Collection
from satchel.collection import space, vectors
from satchel.types import FloatArray, IntArray


@pytest.fixture
def n_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many vectors each loading read."""
    counts: list[int] = []

    def counted(*values: object) -> tuple[IntArray, FloatArray]:
        found = vectors.read_vectors(*values)  # type: ignore[arg-type]
        counts.append(len(found[0]))
        return found

    monkeypatch.setattr(space, "read_vectors", counted)
    return counts


def test_marks_read_no_vectors_and_new_documents_only_their_own(tmp_path: Path, n_read: list[int]) -> None:
    with make_collection(tmp_path, 40) as own:
        own.search("rocket")
        own.mark("d001", "relevant", query="rocket")
        own.undo()
        own.save_interest("space", "rocket")
        own.search("rocket")
        assert n_read == [40]
        own.add(two_topics(43))
        own.search("rocket")
        own.remove(["d001", "d042"])
        own.search("rocket")
        assert n_read == [40, 3, 0]
        own.train()
        own.search("rocket")
        assert n_read == [40, 3, 0, 41]


def test_whatever_another_connection_does_memory_is_that_of_a_fresh_opening(tmp_path: Path) -> None:
    draw, documents = random.Random(0), two_topics(80)
    path = tmp_path / "own.satchel"
    make_collection(tmp_path, 30).close()
    with Collection.open(path) as reader, Collection.open(path) as writer:
        for turn in range(40):
            for _ in range(draw.randint(1, 3)):
                some = draw.sample(documents, 5)
                text = f"rocket oven {turn} bread moon"
                actions = (
                    lambda some=some: writer.add(some),
                    lambda some=some, text=text: writer.add([one._replace(text=text) for one in some]),
                    lambda some=some: writer.remove([one.id for one in some]),
                    lambda: writer.remove(list(writer)[-3:]),
                    lambda turn=turn: writer.train() if turn % 10 == 5 else writer.remove([]),
                )
                draw.choice(actions)()
            with Collection.open(path, read_only=True) as fresh:
                held, anew = reader._space(), fresh._space()
                assert np.array_equal(held.numbers, anew.numbers)
                assert held.vectors.tobytes() == anew.vectors.tobytes()
                assert list(reader.search("rocket bread", 40)) == list(fresh.search("rocket bread", 40))
