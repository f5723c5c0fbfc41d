"""LSI and Yule words, learned from texts."""

import gzip
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

from satchel.arrays import RowsInMemory, cluster_rows, spherical_kmeans
from satchel.encoders import MeanWords
from satchel.errors import InputError
from satchel.text import Tokenizer, learn_vocabulary, smooth_idf, tf_idf
from satchel.words import LsiWords, WordVectors, YuleWords
from satchel.words.learners import Similarities, yule_association

WORDS = [f"w{i}" for i in range(30)]
RANDOM = np.random.default_rng(0)
TEXTS = [" ".join(RANDOM.choice(WORDS, size=8, p=np.arange(1, 31) / 465)) for _ in range(40)] + [""]
LEARNERS = [LsiWords(5, min_count=1), YuleWords(5, min_count=1)]
NAMES = ["LSI", "Yule"]


@pytest.fixture(params=LEARNERS, ids=NAMES)
def learner(request: pytest.FixtureRequest) -> LsiWords | YuleWords:
    return clone(request.param)


def test_the_weights_are_those_of_a_plain_loop() -> None:
    counts = csr_array(np.array([[2, 0, 1], [0, 0, 0], [1, 1, 0]], dtype=np.float32))
    dense, df = counts.toarray(), [2, 1, 1]
    expected = np.zeros((3, 3))
    for i, j in product(range(3), range(3)):
        expected[i, j] = math.log(1 + dense[i, j]) * (1 + math.log(4 / (1 + df[j])))
    for i in (0, 2):
        expected[i] /= math.sqrt(sum(expected[i] ** 2))
    assert tf_idf(counts, smooth_idf(counts), "log(1+count)").toarray() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("scaling", ["unit", "singular", "none"])
def test_lsi_words_are_the_right_singular_vectors_that_numpy_finds(scaling: str) -> None:
    words = LsiWords(6, min_count=1, scaling=scaling).learn(TEXTS)  # type: ignore[arg-type]
    _, counts = learn_vocabulary(TEXTS, Tokenizer())
    _, s, vt = np.linalg.svd(
        tf_idf(counts, smooth_idf(counts), "log(1+count)").toarray().astype(float), full_matrices=False
    )
    expected = vt[:6].T * (1 if scaling == "none" else s[:6])
    if scaling == "unit":
        expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert words.vectors @ words.vectors.T == pytest.approx(expected @ expected.T, abs=1e-4)
    signs = np.sign((words.vectors * expected).sum(axis=0))
    assert words.vectors == pytest.approx(expected * signs, abs=1e-3)


def test_by_plain_counts_the_mean_of_a_documents_words_is_its_lsi_vector() -> None:
    words = LsiWords(6, min_count=1, scaling="none", weighting="tf").learn(TEXTS)
    counts = learn_vocabulary(TEXTS, Tokenizer())[1].toarray().astype(float)
    u, s, _ = np.linalg.svd(counts, full_matrices=False)
    expected = (u * s)[:40, :6]
    means = MeanWords(words).fit(TEXTS).transform(TEXTS)[:40].astype(float)
    cosines, ours = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (expected, means))
    np.testing.assert_allclose(ours @ ours.T, cosines @ cosines.T, atol=1e-4)


def test_unit_rows_have_length_one_and_signs_are_settled() -> None:
    assert np.linalg.norm(LsiWords(6, min_count=1).learn(TEXTS).vectors, axis=1) == pytest.approx(1, abs=1e-6)
    v = LsiWords(6, min_count=1, scaling="none").learn(TEXTS).vectors
    assert (v[np.abs(v).argmax(axis=0), np.arange(6)] > 0).all()


def test_yule_s_association_is_that_of_a_double_loop_over_documents() -> None:
    vocabulary, counts = learn_vocabulary(TEXTS, Tokenizer())
    documents = [set(Tokenizer().tokens(text)) for text in TEXTS]
    found = Similarities(counts).rows(np.arange(len(vocabulary))).toarray()
    expected = np.zeros((len(vocabulary), len(vocabulary)))
    for (i, first), (j, second) in product(enumerate(vocabulary.words), repeat=2):
        a = sum(first in document and second in document for document in documents)
        b = sum(first in document and second not in document for document in documents)
        c = sum(first not in document and second in document for document in documents)
        d = sum(first not in document and second not in document for document in documents)
        total = math.sqrt(a * d) + math.sqrt(b * c)
        expected[i, j] = max(0, (math.sqrt(a * d) - math.sqrt(b * c)) / total) if total else 0
    assert found == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-5)


def test_yule_s_association_at_its_ends() -> None:
    together, first, second = (np.array(x, dtype=np.float32) for x in ([0, 3, 5, 2], [3, 3, 10, 4], [4, 3, 5, 5]))
    assert yule_association(together, first, second, 10).tolist() == [-1, 1, 0, 0]


def test_yule_clusters_do_not_depend_on_the_blocks_and_centres_are_means_of_their_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, counts = learn_vocabulary(TEXTS, Tokenizer())
    similarities = Similarities(counts)
    labels, centres = cluster_rows(similarities, 4)
    monkeypatch.setattr("satchel.words.learners._BLOCK_VALUES", 70)
    assert cluster_rows(similarities, 4).centres == pytest.approx(centres, abs=1e-6)
    rows = similarities.rows(np.arange(similarities.n_rows)).toarray()
    assert np.array_equal(spherical_kmeans(rows, 4).labels, labels)
    assert np.array_equal((rows @ centres.T).argmax(axis=1), labels)
    for cluster, centre in enumerate(centres):
        mean = rows[labels == cluster].mean(axis=0)
        assert centre == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_the_start_may_be_sought_among_few_rows_and_they_differ() -> None:
    rows = np.eye(200, dtype=np.float32)
    few = cluster_rows(RowsInMemory(rows), 5, max_iterations=0, max_seeds=5)
    seeds = np.sort(np.random.default_rng(0).choice(200, 5, replace=False))
    assert np.array_equal(few.centres, rows[seeds])


def test_words_of_the_same_subject_are_near_each_other(learner: LsiWords | YuleWords) -> None:
    subjects = [["apple", "pear", "plum"], ["iron", "zinc", "lead"], ["oak", "elm", "ash"]]
    texts = [" ".join(RANDOM.choice(subject, size=2, replace=False)) for subject in subjects * 20]
    words = clone(learner).set_params(dim=3).learn(texts)
    for subject in subjects:
        assert {near.word for near in words.nearest(subject[0], k=2)} == set(subject[1:])


def test_learned_words_are_of_the_texts_finite_and_the_same_for_the_same_seed(learner: LsiWords | YuleWords) -> None:
    words = learner.learn(TEXTS)
    vocabulary, _ = learn_vocabulary(TEXTS, Tokenizer())
    assert words.words == vocabulary.words
    assert words.vectors.shape == (len(vocabulary), 5)
    assert words.vectors.dtype == np.float32
    assert words.vectors.tobytes() == clone(learner).fit(TEXTS).vectors_.vectors.tobytes()


def test_options_limit_the_words(learner: LsiWords | YuleWords) -> None:
    texts = ["The cats and the dogs", "the dogs ran", "cats ran", "the birds"]
    learner.set_params(dim=2, tokenizer=Tokenizer(stop_words="sklearn", stem=True), min_count=2)
    assert learner.learn(texts).words == ("cat", "dog", "ran")
    assert learner.set_params(max_size=2).learn(texts).words == ("cat", "dog")


def test_too_little_text_is_one_clear_sentence(learner: LsiWords | YuleWords) -> None:
    for texts, message in [
        ([], "there are no texts to learn word vectors from"),
        (["", "..."], "no word occurs 1 times in the 2 texts"),
        (["a b", "c d"], "the texts hold 4 words that can be learned, fewer than dim=5"),
        ("a b c d e f", "texts must be a list of strings"),
        (["a b c d e f", None], "text 1 is of type NoneType"),
    ]:
        with pytest.raises(InputError, match=message):
            learner.learn(texts)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="dim is 0; expected a whole number of at least 1"):
        learner.set_params(dim=0).learn(TEXTS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dim", 2.5),
        ("dim", "abc"),
        ("min_count", "2"),
        ("min_count", 0),
        ("max_size", -5),
        ("max_size", 2.5),
        ("random_state", -1),
        ("random_state", None),
        ("random_state", 2**32),
    ],
)
def test_a_parameter_that_is_no_whole_number_is_named(learner: LsiWords | YuleWords, name: str, value: object) -> None:
    with pytest.raises(InputError, match=rf"^{name} is {value!r}; expected a whole number (of at least|from) \d"):
        learner.set_params(**{name: value}).learn(TEXTS)


def test_what_is_no_tokenizer_is_named(learner: LsiWords | YuleWords) -> None:
    with pytest.raises(InputError, match="tokenizer must be a Tokenizer, not str"):
        learner.set_params(tokenizer="").learn(TEXTS)


def test_what_only_one_learner_cannot_do_is_said_too() -> None:
    with pytest.raises(InputError, match=r"2 texts allow no more dimensions than that; dim is 5"):
        LsiWords(5, min_count=1).learn(["a b c d e", "c d e f"])
    with pytest.raises(InputError, match="unknown scaling 'double'; choose from none, singular, unit"):
        LsiWords(5, scaling="double").learn(TEXTS)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="unknown weighting 'idf'; choose from log-tf-idf, tf"):
        LsiWords(5, weighting="idf").learn(TEXTS)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="only 0 words stand in some but not all texts, fewer than dim=3"):
        YuleWords(3, min_count=1).learn(["a b c", "a b c"])


def test_a_word_of_every_text_has_a_lsi_vector_and_the_zero_yule_vector() -> None:
    texts = [f"always {text}" for text in TEXTS]
    assert np.linalg.norm(LsiWords(5).learn(texts)["always"]) == pytest.approx(1)
    assert not YuleWords(5).learn(texts)["always"].any()


def test_learned_words_can_be_saved_and_loaded(tmp_path: Path) -> None:
    words = LsiWords(5).learn(TEXTS)
    words.save(tmp_path / "lsi")
    assert WordVectors.load(tmp_path / "lsi") == words


def test_on_real_texts_the_nearest_words_of_oil_are_about_oil(data_folder: Path) -> None:
    with gzip.open(data_folder / "r8" / "train.tsv.gz", "rt", encoding="utf-8") as file:
        texts = [line.split("\t")[1] for line in file]
    tokenizer = Tokenizer(stop_words="smart")
    about_oil = {"crude", "barrel", "barrels", "bpd", "petroleum", "opec", "wells", "drilling", "energy", "exploration"}
    learners = [LsiWords(50, tokenizer=tokenizer, min_count=20), YuleWords(20, tokenizer=tokenizer, max_size=800)]
    for learner in learners:
        near = {near.word for near in learner.learn(texts).nearest("oil", k=20)}
        assert len(near & about_oil) >= 4
