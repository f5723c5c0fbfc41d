"""Labels as they are given: one, several, none."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from satchel.encoders.bag.labels import read_labels
from satchel.errors import InputError


def test_every_label_is_a_class_in_order_of_its_first_text():
    labelled = read_labels(["b", "a", "b"])
    assert labelled.classes == ("b", "a")
    assert labelled.rows.tolist() == [0, 1, 2]
    assert labelled.belongs.tolist() == [[1, 0], [0, 1], [1, 0]]


class Unsaid:
    """As pandas' NA: whether it differs from itself it does not say."""

    def __ne__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    __hash__ = object.__hash__


NAN = float("nan")


@pytest.mark.parametrize("nothing", [None, NAN, np.float16(NAN), np.datetime64("NaT"), Unsaid(), [], (), np.array([])])
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
    assert read_labels([[0, 1], [0], 1]).belongs.tolist() == [[1, 1], [1, 0], [0, 1]]
    assert read_labels(np.array([[0], [1]])).classes == (0, 1)


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["a", ""], "text 1 has the empty string"),
        (["a", [["b"]]], "text 1 has"),
        (["a", [None]], "text 1 has"),
        (["a", {"b": 1}], "text 1"),
        (["a", csr_array(np.eye(3))], "text 1 has <Compressed [^\n]* inside its labels"),
        (np.eye(3), "text 0 has a row of 0 and 1"),
        (np.eye(2, dtype=np.uint8), "text 0 has a row of 0 and 1"),
        (["a", [True, False, False]], "text 1 has a row of 0 and 1"),
        ([[1, 0], [0, 1]], "every labelled text has all of the 2 labels"),
        (["a", None], "the only labelled text has the label 'a'"),
        (["a", None, "a"], "all 2 labelled texts have the label 'a'"),
        ([None, None], "none of the 2 texts has a label"),
    ],
)
def test_a_mistake_in_labels_is_one_sentence(labels, told):
    with pytest.raises(InputError, match=told):
        read_labels(labels)
