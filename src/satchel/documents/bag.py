"""A document as a bag of embedded words: how much it has of each theme, learned from texts and from labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.documents.bag_learning import LearnedBag, learn_bag
from satchel.documents.class_rows import Goal
from satchel.documents.counted import EVERY_WORD
from satchel.documents.encoder import expect_shape
from satchel.documents.linear import CodewordContribution, LinearEncoder
from satchel.documents.recipes import Codebook, Ingredients, Recipe, Schedule, Weighting, mix
from satchel.documents.themes import rectified
from satchel.errors import InputError, number_within, one_of, seed, whole_number
from satchel.storage.model_folder import Json
from satchel.text import Tokenizer, Vocabulary
from satchel.text.weighting import mean_weights, tf_idf
from satchel.types import Device, FloatArray, Objective, SparseArray, WordUpdates
from satchel.words import WordVectors

if TYPE_CHECKING:
    from satchel.words.alignment import UnknownStart


class BagOfEmbeddedWords(LinearEncoder):
    """64 numbers a document: how much it has of each codeword, a group of words of one theme.

    `fit(texts)` learns word vectors and codewords from the texts alone. `fit(texts, labels)` also brings documents of
    a class together; a label may be None (not labelled) or a list (several). A word adds the same row of numbers to
    every document it stands in, so a collection is encoded by one sparse product, and `explain` splits scores exactly.

    recipe: "best", or "paper" for BoEW and RO-BoEW of [PT18] sections 3.1 to 3.3. It says what every parameter that is
    None shall be; docs/training.md lists them, what each gives, and their values in both recipes.
    goal: what labels are learned for: to find documents of these classes ("in-domain"), or of others ("transfer").
    words: word vectors; None learns LSI words of `dim` numbers from the texts. codebook: how codewords are found.
    sigma: softness of memberships, Eq. (1); softness: the same relative to the distances of words and codewords.
    weighting: a word counts by its share of the document, or by log(1 + count) times a power of idf.
    standardised: codewords get mean 0 and deviation 1 over the texts. neighbours: documents move towards so many of
    their nearest (0: they do not). slope: what remains of values below zero, from 0 to 1 (1: all).
    objective: "least-squares" to class targets, solved at once with numpy; or, with torch and step by step,
    "cross-entropy", "spherical-entropy" or "entropy" (Algorithm 1), to which all parameters below it belong.
    """

    def __init__(
        self,
        words: WordVectors | None = None,
        n_codewords: int = 64,
        recipe: Recipe = "best",
        objective: Objective | None = None,
        *,
        goal: Goal = "in-domain",
        tokenizer: Tokenizer = EVERY_WORD,
        min_count: int | None = None,
        dim: int | None = None,
        unknown_words: UnknownStart | None = None,
        codebook: Codebook | None = None,
        sigma: float | None = None,
        softness: float | None = None,
        weighting: Weighting | None = None,
        standardised: bool | None = None,
        neighbours: int | None = None,
        slope: float | None = None,
        m: float | None = None,
        learned: Sequence[str] | None = None,
        learning_rate: float | None = None,
        word_dropout: float | None = None,
        schedule: Schedule | None = None,
        n_epochs: int = 10,
        batch_size: int = 100,
        centres_per_class: int = 1,
        word_updates: WordUpdates = "touched",
        max_length: int | None = None,
        validation_fraction: float = 0.0,
        patience: int | None = None,
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
        self.min_count = min_count
        self.dim = dim
        self.unknown_words = unknown_words
        self.codebook = codebook
        self.sigma = sigma
        self.softness = softness
        self.weighting = weighting
        self.standardised = standardised
        self.neighbours = neighbours
        self.slope = slope
        self.m = m
        self.learned = learned
        self.learning_rate = learning_rate
        self.word_dropout = word_dropout
        self.schedule = schedule
        self.n_epochs = n_epochs
        self.batch_size = batch_size
        self.centres_per_class = centres_per_class
        self.word_updates = word_updates
        self.max_length = max_length
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.checkpoint = checkpoint
        self.device = device
        self.verbose = verbose
        self.random_state = random_state

    @property
    def ingredients(self) -> Ingredients:
        """All that the recipe and the parameters say, with nothing left open."""
        return mix(self.recipe, self.get_params(deep=False))

    def describe(self, codeword: int, k: int = 10) -> list[str]:
        """At most k words, those that speak most for a codeword; of equal ones the more frequent first.

        A number for which the words allowed no codeword, and that no class owns, has none.
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
        self._set(learn_bag(self, texts, labels))

    def _set(self, bag: LearnedBag) -> None:
        self.vocabulary_ = bag.vocabulary
        self.rows_, self.weights_, self.mask_ = bag.rows, bag.weights, bag.mask
        self.word_vectors_, self.codebook_, self.sigma_ = bag.words, bag.codebook, bag.sigma
        self.history_, self.strength_, self.strengths_ = bag.history, bag.strength, bag.strengths
        self._weighting, self._slope = self.ingredients.weighting, self.ingredients.slope
        self._masked = self.rows_ * self.mask_

    def _check_parameters(self) -> None:
        _ = self.ingredients
        one_of("goal", self.goal, get_args(Goal))
        one_of("word updates", self.word_updates, get_args(WordUpdates))
        one_of("device", self.device, get_args(Device))
        for name in ("n_codewords", "batch_size", "centres_per_class"):
            whole_number(name, getattr(self, name))
        whole_number("n_epochs", self.n_epochs, 0)
        if self.patience is not None:
            whole_number("patience", self.patience)
        if self.validation_fraction != 0:
            number_within("validation_fraction", self.validation_fraction, 0, 1)
        seed(self.random_state)
        self._check_words_and_places()

    def _check_words_and_places(self) -> None:
        words: object = self.words
        if words is not None and not isinstance(words, WordVectors):
            raise InputError(f"words must be WordVectors or None, not {type(words).__name__}; see WordVectors.load")
        checkpoint: object = self.checkpoint
        if checkpoint is not None and not isinstance(checkpoint, str | Path):
            raise InputError(f"checkpoint must be the path of a folder, not {type(checkpoint).__name__}")
        if self.patience is not None and not self.validation_fraction:
            raise InputError("patience needs documents set aside: give validation_fraction too, such as 0.1")

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
        learned: Json = None if self.learned is None else [*self.learned]
        return super()._parameters() | {"words": words, "learned": learned, "checkpoint": None}

    @classmethod
    def _parameters_from(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        learned = parameters["learned"]
        return super()._parameters_from(parameters) | {"learned": None if learned is None else tuple(learned)}
