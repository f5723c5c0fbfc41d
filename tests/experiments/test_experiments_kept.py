"""What the steps of a run share is made once, and all of it is let go of together."""

import re
from pathlib import Path

import numpy as np
import pytest

import satchel.experiments
from satchel.experiments.kept import SharedResults
from satchel.experiments.protocols.judging import gains


class Opened:
    def __init__(self, name, seed):
        self.name, self.seed, self.is_open = name, seed, True

    def close(self):
        self.is_open = False


def test_the_same_arguments_give_what_was_made_however_they_are_passed():
    made = []

    @SharedResults().shared(most=2)
    def encoded(name, parameters, seed=0):
        made.append((name, parameters, seed))
        return object()

    first = encoded("r8", {"dim": 5, "sigma": 0.4})
    assert encoded("r8", parameters={"sigma": 0.4, "dim": 5}, seed=0) is first
    assert encoded("r8", {"dim": 6, "sigma": 0.4}) is not first
    assert len(made) == 2


def test_what_was_not_asked_for_longest_goes_first():
    made = []
    load = SharedResults().shared(most=2)(lambda name: made.append(name))
    for name in ("a", "b", "a", "c", "a", "b"):
        load(name)
    assert made == ["a", "b", "c", "b"]


def test_a_scope_is_closed_whole_when_the_run_goes_on_to_another():
    opened = SharedResults().shared(of=["name"])(Opened)
    of_one = [opened("one", seed) for seed in range(3)]
    assert [opened("one", seed) for seed in range(3)] == of_one
    another = opened("another", 0)
    assert [one.is_open for one in of_one] == [False] * 3
    assert another.is_open


def test_forgetting_closes_all_that_any_function_has_made():
    kept = SharedResults()
    opened, counted = kept.shared(most=5)(Opened), kept.shared()(list)
    before, numbers = [opened("one", 0), opened("two", 0)], counted()
    kept.forget()
    assert not any(one.is_open for one in before)
    assert counted() is not numbers
    assert opened("one", 0) is not before[0]


def test_a_failure_is_not_kept():
    tries = []

    @SharedResults().shared()
    def fails():
        tries.append(1)
        raise LookupError("not there yet")

    for _ in range(2):
        with pytest.raises(LookupError, match="not there yet"):
            fails()
    assert len(tries) == 2


def test_no_module_of_the_laboratory_keeps_anything_elsewhere():
    own = re.compile(r"\blru_cache\b|@cache\b|^_\w+: dict\[", re.MULTILINE)
    folder = Path(satchel.experiments.__file__).parent
    assert [path.name for path in folder.rglob("*.py") if own.search(path.read_text("utf-8"))] == []


def test_the_gain_over_a_reference_is_the_difference_of_means_in_points():
    random = np.random.default_rng(0)
    own, other = random.random(50) + 0.3, random.random(50)
    found = gains({"mAP": own, "P@10": other}, {"mAP": other, "P@10": other}, ["mAP", "P@10"], "over it", "p")
    assert list(found) == ["mAP, over it", "mAP, p", "P@10, over it", "P@10, p"]
    assert found["mAP, over it"] == pytest.approx(100 * (own.mean() - other.mean()), abs=1e-3)
    assert found["mAP, p"] < 0.01
    assert found["P@10, over it"] == 0
    assert found["P@10, p"] == 1
