"""Fitting and encoding Fisher vectors of LSI words on 20ng, against scikit-learn's LSI on the same texts."""

import sys

from threadpoolctl import threadpool_limits

from benchmarks.bench_evaluation import peak_megabytes
from benchmarks.timing import Row, compare

DIM, N_COMPONENTS = 50, 16


def run() -> list[Row]:
    from satchel.datasets import load, place_of

    if place_of("20ng") == "source":
        print("fisher is left out because 20ng is not here: satchel data get 20ng", file=sys.stderr)
        return []
    with threadpool_limits(1):
        return [row(load("20ng").train.texts)]


def row(texts: list[str]) -> Row:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    from satchel import FisherVectors

    def ours() -> object:
        return FisherVectors(n_components=N_COMPONENTS, dim=DIM).fit_transform(texts)

    def theirs() -> object:
        return TruncatedSVD(DIM, random_state=0).fit_transform(
            TfidfVectorizer(stop_words="english").fit_transform(texts)
        )

    return compare(
        f"20ng train: fit and encode Fisher vectors, LSI words of {DIM}, {N_COMPONENTS} components",
        ours,
        f"TfidfVectorizer + TruncatedSVD({DIM})",
        theirs,
        repeat=3,
        note=f"target 3, one thread each; {N_COMPONENTS * DIM} numbers a document; peak {peak_megabytes(ours):.0f} MB",
    )


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
