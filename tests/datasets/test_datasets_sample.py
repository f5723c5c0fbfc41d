"""The sample collection: what is in it, that nothing is imported for it, and its cache."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from satchel.datasets import DATASETS, LabelledTexts, fetch, load, place_of, sample, texts_of
from satchel.datasets.sample import Entry, read_library, read_topics
from satchel.errors import MissingFileError
from satchel.storage.files import cache_folder


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """The documents, read once for this file."""
    return sample.read_sample()


@pytest.fixture
def texts(entries: list[Entry]) -> dict[str, str]:
    return {entry.id: entry.text for entry in entries}


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("json.loads", "json.loads(s, *, cls=None"),
        ("csv", "module csv\n"),
        ("pathlib.Path", "class pathlib.Path(PurePath)\n"),
        ("pathlib.Path.mkdir", "pathlib.Path.mkdir(self"),
        ("collections.abc.Mapping", "class collections.abc.Mapping(Collection)\n"),
        ("decimal.Decimal.sqrt", "decimal.Decimal.sqrt(self"),
        ("asyncio.runners.run", "asyncio.runners.run(main"),
        ("pathlib.PurePath.name", "pathlib.PurePath.name\n"),
        ("language.assert", 'language topic assert\nThe "assert" statement'),
    ],
)
def test_a_searcher_finds_what_everyone_knows(name: str, beginning: str, texts: dict[str, str]) -> None:
    assert texts[name].startswith(beginning)


def test_there_are_thousands_of_documents_with_unique_ids(entries: list[Entry]) -> None:
    assert len(entries) > 4000
    assert len({entry.id for entry in entries}) == len(entries)
    assert all("\n" in entry.text.strip() for entry in entries)


def test_the_label_is_the_top_level_module(entries: list[Entry]) -> None:
    for entry in entries:
        assert entry.label == entry.id.partition(".")[0]
        assert entry.label == "language" or entry.label in sys.stdlib_module_names


def test_private_names_tests_and_other_packages_are_left_out(entries: list[Entry]) -> None:
    for entry in entries:
        parts = entry.id.split(".")
        private = [part for part in parts if part.startswith("_") and part not in ("__init__", "__future__")]
        assert not private, entry.id
        assert "test" not in parts[:1]
        assert "idlelib" not in parts
        assert not {"numpy", "pytest", "site-packages"} & set(parts)


def test_docstrings_are_cleaned_of_their_indentation(texts: dict[str, str]) -> None:
    lines = texts["json.loads"].split("\n")
    assert not lines[1].startswith(" ")
    assert any(line.startswith("``object_hook`` is") for line in lines)


def test_reading_is_deterministic(entries: list[Entry]) -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    for name in ("json", "pathlib", "email"):
        again = read_library(folder, [name])
        assert again == [entry for entry in entries if entry.label == name]


def test_nothing_of_the_library_is_imported_and_no_warning_leaks() -> None:
    program = (
        "import sys, satchel.datasets.sample as sample\n"
        "before = set(sys.modules)\n"
        "entries = sample.read_sample()\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(len(entries), sorted(new & {entry.label for entry in entries}))"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert done.stderr == ""
    count, new = done.stdout.split(maxsplit=1)
    assert int(count) > 4000
    assert new.strip() == "[]"


def library(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def test_definitions_inside_conditions_count_and_the_first_wins(tmp_path: Path) -> None:
    source = 'try:\n    def f(x):\n        "First."\nexcept ImportError:\n    def f(y):\n        "Second."\n'
    folder = library(
        tmp_path, {"a.py": source + "if True:\n    class C:\n        'A class.'\n        def m(self): 'M.'\n"}
    )
    assert read_library(folder, ["a"]) == [
        Entry("a.f", "a", "a.f(x)\nFirst."),
        Entry("a.C", "a", "class a.C\nA class."),
        Entry("a.C.m", "a", "a.C.m(self)\nM."),
    ]


def test_names_handed_on_from_a_private_module_stand_under_the_public_one(tmp_path: Path) -> None:
    private = '"Of a."\n__all__ = ["f"]\ndef f(): "Shown."\ndef g(): "Not exported."\n'
    files = {
        "a/__init__.py": "from ._b import *\n",
        "a/_b.py": private,
        "c.py": '__all__ = ["f"]\nfrom a._b import f, g\n',
        "d.py": "import sys, _e\nsys.modules[__name__] = _e\n",
        "_e.py": 'def h(): "All."\ndef _i(): "Private."\n',
        "e.py": 'from a import f\n"No docstring: it does not come first."\n',
    }
    found = read_library(library(tmp_path, files), ["a", "c", "d", "e", "_e"])
    assert [entry.id for entry in found] == ["a", "a.f", "c", "c.f", "d.h"]
    assert found[0].text == "module a\nOf a."


def test_broken_files_are_passed_over_without_a_warning(tmp_path: Path) -> None:
    files = {"a.py": '"Good."\nx = "\\d"\ny = 1 is 1\n', "b.py": "def broken(:\n", "c/test/d.py": '"A test."\n'}
    folder = library(tmp_path, files)
    (folder / "e.py").write_bytes(b'"\xff"\n')
    (folder / "f.py").write_bytes(b'"a\0b"\n')
    assert read_library(folder, ["a", "b", "c", "e", "f", "gone"]) == [Entry("a", "a", "module a\nGood.")]


def test_a_lone_surrogate_becomes_readable_text(tmp_path: Path) -> None:
    found = read_library(library(tmp_path, {"a.py": '"Escape \\ud800."\n'}), ["a"])
    assert found[0].text == "module a\nEscape \\ud800."


def test_unreadable_topics_are_no_topics(tmp_path: Path) -> None:
    assert read_topics(tmp_path / "gone.py") == []
    assert read_topics(library(tmp_path, {"t.py": "topics = 1\n"}) / "t.py") == []


@pytest.fixture
def few(entries: list[Entry], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Reading gives a few documents at once; the list counts how often it was asked to."""
    calls: list[int] = []
    monkeypatch.setattr(sample, "read_sample", lambda on_progress: calls.append(1) or entries[:50])
    return calls


def test_the_second_load_comes_from_the_cache_and_equals_the_first(few: list[int]) -> None:
    first = load("sample")
    assert isinstance(first, LabelledTexts)
    assert load("sample") == first
    assert texts_of("sample") == first.texts
    assert len(few) == 1
    assert fetch("sample").is_file()
    assert place_of("sample") == "built in"
    assert DATASETS["sample"].rows


@pytest.mark.parametrize("damage", ["truncated", "not gzip", "empty", "shorter"])
def test_a_damaged_cache_is_rebuilt_silently(damage: str, few: list[int]) -> None:
    first = load("sample")
    path = fetch("sample")
    content = path.read_bytes()
    changed = {"truncated": content[:-20], "not gzip": b"{}\n", "empty": b"", "shorter": b'50\n["a", "b", "c"]\n'}
    path.write_bytes(changed[damage])
    assert load("sample") == first
    assert path.read_bytes() == content
    assert len(few) == 2


def test_a_cache_that_cannot_be_written_only_costs_time(few: list[int]) -> None:
    shutil.rmtree(cache_folder())
    cache_folder().write_text("a file where the cache should be", encoding="utf-8")
    assert load("sample") == load("sample")
    assert len(few) == 2


def test_a_python_without_sources_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(MissingFileError, match="no source files of its standard library"):
        load("sample")
    with pytest.raises(MissingFileError, match="no source files"):
        fetch("sample")


def test_progress_counts_the_modules(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    read_library(library(tmp_path, {"a.py": ""}), ["a", "b"], lambda *told: calls.append(told))
    assert calls == [("reading modules", 1, 2), ("reading modules", 2, 2)]
