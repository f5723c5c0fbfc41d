"""Marks that were kept become labels, or contrasts: by hand, and every odd case."""

import numpy as np
import pytest

from satchel import BagOfEmbeddedWords
from satchel.encoders import Contrast, learn_contrasts
from satchel.errors import InputError
from satchel.feedback import MarkedNeed, labels_from_marks, train_on_marks

RNG = np.random.default_rng(0)
KINDS = np.arange(120) % 3
TEXTS = [" ".join(RNG.choice([f"w{kind}x{i}" for i in range(12)] + ["the", "of", "a"], 12)) for kind in KINDS]


def same_vectors(one, other) -> bool:
    return one.transform(TEXTS).tobytes() == other.transform(TEXTS).tobytes()


def test_relevant_documents_get_the_name_and_irrelevant_ones_no_label():
    needs = [MarkedNeed("hockey", [0, 3], [1]), MarkedNeed(7, [3, 4])]
    assert labels_from_marks(6, needs) == [["hockey"], None, None, ["hockey", 7], [7], None]


def test_all_marks_of_a_name_count_together():
    needs = [MarkedNeed("a", [0, 1]), MarkedNeed("b", [2]), MarkedNeed("a", [1, 3], [0])]
    assert labels_from_marks(4, needs) == [None, ["a"], ["b"], ["a"]]


def test_a_document_marked_both_ways_counts_by_the_difference_of_its_grades():
    doubted = MarkedNeed("a", [0, 1, 2], [0, 1, 2], [1, 0.5, 0.5], [0.5, 0.5, 1])
    assert labels_from_marks(3, [doubted]) == [["a"], None, None]


@pytest.mark.parametrize("grades", [[0.5, 1], [1, 0.5]])
def test_of_several_marks_of_one_kind_the_surest_counts(grades):
    against = MarkedNeed("a", [], [0], None, [0.5])
    assert labels_from_marks(1, [MarkedNeed("a", [0, 0], (), grades), against]) == [["a"]]
    assert labels_from_marks(1, [*(MarkedNeed("a", [0], (), [grade]) for grade in grades), against]) == [["a"]]


def test_projects_without_a_name_give_no_labels():
    assert labels_from_marks(2, [MarkedNeed(None, [0], [1])]) == [None, None]
    assert labels_from_marks(0, []) == []


def queries() -> list[tuple[np.ndarray, np.ndarray, int]]:
    """Twenty queries with three relevant and three irrelevant documents each, and the kind that was asked for."""
    rng = np.random.default_rng(1)
    asked = rng.integers(3, size=20)
    sides = [[rng.permutation(np.flatnonzero(own))[:3] for own in (kind == KINDS, kind != KINDS)] for kind in asked]
    return [(relevant, irrelevant, int(kind)) for (relevant, irrelevant), kind in zip(sides, asked, strict=True)]


def test_named_projects_train_as_labels_do():
    needs = [MarkedNeed(f"kind {kind}", relevant, irrelevant) for relevant, irrelevant, kind in queries()]
    trained = train_on_marks(BagOfEmbeddedWords(n_codewords=8), TEXTS, needs)
    labels = labels_from_marks(120, needs)
    assert (trained.labels, trained.judged) == (labels, {})
    assert same_vectors(trained.encoder, BagOfEmbeddedWords(n_codewords=8).fit(TEXTS, labels))
    assert not same_vectors(trained.encoder, BagOfEmbeddedWords(n_codewords=8).fit(TEXTS))


def test_queries_without_a_name_train_by_their_contrasts():
    needs = [MarkedNeed(None, relevant, irrelevant) for relevant, irrelevant, _ in queries()]
    trained = train_on_marks(BagOfEmbeddedWords(n_codewords=8), TEXTS, needs)
    contrasts = [
        Contrast(np.concatenate([relevant, irrelevant]), np.array([1.0, 1, 1, -1, -1, -1]))
        for relevant, irrelevant, _ in queries()
    ]
    expected, marked = learn_contrasts(BagOfEmbeddedWords(n_codewords=8).fit(TEXTS), TEXTS, contrasts)
    assert (trained.labels, trained.step, trained.judged) == (None, marked.step, marked.judged)
    assert trained.judged
    assert same_vectors(trained.encoder, expected)


@pytest.mark.parametrize("needs", [[], [MarkedNeed("alone", [0, 3, 6])], [MarkedNeed(None, [], [])]])
def test_marks_that_tell_nothing_leave_the_vectors_of_the_texts_alone(needs):
    trained = train_on_marks(BagOfEmbeddedWords(n_codewords=8), TEXTS, needs)
    assert (trained.labels, trained.step) == (None, 0)
    assert same_vectors(trained.encoder, BagOfEmbeddedWords(n_codewords=8).fit(TEXTS))


def test_the_given_encoder_is_not_fitted():
    encoder = BagOfEmbeddedWords(n_codewords=8)
    assert train_on_marks(encoder, TEXTS, []).encoder is not encoder
    assert not hasattr(encoder, "rows_")


@pytest.mark.parametrize(
    ("need", "sentence"),
    [
        (MarkedNeed("a", [6]), "the position of a document marked relevant is 6; expected a whole number from 0 to 5"),
        (MarkedNeed("a", [0], [-1]), "the position of a document marked irrelevant is -1"),
        (MarkedNeed("a", [0.5]), "the position of a document marked relevant is 0.5"),
        (MarkedNeed("a", [0], (), [1, 1]), r"relevant_grades have shape \(2,\); there are 1"),
        (MarkedNeed("a", [0], [1], None, [2]), "irrelevant_grades must lie from 0 to 1"),
        (MarkedNeed("", [0]), "the name of a need is ''"),
        (MarkedNeed(["a"], [0]), r"the name of a need is \['a'\]"),
    ],
)
def test_marks_that_cannot_be_used_are_refused(need, sentence):
    with pytest.raises(InputError, match=sentence):
        labels_from_marks(6, [need])
