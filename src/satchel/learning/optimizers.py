"""Adam with a learning rate for each part, and two ways to move the words."""

from __future__ import annotations

from math import cos, pi

import torch
from torch import Tensor

from satchel.learning.plan import LEAST_WEIGHT, TrainingPlan

BETAS, EPSILON = (0.9, 0.999), 1e-8
WORD_PARTS = ("words", "weights")
"""The parts with a row for each word."""


def cosine_pace(step: int, n_steps: int) -> float:
    """The share of the learning rate that a step uses: 1 for the first, half in the middle, near 0 for the last."""
    return (1 + cos(pi * step / n_steps)) / 2


class PartOptimizers:
    """Adam on the parts that are learned.

    Under "touched", words and weights are moved by `RowAdam`: the rows of a batch's words and no others. Everything
    else, and these too under "all", by torch's Adam. After a step no weight is below `LEAST_WEIGHT`.
    """

    def __init__(self, parts: dict[str, Tensor], plan: TrainingPlan) -> None:
        self._parts, self._rates = parts, plan.rates
        by_row = [part for part in plan.learned if part in WORD_PARTS and plan.word_updates == "touched"]
        self._rows = {part: RowAdam(parts[part]) for part in by_row}
        self._dense = [part for part in plan.learned if part not in by_row]
        for part in self._dense:
            parts[part].requires_grad_()
        groups = [{"params": [parts[part]]} for part in self._dense]
        self._adam = torch.optim.Adam(groups, betas=BETAS, eps=EPSILON) if groups else None
        self._taken: dict[str, Tensor] = {}

    def rows_of(self, ids: Tensor) -> dict[str, Tensor]:
        """Vectors and weights of these words, by part; as leaves of their own where only they are moved."""
        rows = {part: self._parts[part][ids] for part in WORD_PARTS}
        if torch.is_grad_enabled():
            self._taken = {part: rows[part].requires_grad_() for part in self._rows}
        return rows

    def step(self, loss: Tensor, ids: Tensor, pace: float = 1.0) -> None:
        """Moves the parts along the gradient of the loss of the last `rows_of`, by their rates times the pace."""
        if not loss.requires_grad:
            return
        if self._adam is not None:
            self._adam.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if self._adam is not None:
            for part, group in zip(self._dense, self._adam.param_groups, strict=True):
                group["lr"] = self._rates[part] * pace
            self._adam.step()
        for part, rows in self._rows.items():
            if (gradient := self._taken[part].grad) is not None:
                rows.step(ids, gradient, self._rates[part] * pace)
        with torch.no_grad():
            self._parts["weights"].clamp_(min=LEAST_WEIGHT)

    def state(self) -> dict[str, Tensor]:
        """All moments and step counts by name."""
        state = {f"{part}.{name}": t for part, rows in self._rows.items() for name, t in rows.state.items()}
        if self._adam is not None:
            for number, values in self._adam.state_dict()["state"].items():
                state |= {f"{self._dense[number]}.{name}": value for name, value in values.items()}
        return state

    def restore(self, state: dict[str, Tensor]) -> None:
        """Sets moments and step counts to what `state` gave."""
        for part, rows in self._rows.items():
            rows.state = {name: state[f"{part}.{name}"] for name in rows.state}
        if self._adam is not None:
            content = self._adam.state_dict()
            for number, part in enumerate(self._dense):
                mine = {name.removeprefix(f"{part}."): t for name, t in state.items() if name.startswith(f"{part}.")}
                if mine:
                    content["state"][number] = mine
            self._adam.load_state_dict(content)


class RowAdam:
    """Adam on the rows that a step touches; all other rows and their moments stay as they are.

    Rows of a matrix, or entries of a vector. The arithmetic is that of torch's SparseAdam (bias correction by the
    number of steps, not by a row's own), without its sparse tensors. Differs from Adam: there a word goes on moving by
    its momentum after the batch that it stood in.
    """

    def __init__(self, matrix: Tensor) -> None:
        self._matrix = matrix
        self.state = {
            "exp_avg": torch.zeros_like(matrix),
            "exp_avg_sq": torch.zeros_like(matrix),
            "step": torch.zeros((), dtype=torch.float32),
        }

    @torch.no_grad()
    def step(self, ids: Tensor, gradient: Tensor, rate: float) -> None:
        self.state["step"] += 1
        step, (beta1, beta2) = float(self.state["step"]), BETAS
        first = self.state["exp_avg"].index_select(0, ids).lerp_(gradient, 1 - beta1)
        second = self.state["exp_avg_sq"].index_select(0, ids).mul_(beta2)
        second.addcmul_(gradient, gradient, value=1 - beta2)
        self.state["exp_avg"].index_copy_(0, ids, first)
        self.state["exp_avg_sq"].index_copy_(0, ids, second)
        rate *= (1 - beta2**step) ** 0.5 / (1 - beta1**step)
        self._matrix.index_add_(0, ids, first.div_(second.sqrt_().add_(EPSILON)), alpha=-rate)
