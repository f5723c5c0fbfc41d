import json
import os
import subprocess
import sys

import pytest

from command_line import run
from satchel.datasets import DATASETS, LabelledSet


@pytest.fixture
def satchel(capsys, monkeypatch):
    return lambda *arguments: run(capsys, monkeypatch, *arguments)


@pytest.fixture(scope="module")
def demo_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture
def demo(satchel, monkeypatch, demo_cache):
    """`satchel demo` with one cache for all tests: the sample is read once."""
    monkeypatch.setenv("SATCHEL_CACHE", str(demo_cache))
    return lambda *arguments: satchel("demo", *arguments)


def test_demo_answers_a_query_with_hits_and_reasons(demo):
    code, out, _ = demo("compress a folder into an archive", "-k", 4)
    assert code == 0
    assert "zipfile" in out or "tarfile" in out
    assert out.count("because it ") == 4


def test_demo_reasons_belong_to_the_hit_and_stand_biggest_first(demo):
    _, out, _ = demo("random choice", "--json")
    best = json.loads(out)["hits"][0]
    parts = [part["contribution"] for part in best["reasons"]["words"]]
    assert best["id"].startswith("random.")
    text, matches = best["snippet"]["text"], best["snippet"]["matches"]
    assert {text[start:stop].lower() for start, stop in matches} & {"random", "choice", "choices"}
    assert parts == sorted(parts, reverse=True)


def test_demo_without_a_query_is_a_tour_with_a_mark_that_ends_well(demo):
    code, out, err = demo()
    assert code == 0
    assert out.count('satchel demo "') >= 3
    assert "  relevant\n" in out
    assert "--offset" not in err


def test_demo_is_a_collection_like_any_other(demo, satchel, demo_cache):
    demo("threads")
    [path] = demo_cache.rglob("*.satchel")
    assert path.name == "python.satchel"
    assert satchel("check", path)[0] == 0
    assert json.loads(satchel("search", path, "threads", "-k", 5, "--json")[1]) == json.loads(
        demo("threads", "--json")[1]
    )


def test_demo_asked_for_more_hits_than_documents_shows_all_it_has(demo):
    code, out, _ = demo("zip", "-k", 10**12, "--json")
    hits = json.loads(out)["hits"]
    assert code == 0
    assert len({hit["id"] for hit in hits}) == len(hits) > 100


def test_demo_is_made_anew_when_its_cache_is_damaged(demo, demo_cache):
    demo("threads")
    for path in demo_cache.rglob("*.satchel"):
        path.write_bytes(b"rubbish")
    code, out, _ = demo("threads")
    assert code == 0
    assert "threading" in out


def test_a_query_without_known_words_is_one_sentence(demo):
    code, _, err = demo("xyzzyplugh")
    assert code == 2
    assert err == "satchel: no word of the query 'xyzzyplugh' is known to this collection; try other words\n"


def test_unknown_names_give_one_sentence_and_list_the_names(satchel):
    for arguments in (("data", "get", "nope"), ("words", "get", "nope"), ("evaluate", "nope"), ("reproduce", "nope")):
        code, out, err = satchel(*arguments)
        assert code == 2
        assert out == ""
        assert err.startswith("satchel: unknown ")
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("demo", "-k", 0),
        ("demo", "--nope"),
        ("nope",),
        ("data", "nope"),
        ("words", "learn"),
        ("words", "learn", "texts.txt", "out", "--seed", -1),
        ("evaluate", "r8", "--seed", -1),
        ("evaluate", "r8", "--seed", "x"),
    ],
)
def test_wrong_arguments_are_one_plain_sentence(satchel, arguments):
    code, out, err = satchel(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("satchel: ")
    assert err.endswith("--help`\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [(), ("data",), ("words",)])
def test_a_command_that_lacks_its_command_shows_its_help(satchel, arguments):
    code, out, _ = satchel(*arguments)
    assert code == 2
    assert "Commands:" in out


@pytest.mark.parametrize("command", ["demo", "evaluate", "reproduce", "words learn", "words nearest", "data get"])
def test_examples_in_the_help_stand_on_lines_of_their_own(satchel, command):
    code, out, _ = satchel(*command.split(), "--help")
    examples = [line for line in out.splitlines() if line.startswith(f"    satchel {command} ")]
    assert code == 0
    assert examples
    assert "\b" not in out


def test_a_row_of_a_piped_table_is_one_line():
    command = [sys.executable, "-m", "satchel", "data", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "40"})
    rows = done.stdout.splitlines()
    assert len(rows) == 1 + len(DATASETS)
    assert [row.split()[0] for row in rows[1:]] == list(DATASETS)


def test_data_list_names_every_data_set(satchel):
    code, out, _ = satchel("data", "list", "--json")
    names = [row["name"] for row in json.loads(out)]
    assert code == 0
    assert {"20ng", "r8", "r52", "webkb", "cade", "cranfield", "cacm", "npl", "scifact", "nfcorpus", "sample"} <= set(
        names
    )


def test_words_list_says_what_is_here(satchel, monkeypatch):
    monkeypatch.delenv("SATCHEL_DATA", raising=False)
    _, out, _ = satchel("words", "list", "--json")
    assert {row["here"] for row in json.loads(out)} == {False}


@pytest.mark.parametrize("method", ["lsi", "yule"])
def test_words_are_learned_from_a_file_and_looked_into(satchel, tmp_path, method):
    texts = tmp_path / "texts.txt"
    texts.write_text("cat purrs\ncat meows\ndog barks\ndog growls\n" * 5, encoding="utf-8")
    code, out, _ = satchel("words", "learn", texts, tmp_path / "vectors", "--dim", 2, "--method", method)
    assert code == 0
    assert "6 words of 2 numbers" in out
    _, out, _ = satchel("words", "nearest", tmp_path / "vectors", "cat", "-k", 2, "--json")
    assert {hit["word"] for hit in json.loads(out)} == {"purrs", "meows"}


def test_words_learn_takes_a_folder_and_refuses_what_is_nothing(satchel, tmp_path):
    (tmp_path / "texts").mkdir()
    code, _, err = satchel("words", "learn", tmp_path / "texts", tmp_path / "out")
    assert code == 2
    assert "no text files" in err
    code, _, err = satchel("words", "learn", "nothing-here", tmp_path / "out")
    assert code == 2
    assert "neither a file, a folder nor a data set" in err


def test_a_file_that_is_not_text_is_named(satchel, tmp_path):
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    code, _, err = satchel("words", "learn", tmp_path / "binary.txt", tmp_path / "out")
    assert code == 2
    assert "binary.txt is not UTF-8" in err


def test_a_run_is_judged_from_files(satchel, tmp_path):
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 2.0 x\nq1 Q0 d2 2 1.0 x\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("q1 0 d2 1\n", encoding="utf-8")
    code, out, _ = satchel("evaluate", "--run", tmp_path / "run.txt", "--judgments", tmp_path / "qrels.txt", "--json")
    assert code == 0
    assert json.loads(out)["measures"]["AP"] == pytest.approx(0.5)
    assert json.loads(out)["not answered"] == 0


def test_judged_queries_that_a_run_does_not_answer_are_told(satchel, tmp_path):
    (tmp_path / "run.txt").write_text("q7 Q0 d1 1 2.0 x\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("q1 0 d2 1\nq2 0 d2 1\n", encoding="utf-8")
    code, out, _ = satchel("evaluate", "--run", tmp_path / "run.txt", "--judgments", tmp_path / "qrels.txt")
    assert code == 0
    assert "2 of 2 judged queries not answered" in out


@pytest.mark.parametrize("ignored", [("r8",), ("--output", "run.txt"), ("--set", "n_components=3")])
def test_a_run_is_judged_without_arguments_that_would_be_ignored(satchel, tmp_path, ignored):
    code, _, err = satchel("evaluate", "--run", tmp_path / "r", "--judgments", tmp_path / "q", *ignored)
    assert code == 2
    assert "need nothing else" in err


@pytest.mark.parametrize("place", ["", "curves.xyz", "curves"])
def test_an_output_that_cannot_be_written_is_refused_before_anything_is_computed(satchel, tmp_path, monkeypatch, place):
    monkeypatch.setattr("satchel.datasets.load", lambda name: LabelledSet(name, None, None))
    code, _, err = satchel("evaluate", "r8", "--output", tmp_path / place)
    assert code == 2
    assert err.startswith("satchel: --output is ")
    assert list(tmp_path.iterdir()) == []


def test_evaluate_needs_a_data_set_or_both_files(satchel, tmp_path):
    for arguments in ((), ("--run", tmp_path / "run.txt"), ("r8", "--judgments", tmp_path / "q.txt")):
        code, _, err = satchel("evaluate", *arguments)
        assert code == 2
        assert "both --run and --judgments" in err


def test_evaluate_refuses_bad_parameters_in_one_sentence(satchel, data_folder):
    for setting in ("nonsense", "n_topics=3", "n_components=0", "tokenizer={foo=1}", "tokenizer=7", "words=nope"):
        code, _, err = satchel("evaluate", "r8", "--encoder", "Lsi", "--set", setting)
        assert code == 2
        assert err.startswith("satchel: ")
        assert err.count("\n") == 1


def test_evaluate_judges_a_labelled_set_and_draws_its_curves(satchel, data_folder, tmp_path):
    code, out, _ = satchel(
        "evaluate",
        "webkb",
        "--encoder",
        "Lsi",
        "--set",
        "n_components=16",
        "--output",
        tmp_path / "curves.png",
        "--json",
    )
    assert code == 0
    assert 0.3 < json.loads(out)["measures"]["mAP (11-point)"] < 0.7
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_evaluate_judges_an_ad_hoc_set_and_writes_its_run(satchel, data_folder, tmp_path):
    run_path, qrels = tmp_path / "run.txt", data_folder / "cranfield" / "qrels.tsv.gz"
    _, direct, _ = satchel("evaluate", "cranfield", "--encoder", "TfIdf", "--output", run_path, "--json")
    _, again, _ = satchel("evaluate", "--run", run_path, "--judgments", qrels, "--json")
    assert json.loads(direct)["measures"] == pytest.approx(json.loads(again)["measures"])
    assert json.loads(direct)["measures"]["nDCG@10"] > 0.3


def test_evaluate_judges_a_retriever_by_its_name_and_writes_its_run(satchel, data_folder, tmp_path):
    run_path, qrels = tmp_path / "run.txt", data_folder / "cranfield" / "qrels.tsv.gz"
    _, direct, _ = satchel(
        "evaluate", "cranfield", "--retriever", "Bm25", "--set", "k1=1.2", "--output", run_path, "--json"
    )
    _, again, _ = satchel("evaluate", "--run", run_path, "--judgments", qrels, "--json")
    assert json.loads(direct)["retriever"] == "Bm25"
    assert json.loads(direct)["measures"] == pytest.approx(json.loads(again)["measures"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cranfield", "--retriever", "Bm52"), "unknown retriever 'Bm52'"),
        (("cranfield", "--retriever", "Bm25", "--set", "k2=1"), "unknown parameter of Bm25 'k2'"),
        (("cranfield", "--retriever", "Bm25", "--distance", "euclidean"), "ranks by its own score"),
        (("cranfield", "--retriever", "Bm25", "--with-labels"), "the texts of 'cranfield' have no labels"),
        (("webkb", "--retriever", "Bm25", "--output", "run.txt"), "--output writes nothing for a retriever"),
        (("sample", "--retriever", "Bm25"), "'sample' has neither a test split nor judgments"),
    ],
)
def test_evaluate_refuses_a_retriever_that_cannot_be_judged(satchel, data_folder, arguments, message):
    code, _, err = satchel("evaluate", *arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


SMALL_NETWORK = [
    word for one in ("ngram=3", "projection=4", "hidden=8", "max_epochs=40", "rate=0.02") for word in ("--set", one)
]


@pytest.fixture
def small_cade(tmp_path, monkeypatch):
    """The files of a set that cannot be had here, under the names that its maker gave them."""
    (tmp_path / "cade").mkdir()
    lines = [f"08_cultura\tcinem film ator teatr musica{n % 3} cinem\n" for n in range(8)]
    lines += [f"01_servicos\tbanc credit loja cont prec{n % 3} banc\n" for n in range(8)]
    for split in ("train", "test"):
        (tmp_path / "cade" / f"cade-{split}-stemmed.txt").write_text("".join(lines), encoding="utf-8")
    monkeypatch.setenv("SATCHEL_DATA", str(tmp_path))


def test_evaluate_trains_a_network_on_a_labelled_set_and_asks_it_the_first_words(satchel, small_cade):
    arguments = ("evaluate", "cade", "--retriever", "FeedForwardRetriever", *SMALL_NETWORK)
    code, out, err = satchel(*arguments, "--with-labels", "--json")
    found = json.loads(out)
    assert (code, err, found["labels"]) == (0, "", True)
    assert found["measures"]["MAP (top 20), 5 words"] == found["measures"]["success rate, 20 words"] == 1
    assert len(found["measures"]) == 4 * 4
    code, out, _ = satchel(*arguments)
    assert code == 0
    assert "the network knew only one topic" in out


def test_evaluate_asks_a_lexical_retriever_the_first_words_of_a_labelled_set(satchel, small_cade):
    code, out, _ = satchel("evaluate", "cade", "--retriever", "Bm25", "--json")
    assert code == 0
    assert json.loads(out)["measures"]["MAP (top 20), 5 words"] == 1


def test_a_pipe_that_closes_early_is_no_error():
    command = f"{sys.executable} -m satchel data list | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_the_version_is_printed(satchel):
    assert satchel("--version")[1].startswith("satchel 0.")
