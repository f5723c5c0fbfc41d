"""Parameters are handed out and set as scikit-learn's own base class does it."""

import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags

from satchel.errors import InputError
from satchel.estimator import Estimator


class _Own(Estimator):
    def __init__(self, size: int = 3, inner: object = None) -> None:
        self.size = size
        self.inner = inner


class _Theirs(BaseEstimator):  # type: ignore[misc]
    def __init__(self, size: int = 3, inner: object = None) -> None:
        self.size = size
        self.inner = inner


def test_parameters_are_those_of_scikit_learns_base_class_however_deep():
    own, theirs = _Own(5, _Own(7)), _Theirs(5, _Theirs(7))
    assert own.get_params().keys() == theirs.get_params().keys()
    assert own.get_params()["inner__size"] == theirs.get_params()["inner__size"] == 7
    assert own.get_params(deep=False).keys() == theirs.get_params(deep=False).keys()


def test_inner_parameters_are_set_after_the_estimator_that_has_them():
    changed = [one(1, one(2)).set_params(inner__size=9, inner=one(4), size=8) for one in (_Own, _Theirs)]
    assert [(one.size, one.inner.size) for one in changed] == [(8, 9), (8, 9)]
    with pytest.raises(InputError, match="Invalid parameter 'sise' of _Own; it has inner, size"):
        _Own().set_params(sise=1)


def test_a_clone_has_the_parameters_and_nothing_that_was_learned():
    own = _Own(5, _Own(7))
    own.learned_ = 1  # type: ignore[attr-defined]
    twin = clone(own)
    assert (twin.size, twin.inner.size, hasattr(twin, "learned_")) == (5, 7, False)
    assert twin.inner is not own.inner
    assert get_tags(own).input_tags.string


def test_what_differs_from_the_default_is_shown():
    assert [repr(_Own()), repr(_Own(4)), repr(_Own(inner=_Own(2)))] == [
        "_Own()",
        "_Own(size=4)",
        "_Own(inner=_Own(size=2))",
    ]
    assert repr(_Own(4)).removeprefix("_Own") == repr(_Theirs(4)).removeprefix("_Theirs")
