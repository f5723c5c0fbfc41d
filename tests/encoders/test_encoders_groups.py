"""Groups of texts: found where they are clear, named by words that a hand calculation names, on odd collections too."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from made_texts import NAMES, TEXTS, THEMES
from satchel.encoders import Lsi, TfIdf, group_texts, name_groups
from satchel.encoders.groups import telling_words
from satchel.errors import InputError
from satchel.text import Tokenizer


@pytest.mark.parametrize("encoder", [None, Lsi(3), TfIdf()])
def test_clear_themes_are_the_groups_largest_first_and_bear_their_words(encoder):
    found = group_texts(TEXTS, 3, encoder=encoder, n_words=4)
    assert {(name, label) for name, label in zip(NAMES, found.labels.tolist(), strict=True)} in (
        {("sea", 0), ("bread", 1), ("chess", 2)},
        {("sea", 0), ("bread", 2), ("chess", 1)},
    )
    for group in found.groups:
        assert set(group.words) <= set(THEMES[NAMES[group.members[0]]])
        assert len(group.words) == 4


def test_members_stand_nearest_to_the_centre_first():
    found = group_texts(TEXTS, 2)
    assert sorted(np.concatenate([group.members for group in found.groups])) == list(range(len(TEXTS)))
    for number, group in enumerate(found.groups):
        units = found.vectors[found.labels == number]
        centre = units.sum(axis=0) / np.linalg.norm(units.sum(axis=0))
        assert found.fits[group.members] == pytest.approx(np.sort(units @ centre)[::-1], abs=1e-4)


def test_the_telling_words_are_share_times_log_lift():
    counts = csr_array(np.array([[2, 1, 0], [0, 1, 0], [0, 1, 3], [0, 0, 0.0]]))
    found = telling_words(counts, np.array([0, 0, 1, -1]))
    expected = [[0.5 * np.log(0.5 / 0.25), 1 * np.log(1 / 0.75), 0], [0, 1 * np.log(1 / 0.75), 1 * np.log(1 / 0.25)]]
    np.testing.assert_allclose(found, expected)


def test_a_name_has_one_form_of_a_word_and_numbers_last():
    texts = ["patient patients 1993 doctor", "patient patients 1993 doctors", "game", "games"]
    names = name_groups(texts, np.array([0, 0, 1, 1]), 3, Tokenizer())
    assert names == [("patient", "doctor", "1993"), ("game",)]


def test_the_same_seed_gives_the_same_groups():
    one, two = (group_texts(TEXTS, 4, random_state=5) for _ in range(2))
    assert one.labels.tobytes() == two.labels.tobytes()
    assert one.fits.tobytes() == two.fits.tobytes()


def test_texts_without_a_known_word_are_in_no_group():
    found = group_texts([*TEXTS, "", "..."], 3)
    assert found.labels[-2:].tolist() == [-1, -1]
    assert len(found.groups) == 3


@pytest.mark.parametrize(("n", "expected"), [(1, 1), (2, 2), (8, 2), (32, 4), (5000, 20)])
def test_without_a_number_there_are_about_as_many_groups_as_texts_in_one(n, expected):
    from satchel.encoders.groups import _usual_number

    assert _usual_number(n) == expected


@pytest.mark.parametrize(
    ("texts", "n_groups", "message"),
    [
        (TEXTS[:2], 3, "n_groups is 3, but only 2 of the 2 texts have a vector that is not zero"),
        (TEXTS, 0, "n_groups is 0; expected a whole number"),
        ([], None, "cannot learn from 0 texts"),
        (["", ""], None, "found no word to learn in the 2 texts"),
        (["hello world"], None, "the 1 texts do not differ in their words: there is nothing to group"),
        (["same words here"] * 5, None, "the 5 texts do not differ in their words"),
        ("one", None, "not one string"),
    ],
)
def test_what_cannot_be_grouped_is_one_sentence(texts, n_groups, message):
    with pytest.raises(InputError, match=message):
        group_texts(texts, n_groups)
