"""Texts to counts, against scikit-learn's CountVectorizer with the same rules."""

from benchmarks.timing import Row, compare
from satchel.text import Tokenizer, count_words, learn_vocabulary


def texts_of_20ng_or_sample() -> tuple[str, list[str]]:
    """20ng's training texts where they are to be had, else the sample collection."""
    from satchel.datasets import load, place_of

    if place_of("20ng") != "source":
        return "20ng train", list(load("20ng").train.texts)
    return "sample", list(load("sample").texts)


def run() -> list[Row]:
    from sklearn.feature_extraction.text import CountVectorizer

    name, texts = texts_of_20ng_or_sample()
    tokenizer = Tokenizer(min_length=2)
    vocabulary, _ = learn_vocabulary(texts, tokenizer)
    fitted = CountVectorizer().fit(texts)
    return [
        compare(
            f"{name}: learn a vocabulary and count",
            lambda: learn_vocabulary(texts, tokenizer),
            "CountVectorizer.fit_transform",
            lambda: CountVectorizer().fit_transform(texts),
        ),
        compare(
            f"{name}: count known words",
            lambda: count_words(texts, tokenizer, vocabulary),
            "CountVectorizer.transform",
            lambda: fitted.transform(texts),
        ),
    ]
