"""Why a document matched: the words' shares sum to the cosine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.encoders import BagOfEmbeddedWords, LinearEncoder, Recipe, TfIdf
from satchel.errors import InputError, NotFittedError
from satchel.parts import PARTS, listed

TEXTS = ["red apple pie", "green apple tart", "blue sky above", "red sky at night", "apple sky pie pie"]
SMALL = {"Lsi": {"n_components": 3}, "BagOfEmbeddedWords": {"n_codewords": 3}}
ENCODERS = {name: listed("encoder", name) for name in PARTS["encoder"]}
LINEAR = {
    name: encoder(**SMALL.get(name, {})) for name, encoder in ENCODERS.items() if issubclass(encoder, LinearEncoder)
}
BAGS = {
    "bag of the paper": BagOfEmbeddedWords(n_codewords=3, recipe="paper"),
    "bag without what is below zero": BagOfEmbeddedWords(n_codewords=3, recipe=Recipe(slope=0)),
    "bag with all that is below zero": BagOfEmbeddedWords(n_codewords=3, recipe=Recipe(slope=1)),
    "bag of counts": BagOfEmbeddedWords(n_codewords=3, recipe=Recipe(weighting="counts")),
}
LABELS = ["food", "food", "sky", "sky", "food"]
FITTED = [pytest.param(encoder.fit(TEXTS), id=name) for name, encoder in sorted((LINEAR | BAGS).items())] + [
    pytest.param(BagOfEmbeddedWords(n_codewords=3).fit(TEXTS, LABELS), id="bag with labels")
]
WORDS = ["red", "apple", "pie", "green", "blue", "sky", "night", "above", "unseen"]
texts = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


def cosine(encoder: LinearEncoder, query: str, document: str) -> float | None:
    vectors = encoder.transform([query, document])
    q, d = (vectors if isinstance(vectors, np.ndarray) else vectors.toarray()).astype(np.float64)
    return float(q @ d / np.linalg.norm(q) / np.linalg.norm(d)) if q.any() and d.any() else None


@pytest.mark.parametrize("encoder", FITTED)
@given(query=texts, document=texts)
def test_contributions_sum_to_the_cosine_and_stand_biggest_first(encoder, query: str, document: str) -> None:
    contributions = encoder.explain(query, document).words
    shares = [share for _, share in contributions]
    expected = cosine(encoder, query, document)
    assert (expected is None) == (contributions == [])
    assert sum(shares) == pytest.approx(expected or 0.0, abs=1e-4)
    assert shares == sorted(shares, reverse=True)
    assert {word for word, _ in contributions} <= set(document.split())


@pytest.mark.parametrize("encoder", [case for case in FITTED if isinstance(case.values[0], BagOfEmbeddedWords)])
@given(query=texts, document=texts)
def test_codewords_sum_to_the_same_cosine_as_words(encoder, query: str, document: str) -> None:
    words, codewords = encoder.explain(query, document)
    assert (words == []) == (codewords == [])
    assert sum(share.contribution for share in codewords) == pytest.approx(sum(share for _, share in words), abs=1e-4)
    assert all(share.words == tuple(encoder.describe(share.codeword, 3)) for share in codewords)


def test_shares_by_hand() -> None:
    encoder = TfIdf().fit(["cat dog", "cat dog"])
    assert encoder.explain("cat", "dog cat fish").words == [("cat", pytest.approx(1 / np.sqrt(2))), ("dog", 0.0)]


def test_unfitted_encoder_cannot_explain() -> None:
    with pytest.raises(NotFittedError, match="TfIdf is not fitted: call fit first"):
        TfIdf().explain("a", "b")


def twin(encoder: LinearEncoder, q: np.ndarray, text: str, r: np.ndarray) -> dict[str, float]:
    """What each word adds to cos(r∘q, r∘z), by two loops over words and numbers."""
    weighed, rows, q = encoder._weigh([text]), encoder._word_rows(), np.asarray(q, np.float64)
    weights = dict(zip(weighed.indices, weighed.data, strict=True))
    n_features = len(r)
    own = np.eye(n_features) if rows is None else np.asarray(rows[np.arange(len(encoder.vocabulary_))], np.float64)
    sums = [sum(w * own[id_, i] for id_, w in weights.items()) for i in range(n_features)]
    z = encoder._finish(np.array(sums, np.float64))
    lengths = np.sqrt(sum((r * q) ** 2)) * np.sqrt(sum((r * z) ** 2))
    shares = {}
    for id_, w in weights.items():
        parts = [r[i] ** 2 * q[i] * w * own[id_, i] * z[i] / sums[i] for i in range(n_features) if sums[i]]
        shares[encoder.vocabulary_.words[id_]] = sum(parts) / lengths if lengths else None
    return shares if lengths else {}


def dense(vectors) -> np.ndarray:
    return vectors if isinstance(vectors, np.ndarray) else vectors.toarray()


@pytest.mark.parametrize("encoder", FITTED)
@given(query=texts, documents=st.lists(texts, max_size=4), seed=st.integers(0, 5))
def test_contributions_under_a_mask_are_those_of_two_loops(encoder, query, documents, seed) -> None:
    q = dense(encoder.transform([query]))[0]
    mask = np.random.default_rng(seed).choice([0, 0.5, 1, 2], len(q)).astype(np.float32)
    found = encoder.contributions(q, documents, mask)
    assert len(found) == len(documents)
    for document, contributions in zip(documents, found, strict=True):
        assert dict(contributions) == pytest.approx(twin(encoder, q, document, mask), abs=1e-9)
        assert contributions == sorted(contributions, key=lambda one: (-one.contribution, one.word))


@pytest.mark.parametrize("encoder", FITTED)
def test_contributions_are_the_same_one_text_at_a_time_and_in_small_runs(encoder, monkeypatch) -> None:
    q, documents = encoder.transform(["apple sky"])[[0]], [*TEXTS, "", "unseen", "red red sky"]
    together = encoder.contributions(q, documents)
    assert [encoder.contributions(q, [one])[0] for one in documents] == together
    monkeypatch.setattr("satchel.encoders.linear._RUN_VALUES", 3)
    assert encoder.contributions(q, iter(documents)) == together
    assert encoder.contributions(q, []) == []


@pytest.mark.parametrize("encoder", FITTED)
def test_the_most_contributing_words_are_the_first_of_all(encoder) -> None:
    q = encoder.transform(["apple sky"])[[0]]
    every = encoder.contributions(q, TEXTS)
    for most in (1, 2, 10):
        assert encoder.contributions(q, TEXTS, most=most) == [words[:most] for words in every]


def test_equal_contributions_stand_in_alphabetical_order_also_where_only_some_are_told() -> None:
    encoder = TfIdf().fit(["cat dog ant", "cat dog ant"])
    (words,) = encoder.contributions(np.array([0, 0, 0], np.float32) + 1, ["dog cat ant"], most=2)
    assert [one.word for one in words] == ["ant", "cat"]


@pytest.mark.parametrize(
    ("query", "mask", "said"),
    [
        ([1.0], None, "query_vector has 1 numbers, but the encoder's vectors have 2"),
        ([1.0, np.nan], None, "query_vector holds a number that is not finite"),
        ([1.0, 2.0], [1.0, 2.0, 3.0], "mask has 3 numbers, but the encoder's vectors have 2"),
    ],
)
def test_a_query_or_mask_of_another_length_is_refused(query, mask, said) -> None:
    encoder = TfIdf().fit(["cat dog"])
    with pytest.raises(InputError, match=said):
        encoder.contributions(np.array(query), ["cat"], None if mask is None else np.array(mask))
