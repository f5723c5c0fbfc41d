"""Manuals are read in order, and the headings that are asked stand nowhere in what is searched."""

import gzip

import pytest

pytest.importorskip("lxml", reason="manuals are read with lxml")

from benchmarks.manuals.__main__ import MOST_A_MANUAL, rank_of, sample
from benchmarks.manuals.build import Heading, _Read, halves_of, heading_of, made_of
from benchmarks.manuals.pages import Section, sections_of

LONG = " ".join(["word"] * 60)
PAGE = (
    '<html><head><title>T</title>{link}</head><body><div class="toc"><a href="b.html">Bee</a></div>{body}</body></html>'
)


def test_pages_follow_one_another_as_their_links_say(tmp_path):
    link = '<link rel="next" href="z.html">'
    (tmp_path / "index.html").write_text(
        PAGE.format(link=link, body='<h1>1. One</h1>first<p>more <a href="a.html">a</a>')
    )
    (tmp_path / "z.html").write_text(PAGE.format(link="", body="<h1>2. Two</h1>second"))
    (tmp_path / "a.html").write_text(PAGE.format(link="", body="<h2>Three</h2>third"))
    (tmp_path / "unlinked.html").write_text(PAGE.format(link="", body="<h2>Four</h2>"))
    found = [section for section in sections_of(tmp_path / "index.html") if section.heading]
    assert found == [Section("1. One", "first\nmore a"), Section("2. Two", "second"), Section("Three", "third")]


def test_a_manual_of_info_is_parted_at_its_underlined_lines(tmp_path):
    node = "\x1f\nFile: a.info,  Node: Top,  Next: B\n\n1 The first part\n****************\n\nText of it.\n* Menu: x\n"
    path = tmp_path / "a.info.gz"
    path.write_bytes(gzip.compress(("Head\n" + node).encode()))
    assert sections_of(path)[1:] == [Section("1 The first part", "Text of it.")]


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("2.3.1 Generating regular sequences", "Generating regular sequences"),
        ("Chapter 3 - How Exim delivers mail", "How Exim delivers mail"),
        ("A.2. Regular kinds of snow", "Regular kinds of snow"),
        ("2.5. Backquote and comma [sec_2-4-6]", "Backquote and comma"),
        ("A tour of the city", "A tour of the city"),
    ],
)
def test_the_number_of_a_heading_is_not_asked(written, asked):
    assert heading_of(Section(written, "")) == asked


def test_a_heading_that_occurs_once_is_asked_and_stands_nowhere_in_the_texts():
    own, shared = "Growing pears in winter", "How to read this"
    first = [Section(f"1.1 {own}", f"{LONG}\nabout pears"), Section(shared, LONG), Section("Contents", own.upper())]
    made = made_of({"a": _Read("A", "a_1", first), "b": _Read("B", "b_1", [Section(shared, LONG)])})
    assert [heading.query for heading in made.headings] == [own]
    assert own.casefold() not in made.texts[0].text.casefold()
    assert "about pears" in made.texts[0].text
    assert shared in made.texts[0].text


def test_half_of_the_manuals_are_for_choosing_whatever_their_order():
    names = [f"manual {number}" for number in range(10)]
    halves = halves_of(names)
    assert list(halves.values()).count("choose") == 5
    assert halves_of(names[::-1]) == halves


def test_a_sample_has_at_most_twenty_questions_a_manual_and_only_of_its_half():
    headings = [Heading(f"q{number}", "long", "judge") for number in range(50)]
    drawn = sample([*headings, Heading("q", "short", "judge"), Heading("r", "other", "choose")], "judge", 0)
    assert len(drawn) == MOST_A_MANUAL + 1
    assert {heading.manual for heading in drawn} == {"long", "short"}


def test_the_rank_is_that_of_the_manual_and_zero_where_it_is_not_found():
    asked = Heading("q", "b", "judge")
    assert rank_of(asked, lambda query: ["a", "b"]) == 2
    assert rank_of(asked, lambda query: ["a"]) == 0
