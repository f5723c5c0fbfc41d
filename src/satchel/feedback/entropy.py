"""The entropy of marked documents under a mask, with its gradient: numpy alone, so that a search page can learn.

Letters are the paper's: z documents, r mask, s = r∘z, c centres, w memberships in clusters, j the two classes
(relevant, irrelevant), g the grades of the marks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from satchel.ranking.probes import DoubleArray, quotient, row_norms


def masked_cosines(z: DoubleArray, r: DoubleArray, c: DoubleArray) -> DoubleArray:
    """cos(r∘z_i, c_k), [PT18] Eqs. (4) and (8): (n_documents, n_centres); 0 where one of the two is zero."""
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
