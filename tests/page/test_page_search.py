"""The page in a real browser: searching and reading."""

import pytest

from page_browser import HOSTILE, collection_of, shown, wait_for_order

pytestmark = pytest.mark.browser
QUERY = "rocket orbit"


def test_a_search_shows_what_the_library_finds_with_its_words_highlighted(served, tab):
    tab.goto(served.page(c="own"))
    tab.keyboard.press("/")
    tab.keyboard.type(QUERY)
    tab.keyboard.press("Enter")
    with collection_of(served, "own") as own:
        hits = own.search(QUERY, 20)
    wait_for_order(tab, [hit.id for hit in hits])
    text, matches = hits[0].snippet
    words = tab.locator("#list > li:first-child .snippet mark").all_inner_texts()
    assert words == [text[start:stop] for start, stop in matches]
    assert {"rocket", "orbit"} <= set(words)


def test_reasons_open_with_both_scores_words_and_themes(served, tab):
    tab.goto(served.page(c="own", q=QUERY))
    tab.locator("#list .why summary").first.click()
    reasons = tab.locator("#list .reasons").first
    with collection_of(served, "own") as own:
        why = own.search(QUERY, 1)[0].reasons
    assert f"{why.lexical:.2f}" in reasons.inner_text()
    assert f"{why.semantic:.3f}" in reasons.inner_text()
    assert why.words[0].word in reasons.inner_text()


def test_the_reader_shows_the_whole_text_with_matches_and_closes(served, tab):
    tab.goto(served.page(c="own", q=QUERY))
    tab.locator("#list > li").first.wait_for()
    tab.keyboard.press("j")
    tab.keyboard.press("Enter")
    text = tab.locator("#reader .text")
    with collection_of(served, "own") as own:
        reading = own.read(shown(tab)[0], query=QUERY)
    assert text.inner_text().split() == reading.document.text.split()
    assert text.locator("mark").all_inner_texts() == [reading.document.text[a:b] for a, b in sorted(reading.matches)]
    tab.keyboard.press("Escape")
    tab.get_by_text("No document is open").wait_for()


def test_spans_count_characters_as_python_does(served, tab):
    tab.goto(served.page(c="hostile", q="comet", doc="rocket<b>", view="reader"))
    tab.locator("#reader .text mark").first.wait_for()
    assert tab.locator("#reader .text mark").all_inner_texts() == ["comet"]


def test_markup_in_titles_and_texts_is_shown_and_never_run(served, tab):
    tab.goto(served.page(c="hostile", q="rocket orbit comet", doc="rocket<b>", view="reader"))
    tab.locator("#reader h2", has_text="onerror").wait_for()
    assert tab.locator("#reader h2").inner_text() == HOSTILE
    assert HOSTILE in tab.locator("#reader .text").inner_text()
    assert tab.locator("main img, #reader img, main script").count() == 0
    assert tab.title() != "run"


def test_a_filter_narrows_the_list_and_is_taken_away_again(served, tab):
    tab.goto(served.page(c="own", q=QUERY))
    tab.locator("#list .field", has_text="topic space").first.click()
    with collection_of(served, "own") as own:
        wait_for_order(tab, [hit.id for hit in own.search(QUERY, 20, filters={"topic": "space"})])
    assert all(int(id_[1:]) % 2 == 0 for id_ in shown(tab))
    tab.locator("#limits .chip").click()
    with collection_of(served, "own") as own:
        wait_for_order(tab, [hit.id for hit in own.search(QUERY, 20)])


def test_nothing_found_says_what_to_try(served, tab):
    tab.goto(served.page(c="own", q="rocket", where='{"topic":"nowhere"}'))
    tab.get_by_role("heading", name="Nothing found").wait_for()
    tab.get_by_role("button", name="Without the filters").click()
    tab.locator("#list > li").first.wait_for()


def test_a_reload_keeps_query_way_of_search_and_open_document(served, tab):
    tab.goto(served.page(c="own", q=QUERY))
    tab.select_option("#mode", "semantic")
    tab.locator("#list > li .title").nth(2).click()
    title = tab.locator("#reader h2").inner_text()
    before = shown(tab)
    tab.reload()
    wait_for_order(tab, before)
    assert (tab.input_value("#query"), tab.input_value("#mode")) == (QUERY, "semantic")
    assert tab.locator("#reader h2").inner_text() == title


def test_more_like_this_ranks_by_likeness_and_back_returns(served, tab):
    tab.goto(served.page(c="own", q=QUERY))
    tab.locator("#list > li").first.wait_for()
    first = shown(tab)
    tab.keyboard.press("j")
    tab.keyboard.press("l")
    with collection_of(served, "own") as own:
        wait_for_order(tab, [hit.id for hit in own.search(QUERY, 20, like=first[0])])
    tab.go_back()
    wait_for_order(tab, first)


def test_the_list_goes_on_to_its_end(served, tab):
    tab.goto(served.page(c="own", q=QUERY))
    tab.locator("#list > li").first.wait_for()
    tab.locator("#more").scroll_into_view_if_needed()
    with collection_of(served, "own") as own:
        wait_for_order(tab, [hit.id for hit in own.search(QUERY, 40)])


def test_what_is_not_understood_of_a_query_stands_above_the_list(served, tab):
    tab.goto(served.page(c="own", q="rocket colour:red"))
    tab.locator("#notes li").first.wait_for()
    assert tab.locator("#notes").inner_text().startswith("column 8: there is no field 'colour'")
    tab.goto(served.page(c="own", q=QUERY))
    tab.locator("#list > li").first.wait_for()
    assert not tab.locator("#notes").is_visible()
