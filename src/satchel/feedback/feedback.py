"""Feedback: a user marks a few documents, and the whole ranking adapts at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from satchel.errors import number_within, one_of, seed, whole_number
from satchel.feedback.automatic import RocchioPreset, move_by_marks, read_rocchio_weights, rocchio, unit
from satchel.feedback.marks import Marks, Sampled, read_background, read_marks, read_query
from satchel.feedback.mask import MaskPlan, learn_mask
from satchel.types import DoubleArray, FloatArray, Vectors

MOST_WEIGHT = 1e6
"""The upper bound of a weight by hand. The square of a larger one would drown the others in float32."""


class Refined(NamedTuple):
    """The score of a document z is cos(mask∘query, mask∘z): `ExactIndex.search([query], k, mask=mask)`.

    query (n_features,) has length 1, or 0 for an empty query; mask (n_features,) is 0 or more, float32. If `is_plain`,
    the whole mask is 1, and a search without it gives the same result faster.
    """

    query: FloatArray
    mask: FloatArray

    @property
    def is_plain(self) -> bool:
        return bool((self.mask == 1).all())

    def with_weights(self, weights: Mapping[int, float]) -> Refined:
        """A copy with weights set by hand for some features: 0 leaves a theme out, 1 is neutral, 2 doubles its number
        in query and documents.

        They replace the learned weights, so a weight means the same whatever was learned, and setting it twice changes
        nothing. This object keeps its own weights. A weight says how much a theme counts; the query decides whether for
        or against.
        """
        mask = self.mask.copy()
        for codeword, weight in weights.items():
            place = whole_number("codeword", codeword, 0, len(mask) - 1)
            mask[place] = 0 if weight == 0 else number_within(f"the weight of codeword {place}", weight, 0, MOST_WEIGHT)
        return Refined(self.query, mask)


Method: TypeAlias = Literal["auto", "rocchio", "mask", "mask+rocchio"]


class Feedback:
    """Learns from marks, [PT18] section 3.4: a query and a mask that rank the documents again, without encoding any.

    method: "auto", the default, moves the query as far as the marks justify, and looks at the collection to decide;
    "rocchio" moves the query; "mask" weighs the features by [PT18] Algorithm 2; "mask+rocchio" does both.
    rocchio_weights: of the query, the relevant and the irrelevant documents; "strong" is (1, 2, -1), "paper" that of
    [PT18] section 4.5, (1, 0.8, 0).
    n_steps, learning_rate, m, n_centres: of Algorithm 2: Adam's steps and rate, the softness of the memberships, and
    how many centres the irrelevant documents have.
    """

    def __init__(
        self,
        method: Method = "auto",
        *,
        rocchio_weights: RocchioPreset | Sequence[float] = "strong",
        n_steps: int = 50,
        learning_rate: float = 0.05,
        m: float = 0.1,
        n_centres: int = 1,
        random_state: int = 0,
    ) -> None:
        self.method = method
        self.rocchio_weights = rocchio_weights
        self.n_steps = n_steps
        self.learning_rate = learning_rate
        self.m = m
        self.n_centres = n_centres
        self.random_state = random_state

    def refine(
        self,
        query: Vectors | ArrayLike,
        relevant: Vectors | ArrayLike,
        irrelevant: Vectors | ArrayLike,
        background: Vectors | Sampled | None = None,
        *,
        relevant_grades: ArrayLike | None = None,
        irrelevant_grades: ArrayLike | None = None,
    ) -> Refined:
        """Learns from the marks.

        query (n_features,), which may be zero; relevant (n_relevant, n_features) and irrelevant (n_irrelevant,
        n_features): vectors of the marked documents, either may be empty; background (n_documents, n_features): the
        collection, which "auto" looks at. Grades, one for each mark, say how sure it is: 1, or 0.5 for "maybe".
        """
        self._check_parameters()
        start = read_query(query)
        marks = read_marks(relevant, irrelevant, relevant_grades, irrelevant_grades, len(start))
        masked = self.method in ("mask", "mask+rocchio")
        mask = learn_mask(marks, self._mask_plan(), self.random_state) if masked else np.ones(len(start))
        return _refined(self._moved(start, marks, background), mask)

    def _moved(self, query: DoubleArray, marks: Marks, background: Vectors | Sampled | None) -> DoubleArray:
        if self.method == "mask":
            return query
        if self.method == "auto":
            return move_by_marks(query, marks, read_background(background, len(query)))
        return rocchio(query, marks, read_rocchio_weights(self.rocchio_weights))

    def _mask_plan(self) -> MaskPlan:
        return MaskPlan(self.n_steps, self.learning_rate, self.m, self.n_centres)

    def _check_parameters(self) -> None:
        one_of("method", self.method, get_args(Method))
        read_rocchio_weights(self.rocchio_weights)
        self._mask_plan().check()
        seed(self.random_state)


def _refined(query: DoubleArray, mask: DoubleArray) -> Refined:
    return Refined(unit(query).astype(np.float32), mask.astype(np.float32))
