"""What marks taught: the change of themes against loops, what is said of it, and whose doing it was."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from satchel import BagOfEmbeddedWords, Feedback, Lsi, TfIdf
from satchel.errors import InputError
from satchel.feedback import Lesson, Lessons, Refined, lessons_of, theme_words
from satchel.feedback import lessons as lessons_module
from satchel.feedback.causes import mark_parts, marked_query, shares
from satchel.feedback.top_themes import top_themes
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


def test_each_theme_is_caused_by_the_mark_that_speaks_of_it():
    relevant = np.vstack([speaking(3), speaking(4)])
    taught = lessons_of(Feedback("rocchio"), QUERY, relevant, NONE, COLLECTION)
    causes = {lesson.theme: lesson.marks[0] for lesson in taught.up}
    assert (causes[3].position, causes[3].kind) == (0, "relevant")
    assert (causes[4].position, causes[4].kind) == (1, "relevant")
    assert causes[3].share > 0.8


def test_an_irrelevant_mark_is_the_cause_of_what_it_speaks_of_going_down():
    relevant, irrelevant = speaking(0, n=3), np.vstack([speaking(1), speaking(2)])
    taught = lessons_of(Feedback("rocchio"), QUERY, relevant, irrelevant)
    causes = {lesson.theme: lesson.marks[0][:2] for lesson in taught.down}
    assert causes[1] == (0, "irrelevant")
    assert causes[2] == (1, "irrelevant")


@pytest.mark.parametrize("method", METHODS)
def test_shares_of_a_change_sum_to_one_and_of_equal_marks_each_has_the_same(method):
    near = speaking(3) + 1e-3 * np.random.default_rng(0).standard_normal((5, 6)).astype(np.float32)
    taught = lessons_of(Feedback(method), QUERY, near, speaking(1), COLLECTION)
    for lesson in (*taught.up, *taught.down):
        assert sum(cause.share for cause in lesson.marks) == pytest.approx(1)
        assert all(cause.share > 0 for cause in lesson.marks)
    relevant = [cause.share for cause in taught.up[0].marks if cause.kind == "relevant"]
    if method in ("auto", "rocchio"):
        assert len(relevant) == 5
        assert max(relevant) - min(relevant) < 0.05


def test_only_marks_that_pull_the_way_of_a_change_share_in_it():
    np.testing.assert_allclose(shares(np.array([0.3, -0.5, 0.1]), 0.2), [0.75, 0, 0.25])
    np.testing.assert_allclose(shares(np.array([0.3, -0.5, 0.1]), -0.2), [0, 1, 0])
    assert shares(np.array([0.3, 0.1]), -0.2).tolist() == [0, 0]


def test_the_part_of_a_mark_is_what_it_takes_away_and_what_it_does_alone():
    relevant, irrelevant = speaking(3, 4, n=2), speaking(1)
    asked = marked_query(Feedback("rocchio"), QUERY, relevant, irrelevant, None, None)
    refine = Feedback("rocchio").refine
    rankings = [
        plain(unit(QUERY)),
        refine(QUERY, relevant, irrelevant),
        refine(QUERY, relevant[1:], irrelevant),
        refine(QUERY, relevant[:1], NONE),
        refine(QUERY, relevant, NONE),
        refine(QUERY, NONE, irrelevant),
    ]
    none, everything, without_first, first, without_last, last = top_themes(rankings, COLLECTION)
    parts = mark_parts(asked, COLLECTION)
    np.testing.assert_allclose(parts[0], (everything - without_first + first - none) / 2, atol=1e-6)
    np.testing.assert_allclose(parts[2], (everything - without_last + last - none) / 2, atol=1e-6)


def test_a_mark_of_no_grade_and_one_without_direction_cause_nothing():
    relevant = np.vstack([speaking(3), speaking(4), np.zeros((1, 6))])
    taught = lessons_of(Feedback("rocchio"), QUERY, relevant, NONE, COLLECTION, relevant_grades=[1, 0, 1])
    assert {cause.position for lesson in taught.up for cause in lesson.marks} == {0}


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
    assert taught.down[0].marks == ()


def test_causes_are_left_out_where_they_are_not_asked_for():
    arguments = Feedback("rocchio"), QUERY, speaking(3), NONE, COLLECTION
    taught, told = lessons_of(*arguments, causes=False), lessons_of(*arguments)
    assert [lesson._replace(marks=()) for lesson in told.up] == list(taught.up)
    assert all(lesson.marks for lesson in told.up)


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
        ({"causes": "no"}, "causes is 'no'; expected True or False"),
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
