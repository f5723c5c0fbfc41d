"""BagOfEmbeddedWords by the best recipe: themes and classes by regression, with numpy alone."""

from collections import Counter
from dataclasses import fields

import numpy as np
import pytest
from sklearn.metrics import label_ranking_average_precision_score

from fresh_interpreter import output
from made_texts import EVERY_WORD, TOPICS, collection
from satchel import BagOfEmbeddedWords, WordVectors
from satchel.arrays import unit_rows
from satchel.encoders import Recipe, Training, load_encoder
from satchel.encoders.bag.start import memberships
from satchel.errors import InputError
from satchel.estimator import from_flat
from satchel.storage.model_folder import load_model

TEXTS = ["cat dog", "dog cat bird", "bank stock", "stock bank bond", "bird cat", "bond bank"]
LABELS = ["pets", "pets", "money", "money", "pets", "money"]


def average_precision(encoder: BagOfEmbeddedWords, kind=lambda label: label) -> float:
    """The mean over 60 new queries of how well new documents of the query's kind stand before others."""
    (texts, labels), (queries, wanted) = collection(120, 1), collection(60, 2)
    documents, asked = (unit_rows(encoder.transform(given)) for given in (texts, queries))
    relevant = np.array([[kind(label) == kind(query) for label in labels] for query in wanted])
    return float(label_ranking_average_precision_score(relevant, asked @ documents.T))


@pytest.fixture(scope="module")
def untrained() -> BagOfEmbeddedWords:
    return BagOfEmbeddedWords().fit(collection(180, 0)[0])


@pytest.fixture(scope="module")
def trained() -> BagOfEmbeddedWords:
    return BagOfEmbeddedWords().fit(*collection(180, 0))


def test_learning_from_texts_and_from_labels_loads_no_torch():
    code = """
import sys
from made_texts import collection
from satchel import BagOfEmbeddedWords
texts, labels = collection(60, 0)
for given in (None, labels):
    assert BagOfEmbeddedWords().fit(texts, given).transform(texts).any()
print("torch" in sys.modules)
"""
    assert output(code) == "False\n"


def test_without_labels_and_words_the_topics_are_learned_from_the_texts(untrained):
    chance = 1 / len(TOPICS)
    assert average_precision(untrained) > 2 * chance
    assert (untrained.strength_, untrained.strengths_, untrained.history_) == (0, {}, [])


def test_labels_bring_documents_of_a_class_together(trained, untrained):
    assert average_precision(trained) > average_precision(untrained) + 0.1
    assert trained.strengths_[trained.strength_] == max(trained.strengths_.values()) > trained.strengths_[0]


def test_few_labels_among_many_texts_do_not_do_worse_than_none(untrained):
    texts, labels = collection(180, 0)
    few = BagOfEmbeddedWords().fit(texts, [*labels[:30], *[None] * 150])
    assert average_precision(few) > average_precision(untrained)
    assert few.vocabulary_.words == untrained.vocabulary_.words  # words of texts without a label are learned too


def test_a_missing_number_is_no_label_at_any_precision():
    texts, labels = collection(60, 0)
    numbers = [None if number % 3 else int(label[-1]) for number, label in enumerate(labels)]
    expected = BagOfEmbeddedWords(n_codewords=8).fit(texts, numbers).transform(texts)
    for precision in (np.float64, np.float32):
        found = BagOfEmbeddedWords(n_codewords=8).fit(texts, np.array(numbers, dtype=precision)).transform(texts)
        assert found.tobytes() == expected.tobytes()


def test_of_several_labels_each_brings_its_documents_together(untrained):
    def parity(label):
        return "odd" if int(label[-1]) % 2 else "even"

    texts, labels = collection(180, 0)
    both = BagOfEmbeddedWords().fit(texts, [{label, parity(label)} for label in labels])
    assert average_precision(both) > average_precision(untrained) + 0.05
    assert average_precision(both, parity) > average_precision(untrained, parity) + 0.05


def test_a_list_of_one_label_is_that_label(trained):
    texts, labels = collection(180, 0)
    listed = BagOfEmbeddedWords().fit(texts, [[label] for label in labels])
    assert listed.transform(texts).tobytes() == trained.transform(texts).tobytes()


def test_transfer_trusts_the_labels_less_than_in_domain(trained, untrained):
    transfer = BagOfEmbeddedWords(goal="transfer").fit(*collection(180, 0))
    assert transfer.strength_ <= trained.strength_
    assert average_precision(transfer) >= average_precision(untrained) - 0.01


def test_more_classes_than_codewords_are_still_told_apart():
    texts, labels = collection(180, 0)
    before, after = (BagOfEmbeddedWords(n_codewords=4).fit(texts, given) for given in (None, labels))
    assert average_precision(after) > average_precision(before) + 0.1


def test_a_class_may_own_a_number_that_has_no_codeword():
    words = WordVectors(("a0", "b0"), np.eye(2, dtype=np.float32))
    encoder = BagOfEmbeddedWords(words).fit(*collection(180, 0))
    assert len(encoder.codebook_) == 2  # for six classes; 0.34 where only these two count
    assert average_precision(encoder) > 0.6


@pytest.mark.parametrize("labels", [None, LABELS], ids=["no labels", "labels"])
@pytest.mark.parametrize(
    "texts", [TEXTS, ["cat dog bird"] * 6, ["a b", "a b", "c d", "c d", "", "e"]], ids=["few", "identical", "tiny"]
)
def test_a_handful_of_texts_is_enough(texts, labels):
    vectors = BagOfEmbeddedWords().fit(texts, labels).transform([*texts, "cat", "unseen"])
    assert vectors.shape == (8, 64)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()


def test_one_text_is_enough():
    vectors = BagOfEmbeddedWords(n_codewords=5).fit(["cat dog bird"]).transform(["cat dog bird", "cat"])
    assert vectors.shape == (2, 5)
    assert np.isfinite(vectors).all()


def test_identical_texts_are_one_point_however_many():
    vectors = BagOfEmbeddedWords().fit(["cat dog bird"] * 40).transform(["cat dog bird"] * 2)
    assert vectors[0].tobytes() == vectors[1].tobytes()
    assert np.isfinite(vectors).all()


def test_numbers_without_a_codeword_are_zero():
    encoder = BagOfEmbeddedWords(n_codewords=10).fit(TEXTS)
    vectors = encoder.transform(TEXTS)
    assert len(encoder.codebook_) == 6  # of six words, each with a vector of its own
    assert vectors[:, :6].any(axis=0).all()
    assert not vectors[:, 6:].any()


@pytest.mark.parametrize("slope", [0.0, 0.1, 1.0])
def test_encoding_is_one_product_of_weighted_words_and_rows(slope):
    encoder = BagOfEmbeddedWords(n_codewords=6, recipe=Recipe(slope=slope)).fit(TEXTS, LABELS)
    words = {word: row for row, word in enumerate(encoder.vocabulary_.words)}
    for text in ("cat cat bank", "stock bond dog unseen", "unseen"):
        counts = np.zeros(len(words))
        for word, count in Counter(word for word in text.split() if word in words).items():
            counts[words[word]] = count
        weights = np.log1p(counts) * encoder.weights_
        sums = weights / (np.linalg.norm(weights) or 1) @ (encoder.rows_ * encoder.mask_)
        np.testing.assert_allclose(encoder.transform([text])[0], np.where(sums > 0, sums, slope * sums), atol=1e-6)


def test_a_word_weighs_by_a_power_of_its_idf():
    encoder = BagOfEmbeddedWords().fit(TEXTS)
    for word, weight in zip(encoder.vocabulary_.words, encoder.weights_, strict=True):
        in_texts = sum(word in text.split() for text in TEXTS)
        assert weight == pytest.approx((1 + np.log(7 / (1 + in_texts))) ** 1.25, rel=1e-6)


def histograms(encoder: BagOfEmbeddedWords, texts: list[str], rows: np.ndarray) -> np.ndarray:
    """The mean of the rows of each text's words, by log(1 + count) and weight."""
    of_word = {word: row for row, word in enumerate(encoder.vocabulary_.words)}
    found = []
    for text in texts:
        counts = {of_word[word]: count for word, count in Counter(text.split()).items()}
        weights = {row: np.log1p(count) * encoder.weights_[row] for row, count in counts.items()}
        found.append(sum(weight * rows[row] for row, weight in weights.items()) / sum(weights.values()))
    return np.array(found, dtype=np.float64)


def test_codewords_have_mean_0_and_deviation_1_over_the_texts():
    texts, _ = collection(60, 0)
    encoder = BagOfEmbeddedWords(n_codewords=8, recipe=Recipe(neighbours=0)).fit(texts)
    z = histograms(encoder, texts, encoder.rows_)
    np.testing.assert_allclose(z.mean(axis=0), 0, atol=1e-4)
    np.testing.assert_allclose(z.std(axis=0), 1, atol=1e-4)


def test_cross_entropy_learns_step_by_step_with_the_other_ingredients(untrained):
    pytest.importorskip("torch")
    training = Training(n_epochs=60, batch_size=30)
    encoder = BagOfEmbeddedWords(objective="cross-entropy", training=training).fit(*collection(180, 0))
    assert encoder.history_[-1].loss < 0.8 * encoder.history_[0].loss
    assert average_precision(encoder) > average_precision(untrained) + 0.1


def test_training_step_by_step_keeps_the_mean_and_deviation_of_the_start():
    pytest.importorskip("torch")
    texts, labels = collection(60, 0)
    texts, labels = [*texts, *TEXTS], [*labels, *[None] * len(TEXTS)]
    start, encoder = (
        BagOfEmbeddedWords(n_codewords=8, objective="cross-entropy", training=Training(n_epochs=n)).fit(texts, labels)
        for n in (0, 5)
    )
    before, after = (memberships(bag.word_vectors_, bag.codebook_, bag.sigma_) for bag in (start, encoder))
    z = histograms(start, texts, before)
    np.testing.assert_allclose(histograms(start, texts, start.rows_).mean(axis=0), 0, atol=1e-4)
    np.testing.assert_allclose(encoder.rows_, (after - z.mean(axis=0)) / z.std(axis=0), atol=1e-3)
    assert not np.allclose(before, after, atol=1e-3)


OF_RECIPE = {
    "dim": 5,
    "min_count": 6,
    "unknown_words": "small",
    "codebook": "k-means",
    "sigma": 0.3,
    "softness": 0.1,
    "weighting": "counts",
    "standardised": False,
    "neighbours": 0,
    "slope": 1.0,
    "objective": "cross-entropy",
}
OF_TRAINING = {
    "m": 0.5,
    "learned": ("words", "mask"),
    "learning_rate": 0.1,
    "word_dropout": 0.0,
    "schedule": "constant",
    "n_epochs": 1,
    "batch_size": 7,
    "centres_per_class": 3,
    "word_updates": "all",
    "max_length": 4,
    "validation_fraction": 0.3,
}
OTHER = OF_RECIPE | OF_TRAINING


def test_the_parts_that_are_switched_below_are_all_there_are():
    assert {field.name for field in fields(Recipe)} == {*OF_RECIPE, "training"}
    assert {field.name for field in fields(Training)} == {*OF_TRAINING, "patience"}


@pytest.mark.parametrize("name", OTHER)
def test_every_part_of_recipe_and_training_can_be_switched_alone(name):
    base = {"n_codewords": 8}
    if name in OF_TRAINING or name == "objective":
        pytest.importorskip("torch")
        base["n_epochs"] = 2
    if name in OF_TRAINING:
        base["objective"] = "cross-entropy"
    if name == "unknown_words":
        base["words"] = WordVectors(EVERY_WORD[::2], np.random.default_rng(0).normal(size=(36, 5)))
    texts, labels = collection(60, 0)
    usual, other = (from_flat(BagOfEmbeddedWords, base | given) for given in ({}, {name: OTHER[name]}))
    before, after = (vars(bag.whole_recipe) | vars(bag.whole_recipe.training) for bag in (usual, other))
    assert [key for key in before if before[key] != after[key] and key != "training"] == [name]
    vectors = [encoder.fit(texts, labels).transform(texts) for encoder in (usual, other)]
    assert np.isfinite(vectors[1]).all()
    assert not np.allclose(*vectors, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("name", OF_TRAINING)
def test_the_regression_does_not_look_at_the_training(name):
    texts, labels = collection(60, 0)
    usual, other = BagOfEmbeddedWords(), BagOfEmbeddedWords(training=Training(**{name: OTHER[name]}))
    assert usual.fit(texts, labels).transform(texts).tobytes() == other.fit(texts, labels).transform(texts).tobytes()


def test_words_that_occur_once_are_left_out_of_a_large_collection():
    texts, _ = collection(999, 0)
    assert "rare" in BagOfEmbeddedWords(n_codewords=4).fit([*texts[:-1], "a1 rare"]).vocabulary_.words
    assert "rare" not in BagOfEmbeddedWords(n_codewords=4).fit([*texts, "a1 rare"]).vocabulary_.words


def test_a_saved_bag_gives_the_same_bytes_and_keeps_its_strength(trained, tmp_path):
    trained.save(tmp_path / "model")
    loaded, texts = load_encoder(tmp_path / "model"), collection(20, 3)[0]
    assert loaded.transform(texts).tobytes() == trained.transform(texts).tobytes()
    assert (loaded.strength_, loaded.sigma_) == (trained.strength_, trained.sigma_)
    assert loaded.whole_recipe == trained.whole_recipe == Recipe()
    assert loaded.describe(3) == trained.describe(3)


def test_given_words_are_stored_and_learned_ones_are_not(untrained, tmp_path):
    untrained.save(tmp_path / "learned")
    assert "words" not in load_model(tmp_path / "learned").arrays
    assert load_encoder(tmp_path / "learned").words is None
    words = WordVectors(EVERY_WORD[1:], np.random.default_rng(0).normal(size=(71, 5)).astype(np.float32))
    BagOfEmbeddedWords(words).fit(collection(60, 0)[0]).save(tmp_path / "given")
    loaded = load_encoder(tmp_path / "given")
    assert all(loaded.words[word].tolist() == words[word].tolist() for word in EVERY_WORD[1:])
    assert not loaded.words["a0"].any()


@pytest.mark.parametrize("slope", [0.0, 0.1, 1.0])
def test_explanations_by_words_and_by_codewords_sum_to_the_cosine(slope):
    texts, labels = collection(60, 0)
    encoder = BagOfEmbeddedWords(n_codewords=8, recipe=Recipe(slope=slope)).fit(texts, labels)
    for query, document in zip(texts[:10], texts[10:20], strict=True):
        q, d = encoder.transform([query, document]).astype(np.float64)
        cosine = q @ d / np.linalg.norm(q) / np.linalg.norm(d)
        found = encoder.explain(query, document)
        assert sum(share.contribution for share in found.words) == pytest.approx(cosine, abs=1e-5)
        assert sum(share.contribution for share in found.codewords) == pytest.approx(cosine, abs=1e-5)
        assert {share.word for share in found.words} == set(document.split())


def test_a_number_without_a_codeword_is_described_by_no_words():
    encoder = BagOfEmbeddedWords(n_codewords=8).fit(["red blue", "blue green", "green red"])
    for codeword in range(8):
        spoken = dict(zip(encoder.vocabulary_.words, encoder.rows_[:, codeword].tolist(), strict=True))
        assert set(encoder.describe(codeword)) == {word for word, value in spoken.items() if value > 0}
    assert encoder.describe(7) == []


def test_a_codeword_is_described_by_the_words_with_the_largest_rows(trained):
    best = max(range(len(trained.rows_)), key=lambda row: trained.rows_[row, 7])
    assert trained.describe(7, 1) == [trained.vocabulary_.words[best]]


@pytest.mark.parametrize("labels", ["None", "labels"])
def test_a_seed_gives_the_same_bytes_on_any_number_of_threads(labels):
    code = f"""
import hashlib
from made_texts import collection
from satchel import BagOfEmbeddedWords
texts, labels = collection(1200, 0)
print(hashlib.sha256(BagOfEmbeddedWords(random_state=3).fit(texts, {labels}).transform(texts).tobytes()).hexdigest())
"""
    assert len({output(code, OMP_NUM_THREADS=n, OPENBLAS_NUM_THREADS=n) for n in ("1", "2")}) == 1


def test_another_seed_gives_another_bag():
    texts, _ = collection(60, 0)
    one, two = (BagOfEmbeddedWords(random_state=seed).fit(texts).transform(texts) for seed in (0, 1))
    assert not np.allclose(one, two)


@pytest.mark.parametrize(
    ("settings", "labels", "message"),
    [
        ({}, ["a", "b"], "2 labels for 6 texts"),
        ({}, ["a"] * 6, "all 6 labelled texts have the label 'a'; training needs two classes or more"),
        ({}, [None] * 6, "none of the 6 texts has a label; training needs two classes or more"),
        ({}, ["", *LABELS[1:]], "text 0 has the empty string for a label; give None"),
        ({}, [["a", float("nan")], *LABELS[1:]], "text 0 has nan inside its labels; a label is a string or a number"),
        ({"goal": "joy"}, LABELS, "unknown goal 'joy'; choose from in-domain, transfer"),
        ({"goal": "joy"}, None, "unknown goal 'joy'; choose from in-domain, transfer"),
        ({"goal": "transfer"}, LABELS, "needs three or more; the labels have 2"),
        ({"goal": "transfer", "recipe": "paper"}, LABELS, "goal='transfer' needs objective='least-squares'"),
        ({"recipe": "soup"}, None, "unknown recipe 'soup'; choose from best, paper"),
        ({"codebook": "red"}, None, "unknown codebook 'red'; choose from k-means, spherical"),
        ({"weighting": "bm25"}, None, "unknown weighting 'bm25'; choose from counts, log-idf"),
        ({"schedule": "linear"}, None, "unknown schedule 'linear'; choose from constant, cosine"),
        (
            {"objective": "joy"},
            None,
            "unknown objective 'joy'; choose from cross-entropy, entropy, least-squares, spherical-entropy",
        ),
        (
            {"learned": ("bias",)},
            None,
            "unknown part to learn 'bias'; choose from codebook, mask, sigma, weights, word",
        ),
        ({"sigma": 0.5, "softness": 0.4}, None, "sigma and softness both say how soft memberships are; give one"),
        ({"softness": 0}, None, "softness is 0; expected a number above"),
        ({"slope": 1.5}, None, "slope is 1.5; expected a number from 0 to 1$"),
        ({"slope": -0.5}, None, "slope is -0.5; expected a number from 0 to 1$"),
        ({"word_dropout": 1}, None, "word_dropout is 1; expected a number from 0 to below 1$"),
        ({"unknown_words": "x"}, None, "unknown rule for unknown words 'x'; choose from paper, small, zeros"),
        ({"learning_rate": 0}, None, "learning_rate is 0; expected a number above"),
        ({"standardised": "no"}, None, "standardised is 'no'; expected True or False"),
        ({"neighbours": -1}, None, "neighbours is -1; expected a whole number of at least 0"),
        ({"n_codewords": 0}, None, "n_codewords is 0; expected a whole number"),
        (
            {"words": WordVectors(("zebra",), np.ones((1, 3)))},
            None,
            "none of the 6 words has a vector that is not zero",
        ),
    ],
)
def test_what_cannot_be_learned_is_refused_in_one_sentence(settings, labels, message):
    with pytest.raises(InputError, match=message) as caught:
        from_flat(BagOfEmbeddedWords, settings).fit(TEXTS, labels)
    assert "\n" not in str(caught.value)
