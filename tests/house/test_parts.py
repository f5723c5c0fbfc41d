"""The table of parts: its names, what is built from a name and parameters, and classes of one's own."""

import hashlib
import json
import sys
from importlib import import_module

import numpy as np
import pytest

from satchel import FusedRetriever
from satchel.cli.app import main
from satchel.datasets import AdHocSet, Documents, Queries, Review
from satchel.encoders import Lsi, TfIdf, load_encoder
from satchel.errors import InputError
from satchel.evaluation import simulate_screening
from satchel.experiments import read_experiment, run_experiment
from satchel.experiments.kept import KEPT
from satchel.parts import METHODS, PARTS, build, listed, part
from satchel.ranking import Bm25, EncoderRetriever
from satchel.storage.model_folder import load_model, save_model
from satchel.words import YuleWords

OWN = '''
"""Classes of a person's own."""
from pathlib import Path

import numpy as np

from satchel import Bm25, Lsi, LsiWords
from satchel.types import Ranking

Path(__file__).with_suffix(".imported").touch()


class MyEncoder(Lsi):
    def transform(self, texts):
        return np.abs(super().transform(texts))


class MyRetriever:
    """Finds the documents from the first one on, whatever is asked."""

    def __init__(self, start=0, random_state=0):
        self.start, self.random_state = start, random_state

    def get_params(self, deep=True):
        return {"start": self.start, "random_state": self.random_state}

    def fit(self, texts, labels=None):
        self.n = len(texts)
        return self

    def search(self, queries, k):
        places = np.arange(self.start, self.start + k)
        ids = np.tile(np.where(places < self.n, places, -1), (len(queries), 1))
        return Ranking(ids, np.where(ids < 0, -np.inf, -ids).astype(np.float32))


class MyWords(LsiWords):
    pass


class MyExpansion:
    n_documents = 0

    def check(self): ...

    def expand(self, queries, feedback, counts):
        return queries


class MyModel:
    """The longest record first."""

    def read(self, texts):
        self.lengths = np.array([len(text) for text in texts], float)

    def scores(self, shown, relevant):
        return self.lengths


a_function = len
'''
TEXTS = ["cat purr paw", "dog bark bone", "cat claw meow", "dog leash bark", "owl night wing", "cat dog owl wing"]


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The name of a module of one's own, in the current folder; gone afterwards."""
    name = f"own_{hashlib.sha256(str(tmp_path).encode()).hexdigest()[:12]}"
    (tmp_path / f"{name}.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield name
    sys.modules.pop(name, None)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in PARTS.items() for name in names])
def test_every_name_of_the_table_is_a_part_of_its_kind(kind, name):
    module, _, cls = PARTS[kind][name].partition(":")
    found = listed(kind, name)
    assert found is getattr(import_module(module), cls)
    assert all(callable(getattr(found, method)) for method in METHODS[kind])


@pytest.mark.parametrize("name", PARTS["encoder"])
def test_an_encoder_is_listed_under_the_name_that_it_is_saved_by(name):
    assert listed("encoder", name).__name__ == name


@pytest.mark.parametrize("kind", PARTS)
def test_an_unknown_name_lists_those_of_its_kind(kind):
    with pytest.raises(InputError, match=f"unknown {kind} 'nope'; choose from") as caught:
        part(kind, "nope")
    told = set(str(caught.value).partition("choose from ")[2].split(", "))
    others = {"retriever": [*PARTS["network"], *PARTS["encoder"]]}.get(kind, [])
    assert told == {*PARTS[kind], *others}


@pytest.mark.parametrize(
    ("kind", "name", "method"),
    [
        ("encoder", "MyEncoder", "transform"),
        ("retriever", "MyRetriever", "search"),
        ("network", "MyRetriever", "search"),
        ("learner of words", "MyWords", "learn"),
        ("expansion", "MyExpansion", "expand"),
        ("screening model", "MyModel", "scores"),
    ],
)
def test_a_class_of_ones_own_is_built_where_a_name_is(own, kind, name, method):
    found = build(kind, {"name": f"{own}:{name}"}, 7)
    assert (type(found).__module__, type(found).__name__) == (own, name)
    assert callable(getattr(found, method))
    assert getattr(found, "random_state", 7) == 7


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (
            "nowhere_at_all:Thing",
            r"the retriever 'nowhere_at_all:Thing' cannot be imported \(ModuleNotFoundErr.*\)",
        ),
        ("{own}:Nothing", "the retriever '{own}:Nothing' does not exist: the module {own} has no class Nothing"),
        ("{own}:a_function", "does not exist: the module {own} has no class a_function"),
        ("{own}:MyModel", "'{own}:MyModel' cannot be the retriever: it needs the methods fit and search"),
        ("broken:Thing", r"the retriever 'broken:Thing' cannot be imported \(RuntimeError: two lines\)"),
        ("../own:Thing", r"'\.\./own:Thing' names no retriever; write it as package.module:Class"),
        ("os:system:x", "names no retriever"),
        (":Thing", "names no retriever"),
    ],
)
def test_a_path_that_is_no_part_is_refused_in_one_sentence(own, tmp_path, path, sentence):
    (tmp_path / "broken.py").write_text("raise RuntimeError('two\\nlines')", encoding="utf-8")
    with pytest.raises(InputError, match=sentence.format(own=own)) as caught:
        build("retriever", {"name": path.format(own=own)})
    assert "\n" not in str(caught.value)


def test_the_current_folder_is_looked_into_last_and_only_meanwhile(own, tmp_path):
    (tmp_path / "calendar.py").write_text("hidden = True", encoding="utf-8")
    before = list(sys.path)
    part("retriever", f"{own}:MyRetriever")
    assert sys.path == before
    with pytest.raises(InputError, match="has no class Nothing"):
        part("retriever", "calendar:Nothing")
    assert not hasattr(sys.modules["calendar"], "hidden")


def test_parts_inside_a_part_may_be_ones_own_and_are_seeded(own):
    retrievers = [{"name": "Bm25", "expansion": {"name": f"{own}:MyExpansion"}}, {"name": f"{own}:MyRetriever"}]
    fused = build("retriever", {"name": "FusedRetriever", "retrievers": retrievers, "weights": [1, 0]}, 5)
    assert isinstance(fused, FusedRetriever)
    lexical, mine = fused.retrievers
    assert type(lexical.expansion).__name__ == "MyExpansion"
    assert (type(mine).__name__, mine.random_state) == ("MyRetriever", 5)
    assert (fused.fit(TEXTS).search(["cat"], 3).ids == Bm25().fit(TEXTS).search(["cat"], 3).ids).all()
    words = {"learn": f"{own}:MyWords", "dim": 2}
    encoder = build("retriever", {"name": "EncoderRetriever", "encoder": {"name": "MeanWords", "words": words}}).encoder
    assert (type(encoder.words).__name__, encoder.words.dim) == ("MyWords", 2)


def test_an_encoder_of_ones_own_is_a_retriever_by_cosine(own):
    found = build("retriever", {"name": f"{own}:MyEncoder", "n_components": 2}, 3)
    assert isinstance(found, EncoderRetriever)
    assert (found.encoder.n_components, found.encoder.random_state) == (2, 3)
    with pytest.raises(InputError, match=f"unknown parameter of {own}:MyEncoder 'size'; choose from .*n_components"):
        build("retriever", {"name": f"{own}:MyEncoder", "size": 2})


def test_a_learner_of_words_has_a_name_or_is_said_to_learn_them():
    for key in ("name", "learn"):
        words = build("encoder", {"name": "MeanWords", "words": {key: "yule", "dim": 3}}, 4).words
        assert isinstance(words, YuleWords)
        assert (words.dim, words.random_state) == (3, 4)
    with pytest.raises(InputError, match=r'words is .*; expected a table with a name, such as \{ learn = "yule" \}'):
        build("encoder", {"name": "MeanWords", "words": {"dim": 3}})


def test_what_a_part_needs_and_was_not_given_is_named(own):
    with pytest.raises(InputError, match=r'EncoderRetriever needs encoder: a table such as \{ name = "TfIdf" \}'):
        build("retriever", {"name": "EncoderRetriever"})
    with pytest.raises(InputError, match=r"encoder is \{\}; expected a table with a name"):
        build("encoder", {})


def test_a_model_folder_never_has_anything_imported(own, tmp_path):
    """Neither as its encoder nor among its parameters: only a person names a path."""
    path = f"{own}:MyEncoder"
    Lsi(2).fit(TEXTS).save(tmp_path / "model")
    good = load_model(tmp_path / "model")
    parameters = good.config["parameters"]
    assert isinstance(parameters, dict)
    forged = {
        "class": {"encoder": path, "parameters": parameters},
        "name": {"encoder": "Lsi", "parameters": {**parameters, "name": path}},
        "words": {"encoder": "MeanWords", "parameters": {"words": {"learn": path}}},
        "tokenizer": {"encoder": "Lsi", "parameters": {**parameters, "tokenizer": {"name": path}}},
    }
    for name, config in forged.items():
        save_model(tmp_path / name, config, good.arrays, good.words)
        with pytest.raises(ValueError, match=r"unknown encoder|is not a whole"):
            load_encoder(tmp_path / name)
    assert own not in sys.modules
    assert not list(tmp_path.glob("*.imported"))
    part("encoder", path)  # which is what all of these would have done
    assert list(tmp_path.glob("*.imported"))


DATA = AdHocSet(
    "judged",
    Documents([f"d{n}" for n in range(6)], TEXTS, [""] * 6),
    Queries(["q"], ["bird"]),
    {"test": {"q": {"d3": 1}}},
)
REVIEW = Review("reviews/tiny", TEXTS, np.array([False, True, False, True, False, False]))


@pytest.fixture
def satchel(monkeypatch, capsys):
    """Exit code, standard output and standard error of a command, on tiny data."""
    known = {"judged": DATA, "reviews/tiny": REVIEW}
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", known.__getitem__)
    monkeypatch.setattr("satchel.datasets.load", known.__getitem__)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["satchel", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        return stop.value.code or 0, *capsys.readouterr()

    yield run
    KEPT.forget()


def test_the_command_line_takes_a_retriever_of_ones_own(own, satchel):
    code, out, _ = satchel("evaluate", "judged", "--retriever", f"{own}:MyRetriever", "--set", "start=2", "--json")
    assert (code, json.loads(out)["measures"]["AP"]) == (0, 0.5)  # d3 is the second that it finds
    code, _, err = satchel("evaluate", "judged", "--retriever", f"{own}:MyModel")
    assert code == 2
    assert err == f"satchel: '{own}:MyModel' cannot be the retriever: it needs the methods fit and search\n"


def test_the_command_line_takes_an_encoder_and_a_screening_model_of_ones_own(own, satchel):
    code, out, _ = satchel("evaluate", "judged", "--encoder", f"{own}:MyEncoder", "--set", "n_components=2", "--json")
    assert (code, json.loads(out)["encoder"]) == (0, f"{own}:MyEncoder")
    code, out, _ = satchel("simulate", "reviews/tiny", "--screening-model", f"{own}:MyModel", "--json")
    told = json.loads(out)
    assert code == 0
    lengths = [len(TEXTS[place]) for place in told["order"]]
    assert lengths == sorted(lengths, reverse=True)
    mine = simulate_screening(TEXTS, REVIEW.included, tuple(told["start"]), model=f"{own}:MyModel")
    assert mine.order.tolist() == told["order"]


def test_a_folder_of_a_class_of_ones_own_is_read_by_the_class_that_the_command_names(own, satchel, tmp_path):
    encoder = build("encoder", {"name": f"{own}:MyEncoder", "n_components": 2}).fit(TEXTS)
    encoder.save(tmp_path / "model")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    encode = ("encode", tmp_path / "model", tmp_path / "texts.txt", tmp_path / "vectors.npy")
    assert "unknown encoder 'MyEncoder'" in satchel(*encode)[2]
    assert satchel(*encode, "--encoder", f"{own}:MyEncoder")[0] == 0
    assert (np.load(tmp_path / "vectors.npy") == encoder.transform(TEXTS)).all()
    assert "holds the encoder MyEncoder, not Lsi" in satchel(*encode, "--encoder", "Lsi")[2]


def test_a_class_of_ones_own_is_trained_and_encodes(own, satchel, tmp_path):
    (tmp_path / "texts.tsv").write_text("".join(f"x\t{text}\n" for text in TEXTS), encoding="utf-8")
    train = ("train", tmp_path / "texts.tsv", tmp_path / "model", "--encoder")
    code, out, _ = satchel(*train, f"{own}:MyEncoder", "--set", "n_components=2", "--seed", 3, "--json")
    told = json.loads(out)
    assert (code, told["encoder"], told["numbers"], told["labelled"]) == (0, "MyEncoder", 2, 6)
    expected = build("encoder", {"name": f"{own}:MyEncoder", "n_components": 2}, 3).fit(TEXTS).transform(TEXTS)
    assert (part("encoder", f"{own}:MyEncoder").load(tmp_path / "model").transform(TEXTS) == expected).all()
    code, out, _ = satchel(*train, "TfIdf")
    assert (code, "6 documents, 6 labelled, 1 classes; TfIdf gives each text 12 numbers" in out) == (0, True)
    assert "--codewords, --epochs belong to the bag" in satchel(*train, "Lsi", "--codewords", 3, "--epochs", 2)[2]
    assert "name it by --encoder" in satchel(*train[:-1], "--set", "n_components=2")[2]
    assert "leave out the folder, --encoder" in satchel("train", "own.satchel", "./model", "--encoder", "Lsi")[2]


def test_words_are_learned_by_a_learner_of_ones_own(own, satchel, tmp_path):
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    learned = ("words", "learn", tmp_path / "texts.txt", tmp_path / "vectors", "--dim", 2)
    assert satchel(*learned, "--method", f"{own}:MyWords")[0] == 0
    assert (tmp_path / "vectors").is_dir()
    assert "unknown learner of words 'glove'; choose from lsi, yule" in satchel(*learned, "--method", "glove")[2]


def test_an_experiment_names_classes_of_ones_own(own, satchel, tmp_path):
    (tmp_path / "mine.toml").write_text(
        f"""
title = "Mine"
source = "Nowhere"
dataset = "judged"
protocol = "ad-hoc"
judged_by = "AP"
[[methods]]
method = "mine"
retriever = "{own}:MyRetriever"
parameters = {{ start = 2 }}
[[methods]]
method = "both"
retriever = "FusedRetriever"
parameters = {{ retrievers = [{{ name = "{own}:MyRetriever", start = 1 }}, {{ name = "TfIdf" }}], weights = [1, 0] }}
""",
        encoding="utf-8",
    )
    rows = run_experiment(read_experiment("mine.toml"))
    assert {row.method: round(row.measures["AP"], 2) for row in rows} == {"mine": 50, "both": 33.33}


def test_what_is_built_has_the_parameters_of_the_table_alone():
    built = build("encoder", {"name": "TfIdf", "sublinear": True})
    assert built.get_params(deep=False) == TfIdf(sublinear=True).get_params(deep=False)
