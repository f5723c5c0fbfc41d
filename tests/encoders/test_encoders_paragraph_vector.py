"""Paragraph vectors: gensim's Doc2Vec, made repeatable."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from satchel.encoders import ParagraphVector, load_encoder
from satchel.errors import DamagedFileError, InputError, MissingExtraError
from satchel.text import learn_vocabulary
from satchel.words import WordVectors

PETS = ["cat", "dog", "purr", "bark", "paw", "tail", "fur", "whisker", "kennel", "leash"]
MONEY = ["stock", "bond", "market", "trade", "price", "bank", "fund", "share", "broker", "profit"]
SMALL = {"dim": 12, "n_epochs": 3, "n_inference_epochs": 5, "min_count": 1}


def made_up_texts(n: int = 120, length: int = 25) -> tuple[list[str], list[str]]:
    """Texts of one topic each; a third of the words belong to both."""
    random = np.random.default_rng(5)
    labels = ["pets", "money"] * (n // 2)
    both = ["the", "and", "of", "with", "from"]
    topics = {"pets": PETS + both, "money": MONEY + both}
    return [" ".join(random.choice(topics[label], length)) for label in labels], labels


TEXTS, LABELS = made_up_texts()
WORDS = WordVectors((*PETS, "unseen"), np.random.default_rng(2).standard_normal((11, 12)).astype(np.float32))


@pytest.fixture(scope="module")
def gensim() -> None:
    pytest.importorskip("gensim")


@pytest.fixture(scope="module")
def fitted(gensim: None) -> ParagraphVector:
    return ParagraphVector(WORDS, **SMALL).fit(TEXTS)


def in_a_fresh_interpreter(code: str, hash_seed: int = 0) -> str:
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert not done.stderr
    return done.stdout.strip()


def test_two_topics_separate(gensim: None) -> None:
    vectors = ParagraphVector(dim=16, n_epochs=20, n_inference_epochs=20, min_count=1).fit(TEXTS).transform(TEXTS)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -1)
    nearest = cosines.argmax(axis=1)
    assert np.mean([LABELS[row] == LABELS[near] for row, near in enumerate(nearest)]) > 0.95


def test_bytes_depend_neither_on_the_hash_seed_nor_on_the_process(gensim: None) -> None:
    code = f"""
import hashlib
from satchel.encoders import ParagraphVector
texts = {TEXTS[:30]!r}
encoder = ParagraphVector(**{SMALL!r}).fit(texts)
learned = encoder.words_.vectors.tobytes() + encoder.output_weights_.tobytes()
print(hashlib.sha256(learned + encoder.transform(texts).tobytes()).hexdigest())
"""
    assert in_a_fresh_interpreter(code, 1) == in_a_fresh_interpreter(code, 2)


def test_another_seed_gives_other_vectors(fitted: ParagraphVector) -> None:
    other = clone(fitted).set_params(random_state=1).fit(TEXTS)
    assert not np.allclose(other.transform(TEXTS[:3]), fitted.transform(TEXTS[:3]))


def test_words_start_from_the_given_vectors_and_the_rest_from_small_random_numbers(gensim: None) -> None:
    vocabulary, counts = learn_vocabulary(TEXTS, ParagraphVector().tokenizer)
    totals = counts.sum(axis=0).astype(np.int64)
    given, plain = (ParagraphVector(words, **SMALL)._start(vocabulary, totals, 3) for words in (WORDS, None))
    for row, word in enumerate(vocabulary.words):
        start = WORDS[word] if word in WORDS else plain.wv.vectors[row]
        np.testing.assert_array_equal(given.wv[word], start)
    assert 0 < np.abs(plain.wv.vectors).max() <= 1 / 12
    assert not given.syn1neg.any()


def test_words_are_trained_along(fitted: ParagraphVector) -> None:
    assert fitted.words_.words == fitted.vocabulary_.words
    assert all(not np.array_equal(fitted.words_[word], WORDS[word]) for word in PETS)
    assert fitted.words is WORDS


def test_the_model_is_gensims_distributed_bag_of_words_with_skip_grams(fitted: ParagraphVector) -> None:
    model = fitted._model
    assert (model.dbow, model.dbow_words, model.window, model.workers) == (1, 1, 8, 1)


def test_counts_are_those_of_the_texts(fitted: ParagraphVector) -> None:
    words = " ".join(TEXTS).split()
    assert fitted.counts_.tolist() == [words.count(word) for word in fitted.vocabulary_.words]


def test_a_text_has_one_vector_alone_in_any_batch_and_again(fitted: ParagraphVector) -> None:
    batch = fitted.transform(TEXTS[:20])
    alone = np.concatenate([fitted.transform([text]) for text in TEXTS[:20]])
    backwards = fitted.transform(TEXTS[19::-1])[::-1]
    assert batch.tobytes() == alone.tobytes() == backwards.tobytes() == fitted.transform(TEXTS[:20]).tobytes()
    assert batch.dtype == np.float32
    assert batch.flags.c_contiguous


def test_inference_is_gensims_own_where_start_and_generator_are_the_same(
    fitted: ParagraphVector, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gensim.models import doc2vec

    words = TEXTS[0].split()
    random = np.random.RandomState(0)
    start = ((random.random_sample(12) - 0.5) / 12).astype(np.float32)
    monkeypatch.setattr(doc2vec, "pseudorandom_weak_vector", lambda *_, **__: start)
    monkeypatch.setattr(fitted._model, "random", random)
    expected = fitted._model.infer_vector(words, epochs=SMALL["n_inference_epochs"])
    np.testing.assert_array_equal(fitted.transform([TEXTS[0]])[0], expected)


def test_only_known_words_count(fitted: ParagraphVector) -> None:
    one, same, none = fitted.transform(["cat dog", "zzz cat yyy dog", "zzz yyy"])
    np.testing.assert_array_equal(one, same)
    assert one.any()
    assert not none.any()


def test_numpys_global_generator_is_left_alone(gensim: None) -> None:
    before = np.random.get_state()[1].copy()
    ParagraphVector(**SMALL).fit(TEXTS[:10]).transform(TEXTS[:10])
    np.testing.assert_array_equal(np.random.get_state()[1], before)


def test_a_saved_folder_gives_the_same_bytes_and_can_be_fitted_again(fitted: ParagraphVector, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model")
    loaded = load_encoder(tmp_path / "model")
    assert loaded.transform(TEXTS).tobytes() == fitted.transform(TEXTS).tobytes()
    assert loaded.words_ == fitted.words_
    assert {word: loaded.words[word].tolist() for word in loaded.words} == {word: WORDS[word].tolist() for word in PETS}
    assert clone(loaded).fit(TEXTS).transform(TEXTS).tobytes() == fitted.transform(TEXTS).tobytes()


def test_without_word_vectors_none_are_loaded(gensim: None, tmp_path: Path) -> None:
    ParagraphVector(**SMALL).fit(TEXTS).save(tmp_path / "model")
    assert load_encoder(tmp_path / "model").words is None


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("counts", np.ones(3, np.int64)),
        ("counts", np.zeros(25, np.int64)),
        ("output_weights", np.zeros((25, 5), np.float32)),
        ("output_weights", np.full((25, 12), np.nan, np.float32)),
        ("words", np.zeros((24, 12), np.float32)),
        ("has_start", np.ones(25, bool)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    fitted: ParagraphVector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, array: np.ndarray
) -> None:
    arrays, words = fitted._learned()
    monkeypatch.setattr(ParagraphVector, "_learned", lambda self: (arrays | {name: array}, words))
    fitted.save(tmp_path / "model")
    with pytest.raises(DamagedFileError, match="is not a whole ParagraphVector"):
        load_encoder(tmp_path / "model")


def test_dim_is_that_of_the_words_and_100_without(gensim: None) -> None:
    short = {**SMALL, "dim": None}
    assert ParagraphVector(WORDS, **short).fit(TEXTS[:4]).transform(["cat"]).shape == (1, 12)
    assert ParagraphVector(**short).fit(TEXTS[:4]).transform(["cat"]).shape == (1, 100)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"dim": 0}, "dim is 0; expected a whole number of at least 1"),
        ({"window": 0}, "window is 0; expected a whole number of at least 1"),
        ({"n_epochs": 0}, "n_epochs is 0; expected a whole number of at least 1"),
        ({"n_inference_epochs": 2.5}, "n_inference_epochs is 2.5; expected a whole number of at least 1"),
        ({"min_count": -1}, "min_count is -1; expected a whole number of at least 1"),
        ({"random_state": -1}, "random_state is -1; expected a whole number from 0 to"),
        ({"min_count": 10**6}, r"found no word to learn in the 120 texts \(min_count=1000000"),
        ({"tokenizer": "plain"}, "tokenizer must be a Tokenizer, not str"),
        ({"words": "glove"}, "words must be WordVectors or None, not str"),
        ({"words": WORDS, "dim": 50}, "dim is 50, but the word vectors have 12 numbers; leave dim out"),
        (
            {"words": WORDS.restrict(["unseen"]), "dim": None},
            "none of the 1 word vectors is of a word in the 120 texts",
        ),
        ({"words": WordVectors(("cat",), [[1e9]]), "dim": None}, "beyond ±1e\\+06; scale the vectors down"),
    ],
)
def test_wrong_parameters_are_one_sentence_at_fit(parameters: dict, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        ParagraphVector(**SMALL | parameters).fit(TEXTS)
    assert "\n" not in str(caught.value)


def test_without_gensim_fit_transform_and_load_name_the_extra(
    fitted: ParagraphVector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted.save(tmp_path / "model")
    for name in [name for name in sys.modules if name.split(".")[0] == "gensim"]:
        monkeypatch.setitem(sys.modules, name, None)
    uses = [
        lambda: ParagraphVector(**SMALL).fit(TEXTS),
        lambda: fitted.transform(TEXTS),
        lambda: load_encoder(tmp_path / "model"),
    ]
    for use in uses:
        with pytest.raises(MissingExtraError, match=r"ParagraphVector needs an extra .*'satchel\[gensim\]'"):
            use()


def test_importing_the_encoders_does_not_import_gensim() -> None:
    code = "import sys, satchel; satchel.ParagraphVector(); print('gensim' in sys.modules)"
    assert in_a_fresh_interpreter(code) == "False"


def test_gensim_prints_and_warns_nothing(gensim: None) -> None:
    code = f"""
from satchel.encoders import ParagraphVector
for texts in (["cat"], ["cat dog", ""], {TEXTS[:9]!r}):
    ParagraphVector(**{SMALL!r}).fit(texts).fit(texts).transform(["cat", "", "zzz"])
"""
    assert in_a_fresh_interpreter(code) == ""
