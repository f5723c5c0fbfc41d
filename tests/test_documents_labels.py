"""Labels as they are given: one, several, none."""

import numpy as np
import pytest

from satchel.documents.labels import read_labels
from satchel.errors import InputError


def test_every_label_is_a_class_in_order_of_its_first_text():
    labelled = read_labels(["b", "a", "b"])
    assert labelled.classes == ("b", "a")
    assert labelled.rows.tolist() == [0, 1, 2]
    assert labelled.belongs.tolist() == [[1, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize("nothing", [None, float("nan"), [], ()])
def test_a_text_without_a_label_is_left_out_and_keeps_its_place(nothing):
    labelled = read_labels(["a", nothing, "b"])
    assert labelled.rows.tolist() == [0, 2]
    assert labelled.belongs.tolist() == [[1, 0], [0, 1]]


def test_several_labels_count_each_once():
    labelled = read_labels([["a", "b", "a"], "c", {"b"}])
    assert labelled.classes == ("a", "b", "c")
    assert labelled.belongs.tolist() == [[1, 1, 0], [0, 0, 1], [0, 1, 0]]


def test_a_set_of_labels_does_not_depend_on_the_order_of_its_hashes():
    assert read_labels([{"x", "y", "z"}, "y"]).classes == ("x", "y", "z")


def test_numbers_are_labels_too():
    assert read_labels(np.array([3, 1, 3])).classes == (3, 1)
    assert read_labels([np.array("a"), np.array(["b", "a"])]).classes == ("a", "b")


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["a", ""], "text 1 has the empty string"),
        (["a", [["b"]]], "text 1 has"),
        (["a", [None]], "text 1 has"),
        (["a", {"b": 1}], "text 1"),
        (np.eye(3), "text 0 has a row of 0 and 1"),
        (["a", None, "a"], "all 2 labelled texts have the label 'a'"),
        ([None, None], "none of the 2 texts has a label"),
    ],
)
def test_a_mistake_in_labels_is_one_sentence(labels, told):
    with pytest.raises(InputError, match=told):
        read_labels(labels)
