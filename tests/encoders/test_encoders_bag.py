"""BagOfEmbeddedWords by the recipe of the paper: the model, its training step by step, what it says of itself."""

import subprocess
import sys

import numpy as np
import pytest

from fresh_interpreter import output
from made_texts import MONEY, PETS, corpus
from satchel import BagOfEmbeddedWords, WordVectors
from satchel.encoders.bag.start import class_centres, learn_codebook
from satchel.errors import InputError, MissingExtraError
from satchel.estimator import flat_names, from_flat
from satchel.text import Tokenizer

pytest.importorskip("torch")


def paper_bag(words: WordVectors | None = None, n_codewords: int = 64, **flat: object) -> BagOfEmbeddedWords:
    """The paper's recipe and training, with other values in their places."""
    given = {"words": words, "n_codewords": n_codewords, "recipe": "paper"}
    return from_flat(BagOfEmbeddedWords, given | flat)


@pytest.fixture(scope="module")
def words() -> WordVectors:
    """Random vectors: nothing in them tells the two topics apart."""
    vectors = np.random.default_rng(0).normal(size=(16, 6)).astype(np.float32)
    return WordVectors((*PETS, *MONEY), vectors)


def purity(encoder: BagOfEmbeddedWords, seed: int) -> float:
    """How often the nearest of 60 documents has the query's label."""
    texts, labels = corpus(60, seed)
    queries, wanted = corpus(60, seed + 1)
    database, found = encoder.transform(texts), encoder.transform(queries)
    database /= np.linalg.norm(database, axis=1, keepdims=True)
    nearest = (found @ database.T).argmax(axis=1)
    return float(np.mean([labels[row] == label for row, label in zip(nearest, wanted, strict=True)]))


def test_a_document_is_the_mean_membership_of_its_words(words):
    encoder = paper_bag(words, n_codewords=4, sigma=0.9).fit(corpus(20, 0)[0])
    expected = np.zeros(4)
    for word in ("cat", "bank", "cat"):
        d = np.exp([-np.linalg.norm(words[word] - codeword) / 0.9**2 for codeword in encoder.codebook_])
        expected += d / d.sum() / 3
    np.testing.assert_allclose(encoder.transform(["cat bank unseen cat"])[0], expected, atol=1e-6)


def test_a_trained_document_is_the_mean_membership_of_its_words_under_the_mask(words):
    encoder = paper_bag(words, 4, m=0.05, batch_size=20, n_epochs=3).fit(*corpus(60, 0))
    rows = [encoder.rows_[encoder.vocabulary_.words.index(word)] for word in ("cat", "bank", "cat")]
    np.testing.assert_allclose(np.sum(rows, axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(
        encoder.transform(["cat bank unseen cat"])[0], np.mean(rows, axis=0) * encoder.mask_, 1e-5
    )
    assert not np.allclose(encoder.mask_, 1, atol=0.01)


def test_without_labels_rows_sum_to_one_and_the_mask_is_one(words):
    encoder = paper_bag(words, n_codewords=4).fit(corpus(20, 0)[0])
    np.testing.assert_allclose(encoder.transform(["cat dog", "bank"]).sum(axis=1), 1, rtol=1e-6)
    assert encoder.mask_.tolist() == [1, 1, 1, 1]
    assert encoder.history_ == []


def test_words_are_learned_from_the_texts_where_none_are_given():
    texts, _ = corpus(60, 0)
    assert purity(paper_bag(n_codewords=4).fit(texts), 1) > 0.9


def test_training_teaches_what_the_word_vectors_do_not_know(words):
    texts, labels = corpus(120, 0)
    settings = {"n_codewords": 4, "sigma": 0.9, "m": 0.05, "batch_size": 20, "n_epochs": 15}
    untrained = paper_bag(words, **settings).fit(texts)
    trained = paper_bag(words, **settings).fit(texts, labels)
    assert purity(trained, 1) == 1.0 > purity(untrained, 1)
    assert trained.history_[-1].loss < trained.history_[0].loss


@pytest.mark.parametrize("objective", ["entropy", "spherical-entropy"])
def test_both_objectives_and_several_centres_learn(words, objective):
    texts, labels = corpus(120, 0)
    encoder = paper_bag(
        words, 4, objective=objective, sigma=0.9, m=0.02, batch_size=20, n_epochs=15, centres_per_class=2
    )
    assert purity(encoder.fit(texts, labels), 1) > 0.95


@pytest.mark.parametrize("labels", ["None", "labels"])
def test_a_seed_gives_the_same_bytes_on_any_number_of_threads(labels):
    code = f"""
import hashlib
from made_texts import corpus
from satchel import BagOfEmbeddedWords
from satchel.estimator import from_flat
texts, labels = corpus(1200, 0)
given = dict(recipe="paper", n_codewords=4, n_epochs=1, centres_per_class=4, random_state=3)
encoder = from_flat(BagOfEmbeddedWords, given).fit(texts, {labels})
print(hashlib.sha256(encoder.transform(texts).tobytes()).hexdigest())
"""
    assert len({output(code, OMP_NUM_THREADS=n, OPENBLAS_NUM_THREADS=n) for n in ("1", "2")}) == 1


def test_a_codeword_is_described_by_the_words_that_belong_most_to_it(words):
    texts, labels = corpus(120, 0)
    encoder = paper_bag(words, 2, sigma=0.9, m=0.05, batch_size=20, n_epochs=30).fit(texts, labels)
    for codeword in range(2):
        belongs = {word: encoder.rows_[row, codeword] for row, word in enumerate(encoder.vocabulary_.words)}
        assert encoder.describe(codeword, 3) == sorted(belongs, key=lambda word: -belongs[word])[:3]
    for wrong in ({"codeword": 2}, {"codeword": -1}, {"codeword": 0.5}, {"codeword": 0, "k": -1}):
        with pytest.raises(InputError, match="expected a whole number"):
            encoder.describe(**wrong)


def test_an_explanation_by_codewords_and_one_by_words_both_sum_to_the_cosine(words):
    encoder = paper_bag(words, n_codewords=4).fit(corpus(20, 0)[0])
    q, d = encoder.transform(["cat dog bank", "stock cat cat"])
    cosine = float(q @ d / np.linalg.norm(q) / np.linalg.norm(d))
    explanation = encoder.explain("cat dog bank", "stock cat cat")
    assert sum(share.contribution for share in explanation.words) == pytest.approx(cosine, abs=1e-5)
    assert sum(share.contribution for share in explanation.codewords) == pytest.approx(cosine, abs=1e-5)
    assert all(share.words for share in explanation.codewords)


def test_an_interrupted_fit_goes_on_where_it_was(words, tmp_path, monkeypatch):
    texts, labels = corpus(60, 0)
    settings = {"n_codewords": 4, "m": 0.05, "batch_size": 20, "n_epochs": 4}
    whole = paper_bag(words, **settings).fit(texts, labels)
    encoder = paper_bag(words, checkpoint=str(tmp_path / "half"), **settings)
    paper_bag(words, checkpoint=str(tmp_path / "half"), **{**settings, "n_epochs": 2}).fit(texts, labels)
    encoder.fit(texts, labels)
    assert [record.epoch for record in encoder.history_] == [1, 2, 3, 4]
    assert encoder.transform(texts).tobytes() == whole.transform(texts).tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"centres_per_class": 2},
        {"m": 0.1},
        {"sigma": 0.6},
        {"random_state": 1},
        {"batch_size": 7},
        {"learned": ("mask",)},
        {"objective": "entropy"},
        {"validation_fraction": 0.2},
        {"word_updates": "all"},
        {"max_length": 3},
        {"learning_rate": 0.02},
        {"word_dropout": 0.2},
        {"schedule": "cosine"},
        {"standardised": True},
        {"slope": 0.5},
        {"weighting": "log-idf"},
        {"codebook": "spherical"},
        {"tokenizer": Tokenizer(min_length=4)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_checkpoint_of_another_training_is_refused(words, tmp_path, change):
    texts, labels = corpus(60, 0)
    encoder = paper_bag(words, 4, n_epochs=1, checkpoint=tmp_path / "half").fit(texts, labels)
    changed = {flat_names(type(encoder))[name]: value for name, value in change.items()}
    with pytest.raises(InputError, match="belongs to another training"):
        encoder.set_params(**changed).fit(texts, labels)


def test_a_checkpoint_of_other_texts_or_labels_is_refused(words, tmp_path):
    texts, labels = corpus(60, 0)
    encoder = paper_bag(words, 4, n_epochs=1, checkpoint=tmp_path / "half").fit(texts, labels)
    for other in ((texts[::-1], labels), (texts, sorted(labels))):
        with pytest.raises(InputError, match="belongs to another training"):
            encoder.fit(*other)


def test_a_checkpoint_beyond_the_epochs_asked_for_is_refused(words, tmp_path):
    texts, labels = corpus(60, 0)
    paper_bag(words, 4, n_epochs=3, checkpoint=tmp_path / "half").fit(texts, labels)
    with pytest.raises(InputError, match="after 3 epochs and 0 batches, beyond n_epochs=2; ask for more"):
        paper_bag(words, 4, n_epochs=2, checkpoint=tmp_path / "half").fit(texts, labels)


def test_validation_documents_are_set_aside_and_can_stop_it(words):
    texts, labels = corpus(80, 0)
    encoder = paper_bag(words, 4, m=0.05, n_epochs=40, batch_size=20, validation_fraction=0.25, patience=2)
    history = encoder.fit(texts, labels).history_
    assert all(record.validation_loss is not None for record in history)


def test_training_looks_at_the_first_words_but_encoding_at_all(words):
    texts, labels = corpus(40, 0)
    padded = [f"{text} {'bank ' * 50}" for text in texts]
    settings = {"n_codewords": 4, "n_epochs": 2, "m": 0.05, "min_count": 1}
    short = paper_bag(words, max_length=12, **settings).fit(padded, labels)
    assert short.history_[0].loss != paper_bag(words, **settings).fit(padded, labels).history_[0].loss
    assert not np.allclose(short.transform([padded[0]]), short.transform([texts[0]]))


def test_a_trained_folder_loads_and_serves_without_torch(words, tmp_path):
    texts, labels = corpus(60, 0)
    encoder = paper_bag(words, 4, n_epochs=2).fit(texts, labels)
    encoder.save(tmp_path / "model")
    code = f"""
import sys
class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise ModuleNotFoundError("no torch here", name="torch")
sys.meta_path.insert(0, NoTorch())
from satchel.encoders import load_encoder
encoder = load_encoder({str(tmp_path / "model")!r})
print(encoder.transform({texts[:3]!r}).tobytes().hex(), encoder.describe(0, 1) != [])
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert out == [encoder.transform(texts[:3]).tobytes().hex(), "True"]


def test_training_without_torch_names_the_extra(words, monkeypatch):
    for name in [name for name in sys.modules if name == "torch" or name.startswith("satchel.learning")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'satchel\[train\]'"):
        paper_bag(words, 4).fit(*corpus(20, 0))


@pytest.mark.parametrize(
    ("settings", "labels", "message"),
    [
        ({}, ["a"] * 20, "all 20 labelled texts have the label 'a'; training needs two classes or more"),
        ({}, [None] * 20, "none of the 20 texts has a label; training needs two classes or more"),
        ({}, [None, *["a"] * 19], "all 19 labelled texts have the label 'a'"),
        ({"n_codewords": 17}, None, "16 words with 16 distinct vectors allow from 1 to 16"),
        ({}, ["", *["a", "b"] * 9, "a"], "text 0 has the empty string for a label; give None where there is no label"),
        ({}, [["a", None], *["a", "b"] * 9, "a"], "text 0 has None inside its labels"),
        (
            {},
            [{"a": 1}, *["a", "b"] * 9, "a"],
            "text 0 has {'a': 1} inside its labels; a label is a string or a number",
        ),
        ({"validation_fraction": 0.001}, ["a", "b"] * 10, "sets aside none of the 20 labelled texts"),
        ({"patience": 2}, None, "patience needs documents set aside"),
        ({"sigma": float("inf")}, None, "sigma is inf"),
        ({"sigma": "0.5"}, None, "sigma is '0.5'"),
        ({"m": float("nan")}, None, "m is nan"),
        ({"learned": "words"}, None, "expected a list of parts"),
        ({"learned": ("mask", "mask")}, None, "expected each part once"),
        ({"learned": {"words"}}, None, "expected a list of parts"),
        ({"checkpoint": 3}, None, "checkpoint must be the path of a folder, not int"),
        ({"objective": "joy"}, None, "unknown objective 'joy'"),
        ({"device": "tpu"}, None, "unknown device 'tpu'"),
        ({"word_updates": "some"}, None, "unknown word updates 'some'"),
        ({"sigma": 0.0}, None, "sigma is 0.0"),
        ({"m": -1.0}, None, "m is -1.0"),
        ({"recipe": "soup"}, None, "unknown recipe 'soup'; choose from best, paper"),
        ({"words": "glove"}, None, "words must be WordVectors or None, not str"),
        ({"validation_fraction": 1.0}, None, "validation_fraction is 1.0"),
        ({"unknown_words": "ones"}, None, "choose from paper, small, zeros"),
        ({"device": "tpu"}, ["a", "b"] * 10, "choose from cpu, cuda"),
    ],
)
def test_what_cannot_be_learned_is_refused_in_one_sentence(words, settings, labels, message):
    with pytest.raises(InputError, match=message):
        paper_bag(**{"words": words, "n_codewords": 4, **settings}).fit(corpus(20, 0)[0], labels)


def test_a_class_with_one_document_is_a_class(words):
    texts, labels = corpus(20, 0)
    encoder = paper_bag(words, 4, n_epochs=1, validation_fraction=0.5).fit(texts, ["alone", *labels[1:]])
    assert np.isfinite(encoder.transform(texts)).all()


@pytest.mark.parametrize("nothing", [None, float("nan"), []])
def test_texts_without_a_label_teach_no_classes(words, nothing):
    texts, labels = corpus(60, 0)
    settings = {"n_codewords": 4, "m": 0.05, "batch_size": 20, "n_epochs": 2}
    whole = paper_bag(words, **settings).fit(texts, labels)
    half = paper_bag(words, **settings).fit([*texts, *texts], [*labels, *[nothing] * 60])
    assert half.transform(texts).tobytes() == whole.transform(texts).tobytes()


def test_documents_of_several_labels_are_trained_on(words):
    texts, labels = corpus(120, 0)
    several = [[label, "any"] if number % 3 == 0 else [label] for number, label in enumerate(labels)]
    encoder = paper_bag(words, 4, sigma=0.9, m=0.05, batch_size=20, n_epochs=15).fit(texts, several)
    assert purity(encoder, 1) > 0.95


def test_words_without_a_vector_start_as_asked(words):
    texts = ["cat unheard", "dog unheard"]
    zeros = paper_bag(words, 2, unknown_words="zeros").fit(texts)
    row = zeros.vocabulary_.words.index("unheard")
    assert not zeros.word_vectors_[row].any()
    assert paper_bag(words, 2).fit(texts).word_vectors_[row].any()


def test_centres_are_class_means_or_several_within_a_class():
    s = np.array([[0, 0], [0, 2], [4, 0], [4, 4]], dtype=np.float32)
    belongs = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
    centres, classes = class_centres(s, belongs, 1, 0)
    assert (centres.tolist(), classes.tolist()) == ([[0, 1], [4, 2]], [0, 1])
    centres, classes = class_centres(s, belongs, 3, 0)
    assert sorted(zip(classes.tolist(), centres.tolist(), strict=True)) == [
        (0, [0, 0]),
        (0, [0, 2]),
        (1, [4, 0]),
        (1, [4, 4]),
    ]


def test_a_document_of_two_classes_counts_for_both_centres():
    s = np.array([[0, 0], [2, 2], [4, 0]], dtype=np.float32)
    centres, classes = class_centres(s, np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32), 1, 0)
    assert (centres.tolist(), classes.tolist()) == ([[1, 1], [3, 1]], [0, 1])


def test_the_codebook_is_where_the_words_are():
    x = np.repeat([[0.0, 0.0], [9.0, 9.0]], 5, axis=0).astype(np.float32) + np.arange(10)[:, None] * 0.01
    assert sorted(learn_codebook(x.astype(np.float32), 2, 0)[:, 0].tolist()) == pytest.approx([0.02, 9.07])


def test_tokenizer_and_min_count_shape_the_vocabulary(words):
    encoder = paper_bag(words, 2, tokenizer=Tokenizer(lowercase=False), min_count=2)
    assert encoder.fit(["cat cat Dog", "dog dog cat"]).vocabulary_.words == ("cat", "dog")
