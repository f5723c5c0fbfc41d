"""What labels add to the rows, and how far to go with it."""

import numpy as np
import pytest
from scipy.linalg import polar
from scipy.sparse import csr_array
from sklearn.metrics import average_precision_score

from satchel.arrays import unit_rows
from satchel.encoders.bag.classes import (
    STRENGTHS,
    THEME_LABELS,
    Fold,
    _held_out_classes,
    _held_out_documents,
    _judge,
    _sample,
    add_classes,
    class_rows,
    owned_codewords,
)
from satchel.encoders.bag.labels import read_labels
from satchel.errors import InputError


def collection(n_classes, per_class, seed=0):
    """Documents of five words of their class and five of any; rows of words that know nothing of classes."""
    random, n_words = np.random.default_rng(seed), 12 * n_classes
    labels = np.repeat(np.arange(n_classes), per_class)
    own = random.integers(0, 12, (len(labels), 5)) + 12 * labels[:, None]
    words = np.hstack([own, random.integers(0, n_words, (len(labels), 5))])
    counts = np.stack([np.bincount(row, minlength=n_words) for row in words]).astype(np.float32)
    themes = random.normal(size=(n_words, 8)).astype(np.float32) / 4
    return csr_array(unit_rows(counts)), labels, themes


def nearest_is_right(vectors, labels):
    units = unit_rows(vectors)
    cosines = units @ units.T - 2 * np.eye(len(units), dtype=np.float32)
    return float((labels[cosines.argmax(axis=1)] == labels).mean())


def test_each_class_owns_the_codeword_where_it_stands_out():
    documents = np.array([[1, 5, 0], [0, 6, 1], [2, 0, 0], [9, 8, 0]], np.float32)
    belongs = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    assert owned_codewords(documents, belongs).tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]


def test_more_classes_than_codewords_get_directions_that_differ():
    documents = np.random.default_rng(0).normal(size=(10, 3)).astype(np.float32)
    owned = owned_codewords(documents, np.eye(10, 5, dtype=np.float32)[np.arange(10) % 5])
    np.testing.assert_allclose(np.linalg.norm(owned, axis=1), 1, rtol=1e-5)
    assert (owned @ owned.T - 2 * np.eye(5)).max() < 0.999
    means = unit_rows(np.stack([documents[number::5].mean(axis=0) for number in range(5)]))
    np.testing.assert_allclose(owned, unit_rows(polar(means)[0].astype(np.float32)), atol=1e-5)


def test_labels_bring_the_documents_of_a_class_together():
    weights, labels, themes = collection(4, 30)
    belongs = np.eye(4, dtype=np.float32)[labels]
    trained = themes + 3 * class_rows(themes, weights, belongs)
    assert nearest_is_right(weights @ themes, labels) < 0.7
    assert nearest_is_right(weights @ trained, labels) > 0.95


def test_what_labels_add_points_to_the_codeword_that_the_class_owns():
    weights, labels, themes = collection(4, 30)
    belongs = np.eye(4, dtype=np.float32)[labels]
    added = weights @ class_rows(themes, weights, belongs)
    owned = owned_codewords(weights @ themes, belongs).argmax(axis=1)
    assert np.mean(added.argmax(axis=1) == owned[labels]) > 0.95


@pytest.mark.parametrize("theme_labels", [18, 1000])
def test_rows_of_classes_are_those_of_direct_solutions_with_margins(monkeypatch, theme_labels):
    monkeypatch.setattr("satchel.encoders.bag.classes.CLASS_ITERATIONS", 300)
    monkeypatch.setattr("satchel.encoders.bag.classes.THEME_LABELS", theme_labels)
    weights, labels, themes = collection(3, 12)
    belongs = np.eye(3)[labels]
    belongs[5] = [1, 1, 0]
    dense, of_themes = weights.toarray().astype(np.float64), min(1, theme_labels / 36)
    kernel = dense @ (np.eye(36) + of_themes * themes @ themes.T) @ dense.T
    wanted = belongs / belongs.sum(axis=1, keepdims=True) - 1 / 3
    targets = wanted
    for _ in range(3):
        solution = np.linalg.solve(kernel + 0.3 * np.eye(36), targets)
        reached = kernel @ solution
        targets = np.where(belongs > 0, np.maximum(wanted, reached), np.minimum(wanted, reached))
    expected = (
        (np.eye(36) + of_themes * themes @ themes.T) @ dense.T @ solution @ owned_codewords(dense @ themes, belongs)
    )
    np.testing.assert_allclose(class_rows(themes, weights, belongs.astype(np.float32)), expected, atol=2e-3)


def test_classes_solved_some_at_a_time_are_those_solved_together(monkeypatch):
    weights, labels, themes = collection(5, 12)
    belongs = np.eye(5, dtype=np.float32)[labels]
    together = class_rows(themes, weights, belongs)
    monkeypatch.setattr("satchel.encoders.bag.classes.CLASSES_AT_ONCE", 2)
    np.testing.assert_allclose(class_rows(themes, weights, belongs), together, atol=1e-5)


def test_in_domain_goes_further_with_the_labels_than_transfer():
    weights, labels, themes = collection(6, 30)
    near = add_classes(themes, weights, read_labels(labels), "in-domain", 0.1, 0)
    far = add_classes(themes, weights, read_labels(labels), "transfer", 0.1, 0)
    assert near.strength > far.strength
    assert set(near.judged) == set(far.judged) == set(STRENGTHS)
    assert near.judged[near.strength] == max(near.judged.values())


def test_a_document_set_aside_never_teaches_what_it_is_asked():
    """Random labels can be learned by heart; who chooses by documents set aside is not misled."""
    weights, labels, themes = collection(4, 30)
    shuffled = np.random.default_rng(1).permutation(labels)
    judged = add_classes(themes, weights, read_labels(shuffled), "in-domain", 0.1, 0).judged
    assert max(judged.values()) < 0.6  # 1 by heart; about 0.5 where classes stand together in any order


def test_unlabelled_documents_change_nothing_in_what_labels_add():
    weights, labels, themes = collection(3, 20)
    some = [label if row % 2 else None for row, label in enumerate(labels.tolist())]
    whole = add_classes(themes, weights, read_labels(some), "in-domain", 0.1, 0)
    half = add_classes(themes, weights[1::2], read_labels(labels[1::2].tolist()), "in-domain", 0.1, 0)
    np.testing.assert_array_equal(whole.rows, half.rows)


def test_one_document_a_class_leaves_none_to_set_aside():
    weights, _, themes = collection(4, 1)
    added = add_classes(themes, weights, read_labels([0, 1, 2, 3]), "in-domain", 0.1, 0)
    assert added.strength == 3
    assert added.judged == {}


def test_transfer_without_a_question_to_judge_by_adds_nothing():
    weights, _, themes = collection(4, 1)
    added = add_classes(themes, weights, read_labels([0, 1, 2, 3]), "transfer", 0.1, 0)
    assert (added.strength, added.judged) == (0, {})
    assert added.rows is themes


def test_a_document_of_two_classes_lies_between_both():
    weights, labels, themes = collection(3, 20)
    several = [[label] for label in labels.tolist()]
    several[0], several[25] = [0, 1], [0, 1]
    rows = add_classes(themes, weights, read_labels(several), "in-domain", 1.0, 0).rows
    units = unit_rows(weights @ rows)
    centres = unit_rows(np.stack([units[labels == label].mean(axis=0) for label in range(3)]))
    assert (centres[:2] @ units[0]).min() > centres[2] @ units[0]


def test_transfer_needs_classes_to_set_aside():
    weights, labels, themes = collection(2, 10)
    with pytest.raises(InputError, match="three or more; the labels have 2"):
        add_classes(themes, weights, read_labels(labels), "transfer", 0.1, 0)


def test_with_few_labels_all_but_one_of_a_class_ask_once():
    _, labels, _ = collection(4, 5)
    folds = [*_held_out_documents(read_labels(labels), np.random.default_rng(0))]
    asked = np.sort(np.concatenate([fold.asking for fold in folds]))
    assert len(folds) == 4  # the last document of a class of five always stays to be found
    assert len(np.unique(asked)) == len(asked) == 16
    assert all(not np.intersect1d(fold.asking, fold.learned).size for fold in folds)


def test_with_many_labels_one_fifth_asks():
    labelled = read_labels(np.arange(THEME_LABELS + 1) % 4)
    (fold,) = _held_out_documents(labelled, np.random.default_rng(0))
    assert len(fold.asking) == 26 + 25 + 25 + 25


def test_a_class_set_aside_teaches_nothing_and_half_of_it_asks():
    _, labels, _ = collection(6, 10)
    folds = [*_held_out_classes(read_labels(labels), np.random.default_rng(0))]
    assert [len(fold.asking) for fold in folds] == [10, 10, 10]  # two classes of ten each
    assert all(not {*labels[fold.asking]} & {*labels[fold.learned]} for fold in folds)
    assert {label for fold in folds for label in labels[fold.asking]} == {*range(6)}


def test_classes_are_not_set_aside_where_the_rest_would_be_one_class():
    labelled = read_labels([["a", "b", "c"], "a", "a"])
    assert [*_held_out_classes(labelled, np.random.default_rng(0))] == []


def test_strengths_are_judged_by_the_mean_average_precision_of_rectified_vectors():
    weights, labels, themes = collection(3, 12)
    labels = np.append(labels[:-1], 9)  # the last document is alone in its class: it asks for nothing
    belongs = (labels[:, None] == np.unique(labels)).astype(np.float32)
    asking = np.array([0, 13, 25, 35])
    others = np.setdiff1d(np.arange(36), asking)
    judged = _judge(themes, weights, belongs, [Fold(others, asking)], 0.1, 0)
    sums = weights @ themes
    units = unit_rows(np.where(sums > 0, sums, 0.1 * sums).astype(np.float32))
    found = [average_precision_score(labels[others] == labels[row], units[others] @ units[row]) for row in asking[:3]]
    assert judged[0.0] == pytest.approx(np.mean(found), abs=1e-6)


def test_a_sample_is_drawn_from_everywhere_and_stays_in_order():
    rows = np.arange(1000) * 3
    drawn = _sample(rows, 20, np.random.default_rng(0))
    assert len(drawn) == 20
    assert (np.diff(drawn) > 0).all()
    assert np.isin(drawn, rows).all()
    assert drawn.max() > 1500
    assert _sample(rows, 1000, np.random.default_rng(0)) is rows
