"""Where a passage of a long document is: its page and its heading."""

import random
from pathlib import Path

import pytest

from satchel import Collection
from satchel.importing import Document
from satchel.text import Analysed, last_heading, page_breaks, windows


def pages(n: int) -> str:
    draw = random.Random(0)
    words = [f"word{number}" for number in range(900)]
    parts = [f"Chapter {page} About {page}\n\n{' '.join(draw.choices(words, k=250))}" for page in range(1, n + 1)]
    return "\f".join(part + " zebra crossing" * (place == 6) for place, part in enumerate(parts))


@pytest.mark.parametrize("place", ["own.satchel", ":memory:"])
def test_a_hit_says_page_and_heading_of_its_passage(place: str, tmp_path: Path) -> None:
    with Collection.create(place if place == ":memory:" else tmp_path / place) as made:
        made.add([Document("manual", pages(11), "Manual"), Document("short", "a zebra\fon page two")])
        found = {hit.id: hit for hit in made.search("zebra crossing")}
        assert found["manual"].place == "page 7, Chapter 7 About 7"
        assert "zebra crossing" in str(found["manual"].snippet)
        assert found["short"].place == ""


def test_passages_begin_where_pages_begin() -> None:
    text = Analysed(pages(4))
    breaks = page_breaks(text)
    assert breaks == [254, 508, 762]
    assert {window.start for window in windows(len(text.words), breaks)} >= {0, *breaks}


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Writing functions\n\nOne can write.", "Writing functions"),
        ("Intro\n\nA sentence that ends.\n\n2.3 Shell expansions\n\nMore text here.", "2.3 Shell expansions"),
        ("Only prose, which ends with a full stop.\n\nand goes on", ""),
        ("Some prose.\n\nO\n\nMore prose.", ""),
        ("", ""),
    ],
)
def test_the_last_heading_is_a_short_line_by_itself(text: str, heading: str) -> None:
    assert last_heading(text) == heading
