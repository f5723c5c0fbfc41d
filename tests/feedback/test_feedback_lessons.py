"""What marks taught: the change of themes against loops, what is said of it, and whose doing it was."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from satchel import BagOfEmbeddedWords, Feedback, Lsi, TfIdf
from satchel.errors import InputError
from satchel.feedback import Lesson, Lessons, Refined, lessons_of, theme_words
from satchel.feedback import lessons as lessons_module
from satchel.feedback.lessons import top_themes
from satchel.ranking import ExactIndex

WORDS = [(f"a{k}", f"b{k}") for k in range(6)]
METHODS = ("auto", "rocchio", "mask", "mask+rocchio")


def speaking(*themes: int, n: int = 1) -> np.ndarray:
    """Documents that speak of these themes, and a little of all others."""
    vectors = 0.1 * np.random.default_rng([n, *themes]).standard_normal((n, 6))
    vectors[:, list(themes)] += 1
    return vectors.astype(np.float32)


COLLECTION = np.vstack([speaking(k, j, n=40) for k in range(6) for j in range(k)])
QUERY = speaking(0, 1, 2)[0]
NONE = np.empty((0, 6), np.float32)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def plain(query) -> Refined:
    return Refined(np.asarray(query, np.float32), np.ones(6, np.float32))


def themes_of(side) -> list[int]:
    return [lesson.theme for lesson in side]


@pytest.mark.parametrize("mask", [np.ones(6), np.array([2, 0, 1, 1, 0.5, 3])])
def test_the_themes_of_the_top_are_those_of_the_best_documents(mask):
    ranking = Refined(unit(QUERY), mask.astype(np.float32))
    best = ExactIndex(COLLECTION).search(ranking.query[None], 30, mask=ranking.mask).ids[0]
    deviation = np.sqrt(unit(COLLECTION).var(axis=0).mean())
    expected = unit(COLLECTION)[best].mean(axis=0) / deviation
    np.testing.assert_allclose(top_themes([ranking], COLLECTION)[0], expected, atol=1e-4)
    np.testing.assert_allclose(top_themes([ranking], csr_array(COLLECTION))[0], expected, atol=1e-4)


def test_a_fiftieth_of_a_large_collection_is_the_top():
    many = np.vstack([COLLECTION] * 5)  # 3,000 documents
    best = ExactIndex(many).search(unit(QUERY)[None], 60).ids[0]
    expected = unit(many)[best].mean(axis=0) / np.sqrt(unit(many).var(axis=0).mean())
    np.testing.assert_allclose(top_themes([plain(unit(QUERY))], many)[0], expected, atol=1e-4)


def test_without_a_background_the_weights_of_the_score_are_looked_at():
    mask = np.array([2, 0, 1, 1, 0.5, 3], np.float32)
    expected = np.sqrt(6) * unit(mask**2 * QUERY)
    np.testing.assert_allclose(top_themes([Refined(unit(QUERY), mask)], None)[0], expected, atol=1e-6)


def test_a_query_of_nothing_has_the_themes_of_the_whole_collection():
    (themes,) = top_themes([plain(np.zeros(6))], COLLECTION)
    np.testing.assert_allclose(themes, unit(COLLECTION).mean(axis=0) / np.sqrt(unit(COLLECTION).var(axis=0).mean()))


@pytest.mark.parametrize("background", [COLLECTION, None])
def test_what_relevant_documents_speak_of_goes_up_and_what_irrelevant_ones_speak_of_goes_down(background):
    query, relevant, irrelevant = speaking(0, 1)[0], speaking(0, 3, n=3), speaking(1, n=3)
    taught = lessons_of(Feedback("rocchio"), query, relevant, irrelevant, background, themes=WORDS)
    assert (taught.up[0].theme, taught.up[0].words) == (3, ("a3", "b3"))
    assert (taught.down[0].theme, taught.down[0].words) == (1, ("a1", "b1"))
    assert str(taught).startswith("+ a3, b3")
    assert "− a1, b1" in str(taught)


@pytest.mark.parametrize("method", METHODS)
def test_a_theme_that_goes_up_has_more_of_the_best_documents_than_before(method):
    relevant, irrelevant = speaking(0, 3, n=3), speaking(1, 2, n=3)
    taught = lessons_of(Feedback(method), QUERY, relevant, irrelevant, COLLECTION)
    refined = Feedback(method).refine(QUERY, relevant, irrelevant, COLLECTION)
    index = ExactIndex(COLLECTION)
    before = unit(COLLECTION)[index.search(QUERY[None], 30).ids[0]].mean(axis=0)
    after = unit(COLLECTION)[index.search(refined.query[None], 30, mask=refined.mask).ids[0]].mean(axis=0)
    assert taught.up
    assert taught.down
    assert all(after[theme] > before[theme] for theme in themes_of(taught.up))
    assert all(after[theme] < before[theme] for theme in themes_of(taught.down))


def test_a_theme_that_no_document_varies_in_is_no_lesson_however_much_it_weighs():
    flat = np.hstack([unit(COLLECTION), np.ones((len(COLLECTION), 1), np.float32)])
    query, relevant = np.append(QUERY, -3), np.append(speaking(0), 3)[None]
    taught = lessons_of(Feedback("rocchio"), query, relevant, np.empty((0, 7)), flat)
    assert 6 not in themes_of(taught.up + taught.down)
    assert 6 in themes_of(lessons_of(Feedback("rocchio"), query, relevant, np.empty((0, 7))).up)


def test_the_biggest_change_stands_first_and_no_more_are_told_than_asked_for():
    arguments = Feedback("rocchio"), QUERY, speaking(3, 4, n=3), speaking(1, n=2), COLLECTION
    taught = lessons_of(*arguments)
    for side in taught:
        sizes = [abs(lesson.change) for lesson in side]
        assert sizes == sorted(sizes, reverse=True)
    assert lessons_of(*arguments, most=1) == Lessons(taught.up[:1], taught.down[:1])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("empty", [NONE, []])
def test_no_mark_teaches_nothing(method, empty):
    taught = lessons_of(Feedback(method), QUERY, empty, empty, COLLECTION)
    assert taught == Lessons((), ())
    assert str(taught) == ""


def test_weights_by_hand_are_told_too():
    refined = plain(unit(QUERY)).with_weights({1: 0})
    taught = lessons_of(Feedback(), QUERY, NONE, NONE, COLLECTION, refined=refined)
    assert taught.down[0].theme == 1


def test_of_a_large_collection_every_nth_document_is_looked_at(monkeypatch):
    monkeypatch.setattr(lessons_module, "MOST_ROWS", 200)
    arguments = Feedback("rocchio"), QUERY, speaking(3), NONE
    assert lessons_of(*arguments, COLLECTION) == lessons_of(*arguments, COLLECTION[::3])


def test_sparse_vectors_are_taught_as_dense_ones_are():
    relevant, irrelevant = speaking(3, n=2), speaking(1)
    dense = lessons_of(Feedback(), QUERY, relevant, irrelevant, COLLECTION)
    sparse = lessons_of(Feedback(), *map(csr_array, (QUERY[None], relevant, irrelevant, COLLECTION)))
    assert themes_of(sparse.up) == themes_of(dense.up)
    np.testing.assert_allclose([a.change for a in sparse.down], [b.change for b in dense.down], atol=1e-4)


def test_all_lessons_are_said_in_one_line_without_a_word_twice():
    up = (Lesson(0, ("hockey", "nhl"), 2.0), Lesson(1, ("nhl", "playoffs"), 1.0), Lesson(2, ("nhl", "hockey"), 0.5))
    assert str(Lessons(up, (Lesson(7, ("dealer",), -1.0),))) == "+ hockey, nhl; playoffs · − dealer"
    assert str(Lessons((), (Lesson(7, (), -1.0), Lesson(9, (), -0.5)))) == "− theme 7; theme 9"
    assert [str(lesson) for lesson in (*up[:1], Lesson(7, (), -1.0))] == ["+ hockey, nhl", "− theme 7"]


def test_themes_are_named_by_codewords_by_words_or_by_numbers():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice([f"w{i}" for i in range(30)], 8)) for _ in range(60)]
    bag, words = BagOfEmbeddedWords(n_codewords=4).fit(texts), TfIdf().fit(texts)
    assert theme_words(bag, 2) == [tuple(bag.describe(codeword, 2)) for codeword in range(4)]
    assert theme_words(words) == [(word,) for word in words.vocabulary_.words]
    assert theme_words(Lsi(3).fit(texts)) is None


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"themes": [("a",)]}, "themes has words for 1 features, the query has 6"),
        ({"most": 0}, "most is 0; expected a whole number of at least 1"),
        ({"relevant_grades": [1, 1]}, r"relevant_grades have shape \(2,\); there are 1 relevant"),
        ({"irrelevant": "a word"}, "the irrelevant documents must be"),
        ({"irrelevant": np.ones((1, 7))}, "the irrelevant documents have 7 features, the query has 6"),
        ({"query": np.ones((2, 6))}, "the query must be one vector"),
        ({"background": np.ones((3, 5), np.float32)}, "the background has 5 features, the query has 6"),
    ],
)
def test_what_cannot_be_told_is_refused(more, sentence):
    given = {"query": QUERY, "relevant": speaking(3), "irrelevant": NONE, "refined": plain(QUERY)} | more
    with pytest.raises(InputError, match=sentence):
        lessons_of(Feedback(), **given)
