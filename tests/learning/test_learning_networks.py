"""Networks against autograd, gradcheck and loops; how they are shown texts, and how they learn."""

import os
import signal

import numpy as np
import pytest
import torch

from satchel.errors import SatchelError
from satchel.learning import (
    Checkpoint,
    Chunks,
    DocumentNetwork,
    NetworkData,
    NetworkPlan,
    NetworkShape,
    Sequences,
    train_network,
)
from satchel.learning.batches import documents_of_epoch, draws_of_epoch
from satchel.learning.networks import RecurrentReader, documents_errors_by_topic, documents_errors_masked

CPU = torch.device("cpu")
STARTS = np.array([0, 3, 4, 7])  # topics of three, one and three documents


def made_data(n_words: int = 20, with_validation: bool = True) -> NetworkData:
    """Seven documents of 3 to 9 words; words of a topic come from its own third of the vocabulary."""
    random, topics = np.random.default_rng(0), np.repeat(np.arange(3), np.diff(STARTS))

    def texts(topics: np.ndarray) -> Sequences:
        lengths = random.integers(3, 10, len(topics))
        ids = [1 + topic * 6 + random.integers(0, 6, n) for topic, n in zip(topics, lengths, strict=True)]
        return Sequences(np.concatenate(ids).astype(np.int32), np.concatenate(([0], np.cumsum(lengths))), topics)

    return NetworkData(texts(topics), STARTS, n_words, texts(np.arange(3)) if with_validation else None)


def a_plan(**changed: object) -> NetworkPlan:
    plan = {"optimiser": "adam", "schedule": "cosine", "rate": 0.02, "l2": 1e-6, "max_epochs": 6, "chunk_length": 6}
    plan |= {"batch_size": 3, "unknown": 0.1, "beginnings": 0.2, "dropout": 0.1, "document_weight": 1.0}
    return NetworkPlan(**plan | changed)


def a_batch() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    ids = torch.from_numpy(np.random.default_rng(1).integers(0, 20, (4, 6)))
    return ids, torch.tensor([0, 0, 1, 2]), torch.tensor([0, 2, 3, 5])


def rnn(bptt: int, cell: str = "rnn", layers: int = 1) -> RecurrentReader:
    torch.manual_seed(0)
    return RecurrentReader(NetworkShape(None, 5, 7, cell=cell, layers=layers, bptt=bptt), 20, 0.0).double()


def gradients(reader: RecurrentReader, states: torch.Tensor) -> list[torch.Tensor]:
    weights = torch.linspace(-1, 1, states.numel(), dtype=torch.float64).view_as(states)
    return list(torch.autograd.grad((states * weights).sum(), list(reader.cells.parameters()), retain_graph=True))


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("layers", [1, 2])
def test_truncation_at_the_length_of_the_text_or_beyond_is_full_back_propagation(cell, layers):
    reader, ids = rnn(4, cell, layers), a_batch()[0][:, :4]
    whole, truncated = (part(reader.projection(ids)) for part in (reader.whole, reader.truncated))
    assert torch.allclose(whole, truncated)
    for one, other in zip(gradients(reader, whole), gradients(reader, truncated), strict=True):
        assert torch.allclose(one, other)


def test_truncation_equals_a_loop_that_unfolds_each_word_by_itself():
    reader, x = rnn(3), rnn(3).projection(a_batch()[0]).detach()
    states, expected = reader.truncated(x), []
    for t in range(x.shape[1]):
        state = torch.zeros(1, len(x), 7, dtype=torch.float64)
        for step in range(t + 1):
            state = state.detach() if step == t - 2 else state
            state = reader._step(x[:, step], state)
        expected.append(state[-1])
    loop = torch.stack(expected, dim=1)
    assert torch.allclose(states, loop)
    for one, other in zip(gradients(reader, states), gradients(reader, loop), strict=True):
        assert torch.allclose(one, other)
    assert not torch.allclose(gradients(reader, states)[1], gradients(reader, reader.whole(x))[1])


@pytest.mark.parametrize("output", ["factorised", "flat", "cascade"])
@pytest.mark.parametrize("ngram", [None, 3])
def test_the_gradient_of_every_output_is_that_of_finite_differences(output, ngram):
    network = DocumentNetwork(NetworkShape(ngram, 3, 4, output, bptt=9), made_data()).double()
    weights = {name: p.detach().clone().requires_grad_() for name, p in network.named_parameters()}

    def loss(*values: torch.Tensor) -> torch.Tensor:
        named = dict(zip(weights, values, strict=True))
        of_topics, of_documents = torch.func.functional_call(network, named, a_batch())
        return of_documents.sum() if output == "flat" else (of_topics + of_documents).sum()

    assert torch.autograd.gradcheck(loss, tuple(weights.values()), fast_mode=True)


@pytest.mark.parametrize("output", ["factorised", "flat", "cascade"])
def test_probabilities_of_all_documents_sum_to_one(output):
    network = DocumentNetwork(NetworkShape(3, 3, 4, output), made_data())
    ids, total = a_batch()[0][:1], torch.zeros(1, 4)
    for document, topic in enumerate(np.repeat(np.arange(3), np.diff(STARTS)).tolist()):
        of_topics, of_documents = network(ids, torch.tensor([topic]), torch.tensor([document]))
        total += torch.exp(-of_documents - (of_topics if output == "factorised" else 0))
    assert torch.allclose(total, torch.ones(1, 4))


def test_the_flat_output_gives_a_topic_the_sum_of_its_documents():
    network = DocumentNetwork(NetworkShape(3, 3, 4, "flat"), made_data())
    ids = a_batch()[0][:1]
    of_topic, _ = network(ids, torch.tensor([2]), torch.tensor([4]))
    each = [torch.exp(-network(ids, torch.tensor([2]), torch.tensor([unit]))[1]) for unit in (4, 5, 6)]
    assert torch.allclose(torch.exp(-of_topic), sum(each))


def test_documents_errors_are_the_same_topic_by_topic_and_masked():
    torch.manual_seed(0)
    h, layer, (_, topics, documents) = torch.randn(4, 5, 6), torch.nn.Linear(6, 7), a_batch()
    arguments = h, layer, topics, documents, torch.from_numpy(STARTS)
    assert torch.allclose(documents_errors_by_topic(*arguments), documents_errors_masked(*arguments), atol=1e-6)


def test_a_chunk_is_a_stretch_of_its_document_and_counts_only_whole_windows():
    texts = Sequences(np.arange(1, 13, dtype=np.int32), np.array([0, 2, 12]), np.array([0, 1]))
    batch = Chunks(texts, 4, 3, CPU).cut(torch.tensor([0, 1, 1, 1]), torch.tensor([0.9, 0.0, 0.5, 0.999]))
    assert batch.ids.tolist() == [[1, 2, 0, 0], [3, 4, 5, 6], [6, 7, 8, 9], [9, 10, 11, 12]]
    assert batch.counts.tolist() == [[True, False], *[[True, True]] * 3]
    assert int(batch.n_words) == 14


def test_without_a_batch_size_a_step_holds_one_document_of_each_topic_and_all_have_their_turn():
    plan = a_plan(batch_size=None)
    steps = np.stack([step for epoch in range(2) for step in documents_of_epoch(plan, STARTS, epoch, None)])
    assert len(steps) == 2 * 3
    assert [sorted(column) for column in steps.T.tolist()] == [[0, 0, 1, 1, 2, 2], [3] * 6, [4, 4, 5, 5, 6, 6]]


def test_one_word_of_each_chunk_is_forgotten_or_a_share_of_them():
    one = torch.cat([d.forgotten for d in draws_of_epoch(a_plan(unknown=None), STARTS, 0, CPU)])
    assert one.sum(dim=1).tolist() == [1] * 7
    some = [d.forgotten for e in range(50) for d in draws_of_epoch(a_plan(unknown=0.3), STARTS, e, CPU)]
    assert 0.25 < torch.cat(some).float().mean() < 0.35


def test_the_rate_is_halved_once_validation_stops_falling_and_training_ends_when_that_does_not_help():
    plan = a_plan(optimiser="sgd", schedule="halving", rate=4.0, max_epochs=100, dropout=0.0)
    _, history = train_network(made_data(), NetworkShape(3, 3, 4), plan)
    judged, rates = [h.validation_perplexity for h in history], [h.rate for h in history]
    first_rise = next(i for i in range(1, len(judged)) if judged[i] >= min(judged[:i]))
    assert rates[: first_rise + 1] == [4.0] * (first_rise + 1)
    assert rates[first_rise + 1 :] == [4.0 / 2**i for i in range(1, len(rates) - first_rise)]
    assert len(history) < 100
    assert min(judged[-2:]) >= min(judged[:-2])


def test_the_weights_of_the_best_epoch_are_kept():
    plan = a_plan(max_epochs=12, rate=0.1)
    arrays, history = train_network(made_data(), NetworkShape(3, 3, 4), plan)
    best = int(np.argmin([h.validation_perplexity for h in history]))
    checkpoints: list[Checkpoint] = []
    train_network(made_data(), NetworkShape(3, 3, 4), plan, keep=checkpoints.append)
    assert np.array_equal(arrays["topics.weight"], checkpoints[best].arrays["now.topics.weight"])


@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_a_resumed_run_gives_the_bytes_of_an_uninterrupted_one(optimiser):
    data, shape, plan = made_data(), NetworkShape(None, 3, 4, cell="gru", bptt=2), a_plan(optimiser=optimiser)
    checkpoints: list[Checkpoint] = []
    whole, _ = train_network(data, shape, plan, keep=checkpoints.append)
    resumed, history = train_network(data, shape, plan, resume=checkpoints[2])
    assert len(history) == 6
    assert {name: a.tobytes() for name, a in whole.items()} == {name: a.tobytes() for name, a in resumed.items()}


def test_after_an_interrupt_inside_an_epoch_the_last_whole_one_goes_on():
    data, shape, plan, checkpoints = made_data(), NetworkShape(3, 3, 4), a_plan(), []
    whole, _ = train_network(data, shape, plan)

    def interrupt(stage: str, done: int, total: int) -> None:
        if done == 2 * total // plan.max_epochs + 1:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train_network(data, shape, plan, progress=interrupt, keep=checkpoints.append)
    assert len(checkpoints) == 2
    resumed, _ = train_network(data, shape, plan, resume=checkpoints[-1])
    assert {name: a.tobytes() for name, a in whole.items()} == {name: a.tobytes() for name, a in resumed.items()}


def test_training_that_diverges_says_so_in_one_sentence():
    with pytest.raises(SatchelError, match=r"training diverged in epoch \d+ at rate 1e\+30; lower the rate"):
        train_network(made_data(), NetworkShape(3, 3, 4), a_plan(optimiser="sgd", rate=1e30))


def test_training_lowers_both_perplexities():
    _, history = train_network(made_data(), NetworkShape(3, 8, 16), a_plan(max_epochs=30))
    assert history[-1].train_perplexity < 1.5 < history[0].train_perplexity
    assert history[-1].document_perplexity < history[0].document_perplexity


def test_a_network_wrapped_for_several_devices_gives_the_same_errors_and_gradients(tmp_path):
    network = DocumentNetwork(NetworkShape(3, 3, 4), made_data())
    torch.distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/meet", rank=0, world_size=1)
    try:
        found = []
        for one in (network, torch.nn.parallel.DistributedDataParallel(network), torch.nn.DataParallel(network)):
            network.zero_grad()
            of_topics, of_documents = one(*a_batch())
            (of_topics + of_documents).sum().backward()
            found.append(torch.cat([p.grad.flatten() for p in network.parameters()]))
    finally:
        torch.distributed.destroy_process_group()
    assert torch.allclose(found[0], found[1])
    assert torch.allclose(found[0], found[2])
