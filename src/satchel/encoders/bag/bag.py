"""A document as a bag of embedded words: how much it has of each theme, learned from texts and from labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.encoders.bag.classes import Goal
from satchel.encoders.bag.fit import LearnedBag, Wanted, learn_bag
from satchel.encoders.bag.recipe import Recipe, Training, nested_parameters, recipe_of, training_of
from satchel.encoders.bag.start import rectified
from satchel.encoders.base import EVERY_WORD, expect_shape
from satchel.encoders.linear import CodewordContribution, LinearEncoder
from satchel.errors import InputError, one_of, seed, whole_number
from satchel.estimator import Parameters
from satchel.storage import Json
from satchel.text import Tokenizer, Vocabulary, mean_weights, tf_idf
from satchel.types import Device, FloatArray, Objective, SparseArray, TrainingRun
from satchel.words import WordVectors


class BagOfEmbeddedWords(LinearEncoder):
    """A document as 64 numbers: how much it has of each codeword, which is a group of words of one theme.

    `fit(texts)` learns word vectors and codewords from the texts alone. `fit(texts, labels)` also brings documents of
    a class together; a label may be None (not labelled) or a list (several). A word adds the same row of numbers to
    every document it stands in, so a collection is encoded by one sparse product, and `explain` splits scores exactly.

    words: word vectors; None learns LSI words from the texts. n_codewords: how many numbers a document has.
    recipe: what the model is: "best", "paper" for BoEW and RO-BoEW of [PT18] sections 3.1 to 3.3, or a `Recipe`, such
    as Recipe(dim=100, neighbours=0).
    objective: how labels are learned; None: as the recipe says. "least-squares" to class targets, solved at once with
    numpy; or, with torch and step by step, "cross-entropy", "spherical-entropy" or "entropy" (Algorithm 1).
    goal: what labels are learned for: to find documents of these classes ("in-domain"), or of others ("transfer").
    training: the settings of learning step by step: a `Training`, the name of a recipe whose training to use, or None
    for that of this recipe. docs/how-to/training.md lists what recipes and trainings hold, and what each part gives.
    """

    _objects: ClassVar[Mapping[str, type[Parameters]]] = {"recipe": Recipe, "training": Training}

    def __init__(
        self,
        words: WordVectors | None = None,
        n_codewords: int = 64,
        recipe: Recipe | str = "best",
        objective: Objective | None = None,
        *,
        goal: Goal = "in-domain",
        tokenizer: Tokenizer = EVERY_WORD,
        training: Training | str | None = None,
        checkpoint: str | Path | None = None,
        device: Device = "cpu",
        verbose: bool = False,
        random_state: int = 0,
    ) -> None:
        self.words = words
        self.n_codewords = n_codewords
        self.recipe = recipe
        self.objective = objective
        self.goal = goal
        self.tokenizer = tokenizer
        self.training = training
        self.checkpoint = checkpoint
        self.device = device
        self.verbose = verbose
        self.random_state = random_state

    @property
    def whole_recipe(self) -> Recipe:
        """The complete recipe, with the objective and the training that were given."""
        recipe = recipe_of(self.recipe)
        objective = recipe.objective if self.objective is None else self.objective
        whole = replace(recipe, objective=objective, training=training_of(self.training, recipe))
        return whole.with_plain_numbers()

    def _object(self, name: str) -> Any:
        if name == "recipe":
            return recipe_of(self.recipe)
        return training_of(self.training, recipe_of(self.recipe)) if name == "training" else super()._object(name)

    def describe(self, codeword: int, k: int = 10) -> list[str]:
        """The k words, or fewer, that add most to a codeword; the more frequent of equal ones first.

        A codeword has no words if there were too few words to form it and no class owns it.
        """
        self._check_fitted()
        whole_number("codeword", codeword, 0, len(self.mask_) - 1)
        spoken = self.rows_[:, codeword]
        most = min(whole_number("k", k), len(spoken))
        least = np.partition(spoken, len(spoken) - most)[len(spoken) - most] if most else 0
        rows = np.flatnonzero((spoken >= least) & (spoken > 0))
        order = rows[np.argsort(-spoken[rows], kind="stable")[:most]]
        return [self.vocabulary_.words[row] for row in order]

    def _codeword_contributions(self, query: str, document: str) -> list[CodewordContribution]:
        q, d = (np.asarray(vector, dtype=np.float64) for vector in self.transform([query, document]))
        shares = q * d / (np.linalg.norm(q) * np.linalg.norm(d))
        order = np.argsort(-shares, kind="stable").tolist()
        return [CodewordContribution(c, float(shares[c]), tuple(self.describe(c, 3))) for c in order]

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        self._check_parameters()
        run = TrainingRun(self.checkpoint, self.device, self.verbose, seed(self.random_state))
        wanted = Wanted(self.words, self.n_codewords, self.whole_recipe, self.goal, self.tokenizer, run)
        self._set(learn_bag(wanted, texts, labels, lambda least: self._count(texts, min_count=least)))

    def _set(self, bag: LearnedBag) -> None:
        self.vocabulary_ = bag.vocabulary
        self.rows_, self.weights_, self.mask_ = bag.rows, bag.weights, bag.mask
        self.word_vectors_, self.codebook_, self.sigma_ = bag.words, bag.codebook, bag.sigma
        self.history_, self.strength_, self.strengths_ = bag.history, bag.strength, bag.strengths
        recipe = self.whole_recipe
        self._weighting, self._slope = recipe.weighting, recipe.slope
        self._masked = self.rows_ * self.mask_

    def _check_parameters(self) -> None:
        one_of("goal", self.goal, get_args(Goal))
        one_of("device", self.device, get_args(Device))
        whole_number("n_codewords", self.n_codewords)
        words: object = self.words
        if words is not None and not isinstance(words, WordVectors):
            raise InputError(f"words must be WordVectors or None, not {type(words).__name__}; see WordVectors.load")
        checkpoint: object = self.checkpoint
        if checkpoint is not None and not isinstance(checkpoint, str | Path):
            raise InputError(f"checkpoint must be the path of a folder, not {type(checkpoint).__name__}")

    def _weights(self, counts: SparseArray) -> SparseArray:
        if self._weighting == "counts":
            return mean_weights(counts, self.weights_)
        return tf_idf(counts, self.weights_, "log(1+count)")

    def _word_rows(self) -> FloatArray:
        """Rows under the mask: [PT18] Eqs. (3) and (4) are linear in them."""
        return self._masked

    def _finish(self, vectors: NDArray[Any]) -> NDArray[Any]:
        return rectified(vectors, self._slope)

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        arrays: dict[str, NDArray[Any]] = {
            "rows": self.rows_,
            "weights": self.weights_,
            "mask": self.mask_,
            "codebook": self.codebook_,
            "sigma": np.array([self.sigma_], dtype=np.float64),
            "strength": np.array([self.strength_], dtype=np.float64),
        }
        if self.words is not None and self.word_vectors_ is not None:
            arrays["words"] = self.word_vectors_
        return arrays, self.vocabulary_.words

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        n = self.n_codewords
        vectors = None if self.words is None else expect_shape(arrays, "words", (len(words), None))
        self._set(
            LearnedBag(
                vocabulary=Vocabulary(words),
                rows=expect_shape(arrays, "rows", (len(words), n)),
                weights=expect_shape(arrays, "weights", (len(words),)),
                mask=expect_shape(arrays, "mask", (n,)),
                words=vectors,
                codebook=expect_shape(arrays, "codebook", (None, None)),
                sigma=float(expect_shape(arrays, "sigma", (1,))[0]),
                strength=float(expect_shape(arrays, "strength", (1,))[0]),
            )
        )
        if vectors is not None:
            self.words = WordVectors(words, vectors)

    def _parameters(self) -> dict[str, Json]:
        words = None if self.words is None else "stored"
        return super()._parameters() | {"words": words, "checkpoint": None}

    @classmethod
    def _from_version_1(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        return nested_parameters(parameters)
