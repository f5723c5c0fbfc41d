"""The bag of embedded words and what its training lowers, in torch: one function per equation, for autograd.

Letters are the paper's: x word vectors, v codewords, u memberships, z histograms, r mask, s representation, c centres,
w memberships in clusters, pi labels as a 0/1 matrix.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from satchel.errors import InputError
from satchel.learning.plan import TrainingData
from satchel.types import Objective


def memberships(x: Tensor, v: Tensor, sigma: Tensor) -> Tensor:
    """Soft assignment of each word vector to each codeword, [PT18] Eqs. (1)-(2).

    x (n_words, dim), v (n_codewords, dim) -> u (n_words, n_codewords); rows sum to 1.
    """
    return torch.softmax(-euclidean_distances(x, v) / sigma**2, dim=1)


def word_shares(values: Tensor, weights: Tensor) -> Tensor:
    """The share of each word in its document: value times weight, over their sum; rows sum to 1.

    values (n_documents, n_words), weights (n_words,), above 0 -> (n_documents, n_words). A document without words
    stays zero. Where all weights are 1 and the values are counts, these are the 1/N_i of [PT18] Eq. (3).
    """
    weighted = values * weights
    sums = weighted.sum(dim=1, keepdim=True)
    return weighted / torch.where(sums > 0, sums, 1.0)


def histograms(shares: Tensor, u: Tensor) -> Tensor:
    """The mean membership of a document's words, [PT18] Eq. (3).

    shares (n_documents, n_words): each word's part of the document, see `word_shares`; u (n_words, n_codewords).
    """
    return shares @ u


def standardise(z: Tensor, centre: Tensor, scale: Tensor) -> Tensor:
    """Histograms with each codeword centred and scaled; the zero vector if a document has no words.

    z (n_documents, n_codewords): a histogram sums to 1, that of a document without words to 0; centre and scale
    (n_codewords,), scale above 0.
    """
    return torch.where(z.sum(dim=1, keepdim=True) > 0, (z - centre) / scale, 0.0)


def represent(z: Tensor, r: Tensor) -> Tensor:
    """Histograms under the weighting mask, [PT18] Eq. (4): z (n_documents, n_codewords), r (n_codewords,)."""
    return r * z


def rectify(s: Tensor, slope: float) -> Tensor:
    """Values below 0 times the slope, (n_documents, n_codewords): what a document lacks says less than what it has."""
    return s if slope == 1 else torch.nn.functional.leaky_relu(s, slope)


def cluster_memberships(distances: Tensor, m: float) -> Tensor:
    """Log of the soft assignment of documents to centres, [PT18] Eqs. (5)-(6).

    distances (n_documents, n_centres). In logarithms, so that a small m cannot make a 0/0.
    """
    return torch.log_softmax(-distances / m, dim=1)


def euclidean_distances(s: Tensor, c: Tensor) -> Tensor:
    """‖s_i - c_k‖, [PT18] Eq. (7), (n_s, n_c); if the two coincide the derivative is 0, as Appendix A asks."""
    squares = (s * s).sum(dim=1)[:, None] + (c * c).sum(dim=1)[None, :] - 2 * s @ c.T
    apart = squares > torch.finfo(s.dtype).tiny
    return torch.where(apart, torch.where(apart, squares, 1.0).sqrt(), 0.0)


def cosine_distances(s: Tensor, c: Tensor) -> Tensor:
    """1 - cos(s_i, c_k), [PT18] Eq. (8), (n_s, n_c); the zero vector is at distance 1 from everything."""
    return 1 - torch.nn.functional.normalize(s, dim=1) @ torch.nn.functional.normalize(c, dim=1).T


def entropy(log_w: Tensor, pi: Tensor) -> Tensor:
    """The total entropy of the clusters, [PT18] Eqs. (9)-(13), in nats.

    log_w (n_documents, n_centres), pi (n_documents, n_classes). With h = w′π and n_k = Σ_i w_ik, p_jk = h_jk / n_k:
    E = -1/N Σ_k Σ_j h_jk log p_jk. Everything stays in logarithms: a cluster that no document of a class comes near
    adds exactly 0 to the sum and to the gradient, where 0·log 0 would be NaN.
    """
    log_n = torch.logsumexp(log_w, dim=0)  # (n_centres,)
    log_pi = torch.where(pi > 0, 0.0, -torch.inf).to(log_w.dtype)
    present = (pi > 0).any(dim=0)
    log_h = torch.logsumexp(log_w[:, None, :] + log_pi[:, present, None], dim=0)  # (n_present_classes, n_centres)
    return -(log_h.exp() * (log_h - log_n)).sum() / len(log_w)


def entropy_of_sums(h: Tensor, n: Tensor, n_documents: int) -> Tensor:
    """The same from sums over all batches, [PT18] Eq. (13), if no derivative is needed.

    h (n_classes, n_centres), n (n_centres,), both in float64. Batch by batch the entropy would depend on which
    documents happen to stand together; of sums it does not.
    """
    return -(torch.xlogy(h, h) - torch.xlogy(h, n)).sum() / n_documents


def cross_entropy(log_w: Tensor, pi: Tensor, centre_classes: Tensor) -> Tensor:
    """How surprised the memberships are at the labels, in nats: a document's own classes should hold all of it.

    log_w (n_documents, n_centres) of `cluster_memberships`, pi (n_documents, n_classes), each row with a label or more,
    centre_classes (n_centres,). The probability of a class is the sum over its centres, p_ij = Σ_{k of class j} w_ik:
    E = -1/N Σ_i 1/|J_i| Σ_{j ∈ J_i} log p_ij, where J_i are the classes of document i.
    """
    document, label = pi.nonzero(as_tuple=True)  # a pair for each label of each document
    of_label = torch.where(centre_classes == label[:, None], 0.0, -torch.inf)  # (n_pairs, n_centres)
    log_p = torch.logsumexp(log_w[document] + of_label, dim=1)
    n_labels = (pi > 0).sum(dim=1)[document]
    return -(log_p / n_labels).sum() / len(log_w)


class _Memberships(torch.autograd.Function):
    """Keeps only the distances and the memberships for the backward pass.

    With a = -d/σ², u = softmax(a) and g = ∂E/∂u: ∂E/∂a = u∘(g - Σ_k g_k u_k), ∂E/∂d = -∂E/∂a / σ², and, as
    ∂d_ik/∂x_i = (x_i - v_k)/d_ik, both ∂E/∂x and ∂E/∂v are sums weighted by ∂E/∂d / d. These are the corrected
    [PT18] Eqs. (22) and (24), for all words at once.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, v: Tensor, sigma: Tensor) -> Tensor:
        shift = v.mean(dim=0)  # moves no distance, and keeps digits that squares of far-off vectors would lose
        x, v = x - shift, v - shift
        d = torch.addmm((x * x).sum(dim=1)[:, None] + (v * v).sum(dim=1), x, v.T, alpha=-2)
        d = d.clamp_(min=0).sqrt_()  # (n_words, n_codewords)
        u = torch.softmax(d / -(sigma * sigma), dim=1)
        ctx.save_for_backward(x, v, sigma, d, u)
        return u

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        x, v, sigma, d, u = ctx.saved_tensors
        (g,) = gradients
        slope = (g - (g * u).sum(dim=1, keepdim=True)).mul_(u)  # ∂E/∂a
        of_sigma = 2 * (slope * d).sum() / sigma**3 if ctx.needs_input_grad[2] else None
        slope.div_(d).masked_fill_(d == 0, 0).div_(-(sigma * sigma))  # ∂E/∂d / d
        of_x = (x * slope.sum(dim=1, keepdim=True)).sub_(slope @ v) if ctx.needs_input_grad[0] else None
        of_v = v * slope.sum(dim=0)[:, None] - slope.T @ x if ctx.needs_input_grad[1] else None
        return of_x, of_v, of_sigma


def fused_memberships(x: Tensor, v: Tensor, sigma: Tensor) -> Tensor:
    """The result of `memberships`, [PT18] Eqs. (1)-(2), in less time and memory.

    x (n_words, dim), v (n_codewords, dim) -> u (n_words, n_codewords).
    """
    u: Tensor = _Memberships.apply(x, v, sigma)  # type: ignore[no-untyped-call]
    return u


class Criterion(Protocol):
    """A loss of log memberships (n_documents, n_centres) under labels pi (n_documents, n_classes)."""

    def of_batch(self, log_w: Tensor, pi: Tensor) -> Tensor:
        """The loss of a batch, with derivatives."""

    def of_all(self, batches: Iterable[tuple[Tensor, Tensor]]) -> float:
        """The loss of all documents together, which does not depend on how they stand in batches; in float64."""


def criterion_of(objective: Objective, data: TrainingData, device: torch.device) -> Criterion:
    """The criterion of that objective."""
    return CrossEntropy(data, device) if objective == "cross-entropy" else Entropy()


class Entropy:
    """The entropy of clusters, whatever distance made them."""

    def of_batch(self, log_w: Tensor, pi: Tensor) -> Tensor:
        return entropy(log_w, pi)

    def of_all(self, batches: Iterable[tuple[Tensor, Tensor]]) -> float:
        h, n, n_documents = torch.zeros((), dtype=torch.float64), torch.zeros((), dtype=torch.float64), 0
        for log_w, pi in batches:
            w = log_w.double().exp().cpu()
            h, n, n_documents = h + pi.double().cpu().T @ w, n + w.sum(dim=0), n_documents + len(w)
        return float(entropy_of_sums(h, n, n_documents))


class CrossEntropy:
    """The cross-entropy of the documents' classes, each with one centre or more."""

    def __init__(self, data: TrainingData, device: torch.device) -> None:
        for labels in (data.labels, *(data.validation[1:] if data.validation else ())):
            without = np.setdiff1d(np.flatnonzero(labels.any(axis=0)), data.centre_classes)
            if len(without):
                raise InputError(
                    f"class {without[0]} has documents but no centre; the cross-entropy needs a centre for each class"
                )
            if not labels.any(axis=1).all():
                position = int(np.argmin(labels.any(axis=1)))
                raise InputError(f"document {position} has no label; the cross-entropy needs a label for each document")
        self._classes = torch.from_numpy(data.centre_classes).to(device)

    def of_batch(self, log_w: Tensor, pi: Tensor) -> Tensor:
        return cross_entropy(log_w, pi, self._classes)

    def of_all(self, batches: Iterable[tuple[Tensor, Tensor]]) -> float:
        total, n_documents = 0.0, 0
        for log_w, pi in batches:
            total += len(log_w) * float(cross_entropy(log_w.double(), pi, self._classes))
            n_documents += len(log_w)
        return total / n_documents
