"""Fisher vectors against autograd, against a loop over words, and on odd collections."""

from pathlib import Path

import numpy as np
import pytest

from satchel import FisherVectors, LsiWords, WordVectors
from satchel.encoders import load_encoder
from satchel.encoders.fisher_rows import FisherRows, fisher_rows
from satchel.encoders.mixture import Mixture, assignments
from satchel.errors import InputError
from satchel.text import Tokenizer

RNG = np.random.default_rng(5)
NAMES = tuple(f"w{i}" for i in range(40))
VECTORS = RNG.normal(0, [1.0, 3.0, 0.5], (40, 3)).astype(np.float32)
WORDS = WordVectors(NAMES, VECTORS)
TEXTS = [" ".join(RNG.choice(NAMES[:30], 12)) for _ in range(25)]  # w30 to w39 occur in no text
PLAIN = {"weighting": "tf", "normalised": False, "tokenizer": Tokenizer()}


def gradient_by_autograd(texts: list[str], mixture: Mixture) -> np.ndarray:
    """∇ log u(X) by the logits of the weights, the means and the deviations, times the diagonal Fisher information."""
    torch = pytest.importorskip("torch")
    logits, means, deviations = (
        torch.tensor(value, requires_grad=True)
        for value in (np.log(mixture.weights), mixture.means, np.sqrt(mixture.variances))
    )
    theta = torch.tensor(mixture.weights)
    parts = []
    for text in texts:
        x = torch.tensor(np.stack([WORDS[word] for word in text.split()]), dtype=torch.float64)
        densities = torch.distributions.Normal(means, deviations).log_prob(x[:, None, :]).sum(dim=2)
        total = torch.logsumexp(torch.log_softmax(logits, dim=0) + densities, dim=1).sum()
        by_logits, by_means, by_deviations = torch.autograd.grad(total, (logits, means, deviations))
        blocks = (
            (by_logits / theta.sqrt())[:, None],
            by_means * deviations / theta.sqrt()[:, None],
            by_deviations * deviations / (2 * theta).sqrt()[:, None],
        )
        parts.append(torch.cat(blocks, dim=1).flatten().detach().numpy())
    return np.stack(parts)


def test_all_gradients_are_those_of_the_log_likelihood():
    encoder = FisherVectors(WORDS, 4, gradients="weights+means+variances", **PLAIN).fit(TEXTS)
    expected = gradient_by_autograd(TEXTS, encoder.mixture_)
    np.testing.assert_allclose(encoder.transform(TEXTS), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("gradients", ["means", "weights+means", "means+variances"])
def test_some_gradients_are_their_parts_of_all(gradients):
    every = FisherVectors(WORDS, 4, gradients="weights+means+variances", **PLAIN).fit(TEXTS).transform(TEXTS)
    blocks = dict(
        zip(("weights", "means", "variances"), np.split(every.reshape(25, 4, 7), [1, 4], axis=2), strict=True)
    )
    expected = np.concatenate([blocks[name] for name in gradients.split("+")], axis=2).reshape(25, -1)
    found = FisherVectors(WORDS, 4, gradients=gradients, **PLAIN).fit(TEXTS).transform(TEXTS)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_one_component_is_the_whitened_sum_of_word_vectors():
    occurring = np.concatenate([[WORDS[word] for word in text.split()] for text in TEXTS]).astype(np.float64)
    whitened = (VECTORS - occurring.mean(axis=0)) / occurring.std(axis=0)
    expected = [sum(whitened[NAMES.index(word)] for word in text.split()) for text in TEXTS]
    found = FisherVectors(WORDS, 1, **PLAIN).fit(TEXTS).transform(TEXTS)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_with_idf_each_word_weighs_as_in_tf_idf():
    encoder = FisherVectors(WORDS, 3, weighting="tf-idf", normalised=False, tokenizer=Tokenizer()).fit(TEXTS)
    mixture, idf = encoder.mixture_, dict(zip(NAMES, encoder.idf_, strict=True))
    text = TEXTS[0].split()
    weights = {word: text.count(word) * idf[word] for word in text}
    length = np.sqrt(sum(weight**2 for weight in weights.values()))
    expected = np.zeros((3, 3))
    for word, weight in weights.items():
        gamma = assignments(WORDS[word].astype(np.float64)[None], mixture)[0]
        for i in range(3):
            z = (WORDS[word] - mixture.means[i]) / np.sqrt(mixture.variances[i])
            expected[i] += weight / length * gamma[i] / np.sqrt(mixture.weights[i]) * z
    np.testing.assert_allclose(encoder.transform([TEXTS[0]])[0], expected.ravel(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("change", ["scale", "scale of axes", "mirror", "quarter turn"])
def test_scale_and_turns_that_map_axes_to_axes_leave_all_cosines(change):
    turns = {
        "scale": 1000 * np.eye(3),
        "scale of axes": np.diag([0.01, 7, 300]),
        "mirror": np.diag([-1, 1, -1]),
        "quarter turn": np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    }
    other = WordVectors(NAMES, VECTORS @ turns[change])
    one, two = (FisherVectors(words, 3, tokenizer=Tokenizer()).fit(TEXTS).transform(TEXTS) for words in (WORDS, other))
    np.testing.assert_allclose(one @ one.T, two @ two.T, atol=1e-4)


def test_other_turns_change_cosines_because_covariances_are_diagonal():
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    other = WordVectors(NAMES, VECTORS @ turn)
    one, two = (FisherVectors(words, 1, tokenizer=Tokenizer()).fit(TEXTS).transform(TEXTS) for words in (WORDS, other))
    assert np.abs(one @ one.T - two @ two.T).max() > 0.05


def test_power_and_length_are_applied_to_the_sum_in_this_order():
    raw = FisherVectors(WORDS, 2, **PLAIN).fit(TEXTS).transform(TEXTS).astype(np.float64)
    found = FisherVectors(WORDS, 2, power=0.5, weighting="tf", tokenizer=Tokenizer()).fit(TEXTS).transform(TEXTS)
    rooted = np.sign(raw) * np.sqrt(np.abs(raw))
    np.testing.assert_allclose(found, rooted / np.linalg.norm(rooted, axis=1, keepdims=True), atol=1e-4)


def test_reduced_vectors_are_the_best_approximation_of_so_many_numbers():
    raw = FisherVectors(WORDS, 4, tokenizer=Tokenizer()).fit(TEXTS).transform(TEXTS).astype(np.float64)
    plain = {"normalised": False, "tokenizer": Tokenizer()}
    reduced = FisherVectors(WORDS, 4, n_features=5, **plain).fit(TEXTS).transform(TEXTS).astype(np.float64)
    units = reduced / np.linalg.norm(FisherVectors(WORDS, 4, **plain).fit(TEXTS).transform(TEXTS), axis=1)[:, None]
    u, s, _ = np.linalg.svd(raw, full_matrices=False)
    np.testing.assert_allclose(units @ units.T, (u[:, :5] * s[:5] ** 2) @ u[:, :5].T, atol=1e-4)


def test_as_many_numbers_as_there_are_keep_every_cosine():
    full = FisherVectors(WORDS, 2, tokenizer=Tokenizer()).fit(TEXTS).transform(TEXTS)
    turned = FisherVectors(WORDS, 2, n_features=6, tokenizer=Tokenizer()).fit(TEXTS).transform(TEXTS)
    np.testing.assert_allclose(turned @ turned.T, full @ full.T, atol=1e-4)


def test_words_that_the_mixture_never_saw_count_by_their_vectors():
    encoder = FisherVectors(WORDS, 3, **PLAIN).fit(TEXTS)
    vectors = encoder.transform(["w35", "w35 w2", "w2"])
    assert vectors[0].any()
    np.testing.assert_allclose(vectors[0] + vectors[2], vectors[1], atol=1e-5)


def test_a_mixture_of_some_documents_is_that_of_their_occurrences_alone():
    encoder = FisherVectors(WORDS, 2, mixture_documents=6, random_state=3, **PLAIN).fit([*TEXTS, "", "unknown"])
    assert encoder.occurrences_.sum() == 6 * 12
    first_six = FisherVectors(WORDS, 2, **PLAIN).fit(TEXTS[:6]).occurrences_
    assert encoder.occurrences_.tolist() != first_six.tolist()  # they are drawn
    every = FisherVectors(WORDS, 2, mixture_documents=25, **PLAIN).fit(TEXTS)
    assert every.transform(TEXTS).tobytes() == FisherVectors(WORDS, 2, **PLAIN).fit(TEXTS).transform(TEXTS).tobytes()


def test_words_are_learned_from_the_texts_as_lsi_words():
    encoder = FisherVectors(dim=5, min_count=1, tokenizer=Tokenizer(), scaling="singular").fit(TEXTS)
    words = LsiWords(5, min_count=1, scaling="singular").learn(TEXTS)
    assert WordVectors(encoder.vocabulary_.words, encoder.word_vectors_) == words
    found = FisherVectors(words, tokenizer=Tokenizer()).fit(TEXTS)
    np.testing.assert_array_equal(found.transform(TEXTS), encoder.transform(TEXTS))


@pytest.mark.parametrize(("n_texts", "dim"), [(1, 1), (3, 2), (9, 3), (400, 20), (6000, 50)])
def test_without_a_number_dimensions_are_the_root_of_the_texts_and_50_at_most(n_texts, dim):
    texts = [f"a{n} b{n // 2} c{n % 13}" for n in range(n_texts)]
    assert FisherVectors(n_components=1, tokenizer=Tokenizer()).fit(texts).word_vectors_.shape[1] == dim


@pytest.mark.parametrize("n_texts", [999, 1000])
def test_words_that_occur_once_count_in_small_collections_alone(n_texts):
    encoder = FisherVectors(n_components=1, dim=2, tokenizer=Tokenizer()).fit([*["x y z"] * (n_texts - 1), "x y once"])
    assert encoder.transform(["once"]).any() == (n_texts == 999)


def test_rows_are_summed_block_by_block_as_at_once(monkeypatch):
    encoder = FisherVectors(WORDS, 4, **PLAIN).fit(TEXTS)
    expected = encoder.transform(TEXTS)
    monkeypatch.setattr("satchel.encoders.fisher_rows._BLOCK_VALUES", 40)
    monkeypatch.setattr("satchel.encoders.linear._RUN_VALUES", 40)
    assert encoder.transform(TEXTS).tobytes() == expected.tobytes()
    assert isinstance(encoder._word_rows(), FisherRows)


def test_components_split_the_cosine_as_words_do_and_are_described_by_their_words():
    encoder = FisherVectors(WORDS, 3, tokenizer=Tokenizer()).fit(TEXTS)
    words, components = encoder.explain(TEXTS[0], TEXTS[1])
    cosine = float(np.prod(encoder.transform(TEXTS[:2]), axis=0).sum())
    assert sum(share.contribution for share in words) == pytest.approx(cosine, abs=1e-5)
    assert sum(share.contribution for share in components) == pytest.approx(cosine, abs=1e-5)
    assert [share.words for share in components] == [
        tuple(encoder.describe_component(c.codeword, 3)) for c in components
    ]
    gamma = assignments(VECTORS.astype(np.float64), encoder.mixture_)[:, 1]
    best = NAMES[int(np.argmax(gamma * encoder.occurrences_ * encoder.idf_))]
    assert encoder.describe_component(1, 1) == [best]


@pytest.mark.parametrize("texts", [["one text alone"], ["word"], ["word word", "word"], ["a b", "", "..."]])
def test_small_collections_are_encoded_without_nan_or_warning(texts):
    vectors = FisherVectors(n_components=16, tokenizer=Tokenizer()).fit(texts).transform([*texts, "other"])
    assert np.isfinite(vectors).all()
    assert not vectors[-1].any()


@pytest.mark.parametrize("n_components", [1, 2, 16])
def test_two_texts_are_told_apart_however_many_components_are_asked_for(n_components):
    texts = ["Batteries store energy for the grid.", "Stock markets fell sharply."]
    one, two, query = FisherVectors(n_components=n_components).fit(texts).transform([*texts, "grid energy"])
    assert query @ one > 0.9 > 0 > query @ two


def test_more_components_than_distinct_words_are_half_as_many_as_there_are():
    encoder = FisherVectors(n_components=50, dim=2, tokenizer=Tokenizer()).fit(["a b c", "a b", "c d"])
    assert len(encoder.mixture_.weights) == 1  # three distinct vectors: a and b stand in the same texts
    assert encoder.transform(["a"]).shape == (1, 2 * len(encoder.mixture_.weights))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"words": "glove"}, "words must be WordVectors, a learner .* or None, not str"),
        ({"words": WordVectors(("zebra",), [[1.0, 2.0]])}, "none of the 1 word vectors is of a word in the 25 texts"),
        ({"weighting": "bm25"}, "unknown weighting 'bm25'; choose from"),
        ({"gradients": "all"}, "unknown gradients 'all'; choose from"),
        ({"scaling": "none at all"}, "unknown scaling"),
        ({"power": 1.5}, "power is 1.5; expected a number above 0 and below 1"),
        ({"normalised": "no"}, "normalised is 'no'; expected True or False"),
        ({"n_components": 2, "dim": 3, "n_features": 7}, "n_features is 7, but Fisher vectors of 6 numbers allow from"),
    ],
)
def test_wrong_parameters_are_refused_at_fit(settings, message):
    with pytest.raises(InputError, match=message):
        FisherVectors(**{"tokenizer": Tokenizer(), **settings}).fit(TEXTS)


def test_given_words_survive_saving(tmp_path: Path):
    FisherVectors(WORDS, 3, tokenizer=Tokenizer()).fit(TEXTS).save(tmp_path / "model")
    loaded = load_encoder(tmp_path / "model")
    assert loaded.words == WORDS
    assert loaded.transform(["w35"]).any()


def test_rows_of_some_words_are_those_among_all():
    mixture = Mixture(np.array([0.4, 0.6]), np.array([[0.0] * 3, [1.0] * 3]), np.ones((2, 3)))
    rows = fisher_rows(VECTORS, mixture, "means+variances")
    every = rows[np.arange(40)]
    assert every.shape == (40, rows.n_features)
    assert rows[np.array([7, 3])].tobytes() == every[[7, 3]].tobytes()
