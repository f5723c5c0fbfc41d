"""`satchel train` and `satchel encode`, driven as a shell would, on small files."""

import inspect
import json
import re
import signal
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from command_line import run, sentence
from made_texts import MONEY, PETS, collection, corpus
from satchel import BagOfEmbeddedWords, Lsi, TfIdf, WordVectors
from satchel.cli.train_texts import STEP_OPTIONS
from satchel.encoders import Training, load_encoder
from satchel.estimator import from_flat

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="trains step by step, which needs torch")

SMALL = ("--codewords", 4)
PAPER = ("--recipe", "paper", *SMALL, "--m", 0.05, "--batch-size", 20, "--epochs", 3)
WITHOUT_TORCH = """
import sys

class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError("no torch here", name="torch")

sys.meta_path.insert(0, NoTorch())
from satchel.cli import main
main()
"""


@pytest.fixture
def satchel(capsys, monkeypatch, tmp_path):
    """The command in a folder of its own, with `mine.tsv` of 60 labelled texts in it."""
    monkeypatch.chdir(tmp_path)
    texts, labels = corpus(60, 0)
    (tmp_path / "mine.tsv").write_text(
        "".join(f"{label}\t{text}\n" for text, label in zip(texts, labels, strict=True)), encoding="utf-8"
    )
    return lambda *arguments: run(capsys, monkeypatch, *arguments)


def test_train_gives_the_model_that_the_library_gives(satchel, tmp_path):
    code, out, err = satchel("train", "mine.tsv", "model", *SMALL, "--seed", 3)
    texts, labels = corpus(60, 0)
    expected = BagOfEmbeddedWords(n_codewords=4, random_state=3).fit(texts, labels)
    assert code == 0
    assert load_encoder(tmp_path / "model").transform(texts).tobytes() == expected.transform(texts).tobytes()
    before, after = expected.strengths_[0], expected.strengths_[expected.strength_]
    judged = f"mean average precision on texts set aside: {before:.3f} without labels, {after:.3f} with\n"
    assert f"60 documents, 60 labelled, 2 classes, 16 words, 4 codewords\n{judged}" in out
    assert "the model lies in model" in out
    assert err == "60 texts of 2 classes (columns 'label' and 'text')\n"


@needs_torch
def test_train_by_steps_gives_the_model_that_the_library_gives(satchel, tmp_path):
    code, out, err = satchel("train", "mine.tsv", "model", *PAPER, "--seed", 3)
    texts, labels = corpus(60, 0)
    settings = {"n_codewords": 4, "m": 0.05, "batch_size": 20, "n_epochs": 3, "random_state": 3}
    expected = from_flat(BagOfEmbeddedWords, {"recipe": "paper", **settings}).fit(texts, labels)
    assert code == 0
    assert load_encoder(tmp_path / "model").transform(texts).tobytes() == expected.transform(texts).tobytes()
    assert "60 documents, 60 labelled, 2 classes, 16 words, 4 codewords\n3 epochs, loss 0." in out
    assert "the model lies in model" in out
    assert "60 texts of 2 classes (columns 'label' and 'text')" in err
    assert re.search(r"epoch 3/3.*loss 0\.\d{4}  sigma 0\.\d{3}", err)


def test_train_takes_csv_and_json_lines_and_shows_the_columns(satchel, tmp_path):
    texts, labels = corpus(60, 0)
    pairs = list(zip(texts, labels, strict=True))
    (tmp_path / "mine.csv").write_text("Topic,Body\n" + "".join(f"{label},{text}\n" for text, label in pairs))
    rows = [{"verdict": label, "notes": text, "text": "no"} for text, label in pairs]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    named = ("--text", "notes", "--label", "verdict")
    for arguments, columns in (
        (("mine.csv",), {"text": "Body", "label": "Topic"}),
        (("mine.jsonl", *named), {"text": "notes", "label": "verdict"}),
    ):
        _, out, _ = satchel("train", *arguments, "model", *SMALL, "--json")
        assert json.loads(out)["columns"] == columns
        assert json.loads(out)["words"] == 16


def test_texts_without_a_label_are_learned_from_too(satchel, tmp_path):
    texts, labels = corpus(60, 0)
    rows = [
        (label if number < 20 else "", text) for number, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    (tmp_path / "mine.csv").write_text("label,text\n" + "".join(f"{label},{text}\n" for label, text in rows))
    _, out, err = satchel("train", "mine.csv", "model", *SMALL, "--json")
    expected = BagOfEmbeddedWords(n_codewords=4).fit(texts, [*labels[:20], *[None] * 40])
    assert load_encoder(tmp_path / "model").transform(texts).tobytes() == expected.transform(texts).tobytes()
    assert [json.loads(out)[name] for name in ("documents", "labelled", "classes")] == [60, 20, 2]
    assert "60 texts of 2 classes (columns 'label' and 'text'), 40 of them without a label" in err


def test_several_labels_come_as_a_json_list_or_parted_in_a_cell(satchel, tmp_path):
    texts, labels = corpus(60, 0)
    several = [[label, "early"] if number < 30 else [label] for number, label in enumerate(labels)]
    pairs = list(zip(texts, several, strict=True))
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps({"text": t, "label": of}) + "\n" for t, of in pairs))
    (tmp_path / "cells.tsv").write_text("".join(f"{'; '.join(of)}\t{text}\n" for text, of in pairs))
    expected = BagOfEmbeddedWords(n_codewords=4).fit(texts, several).transform(texts)
    for arguments, n_classes in ((("mine.jsonl",), 3), (("cells.tsv", "--separator", ";"), 3), (("cells.tsv",), 4)):
        _, out, _ = satchel("train", *arguments, "model", *SMALL, "--json")
        assert json.loads(out)["classes"] == n_classes
        found = load_encoder(tmp_path / "model").transform(texts)
        assert (found.tobytes() == expected.tobytes()) == (n_classes == 3)


def test_the_goal_transfer_trusts_labels_less(satchel, tmp_path):
    texts, labels = collection(180, 0)
    rows = zip(texts, labels, strict=True)
    (tmp_path / "six.tsv").write_text("".join(f"{label}\t{text}\n" for text, label in rows))
    found = {}
    for goal in ("in-domain", "transfer"):
        found[goal] = json.loads(satchel("train", "six.tsv", "model", "--goal", goal, "--json")[1])
        assert found[goal]["goal"] == load_encoder(tmp_path / "model").goal == goal
    assert found["transfer"]["strength"] < found["in-domain"]["strength"]
    assert "on classes set aside" in satchel("train", "six.tsv", "model", "--goal", "transfer")[1]


def test_the_summary_as_json_says_what_was_learned_and_from_what(satchel):
    summary = json.loads(satchel("train", "mine.tsv", "model", *SMALL, "--json")[1])
    judged = summary.pop("mean average precision by strength")
    assert judged[f"{summary.pop('strength'):g}"] == max(judged.values())
    assert set(judged) == {"0", "0.3", "1", "3", "10"}
    assert summary.pop("sigma") > 0
    assert summary.pop("seconds") >= 0
    assert summary == {
        "documents": 60,
        "labelled": 60,
        "classes": 2,
        "columns": {"text": "text", "label": "label"},
        "words": 16,
        "codewords": 4,
        "recipe": "best",
        "objective": "least-squares",
        "goal": "in-domain",
        "epochs": 0,
        "kept epoch": 0,
        "loss": None,
        "folder": "model",
        "history": [],
    }


@needs_torch
def test_the_summary_as_json_holds_the_history(satchel):
    _, out, _ = satchel("train", "mine.tsv", "model", *PAPER, "--validation", 0.2, "--patience", 2, "--json")
    summary = json.loads(out)
    losses = [record["validation_loss"] for record in summary["history"]]
    assert (summary["documents"], summary["classes"], summary["epochs"]) == (60, 2, len(losses))
    assert (summary["recipe"], summary["objective"]) == ("paper", "spherical-entropy")
    assert summary["loss"] == [summary["history"][0]["loss"], summary["history"][-1]["loss"]]
    assert losses[summary["kept epoch"] - 1] == min(losses)


@needs_torch
def test_the_best_recipe_can_train_step_by_step(satchel, tmp_path):
    options = ("--objective", "cross-entropy", *SMALL, "--epochs", 2, "--json")
    summary = json.loads(satchel("train", "mine.tsv", "model", *options)[1])
    assert (summary["recipe"], summary["objective"], summary["epochs"]) == ("best", "cross-entropy", 2)
    assert load_encoder(tmp_path / "model").whole_recipe.standardised


def test_train_takes_word_vectors_from_a_path(satchel, tmp_path):
    WordVectors((*PETS, *MONEY), np.random.default_rng(0).normal(size=(16, 5))).save(tmp_path / "vectors")
    assert satchel("train", "mine.tsv", "model", "--words", "vectors", *SMALL)[0] == 0
    assert load_encoder(tmp_path / "model").word_vectors_.shape == (16, 5)


def test_train_reads_the_train_split_of_a_data_set(satchel, tmp_path, monkeypatch):
    (tmp_path / "data" / "r8").mkdir(parents=True)
    (tmp_path / "data" / "r8" / "train.tsv").write_text((tmp_path / "mine.tsv").read_text())
    (tmp_path / "data" / "r8" / "test.tsv").write_text("pets\tzebra\n")
    monkeypatch.setenv("SATCHEL_DATA", str(tmp_path / "data"))
    assert json.loads(satchel("train", "r8", "model", *SMALL, "--json")[1])["documents"] == 60


def test_without_labels_nothing_is_trained(satchel, tmp_path):
    (tmp_path / "plain.txt").write_text("\n".join(corpus(60, 0)[0]))
    code, out, _ = satchel("train", "plain.txt", "model", "--codewords", 4, "--unlabelled", "--json")
    expected = BagOfEmbeddedWords(n_codewords=4).fit(corpus(60, 0)[0])
    assert code == 0
    summary = json.loads(out)
    assert (summary["history"], summary["strength"], summary["objective"], summary["goal"]) == ([], 0, None, None)
    vectors = load_encoder(tmp_path / "model").transform(["cat bank"])
    assert vectors.tobytes() == expected.transform(["cat bank"]).tobytes()


@needs_torch
def test_an_interrupted_training_goes_on_with_the_same_command(satchel, tmp_path, monkeypatch):
    from satchel.learning.trainer import _Trainer

    satchel("train", "mine.tsv", "whole", *PAPER)
    command = ("train", "mine.tsv", "model", *PAPER, "--checkpoint", "half")
    with monkeypatch.context() as patch:
        usual = _Trainer._report

        def interrupt(trainer, n_batches, total):
            usual(trainer, n_batches, total)
            if (trainer.standing.epoch, trainer.standing.batch) == (1, 2):
                signal.raise_signal(signal.SIGINT)

        patch.setattr(_Trainer, "_report", interrupt)
        code, out, err = satchel(*command)
    assert (code, out) == (130, "")
    assert err.endswith("satchel: interrupted, the state is kept in half; run the same command again to go on\n")
    assert not (tmp_path / "model").exists()
    assert satchel(*command)[0] == 0
    whole, resumed = (tmp_path / name / "model.safetensors" for name in ("whole", "model"))
    assert whole.read_bytes() == resumed.read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (SMALL, "satchel: interrupted, nothing was kept"),
        (
            PAPER,
            "satchel: interrupted, nothing was kept; with --checkpoint FOLDER the same command would go on",
        ),
        (
            (*PAPER, "--checkpoint", "half"),
            "satchel: interrupted before the first step of training, nothing was lost; run the same command again",
        ),
    ],
    ids=["best", "paper", "checkpoint"],
)
@needs_torch
def test_an_interrupt_with_nothing_to_keep_says_so(satchel, monkeypatch, options, message):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(BagOfEmbeddedWords, "fit", interrupt)
    code, _, err = satchel("train", "mine.tsv", "model", *options)
    assert code == 130
    assert message == err.splitlines()[-1]


def test_a_model_is_replaced_and_anything_else_is_refused_before_training(satchel, tmp_path, monkeypatch):
    for _ in range(2):
        assert satchel("train", "mine.tsv", "model", *SMALL)[0] == 0
    monkeypatch.setattr(BagOfEmbeddedWords, "fit", lambda *arguments: pytest.fail("it was trained"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_text('{"format": "theirs"}')
    assert "that folder holds other files" in sentence(satchel("train", "mine.tsv", "other", *SMALL))
    assert "a file of that name" in sentence(satchel("train", "mine.tsv", "mine.tsv", *SMALL))
    assert "cannot make the folder mine.tsv" in sentence(satchel("train", "mine.tsv", "mine.tsv/model", *SMALL))
    assert "name two folders" in sentence(satchel("train", "mine.tsv", "x", "--checkpoint", "./x", *PAPER))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no rows"),
        ("a\tone\nb two\n", "line 2: expected a label, a TAB and a text"),
        ("\tone\n\ttwo\n", "or learn from the texts alone by --unlabelled"),
        ("a\tone\na\ttwo\n", "all 2 labelled texts have the label 'a'; training needs two classes or more"),
        ("a\t\nb\t\n", "found no word to learn"),
    ],
)
def test_files_that_cannot_be_learned_from_are_one_sentence(satchel, tmp_path, content, message):
    (tmp_path / "bad.tsv").write_text(content)
    assert message in sentence(satchel("train", "bad.tsv", "model", "--codewords", 1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing-here", "model"), "neither a file, a folder nor a data set"),
        ((".", "model"), "is a folder, whose texts have no labels"),
        (("cranfield", "model", "--label", "x"), "there is no file cranfield"),
        (
            ("mine.tsv", "model", "--label", "verdict"),
            "no column 'verdict' for the labels; its columns are label, text",
        ),
        (("mine.tsv", "model", "--recipe", "soup"), "unknown recipe 'soup'; choose from best, paper"),
        (("nothing-here", "model", "--goal", "joy"), "unknown goal 'joy'; choose from in-domain, transfer"),
        (("mine.tsv", "model", "--goal", "transfer"), "needs three or more; the labels have 2"),
        (("mine.tsv", "model", "--separator", ""), "the separator of labels is empty"),
        (("cranfield", "model", "--separator", ";"), "there is no file cranfield"),
        (
            ("mine.tsv", "model", "--objective", "joy"),
            "unknown objective 'joy'; choose from cross-entropy, entropy, least-squares, spherical-entropy",
        ),
        (("mine.tsv", "model", "--sigma", 0), "sigma is 0.0"),
        (("mine.tsv", "model", "--m", -1), "m is -1.0"),
        (("mine.tsv", "model", "--words", "nope"), "unknown word vectors 'nope'"),
        (("mine.tsv", "model", "--patience", 2), "such as --validation 0.1"),
        (("mine.tsv", "model", "--unlabelled", "--epochs", 2, "--label", "x"), "leave out --epochs, --label"),
        (
            ("mine.tsv", "model", "--unlabelled", "--goal", "transfer", "--separator", ";"),
            "leave out --goal, --separator",
        ),
        (("mine.tsv", "model", "--epochs", 0), "satchel train --help"),
    ],
)
def test_wrong_arguments_of_train_are_one_sentence(satchel, arguments, message):
    assert message in sentence(satchel("train", *arguments))


@needs_torch
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--device", "tpu"), "unknown device 'tpu'; choose from cpu, cuda"),
        (("--codewords", 17), "16 words with 16 distinct vectors allow from 1 to 16"),
        (("--validation", 1.5), "expected a number above 0 and below 1"),
        (("--goal", "transfer"), "goal='transfer' needs objective='least-squares'"),
    ],
)
def test_wrong_arguments_of_training_by_steps_are_one_sentence(satchel, options, message):
    assert message in sentence(satchel("train", "mine.tsv", "model", "--recipe", "paper", *options))


@pytest.mark.parametrize("option", STEP_OPTIONS.values())
def test_options_of_steps_are_refused_where_there_are_none(satchel, tmp_path, option):
    values = {"--device": "cpu", "--checkpoint": "half", "--validation": 0.1, "--patience": 2}
    given = (option, values.get(option, 3), *(("--validation", 0.1) if option == "--patience" else ()))
    message = sentence(satchel("train", "mine.tsv", "model", *given))
    assert re.match(rf"satchel: for [a-z, -]*{option} choose an objective that trains step by step: ", message)
    assert message.endswith("--objective cross-entropy, or --recipe paper")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.tsv"]


def test_a_data_set_without_labels_is_refused(satchel, data_folder):
    assert "not labels" in sentence(satchel("train", "cranfield", "model"))


@pytest.mark.parametrize("options", [("--recipe", "paper"), ("--objective", "cross-entropy")])
def test_training_by_steps_without_torch_names_the_extra_before_anything_is_read(satchel, monkeypatch, options):
    for name in [name for name in sys.modules if name == "torch" or name.startswith("satchel.learning")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "pip install 'satchel[train]'" in sentence(satchel("train", "nothing-here", "model", *options))


@pytest.mark.parametrize(
    "options", [(), ("--goal", "in-domain"), ("--unlabelled",), ("--unlabelled", "--recipe", "paper")]
)
def test_training_by_regression_needs_no_torch(satchel, tmp_path, options):
    command = [sys.executable, "-c", WITHOUT_TORCH, "train", "mine.tsv", "model", "--codewords", "4", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert load_encoder(tmp_path / "model").transform(["cat"]).any()


@pytest.mark.parametrize(("command", "n_examples"), [("train", 7), ("encode", 3)])
def test_the_help_has_examples_on_lines_of_their_own(satchel, command, n_examples):
    code, out, _ = satchel(command, "--help")
    assert code == 0
    assert sum(line.startswith(f"    satchel {command} ") for line in out.splitlines()) == n_examples


def test_the_help_shows_the_encoders_own_defaults(satchel):
    options = satchel("train", "--help")[1].split("Options:")[1]
    defaults = {name: p.default for name, p in inspect.signature(BagOfEmbeddedWords).parameters.items()}
    own = {"goal": "goal", "recipe": "recipe", "codewords": "n_codewords", "device": "device"}
    shown = {option: defaults[name] for option, name in own.items()}
    shown |= {"epochs": Training().n_epochs, "batch-size": Training().batch_size}
    for option in (*shown, "sigma", "m", "objective", "min-count"):
        text = " ".join(re.search(rf"--{option} (.*?)(?=\n +-)", options, flags=re.DOTALL)[1].split())
        assert f"[default: ({shown.get(option, 'by the recipe')})" in text


@pytest.fixture
def model(tmp_path):
    encoder = BagOfEmbeddedWords(n_codewords=4).fit(corpus(60, 0)[0])
    encoder.save(tmp_path / "model")
    return encoder


def test_encode_writes_a_row_for_every_line_also_an_empty_one(satchel, model, tmp_path):
    (tmp_path / "new.txt").write_text("cat dog\n\nbank\n")
    code, out, _ = satchel("encode", "model", "new.txt", "out/vectors.npy")
    written = np.load(tmp_path / "out" / "vectors.npy")
    assert code == 0
    assert out == "3 rows × 4 numbers in out/vectors.npy\n"
    assert written.dtype == np.float32
    assert written.tobytes() == model.transform(["cat dog", "", "bank"]).tobytes()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["vectors.npy"]


def test_encode_takes_labelled_files_folders_and_a_named_column(satchel, model, tmp_path):
    texts = corpus(60, 0)[0]
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b.txt").write_text("bank")
    (tmp_path / "folder" / "a.txt").write_text("cat")
    (tmp_path / "new.csv").write_text("text,notes\nbank,cat\n")
    cases = ((("mine.tsv",), texts), (("folder",), ["cat", "bank"]), (("new.csv", "--text", "notes"), ["cat"]))
    for (source, *options), expected in cases:
        _, out, _ = satchel("encode", "model", source, "v.npy", *options, "--json")
        assert json.loads(out) == {
            "rows": len(expected),
            "numbers": 4,
            "encoder": "BagOfEmbeddedWords",
            "file": "v.npy",
        }
        assert np.load(tmp_path / "v.npy").tobytes() == model.transform(expected).tobytes()


def test_many_texts_are_encoded_in_batches_to_the_same_bytes(satchel, model, tmp_path, monkeypatch):
    monkeypatch.setattr("satchel.cli.vectors.BATCH", 7)
    satchel("encode", "model", "mine.tsv", "v.npy")
    assert np.load(tmp_path / "v.npy").tobytes() == model.transform(corpus(60, 0)[0]).tobytes()


def test_sparse_vectors_go_into_an_npz_file(satchel, tmp_path, monkeypatch):
    from scipy.sparse import load_npz

    monkeypatch.setattr("satchel.cli.vectors.BATCH", 7)
    texts = corpus(60, 0)[0]
    encoder = TfIdf().fit(texts)
    encoder.save(tmp_path / "model")
    assert "are sparse and go into a .npz file" in sentence(satchel("encode", "model", "mine.tsv", "v.npy"))
    assert satchel("encode", "model", "mine.tsv", "v.npz")[0] == 0
    assert (load_npz(tmp_path / "v.npz") != encoder.transform(texts)).nnz == 0


def test_encode_loads_no_torch(model, tmp_path):
    (tmp_path / "new.txt").write_text("cat\n")
    for arguments in (("new.txt", "v.npy"), ("--describe",), ("--explain", "cat", "dog")):
        command = [sys.executable, "-c", WITHOUT_TORCH, "encode", "model", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_describe_shows_the_words_of_each_codeword(satchel, model):
    _, out, _ = satchel("encode", "model", "--describe", "-k", 3)
    assert [", ".join(model.describe(codeword, 3)) in out for codeword in range(4)] == [True] * 4
    _, out, _ = satchel("encode", "model", "--describe", "--json", "-k", 3)
    expected = [{"codeword": c, "weight": 1.0, "words": model.describe(c, 3)} for c in range(4)]
    assert json.loads(out) == expected


def test_explain_shows_words_and_codewords_that_sum_to_the_cosine(satchel, model):
    _, out, _ = satchel("encode", "model", "--explain", "Cat stock", "Dog purr STOCK stock", "--json")
    found = json.loads(out)
    assert {row["word"] for row in found["words"]} == {"dog", "purr", "stock"}
    for part in ("words", "codewords"):
        assert sum(row["share"] for row in found[part]) == pytest.approx(found["cosine"], abs=1e-3)
    _, out, _ = satchel("encode", "model", "--explain", "Cat stock", "Dog purr STOCK stock", "-k", 2)
    assert f"cosine {found['cosine']:.4f}; 2 of 3 words of the document" in out
    assert "2 of 4 codewords" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing", "mine.tsv", "v.npy"), "no model folder at nothing"),
        ((".", "mine.tsv", "v.npy"), "this is not a whole model folder"),
        (("model",), "give the texts and the .npy file to write"),
        (("model", "mine.tsv"), "give the texts and the .npy file to write"),
        (("model", "mine.tsv", "v.txt"), "are dense and go into a .npy file"),
        (("model", "nope", "v.npy"), "neither a file, a folder nor a data set"),
        (("model", "mine.tsv", "v.npy", "--describe"), "leave out TEXTS, OUTPUT and --text"),
        (("model", "--describe", "--explain", "a", "b"), "one at a time"),
        (("model", "--explain", "xyzzy", "cat"), "holds no word that the model knows"),
        (("model", "--explain", "cat"), "requires 2 arguments"),
    ],
)
def test_wrong_arguments_of_encode_are_one_sentence(satchel, model, tmp_path, arguments, message):
    before = sorted(path.name for path in tmp_path.iterdir())
    assert message in sentence(satchel("encode", *arguments))
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_an_encoder_without_codewords_explains_by_words_and_describes_nothing(satchel, tmp_path):
    Lsi(2).fit(corpus(60, 0)[0]).save(tmp_path / "lsi")
    assert "the encoder Lsi, which has no codewords" in sentence(satchel("encode", "lsi", "--describe"))
    code, out, _ = satchel("encode", "lsi", "--explain", "cat", "dog")
    assert code == 0
    assert "1 of 1 words" in out
    assert "codeword" not in out
