"""Lsi against the full singular value decomposition."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD

from satchel.encoders import Lsi, TfIdf
from satchel.errors import InputError
from satchel.text import Tokenizer
from satchel.words import latent_words

RNG = np.random.default_rng(0)
TEXTS = [" ".join(RNG.choice([f"topic{t}word{i}" for i in range(9)], 12)) for t in (0, 1, 2) for _ in range(12)]


def test_documents_are_v_sigma_of_the_full_decomposition_up_to_sign() -> None:
    a = TfIdf().fit(TEXTS).transform(TEXTS).toarray()
    v, sigma, _ = np.linalg.svd(a, full_matrices=False)
    encoder = Lsi(3, tokenizer=Tokenizer(min_length=2)).fit(TEXTS)
    np.testing.assert_allclose(np.abs(encoder.transform(TEXTS)), np.abs(v[:, :3] * sigma[:3]), atol=1e-4)
    np.testing.assert_allclose(encoder.singular_values_, sigma[:3], rtol=1e-5)


def test_documents_are_those_of_truncated_svd_on_tf_idf() -> None:
    a = TfIdf().fit(TEXTS).transform(TEXTS)
    expected = TruncatedSVD(5, random_state=0).fit_transform(a)
    found = Lsi(5, tokenizer=Tokenizer(min_length=2)).fit(TEXTS).transform(TEXTS)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=2e-4)


@pytest.mark.parametrize("word_weight", ["idf", "entropy"])
def test_words_weigh_as_a_plain_loop_says(word_weight: str) -> None:
    encoder = Lsi(3, sublinear=True, word_weight=word_weight).fit(TEXTS)
    n = len(TEXTS)
    for word, found in zip(encoder.vocabulary_.words, encoder.idf_, strict=True):
        counts = [count for text in TEXTS if (count := text.split().count(word))]
        shares = [count / sum(counts) for count in counts]
        entropy = -sum(p * math.log(p) for p in shares)
        assert found == pytest.approx(math.log(n / len(counts)) if word_weight == "idf" else 1 - entropy / math.log(n))


@pytest.mark.parametrize("word_weight", ["idf", "entropy"])
def test_a_text_of_words_that_stand_everywhere_alike_is_the_zero_vector(word_weight: str) -> None:
    texts = ["fig plum", "fig quince", "fig"]
    vectors = Lsi(2, word_weight=word_weight).fit(texts).transform(texts)
    assert np.isfinite(vectors).all()
    assert vectors.any(axis=1).tolist() == [True, True, False]
    assert not Lsi(1, word_weight=word_weight).fit(["fig fig"] * 2).transform(["fig"]).any()


def test_an_unknown_word_weight_is_refused() -> None:
    with pytest.raises(InputError, match="unknown word_weight 'bm25'; choose from"):
        Lsi(1, word_weight="bm25").fit(TEXTS)  # type: ignore[arg-type]


def test_word_rows_are_orthonormal() -> None:
    rows, sigma = latent_words(TfIdf().fit(TEXTS).transform(TEXTS), 4, random_state=1)
    np.testing.assert_allclose(rows.T @ rows, np.eye(4), atol=1e-5)
    assert (np.diff(sigma) <= 0).all()


def test_stop_words_are_left_out_by_default() -> None:
    assert "the" not in Lsi(1).fit(["the cat", "the dog"]).vocabulary_


def test_more_components_than_the_texts_allow_are_refused_with_the_numbers() -> None:
    texts = ["apple pear", "pear plum quince", "fig fig", ""]
    message = "n_components is 4, but 3 texts with words and 5 distinct words allow from 1 to 3"
    with pytest.raises(InputError, match=message):
        Lsi(4).fit(texts)
    assert Lsi(3).fit(texts).transform(texts).shape == (4, 3)


def test_other_seeds_span_the_same_space() -> None:
    first, second = (Lsi(3, random_state=seed).fit(TEXTS).transform(TEXTS) for seed in (0, 1))
    np.testing.assert_allclose(first @ first.T, second @ second.T, atol=1e-4)


def test_same_seed_gives_the_same_bytes_whatever_number_of_threads_blas_may_use() -> None:
    code = """
import hashlib, numpy as np
from scipy.sparse import random_array
from satchel.words.learners import latent_words
a = random_array((2000, 1500), density=0.02, format="csr", dtype=np.float32, random_state=0)
print(hashlib.sha256(b"".join(x.tobytes() for x in latent_words(a, 100, 0))).hexdigest())
"""
    found = set()
    for n in "12":
        threads = {f"{library}_NUM_THREADS": n for library in ("OPENBLAS", "MKL", "OMP", "VECLIB", "BLIS")}
        done = subprocess.run([sys.executable, "-c", code], env=os.environ | threads, capture_output=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1
