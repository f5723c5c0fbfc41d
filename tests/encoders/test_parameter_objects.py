"""Recipes and trainings as parameters: in clone, get_params, set_params and a grid search, flat, and as JSON."""

import inspect
import json
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from forging import forge
from made_texts import corpus
from satchel import BagOfEmbeddedWords, FeedForwardRetriever, RecurrentRetriever
from satchel.collection.model import default_encoder
from satchel.encoders import RECIPES, Recipe, Training, load_encoder
from satchel.encoders.bag.recipe import nested_parameters
from satchel.errors import DamagedFileError, InputError
from satchel.estimator import flat_names, from_flat
from satchel.neural import NETWORK_RECIPES, NetworkRecipe
from satchel.neural.recipes import nested_network_parameters
from satchel.parts import PARTS, build, listed
from satchel.storage.model_folder import load_model

FIRST = Path(__file__).parents[1] / "fixtures" / "first" / "models"
OBJECTS = {"Recipe": Recipe(dim=7), "Training": Training(m=0.3), "NetworkRecipe": NetworkRecipe(rate=0.5)}
ESTIMATORS = {name: listed(kind, name) for kind in ("encoder", "network") for name in PARTS[kind]}
PAPER = RECIPES["paper"]


@pytest.mark.parametrize("name", [*ESTIMATORS, *OBJECTS])
def test_no_constructor_takes_more_than_fourteen_arguments(name):
    kind = ESTIMATORS[name] if name in ESTIMATORS else type(OBJECTS[name])
    assert len(inspect.signature(kind).parameters) <= 14


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_is_frozen_equal_by_value_cloned_and_json(name):
    given = OBJECTS[name]
    field = next(iter(given.get_params(deep=False)))
    with pytest.raises(FrozenInstanceError):
        setattr(given, field, 1)
    assert clone(given) == given == type(given)(**given.get_params(deep=False)) != type(given)()
    assert type(given).from_json(json.loads(json.dumps(given.as_json()))) == given
    with pytest.raises(InputError, match=rf"Invalid parameter 'nonsense' of {name}; it has .*{field}"):
        given.replaced(nonsense=1)
    with pytest.raises(ValueError, match=f"'{field}' is missing in a {name}"):
        type(given).from_json({key: value for key, value in given.as_json().items() if key != field})


def test_a_recipe_or_a_training_is_exactly_what_it_says():
    bag = BagOfEmbeddedWords(recipe=Recipe(dim=100, neighbours=0))
    assert bag.whole_recipe == replace(RECIPES["best"], dim=100, neighbours=0)
    bag = BagOfEmbeddedWords(recipe="paper", training=Training(n_epochs=2))
    assert bag.whole_recipe == replace(PAPER, training=Training(n_epochs=2))
    bag = BagOfEmbeddedWords(training="paper", objective="entropy")
    assert bag.whole_recipe == replace(RECIPES["best"], training=PAPER.training, objective="entropy")
    assert (BagOfEmbeddedWords().whole_recipe, BagOfEmbeddedWords(recipe="paper").whole_recipe) == (Recipe(), PAPER)


def test_a_part_of_a_name_is_set_in_what_the_name_stands_for():
    bag = BagOfEmbeddedWords(recipe="paper").set_params(recipe__dim=7, training__n_epochs=3)
    assert bag.recipe == replace(PAPER, dim=7)
    assert bag.training == replace(PAPER.training, n_epochs=3)
    assert BagOfEmbeddedWords().set_params(recipe="paper", recipe__dim=7).recipe == replace(PAPER, dim=7)
    deep = BagOfEmbeddedWords(recipe="paper").set_params(recipe__training__m=0.5)
    assert (deep.training, deep.whole_recipe.training.m) == (None, 0.5)


def test_all_parts_are_among_the_parameters_and_a_name_stays_while_it_says_the_same():
    for recipe in RECIPES:
        bag = BagOfEmbeddedWords(recipe=recipe)
        found = bag.get_params()
        assert found["recipe__dim"] == RECIPES[recipe].dim
        assert found["training__m"] == found["recipe__training__m"] == RECIPES[recipe].training.m
        assert set(bag.get_params(deep=False)) == set(inspect.signature(BagOfEmbeddedWords).parameters)
        assert (bag.set_params(**found).recipe, bag.training) == (recipe, None)


def test_an_object_of_a_clone_is_set_and_the_original_stays():
    bag = BagOfEmbeddedWords(recipe=Recipe(dim=7))
    twin = clone(bag).set_params(recipe__dim=9, training__m=0.5)
    assert (bag.whole_recipe.dim, twin.whole_recipe.dim) == (7, 9)
    assert (bag.training, twin.whole_recipe.training.m) == (None, 0.5)


def test_a_softness_takes_the_place_of_a_sigma_and_both_are_refused():
    assert PAPER.replaced(softness=0.2) == replace(PAPER, sigma=None, softness=0.2)
    assert PAPER.replaced(sigma=0.9).sigma == 0.9
    with pytest.raises(InputError, match="sigma and softness both say how soft"):
        Recipe().replaced(sigma=0.9, softness=0.2)


def test_what_differs_from_the_default_is_shown():
    bag = BagOfEmbeddedWords(recipe=Recipe(dim=100, neighbours=0), training=Training(n_epochs=2))
    assert repr(bag) == "BagOfEmbeddedWords(recipe=Recipe(dim=100, neighbours=0), training=Training(n_epochs=2))"
    assert repr(BagOfEmbeddedWords(recipe="paper")) == "BagOfEmbeddedWords(recipe='paper')"


def test_a_part_of_what_has_none_is_refused():
    with pytest.raises(
        InputError, match="Invalid parameter words__dim of BagOfEmbeddedWords: words is None, which has no"
    ):
        BagOfEmbeddedWords().set_params(words__dim=3)


def test_a_grid_search_chooses_among_epochs_and_slopes():
    pytest.importorskip("torch")
    texts, labels = corpus(60, 0)
    bag = BagOfEmbeddedWords(n_codewords=4, recipe="paper", training=PAPER.training.replaced(m=0.05, batch_size=20))
    steps = Pipeline([("bag", bag), ("classify", LogisticRegression())])
    grid = {"bag__training__n_epochs": [1, 3], "bag__recipe__slope": [0.0, 1.0]}
    search = GridSearchCV(steps, grid, cv=2, scoring=lambda fitted, texts, labels: len(fitted["bag"].history_))
    best = search.fit(texts, labels).best_estimator_["bag"]
    assert search.cv_results_["mean_test_score"].tolist() == [1, 3, 1, 3]
    assert (len(best.history_), best.whole_recipe.slope, best.whole_recipe.training.m) == (3, 0.0, 0.05)


def test_flat_names_are_found_where_they_lie():
    bag = from_flat(BagOfEmbeddedWords, {"recipe": "paper", "n_codewords": 5, "sigma": 0.9, "n_epochs": 2, "m": 1.0})
    assert (bag.n_codewords, bag.recipe) == (5, replace(PAPER, sigma=0.9))
    assert bag.training == replace(PAPER.training, n_epochs=2, m=1.0)
    assert from_flat(BagOfEmbeddedWords, {"recipe": "paper"}).recipe == "paper"
    assert flat_names(BagOfEmbeddedWords)["objective"] == "objective"
    assert flat_names(RecurrentRetriever)["rate"] == "recipe__rate"


def test_a_table_names_parts_of_recipes_flat():
    built = build("retriever", {"name": "BagOfEmbeddedWords", "neighbours": 0, "n_epochs": 3}, 7).encoder
    assert (built.whole_recipe.neighbours, built.whole_recipe.training.n_epochs, built.random_state) == (0, 3, 7)
    assert build("network", {"name": "RecurrentRetriever", "max_epochs": 3}).whole_recipe.max_epochs == 3
    with pytest.raises(InputError, match=r"BagOfEmbeddedWords 'sise'; choose from .*n_epochs, neighbours"):
        build("encoder", {"name": "BagOfEmbeddedWords", "sise": 3})


@pytest.mark.parametrize("kind", [BagOfEmbeddedWords, FeedForwardRetriever])
def test_an_unknown_flat_name_lists_the_choices(kind):
    with pytest.raises(InputError, match=f"unknown parameter of {kind.__name__} 'sise'; choose from ") as caught:
        from_flat(kind, {"sise": 3})
    assert str(caught.value).endswith(", ".join(sorted(flat_names(kind))))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"recipe": "soup"}, "unknown recipe 'soup'; choose from best, paper"),
        ({"recipe": 3}, "unknown recipe '3'; choose from best, paper"),
        ({"training": "soup"}, "unknown training 'soup'; choose from best, paper"),
        ({"training": Recipe()}, "unknown training"),
        ({"recipe__sise": 3}, "Invalid parameter 'sise' of Recipe; it has codebook, dim"),
        ({"training__dim": 3}, "Invalid parameter 'dim' of Training; it has batch_size"),
        ({"recipe__training": "paper"}, "training is 'paper'; expected a Training"),
        ({"training__patience": 3}, "patience needs documents set aside"),
    ],
)
def test_what_is_no_recipe_and_no_training_is_refused(given, sentence):
    with pytest.raises(InputError, match=sentence):
        BagOfEmbeddedWords().set_params(**given).fit(["cat dog", "bank stock"])


def test_what_networks_have_of_their_own_is_part_of_their_recipes():
    paper = NETWORK_RECIPES["paper"]
    assert FeedForwardRetriever(recipe="paper").whole_recipe == paper
    assert RecurrentRetriever(recipe="paper").whole_recipe == replace(paper, rate=0.2)
    assert FeedForwardRetriever(output="flat").whole_recipe == NetworkRecipe(document_weight=1.0)
    flat = from_flat(FeedForwardRetriever, {"recipe": "paper", "unknown": 0.3, "chunk_length": 7})
    assert flat.recipe == replace(paper, unknown=0.3, chunk_length=7)
    exact = RecurrentRetriever(recipe=paper, output="flat")
    assert clone(exact).whole_recipe == paper


def test_a_collection_learns_what_it_learned_before():
    assert default_encoder(None, 0).whole_recipe == replace(Recipe(), neighbours=0, dim=100)


def first(name: str) -> dict[str, Any]:
    return json.loads((FIRST / name / "config.json").read_text("utf-8"))["parameters"]


def test_parameters_of_version_1_become_objects_where_they_differ_from_the_recipe():
    now = nested_parameters(first("BagOfEmbeddedWords-steps"))
    assert set(now) == set(inspect.signature(BagOfEmbeddedWords).parameters)
    assert Recipe.from_json(now["recipe"]) == Recipe(dim=6)
    assert Training.from_json(now["training"]) == Training(n_epochs=2, learned=("words", "mask"))
    now = nested_parameters(first("BagOfEmbeddedWords-paper"))
    assert now["recipe"] == "paper"
    assert Training.from_json(now["training"]) == replace(PAPER.training, n_epochs=2, batch_size=10)
    assert now["objective"] is None
    untouched = first("BagOfEmbeddedWords-paper") | {"n_epochs": 10, "batch_size": 100, "softness": 0.2}
    now = nested_parameters(untouched)
    assert Recipe.from_json(now["recipe"]) == replace(PAPER, sigma=None, softness=0.2)
    assert now["training"] is None


def test_parameters_of_version_1_of_networks_become_a_recipe():
    now = nested_network_parameters(first("FeedForwardRetriever-paper-cascade"), recurrent=False)
    assert set(now) == set(inspect.signature(FeedForwardRetriever).parameters)
    assert NetworkRecipe.from_json(now["recipe"]) == replace(NETWORK_RECIPES["paper"], max_epochs=3, min_count=1)
    usual = first("RecurrentRetriever") | {"max_epochs": None, "min_count": None, "beginnings": 0.3}
    now = nested_network_parameters(usual, recurrent=True)
    assert set(now) == set(inspect.signature(RecurrentRetriever).parameters)
    assert now["recipe"] == "best"


@pytest.mark.parametrize("name", sorted(path.name for path in FIRST.iterdir()))
def test_a_folder_of_version_1_is_saved_anew_in_version_2_and_gives_the_same_bytes(name, tmp_path):
    kind = ESTIMATORS[name.partition("-")[0]]
    if name == "ParagraphVector":
        pytest.importorskip("gensim")
    old = kind.load(FIRST / name)
    old.save(tmp_path / "new")
    assert (load_model(FIRST / name).version, load_model(tmp_path / "new").version) == (1, 2)
    new = kind.load(tmp_path / "new")
    assert repr(new.get_params()) == repr(old.get_params())
    texts = ["rocket moon bread", "oven flour"]
    before, after = (one.transform(texts) for one in (old, new))
    assert (before != after).sum() == 0


@pytest.mark.parametrize(
    "parameters", [{"recipe": {"dim": 3}}, {"recipe": "soup"}, {"recipe": None}, {"training": {"m": 0.1}}, {"m": 0.1}]
)
def test_objects_that_are_not_whole_are_refused(parameters, tmp_path):
    load_encoder(FIRST / "BagOfEmbeddedWords").save(tmp_path / "model")
    stored = load_model(tmp_path / "model").config["parameters"]
    forge(tmp_path / "model", parameters=stored | parameters)
    with pytest.raises(DamagedFileError, match="is not a whole BagOfEmbeddedWords"):
        load_encoder(tmp_path / "model")
