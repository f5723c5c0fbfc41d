"""What marks add to the rows of the words: by hand, against loops and direct solutions, and when they add nothing."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from satchel import BagOfEmbeddedWords
from satchel.encoders import Contrast, learn_contrasts
from satchel.encoders.bag.contrasts import (
    MARK_PENALTY,
    _folds,
    add_marks,
    chosen_step,
    mark_rows,
    marked_moves,
    pairs_in_order,
    unit_weights,
)
from satchel.encoders.bag.start import scaled_to_one


def contrast(relevant, irrelevant=(), grade=1.0) -> Contrast:
    weights = [grade] * len(relevant) + [-grade] * len(irrelevant)
    return Contrast(np.array([*relevant, *irrelevant], np.int64), np.array(weights))


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


class Newsroom:
    """300 documents of two themes, each with two kinds that differ by a few words only; queries ask for a kind."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.kinds = np.arange(300) % 4
        self.texts = [self._text(kind) for kind in self.kinds]

    def _text(self, kind: int) -> str:
        theme = self.rng.choice([f"theme{kind % 2}x{i}" for i in range(30)], 20)
        own = self.rng.choice([f"kind{kind}x{i}" for i in range(6)], 2)
        return " ".join([*theme, *own])

    def query(self) -> Contrast:
        """Four relevant documents of one kind and four irrelevant ones of the same theme."""
        kind = int(self.rng.integers(4))
        near = self.rng.permutation(np.flatnonzero(self.kinds % 2 == kind % 2))
        return contrast(near[self.kinds[near] == kind][:4], near[self.kinds[near] != kind][:4])

    def order(self, encoder) -> float:
        """How often documents of a kind stand before others of the same theme."""
        vectors = encoder.transform(self.texts)
        of_theme = [self.kinds % 2 == theme for theme in (0, 1)]
        return float(np.mean([pairs_in_order(vectors[rows], self.kinds[rows] < 2) for rows in of_theme]))


@pytest.fixture(scope="module")
def newsroom() -> Newsroom:
    return Newsroom()


@pytest.fixture(scope="module")
def encoder(newsroom) -> BagOfEmbeddedWords:
    return BagOfEmbeddedWords(n_codewords=8).fit(newsroom.texts)


def test_relevant_documents_go_from_the_centre_of_the_irrelevant_ones_to_their_own():
    moves = marked_moves(np.array([[2, 0], [0, 3], [5, 5]], np.float32), [contrast([0], [1])])
    np.testing.assert_allclose(moves, np.sqrt(0.5) * np.array([[1, -1], [-1, 1], [0, 0]]), atol=1e-6)


def test_without_irrelevant_documents_relevant_ones_go_to_their_centre():
    moves = marked_moves(np.eye(2, dtype=np.float32), [contrast([0, 1])])
    np.testing.assert_allclose(moves, np.full((2, 2), np.sqrt(0.5)), atol=1e-6)


def test_a_document_of_several_queries_goes_to_the_mean_of_their_moves_and_maybe_is_half_a_move():
    vectors = np.eye(3, dtype=np.float32)
    one, other = (marked_moves(vectors, [contrast([0], [far])]) for far in (1, 2))
    both = marked_moves(vectors, [contrast([0], [1]), contrast([0], [2])])
    np.testing.assert_allclose(both[0], (one[0] + other[0]) / 2, atol=1e-6)
    np.testing.assert_allclose(marked_moves(vectors, [contrast([0], [1], grade=0.5)]), one / 2, atol=1e-6)


def test_pairs_in_order_are_those_of_a_triple_loop():
    rng = np.random.default_rng(1)
    vectors, relevant = rng.standard_normal((7, 3)).astype(np.float32), np.arange(7) < 4
    units, right = unit(vectors), []
    for asking in range(4):
        for near in range(4):
            for far in range(4, 7):
                if near != asking:
                    right.append(units[asking] @ units[near] > units[asking] @ units[far])
    assert pairs_in_order(vectors, relevant) == pytest.approx(np.mean(right))


def test_documents_that_cannot_be_told_apart_are_half_in_order():
    assert pairs_in_order(np.ones((5, 2), np.float32), np.arange(5) < 3) == 0.5


def test_rows_are_those_of_the_direct_solution():
    rng = np.random.default_rng(2)
    weights = unit_weights(csr_array(rng.random((9, 12)) * (rng.random((9, 12)) < 0.6)))
    themes = scaled_to_one(rng.standard_normal((12, 3)).astype(np.float32), weights)
    queries = [contrast([1, 2], [3]), contrast([5], [2, 8])]
    x = weights.toarray()[[1, 2, 3, 5, 8]].astype(np.float64)
    places = [contrast([0, 1], [2]), contrast([3], [1, 4])]
    moves = marked_moves((x @ themes).astype(np.float32), places)
    kernel = x @ x.T + (x @ themes) @ (x @ themes).T
    dual = np.linalg.solve(kernel + MARK_PENALTY * np.eye(5), moves)
    expected = x.T @ dual + themes @ ((x @ themes).T @ dual)
    np.testing.assert_allclose(mark_rows(themes, weights, queries), expected, atol=1e-5)


def test_marks_bring_documents_of_a_kind_together_also_those_that_nobody_marked(newsroom, encoder):
    trained, marked = learn_contrasts(encoder, newsroom.texts, [newsroom.query() for _ in range(15)])
    assert marked.step > 0
    assert marked.judged[marked.step] > marked.judged[0] + 0.05
    assert newsroom.order(trained) > newsroom.order(encoder) + 0.05


def test_marks_that_the_vectors_agree_with_already_change_nothing(newsroom, encoder):
    of_theme = [np.flatnonzero(newsroom.kinds % 2 == theme) for theme in (0, 1)]
    queries = [contrast(of_theme[0][i : i + 3], of_theme[1][i : i + 3]) for i in range(0, 60, 3)]
    trained, marked = learn_contrasts(encoder, newsroom.texts, queries)
    assert (marked.step, marked.judged[0]) == (0, 1)
    assert trained.transform(newsroom.texts).tobytes() == encoder.transform(newsroom.texts).tobytes()


@pytest.mark.parametrize(
    ("gains", "step"),
    [
        ([0.1] * 12, 1.0),
        ([0.1] * 11, 0.0),  # too few judge
        ([0.3, -0.25] * 6, 0.0),  # the mean gain of 0.025 is a third of its standard error, 0.083
        ([0.3, -0.15] * 6, 1.0),  # 0.075, and more than its standard error of 0.068
        ([-0.1] * 12, 0.0),
    ],
)
def test_a_step_must_be_better_than_none_by_more_than_chance(gains, step):
    assert chosen_step({0.0: [0.5] * len(gains), 1.0: [0.5 + gain for gain in gains]}) == step
    assert chosen_step({}) == 0


@pytest.mark.parametrize("queries", [[], [contrast([0, 4, 8])] * 10, [contrast([], [1, 2])] * 10, [contrast([0], [2])]])
def test_marks_that_no_query_set_aside_can_judge_change_nothing(newsroom, encoder, queries):
    trained, marked = learn_contrasts(encoder, newsroom.texts, queries)
    assert (marked.step, marked.judged) == (0, {})
    assert trained.rows_.tobytes() == encoder.rows_.tobytes()


def test_a_query_that_found_nothing_relevant_moves_nothing(newsroom, encoder):
    queries = [newsroom.query() for _ in range(15)]
    lone = [contrast([], query.documents[:3]) for query in queries[:5]]
    both = (learn_contrasts(encoder, newsroom.texts, kept)[0] for kept in (queries, [*queries, *lone]))
    one, other = (trained.rows_.tobytes() for trained in both)
    assert one == other != encoder.rows_.tobytes()


def test_a_query_set_aside_is_asked_of_documents_that_no_learned_query_marked():
    queries = [contrast([10 * i, 10 * i + 1, 10 * i + 2], [10 * i + 3, 10 * i + 4]) for i in range(10)]
    queries[7] = contrast([70, 71, 0], [73, 1])
    folds = list(_folds(queries))
    for learned, asking in folds:
        seen = np.concatenate([query.documents for query in learned])
        assert not any(np.isin(query.documents, seen).any() for query in asking)
    asked = [query.documents.tolist() for _, asking in folds for query in asking]
    assert sorted(asked)[0] == [10, 11, 12, 13, 14]
    assert [70, 71, 73] in asked
    assert not any(documents[0] < 10 for documents in asked)


def test_the_given_encoder_stays_and_the_trained_one_is_saved(newsroom, encoder, tmp_path):
    before = encoder.transform(newsroom.texts)
    trained, _ = learn_contrasts(encoder, newsroom.texts, [newsroom.query() for _ in range(15)])
    assert encoder.transform(newsroom.texts).tobytes() == before.tobytes()
    trained.save(tmp_path / "model")
    loaded = BagOfEmbeddedWords.load(tmp_path / "model")
    assert loaded.transform(newsroom.texts).tobytes() == trained.transform(newsroom.texts).tobytes() != before.tobytes()


def test_a_learned_mask_stays_in_the_rows(newsroom):
    encoder = BagOfEmbeddedWords(n_codewords=8).fit(newsroom.texts)
    encoder.mask_ = np.array([0, 0.5, 2, 1, 1, 1, 1, 1], np.float32)
    queries = [newsroom.query() for _ in range(15)]
    trained, marked = learn_contrasts(encoder, newsroom.texts, queries)
    weights = unit_weights(encoder._weigh(newsroom.texts))
    expected = add_marks(encoder.rows_ * np.where(encoder.mask_ > 0, encoder.mask_, 1), weights, queries, 0.1).rows
    expected = weights @ (expected * (encoder.mask_ > 0))
    vectors = trained.transform(newsroom.texts)
    assert marked.step > 0
    np.testing.assert_allclose(vectors, np.where(expected > 0, expected, 0.1 * expected), atol=1e-5)


def test_same_marks_same_bytes(newsroom, encoder):
    queries = [newsroom.query() for _ in range(15)]
    one, other = (learn_contrasts(encoder, newsroom.texts, queries)[0].rows_.tobytes() for _ in range(2))
    assert one == other
