"""The reason of a hit is a phrase that a person can read."""

import pytest

from satchel.encoders import CodewordContribution, WordContribution
from satchel.search import Reasons

WORDS = (WordContribution("wait", 0.5), WordContribution("futures", 0.3), WordContribution("as_completed", 0.1))
THEMES = (CodewordContribution(3, 0.4, ("futures", "wait", "task")), CodewordContribution(5, 0.2, ("futures", "done")))


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        (Reasons(("wait",), WORDS, THEMES), 'contains "wait"; near in meaning: futures, as_completed'),
        (Reasons(("Wait",), (), THEMES), 'contains "Wait"; near in meaning: futures, done'),
        (Reasons(("wait", "futures")), 'contains "wait", "futures"'),
        (Reasons(("wait",), WORDS[:1]), 'contains "wait"'),
        (Reasons((), WORDS), "is near in meaning: wait, futures, as_completed"),
        (Reasons(), "is near in meaning"),
    ],
)
def test_reasons_name_the_words_found_and_then_those_near_in_meaning(reasons, said):
    assert str(reasons) == said
