"""Word vectors in the order of a vocabulary."""

import numpy as np
import pytest

from satchel.errors import InputError
from satchel.text import Vocabulary
from satchel.words import WordVectors, align

WORDS = WordVectors(("king", "queen"), np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32))
MANY = Vocabulary(("<unk>", "queen", *(f"unknown{i}" for i in range(20_000)), "king"), has_unknown=True)


def test_known_words_keep_their_vectors_in_the_vocabulary_s_order() -> None:
    for rule in ("paper", "zeros", "small"):
        aligned = align(WORDS, MANY, rule)  # type: ignore[arg-type]
        assert aligned.vectors.shape == (len(MANY), 3)
        assert aligned.vectors.dtype == np.float32
        assert aligned.vectors[[1, -1]].tolist() == [[4, 5, 6], [1, 2, 3]]
        assert np.flatnonzero(aligned.known).tolist() == [1, len(MANY) - 1]


@pytest.mark.parametrize(("rule", "mean", "deviation"), [("paper", 1, 1), ("small", 0, 0.1), ("zeros", 0, 0)])
def test_unknown_words_start_as_the_rule_says(rule: str, mean: float, deviation: float) -> None:
    aligned = align(WORDS, MANY, rule)  # type: ignore[arg-type]
    unknown = aligned.vectors[~aligned.known]
    assert unknown.mean() == pytest.approx(mean, abs=0.02)
    assert unknown.std() == pytest.approx(deviation, abs=0.02)


def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not() -> None:
    first, again, other = (align(WORDS, MANY, "paper", seed).vectors.tobytes() for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_a_list_of_words_does_as_well_and_an_unknown_rule_lists_the_rules() -> None:
    aligned = align(WORDS, ["queen", "queen", "other"], "zeros")
    assert aligned.vectors.tolist() == [[4, 5, 6], [4, 5, 6], [0, 0, 0]]
    assert align(WORDS, []).vectors.shape == (0, 3)
    with pytest.raises(InputError, match="unknown rule for unknown words 'ones'; choose from paper, small, zeros"):
        align(WORDS, MANY, "ones")  # type: ignore[arg-type]
