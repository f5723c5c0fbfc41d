"""A mask learned from marks: the weights of the features under which relevant and irrelevant documents part."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satchel.clusters import spherical_kmeans
from satchel.errors import number_within, whole_number
from satchel.feedback.entropy import entropy_gradient
from satchel.feedback.marks import Marks
from satchel.feedback.rocchio import graded_mean
from satchel.ranking.probes import DoubleArray

BETAS, EPSILON = (0.9, 0.999), 1e-8  # Adam's, as published


class MaskPlan(NamedTuple):
    """The parameters of [PT18] Algorithm 2, which the paper names and does not give: N_iters, η_r, m, and the number of
    centres of the irrelevant documents."""

    n_steps: int
    learning_rate: float
    m: float
    n_centres: int

    def check(self) -> MaskPlan:
        """Itself, or the error that says which value cannot be."""
        whole_number("n_steps", self.n_steps, 0)
        number_within("learning_rate", self.learning_rate, 0, 100)
        number_within("m", self.m, 0, 1e6)
        whole_number("n_centres", self.n_centres)
        return self


def learn_mask(marks: Marks, plan: MaskPlan, random_state: int) -> DoubleArray:
    """The mask that lowers the entropy of the marked documents, [PT18] Algorithm 2; (n_features,), 0 or more.

    The centres are those of the unmasked documents and stay, as in Algorithm 1. Where all marks say the same there is
    nothing to tell apart: the entropy is 0 whatever the mask, which stays 1.
    Differs: a weight that would fall below 0 stays at 0, since in a score it would count by its square again.
    """
    r = np.ones(marks.vectors.shape[1])
    relevant = marks.weights > 0
    if relevant.all() or not relevant.any():
        return r
    c = entropy_centres(marks, plan.n_centres, random_state)
    slope, square = np.zeros_like(r), np.zeros_like(r)
    for step in range(1, plan.n_steps + 1):
        gradient = entropy_gradient(marks.vectors, r, c, relevant, marks.grades, plan.m)
        slope = BETAS[0] * slope + (1 - BETAS[0]) * gradient
        square = BETAS[1] * square + (1 - BETAS[1]) * gradient**2
        mean, spread = slope / (1 - BETAS[0] ** step), square / (1 - BETAS[1] ** step)
        r = np.maximum(r - plan.learning_rate * mean / (np.sqrt(spread) + EPSILON), 0)
    return r


def entropy_centres(marks: Marks, n_irrelevant: int, random_state: int) -> DoubleArray:
    """The means of the relevant and of the irrelevant documents, [PT18] Algorithm 2, line 3.

    n_irrelevant: how many centres irrelevant documents have, which need not be alike; the mean directions of as many
    clusters, where there are documents enough. -> (1 + n_irrelevant, n_features)
    """
    irrelevant = marks.irrelevant
    n = min(n_irrelevant, len(irrelevant.vectors))
    if n == 1:
        others = graded_mean(irrelevant)[None, :]
    else:
        others = spherical_kmeans(irrelevant.vectors.astype(np.float32), n, random_state).centres.astype(np.float64)
    return np.vstack([graded_mean(marks.relevant)[None, :], others])
