"""Algorithm 1: what moves, what rests, and that a break changes nothing."""

import os
import signal
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from satchel.errors import InputError, SatchelError
from satchel.learning import PAPER_PARTS, PARTS, TrainingData, TrainingPlan, train
from satchel.learning.batches import LabelledDocuments, WordDropout
from satchel.learning.objectives import cross_entropy, memberships
from satchel.learning.optimizers import PartOptimizers, RowAdam, cosine_pace
from satchel.learning.trainer import BagModel, as_arrays
from satchel.progress import StoppedError
from satchel.types import BagParts

PLAN = TrainingPlan(m=0.1, batch_size=8, n_epochs=3)


def one_hot(classes):
    return np.eye(2, dtype=np.float32)[classes]


@pytest.fixture
def data() -> TrainingData:
    """Forty documents of two classes; words 0-9 belong to one, 10-19 to the other, word 20 never occurs."""
    random = np.random.default_rng(0)
    classes = np.arange(40) % 2
    counts = np.zeros((40, 21), dtype=np.float32)
    for row, label in enumerate(classes):
        np.add.at(counts[row], random.integers(0, 10, 12) + 10 * label, 1)
        np.add.at(counts[row], random.integers(0, 20, 8), 1)
    centres = random.random((2, 4)).astype(np.float32)
    return TrainingData(csr_array(counts), one_hot(classes), centres, np.arange(2))


def held_out(data, n, labels=None):
    """Without the first n documents, which validate; under other labels where some are given."""
    validation = (data.values[:n], data.labels[:n] if labels is None else labels)
    return replace(data, values=data.values[n:], labels=data.labels[n:], validation=validation)


@pytest.fixture
def start() -> BagParts:
    random = np.random.default_rng(1)
    words, codebook = (random.normal(size=(n, 5)).astype(np.float32) for n in (21, 4))
    return BagParts(words, codebook, 0.8, np.ones(4, dtype=np.float32), np.ones(21, dtype=np.float32))


@pytest.mark.parametrize("objective", ["entropy", "spherical-entropy", "cross-entropy"])
def test_the_loss_falls(data, start, objective):
    _, history = train(data, start, TrainingPlan(objective, m=0.1, batch_size=8, n_epochs=30))
    assert history[-1].loss < 0.5 * history[0].loss
    assert [record.epoch for record in history] == list(range(1, 31))


@pytest.mark.parametrize("word_updates", ["touched", "all"])
def test_same_seed_same_bytes_and_another_seed_others(data, start, word_updates):
    plan = TrainingPlan(m=0.1, batch_size=8, n_epochs=2, word_updates=word_updates)
    first, second = (train(data, start, plan)[0] for _ in range(2))
    other, _ = train(data, start, replace(plan, random_state=1))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first.words, other.words)


@pytest.mark.parametrize("part", BagParts._fields)
def test_only_the_parts_that_are_learned_move(data, start, part):
    trained, _ = train(data, start, TrainingPlan(m=0.1, batch_size=8, n_epochs=1, learned=(part,)))
    moved = [n for n, a, b in zip(BagParts._fields, start, trained, strict=True) if not np.allclose(a, b, atol=1e-6)]
    assert moved == [part]


def test_nothing_moves_when_nothing_is_learned(data, start):
    trained, history = train(data, start, TrainingPlan(m=0.1, n_epochs=1, learned=()))
    assert np.array_equal(trained.words, start.words)
    assert len(history) == 1


def test_the_start_is_not_written_to(data, start):
    before = [np.copy(part) for part in start]
    train(data, start, PLAN)
    assert all(np.array_equal(a, b) for a, b in zip(before, start, strict=True))


def test_a_word_in_no_batch_rests_under_both_ways(data, start):
    for word_updates in ("touched", "all"):
        trained, _ = train(data, start, TrainingPlan(m=0.1, batch_size=8, n_epochs=2, word_updates=word_updates))
        assert np.array_equal(trained.words[20], start.words[20])


@pytest.mark.parametrize("word_updates", ["touched", "all"])
def test_weights_move_for_words_that_occur_and_never_below_the_least(data, start, word_updates):
    rates = {"weights": 0.2}
    plan = replace(PLAN, n_epochs=10, learned=("weights",), rates=rates, word_updates=word_updates)
    weights = train(data, start, plan)[0].weights
    assert weights.min() == np.float32(1e-3)
    assert weights.max() > 1.5
    assert weights[20] == 1


def test_twice_the_weight_is_twice_the_count(data, start):
    twice = start._replace(weights=np.where(np.arange(21) < 7, 2, 1).astype(np.float32))
    doubled = replace(data, values=csr_array(data.values * twice.weights))
    by_weight, by_count = train(data, twice, PLAN)[0], train(doubled, start, PLAN)[0]
    assert all(np.array_equal(a, b) for a, b in zip(by_weight[:4], by_count[:4], strict=True))
    assert np.array_equal(by_weight.weights, twice.weights)


def test_word_dropout_leaves_out_that_share_of_the_words_and_other_ones_in_every_batch_and_epoch():
    kept = [WordDropout(0.3, 0, epoch).kept(batch, 10_000) for epoch in (0, 1) for batch in (0, 1)]
    assert [stays.mean() for stays in kept] == pytest.approx([0.7] * 4, abs=0.02)
    assert all((a == b).mean() < 0.6 for a, b in combinations(kept, 2))
    order = np.random.default_rng([0, 0])  # the generator that shuffles the epoch
    assert (kept[0] == (order.random(10_000) >= 0.3)).mean() < 0.6


def test_a_batch_with_dropout_holds_only_the_words_that_stay(data):
    documents = LabelledDocuments(data.values, data.labels, torch.device("cpu"))
    stays = np.arange(data.values[[4, 7]].nnz) % 3 == 0
    batch = documents.batch(torch.tensor([4, 7]), lambda n: stays)
    expected = data.values[[4, 7]].toarray()
    expected[tuple(part[~stays] for part in np.nonzero(expected))] = 0
    assert np.array_equal(batch.words, np.flatnonzero(expected.any(axis=0)))
    assert np.array_equal(batch.values, expected[:, batch.words])


def test_documents_that_lose_all_words_are_no_obstacle(data, start):
    trained, history = train(data, start, replace(PLAN, objective="cross-entropy", word_dropout=0.999))
    assert all(np.isfinite(part).all() for part in trained)
    assert history[0].loss == pytest.approx(np.log(2), rel=0.1)  # the zero vector is equally far from both centres


def test_under_the_cosine_schedule_steps_shrink_to_nothing(data, start):
    kept = []
    plan = replace(PLAN, n_epochs=20, learned=("codebook",), schedule="cosine")
    train(data, start, plan, keep=kept.append)
    codebooks = [start.codebook, *(checkpoint.arrays["part.codebook"] for checkpoint in kept)]
    moved = [np.abs(b - a).max() for a, b in pairwise(codebooks)]
    assert moved[0] > 0.5 * 0.01 * 5
    assert moved[-1] < 0.01 * moved[0]


def test_the_pace_is_half_a_cosine():
    eighth = np.sqrt(0.5) / 2
    assert [cosine_pace(step, 4) for step in range(5)] == pytest.approx([1, 0.5 + eighth, 0.5, 0.5 - eighth, 0])


def test_a_pace_shortens_the_first_step_of_every_part_alike(data, start):
    """Adam's first step is the rate, whatever the gradient: half the pace, half the way."""
    plan = TrainingPlan("cross-entropy", m=0.1, learned=PARTS)
    for word_updates in ("touched", "all"):
        ways = [first_step(data, start, replace(plan, word_updates=word_updates), pace) for pace in (1.0, 0.5)]
        np.testing.assert_allclose(ways[1], np.array(ways[0]) / 2, rtol=1e-3)


def first_step(data, start, plan, pace):
    """How far each part goes at most."""
    model = BagModel(start, data, plan, torch.device("cpu"))
    optimizers = PartOptimizers(model.parts, plan)
    batch = LabelledDocuments(data.values, data.labels, torch.device("cpu")).batch(torch.arange(40))
    log_w = model.log_memberships(batch, optimizers.rows_of(batch.words))
    optimizers.step(cross_entropy(log_w, batch.pi, torch.arange(2)), batch.words, pace)
    return [np.abs(np.array(a) - b).max() for a, b in zip(as_arrays(model.parts), start, strict=True)]


def test_labels_may_be_true_and_false(data, start):
    by_truth = train(replace(data, labels=data.labels == 1), start, PLAN)[0]
    assert np.array_equal(by_truth.words, train(data, start, PLAN)[0].words)


def test_labels_that_do_not_fit_the_documents_are_refused(data):
    with pytest.raises(InputError, match=r"labels of shape \(39, 2\) for 40 documents"):
        replace(data, labels=data.labels[1:])
    with pytest.raises(InputError, match=r"labels of shape \(40,\) for 40 documents"):
        replace(data, validation=(data.values, data.labels[:, 0]))


def test_the_cross_entropy_needs_a_label_for_every_document_and_a_centre_for_every_class(data, start):
    plan, nothing = TrainingPlan("cross-entropy"), np.zeros((1, 2), dtype=np.float32)
    one_without = np.concatenate([data.labels[:3], nothing, data.labels[4:]])
    with pytest.raises(InputError, match="document 3 has no label"):
        train(replace(data, labels=one_without), start, plan)
    with pytest.raises(InputError, match="document 0 has no label"):
        train(held_out(data, 1, nothing), start, plan)
    with pytest.raises(InputError, match="class 1 has documents but no centre"):
        train(replace(data, centre_classes=np.zeros(2, dtype=np.int64)), start, plan)
    with pytest.raises(InputError, match=r"2 centres have classes of shape \(3,\)"):
        replace(data, centre_classes=np.arange(3))


def test_touched_words_rest_after_their_batch_where_all_go_on(start):
    """Word 0 stands in the first batch alone: under Adam its momentum carries it on, under RowAdam it stops."""
    matrix = torch.zeros(2, 1)
    rows, adam_matrix = RowAdam(matrix), torch.zeros(2, 1, requires_grad=True)
    adam = torch.optim.Adam([adam_matrix], lr=0.1)
    for gradients in ([[1.0], [0.0]], [[0.0], [1.0]]):
        adam_matrix.grad = torch.tensor(gradients)
        adam.step()
        touched = torch.tensor([0 if gradients[0][0] else 1])
        rows.step(touched, torch.tensor([[1.0]]), 0.1)
    assert float(matrix[0]) == pytest.approx(-0.1, rel=1e-4)
    assert float(adam_matrix[0].detach()) < -0.12


@pytest.mark.parametrize("shape", [(6, 3), (6,)], ids=["rows", "entries"])
def test_row_adam_is_torchs_sparse_adam(shape):
    torch.manual_seed(0)
    mine, theirs = torch.ones(shape), torch.nn.Parameter(torch.ones(shape))
    rows, sparse = RowAdam(mine), torch.optim.SparseAdam([theirs], lr=0.05)
    for ids in (torch.tensor([0, 2, 5]), torch.tensor([1, 2]), torch.tensor([0, 5])):
        gradient = torch.randn(len(ids), *shape[1:])
        with torch.sparse.check_sparse_tensor_invariants():
            theirs.grad = torch.sparse_coo_tensor(ids[None], gradient, shape)
            sparse.step()
        rows.step(ids, gradient, 0.05)
    torch.testing.assert_close(mine, theirs.detach())


@pytest.mark.parametrize("learned", [PAPER_PARTS, PARTS])
@pytest.mark.parametrize("word_updates", ["touched", "all"])
def test_going_on_from_any_checkpoint_gives_the_bytes_of_a_whole_run(data, start, word_updates, learned):
    plan = TrainingPlan(m=0.1, batch_size=8, n_epochs=3, word_updates=word_updates, learned=learned)
    kept = []
    whole, history = train(data, start, plan, keep=kept.append)
    for checkpoint in kept:
        resumed, again = train(data, start, plan, resume=checkpoint)
        assert all(np.array_equal(a, b) for a, b in zip(whole, resumed, strict=True))
        assert [r.loss for r in again] == [r.loss for r in history]


def test_an_interrupt_loses_nothing_not_even_in_the_middle_of_an_epoch(data, start):
    whole, history = train(data, start, PLAN)
    kept = []

    def interrupt(stage, done, total):
        if done == 5 + 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train(data, start, PLAN, progress=interrupt, keep=kept.append)
    assert (len(kept[-1].history), kept[-1].numbers["batch"]) == (1, 3)
    resumed, again = train(data, start, PLAN, resume=kept[-1])
    assert all(np.array_equal(a, b) for a, b in zip(whole, resumed, strict=True))
    assert [r.loss for r in again] == pytest.approx([r.loss for r in history])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def histograms_of(data, start):
    u = memberships(*(torch.from_numpy(part) for part in start[:2]), torch.tensor(start.sigma)).numpy()
    return data.values.toarray() @ u / data.values.sum(axis=1)[:, None]


def with_moments(data, start):
    """Standardised by the histograms of the start."""
    z = histograms_of(data, start)
    return replace(data, moments=(z.mean(axis=0), z.std(axis=0)))


EVERYTHING = TrainingPlan(
    "cross-entropy",
    m=0.2,
    learned=PARTS,
    batch_size=8,
    n_epochs=3,
    word_dropout=0.5,
    schedule="cosine",
    slope=0.3,
)


@pytest.mark.parametrize("word_updates", ["touched", "all"])
def test_an_interrupt_loses_nothing_with_dropout_schedule_weights_and_moments(data, start, word_updates):
    plan, validated = replace(EVERYTHING, word_updates=word_updates), held_out(with_moments(data, start), 5)
    whole, history = train(validated, start, plan)
    for where in [(1, 1), (2, 3), (3, 4)]:
        kept = []

        def interrupt(stage, done, total, where=where):
            if done == (where[0] - 1) * 5 + where[1]:
                os.kill(os.getpid(), signal.SIGINT)

        with pytest.raises(KeyboardInterrupt):
            train(validated, start, plan, progress=interrupt, keep=kept.append)
        resumed, again = train(validated, start, plan, resume=kept[-1])
        assert all(np.array_equal(a, b) for a, b in zip(whole, resumed, strict=True))
        assert [r[:4] for r in again] == [r[:4] for r in history]


def test_given_moments_standardise_documents_before_the_mask_in_every_batch_and_in_validation(data, start):
    start = start._replace(mask=np.array([0.5, 1, 2, 3], dtype=np.float32))
    given = replace(with_moments(data, start), validation=(data.values, data.labels))
    z = histograms_of(data, start)
    s = start.mask * (z - z.mean(axis=0)) / z.std(axis=0)
    s = np.where(s > 0, s, 0.3 * s)
    lengths = np.linalg.norm(s, axis=1)[:, None] * np.linalg.norm(data.centres, axis=1)
    p = np.exp((s @ data.centres.T / lengths - 1) / 0.2)  # of the centre, and of its class
    expected = -np.log((p / p.sum(axis=1, keepdims=True))[data.labels == 1]).mean()
    (record,) = train(given, start, replace(EVERYTHING, learned=(), word_dropout=0.0, n_epochs=1))[1]
    assert record.loss == pytest.approx(expected, rel=1e-5)
    assert record.validation_loss == pytest.approx(expected, rel=1e-5)


def test_histograms_are_standardised_exactly_where_there_are_moments(data, start):
    neutral = replace(data, moments=(np.zeros(4, dtype=np.float32), np.ones(4, dtype=np.float32)))
    plain, same, other = (train(d, start, EVERYTHING)[0] for d in (data, neutral, with_moments(data, start)))
    assert all(np.array_equal(a, b) for a, b in zip(plain, same, strict=True))
    assert not np.allclose(plain.codebook, other.codebook, atol=1e-3)


def test_an_empty_document_is_the_zero_vector_also_where_there_are_moments(data, start):
    """The zero vector is equally far from all centres; a centred one would not be."""
    given = replace(with_moments(data, start), values=csr_array((40, 21), dtype=np.float32), validation=None)
    trained, history = train(given, start, EVERYTHING)
    assert [record.loss for record in history] == pytest.approx([np.log(2)] * 3)
    assert all(np.array_equal(a, np.float32(b)) for a, b in zip(trained, start, strict=True))


def test_moments_that_do_not_fit_the_codewords_or_cannot_scale_are_refused(data):
    row, flat = np.ones(4, dtype=np.float32), np.array([1, 0, 1, 1], dtype=np.float32)
    with pytest.raises(InputError, match="two rows of 4 numbers"):
        replace(data, moments=(row[:3], row[:3]))
    with pytest.raises(InputError, match=r"a scale of the moments is 0.0; expected numbers above 0"):
        replace(data, moments=(row, flat))


def test_a_standardised_validation_document_does_not_depend_on_those_beside_it(data, start):
    by_class = np.argsort(data.labels[:10, 1], kind="stable")
    mixed = held_out(with_moments(data, start), 10)
    in_turn = replace(mixed, validation=tuple(part[by_class] for part in mixed.validation))
    losses = [[record.validation_loss for record in train(d, start, EVERYTHING)[1]] for d in (mixed, in_turn)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_it_stops_when_validation_no_longer_improves_and_keeps_the_best(data, start):
    worse = held_out(data, 10, 1 - data.labels[:10])  # labels turned round: learning must make it worse
    plan = TrainingPlan(m=0.1, batch_size=8, n_epochs=60, patience=2)
    trained, history = train(worse, start, plan)
    losses = [record.validation_loss for record in history]
    best = int(np.argmin(losses))
    assert len(history) < 60
    assert len(history) - 1 - best == 2
    until_best = train(worse, start, TrainingPlan(m=0.1, batch_size=8, n_epochs=best + 1))[0]
    assert np.array_equal(trained.words, until_best.words)


@pytest.mark.parametrize("objective", ["spherical-entropy", "cross-entropy"])
def test_validation_does_not_depend_on_the_order_or_the_batches_of_its_documents(data, start, objective):
    def losses(rows, batch_size):
        part = replace(data, validation=(data.values[rows], data.labels[rows]))
        plan = TrainingPlan(objective, m=0.1, batch_size=batch_size, n_epochs=1, learned=())
        return train(part, start, plan)[1][0].validation_loss

    by_class = np.argsort(data.labels[:, 1], kind="stable")
    expected = losses(np.arange(40), 40)
    assert losses(by_class, 8) == pytest.approx(expected, rel=1e-6)
    assert losses(by_class, 1) == pytest.approx(expected, rel=1e-6)
    assert expected > 0.1


def test_going_on_with_validation_keeps_the_best_as_a_whole_run_does(data, start):
    whole_data = held_out(data, 10)
    kept = []
    whole, history = train(whole_data, start, PLAN, keep=kept.append)
    resumed, again = train(whole_data, start, PLAN, resume=kept[0])
    assert np.array_equal(whole.words, resumed.words)
    assert [record.validation_loss for record in again] == [record.validation_loss for record in history]


def test_an_interrupt_at_the_end_of_an_epoch_keeps_that_epoch(data, start, monkeypatch):
    kept = []

    def interrupt(checkpoint):
        kept.append(checkpoint)
        if len(checkpoint.history) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train(data, start, PLAN, keep=interrupt)
    assert (len(kept[-1].history), kept[-1].numbers["batch"]) == (2, 0)


def test_who_ignores_interrupts_goes_on_ignoring_them(data, start):
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert len(train(data, start, PLAN, progress=lambda *_: os.kill(os.getpid(), signal.SIGINT))[1]) == 3
    finally:
        signal.signal(signal.SIGINT, usual)


def test_of_equal_validation_losses_the_first_epoch_is_kept(data, start):
    tied = held_out(data, 1)  # one document has no entropy, whatever was learned
    trained, history = train(tied, start, replace(PLAN, patience=2))
    assert [record.validation_loss for record in history] == pytest.approx([0, 0, 0], abs=1e-12)
    assert np.array_equal(trained.words, train(tied, start, replace(PLAN, n_epochs=1))[0].words)


def test_training_that_diverges_says_so(data, start):
    far = start._replace(words=start.words * np.float32(1e30))
    with pytest.raises(SatchelError, match="diverged in epoch 1"), np.errstate(all="ignore"):
        train(data, far, PLAN)


def test_progress_tells_every_batch(data, start):
    told = []
    _, history = train(data, start, PLAN, progress=lambda *given: told.append(given))
    assert [given[1:] for given in told] == [(done, 15) for done in range(1, 16)]
    assert told[9][0] == f"epoch 2/3  loss {history[1].loss:.4f}  sigma {history[1].sigma:.3f}"


def test_who_watches_stops_the_training_between_two_steps(data, start):
    def stop(stage, done, total):
        if done == 7:
            raise StoppedError(stage)

    kept = []
    with pytest.raises(StoppedError, match="epoch 2/3"):
        train(data, start, PLAN, progress=stop, keep=kept.append)
    resumed, _ = train(data, start, PLAN, resume=kept[-1])
    assert np.array_equal(resumed.words, train(data, start, PLAN)[0].words)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"m": 0.0}, "m is 0.0"),
        ({"objective": "loss"}, "unknown objective 'loss'; choose from cross-entropy, entropy"),
        ({"objective": "least-squares"}, "'least-squares' is solved at once, not step by step"),
        ({"learned": ("letters",)}, "choose from codebook, mask, sigma, weights, words"),
        (
            {"learned": ("weights",), "rates": {"words": 0.1}},
            "'weights' is to be learned, but rates has no rate for it",
        ),
        ({"batch_size": 0}, "batch_size is 0"),
        ({"word_dropout": 1.0}, "word_dropout is 1.0; expected a number above 0 and below 1"),
        ({"schedule": "linear"}, "unknown schedule 'linear'; choose from constant, cosine"),
        ({"slope": 1.5}, "slope is 1.5"),
        ({"word_updates": "some"}, "choose from all, touched"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(settings, message):
    with pytest.raises(InputError, match=message):
        TrainingPlan(**settings)


def test_a_device_that_is_not_here_is_refused(data, start, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="no CUDA device"):
        train(data, start, TrainingPlan(device="cuda"))
    with pytest.raises(InputError, match="choose from cpu, cuda"):
        train(data, start, TrainingPlan(device="tpu"))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device, which this machine does not have")
@pytest.mark.parametrize("plan", [replace(PLAN, n_epochs=10), EVERYTHING], ids=["paper", "everything"])
def test_cuda_learns_as_the_cpu_does(data, start, plan):
    both = held_out(with_moments(data, start), 10)
    cpu, cuda = (train(both, start, replace(plan, device=device))[1] for device in ("cpu", "cuda"))
    assert [r.loss for r in cuda] == pytest.approx([r.loss for r in cpu], rel=1e-2)
    assert [r.validation_loss for r in cuda] == pytest.approx([r.validation_loss for r in cpu], rel=1e-2)
