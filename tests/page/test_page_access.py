"""The page in a real browser: for everyone, on every screen."""

import pytest

from page_browser import WIDE

pytestmark = pytest.mark.browser
NARROW = {"width": 390, "height": 844}


def open_page(
    chromium, served, colours: str = "light", viewport: dict[str, int] = WIDE, c: str = "own", **place: object
):
    context = chromium.new_context(viewport=viewport, color_scheme=colours, reduced_motion="reduce")
    page = context.new_page()
    page.goto(served.page(c=c, **place))
    page.wait_for_selector("#list > li", state="attached")
    return page


WIDE_VIEWS = [("light", "reader", WIDE), ("dark", "collection", WIDE), ("light", "map", WIDE)]
NARROW_VIEWS = [("light", "results", NARROW), ("dark", "learned", NARROW), ("light", "screening", NARROW)]


@pytest.mark.parametrize(("colours", "view", "viewport"), [*WIDE_VIEWS, *NARROW_VIEWS])
def test_axe_finds_nothing(chromium, served, colours, view, viewport):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe was not run: it is not installed")
    page = open_page(chromium, served, colours, viewport, c="marked", q="rocket orbit", doc="d000", view=view)
    if page.locator("#list").is_visible():
        page.locator("#list .why summary").first.click()
    page.keyboard.press("r")
    page.keyboard.press("r")
    page.wait_for_selector("#lessons .lesson, #lessons .quiet", state="attached")
    page.keyboard.press("x")
    page.wait_for_timeout(300)
    found = axe.Axe().run(page).response["violations"]
    page.context.close()
    assert [(one["id"], one["impact"], one["nodes"][0]["html"][:120]) for one in found] == []


@pytest.mark.parametrize("view", ["results", "reader", "map", "learned", "screening", "collection"])
def test_nothing_is_wider_than_a_narrow_screen(chromium, served, view):
    page = open_page(chromium, served, viewport=NARROW, q="rocket orbit", doc="d000", view=view)
    page.wait_for_timeout(200)
    width = page.evaluate("document.scrollingElement.scrollWidth")
    seen = page.locator("#results" if view == "results" else f"#{view}").is_visible()
    page.context.close()
    assert width <= 390
    assert seen


def test_colours_are_chosen_and_kept(chromium, served):
    page = open_page(chromium, served)
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.click("#theme")
    page.click("#theme")
    dark = page.evaluate(back)
    page.reload()
    kept = page.evaluate(back)
    page.context.close()
    assert light != dark
    assert kept == dark


def test_a_question_mark_shows_the_keys(chromium, served):
    page = open_page(chromium, served)
    page.keyboard.press("?")
    text = page.locator("#help").inner_text()
    page.context.close()
    assert all(said in text for said in ("mark it relevant", "mark it irrelevant", "undo the last mark"))


def test_nothing_comes_from_another_host(chromium, served):
    context = chromium.new_context()
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(served.page(c="own", q="rocket", view="map"))
    page.wait_for_selector("#legend")
    context.close()
    assert {url.split("/")[2] for url in asked if not url.startswith("blob:")} == {f"127.0.0.1:{served.port}"}


def test_a_long_way_up_the_list_stays_within_its_hit(chromium, served):
    page = open_page(chromium, served, q="rocket orbit")
    wide = page.evaluate("""() => {
      const rank = document.querySelector("#list .rank");
      rank.insertAdjacentHTML("beforeend", '<span class="move up"><span>123456 → 12345</span></span>');
      const [badge, hit] = [rank.lastChild.getBoundingClientRect(), rank.closest("article").getBoundingClientRect()];
      return [badge.left - hit.left, rank.getBoundingClientRect().right - badge.right];
    }""")
    page.context.close()
    assert min(wide) >= -0.5


def test_at_high_zoom_the_head_scrolls_away(chromium, served):
    page = open_page(chromium, served, viewport={"width": 350, "height": 225}, q="rocket orbit")
    page.mouse.move(175, 180)
    page.mouse.wheel(0, 150)
    page.wait_for_function("() => document.querySelector('.top').getBoundingClientRect().bottom <= 0")
    page.context.close()


def test_a_view_that_is_unknown_shows_the_results(chromium, served):
    page = open_page(chromium, served, viewport=NARROW, q="rocket orbit", view="nonsense")
    seen = page.locator("#results").is_visible()
    page.context.close()
    assert seen


@pytest.mark.parametrize("viewport", [WIDE, NARROW])
def test_only_the_parts_of_the_page_scroll_and_never_the_page(chromium, served, viewport):
    page = open_page(chromium, served, viewport=viewport, c="taught", q="rocket bread")
    page.keyboard.press("j")
    page.keyboard.press("r")
    page.locator("#moves", has_text="Ranked again").wait_for()
    height = page.evaluate("document.scrollingElement.scrollHeight")
    page.context.close()
    assert height == viewport["height"]
