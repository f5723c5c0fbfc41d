"""`satchel cluster`: folders, tables, collections and pictures."""

import csv
import json

import pytest

from command_line import run
from made_texts import NAMES, TEXTS
from satchel import Collection


@pytest.fixture
def satchel(capsys, monkeypatch, tmp_path):
    """The command in a folder of its own, with the texts in `notes/` and in `notes.csv`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    for number, text in enumerate(TEXTS):
        (tmp_path / "notes" / f"{NAMES[number]}{number:02}.txt").write_text(text, encoding="utf-8")
    rows = "".join(f"{NAMES[number]}{number:02},{text}\n" for number, text in enumerate(TEXTS))
    (tmp_path / "notes.csv").write_text(f"id,text\n{rows}", encoding="utf-8")
    return lambda *arguments: run(capsys, monkeypatch, *arguments)


@pytest.mark.parametrize("source", ["notes", "notes.csv"])
def test_texts_are_grouped_by_theme_and_written_as_a_table(satchel, tmp_path, source):
    code, out, _ = satchel("cluster", source, "--groups", "3", "--table", "groups.csv")
    assert code == 0
    rows = list(csv.DictReader((tmp_path / "groups.csv").read_text("utf-8").splitlines()))
    assert len(rows) == len(TEXTS)
    themes = {(row["id"].removesuffix(".txt")[:-2], row["group"]) for row in rows}
    assert len(themes) == 3
    assert ("sea", "1") in themes
    assert out.splitlines()[1].split()[:2] == ["1", "12"]


def test_json_holds_sizes_words_and_the_nearest_texts(satchel, tmp_path):
    code, out, _ = satchel("cluster", "notes", "--groups", "3", "--n-words", "2", "--json", "--table", "t.json")
    answer = json.loads(out)
    assert (code, answer["texts"], answer["without a known word"]) == (0, len(TEXTS), 0)
    assert [group["texts"] for group in answer["groups"]] == [12, 8, 8]
    assert all(len(group["words"]) == 2 and len(group["nearest"]) == 3 for group in answer["groups"])
    assert json.loads((tmp_path / "t.json").read_text("utf-8"))[0].keys() == {"id", "group", "words", "cosine"}


def test_a_collection_is_grouped_by_its_ids(satchel, tmp_path):
    with Collection.create(tmp_path / "notes.satchel") as collection:
        collection.add(tmp_path / "notes.csv")
    code, out, _ = satchel("cluster", "notes.satchel", "--groups", "3", "--json")
    assert code == 0
    assert json.loads(out)["groups"][0]["nearest"][0].startswith("sea")


def test_a_map_is_drawn(satchel, tmp_path):
    pytest.importorskip("matplotlib")
    assert satchel("cluster", "notes", "--draw", "map.svg", "--map", "pca")[0] == 0
    assert "<svg" in (tmp_path / "map.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "'nowhere' is neither a file, a folder nor a data set"),
        (("notes", "--groups", "99"), "n_groups is 99, but only 28 of the 28 texts"),
        (("notes", "--table", "t.xls"), "tables are written to .csv or .json"),
        (("notes", "--draw", "map.doc"), "--draw is map.doc"),
        (("notes", "--map", "pca"), "name the picture too"),
        (("notes", "--draw", "m.png", "--map", "umap"), "unknown projection 'umap'"),
        (("notes", "--encoder", "Nonsense"), "unknown encoder 'Nonsense'"),
        (("empty",), "no document could be read from empty"),
    ],
)
def test_mistakes_are_one_sentence(satchel, tmp_path, arguments, message):
    (tmp_path / "empty").mkdir()
    code, out, err = satchel("cluster", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
