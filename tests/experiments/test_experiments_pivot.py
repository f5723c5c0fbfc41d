"""Pivoted length normalisation against the formula, document by document."""

import math

import numpy as np
import pytest

from satchel import FisherVectors, Lsi, TfIdf
from satchel.errors import InputError
from satchel.experiments.pivot import PivotedRetriever, pivoted, pivoted_lengths

TEXTS = ["cats and dogs", "stock markets fell", "", "dogs chase cats all day long", "markets for dogs and cats"]


def slow_scores(query, vectors, slope):
    """⟨q, z⟩ / (‖q‖ ((1 - s) · mean + s · ‖z‖)), word by word."""
    lengths = [math.sqrt(sum(x * x for x in z)) for z in vectors]
    some = [length for length in lengths if length > 0]
    own = math.sqrt(sum(x * x for x in query))
    scores = []
    for z, length in zip(vectors, lengths, strict=True):
        divisor = own * ((1 - slope) * sum(some) / len(some) + slope * length)
        scores.append(sum(a * b for a, b in zip(query, z, strict=True)) / divisor if divisor else 0.0)
    return np.array(scores)


@pytest.mark.parametrize("slope", [0.0, 0.2, 0.75, 1.0])
def test_a_pivoted_search_orders_and_scores_as_the_formula_up_to_one_factor(slope):
    encoder = Lsi(2).fit(TEXTS)
    ids, scores = PivotedRetriever(encoder, prefit=True, length_slope=slope).fit(TEXTS).search(["dogs chase"], 5)
    vectors = encoder.transform(TEXTS).astype(float)
    slow = slow_scores(encoder.transform(["dogs chase"])[0].astype(float), vectors, slope)
    longest = max(
        np.linalg.norm(vectors, axis=1) / np.maximum(1e-9, pivoted_lengths(np.linalg.norm(vectors, axis=1), slope))
    )
    np.testing.assert_allclose(scores[0], slow[ids[0]] / longest, atol=1e-6)
    assert (np.diff(scores[0]) <= 0).all()


def test_slope_1_is_the_cosine_and_slope_0_the_dot_product():
    vectors = np.array([[3, 4], [0, 1], [0, 0]], np.float32)
    np.testing.assert_allclose(pivoted(vectors, 1.0), [[0.6, 0.8, 0], [0, 1, 0], [0, 0, 1]], atol=1e-6)
    np.testing.assert_allclose(pivoted(vectors, 0.0)[:, :2], vectors / 5, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(pivoted(vectors, 0.3), axis=1), 1, atol=1e-6)


def test_the_lower_the_slope_the_more_a_long_document_gains():
    lengths = np.array([1.0, 3.0, 0.0])
    np.testing.assert_allclose(pivoted_lengths(lengths, 0.25), [1.75, 2.25, 1.5])
    shares = [3 / p[1] / (1 / p[0]) for p in (pivoted_lengths(lengths, slope) for slope in (0, 0.5, 1))]
    assert shares == pytest.approx([3, 3 * 1.5 / 2.5, 1])


def test_empty_texts_and_queries_stay_what_they_are():
    retriever = PivotedRetriever(FisherVectors(n_components=1, dim=2, normalised=False), length_slope=0.5)
    ids, scores = retriever.fit(["", *TEXTS]).search(["zebra", "dogs"], 6)
    assert (ids[0] == -1).all()
    assert scores[1, ids[1].tolist().index(0)] == 0
    assert np.isfinite(PivotedRetriever(Lsi(1), length_slope=0).fit(["cat", "dog"]).search(["cat"], 2).scores).all()


@pytest.mark.parametrize(
    ("retriever", "message"),
    [
        (PivotedRetriever(Lsi(2), length_slope=1.5), "length_slope is 1.5"),
        (PivotedRetriever(TfIdf(), length_slope=0.5), "needs dense vectors"),
    ],
)
def test_mistakes_are_one_sentence(retriever, message):
    with pytest.raises(InputError, match=message):
        retriever.fit(TEXTS)
