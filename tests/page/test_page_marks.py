"""The page in a real browser: marks, what they teach, projects and screening."""

import re

import pytest

from made_collections import make_collection
from page_browser import Server, collection_of, shown, wait_for_order

pytestmark = pytest.mark.browser
QUERY = "rocket bread"


def open_list(tab, served, name: str, **place: object) -> list[str]:
    tab.goto(served.page(c=name, q=QUERY, **place))
    tab.locator("#list > li").first.wait_for()
    return shown(tab)


def test_a_mark_re_ranks_in_place_says_who_moved_and_is_taken_back(served, tab):
    before = open_list(tab, served, "marked")
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    tab.keyboard.press("r")
    tab.locator("#moves", has_text="Ranked again").wait_for()
    with collection_of(served, "marked") as marked:
        hits = marked.search(QUERY, 20, compare_with={})
        wait_for_order(tab, [hit.id for hit in hits])
    assert dict(hits.marks) == {before[1]: "relevant"}
    moved = next(hit for hit in hits if hit.earlier_rank not in (None, hit.rank))
    badge = tab.locator("#list > li").nth(moved.rank - 1).locator(".move").inner_text()
    assert f"{moved.earlier_rank} → {moved.rank}" in badge
    assert "Ranked again" in tab.locator("#live").inner_text()
    tab.keyboard.press("u")
    wait_for_order(tab, before)


def test_marks_by_click_teach_themes_as_words(served, tab):
    open_list(tab, served, "taught")
    for place, mark in ((0, "Relevant"), (-1, "Irrelevant")):
        id_ = shown(tab)[place]
        tab.locator(f'#list > li[data-id="{id_}"]').get_by_role("button", name=re.compile(f"^{mark}")).click()
        tab.locator("#summary", has_text=f"by {1 - place} mark").wait_for()
    with collection_of(served, "taught") as taught:
        lessons = taught.search(QUERY, 20).lessons
    said = tab.locator("#lessons .lesson .words").all_text_contents()
    assert said == [", ".join(lesson.words[:5]) for lesson in (*lessons.up, *lessons.down)] != []


def test_a_slider_weighs_a_theme_and_reset_brings_the_order_back(served, tab):
    before = open_list(tab, served, "weighed")
    tab.locator("#list .why summary").first.click()
    tab.locator("#list .reasons .bars .link").first.click()
    slider = tab.locator("#lessons input[type=range]").first
    theme = int(slider.get_attribute("data-theme"))
    slider.fill("0")
    with collection_of(served, "weighed") as weighed:
        expected = [hit.id for hit in weighed.search(QUERY, 20, weights={theme: 0.0})]
    assert expected != before
    wait_for_order(tab, expected)
    tab.reload()
    wait_for_order(tab, expected)
    tab.get_by_role("button", name="Reset sliders").click()
    wait_for_order(tab, before)


def test_a_document_that_is_read_is_marked_and_stays_open(served, tab):
    ids = open_list(tab, served, "read")
    tab.keyboard.press("j")
    tab.keyboard.press("o")
    tab.locator("#reader .text").wait_for()
    tab.keyboard.press("r")
    tab.locator("#summary", has_text="by 1 mark").wait_for()
    assert tab.locator('#reader .mark-button.relevant[aria-pressed="true"]').count() == 1
    tab.keyboard.press("j")
    tab.wait_for_function("id => !location.hash.includes(`doc=${id}`)", arg=ids[0])
    with collection_of(served, "read") as read:
        order = [hit.id for hit in read.search(QUERY, 20)]
    assert tab.url.split("doc=")[1].split("&")[0] == order[order.index(ids[0]) + 1]


def test_a_mark_in_one_tab_re_ranks_the_other(served, tab):
    open_list(tab, served, "tabs")
    other = tab.context.new_page()
    open_list(other, served, "tabs")
    other.keyboard.press("j")
    other.keyboard.press("x")
    with collection_of(served, "tabs") as tabs:
        other.locator("#moves", has_text="Ranked again").wait_for()
        order = [hit.id for hit in tabs.search(QUERY, 20)]
    wait_for_order(other, order)
    wait_for_order(tab, order)


def test_a_mark_given_while_the_server_is_gone_is_sent_when_it_is_back(chromium, tab, tmp_path):
    make_collection(tmp_path, 60).close()
    server = Server(tmp_path / "own.satchel")
    try:
        open_list(tab, server, "own")
        server.kill()
        tab.keyboard.press("j")
        tab.keyboard.press("r")
        tab.locator("#banner", has_text="does not answer").wait_for()
        marked = shown(tab)[0]
        tab.evaluate("[window.timer, window.setTimeout] = [setTimeout, () => 0]")  # it does not ask again by itself
        server.start()
        tab.evaluate("window.setTimeout = timer")
        tab.get_by_role("button", name="Try again now").click()
        tab.locator("#moves", has_text="Ranked again").wait_for()
        assert tab.locator("#banner").is_hidden()
        with collection_of(server, "own") as own:
            assert [(mark.id, mark.value) for mark in own.marks(query=QUERY)] == [(marked, "relevant")]
    finally:
        server.kill()


def test_an_project_is_saved_reopened_and_tells_what_is_new(served, tab):
    open_list(tab, served, "kept")
    tab.keyboard.press("s")
    tab.locator("#given-name").fill("launches")
    tab.keyboard.press("Enter")
    tab.locator("#limits", has_text="project: launches").wait_for()
    tab.goto(served.page(c="kept"))
    tab.locator("#projects .name", has_text="launches").click()
    tab.locator("#list > li").first.wait_for()
    assert tab.input_value("#query") == QUERY
    tab.get_by_role("button", name="New since last time").click()
    tab.get_by_role("heading", name="Nothing new since last time").wait_for()


def test_screening_counts_marks_and_finds(served, tab):
    open_list(tab, served, "screened", view="screening")
    tab.keyboard.press("j")
    for place, key in enumerate("rrxr", 1):
        tab.keyboard.press(key)
        tab.locator("#screening dd", has_text=re.compile(rf"^{place}of 60")).wait_for()
    assert tab.locator("#screening dd").nth(1).inner_text().startswith("3")
    assert "3 relevant after 4 marks" in tab.locator("#screening svg").get_attribute("aria-label")


def test_screening_follows_the_question_that_is_asked_beside_it(served, tab):
    open_list(tab, served, "screened", view="screening")
    tab.keyboard.press("j")
    tab.keyboard.press("r")
    tab.locator("#screening h2", has_text=QUERY).wait_for()
    tab.fill("#query", "comet telescope")
    tab.keyboard.press("Enter")
    tab.locator("#screening", has_text="Nothing is marked yet").wait_for()
    with collection_of(served, "screened") as screened:
        wait_for_order(tab, [hit.id for hit in screened.search("comet telescope", 20)])
    tab.keyboard.press("j")
    tab.keyboard.press("x")
    tab.locator("#screening h2", has_text="comet telescope").wait_for()


def test_the_way_back_of_a_mark_goes_with_its_question(served, tab):
    open_list(tab, served, "taught")
    tab.keyboard.press("j")
    tab.keyboard.press("m")
    tab.get_by_role("button", name="Undo (u)").wait_for()
    tab.fill("#query", "comet telescope")
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => !document.querySelector('#moves').checkVisibility()")
    assert tab.get_by_role("button", name="Undo (u)").count() == 0


def test_after_undo_the_focus_is_on_what_was_taken_back(served, tab):
    open_list(tab, served, "undone")
    tab.keyboard.press("j")
    marked = tab.evaluate("document.activeElement.closest('.hit').dataset.id")
    tab.keyboard.press("x")
    tab.locator("#moves", has_text="Ranked again").wait_for()
    tab.keyboard.press("u")
    tab.locator(".toast", has_text="Undone").wait_for()
    assert tab.evaluate("document.activeElement.closest('.hit')?.dataset.id") == marked


def test_a_mark_in_a_tab_of_another_question_moves_nothing_here(served, tab):
    open_list(tab, served, "tabs")
    other = tab.context.new_page()
    other.goto(served.page(c="tabs", q="comet telescope"))
    other.locator("#list > li").first.wait_for()
    other.keyboard.press("j")
    other.keyboard.press("r")
    other.locator("#moves", has_text="Ranked again").wait_for()
    tab.wait_for_timeout(300)
    assert tab.locator("#moves").is_hidden()


def test_a_question_asked_while_a_mark_is_on_its_way_is_no_ranking_anew(served, tab):
    open_list(tab, served, "marked")
    tab.route("**/marks", lambda route: (tab.wait_for_timeout(300), route.continue_()))
    tab.keyboard.press("j")
    tab.keyboard.press("r")
    tab.fill("#query", "comet telescope")
    tab.keyboard.press("Enter")
    tab.wait_for_timeout(1500)
    assert tab.locator("#moves").is_hidden()
    assert tab.locator("#list .move").count() == 0
