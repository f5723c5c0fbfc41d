"""Why a document matched: the words' shares sum to the cosine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.documents import ENCODERS, BagOfEmbeddedWords, TfIdf
from satchel.documents.linear import LinearEncoder
from satchel.errors import NotFittedError

TEXTS = ["red apple pie", "green apple tart", "blue sky above", "red sky at night", "apple sky pie pie"]
SMALL = {"Lsi": {"n_components": 3}, "BagOfEmbeddedWords": {"n_codewords": 3}}
LINEAR = {
    name: encoder(**SMALL.get(name, {})) for name, encoder in ENCODERS.items() if issubclass(encoder, LinearEncoder)
}
BAGS = {
    "bag of the paper": BagOfEmbeddedWords(n_codewords=3, recipe="paper"),
    "bag without what is below zero": BagOfEmbeddedWords(n_codewords=3, slope=0),
    "bag with all that is below zero": BagOfEmbeddedWords(n_codewords=3, slope=1),
    "bag of counts": BagOfEmbeddedWords(n_codewords=3, weighting="counts"),
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
