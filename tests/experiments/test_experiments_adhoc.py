"""The ad-hoc protocol on a tiny set: which queries ask, what is measured, and whom a method is compared with."""

import pytest

from satchel.datasets import AdHocSet
from satchel.datasets.types import Documents, Queries
from satchel.encoders import FisherVectors, Lsi, MeanWords, TfIdf
from satchel.errors import InputError
from satchel.evaluation import compare
from satchel.experiments import read_experiment, run_experiment
from satchel.experiments.figures.curves import draw_components
from satchel.experiments.protocols.judging import judge_adhoc
from satchel.parts import PARTS, build
from satchel.ranking import Bm25, EncoderRetriever, Rm3, Rocchio
from satchel.text import Tokenizer
from satchel.words import LsiWords, YuleWords

HEAD = """
title = "A tiny table"
source = "Nowhere Table 4"
protocol = "ad-hoc"
judged_by = "AP"
"""
LEXICAL = """
[[methods]]
method = "BM25"
retriever = "Bm25"
parameters = { tokenizer = {} }
datasets = ["tiny"]
"""
LSI = """
[[methods]]
method = "LSI"
encoder = "Lsi"
vary = { n_components = [1, 3] }
datasets = ["tiny"]
distances = ["cosine"]
"""
TEXTS = ["red apple tree", "green apple", "red car", "fast car engine", "tree house", "house with a red door"]


@pytest.fixture
def data():
    documents = Documents([f"d{i}" for i in range(6)], TEXTS, [""] * 6)
    queries = Queries(["q1", "q2", "q3"], ["red apple", "car engine", "house tree"])
    judgments = {"test": {"q1": {"d0": 1, "d1": 1}, "q2": {"d3": 1, "d2": 1}}, "train": {"q3": {"d5": 1}}}
    return AdHocSet("tiny", documents, queries, judgments)


@pytest.fixture
def experiment(tmp_path, monkeypatch, data):
    monkeypatch.setattr("satchel.experiments.protocols.retrieval.load", lambda name: data)

    def made(methods, options="", head=HEAD):
        path = tmp_path / "tiny.toml"
        path.write_text(f"{head}\n[options]\n{options}\n{methods}", encoding="utf-8")
        return read_experiment(str(path))

    return made


def test_a_retriever_is_judged_by_its_own_score_as_the_command_line_judges_it(experiment, data):
    (row,) = run_experiment(experiment(LEXICAL))
    judged = judge_adhoc(data, Bm25(tokenizer=Tokenizer()))
    assert (row.method, row.distance, row.setting) == ("BM25", "score", {"data set": "tiny"})
    assert row.length == len({word for text in TEXTS for word in text.split()})
    assert row.measures["queries"] == 2
    for name, value in judged.result.measures.items():
        assert row.measures[name] == pytest.approx(100 * value, abs=1e-3)


def test_an_encoder_is_searched_by_its_distance(experiment, data):
    first, second = run_experiment(experiment(LSI))
    judged = judge_adhoc(data, EncoderRetriever(Lsi(3)))
    assert (first.length, second.length) == (1, 3)
    assert second.measures["AP"] == pytest.approx(100 * judged.result.measures["AP"], abs=1e-3)


def test_for_choosing_the_queries_of_another_split_ask(experiment, data):
    (row,) = run_experiment(experiment(LEXICAL, 'split = "train"'))
    ranking = Bm25(tokenizer=Tokenizer()).fit(TEXTS).search(["house tree"], 6)
    place = ranking.ids[0].tolist().index(5) + 1
    assert row.measures["queries"] == 1
    assert row.measures["AP"] == pytest.approx(100 / place, abs=1e-3)


def test_a_split_that_is_not_there_is_refused_by_name(experiment):
    with pytest.raises(InputError, match="unknown split of tiny 'dev'; choose from test, train"):
        run_experiment(experiment(LEXICAL, 'split = "dev"'))


def test_the_others_are_compared_with_the_reference_and_the_reference_with_none(experiment, data):
    rows = run_experiment(experiment(LEXICAL + LSI, 'reference = "BM25"'))
    bm25 = judge_adhoc(data, Bm25(tokenizer=Tokenizer())).result.per_query["AP"]
    lsi = judge_adhoc(data, EncoderRetriever(Lsi(3))).result.per_query["AP"]
    expected = compare(lsi, bm25)
    assert "AP, over reference" not in rows[0].measures
    assert rows[2].measures["AP, over reference"] == pytest.approx(100 * expected.difference, abs=1e-3)
    assert rows[2].measures["AP, p over reference"] == pytest.approx(expected.p_randomisation, abs=1e-5)


def test_a_reference_of_several_sizes_is_the_one_of_the_same_size(experiment):
    tf_idf = LSI.replace('"LSI"', '"SVD"').replace("vary = { n_components = [1, 3] }", "{}")
    same = tf_idf.format("parameters = { n_components = 3 }\nsetting = { n_components = 3 }")
    rows = run_experiment(experiment(LSI + same, 'reference = "LSI"'))
    assert rows[2].measures["AP, over reference"] == 0
    assert rows[2].measures["AP, p over reference"] == 1


def test_an_unknown_reference_is_refused(experiment):
    with pytest.raises(InputError, match="unknown reference 'PL2'; choose from BM25"):
        run_experiment(experiment(LEXICAL, 'reference = "PL2"'))


def test_a_method_is_an_encoder_or_a_retriever_and_not_both(experiment):
    with pytest.raises(InputError, match="'BM25' needs an encoder or a retriever, and not both"):
        experiment(LEXICAL + 'encoder = "Lsi"\n')
    with pytest.raises(InputError, match="'BM25' needs an encoder or a retriever"):
        experiment(LEXICAL.replace('retriever = "Bm25"\n', "").replace("{ tokenizer = {} }", "{}"))


def test_a_retriever_joins_no_protocol_that_needs_vectors(experiment):
    head = HEAD.replace("ad-hoc", "clustering").replace('"AP"', '"ARI"')
    with pytest.raises(InputError, match="runs no retriever such as 'BM25'; give an encoder"):
        experiment(LEXICAL, head=head)


def test_an_unknown_retriever_is_refused_with_the_names_there_are(experiment):
    with pytest.raises(InputError, match=r"unknown retriever 'Bm52'; .*Bm25, .*LanguageModel, .*Pl2"):
        experiment(LEXICAL.replace('"Bm25"', '"Bm52"'))
    with pytest.raises(InputError, match="unknown parameter of Bm25 'k2'; choose from b, expansion, k1, tokenizer"):
        build("retriever", {"name": "Bm25", "k2": 1}, 0)


def test_parameters_may_be_tables_that_stand_for_what_they_name():
    expansion = {"name": "Rm3", "n_words": 3}
    found = build("retriever", {"name": "Bm25", "tokenizer": {"min_length": 2}, "expansion": expansion}, 0)
    assert (found.tokenizer, found.expansion) == (Tokenizer(min_length=2), Rm3(n_words=3))
    moved = build("retriever", {"name": "Pl2", "expansion": {"name": "Rocchio", "weights": [1, 1, 0]}}, 0)
    assert moved.expansion == Rocchio(weights=(1, 1, 0))
    with pytest.raises(InputError, match=r"expansion is .*; expected a table with a name"):
        build("retriever", {"name": "Bm25", "expansion": {"n_words": 3}}, 0)


class Both:
    def __init__(self, retrievers, weights=(1, 1), random_state=0):
        self.retrievers, self.weights, self.random_state = retrievers, weights, random_state

    def fit(self, texts, labels=None): ...

    def search(self, queries, k): ...


def test_retrievers_inside_a_retriever_are_built_with_the_seed(monkeypatch):
    monkeypatch.setitem(PARTS["retriever"], "Both", f"{__name__}:Both")
    tables = [{"name": "Bm25", "k1": 2}, {"name": "FisherVectors", "n_components": 3}]
    found = build("retriever", {"name": "Both", "retrievers": tables, "weights": [1, 0.5]}, 7)
    lexical, semantic = found.retrievers
    assert (lexical.k1, semantic.encoder.n_components, semantic.encoder.random_state) == (2, 3, 7)
    assert (found.weights, found.random_state) == ((1, 0.5), 7)
    with pytest.raises(InputError, match="unknown parameter of Bm25 'k2'"):
        build("retriever", {"name": "Both", "retrievers": [{"name": "Bm25", "k2": 2}]}, 0)


def test_an_encoder_by_name_is_a_retriever_too():
    found = build("retriever", {"name": "TfIdf", "sublinear": True}, 0)
    assert isinstance(found, EncoderRetriever)
    assert isinstance(found.encoder, TfIdf)
    assert found.encoder.sublinear


def test_an_encoder_may_be_searched_with_settings_of_its_own():
    table = {"name": "Lsi", "n_components": 3}
    found = build("retriever", {"name": "EncoderRetriever", "encoder": table, "metric": "euclidean"}, 7)
    assert (found.encoder.n_components, found.encoder.random_state, found.metric) == (3, 7, "euclidean")
    with pytest.raises(InputError, match="EncoderRetriever needs encoder: a table such as"):
        build("retriever", {"name": "EncoderRetriever"})
    with pytest.raises(InputError, match="unknown parameter of Lsi 'size'"):
        build("retriever", {"name": "EncoderRetriever", "encoder": {"name": "Lsi", "size": 3}}, 0)


@pytest.mark.parametrize("encoder", [FisherVectors, MeanWords])
def test_words_may_be_learned_from_the_texts_as_a_learner_says(encoder):
    texts = TEXTS * 2
    learner = YuleWords(3, min_count=1)
    own = encoder(learner, tokenizer=Tokenizer(min_length=4)).fit(texts)
    given = YuleWords(3, min_count=1, tokenizer=Tokenizer(min_length=4)).learn(texts)
    assert learner.tokenizer is None
    assert (own.transform(texts) == encoder(given, tokenizer=Tokenizer(min_length=4)).fit(texts).transform(texts)).all()


def test_a_file_names_who_learns_the_words():
    found = build("encoder", {"name": "MeanWords", "words": {"learn": "lsi", "dim": 4}}, 5)
    assert isinstance(found.words, LsiWords)
    assert (found.words.dim, found.words.random_state) == (4, 5)
    with pytest.raises(InputError, match="unknown learner of words 'glove'; choose from lsi, yule"):
        build("encoder", {"name": "MeanWords", "words": {"learn": "glove"}}, 0)
    with pytest.raises(InputError, match=r"unknown parameter of lsi 'size'; choose from .*dim"):
        build("encoder", {"name": "MeanWords", "words": {"learn": "lsi", "size": 4}}, 0)


def test_a_figure_has_a_line_for_each_method_and_size_and_level_ones_without_gaussians(experiment):
    pytest.importorskip("matplotlib")
    picture = '[figures.one]\nkind = "components"\ntitle = "One"\n'
    fisher = LSI.replace('"Lsi"', '"FisherVectors"').replace('"LSI"', '"FV"').replace("[1, 3]", "[1, 2], dim = [2]")
    made = experiment(LEXICAL + fisher + picture)
    rows = run_experiment(made)
    (ax,) = draw_components(made, rows).axes
    level, rising = ax.get_lines()
    assert level.get_ydata() == pytest.approx([rows[0].measures["AP"]] * 2)
    assert rising.get_xdata() == pytest.approx([1, 2])
    assert rising.get_ydata() == pytest.approx([row.measures["AP"] for row in rows[1:]])
    assert (level.get_label(), rising.get_label()) == ("BM25", "FV, e=2")
