"""The page in a real browser: the map, adding documents, training, export."""

import csv
from pathlib import Path
from zipfile import is_zipfile

import pytest

from page_browser import collection_of, shown, wait_for_order
from satchel import Collection

pytestmark = pytest.mark.browser
QUERY = "rocket orbit"
N_COLOURS = """canvas => {
  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""


def place_on(box: dict[str, float], x: float, y: float) -> tuple[float, float]:
    """Where a point of the map lies on the screen while all of the map is in view."""
    scale = min(box["width"], box["height"]) * 0.94
    return box["x"] + box["width"] / 2 + (x - 0.5) * scale, box["y"] + box["height"] / 2 + (y - 0.5) * scale


def test_the_map_is_drawn_and_a_click_opens_the_document_there(served, tab):
    tab.goto(served.page(c="own", q=QUERY, view="map"))
    tab.locator("#legend", has_text="score").wait_for(timeout=60_000)
    with collection_of(served, "own") as own:
        found = own.map.places()
    x, y = found.points[7].tolist()
    box = tab.locator("#map canvas").bounding_box()
    assert tab.locator("#map canvas").evaluate(N_COLOURS) > 5
    tab.mouse.click(*place_on(box, x, y))
    tab.locator("#reader .text").wait_for()
    with collection_of(served, "own") as own:
        assert tab.locator("#reader .text").inner_text().split() == own.read(found.ids[7]).document.text.split()


def test_a_map_is_made_when_it_is_first_looked_at(served, tab):
    tab.goto(served.page(c="kept", q=QUERY, view="map"))
    tab.get_by_role("heading", name="The map is being drawn").wait_for()
    tab.locator("#legend", has_text="score").wait_for(timeout=60_000)
    with collection_of(served, "kept") as kept:
        assert kept.map.is_made()


def test_an_area_of_the_map_limits_the_search(served, tab):
    tab.goto(served.page(c="own", q=QUERY, view="map"))
    tab.locator("#legend", has_text="score").wait_for(timeout=60_000)
    with collection_of(served, "own") as own:
        border = sorted(own.map.places().points[::2, 0].tolist())[15]  # half of what is about space
    box = tab.locator("#map canvas").bounding_box()
    tab.keyboard.down("Shift")
    tab.mouse.move(box["x"] + 5, box["y"] + 5)
    tab.mouse.down()
    tab.mouse.move(place_on(box, border, 0.5)[0], box["y"] + box["height"] - 60, steps=3)
    tab.mouse.up()
    tab.keyboard.up("Shift")
    tab.locator("#limits", has_text="within an area").wait_for()
    area = tab.evaluate("JSON.parse(new URLSearchParams(location.hash.slice(1)).get('area'))")
    with collection_of(served, "own") as own:
        expected, anywhere = own.search(QUERY, 20, area=area), own.search(QUERY, 20)
    assert 0 < expected.total < anywhere.total
    wait_for_order(tab, [hit.id for hit in expected])


def test_the_map_moves_and_zooms_by_keys_and_colours_by_a_field(served, tab):
    tab.goto(served.page(c="own", q=QUERY, view="map"))
    tab.locator("#legend", has_text="score").wait_for(timeout=60_000)
    picture = tab.locator("#map canvas")
    before = picture.evaluate("canvas => canvas.toDataURL()")
    picture.focus()
    tab.keyboard.press("+")
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_timeout(100)
    assert picture.evaluate("canvas => canvas.toDataURL()") != before
    tab.select_option("#colour-by", "topic")
    tab.locator("#legend .key", has_text="kitchen").wait_for()
    assert tab.locator("#legend .key").all_inner_texts() == ["space\n30", "kitchen\n30"]


def test_files_are_added_with_a_report_and_found_at_once(served, tab, tmp_path):
    (tmp_path / "new.txt").write_text("A zeppelin is lighter than air, unlike a rocket.")
    (tmp_path / "bad.docx").write_bytes(b"this is no Word file")
    tab.goto(served.page(c="grown", view="collection"))
    with tab.expect_file_chooser() as chooser:
        tab.locator("#collection").get_by_role("button", name="Choose files").click()
    chooser.value.set_files([tmp_path / "new.txt", tmp_path / "bad.docx"])
    report = tab.locator("#import-place .figures dd")
    report.first.wait_for(timeout=15_000)
    assert report.all_inner_texts() == ["1", "0", "0", "1"]
    assert "bad.docx" in tab.locator("#import-place li").inner_text()
    tab.fill("#query", "zeppelin")
    tab.keyboard.press("Enter")
    wait_for_order(tab, ["new.txt"])


def test_training_on_labels_ends_with_the_list_before_and_after(served, tab):
    tab.goto(served.page(c="grown", q=QUERY, view="collection"))
    tab.get_by_label("the labels in").check()
    tab.get_by_label("Field that holds the labels").select_option("topic")
    tab.locator("#collection").get_by_role("button", name="Train").click()
    tab.locator("#training-place table").wait_for(timeout=20_000)
    assert "with labels" in tab.locator("#training-place p").inner_text()
    with collection_of(served, "grown") as grown:
        assert grown.info().trainings[-1].learned_from == "labels"
        expected = [hit.id for hit in grown.search(QUERY, 20)]
    wait_for_order(tab, expected)
    assert tab.locator("#training-place tbody tr").count() == 10


def test_what_was_marked_can_be_learned_from(served, tab):
    tab.goto(served.page(c="grown", view="collection"))
    assert tab.get_by_label("the marks kept so far (0)").is_disabled()
    with Collection.open(next(path for path in served.files if path.stem == "grown")) as grown:
        grown.mark_together(["d000", "d001"], "relevant", query=QUERY)
    tab.reload()
    tab.get_by_label("the marks kept so far (2)").check()
    with Collection.open(grown.path) as grown:
        grown.undo()


def test_hits_are_exported_as_a_table(served, tab):
    tab.goto(served.page(c="own", q=QUERY, view="collection"))
    tab.locator("#list > li").first.wait_for()
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Export hits as CSV").click()
    with Path(download.value.path()).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows[:20]] == shown(tab)
    assert download.value.suggested_filename.endswith(".csv")


def _exported(tab, label: str) -> Path:
    with tab.expect_download() as download:
        tab.get_by_role("button", name=f"Export {label}", exact=True).click()
    return Path(download.value.path())


@pytest.mark.parametrize("project", [None, "launches"])
def test_everything_is_exported_from_a_query_and_from_an_project(served, tab, project):
    if project:
        with Collection.open(next(path for path in served.files if path.stem == "exported")) as exported:
            exported.projects.save(project, QUERY)
    place = {"c": "exported", "q": QUERY, "view": "collection"} | ({"project": project} if project else {})
    tab.goto(served.page(**place))
    tab.locator("#list > li").first.wait_for()
    with _exported(tab, "documents as CSV").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 60
    assert _exported(tab, "marks as JSON lines").exists()
    assert is_zipfile(_exported(tab, "vectors as NumPy"))
    assert is_zipfile(_exported(tab, "model as folder, zipped"))


def test_a_report_is_shown_with_the_collection_that_it_is_about(served, tab, tmp_path):
    (tmp_path / "more.txt").write_text("A glider has no engine.")
    tab.goto(served.page(c="grown", view="collection"))
    with tab.expect_file_chooser() as chooser:
        tab.locator("#collection").get_by_role("button", name="Choose files").click()
    chooser.value.set_files([tmp_path / "more.txt"])
    report = tab.locator("#import-place .figures")
    report.wait_for(timeout=15_000)
    tab.select_option("#collections", "own")
    tab.locator("#collection h2", has_text="own").wait_for()
    assert report.count() == 0
    tab.select_option("#collections", "grown")
    report.wait_for()


def test_a_new_model_forgets_the_weights_of_the_old_one(served, tab):
    tab.goto(served.page(c="weighed", q=QUERY, view="collection", w='{"0":0}'))
    tab.locator("#list > li").first.wait_for()
    tab.get_by_label("the texts alone").check()
    tab.locator("#collection").get_by_role("button", name="Train").click()
    tab.locator("#training-place table").wait_for(timeout=20_000)
    assert "&w=" not in tab.url
    with collection_of(served, "weighed") as weighed:
        wait_for_order(tab, [hit.id for hit in weighed.search(QUERY, 20)])


def test_the_map_of_a_collection_that_is_chosen_while_another_is_being_made(served, tab):
    tab.goto(served.page(c="screened", view="map"))
    tab.get_by_role("heading", name="The map is being drawn").wait_for()
    tab.select_option("#collections", "own")
    tab.locator("#map canvas").wait_for(timeout=60_000)
    with collection_of(served, "own") as own:
        assert f"Map of {len(own)} documents" in (tab.locator("#map canvas").get_attribute("aria-label") or "")


def test_an_area_is_drawn_once_and_the_map_moves_again(served, tab):
    tab.goto(served.page(c="own", q=QUERY, view="map"))
    tab.locator("#legend", has_text="score").wait_for(timeout=60_000)
    area = tab.get_by_role("button", name="Area", exact=True)
    area.click()
    box = tab.locator("#map canvas").bounding_box()
    for drag in range(2):
        tab.mouse.move(box["x"] + 50, box["y"] + 50)
        tab.mouse.down()
        tab.mouse.move(box["x"] + 300, box["y"] + 300, steps=3)
        tab.mouse.up()
        if drag == 0:
            tab.locator("#limits", has_text="within an area").wait_for()
            drawn = tab.evaluate("new URLSearchParams(location.hash.slice(1)).get('area')")
    assert area.get_attribute("aria-pressed") == "false"
    assert tab.evaluate("new URLSearchParams(location.hash.slice(1)).get('area')") == drawn


def test_files_that_are_dropped_on_the_page_are_added(served, tab):
    tab.goto(served.page(c="exported"))
    tab.locator("#list > li").first.wait_for()
    drag = """kind => {
      window.carried ??= new DataTransfer();
      if (!carried.items.length) carried.items.add(new File(["An airship is lighter than air."], "airship.txt"));
      document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: carried, bubbles: true, cancelable: true}));
    }"""
    tab.evaluate(drag, "dragenter")
    assert tab.locator("#drop").is_visible()
    tab.evaluate(drag, "drop")
    tab.locator("#import-place .figures dd").first.wait_for(timeout=15_000)
    assert tab.locator("#drop").is_hidden()
    assert tab.locator("#import-place .figures dd").first.inner_text() == "1"
    tab.fill("#query", "airship")
    tab.keyboard.press("Enter")
    wait_for_order(tab, ["airship.txt"])
