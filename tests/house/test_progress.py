"""How far long work is: what the one bar shows, and that stopping leaves everything as it was."""

import io
import threading
from contextlib import nullcontext

import pytest
from rich.console import Console

from made_collections import two_topics
from satchel import Collection
from satchel.cli import console
from satchel.importing import Document, read_documents
from satchel.progress import DOWNLOADING, READING_FILES, StoppedError


def stopping_at(stage, done=0):
    """Stops the work when it comes to this stage and has done so much of it."""

    def tell(now, n, total):
        if now == stage and n >= done:
            raise StoppedError("enough")

    return tell


def test_reading_a_folder_stops_between_two_files(tmp_path):
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text(f"text of {name}", encoding="utf-8")
    read = []
    documents = read_documents(tmp_path, on_progress=stopping_at(READING_FILES, 2))
    with pytest.raises(StoppedError, match="enough"):
        read.extend(one.id for one in documents)
    assert read == ["a.txt", "b.txt"]


@pytest.mark.parametrize("stage", ["reading files", "reading documents", "encoding documents", "learning the model"])
def test_adding_that_is_stopped_leaves_the_collection_as_it_was(tmp_path, stage):
    folder = tmp_path / "notes"
    folder.mkdir()
    for one in two_topics(20):
        (folder / f"{one.id}.txt").write_text(one.text, encoding="utf-8")
    with Collection.create(tmp_path / "own.satchel") as own:
        if stage != "learning the model":  # which an empty collection does alone
            own.add([Document("first", "bread and rocket"), Document("second", "bread oven")])
        before = list(own)
        with pytest.raises(StoppedError, match="enough"):
            own.add(folder, on_progress=stopping_at(stage))
        assert list(own) == before
        assert own.check() == []
        assert own.add(folder).added == 20


class Served:
    """What a job asks of a collection that is served."""

    name = "own"

    def __init__(self, collection):
        self.for_job = lambda: nullcontext(collection)


def test_a_job_of_a_stopping_server_leaves_the_collection_as_it_was(tmp_path, monkeypatch):
    pytest.importorskip("fastapi")
    from satchel.server.jobs import Jobs

    monkeypatch.setattr("satchel.server.jobs.GRACE_SECONDS", 0)
    with Collection.create(tmp_path / "own.satchel") as own:
        own.add([Document("first", "bread and rocket"), Document("second", "bread oven")])
        started, jobs = threading.Event(), Jobs(5, ())

        def endless():
            for n in range(1_000_000):
                started.set()
                yield Document(f"d{n}", "more bread")

        job = jobs.start("upload", Served(own), lambda one, on_progress: one.add(endless(), on_progress=on_progress))
        assert started.wait(20)
        jobs.close()
        assert (job.state, job.error) == ("failed", "the server was stopped, and the collection is as it was before")
        assert list(own) == ["first", "second"]
        assert own.check() == []


def drawn(monkeypatch, is_terminal, told, **how):
    """What the bar writes when it is told so."""
    stream = io.StringIO()
    monkeypatch.setattr(console, "notes", Console(file=stream, force_terminal=is_terminal, width=100, highlight=False))
    monkeypatch.setattr("sys.stderr", stream)
    with console.progress_bar(**how) as on_progress:
        for now in told:
            on_progress(*now)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("now", "shown"),
    [
        (("reading [bold]files", 1234, 2000), ["reading [bold]files", "1,234 of 2,000"]),
        ((DOWNLOADING, 2_500_000, 5_000_000), [DOWNLOADING, "2.5 MB of 5.0 MB"]),
        ((DOWNLOADING, 2_500_000, 0), ["2.5 MB"]),
    ],
)
def test_the_bar_shows_the_stage_and_numbers_in_a_terminal_and_bytes_as_sizes(monkeypatch, now, shown):
    found = drawn(monkeypatch, True, [now])
    assert all(words in found for words in shown)


def test_without_a_terminal_nothing_is_shown_or_each_stage_is_a_line(monkeypatch):
    told = [("a, seed 0", 0, 2), ("a, seed 0", 1, 2), ("a, seed 1", 1, 2), ("a, seed 1", 2, 2)]
    assert drawn(monkeypatch, False, told) == ""
    assert drawn(monkeypatch, False, told, lines=True) == "a, seed 0\na, seed 1\n"
