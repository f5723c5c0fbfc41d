"""A mask learned from marks: weights of the features that separate relevant from irrelevant documents.

Letters are the paper's: z documents, r mask, s = r∘z, c centres, w memberships in clusters, j the two classes
(relevant, irrelevant), g the grades of the marks. All of it is numpy, so that a search page can learn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.arrays import quotient, row_norms, spherical_kmeans
from satchel.errors import number_within, whole_number
from satchel.feedback.automatic import graded_mean
from satchel.feedback.marks import Marks
from satchel.types import DoubleArray


def masked_cosines(z: DoubleArray, r: DoubleArray, c: DoubleArray) -> DoubleArray:
    """cos(r∘z_i, c_k), [PT18] Eqs. (4) and (8): (n_documents, n_centres); 0 if one of the two is zero."""
    s = r * z
    return quotient(s @ c.T, row_norms(s)[:, None] * row_norms(c)[None, :])


def log_memberships(cosines: DoubleArray, m: float) -> DoubleArray:
    """log w_ik of the distances 1 - cosine, [PT18] Eqs. (5)-(6): (n_documents, n_centres)."""
    logits = (cosines - 1) / m
    return logits - log_sum_exp(logits, axis=1)[:, None]


def log_shares(log_w: DoubleArray, relevant: NDArray[np.bool_], g: DoubleArray) -> DoubleArray:
    """log p_jk: which part of cluster k is of class j, [PT18] Eqs. (10)-(11); (2, n_centres).

    log_w (n_documents, n_centres), relevant (n_documents,), g (n_documents,), above 0. Both classes are present.
    """
    weighted = log_w + np.log(g)[:, None]
    log_h = np.array([log_sum_exp(weighted[of_class], axis=0) for of_class in (relevant, ~relevant)])
    return log_h - log_sum_exp(weighted, axis=0)


def entropy(log_w: DoubleArray, relevant: NDArray[np.bool_], g: DoubleArray) -> float:
    """E = -1/G Σ_i g_i Σ_k w_ik log p_jk with j the class of document i, [PT18] Eqs. (9)-(13); G = Σ g_i, in nats."""
    log_p = log_shares(log_w, relevant, g)[np.where(relevant, 0, 1)]  # (n_documents, n_centres)
    return -float(g @ (np.exp(log_w) * log_p).sum(axis=1)) / float(g.sum())


def entropy_gradient(
    z: DoubleArray, r: DoubleArray, c: DoubleArray, relevant: NDArray[np.bool_], g: DoubleArray, m: float
) -> DoubleArray:
    """∂E/∂r, (n_features,), the part of [PT18] Eq. (14) that needs no document to be encoded anew.

    As the classes of a cluster sum to the cluster, the derivatives of log p cancel, and with a_ik = -g_i log p_jk / G
    ∂E/∂cos_ik = w_ik (a_ik - Σ_k′ w_ik′ a_ik′) / m and ∂cos_ik/∂r = z_i ∘ (ĉ_k - cos_ik ŝ_i) / ‖s_i‖.
    """
    cosines = masked_cosines(z, r, c)
    log_w = log_memberships(cosines, m)
    w = np.exp(log_w)
    a = -(g / g.sum())[:, None] * log_shares(log_w, relevant, g)[np.where(relevant, 0, 1)]
    by_cosine = w * (a - (w * a).sum(axis=1, keepdims=True)) / m  # (n_documents, n_centres)
    norms = row_norms(r * z)[:, None]
    s_unit, c_unit = quotient(r * z, norms), quotient(c, row_norms(c)[:, None])
    by_s = by_cosine @ c_unit - (by_cosine * cosines).sum(axis=1, keepdims=True) * s_unit  # (n_documents, n_features)
    gradient: DoubleArray = (z * quotient(by_s, norms)).sum(axis=0)
    return gradient


def log_sum_exp(values: DoubleArray, axis: int) -> DoubleArray:
    """log Σ exp, shifted by the largest value: nothing under- or overflows."""
    largest = values.max(axis=axis, keepdims=True)
    summed: DoubleArray = np.log(np.exp(values - largest).sum(axis=axis)) + np.squeeze(largest, axis=axis)
    return summed


BETAS, EPSILON = (0.9, 0.999), 1e-8  # Adam's, as published


class MaskPlan(NamedTuple):
    """The parameters of [PT18] Algorithm 2, which the paper names without giving values: N_iters, η_r, m, and the
    number of centres of the irrelevant documents."""

    n_steps: int
    learning_rate: float
    m: float
    n_centres: int

    def check(self) -> MaskPlan:
        """The plan itself; raises InputError if a value is out of range."""
        whole_number("n_steps", self.n_steps, 0)
        number_within("learning_rate", self.learning_rate, 0, 100)
        number_within("m", self.m, 0, 1e6)
        whole_number("n_centres", self.n_centres)
        return self


def learn_mask(marks: Marks, plan: MaskPlan, random_state: int) -> DoubleArray:
    """The mask that lowers the entropy of the marked documents, [PT18] Algorithm 2; (n_features,), 0 or more.

    The centres are those of the unmasked documents and stay, as in Algorithm 1. If all marks are of one kind, the
    entropy is 0 for every mask, and the mask stays 1.
    Differs: a weight that would fall below 0 stays at 0, because scores use its square.
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
    clusters, if there are enough documents. -> (1 + n_irrelevant, n_features)
    """
    irrelevant = marks.irrelevant
    n = min(n_irrelevant, len(irrelevant.vectors))
    if n == 1:
        others = graded_mean(irrelevant)[None, :]
    else:
        others = spherical_kmeans(irrelevant.vectors.astype(np.float32), n, random_state).centres.astype(np.float64)
    return np.vstack([graded_mean(marks.relevant)[None, :], others])
