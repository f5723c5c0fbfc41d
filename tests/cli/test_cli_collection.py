"""The commands that work on a collection, driven as a shell would, over a small folder of real files."""

import csv
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from command_line import run, sentence
from satchel import BagOfEmbeddedWords, Collection, WordVectors
from satchel.cli.console import show_hits
from satchel.collection import FORMS
from satchel.collection.forms import as_json
from satchel.encoders import Recipe, load_encoder
from satchel.evaluation import read_run
from satchel.feedback import Lesson, Lessons
from satchel.importing import Document, read_documents

ENERGY = (
    "battery storage for the power grid",
    "wind power and the grid",
    "pumped water stores energy",
    "flow battery cells",
)
KITCHEN = ("bread dough with yeast", "sugar and butter make a cake", "a hot oven bakes bread", "flour water and salt")
COMMON = "people have written about this for many years in books and letters"


def write_library(folder):
    """Ten texts of two topics, a web page, a table of eight rows, and what cannot be read."""
    (folder / "deep").mkdir(parents=True)
    for number in range(10):
        topic = (ENERGY, KITCHEN)[number % 2]
        words = f"{topic[number % 4]}. {topic[(number + 1) % 4]}. {COMMON} {number}."
        (folder / f"note{number}.txt").write_text(words, encoding="utf-8")
    page = "<html><head><title>Sourdough</title></head><body><p>Rye bread rises slowly.</p></body></html>"
    (folder / "deep" / "page.html").write_text(page, encoding="utf-8")
    rows = [
        f"r{n},Row {n},{(ENERGY, KITCHEN)[n % 2][n // 2]},{('energy', 'kitchen')[n % 2]},{2015 + n}" for n in range(8)
    ]
    (folder / "table.csv").write_text("\n".join(["id,title,abstract,topic,year", *rows]) + "\n", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "empty.txt").write_bytes(b"")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The library, and a collection of it that no test changes."""
    folder = tmp_path_factory.mktemp("made")
    write_library(folder / "library")
    with Collection.create(folder / "own.satchel") as collection, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        collection.add("library")
    return folder


@pytest.fixture
def satchel(capsys, monkeypatch, tmp_path, made):
    """The command in a folder of its own, with the library and `own.satchel` in it."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run(capsys, monkeypatch, *arguments)


@pytest.fixture
def answer(satchel):
    """What a command answers as JSON."""

    def ask(*arguments):
        code, out, err = satchel(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return ask


def ids_of(answered):
    return [hit["id"] for hit in answered["hits"]]


def test_add_makes_the_collection_and_tells_what_was_skipped_and_why(satchel, tmp_path):
    code, out, err = satchel("add", "new.satchel", "library")
    assert code == 0
    assert out.splitlines()[0] == "19 added, 0 replaced, 0 unchanged, 2 skipped; new.satchel has 19 documents"
    assert "skipped: library/empty.txt: is empty" in out
    assert "skipped: library/picture.png: has the format .png, which holds no text to read" in out
    columns = "text=abstract, id=id, title=title, label=topic"
    assert err == f"columns of library/table.csv: {columns} (--columns changes them)\n"
    with Collection.open("new.satchel") as collection:
        assert collection["note3.txt"].text == (tmp_path / "library" / "note3.txt").read_text("utf-8")


def test_adding_again_takes_only_what_changed(answer, tmp_path):
    (tmp_path / "library" / "note2.txt").write_text("A text of another kind.", encoding="utf-8")
    (tmp_path / "library" / "more.md").write_text("# More\n\nA new one.", encoding="utf-8")
    report = answer("add", "own.satchel", "library")
    assert [report[name] for name in ("added", "replaced", "unchanged", "documents")] == [1, 1, 18, 20]
    assert {one["source"] for one in report["skipped"]} == {"library/empty.txt", "library/picture.png"}
    assert ids_of(answer("search", "own.satchel", "another kind", "--mode", "lexical")) == ["note2.txt"]


def test_several_sources_are_one_change_and_teach_one_model(answer):
    answer("add", "new.satchel", "library/table.csv", "library/note0.txt")
    assert answer("info", "new.satchel")["trainings"][0]["n_documents"] == 9


def test_guessed_columns_are_shown_and_others_can_be_given(satchel, answer):
    _, _, err = satchel("add", "guessed.satchel", "library/table.csv")
    assert err.startswith("columns of library/table.csv: text=abstract, id=id, title=title, label=topic ")
    _, _, err = satchel(
        "add", "given.satchel", "library/table.csv", "--columns", "text=topic,abstract,title=id,fields=year"
    )
    assert err.startswith("columns of library/table.csv: text=topic, abstract, title=id ")
    [hit, *_] = answer("search", "given.satchel", "--where", "title=r3")["hits"]
    assert (hit["title"], hit["fields"]) == ("r3", {"year": 2018})
    assert hit["snippet"] == {"text": "kitchen sugar and butter make a cake", "matches": []}


def test_columns_of_the_tables_in_a_folder_are_shown_too(satchel, tmp_path):
    for number in range(7):
        (tmp_path / f"many/{number}").mkdir(parents=True)
        (tmp_path / f"many/{number}/t.csv").write_text("id,abstract\n1,bread\n")
        (tmp_path / f"many/{number}/note.txt").write_text("butter")
    _, _, err = satchel("add", "many.satchel", "many", "--exclude", "0")
    assert err.splitlines() == [
        *(f"columns of many/{number}/t.csv: text=abstract, id=id (--columns changes them)" for number in range(1, 6)),
        "more tables, not shown: 1",
    ]


def test_files_with_the_same_ids_are_told_of_and_kept_apart_by_a_prefix(satchel, answer, tmp_path):
    for name, text in (("a.csv", "bread and butter"), ("b.csv", "wind and water")):
        (tmp_path / name).write_text(f"id,text\n1,{text}\n2,the same in both\n", encoding="utf-8")
    satchel("add", "clash.satchel", "a.csv")
    out = satchel("add", "clash.satchel", "b.csv")[1]
    assert f"1 of the replaced documents had come from {tmp_path.resolve() / 'a.csv'}" in out
    assert answer("add", "apart.satchel", "a.csv", "b.csv", "--prefix", "{name}#")["added"] == 4
    assert ids_of(answer("search", "apart.satchel", "wind", "--mode", "lexical")) == ["b.csv#1"]


def test_the_encoding_of_files_can_be_said(answer, tmp_path):
    (tmp_path / "greek.csv").write_bytes("id,text\n1,ψωμί και βούτυρο\n".encode("iso8859-7"))
    answer("add", "greek.satchel", "greek.csv", "--encoding", "iso8859-7")
    assert answer("search", "greek.satchel", "ψωμί")["hits"][0]["snippet"]["text"] == "ψωμί και βούτυρο"


def test_documents_marked_together_are_unmarked_together(satchel, answer):
    satchel("mark", "own.satchel", "note1.txt", "note3.txt", "--relevant", "--query", "bread")
    assert [one["id"] for one in answer("mark", "own.satchel", "--undo")["undone"]] == ["note1.txt", "note3.txt"]
    assert answer("mark", "own.satchel", "--list") == []


def test_a_damaged_index_is_repaired_after_it_is_said(satchel, answer, tmp_path):
    connection = sqlite3.connect(tmp_path / "own.satchel")
    with connection:
        connection.execute("DELETE FROM postings WHERE stem < 'f'")
    connection.close()
    assert satchel("check", "own.satchel")[0] == 1
    code, out, _ = satchel("check", "own.satchel", "--repair")
    said = ["the index of words does not match", "indexes the words of all documents again", "is whole"]
    assert [code, *(one in line for one, line in zip(said, out.splitlines(), strict=True))] == [0, True, True, True]
    assert answer("check", "own.satchel", "--repair")["repaired"] == []


def test_include_exclude_and_form_choose_what_is_read_and_how(answer):
    report = answer("add", "some.satchel", "library", "--include", "*.txt", "--include", "*.html", "--exclude", "deep")
    assert (report["added"], len(report["skipped"])) == (10, 1)
    assert answer("add", "plain.satchel", "library/table.csv", "--form", "text")["added"] == 1


def test_the_collections_own_file_in_the_folder_is_not_told_as_skipped(answer):
    answer("add", "library/inside.satchel", "library")
    skipped = {one["source"] for one in answer("add", "library/inside.satchel", "library")["skipped"]}
    assert skipped == {"library/empty.txt", "library/picture.png"}


def test_a_new_collection_starts_from_word_vectors_or_a_model(answer, satchel, tmp_path):
    words = sorted({word for text in (*ENERGY, *KITCHEN) for word in text.split()})
    vectors = WordVectors(words, np.random.default_rng(0).standard_normal((len(words), 5)).astype(np.float32))
    vectors.save(tmp_path / "vectors")
    answer("add", "a.satchel", "library", "--words", "vectors")
    assert satchel("export", "a.satchel", "--what", "model", "--to", "model")[0] == 0
    assert load_encoder(tmp_path / "model").words.vectors.shape[1] == 5
    answer("add", "b.satchel", "library", "--model", "model")
    assert answer("info", "b.satchel")["trainings"][0]["learned_from"] == "given"
    assert "leave out --words" in sentence(satchel("add", "a.satchel", "library", "--words", "vectors"))


def test_what_fails_leaves_no_new_file_behind(satchel, tmp_path):
    assert "there is no file or folder nowhere" in sentence(satchel("add", "new.satchel", "library", "nowhere"))
    assert "no column 'nope'" in sentence(satchel("add", "new.satchel", "library/table.csv", "--columns", "text=nope"))
    assert "unknown form 'x'" in sentence(satchel("add", "new.satchel", "library", "--form", "x"))
    assert "write ROLE=NAME" in sentence(satchel("add", "new.satchel", "library", "--columns", "abstract"))
    assert "unknown role of a column 'body'" in sentence(
        satchel("add", "new.satchel", "library", "--columns", "body=x")
    )
    assert not (tmp_path / "new.satchel").exists()


def test_an_interrupted_add_says_so_and_leaves_nothing(satchel, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Collection, "add", interrupted)
    code, _, err = satchel("add", "new.satchel", "library/note0.txt")
    assert (code, err) == (130, "satchel: interrupted, and nothing was added\n")
    assert not list(tmp_path.glob("new*"))


def test_where_nothing_can_be_read_the_exit_code_is_1(satchel, tmp_path):
    code, out, _ = satchel("add", "own.satchel", "library/picture.png")
    assert code == 1
    assert out.startswith("0 added, 0 replaced, 0 unchanged, 1 skipped; own.satchel has 19 documents")
    code, out, _ = satchel("add", "new.satchel", "library/picture.png")
    assert code == 1
    assert out.startswith("0 added, 0 replaced, 0 unchanged, 1 skipped; no collection was created\n")
    assert not list(tmp_path.glob("new*"))


@pytest.mark.parametrize("mode", ["both", "lexical", "semantic"])
def test_search_answers_as_the_library_does(answer, mode):
    found = answer(
        "search", "own.satchel", "battery grid", "--mode", mode, "-k", 3, "--offset", 1, "--where", "year>=2016"
    )
    with Collection.open("own.satchel") as collection:
        wanted = collection.search("battery grid", 3, offset=1, mode=mode, filters={"year": {"from": 2016}})
    assert [(hit["id"], hit["score"], hit["rank"]) for hit in found["hits"]] == [
        (h.id, h.score, h.rank) for h in wanted
    ]
    assert found["total"] == wanted.total > 0
    assert found["hits"] == as_json(wanted.hits)
    assert found["hits"][0]["reasons"]["matches"] == list(wanted[0].reasons.matches)


def test_the_matches_of_a_snippet_are_the_words_of_the_query(answer):
    [hit, *_] = answer("search", "own.satchel", "batteries", "--mode", "lexical")["hits"]
    text, matches = hit["snippet"]["text"], hit["snippet"]["matches"]
    assert {text[start:stop] for start, stop in matches} == {"battery"}


def test_search_prints_title_id_snippet_and_reason(satchel):
    code, out, err = satchel("search", "own.satchel", "sugar cake", "-k", 1, "--where", "topic=kitchen")
    lines = out.splitlines()
    assert code == 0
    assert "\x1b" not in out
    assert lines[0] == "  1. Row 3"
    assert lines[1].startswith("     table.csv#r3  ")
    assert lines[2] == "     sugar and butter make a cake"
    assert lines[3].startswith('     because it contains "sugar", "cake"; near in meaning: ')
    assert "--offset 1 shows more" in err


def test_why_shows_what_words_and_themes_add_and_both_scores(satchel):
    _, out, _ = satchel("search", "own.satchel", "sugar cake", "-k", 1, "--why")
    assert "words: " in out
    assert "theme " in out
    assert "scores: by words (BM25) " in out


def test_documents_are_listed_without_a_query_and_pages_end(satchel):
    _, out, _ = satchel("search", "own.satchel", "--ids", "-k", 100)
    assert out.split() == sorted(
        ["deep/page.html", *(f"note{n}.txt" for n in range(10)), *(f"table.csv#r{n}" for n in range(8))]
    )
    assert satchel("search", "own.satchel", "", "--offset", 500)[1] == "no more: 19 found in all\n"
    assert satchel("search", "own.satchel", "--where", "topic=none")[1] == "nothing found\n"


@pytest.mark.parametrize("mode", ["both", "lexical", "semantic"])
def test_more_hits_can_be_asked_for_than_any_machine_counts(satchel, answer, mode):
    every = answer("search", "own.satchel", "bread", "--mode", mode, "-k", 10**30)
    assert len(every["hits"]) == every["total"] > 3
    assert satchel("search", "own.satchel", "bread", "--mode", mode, "--offset", 10**30)[1].startswith("no more: ")


def test_like_finds_the_topic_and_not_the_document_itself(satchel):
    _, out, _ = satchel("search", "own.satchel", "--like", "note1.txt", "--ids", "-k", 4)
    assert "note1.txt" not in out.split()
    assert {int(id_[4]) % 2 for id_ in out.split() if id_.startswith("note")} == {1}


def test_marks_given_to_a_search_rerank_it_and_are_not_kept(answer):
    before = ids_of(answer("search", "own.satchel", "many years", "-k", 10))
    marks = ("--relevant", "note1.txt", "--relevant", "note3.txt", "--irrelevant", "note0.txt")
    after = answer("search", "own.satchel", "many years", "-k", 10, *marks)
    assert ids_of(after) != before
    assert {hit["id"]: hit["mark"] for hit in after["hits"]}["note1.txt"] == "relevant"
    assert ids_of(answer("search", "own.satchel", "many years", "-k", 10)) == before


def test_what_the_marks_taught_is_printed_below_the_hits(satchel, capsys):
    with Collection.open("own.satchel") as collection:
        hits = collection.search("bread", 1)
        lessons = Lessons((Lesson(1, ("bread", "oven"), 0.5),), (Lesson(2, ("power",), -0.4),))
        show_hits(collection, replace(hits, lessons=lessons))
    assert capsys.readouterr().out.endswith("what the marks taught\n     more: bread, oven\n     less: power\n")


def test_marks_are_kept_for_a_query_counted_undone_and_listed(satchel, answer):
    before = answer("search", "own.satchel", "many years")
    code, out, _ = satchel("mark", "own.satchel", "note1.txt", "note3.txt", "--relevant", "--query", "many years")
    assert (code, out) == (0, "note1.txt is relevant for 'many years'\nnote3.txt is relevant for 'many years'\n")
    assert [one["id"] for one in answer("mark", "own.satchel", "--list")] == ["note1.txt", "note3.txt"]
    learned = answer("search", "own.satchel", "Many  YEARS")
    assert {hit["id"]: hit["mark"] for hit in learned["hits"]}["note3.txt"] == "relevant"
    assert ids_of(learned) != ids_of(before)
    assert answer("search", "own.satchel", "many years", "--unmarked")["hits"] == before["hits"]
    assert "taken back: note3.txt is relevant" in satchel("mark", "own.satchel", "--undo")[1]
    answer("mark", "own.satchel", "--undo")
    assert answer("search", "own.satchel", "many years") == before
    assert "no mark is left" in sentence(satchel("mark", "own.satchel", "--undo"))
    assert satchel("mark", "own.satchel", "--list")[1] == "no marks\n"


def test_the_last_mark_of_a_query_or_an_project_is_taken_back(satchel, answer):
    satchel("project", "save", "own.satchel", "baking", "oven")
    satchel("mark", "own.satchel", "note1.txt", "--relevant", "--query", "bread")
    satchel("mark", "own.satchel", "note3.txt", "--relevant", "--project", "baking")
    satchel("mark", "own.satchel", "note5.txt", "--relevant", "--query", "cake")
    for owner, id_ in ((("--query", "bread"), "note1.txt"), (("--project", "baking"), "note3.txt")):
        assert [one["id"] for one in answer("mark", "own.satchel", "--undo", *owner)["undone"]] == [id_]
    assert [one["id"] for one in answer("mark", "own.satchel", "--list")] == ["note5.txt"]
    assert "unknown project 'gone'" in sentence(satchel("mark", "own.satchel", "--undo", "--project", "gone"))


def test_a_mark_can_be_maybe_and_be_taken_away(answer, satchel):
    satchel("mark", "own.satchel", "note1.txt", "--maybe", "--query", "bread", "--quiet")
    assert answer("mark", "own.satchel", "--list", "--query", "bread")[0]["value"] == "maybe"
    satchel("mark", "own.satchel", "note1.txt", "--none", "--query", "bread")
    assert answer("mark", "own.satchel", "--list", "--query", "bread") == []


def test_an_project_lives_from_saving_to_removing(satchel, answer, tmp_path):
    satchel("mark", "own.satchel", "note1.txt", "--relevant", "--query", "bread")
    saved = answer("project", "save", "own.satchel", "baking", "bread", "--where", "year>=2000", "--weight", "2=0")
    assert (saved["marks"], saved["weights"]) == ({"note1.txt": "relevant"}, {"2": 0.0})
    satchel("project", "save", "own.satchel", "baking", "bread")
    satchel("mark", "own.satchel", "note0.txt", "--irrelevant", "--project", "baking")
    [listed] = answer("project", "own.satchel", "list")
    assert listed == answer("project", "show", "own.satchel", "baking")
    assert (listed["filters"], listed["new"]) == ({}, 0)
    assert listed["marks"] == {"note1.txt": "relevant", "note0.txt": "irrelevant"}
    again = answer("project", "search", "own.satchel", "baking")
    assert again == answer("search", "own.satchel", "--project", "baking")
    assert {hit["id"]: hit["mark"] for hit in again["hits"]}["note1.txt"] == "relevant"
    assert answer("project", "remove", "own.satchel", "baking") == {"removed": "baking"}
    assert "which has no projects" in sentence(satchel("project", "show", "own.satchel", "baking"))


def test_what_is_new_for_an_project_is_what_came_since(satchel, answer, tmp_path):
    satchel("project", "save", "own.satchel", "baking", "bread oven")
    assert satchel("project", "new", "own.satchel", "baking")[1] == "nothing found\n"
    (tmp_path / "library" / "late.txt").write_text("Bread from the oven, at last.", encoding="utf-8")
    satchel("add", "own.satchel", "library", "--quiet")
    for options in ((), ("--seen",)):
        assert ids_of(answer("project", "new", "own.satchel", "baking", *options)) == ["late.txt"]
    assert ids_of(answer("project", "new", "own.satchel", "baking")) == []


def test_projects_go_to_another_collection_as_json(satchel, answer):
    satchel("mark", "own.satchel", "note1.txt", "--relevant", "--query", "bread")
    satchel("project", "save", "own.satchel", "baking", "bread")
    satchel("project", "export", "own.satchel", "--to", "out/projects.json")
    printed = json.loads(satchel("project", "export", "own.satchel", "baking", "--without-texts")[1])
    assert printed["projects"][0]["marks"][0].keys() == {"id", "value", "time"}
    satchel("add", "other.satchel", "library/table.csv")
    assert answer("project", "import", "other.satchel", "out/projects.json") == ["baking"]
    assert answer("project", "show", "other.satchel", "baking")["marks"] == {"note1.txt": "relevant"}
    plain = answer("search", "other.satchel", "bread")
    assert answer("project", "search", "other.satchel", "baking")["hits"] != plain["hits"]


def test_a_collection_is_trained_on_labels_on_marks_and_on_texts(satchel, answer):
    report = answer("train", "own.satchel", "--labels", "topic")
    assert (report["learned_from"], report["n_told"], report["model"]) == ("labels", 8, 2)
    for id_, side in (("note0.txt", "--relevant"), ("note1.txt", "--irrelevant")):
        satchel("mark", "own.satchel", id_, side, "--query", "power")
    assert (answer("train", "own.satchel", "--marks")["learned_from"]) == "marks"
    code, out, _ = satchel("train", "own.satchel", "--codewords", 8, "--seed", 5)
    assert code == 0
    assert out.startswith("learned from 19 documents in ")
    assert satchel("train", "own.satchel", "--quiet") == (0, "", "")
    assert [one["learned_from"] for one in answer("info", "own.satchel")["trainings"]] == [
        "texts",
        "labels",
        "marks",
        "texts",
        "texts",
    ]
    assert answer("check", "own.satchel")["findings"] == []


def test_training_keeps_the_parameters_of_the_model_that_are_not_given_anew(satchel, tmp_path):
    texts = [" ".join((*ENERGY, *KITCHEN)), *ENERGY, *KITCHEN]
    BagOfEmbeddedWords(n_codewords=6, recipe=Recipe(min_count=2), random_state=7).fit(texts).save(tmp_path / "model")
    satchel("add", "new.satchel", "library", "--model", "model")
    satchel("train", "new.satchel", "--codewords", 5, "--sigma", 0.7)
    satchel("export", "new.satchel", "--what", "model", "--to", "again")
    again = load_encoder(tmp_path / "again")
    assert (again.n_codewords, again.recipe, again.random_state) == (5, Recipe(min_count=2, sigma=0.7), 7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("own.satchel", "folder"), "leave out the folder"),
        (("own.satchel", "--text", "x", "--unlabelled"), "leave out --text, --unlabelled"),
        (("own.satchel", "--labels", "nope"), "no document has a field 'nope'; the fields are topic, year"),
        (("own.satchel", "--labels", "topic", "--marks"), "not on both at once"),
        (("own.satchel", "--marks"), "mark hits first"),
        (("own.satchel", "--goal", "transfer"), "without --labels or --marks a collection learns only from the texts"),
        (("library/table.csv", "folder", "--labels", "topic"), "name its column by --label"),
        (("library/table.csv", "folder", "--marks"), "--marks needs a collection"),
        (("library/table.csv",), "name the folder for the model"),
        (("gone.satchel",), "no collection at gone.satchel"),
    ],
)
def test_training_that_would_ignore_something_is_refused(satchel, arguments, message):
    assert message in sentence(satchel("train", *arguments))


def test_hits_are_exported_in_every_form_and_read_back(satchel, answer, tmp_path):
    wanted = ids_of(answer("search", "own.satchel", "bread", "-k", 5))
    for form in FORMS["hits"]:
        code, out, _ = satchel(
            "export", "own.satchel", "--what", "hits", "--query", "bread", "-k", 5, "--form", form, "--to", form
        )
        assert (code, out) == (0, f"5 hits in {form}\n")
    with (tmp_path / "csv").open(encoding="utf-8") as stream:
        assert [row["id"] for row in csv.DictReader(stream)] == wanted
    assert [json.loads(line)["id"] for line in (tmp_path / "jsonl").read_text("utf-8").splitlines()] == wanted
    assert [one.id for one in read_documents(tmp_path / "ris", form="ris")] == wanted
    assert list(read_run(tmp_path / "trec")["bread"]) == wanted
    assert satchel("search", "own.satchel", "bread", "-k", 5, "--run")[1] == (tmp_path / "trec").read_text("utf-8")


def test_marks_are_exported_in_every_form(satchel, tmp_path):
    for id_, side in (("note1.txt", "--relevant"), ("note2.txt", "--maybe"), ("note0.txt", "--irrelevant")):
        satchel("mark", "own.satchel", id_, side, "--query", "fresh bread")
    for form in FORMS["marks"]:
        assert satchel("export", "own.satchel", "--what", "marks", "--form", form, "--to", form)[0] == 0
    judged = "fresh_bread 0 note1.txt 2\nfresh_bread 0 note2.txt 1\nfresh_bread 0 note0.txt 0\n"
    assert (tmp_path / "qrels").read_text("utf-8") == judged
    assert satchel("export", "own.satchel", "--what", "marks", "--form", "qrels", "--to", "-")[1] == judged
    with (tmp_path / "csv").open(encoding="utf-8") as stream:
        assert [row["value"] for row in csv.DictReader(stream)] == ["relevant", "maybe", "irrelevant"]
    assert (tmp_path / "ris").read_text("utf-8").count("ER  - ") == 3
    assert len((tmp_path / "jsonl").read_text("utf-8").splitlines()) == 3


def test_exported_documents_make_the_same_collection_again(satchel, answer):
    satchel("export", "own.satchel", "--what", "documents", "--to", "all.jsonl")
    satchel("export", "own.satchel", "--what", "documents", "--to", "all.csv")
    satchel("export", "own.satchel", "--what", "documents", "--to", "all.ris")
    for name in ("all.jsonl", "all.csv", "all.ris"):
        assert answer("add", f"{name}.satchel", name)["added"] == 19
    with Collection.open("own.satchel") as old, Collection.open("all.jsonl.satchel") as new:
        assert [(new[id_].title, new[id_].text) for id_ in new] == [(old[id_].title, old[id_].text) for id_ in old]


def test_vectors_and_the_model_are_exported_and_fit_together(satchel, tmp_path):
    assert (
        satchel("export", "own.satchel", "--what", "vectors", "--to", "deep/vectors.npy")[1]
        == "19 vectors in deep/vectors.npy\n"
    )
    assert satchel("export", "own.satchel", "--what", "model", "--to", "model")[1] == "the model in model\n"
    vectors, ids = (
        np.load(tmp_path / "deep" / "vectors.npy"),
        json.loads((tmp_path / "deep" / "vectors.ids.json").read_text()),
    )
    text = (tmp_path / "library" / "note4.txt").read_text("utf-8")
    again = load_encoder(tmp_path / "model").transform([f"note4\n{text}"])[0]
    np.testing.assert_allclose(vectors[ids.index("note4.txt")], again, rtol=1e-5, atol=1e-6)


def test_vectors_are_exported_as_parquet_with_ids(satchel, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert satchel("export", "own.satchel", "--what", "vectors", "--to", "vectors.parquet")[0] == 0
    table = parquet.read_table(tmp_path / "vectors.parquet")
    assert (table.num_rows, table.column_names) == (19, ["id", "vector"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--what", "all", "--to", "x"), "unknown export 'all'; choose from documents, hits, marks, model, vectors"),
        (
            ("--what", "vectors", "--form", "csv", "--to", "x"),
            "unknown form of vectors 'csv'; choose from npy, parquet",
        ),
        (("--what", "vectors", "--to", "-"), "vectors cannot be printed"),
        (("--what", "hits", "--to", "x"), "give the --query or the --project"),
        (("--what", "marks", "--query", "q", "--to", "x"), "--query choose hits"),
        (("--what", "model", "--project", "q", "--to", "x"), "--project chooses hits or marks"),
        (("--what", "model", "--to", "library"), "library"),
        (("--what", "documents", "--to", "library"), "--to is the folder library; name a file in it"),
        (("--what", "documents", "--to", "own.satchel"), "is the collection itself"),
    ],
)
def test_an_export_that_cannot_be_is_refused_in_one_sentence(satchel, arguments, message):
    assert message in sentence(satchel("export", "own.satchel", *arguments))


def test_the_help_of_export_names_every_form(satchel):
    out = " ".join(satchel("export", "--help")[1].split())
    assert all(form in out for what, forms in FORMS.items() for form in (what, *forms) if form != "folder")


def test_removed_documents_are_found_no_more(satchel, answer):
    assert answer("remove", "own.satchel", "note1.txt", "note3.txt") == {"removed": 2, "documents": 17}
    assert not {"note1.txt", "note3.txt"} & set(ids_of(answer("search", "own.satchel", "-k", 50)))
    assert satchel("check", "own.satchel", "--quiet")[:2] == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        ("remove", "own.satchel", "note0.txt", "page.htm"),
        ("mark", "own.satchel", "note0.txt", "page.htm", "--relevant", "--query", "x"),
        ("search", "own.satchel", "--like", "page.htm"),
        ("search", "own.satchel", "bread", "--relevant", "note0.txt", "--irrelevant", "page.htm"),
    ],
)
def test_an_unknown_id_changes_nothing_and_is_answered_with_near_ones(satchel, answer, command):
    before = answer("info", "own.satchel")
    assert sentence(satchel(*command)) == ("satchel: no document 'page.htm' is in own.satchel; is it 'deep/page.html'?")
    assert answer("info", "own.satchel") == before


def test_a_misspelt_id_is_answered_with_those_spelt_alike(satchel):
    assert "is it 'note3.txt'" in sentence(satchel("remove", "own.satchel", "nofe3.txt"))
    assert "lists ids" in sentence(satchel("remove", "own.satchel", "!?"))


def test_a_misspelt_field_is_answered_with_those_spelt_alike(satchel):
    for command in (
        ("search", "own.satchel", "bread", "--where", "yeer=2001"),
        ("project", "save", "own.satchel", "loaves", "bread", "--where", "yeer>=2001"),
        ("export", "own.satchel", "--what", "hits", "--query", "bread", "--where", "yeer=2001", "--to", "-"),
    ):
        assert "no document has a field 'yeer'; is it 'year'?" in sentence(satchel(*command))


def test_info_shows_what_the_collection_holds(satchel, answer):
    code, out, _ = satchel("info", "own.satchel")
    assert code == 0
    assert "documents  19\n" in out
    assert "fields     topic, year\n" in out
    assert answer("info", "own.satchel")["fields"] == {"topic": 8, "year": 8}


def test_check_tells_damage_and_its_exit_code_is_1(satchel, tmp_path):
    assert satchel("check", "own.satchel")[:2] == (0, "own.satchel is whole: 19 documents\n")
    with sqlite3.connect(tmp_path / "own.satchel") as connection:
        connection.execute("UPDATE documents SET title = 'forged' WHERE id = 'note1.txt'")
    connection.close()
    code, out, _ = satchel("check", "own.satchel")
    assert code == 1
    assert "the document 'note1.txt' has changed since it was added" in out
    code, out, _ = satchel("check", "own.satchel", "--json")
    assert (code, json.loads(out)["fits together"]) == (1, False)


def test_check_of_a_truncated_file_is_exit_code_1_not_a_traceback(satchel, tmp_path):
    content = (tmp_path / "own.satchel").read_bytes()
    for length in (50, len(content) // 2):
        (tmp_path / "cut.satchel").write_bytes(content[:length])
        code, out, _ = satchel("check", "cut.satchel")
        assert code == 1
        assert out.startswith("cut.satchel: ")


COMMANDS = [
    ("add", "{}", "library"),
    ("remove", "{}", "a"),
    ("search", "{}", "bread"),
    ("mark", "{}", "a", "--relevant"),
    ("mark", "{}", "--list"),
    ("project", "list", "{}"),
    ("train", "{}"),
    ("export", "{}", "--what", "marks", "--to", "-"),
    ("info", "{}"),
    ("check", "{}"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_what_is_no_collection_is_one_sentence_and_stays_as_it_is(satchel, tmp_path, command):
    (tmp_path / "text.satchel").write_text("This is no collection, but a text.\n" * 10, encoding="utf-8")
    wrong = ["library.satchel", "text.satchel", *([] if command[0] == "add" else ["gone.satchel"])]
    (tmp_path / "library.satchel").mkdir()
    for name in wrong:
        assert name in sentence(satchel(*(part.format(name) for part in command)))
    assert (tmp_path / "text.satchel").read_text("utf-8").startswith("This is no collection, but a text.\n")
    assert not (tmp_path / "gone.satchel").exists()


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "bread AND",
        "NEAR(bread, 2)",
        "title:bread*",
        "'; DROP TABLE documents; --",
        "(((",
        "🥖",
        "%_",
        "bread " * 5000,
    ],
    ids=range(9),
)
def test_no_query_breaks_a_search(satchel, query):
    for mode in ("both", "lexical", "semantic"):
        code, _, err = satchel("search", "own.satchel", query, "--mode", mode)
        assert (code, "Traceback" in err) == (0, False)
    assert satchel("check", "own.satchel")[0] == 0


def test_bytes_that_are_no_text_are_one_sentence_or_replaced(satchel, answer):
    assert answer("search", "own.satchel", "bread \udcff", "-k", 1)["query"] == "bread ?"
    assert "no document '\\udcff' is in" in sentence(satchel("remove", "own.satchel", "\udcff"))
    assert "cannot be written as UTF-8" in sentence(satchel("project", "save", "own.satchel", "\udcff", "x"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("search", "own.satchel", "bread", "--mode", "magic"),
            "unknown mode 'magic'; choose from both, lexical, semantic",
        ),
        (("search", "own.satchel", "bread", "--where", "topic"), "'topic' is not a filter"),
        (("search", "own.satchel", "--project", "none"), "there is no project 'none'"),
        (("search", "own.satchel", "x", "--relevant", "note1.txt", "--irrelevant", "note1.txt"), "choose one"),
        (("search", "own.satchel", "bread", "--json", "--run"), "choose one of --json, --ids and --run"),
        (("search", "own.satchel", "bread", "-k", 0), "--help`"),
        (("mark", "own.satchel", "note1.txt"), "choose one of --relevant"),
        (("mark", "own.satchel", "note1.txt", "--relevant", "--maybe"), "choose one of --relevant"),
        (("mark", "own.satchel", "--relevant"), "name the documents to mark as relevant"),
        (("mark", "own.satchel", "note1.txt", "--undo"), "take no ids"),
        (("mark", "own.satchel", "note1.txt", "--relevant", "--query", "a", "--project", "b"), "give one of --query"),
        (("mark", "own.satchel", "--list", "--project", "b"), "there is no project 'b'"),
        (("project", "save", "own.satchel", "a", "b", "--weight", "x"), "write THEME=WEIGHT"),
        (("project", "import", "own.satchel", "library/table.csv"), "library/table.csv"),
        (("project", "nothing", "own.satchel"), "--help`"),
    ],
)
def test_a_mistake_is_one_sentence(satchel, arguments, message):
    assert message in sentence(satchel(*arguments))


@pytest.mark.parametrize("command", ["add", "remove", "search", "mark", "export", "info", "check", "project save"])
def test_the_help_of_every_command_has_examples(satchel, command):
    code, out, _ = satchel(*command.split(), "--help")
    assert code == 0
    assert any(line.startswith(f"    satchel {command} ") for line in out.splitlines())


def test_what_a_terminal_would_obey_is_not_printed(satchel):
    with Collection.open("own.satchel") as collection:
        collection.add([Document("esc", "bread \x1b[2J\x07 \u202ebread", "A \x1b]0;title\x07 of bread")])
    out = satchel("search", "own.satchel", "bread", "--where", "id=esc")[1]
    assert "bread" in out
    assert not {"\x1b", "\x07", "\u202e"} & set(out)


def shell(line, folder, **environment):
    """A line run by a shell in which one failing part of a pipe fails the whole."""
    line = line.replace("satchel ", f"{sys.executable} -m satchel ", 1)
    command = ["bash", "-o", "pipefail", "-c", line]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **environment})


def test_a_pipe_that_closes_early_is_no_error(made):
    for output in ("--json", "--why"):
        done = shell(f"satchel search own.satchel bread -k 1000 {output} | head -c 1", made)
        assert (done.returncode, done.stderr) == (0, "")


def test_ids_go_from_a_search_through_a_pipe(satchel, tmp_path):
    with Collection.open("own.satchel") as collection:
        collection.add([Document("an id  with spaces", "bread"), Document("naïve 🎒", "bread")])
    both = "satchel search own.satchel --where 'id=an id  with spaces,naïve 🎒' --ids | "
    marked = shell(f"{both}{sys.executable} -m satchel mark own.satchel - --relevant --query x --json", tmp_path)
    assert [one["id"] for one in json.loads(marked.stdout)] == ["an id  with spaces", "naïve 🎒"]
    removed = shell(f"{both}{sys.executable} -m satchel remove own.satchel - --json", tmp_path)
    assert json.loads(removed.stdout)["removed"] == 2
    assert shell("satchel remove own.satchel - --json < /dev/null", tmp_path).stdout.startswith('{\n "removed": 0')


@pytest.mark.parametrize("command", ["--help", "project", "search own.satchel -k 1000 --json", "info own.satchel"])
def test_a_reader_that_is_gone_is_no_failure_of_any_command(made, command):
    done = shell(f"satchel {command} | true", made)  # which has ended long before anything is printed
    assert (done.returncode, done.stderr) == (0, "")


def test_output_that_was_closed_before_goes_nowhere(made):
    done = shell("satchel search own.satchel bread >&-", made)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("project s", {"save", "show", "search"}),
        ("search own.satchel --mode le", {"lexical"}),
        ("export own.satchel --what ", {"hits", "marks", "documents", "vectors", "model"}),
        ("export own.satchel --form p", {"parquet"}),
        ("add own.satchel --form js", {"json", "jsonl"}),
    ],
)
def test_a_shell_completes_commands_and_values(made, typed, offered):
    words = f"satchel {typed}"
    asked = {"_SATCHEL_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    assert set(shell("satchel ", made, **asked).stdout.split()) == offered


def test_matching_words_are_coloured_in_a_terminal_unless_colours_are_off(made):
    line = "satchel search own.satchel butter -k 1"
    assert "\x1b[1;33mbutter\x1b[0m" in shell(line, made, FORCE_COLOR="1", TERM="xterm").stdout
    assert "\x1b[1;33m" not in shell(line, made, FORCE_COLOR="1", TERM="xterm", NO_COLOR="1").stdout


def test_help_loads_neither_numpy_nor_a_collection(made):
    code = """
import sys
from satchel.cli import main
for command in ([], ["search"], ["add"], ["export"], ["project", "save"]):
    sys.argv = ["satchel", *command, "--help"]
    try:
        main()
    except SystemExit:
        pass
print([m for m in ("numpy", "sqlite3", "sklearn", "satchel.collection", "satchel.importing") if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_notes_on_a_query_stand_on_standard_error(satchel, answer):
    file = "own.satchel"
    _, out, err = satchel("search", file, "grid colour:red", "--ids")
    assert "column 6: there is no field 'colour'" in err
    assert "colour" not in out
    assert answer("search", file, "grid colour:red")["notes"][0].startswith("column 6")
