"""`satchel encode`: what it tells of the vectors that it writes; the themes of a model."""

import json

import pytest

from command_line import run
from satchel import FisherVectors, Lsi

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


def test_json_tells_how_many_rows_and_numbers_were_written(satchel):
    _, out, _ = satchel("encode", "lsi", "new.txt", "v.npy", "--json")
    assert json.loads(out) == {"rows": 7, "numbers": 3, "encoder": "Lsi", "file": "v.npy"}


def test_the_components_of_fisher_vectors_are_described_by_their_words(satchel, tmp_path):
    fisher = FisherVectors(n_components=2, dim=3).fit([*TEXTS, "cat sat on a mat", "stock fell hard", "bank ran dry"])
    fisher.save(tmp_path / "fisher")
    _, out, _ = satchel("encode", "fisher", "--describe", "-k", "3", "--json")
    described = json.loads(out)
    assert [row["component"] for row in described] == [0, 1]
    assert [row["words"] for row in described] == [fisher.describe_component(c, 3) for c in range(2)]
    assert sum(row["weight"] for row in described) == pytest.approx(1, abs=1e-3)
