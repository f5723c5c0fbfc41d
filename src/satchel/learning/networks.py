"""Networks that read words and answer with topics and documents, and their errors."""

from __future__ import annotations

from itertools import groupby, pairwise

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear

from satchel.learning.plan import NetworkData, NetworkShape

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


class DocumentNetwork(nn.Module):
    """A reader with an output layer of topics and one of documents, [MW] section 2.1.

    "factorised": a softmax over topics, and one over the documents of the topic; both errors reach the one hidden
    layer. "flat": one softmax over all documents, a topic being the sum of its own. "cascade": two readers that share
    nothing, one for topics and one for a softmax over all documents ([MW] section 7). There topics are learned first
    and documents later; with nothing in common, learning both in one go is the same.
    """

    topic_starts: Tensor
    topic_of: Tensor

    def __init__(self, shape: NetworkShape, data: NetworkData, dropout: float = 0.0) -> None:
        super().__init__()
        self.output = shape.output
        n_topics, n_documents = len(data.topic_starts) - 1, int(data.topic_starts[-1])
        self.reader = reader_of(shape, data.n_words, dropout)
        self.second = reader_of(shape, data.n_words, dropout) if shape.output == "cascade" else None
        self.topics = nn.Linear(shape.hidden, n_topics) if shape.output != "flat" else None
        self.documents = nn.Linear(shape.hidden, n_documents)
        starts = torch.from_numpy(data.topic_starts)
        self.register_buffer("topic_starts", starts, persistent=False)
        topic_of = torch.repeat_interleave(torch.arange(n_topics), starts.diff())
        self.register_buffer("topic_of", topic_of, persistent=False)

    def forward(self, ids: Tensor, topics: Tensor, documents: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The errors (negative log probabilities) of topics and of documents, each (n_chunks, n_windows).

        ids (n_chunks, W), topics (n_chunks,), documents (n_chunks,): units of the output, or None for texts that have
        none; their documents' errors are 0. Every chunk stands for itself, so a batch may be split over devices.
        """
        h = self.reader(ids)  # (n_chunks, n_windows, hidden)
        if self.output == "flat":
            return _flat_errors(self.documents(h), topics, documents, self.topic_of)
        assert self.topics is not None
        of_topics = _errors(self.topics(h), topics)
        if documents is None:
            return of_topics, torch.zeros_like(of_topics)
        if self.second is not None:
            return of_topics, _errors(self.documents(self.second(ids)), documents)
        by_topic = documents_errors_masked if h.is_cuda else documents_errors_by_topic
        return of_topics, by_topic(h, self.documents, topics, documents, self.topic_starts)


def _errors(logits: Tensor, targets: Tensor) -> Tensor:
    """logits (n_chunks, n_windows, n), targets (n_chunks,) -> (n_chunks, n_windows)."""
    each = targets[:, None].expand(logits.shape[:2])
    return cross_entropy(logits.flatten(0, 1), each.flatten(), reduction="none").view(logits.shape[:2])


def _flat_errors(logits: Tensor, topics: Tensor, documents: Tensor | None, topic_of: Tensor) -> tuple[Tensor, Tensor]:
    """A topic is as probable as its documents together: its error is reported, that of the documents is learned."""
    log_all = logits.logsumexp(-1)
    with torch.no_grad():
        own = topic_of == topics[:, None]  # (n_chunks, n_documents)
        of_topics = log_all - logits.masked_fill(~own[:, None], -torch.inf).logsumexp(-1)
    if documents is None:
        return of_topics, torch.zeros_like(of_topics)
    return of_topics, log_all - logits.gather(2, documents[:, None, None].expand(-1, logits.shape[1], 1))[..., 0]


def documents_errors_by_topic(
    h: Tensor, layer: nn.Linear, topics: Tensor, documents: Tensor, topic_starts: Tensor
) -> Tensor:
    """-log P(document | topic, words) with one small product for each topic: for a CPU.

    h (n_chunks, n_windows, hidden), chunks of a topic next to each other -> (n_chunks, n_windows). The weights are
    split once: a slice for each topic would have a gradient of the whole layer's size each.
    """
    starts, sizes = topic_starts.tolist(), topic_starts.diff().tolist()
    weights, biases = torch.split(layer.weight, sizes), torch.split(layer.bias, sizes)
    groups = [(topic, len(list(group))) for topic, group in groupby(topics.tolist())]
    chunks = [n for _, n in groups]
    parts = zip(groups, torch.split(h, chunks), torch.split(documents, chunks), strict=True)
    errors = [
        _errors(linear(states, weights[topic], biases[topic]), units - starts[topic])
        for (topic, _), states, units in parts
    ]
    return torch.cat(errors)


def documents_errors_masked(
    h: Tensor, layer: nn.Linear, topics: Tensor, documents: Tensor, topic_starts: Tensor
) -> Tensor:
    """The same by one product with all documents, without those of other topics: for a GPU.

    It multiplies far more than is needed, but is far faster there than a loop over topics.
    """
    unit = torch.arange(len(layer.weight), device=h.device)
    own = (unit >= topic_starts[topics, None]) & (unit < topic_starts[topics + 1, None])  # (n_chunks, n_documents)
    logits = layer(h)
    log_all: Tensor = logits.masked_fill(~own[:, None], -torch.inf).logsumexp(-1)
    right: Tensor = logits.gather(2, documents[:, None, None].expand(-1, h.shape[1], 1))[..., 0]
    return log_all - right
