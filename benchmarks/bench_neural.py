"""Networks of MW: an epoch of r52 against a bare loop of the same products; 20ng on CUDA where there is a device.

The bare loop is shown ready-made batches: no chunks are cut, no words forgotten, nothing is summed up or kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import groupby

import numpy as np

from benchmarks.timing import Row, compare, seconds

NGRAM, PROJECTION, HIDDEN, CHUNK, BATCH = 5, 200, 600, 20, 64


def run() -> list[Row]:
    if not os.environ.get("SATCHEL_DATA"):
        return []
    ours, bare = epoch_of_r52()
    name = "r52, 5-gram network 200-600: one epoch, one CPU thread"
    return [
        compare(name, ours, "a bare torch loop of the same products", bare, repeat=3, note="target 3"),
        *cuda_rows(),
    ]


def epoch_of_r52() -> tuple[Callable[[], object], Callable[[], object]]:
    """One epoch of ours, and the bare loop over as many batches."""
    from satchel import FeedForwardRetriever
    from satchel.datasets import load
    from satchel.learning import NetworkData, NetworkPlan, NetworkShape, Sequences, train_network
    from satchel.neural import NetworkRecipe
    from satchel.text import word_sequences

    train = load("r52").train
    fitted = FeedForwardRetriever(NGRAM, PROJECTION, HIDDEN, NetworkRecipe(max_epochs=0)).fit(train.texts, train.labels)
    ids, starts = word_sequences(train.texts, fitted.tokenizer, fitted.vocabulary_)
    words = [ids[starts[d] : starts[d + 1]] for d in fitted.documents_.tolist()]
    topic_starts = fitted.network_.topic_starts
    topics = np.repeat(np.arange(len(topic_starts) - 1), np.diff(topic_starts))
    lengths = np.concatenate(([0], np.cumsum([len(part) for part in words])))
    data = NetworkData(Sequences(np.concatenate(words), lengths, topics), topic_starts, len(fitted.vocabulary_))
    use = fitted.whole_recipe
    plan = NetworkPlan(
        use.optimiser, use.schedule, use.rate, use.l2, 1, CHUNK, BATCH, use.unknown, use.beginnings, use.dropout,
        use.document_weight,
    )  # fmt: skip
    shape = NetworkShape(NGRAM, PROJECTION, HIDDEN)
    return lambda: train_network(data, shape, plan), bare_loop(topics, topic_starts, data.n_words)


def bare_loop(topics: np.ndarray, topic_starts: np.ndarray, n_words: int) -> Callable[[], object]:
    import torch
    from torch.nn.functional import cross_entropy, embedding, linear

    def parameters() -> list[torch.Tensor]:
        shapes = [(n_words, PROJECTION), (HIDDEN, NGRAM * PROJECTION), (HIDDEN,)]
        shapes += [size for n in (len(topic_starts) - 1, len(topics)) for size in ((n, HIDDEN), (n,))]
        return [(0.02 * torch.randn(shape)).requires_grad_() for shape in shapes]

    random, sizes, n = np.random.default_rng(0), np.diff(topic_starts).tolist(), CHUNK - NGRAM + 1
    batches = [np.sort(part) for part in np.array_split(random.permutation(len(topics)), -(-len(topics) // BATCH))]
    shown = [(d, torch.from_numpy(random.integers(0, n_words, (len(d), CHUNK)))) for d in batches]

    def loss(p: list[torch.Tensor], documents: np.ndarray, ids: torch.Tensor) -> torch.Tensor:
        x = embedding(ids, p[0]).unfold(1, NGRAM, 1).transpose(2, 3).flatten(2)
        h = torch.tanh(linear(x, p[1], p[2])).flatten(0, 1)
        total = cross_entropy(linear(h, p[3], p[4]), torch.from_numpy(np.repeat(topics[documents], n)))
        weights, biases, place = torch.split(p[5], sizes), torch.split(p[6], sizes), 0
        for topic, group in groupby(topics[documents].tolist()):
            rows = slice(place, place + len(list(group)))
            targets = torch.from_numpy(np.repeat(documents[rows] - topic_starts[topic], n))
            of_topic = linear(h[rows.start * n : rows.stop * n], weights[topic], biases[topic])
            total, place = total + cross_entropy(of_topic, targets), rows.stop
        return total

    def epoch() -> None:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        p = parameters()
        adam = torch.optim.Adam(p, lr=0.001, weight_decay=1e-5, fused=True)
        for documents, ids in shown:
            adam.zero_grad()
            loss(p, documents, ids).backward()
            adam.step()
        torch.set_num_threads(threads)

    return epoch


def cuda_rows() -> list[Row]:
    """Training on 20ng as published (200-800), and words a second in the same code on one CPU thread."""
    import torch

    if not torch.cuda.is_available():
        return []
    from satchel import FeedForwardRetriever
    from satchel.datasets import load
    from satchel.neural import NetworkRecipe

    train = load("20ng").train
    warm = FeedForwardRetriever(NGRAM, recipe=NetworkRecipe(max_epochs=1), device="cuda")
    warm.fit(train.texts, train.labels)  # loads the kernels
    fast, slow = (FeedForwardRetriever(NGRAM, device=device) for device in ("cuda", "cpu"))
    whole = seconds(lambda: fast.fit(train.texts, train.labels))
    slow.set_params(recipe__max_epochs=1).fit(train.texts, train.labels)
    cuda, cpu = (np.median([record.words_per_second for record in one.history_]) for one in (fast, slow))
    n_words = len(fast.history_) * len(train.texts) * CHUNK
    name, peer = torch.cuda.get_device_name(), "one CPU thread, from its words a second"
    return [
        Row(f"20ng, 5-gram network 200-800: training on {name}", whole, peer, n_words / cpu, whole * cpu / n_words,
            "target 120 s"),
        Row(f"20ng, 5-gram network 200-800: a million words on {name}", 1e6 / cuda, "one CPU thread", 1e6 / cpu,
            cpu / cuda, "target 0.05"),
    ]  # fmt: skip


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
