"""Folders: which files are read, in which order, and where links may lead."""

import os
from pathlib import Path

import pytest

from satchel.errors import InputError, MissingFileError
from satchel.importing import Document, Skipped, read_documents
from satchel.importing.folders import Globs


def fill(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"text of {name}")
    return folder


def ids(folder: Path, **options: object) -> list[str]:
    return [one.id for one in read_documents(folder, **options) if isinstance(one, Document)]


def reasons(folder: Path, **options: object) -> dict[str, str]:
    found = read_documents(folder, **options)
    return {Path(one.source).name: one.reason for one in found if isinstance(one, Skipped)}


def test_a_folder_is_read_to_its_depth_in_order_of_names(tmp_path):
    fill(tmp_path, "b.txt", "a/z.txt", "a/b/c.md", "a.txt", "B.txt")
    assert ids(tmp_path) == ["B.txt", "a/b/c.md", "a/z.txt", "a.txt", "b.txt"]


def test_the_source_can_be_opened_as_it_was_named(tmp_path, monkeypatch):
    monkeypatch.chdir(fill(tmp_path, "papers/sub/a.txt"))
    (found,) = read_documents("papers")
    assert (found.id, found.source) == ("sub/a.txt", "papers/sub/a.txt")
    assert Path(found.source).is_file()


def test_spaces_in_names_stay_as_they_are(tmp_path):
    fill(tmp_path, "two  spaces.txt", " leading.txt", "leading.txt")
    found = list(read_documents(tmp_path))
    assert [one.id for one in found] == [" leading.txt", "leading.txt", "two  spaces.txt"]
    assert all(Path(one.source).is_file() for one in found)


def test_hidden_files_and_folders_are_passed_over_without_a_word(tmp_path):
    fill(tmp_path, ".hidden.txt", ".git/a.txt", "a/.b/c.txt", "seen.txt")
    assert ids(tmp_path) == ["seen.txt"]
    assert reasons(tmp_path) == {}


def test_patterns_choose_files_and_leave_folders_out(tmp_path):
    fill(tmp_path, "a.txt", "a.md", "drafts/b.txt", "2024/c.txt", "2024/old/d.txt")
    assert ids(tmp_path, include=["*.txt"], exclude=["drafts"]) == ["2024/c.txt", "2024/old/d.txt", "a.txt"]
    assert ids(tmp_path, include=["2024/*.txt", "*.md"]) == ["2024/c.txt", "a.md"]
    assert ids(tmp_path, exclude=["**/old", "drafts/*", "a.??"]) == ["2024/c.txt", "a.txt"]


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.txt", "a/b.txt", True),
        ("a/*.txt", "a/b/c.txt", False),
        ("a/**/*.txt", "a/b/c/d.txt", True),
        ("a/**/*.txt", "a/d.txt", True),
        ("a", "x/a/b.txt", True),
        ("/a", "x/a/b.txt", False),
        ("[ab]?.txt", "a1.txt", True),
        ("[!ab]?.txt", "a1.txt", False),
        ("a+b(1).txt", "a+b(1).txt", True),
        ("[broken", "[broken", True),
        ("*", "new\nline.txt", True),
    ],
)
def test_patterns_match_as_in_a_shell(pattern, path, matches):
    assert Globs([pattern]).wants_file(path) is matches


def test_a_pattern_given_as_a_bare_string_is_an_error(tmp_path):
    with pytest.raises(InputError, match="expected a list of patterns"):
        read_documents(tmp_path, include="*.txt")


def test_links_round_in_a_circle_are_refused_and_end(tmp_path):
    fill(tmp_path / "top", "a/b.txt")
    (tmp_path / "top" / "a" / "up").symlink_to(tmp_path / "top")
    (tmp_path / "top" / "self").symlink_to("self")
    assert ids(tmp_path / "top") == ["a/b.txt"]
    assert set(reasons(tmp_path / "top").values()) == {"is a link that leads back to itself"}


def test_links_out_of_the_folder_are_refused(tmp_path):
    fill(tmp_path, "secret.txt", "outside/s.txt", "top/a.txt")
    (tmp_path / "top" / "file.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "top" / "folder").symlink_to(tmp_path / "outside")
    (tmp_path / "top" / "relative.txt").symlink_to("../secret.txt")
    assert ids(tmp_path / "top") == ["a.txt"]
    assert set(reasons(tmp_path / "top").values()) == {"is a link that leads out of the folder"}
    assert len(reasons(tmp_path / "top")) == 3


def test_a_corpus_that_is_a_link_out_of_its_folder_is_refused(tmp_path):
    (tmp_path / "secret.jsonl").write_text('{"text": "the secret"}\n')
    fill(tmp_path, "set/queries.jsonl")
    (tmp_path / "set" / "corpus.jsonl").symlink_to("../secret.jsonl")
    assert reasons(tmp_path / "set") == {"corpus.jsonl": "is a link that leads out of the folder"}
    assert ids(tmp_path / "set") == []


def test_a_folder_whose_name_begins_as_the_read_one_is_outside(tmp_path):
    fill(tmp_path, "top/a.txt", "top2/secret.txt")
    (tmp_path / "top" / "x.txt").symlink_to(tmp_path / "top2" / "secret.txt")
    assert reasons(tmp_path / "top") == {"x.txt": "is a link that leads out of the folder"}


def test_links_inside_the_folder_are_read_if_they_are_files(tmp_path):
    fill(tmp_path, "real/a.txt")
    (tmp_path / "b.txt").symlink_to("real/a.txt")
    (tmp_path / "again").symlink_to("real")
    (tmp_path / "gone.txt").symlink_to("nowhere")
    assert ids(tmp_path) == ["b.txt", "real/a.txt"]
    assert reasons(tmp_path)["again"] == "is a link to a folder; the folder itself is read"
    assert reasons(tmp_path)["gone.txt"] == "is a link to a missing file"


def test_a_folder_that_is_itself_a_link_is_read(tmp_path):
    fill(tmp_path, "real/a.txt")
    (tmp_path / "link").symlink_to("real")
    assert ids(tmp_path / "link") == ["a.txt"]


def test_a_pipe_among_the_files_is_refused_and_nobody_waits(tmp_path):
    fill(tmp_path, "a.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    assert reasons(tmp_path) == {"pipe.txt": "is not a regular file"}
    with pytest.raises(InputError, match="neither a folder nor a regular file"):
        read_documents(tmp_path / "pipe.txt")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may open all")
def test_a_folder_that_may_not_be_opened_does_not_stop_the_rest(tmp_path):
    fill(tmp_path, "closed/a.txt", "open.txt")
    (tmp_path / "closed").chmod(0)
    assert ids(tmp_path) == ["open.txt"]
    assert "cannot be opened" in reasons(tmp_path)["closed"]


def test_a_file_that_vanishes_while_others_are_read_is_skipped(tmp_path):
    found = read_documents(fill(tmp_path, "a.txt", "b.txt", "c.txt"))
    assert next(found).id == "a.txt"
    (tmp_path / "b.txt").unlink()
    second, third = found
    assert "does not exist" in second.reason
    assert third.id == "c.txt"


def test_progress_counts_files_and_ends_with_all(tmp_path):
    seen: list[tuple[str, int, int]] = []
    folder, more = fill(tmp_path / "folder", "a.txt", "b.png"), fill(tmp_path, "c.txt") / "c.txt"
    list(read_documents([folder, more], on_progress=lambda *told: seen.append(told)))
    assert seen == [("reading files", done, 3) for done in range(4)]


def test_forms_that_are_not_read_say_what_to_save_them_as(tmp_path):
    fill(tmp_path, "a.doc", "b.zip", "c.jpeg", "d.pdf.gz", "e.nbib")
    told = reasons(tmp_path)
    assert "save it as .docx" in told["a.doc"]
    assert "unpack it" in told["b.zip"]
    assert "holds no text" in told["c.jpeg"]
    assert "unpack it" in told["d.pdf.gz"]
    assert "save it as .ris" in told["e.nbib"]


def test_what_the_caller_got_wrong_is_an_error_at_once(tmp_path):
    with pytest.raises(MissingFileError, match="there is no file or folder"):
        read_documents(tmp_path / "nothing")
    with pytest.raises(InputError, match=r"unknown form 'word'; choose from beir, bibtex, code, csv"):
        read_documents(tmp_path, form="word")
    with pytest.raises(InputError, match="unknown encoding 'utf-9'"):
        read_documents(tmp_path, encoding="utf-9")
    with pytest.raises(MissingFileError, match=r"no corpus\.jsonl"):
        read_documents(tmp_path, form="beir")


def test_the_form_that_is_told_is_taken_for_all_files_of_a_folder(tmp_path):
    (tmp_path / "fr1.0z").write_text("<DOC><DOCNO>1</DOCNO><TEXT>words</TEXT></DOC>")
    assert ids(tmp_path, form="trec") == ["fr1.0z#1"]
