"""Networks that read words and answer with topics and documents, and their errors."""

from __future__ import annotations

from itertools import groupby

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear

from satchel.learning.network_plan import NetworkData, NetworkShape
from satchel.learning.word_readers import reader_of


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
    """-log P(document | topic, words) with one small product for each topic: the way of a CPU.

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
    """The same as one product with all documents, those of other topics left out after: the way of a GPU.

    It multiplies far more than is needed, and is far faster there than a loop over topics.
    """
    unit = torch.arange(len(layer.weight), device=h.device)
    own = (unit >= topic_starts[topics, None]) & (unit < topic_starts[topics + 1, None])  # (n_chunks, n_documents)
    logits = layer(h)
    log_all: Tensor = logits.masked_fill(~own[:, None], -torch.inf).logsumexp(-1)
    right: Tensor = logits.gather(2, documents[:, None, None].expand(-1, h.shape[1], 1))[..., 0]
    return log_all - right
