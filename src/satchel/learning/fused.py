"""Memberships with their derivatives written out: two matrix products instead of a dozen passes over the words."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class _Memberships(torch.autograd.Function):
    """Keeps only the distances and the memberships for the way back.

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
    """What `objectives.memberships` gives, [PT18] Eqs. (1)-(2), in less time and memory.

    x (n_words, dim), v (n_codewords, dim) -> u (n_words, n_codewords).
    """
    u: Tensor = _Memberships.apply(x, v, sigma)  # type: ignore[no-untyped-call]
    return u
