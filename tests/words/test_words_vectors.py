"""WordVectors: look-up, nearest words, storage, and life inside scikit-learn."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from satchel.errors import InputError, MissingFileError
from satchel.words import KNOWN_WORDS, WordVectors, align

RANDOM = np.random.default_rng(0)
WORDS = tuple(f"word{i}" for i in range(300))
VECTORS = RANDOM.standard_normal((300, 6)).astype(np.float32)


@pytest.fixture(scope="module")
def words() -> WordVectors:
    return WordVectors(WORDS, VECTORS)


def test_it_is_a_collection_of_its_words(words: WordVectors) -> None:
    assert len(words) == 300
    assert words.dim == 6
    assert "word7" in words
    assert "absent" not in words
    assert list(words) == list(WORDS)
    assert np.array_equal(words["word7"], VECTORS[7])
    assert words.rows(["word3", "absent", "word0"]).tolist() == [3, -1, 0]
    assert repr(words) == "<WordVectors: 300 words × 6>"


@pytest.mark.parametrize(
    ("words", "vectors", "message"),
    [
        (["a"], [[1.0], [2.0]], "1 words, but 2 vectors"),
        (["a", "b"], [1.0, 2.0], r"the vectors have shape \(2,\)"),
        (["a", "b"], [[1.0], [np.nan]], "the vector of word 1 holds a value that is not a finite number"),
        (["a", "b"], [[1.0], [1e60]], "the vector of word 1 holds a value that is not a finite number"),
        (["a", "b"], [["x"], ["y"]], "not an array of numbers"),
        (["a", "b"], [[1.0], [1.0, 2.0]], "not an array of numbers"),
        (["a", "b", "a"], [[1.0], [2.0], [3.0]], "the word 'a' is given more than once"),
        (["a", 2], [[1.0], [2.0]], "word 1 is of type int"),
        ("ab", [[1.0], [2.0]], "not one string"),
    ],
)
def test_what_does_not_fit_is_refused(words: list[str], vectors: list[list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        WordVectors(words, vectors)  # type: ignore[arg-type]


def test_nothing_in_it_can_be_changed_not_even_through_the_array_it_was_made_of() -> None:
    given = VECTORS.copy()
    words = WordVectors(WORDS, given)
    given[0] = 0
    assert np.array_equal(words["word0"], VECTORS[0])
    with pytest.raises(ValueError, match="read-only"):
        words.vectors[0, 0] = 1
    with pytest.raises(AttributeError):
        words.words = ()  # type: ignore[misc]


def test_nearest_words_are_those_of_a_plain_loop(words: WordVectors) -> None:
    for query in ("word0", "word17"):
        q = words[query].astype(float)
        similar = {}
        for word, row in zip(WORDS, VECTORS.astype(float), strict=True):
            if word != query:
                similar[word] = sum(q * row) / (sum(q * q) * sum(row * row)) ** 0.5
        expected = sorted(similar, key=lambda word: -similar[word])[:10]
        found = words.nearest(query, k=10)
        assert [near.word for near in found] == expected
        assert [near.cosine for near in found] == pytest.approx([similar[word] for word in expected], abs=1e-6)


def test_a_vector_finds_its_own_word_first_and_k_may_exceed_the_words(words: WordVectors) -> None:
    assert words.nearest(VECTORS[5] * 3, k=1)[0].word == "word5"
    assert len(words.nearest("word5", k=1000)) == 299


def test_ties_stand_in_order_and_zero_vectors_are_never_near() -> None:
    words = WordVectors(("zero", "a", "b", "c", "d"), [[0, 0], [0, 1], [2, 0], [1, 0], [3, 0]])
    assert [near.word for near in words.nearest([1, 0], k=2)] == ["b", "c"]
    assert [near.word for near in words.nearest("d", k=9)] == ["b", "c", "a"]


def test_very_long_and_very_short_vectors_have_directions_too() -> None:
    words = WordVectors(("long", "short", "other"), [[1e30, 1e30], [1e-30, 1.1e-30], [1, 0]])
    assert [near.word for near in words.nearest("long", k=2)] == ["short", "other"]
    assert words.nearest([1e-30, 0], k=1)[0] == ("other", pytest.approx(1))


def test_queries_that_cannot_be_answered_say_why(words: WordVectors) -> None:
    with pytest.raises(InputError, match=r"no vector for the word 'wrd17' among 300 words; did you mean word17"):
        words.nearest("wrd17")
    with pytest.raises(InputError, match=r"no vector for the word 'zebra' among 300 words$"):
        words["zebra"]
    with pytest.raises(InputError, match=r"shape \(2,\); expected \(6,\)"):
        words.nearest([1.0, 2.0])
    with pytest.raises(InputError, match="zero vector has no direction"):
        words.nearest(np.zeros(6))
    with pytest.raises(InputError, match="not a finite number"):
        words.nearest(np.full(6, np.nan))
    with pytest.raises(InputError, match="k is 0"):
        words.nearest("word0", k=0)


def test_restriction_keeps_its_own_order_and_refuses_a_bare_string(words: WordVectors) -> None:
    some = words.restrict(["word9", "absent", "word2"])
    assert some.words == ("word2", "word9")
    assert np.array_equal(some.vectors, VECTORS[[2, 9]])
    with pytest.raises(InputError, match="not one string"):
        words.restrict("word9")


def test_saving_and_loading_gives_the_same_bytes(tmp_path: Path, words: WordVectors) -> None:
    odd = WordVectors(("", "a b", "\r", "\u2028x", "é"), RANDOM.standard_normal((5, 3)))
    for number, vectors in enumerate((words, odd, words.restrict([]))):
        folder = tmp_path / "deep" / str(number)
        vectors.save(folder)
        assert WordVectors.load(folder) == vectors
        assert sorted(path.name for path in folder.iterdir()) == ["vectors.f32.npy", "vocab.txt"]
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["0", "1", "2"]


def test_saving_replaces_word_vectors_but_nothing_else(tmp_path: Path, words: WordVectors) -> None:
    words.save(tmp_path / "mine")
    words.restrict(["word1"]).save(tmp_path / "mine")
    assert len(WordVectors.load(tmp_path / "mine")) == 1
    (tmp_path / "mine" / "notes.txt").write_text("keep me")
    (tmp_path / "file").write_text("keep me")
    for target in ("mine", "file"):
        with pytest.raises(InputError, match="exists and is not a folder of word vectors"):
            words.save(tmp_path / target)
    assert (tmp_path / "mine" / "notes.txt").read_text() == (tmp_path / "file").read_text() == "keep me"


def test_a_save_that_fails_leaves_the_old_folder(
    tmp_path: Path, words: WordVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    words.save(tmp_path / "mine")
    with pytest.raises(InputError, match="holds a line break"):
        WordVectors(("a\nb",), [[1.0]]).save(tmp_path / "mine")

    def full(*args: object, **kwargs: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(OSError, match="disk full"):
        words.restrict(["word1"]).save(tmp_path / "mine")
    assert WordVectors.load(tmp_path / "mine") == words
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_names_are_looked_up_and_unknown_ones_list_the_known(
    tmp_path: Path, words: WordVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCHEL_DATA", str(tmp_path))
    words.save(tmp_path / "words" / "mine")
    assert WordVectors.load("mine", ["word4"]) == words.restrict(["word4"])
    with pytest.raises(InputError, match=r"unknown word vectors 'nobodys'.*glove\.6B\.50d.*satchel words get NAME"):
        WordVectors.load("nobodys")
    with pytest.raises(MissingFileError, match=r"run `satchel words get glove\.6B\.300d`"):
        WordVectors.load("glove.6B.300d")
    with pytest.raises(MissingFileError, match="does not exist"):
        WordVectors.load("no/such/folder")
    assert all(name == known.name for name, known in KNOWN_WORDS.items())


class Holder(BaseEstimator):  # type: ignore[misc]
    def __init__(self, words: WordVectors | None = None) -> None:
        self.words = words


def test_copies_and_clones_share_it_and_pickling_keeps_it(words: WordVectors) -> None:
    assert clone(Holder(words)).words is words
    assert copy.deepcopy(words) is copy.copy(words) is words
    again = pickle.loads(pickle.dumps(words))  # noqa: S301
    assert again == words
    assert hash(again) == hash(words)
    assert not again.vectors.flags.writeable
    assert words != WordVectors(WORDS, VECTORS + 1)
    assert words != "words"


def test_real_glove_has_its_size_and_plausible_neighbours(data_folder: Path) -> None:
    words = WordVectors.load("glove.6B.100d")
    assert words.vectors.shape == (200_000, 100)
    assert {"queen", "prince"} <= {near.word for near in words.nearest("king", k=5)}
    assert {"french", "belgium"} <= {near.word for near in words.nearest("france", k=5)}
    assert WordVectors.load("glove.6B.100d", ["king", "Kings"]).words == ("king",)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda words: words.nearest("word1", 1.5), "k is 1.5; expected a whole number of at least 1"),
        (lambda words: words.nearest("word1", 0), "k is 0; expected a whole number of at least 1"),
        (lambda words: words.nearest(["a", "b"]), "neither a word nor a vector of 6 numbers"),
        (lambda words: words.nearest([[1.0], [1.0, 2.0]]), "neither a word nor a vector of 6 numbers"),
        (lambda words: words[5], "the word is of type int; expected a string"),
        (lambda words: words.restrict(None), "vocabulary must be a collection of words, not NoneType"),
        (lambda words: words.restrict(5), "vocabulary must be a collection of words, not int"),
        (lambda words: words.restrict("word1"), "not one string"),
        (lambda words: WordVectors(None, [[1.0]]), "words must be a sequence of strings, not NoneType"),
        (lambda words: WordVectors.load(5), "named by a string or a path, not by int"),
        (lambda words: align(None, ["a"]), "words must be WordVectors, not NoneType"),
        (lambda words: align(words, 5), "vocabulary must be a collection of words, not int"),
        (lambda words: align(words, ["a"], random_state=-1), "random_state is -1; expected a whole number from 0 to"),
    ],
)
def test_arguments_of_another_kind_are_refused_in_one_sentence(words: WordVectors, use: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        use(words)  # type: ignore[operator]
    assert "\n" not in str(caught.value)


def test_vectors_near_the_end_of_float32_have_neighbours() -> None:
    huge = WordVectors(("a", "b", "c", "d"), np.float32(3e38) * np.array([[1, 1], [1, -1], [1, 0.9], [-1, -1]]))
    found = huge.nearest("a", 3)
    assert [near.word for near in found] == ["c", "b", "d"]
    assert [near.cosine for near in found] == pytest.approx([1.9 / (2 * 1.81) ** 0.5, 0, -1], abs=1e-6)


@pytest.mark.parametrize("word", ["\ud800", "a\nb"])
def test_a_word_that_is_no_line_of_text_cannot_be_saved(tmp_path: Path, word: str) -> None:
    with pytest.raises(InputError, match="leave"):
        WordVectors((word,), [[1.0]]).save(tmp_path / "words")
    assert not list(tmp_path.iterdir())
