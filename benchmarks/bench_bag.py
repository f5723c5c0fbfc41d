"""Learning a bag of embedded words from the texts of 20ng, against scikit-learn on the same texts, one thread each.

With labels the peer is what one would train first: tf-idf and a logistic regression. Without labels it is the usual way
to 64 numbers: tf-idf and a truncated SVD.
"""

import sys

from threadpoolctl import threadpool_limits

from benchmarks.timing import Row, compare
from satchel.datasets import LabelledTexts

N_FEATURES = 64  # of BagOfEmbeddedWords
TARGET = "target 2, one thread each"


def run() -> list[Row]:
    from satchel.datasets import load, place_of

    if place_of("20ng") == "source":
        print("bag is left out because 20ng is not here: satchel data get 20ng", file=sys.stderr)
        return []
    train = load("20ng").train
    with threadpool_limits(1):
        return [row_with_labels(train), row_without_labels(train)]


def row_with_labels(train: LabelledTexts) -> Row:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    from satchel import BagOfEmbeddedWords

    return compare(
        "20ng train: learn a bag with labels",
        lambda: BagOfEmbeddedWords().fit(train.texts, train.labels),
        "TfidfVectorizer + LogisticRegression(max_iter=1000)",
        lambda: LogisticRegression(max_iter=1000).fit(TfidfVectorizer().fit_transform(train.texts), train.labels),
        repeat=3,
        note=TARGET,
    )


def row_without_labels(train: LabelledTexts) -> Row:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    from satchel import BagOfEmbeddedWords

    return compare(
        "20ng train: learn a bag without labels",
        lambda: BagOfEmbeddedWords().fit(train.texts),
        f"TfidfVectorizer + TruncatedSVD({N_FEATURES})",
        lambda: TruncatedSVD(N_FEATURES, random_state=0).fit(TfidfVectorizer().fit_transform(train.texts)),
        repeat=3,
        note=TARGET,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
