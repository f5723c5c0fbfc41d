"""A real browser on a real server, for the tests of the page."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from made_collections import make_collection, two_topics
from satchel import Collection
from satchel.importing.types import Document

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
WIDE = {"width": 1400, "height": 900}
HOSTILE = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>'


def found_browser() -> str:
    """The browser that tests drive; they are skipped where there is none."""
    pytest.importorskip("fastapi", reason="browser tests were not run: the extra satchel[server] is not installed")
    pytest.importorskip("playwright", reason="browser tests were not run: the package playwright is not installed")
    path = os.environ.get("SATCHEL_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("browser tests were not run: no Chromium was found (install it, or set SATCHEL_BROWSER)")
    return path


class Server:
    """`satchel serve` in a process of its own; it can be killed, and started again at the same port."""

    def __init__(self, *files: Path) -> None:
        self.files = files
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "satchel", "serve", *map(str, self.files), "--no-open", f"--port={self.port}"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                with urlopen(f"{self.address}api/health"):
                    return
            except (URLError, ConnectionError):
                time.sleep(0.1)
        raise TimeoutError("the server did not start within 30 s")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def page(self, **place: object) -> str:
        """The address of a page that shows this place: c for the collection, q for the query, and so on."""
        return f"{self.address}#{urlencode(place)}"


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    path = found_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Collections of the same documents under several names, one for each test that changes its own."""
    found_browser()
    folder = tmp_path_factory.mktemp("served")
    make_collection(folder, 60, "own.satchel").close()
    for name in ("marked", "taught", "read", "weighed", "tabs", "kept", "grown", "screened", "exported", "undone"):
        shutil.copy(folder / "own.satchel", folder / f"{name}.satchel")
    with Collection.create(folder / "hostile.satchel") as hostile:
        hostile.add([*two_topics(), Document("rocket<b>", f"rocket {HOSTILE} 🚀🚀 orbit comet", title=HOSTILE)])
    server = Server(*sorted(folder.glob("*.satchel")))
    yield server
    server.kill()


@pytest.fixture
def tab(chromium, served) -> Iterator[object]:
    """An empty tab; a script's error fails the test."""
    context = chromium.new_context(viewport=WIDE, reduced_motion="reduce")
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def collection_of(server: Server, name: str) -> Collection:
    """The file of a served collection, for what the library itself says."""
    return Collection.open(next(path for path in server.files if path.stem == name), read_only=True)


def shown(page) -> list[str]:
    return page.eval_on_selector_all("#list > li", "items => items.map(item => item.dataset.id)")


def wait_for_order(page, ids: list[str]) -> None:
    """Waits until the list begins with these documents in this order."""
    from playwright.sync_api import TimeoutError as TooLate

    same = "ids => ids.every((id, at) => document.querySelector('#list').children[at]?.dataset.id === id)"
    try:
        page.wait_for_function(same, arg=ids, timeout=8000)
    except TooLate:
        assert shown(page)[: len(ids)] == ids
