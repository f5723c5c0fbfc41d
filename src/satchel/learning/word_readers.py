"""Words to hidden states: what the networks share below their output layers, [MW] sections 2.1 and 2.2."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

from satchel.learning.network_plan import NetworkShape

CELLS: dict[str, type[nn.RNNCell] | type[nn.LSTMCell] | type[nn.GRUCell]] = {
    "rnn": nn.RNNCell,
    "lstm": nn.LSTMCell,
    "gru": nn.GRUCell,
}
SPREAD = 0.1  # of a word's first numbers; with torch's 1.0 tanh saturates before anything is learned


def reader_of(shape: NetworkShape, n_words: int, dropout: float) -> FeedForwardReader | RecurrentReader:
    """The part of a network that reads."""
    return (FeedForwardReader if shape.ngram is not None else RecurrentReader)(shape, n_words, dropout)


class FeedForwardReader(nn.Module):
    """The projections of n words side by side, then one hidden layer of tanh, [MW] section 2.1."""

    def __init__(self, shape: NetworkShape, n_words: int, dropout: float) -> None:
        super().__init__()
        self.ngram = shape.ngram or 1
        self.projection = nn.Embedding(n_words, shape.projection)
        nn.init.normal_(self.projection.weight, std=SPREAD)
        self.hidden = nn.Linear(self.ngram * shape.projection, shape.hidden)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """ids (n_chunks, W) -> hidden states (n_chunks, W - n + 1, hidden), one for each window of n words."""
        x: Tensor = self.projection(ids)
        windows = x.unfold(1, self.ngram, 1).transpose(2, 3).flatten(2)  # (n_chunks, W - n + 1, n · projection)
        h: Tensor = self.dropout(torch.tanh(self.hidden(windows)))
        return h


class RecurrentReader(nn.Module):
    """A projection, then recurrent cells one above the other, [MW] section 2.2.

    Truncated back-propagation through time: the hidden state of every word depends on all words before it, but its
    error reaches back through `bptt` steps only; 1 is back-propagation through the word itself.
    """

    def __init__(self, shape: NetworkShape, n_words: int, dropout: float) -> None:
        super().__init__()
        self.bptt, self.has_memory = shape.bptt, shape.cell == "lstm"
        self.projection = nn.Embedding(n_words, shape.projection)
        nn.init.normal_(self.projection.weight, std=SPREAD)
        sizes = [shape.projection, *[shape.hidden] * shape.layers]
        self.cells = nn.ModuleList([CELLS[shape.cell](*pair) for pair in pairwise(sizes)])
        self.dropout, self._hidden = nn.Dropout(dropout), shape.hidden

    def forward(self, ids: Tensor) -> Tensor:
        """ids (n_chunks, W) -> hidden states (n_chunks, W, hidden), one after each word."""
        x = self.projection(ids)
        h = self.whole(x) if ids.shape[1] <= self.bptt or not torch.is_grad_enabled() else self.truncated(x)
        dropped: Tensor = self.dropout(h)
        return dropped

    def whole(self, x: Tensor) -> Tensor:
        """Errors go back to the first word. x (n_chunks, W, projection) -> (n_chunks, W, hidden)."""
        state, states = self._nothing(x), []
        for step in range(x.shape[1]):
            state = self._step(x[:, step], state)
            states.append(state[-1])
        return torch.stack(states, dim=1)[..., : self._hidden]

    def truncated(self, x: Tensor) -> Tensor:
        """The same states, each unfolded through its own last `bptt` steps; all words of all chunks side by side."""
        n_chunks, n_steps, _ = x.shape
        before = self._states_before(x)  # (layers, n_chunks, W, state), no gradient
        now = torch.arange(n_steps, device=x.device)
        state = before[:, :, (now - self.bptt + 1).clamp(min=0)].flatten(1, 2)
        for back in range(self.bptt - 1, -1, -1):
            is_there = (now >= back).repeat(n_chunks)[None, :, None]  # at the first words fewer steps lie behind
            new = self._step(x[:, (now - back).clamp(min=0)].flatten(0, 1), state)
            state = torch.where(is_there, new, state)
        return state[-1, :, : self._hidden].view(n_chunks, n_steps, -1)

    def _states_before(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            states = [self._nothing(x)]
            for step in range(x.shape[1] - 1):
                states.append(self._step(x[:, step], states[-1]))
        return torch.stack(states, dim=2)

    def _step(self, x: Tensor, state: Tensor) -> Tensor:
        """x (n, projection), state (layers, n, hidden; twice as many numbers with a memory) -> the next state."""
        new = []
        for cell, own in zip(self.cells, state, strict=True):
            if self.has_memory:
                h, c = cell(x, own.chunk(2, dim=1))
                new.append(torch.cat([h, c], dim=1))
            else:
                h = cell(x, own)
                new.append(h)
            x = h
        return torch.stack(new)

    def _nothing(self, x: Tensor) -> Tensor:
        return x.new_zeros(len(self.cells), len(x), self._hidden * (1 + self.has_memory))
