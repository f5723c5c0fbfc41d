"""The contract of every encoder: one file, run over all that the table of parts holds."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

from forging import forge
from satchel.encoders import Encoder, load_encoder
from satchel.errors import DamagedFileError, InputError, MissingFileError, NotFittedError, SatchelError
from satchel.estimator import flat_names
from satchel.parts import PARTS, listed
from satchel.storage.model_folder import FILES

TEXTS = [
    "The cat sat on the mat and the cat purred.",
    "Dogs chase cats through the garden every morning.",
    "Stock markets fell sharply in early trading today.",
    "Investors sold stock after the markets fell again.",
    "",
    "A dog and a cat share the garden.",
    "Trading in stock was calm; investors bought bonds.",
    "Ünïcode wörds: 数据 и слова, cats too.",
]
LABELS = ["pets", "pets", "money", "money", "pets", "pets", "money", "pets"]
WHOLE_NUMBERS = (
    "n_components",
    "n_codewords",
    "n_epochs",
    "n_iterations",
    "neighbours",
    "dim",
    "min_count",
    "min_documents",
    "max_features",
    "n_features",
    "mixture_documents",
    "random_state",
)


class Case(NamedTuple):
    """An encoder of the table with parameters by which it learns from eight texts, and the module that it needs."""

    name: str
    settings: dict[str, object]
    needs: str | None


SPECIAL = {
    "BagOfEmbeddedWords": Case("BagOfEmbeddedWords", {"n_codewords": 3}, None),
    "BagOfEmbeddedWords of the paper": Case(
        "BagOfEmbeddedWords", {"recipe": "paper", "n_codewords": 3, "training__n_epochs": 2}, "torch"
    ),
    "BagOfEmbeddedWords by cross-entropy": Case(
        "BagOfEmbeddedWords", {"objective": "cross-entropy", "n_codewords": 3, "training__n_epochs": 2}, "torch"
    ),
    "FisherVectors": Case("FisherVectors", {"n_components": 3, "dim": 4}, None),
    "FisherVectors reduced": Case(
        "FisherVectors",
        {"n_components": 3, "gradients": "weights+means+variances", "n_features": 5, "power": 0.5},
        None,
    ),
    "FisherVectors of few texts": Case(
        "FisherVectors", {"n_components": 3, "mixture_documents": 2, "weighting": "tf"}, None
    ),
    "Lsi": Case("Lsi", {"n_components": 3}, None),
    "Lda": Case("Lda", {"n_components": 3}, None),
    "Plsa": Case("Plsa", {"n_components": 3}, None),
    "ParagraphVector": Case(
        "ParagraphVector", {"dim": 8, "n_epochs": 2, "n_inference_epochs": 3, "min_count": 1}, "gensim"
    ),
}
ENCODERS: dict[str, type[Encoder]] = {name: listed("encoder", name) for name in PARTS["encoder"]}
CASES = {name: Case(name, {}, None) for name in ENCODERS} | SPECIAL


@pytest.fixture(params=sorted(CASES))
def encoder(request: pytest.FixtureRequest) -> Encoder:
    name, settings, needs = CASES[request.param]
    if needs is not None:
        pytest.importorskip(needs)
    return ENCODERS[name]().set_params(**settings)


@pytest.fixture
def fitted(encoder: Encoder) -> Encoder:
    return encoder.fit(TEXTS, LABELS)


def dense(vectors: object) -> np.ndarray:
    return vectors.toarray() if issparse(vectors) else vectors


def test_vectors_are_float32_finite_and_one_row_per_text(fitted: Encoder) -> None:
    vectors = fitted.transform(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape[0] == len(TEXTS)
    assert np.isfinite(dense(vectors)).all()
    assert issparse(vectors) or vectors.flags.c_contiguous


def test_same_seed_gives_the_same_bytes(encoder: Encoder) -> None:
    first, second = (clone(encoder).fit(TEXTS, LABELS).transform(TEXTS) for _ in range(2))
    assert dense(first).tobytes() == dense(second).tobytes()


def test_row_by_row_equals_the_batch_bit_for_bit(fitted: Encoder) -> None:
    batch = dense(fitted.transform(TEXTS))
    rows = np.concatenate([dense(fitted.transform([text])) for text in TEXTS])
    assert rows.tobytes() == batch.tobytes()


def test_fit_transform_is_fit_then_transform(encoder: Encoder) -> None:
    expected = dense(clone(encoder).fit(TEXTS, LABELS).transform(TEXTS))
    np.testing.assert_array_equal(dense(encoder.fit_transform(TEXTS, LABELS)), expected)


def test_empty_and_unseen_word_documents_are_zero_vectors(fitted: Encoder) -> None:
    vectors = dense(fitted.transform(["", " \n ", "...", "qqxzv wwkjh"]))
    assert not vectors.any()


def test_no_texts_are_no_vectors(fitted: Encoder) -> None:
    assert fitted.transform([]).shape == (0, fitted.transform(TEXTS).shape[1])


def test_unfitted_says_so(encoder: Encoder, tmp_path: Path) -> None:
    for use in (lambda: encoder.transform(TEXTS), lambda: encoder.save(tmp_path / "model")):
        with pytest.raises(NotFittedError, match=f"{type(encoder).__name__} is not fitted: call fit first"):
            use()
    assert not (tmp_path / "model").exists()


def test_scikit_learn_sees_whether_it_is_fitted(encoder: Encoder) -> None:
    assert not encoder.__sklearn_is_fitted__()
    check_is_fitted(encoder.fit(TEXTS, LABELS))


def test_constructor_only_stores_and_fit_leaves_parameters_alone(encoder: Encoder) -> None:
    before = encoder.get_params(deep=False)
    assert {name: vars(encoder)[name] for name in before} == before
    encoder.fit(TEXTS, LABELS)
    assert all(encoder.get_params(deep=False)[name] is value for name, value in before.items())


def test_clone_has_the_parameters_and_nothing_learned(fitted: Encoder) -> None:
    twin = clone(fitted)
    assert repr(twin.get_params()) == repr(fitted.get_params())
    assert not twin.__sklearn_is_fitted__()


def test_set_params_sets_and_refuses_unknown_names(encoder: Encoder) -> None:
    name, value = next(iter(encoder.get_params(deep=False).items()))
    assert encoder.set_params(**{name: value}) is encoder
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        encoder.set_params(nonsense=1)


def test_works_in_a_pipeline_and_a_grid_search(encoder: Encoder) -> None:
    pipeline = make_pipeline(encoder, LogisticRegression())
    assert set(pipeline.fit(TEXTS, LABELS).predict(["cats and dogs"])) <= {"pets", "money"}
    step = type(encoder).__name__.lower()
    grid = GridSearchCV(pipeline, {f"{step}__tokenizer": [encoder.tokenizer], "logisticregression__C": [1, 9]}, cv=2)
    assert grid.fit(TEXTS, LABELS).best_score_ >= 0


def test_saved_and_loaded_gives_the_same_bytes(fitted: Encoder, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model")
    for loaded in (load_encoder(tmp_path / "model"), type(fitted).load(tmp_path / "model")):
        assert type(loaded) is type(fitted)
        assert repr(loaded.get_params()) == repr(fitted.get_params())
        assert dense(loaded.transform(TEXTS)).tobytes() == dense(fitted.transform(TEXTS)).tobytes()
        loaded.save(tmp_path / "again")
        assert all((tmp_path / "again" / n).read_bytes() == (tmp_path / "model" / n).read_bytes() for n in FILES)
        assert clone(loaded).fit(TEXTS, LABELS).__sklearn_is_fitted__()


def test_seed_from_numpy_can_be_saved(encoder: Encoder, tmp_path: Path) -> None:
    if "random_state" in encoder.get_params():
        encoder.set_params(random_state=np.int64(7)).fit(TEXTS, LABELS).save(tmp_path / "model")
        assert load_encoder(tmp_path / "model").random_state == 7


def test_inputs_are_unchanged(encoder: Encoder) -> None:
    texts, labels = list(TEXTS), list(LABELS)
    encoder.fit(texts, labels).transform(texts)
    assert (texts, labels) == (TEXTS, LABELS)


def test_texts_may_come_as_tuple_generator_or_array(fitted: Encoder) -> None:
    expected = dense(fitted.transform(TEXTS)).tobytes()
    for texts in (tuple(TEXTS), iter(TEXTS), np.array(TEXTS), np.array(TEXTS, dtype=object)):
        assert dense(fitted.transform(texts)).tobytes() == expected


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ("one text", "not one string"),
        (["fine", 3], "text 1 is of type int"),
        (None, "not NoneType"),
        (5, "texts must be a list of strings, not int"),
    ],
)
def test_texts_that_are_not_a_list_of_strings_are_refused(fitted: Encoder, texts: object, words: str) -> None:
    for use in (fitted.fit, fitted.transform):
        with pytest.raises(InputError, match=words):
            use(texts)


def test_labels_of_another_length_are_refused_with_both_numbers(encoder: Encoder) -> None:
    with pytest.raises(InputError, match="2 labels for 8 texts"):
        encoder.fit(TEXTS, ["a", "b"])
    for labels in ("petspets", 5):
        with pytest.raises(InputError, match="labels must be a list with one label per text"):
            encoder.fit(TEXTS, labels)


def test_labels_may_come_as_a_generator(encoder: Encoder) -> None:
    expected = dense(clone(encoder).fit(TEXTS, LABELS).transform(TEXTS))
    np.testing.assert_array_equal(dense(encoder.fit(TEXTS, iter(LABELS)).transform(TEXTS)), expected)


@pytest.mark.parametrize("value", [2.5, "abc", -1])
@pytest.mark.parametrize("name", WHOLE_NUMBERS)
def test_a_parameter_that_is_no_whole_number_is_named(encoder: Encoder, name: str, value: object) -> None:
    if (place := flat_names(type(encoder)).get(name)) is not None:
        with pytest.raises(InputError, match=f"{name} is {value!r}; expected a whole number"):
            encoder.set_params(**{place: value}).fit(TEXTS, LABELS)


def test_parameters_changed_after_fit_are_not_saved(fitted: Encoder, tmp_path: Path) -> None:
    places = flat_names(type(fitted))
    name = next(places[name] for name in ("n_components", "dim", "min_count") if name in places)
    before = fitted.get_params()[name]
    fitted.set_params(**{name: 2})
    with pytest.raises(InputError, match=f"the parameter {name} was changed after fit; call fit again"):
        fitted.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()
    fitted.set_params(**{name: before}).save(tmp_path / "model")


@pytest.mark.parametrize("texts", [[], [""], ["", " \n", "..."]])
def test_nothing_to_learn_from_is_one_sentence(encoder: Encoder, texts: list[str]) -> None:
    with pytest.raises(InputError, match=f"{len(texts)} texts") as caught:
        encoder.fit(texts)
    assert "\n" not in str(caught.value)


def test_a_fit_that_fails_keeps_what_was_learned_before(fitted: Encoder) -> None:
    before = dense(fitted.transform(TEXTS))
    with pytest.raises(InputError):
        fitted.fit(["", ""])
    np.testing.assert_array_equal(dense(fitted.transform(TEXTS)), before)


@pytest.mark.parametrize("name", FILES)
def test_damaged_folder_is_refused_by_file(fitted: Encoder, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    fitted.save(folder)
    content = (folder / name).read_bytes()
    middle = len(content) // 2
    for damage in (content[:middle], content[:middle] + bytes([content[middle] ^ 64]) + content[middle + 1 :]):
        (folder / name).write_bytes(damage)
        with pytest.raises(DamagedFileError, match=f"{name} in .* is damaged"):
            load_encoder(folder)
    (folder / name).unlink()
    with pytest.raises(MissingFileError, match=f"{name} is missing"):
        load_encoder(folder)


def test_newer_version_is_refused_as_newer(fitted: Encoder, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model")
    forge(tmp_path / "model", version=99)
    with pytest.raises(DamagedFileError, match="version 99, newer than"):
        load_encoder(tmp_path / "model")


def test_folder_of_another_class_is_refused_by_name(fitted: Encoder, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model")
    others = [other for name, other in ENCODERS.items() if name != type(fitted).__name__]
    for other in others:
        with pytest.raises(InputError, match=f"holds the encoder {type(fitted).__name__}, not {other.__name__}"):
            other.load(tmp_path / "model")
        forge(tmp_path / "model", encoder=other.__name__)
        with pytest.raises(DamagedFileError, match=f"is not a whole {other.__name__}"):
            load_encoder(tmp_path / "model")
        forge(tmp_path / "model", encoder=type(fitted).__name__)


@pytest.mark.parametrize(
    "name", ["os.system", "builtins:eval", "satchel.encoders.lsi:Lsi", "Encoder", "Bm25", "../TfIdf", ""]
)
def test_class_names_are_looked_up_in_the_table_only(fitted: Encoder, tmp_path: Path, name: str) -> None:
    fitted.save(tmp_path / "model")
    forge(tmp_path / "model", encoder=name)
    with pytest.raises(InputError, match="unknown encoder .* choose from " + ", ".join(sorted(ENCODERS))):
        load_encoder(tmp_path / "model")


@pytest.mark.parametrize("parameters", [None, [], {}, {"tokenizer": "x"}, {"tokenizer": {}, "__class__": "os"}])
def test_parameters_that_do_not_fit_the_class_are_refused(fitted: Encoder, tmp_path: Path, parameters: object) -> None:
    fitted.save(tmp_path / "model")
    forge(tmp_path / "model", parameters=parameters)
    with pytest.raises(SatchelError, match="is not a whole"):
        load_encoder(tmp_path / "model")
