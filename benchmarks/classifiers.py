"""How well trained vectors find their class, beside a classifier whose class probabilities are used as vectors.

`python -m benchmarks.classifiers` judges both on the labelled sets and writes `benchmarks/classifiers.md`. A classifier
knows its classes and nothing else: no themes, no other classes, no words for what a number means.
"""

from pathlib import Path
from statistics import fmean

import numpy as np

from satchel.datasets import LabelledSet, load
from satchel.evaluation import evaluate_retrieval
from satchel.types import FloatArray

DATASETS = ("20ng", "r8", "r52", "webkb")
SEEDS = (0, 1, 2)
MEASURES = ("mAP (11-point)", "P@20")
TABLE = Path(__file__).with_suffix(".md")
Vectors = tuple[FloatArray, FloatArray]


def main() -> None:
    """All sets, one line of the table each; the table is written whole."""
    lines = [
        "| data set | BagOfEmbeddedWords() | LogisticRegression(C=10) | the same, empty texts as zero vectors |",
        "| --- | --- | --- | --- |",
        *(_line(name) for name in DATASETS),
        "",
        "Each cell: mAP (11-point) / P@20, in percent; the bag is the mean of three seeds.",
    ]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def _line(name: str) -> str:
    data = load(name)
    assert isinstance(data, LabelledSet)
    bags = [_judged(data, _bag(data, seed)) for seed in SEEDS]
    peer = _probabilities(data)
    cells = [[fmean(values) for values in zip(*bags, strict=True)], _judged(data, peer)]
    cells.append(_judged(data, _without_empty(data, peer)))
    return f"| {name} | {' | '.join(' / '.join(f'{value:.2f}' for value in cell) for cell in cells)} |"


def _bag(data: LabelledSet, seed: int) -> Vectors:
    from satchel import BagOfEmbeddedWords

    encoder = BagOfEmbeddedWords(random_state=seed).fit(data.train.texts, data.train.labels)
    return encoder.transform(data.train.texts), encoder.transform(data.test.texts)


def _probabilities(data: LabelledSet) -> Vectors:
    """Of a logistic regression on tf-idf. C = 10: with scikit-learn's default of 1 all four sets are lower."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    words = TfidfVectorizer()
    model = LogisticRegression(C=10, max_iter=1000).fit(words.fit_transform(data.train.texts), data.train.labels)
    train, test = (model.predict_proba(words.transform(split.texts)) for split in (data.train, data.test))
    return train.astype(np.float32), test.astype(np.float32)


def _without_empty(data: LabelledSet, vectors: Vectors) -> Vectors:
    """The classifier gives an empty text the share of each class; here it gets the zero vector, as from an encoder."""
    splits = zip((data.train, data.test), vectors, strict=True)
    train, test = (
        rows * np.array([[bool(text.strip())] for text in split.texts], np.float32) for split, rows in splits
    )
    return train, test


def _judged(data: LabelledSet, vectors: Vectors) -> list[float]:
    found = evaluate_retrieval(vectors[0], data.train.labels, vectors[1], data.test.labels).measures
    return [100 * found[name] for name in MEASURES]


if __name__ == "__main__":
    main()
