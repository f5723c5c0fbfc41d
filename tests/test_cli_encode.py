"""`satchel encode`: one byte a number, written and told; the themes of a model."""

import json

import numpy as np
import pytest

from satchel import FisherVectors, Lsi, TfIdf
from satchel.ranking import ExactIndex, compress
from test_cli import run

TEXTS = ["cat dog", "", "bank stock money", "dog purr", "stock bond bank", "cat purr", "bond money"]


@pytest.fixture
def satchel(capsys, monkeypatch, tmp_path):
    """The command in a folder of its own, with `new.txt` and the model `lsi` in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.txt").write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")
    Lsi(3).fit(TEXTS).save(tmp_path / "lsi")
    return lambda *arguments: run(capsys, monkeypatch, *arguments)


def sentence(result):
    code, out, err = result
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


def test_int8_writes_the_codes_of_the_vectors_and_says_so(satchel, monkeypatch, tmp_path):
    monkeypatch.setattr("satchel.cli.encode.BATCH", 3)
    code, out, _ = satchel("encode", "lsi", "new.txt", "v.npy", "--int8")
    vectors, written = Lsi(3).fit(TEXTS).transform(TEXTS), np.load(tmp_path / "v.npy")
    assert (code, out) == (0, "7 rows × 3 numbers as int8, 3 bytes a document, in v.npy\n")
    assert written.dtype == np.int8
    assert written.tobytes() == compress(vectors).tobytes()
    assert ExactIndex(written).search(vectors[:1], 1).ids.tolist() == [[0]]


def test_json_tells_the_type_and_the_bytes_of_a_document(satchel):
    _, out, _ = satchel("encode", "lsi", "new.txt", "v.npy", "--int8", "--json")
    expected = {"rows": 7, "numbers": 3, "encoder": "Lsi", "file": "v.npy", "type": "int8", "bytes per document": 3}
    assert json.loads(out) == expected


def test_a_document_takes_a_byte_a_number_on_disk(satchel, tmp_path):
    satchel("encode", "lsi", "new.txt", "v.npy", "--int8")
    assert (tmp_path / "v.npy").stat().st_size == 128 + 7 * 3  # the head of an .npy file is 128 bytes


@pytest.mark.parametrize("output", ["v.npz", "v.npy"])
def test_int8_is_refused_for_sparse_vectors(satchel, tmp_path, output):
    TfIdf().fit(TEXTS).save(tmp_path / "tfidf")
    message = sentence(satchel("encode", "tfidf", "new.txt", output, "--int8"))
    assert "--int8 is for dense vectors and those of TfIdf are sparse; leave it out" in message
    assert not (tmp_path / output).exists()


@pytest.mark.parametrize("wish", [("--describe",), ("--explain", "cat", "dog")])
def test_int8_is_refused_where_no_vectors_are_written(satchel, wish):
    assert "leave out --int8" in sentence(satchel("encode", "lsi", *wish, "--int8"))


def test_the_components_of_fisher_vectors_are_described_by_their_words(satchel, tmp_path):
    fisher = FisherVectors(n_components=2, dim=3).fit([*TEXTS, "cat sat on a mat", "stock fell hard", "bank ran dry"])
    fisher.save(tmp_path / "fisher")
    _, out, _ = satchel("encode", "fisher", "--describe", "-k", "3", "--json")
    described = json.loads(out)
    assert [row["component"] for row in described] == [0, 1]
    assert [row["words"] for row in described] == [fisher.describe_component(c, 3) for c in range(2)]
    assert sum(row["weight"] for row in described) == pytest.approx(1, abs=1e-3)
