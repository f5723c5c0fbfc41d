"""Training against the paper's own way, on the paper's 20ng setting; and on CUDA where there is a device.

The paper's way looks up a vector for every word of every document: a tensor of documents × 500 words × dimensions,
padded, with memberships for each of its words, and Adam over the whole embedding. Ours needs the memberships of a
batch's distinct words once, and moves their rows alone.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.sparse import csr_array, load_npz, save_npz

from benchmarks.timing import Row, compare
from satchel.types import BagParts, FloatArray, SparseArray

N_CODEWORDS, DIM, LENGTH, BATCH, SIGMA, M = 64, 100, 500, 100, 0.5, 0.005
STEPS = 112  # one epoch

T = TypeVar("T")


class Problem(NamedTuple):
    """20ng as PT18 trains on it: counts for us, padded word ids for the paper's way."""

    counts: SparseArray
    padded: np.ndarray
    labels: np.ndarray
    start: BagParts
    centres: np.ndarray


class Cost(NamedTuple):
    seconds: float
    megabytes: float


def run() -> list[Row]:
    if not os.environ.get("SATCHEL_DATA"):
        return []
    with TemporaryDirectory() as name:
        folder = Path(name)
        _in_own_process(keep_problem, folder)  # a child's peak starts at its parent's size, so this one stays small
        ours, paper = (_in_own_process(_measure, folder, work) for work in (our_steps, paper_steps))
        problem = kept(folder)
    return [*paper_rows(ours, paper), update_row(problem), *encoding_rows(), *cuda_rows(problem)]


def paper_rows(ours: Cost, paper: Cost) -> list[Row]:
    """Time and memory of the paper's setting."""
    name, peer = "20ng, paper's setting", "documents × 500 words × 100 numbers"
    steps, ratio = "target 0.1", ours.megabytes / paper.megabytes
    return [
        Row(
            f"{name}: one epoch", ours.seconds * STEPS, peer, paper.seconds * STEPS, ours.seconds / paper.seconds, steps
        ),
        Row(f"{name}: memory above the data", ours.megabytes, peer, paper.megabytes, ratio, steps, "MB"),
    ]


def update_row(problem: Problem) -> Row:
    """A step that moves the words of the batch against one that moves every word."""
    part = sample(problem)
    touched, every = (partial(_train, part, "cpu", 1, updates) for updates in ("touched", "all"))
    return compare("20ng, paper's setting: one epoch, words of the batch", touched, "all words", every, repeat=3)


def encoding_rows() -> list[Row]:
    """Texts to vectors on r8, against tf-idf."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    from satchel import BagOfEmbeddedWords
    from satchel.datasets import load
    from satchel.encoders import Recipe

    data = load("r8")
    bag = BagOfEmbeddedWords(recipe=Recipe(min_count=2), random_state=0).fit(data.train.texts)
    tfidf = TfidfVectorizer().fit(data.train.texts)
    return [
        compare(
            "r8 test: encode 2,189 texts",
            lambda: bag.transform(data.test.texts),
            "TfidfVectorizer.transform",
            lambda: tfidf.transform(data.test.texts),
            note="target 1.25",
        )
    ]


def cuda_rows(problem: Problem) -> list[Row]:
    """Ten epochs of 20ng on CUDA against the same code on one CPU thread; none where there is no device."""
    import torch

    if not torch.cuda.is_available():
        return []
    _train(problem, "cuda", 1)  # the first call loads the kernels
    cuda, cpu = _train(problem, "cuda", 10), 10 * _train(problem, "cpu", 1)
    name, peer = torch.cuda.get_device_name(), "one CPU thread, scaled from one epoch"
    return [Row(f"20ng, ten epochs on {name}", cuda, peer, cpu, cuda / cpu, "target 10 s")]


def load_problem() -> Problem:
    """Random words and labels would hide how words repeat, so the texts are the real ones; the codebook is a sample."""
    from satchel.datasets import load
    from satchel.text import Tokenizer, count_words, learn_vocabulary, word_sequences
    from satchel.words import WordVectors, align

    train, tokenizer = load("20ng").train, Tokenizer()
    vocabulary, _ = learn_vocabulary(train.texts, tokenizer, min_count=7)
    words = align(WordVectors.load("glove.6B.100d", vocabulary), vocabulary).vectors
    codebook = np.random.default_rng(0).choice(words, N_CODEWORDS, replace=False)
    ids, starts = word_sequences(train.texts, tokenizer, vocabulary)
    padded = np.full((len(train.texts), LENGTH), -1, dtype=np.int64)
    for row, (first, last) in enumerate(pairwise(starts)):
        kept = ids[first : min(last, first + LENGTH)]
        padded[row, : len(kept)] = kept
    classes = {label: number for number, label in enumerate(dict.fromkeys(train.labels))}
    labels = np.array([classes[label] for label in train.labels])
    centres = np.random.default_rng(1).dirichlet(np.ones(N_CODEWORDS), len(classes)).astype(np.float32)
    counts = count_words(train.texts, tokenizer, vocabulary, max_length=LENGTH)
    return Problem(counts, padded, labels, start_of(words, codebook), centres)


def start_of(words: FloatArray, codebook: FloatArray) -> BagParts:
    """As the paper starts: mask and weights are 1."""
    mask, weights = (np.ones(len(part), dtype=np.float32) for part in (codebook, words))
    return BagParts(words, codebook, SIGMA, mask, weights)


def keep_problem(folder: Path) -> None:
    """Reading it from there takes no more memory than the arrays themselves, unlike making it from texts."""
    problem = load_problem()
    save_npz(folder / "counts.npz", problem.counts, compressed=False)
    arrays = {"padded": problem.padded, "labels": problem.labels, "centres": problem.centres}
    np.savez(folder / "arrays.npz", **arrays, **problem.start._asdict())


def kept(folder: Path) -> Problem:
    with np.load(folder / "arrays.npz") as arrays:
        start = BagParts(**{name: arrays[name] for name in BagParts._fields})._replace(sigma=SIGMA)
        rest = {name: arrays[name] for name in ("padded", "labels", "centres")}
    return Problem(counts=load_npz(folder / "counts.npz"), start=start, **rest)


def tiny_problem() -> Problem:
    """Made up, of three batches: warms torch up and leaves next to no memory behind."""
    random = np.random.default_rng(0)
    padded = random.integers(0, 50, (3 * BATCH, 5))
    counts = csr_array(np.stack([np.bincount(row, minlength=50) for row in padded]), dtype=np.float32)
    start = start_of(*(random.normal(size=(n, DIM)).astype(np.float32) for n in (50, N_CODEWORDS)))
    centres = random.dirichlet(np.ones(N_CODEWORDS), 3).astype(np.float32)
    return Problem(counts, padded, np.arange(3 * BATCH) % 3, start, centres)


def sample(problem: Problem) -> Problem:
    """The documents of `STEPS` batches."""
    rows = np.random.default_rng(2).permutation(len(problem.labels))[: BATCH * STEPS]
    return problem._replace(counts=problem.counts[rows], padded=problem.padded[rows], labels=problem.labels[rows])


def our_steps(problem: Problem) -> float:
    """Seconds of one step."""
    return _train(problem, "cpu", 1) / (len(problem.labels) // BATCH)


def paper_steps(problem: Problem) -> float:
    """Seconds of one step the paper's way: every word of every document has its own vector and memberships."""
    import torch

    from satchel.learning import objectives as o

    torch.set_num_threads(1)
    words, codebook, mask = (
        torch.tensor(getattr(problem.start, part), requires_grad=True) for part in ("words", "codebook", "mask")
    )
    sigma = torch.tensor(SIGMA, requires_grad=True)
    adam = torch.optim.Adam([{"params": [words, codebook, mask], "lr": 0.01}, {"params": [sigma], "lr": 0.001}])
    centres, n_classes = torch.from_numpy(problem.centres), len(problem.centres)

    def step(rows: np.ndarray) -> None:
        ids = torch.from_numpy(problem.padded[rows])
        real = (ids >= 0).float()
        x = words[ids.clamp(min=0)].reshape(-1, DIM)  # (documents × 500, dimensions)
        u = o.memberships(x, codebook, sigma).reshape(*ids.shape, -1)
        z = (u * real[:, :, None]).sum(dim=1) / real.sum(dim=1, keepdim=True).clamp(min=1)
        log_w = o.cluster_memberships(o.cosine_distances(o.represent(z, mask), centres), M)
        pi = torch.nn.functional.one_hot(torch.from_numpy(problem.labels[rows]), n_classes).float()
        adam.zero_grad()
        o.entropy(log_w, pi).backward()
        adam.step()

    batches = np.arange(len(problem.labels)).reshape(-1, BATCH)
    begin = perf_counter()
    for rows in batches:
        step(rows)
    return (perf_counter() - begin) / len(batches)


def _train(problem: Problem, device: str, n_epochs: int, word_updates: str = "touched") -> float:
    from satchel.learning import TrainingData, TrainingPlan, train

    k = len(problem.centres)
    data = TrainingData(problem.counts, np.eye(k, dtype=np.float32)[problem.labels], problem.centres, np.arange(k))
    plan = TrainingPlan(m=M, batch_size=BATCH, n_epochs=n_epochs, device=device, word_updates=word_updates)
    begin = perf_counter()
    train(data, problem.start, plan)
    return perf_counter() - begin


def _measure(folder: Path, work: Callable[[Problem], float]) -> Cost:
    """Seconds of a step, and how far the peak of memory rose above what torch, warm, and the data take."""
    part = sample(kept(folder))
    work(tiny_problem())
    before = resident_now()
    seconds = work(part)
    return Cost(seconds, resident_peak() - before)


def resident_now() -> float:
    """Megabytes in use; what was freed goes back to the system first, and the peak is counted from here (Linux)."""
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def resident_peak() -> float:
    return _status("VmHWM")


def _status(field: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:"))


def _in_own_process(work: Callable[..., T], *arguments: object) -> T:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
