"""Documents as paragraph vectors: gensim's Doc2Vec under the contract of encoders."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.encoders.base import EVERY_WORD, Encoder, expect_shape
from satchel.errors import InputError, missing_extra, seed, whole_number
from satchel.storage import Json
from satchel.text import Tokenizer, Vocabulary, learn_vocabulary, word_sequences
from satchel.types import FloatArray, IntArray
from satchel.words import WordVectors

DEFAULT_DIM = 100
LARGEST = 1e6  # in word vectors: far above what is ever learned, far below what overflows in gensim's products

Doc2Vec: TypeAlias = Any  # gensim has no types


class ParagraphVector(Encoder):
    """PV-DBOW by gensim, with skip-gram training of words beside it: "Paragraph Vector" of [PT18] section 4.4.

    words: the vectors that words start from, as in the paper; a word without one starts at gensim's small random
    numbers, and so do all words if it is None. dim: None takes that of `words`, else 100.
    window: words on either side that the skip-gram predicts, 8 as in the paper.
    n_epochs, n_inference_epochs: passes over the texts in `fit`, and over one text in `transform`. Both 5, gensim's
    numbers when the paper was written. Tried on R8's train split, a quarter of it held out, GloVe of 100 numbers, mAP
    by cosine: fit 2, 3, 5, 10, 20 passes 73.3, 72.9, 72.2, 70.9, 70.1; inference 3, 5, 10, 20 passes 72.2, 72.2,
    70.0, 66.9. Fewer are not always better: on 20ng, 2 and 5 passes of `fit` give 32.1 and 34.6.
    min_count: rarer words are left out (1 instead of 5: 71.5 against 71.2). All other settings are gensim's.

    Every text, also one that was fitted, is inferred by itself: alone and in a batch it gets the same vector. gensim
    reads the first 10,000 words of a text. `words_` are the trained word vectors.
    """

    def __init__(
        self,
        words: WordVectors | None = None,
        dim: int | None = None,
        window: int = 8,
        n_epochs: int = 5,
        n_inference_epochs: int = 5,
        min_count: int = 5,
        tokenizer: Tokenizer = EVERY_WORD,
        random_state: int = 0,
    ) -> None:
        self.words = words
        self.dim = dim
        self.window = window
        self.n_epochs = n_epochs
        self.n_inference_epochs = n_inference_epochs
        self.min_count = min_count
        self.tokenizer = tokenizer
        self.random_state = random_state

    def _learn(self, texts: list[str], labels: Sequence[object] | None) -> None:
        self._check_parameters()
        vocabulary, counts = learn_vocabulary(texts, self.tokenizer, min_count=self.min_count)
        self._check_words(vocabulary, len(texts))
        totals: IntArray = np.bincount(counts.indices, counts.data, len(vocabulary)).astype(np.int64)
        documents = [words for words in _split(texts, self.tokenizer, vocabulary) if words]
        model = self._start(vocabulary, totals, len(documents))
        _train(model, documents, self.n_epochs)
        self._set_learned(WordVectors(vocabulary.words, model.wv.vectors), totals, model.syn1neg)

    def _start(self, vocabulary: Vocabulary, counts: IntArray, n_documents: int) -> Doc2Vec:
        """gensim's model with every vector at its start: those of `words` if there are any."""
        dim = self.words.dim if self.words is not None else self.dim or DEFAULT_DIM
        model = _untrained(vocabulary, counts, n_documents, dim, self.window, int(self.random_state))
        if self.words is not None:
            rows = self.words.rows(vocabulary.words)
            model.wv.vectors[rows >= 0] = self.words.vectors[rows[rows >= 0]]
        return model

    def _set_learned(self, words: WordVectors, counts: IntArray, output_weights: FloatArray) -> None:
        """Keeps what inference needs and builds its model from that alone: `fit` and `load` end in the same model."""
        vocabulary = Vocabulary(words.words)
        model = _untrained(vocabulary, counts, 0, words.dim, self.window, int(self.random_state))
        model.wv.vectors, model.syn1neg = words.vectors, output_weights
        self.vocabulary_, self.words_, self.counts_, self.output_weights_ = vocabulary, words, counts, output_weights
        self._model = model

    def _encode(self, texts: list[str]) -> FloatArray:
        _doc2vec()
        vectors: FloatArray = np.zeros((len(texts), self.words_.dim), np.float32)
        model = copy.copy(self._model)  # inference sets its generator: threads must not share it
        for row, words in enumerate(_split(texts, self.tokenizer, self.vocabulary_)):
            if words:
                vectors[row] = _inferred(model, words, self.n_inference_epochs, int(self.random_state))
        return vectors

    def _learned(self) -> tuple[dict[str, NDArray[Any]], Sequence[str]]:
        arrays: dict[str, NDArray[Any]] = {
            "words": self.words_.vectors,
            "counts": self.counts_,
            "output_weights": self.output_weights_,
        }
        if self.words is not None:
            rows = self.words.rows(self.vocabulary_.words)
            arrays |= {"has_start": rows >= 0, "start": self.words.vectors[rows[rows >= 0]]}
        return arrays, self.vocabulary_.words

    def _restore(self, arrays: Mapping[str, NDArray[Any]], words: tuple[str, ...]) -> None:
        """Only the vocabulary's part of the word vectors that `fit` started from was kept."""
        vectors = expect_shape(arrays, "words", (len(words), None)).astype(np.float32)
        output_weights = expect_shape(arrays, "output_weights", vectors.shape).astype(np.float32)
        counts = _whole_numbers(arrays["counts"], len(words))
        if self.words is not None:
            known = [word for word, has_start in zip(words, arrays["has_start"].tolist(), strict=True) if has_start]
            self.words = WordVectors(tuple(known), arrays["start"])
        self._check_parameters()
        self._set_learned(WordVectors(words, vectors), counts, output_weights)

    def _parameters(self) -> dict[str, Json]:
        stored = {"words": None if self.words is None else "stored", "tokenizer": asdict(self.tokenizer)}
        return super()._parameters() | stored

    @classmethod
    def _parameters_from(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        return super()._parameters_from(parameters) | {"tokenizer": Tokenizer(**parameters["tokenizer"])}

    def _check_parameters(self) -> None:
        if not isinstance(self.tokenizer, Tokenizer):
            raise InputError(f"tokenizer must be a Tokenizer, not {type(self.tokenizer).__name__}")
        if self.dim is not None:
            whole_number("dim", self.dim)
        for name in ("window", "n_epochs", "n_inference_epochs", "min_count"):
            whole_number(name, getattr(self, name))
        seed(self.random_state)

    def _check_words(self, vocabulary: Vocabulary, n_texts: int) -> None:
        """Raises InputError if there is no word to learn, or if none of the words has a vector to start from."""
        if not len(vocabulary):
            found = f"ParagraphVector found no word to learn in the {n_texts} texts"
            raise InputError(f"{found} (min_count={self.min_count}, {self.tokenizer}); give more texts or ask for less")
        if self.words is None:
            return
        if not isinstance(self.words, WordVectors):
            raise InputError(f"words must be WordVectors or None, not {type(self.words).__name__}")
        if self.dim not in (None, self.words.dim):
            raise InputError(f"dim is {self.dim}, but the word vectors have {self.words.dim} numbers; leave dim out")
        rows = self.words.rows(vocabulary.words)
        if not (rows >= 0).any():
            raise InputError(f"none of the {len(self.words)} word vectors is of a word in the {n_texts} texts")
        if np.abs(self.words.vectors[rows[rows >= 0]]).max(initial=0) > LARGEST:
            raise InputError(f"a word vector holds a number beyond ±{LARGEST:g}; scale the vectors down")


def _split(texts: list[str], tokenizer: Tokenizer, vocabulary: Vocabulary) -> Iterator[list[str]]:
    """The known words of each text, in order."""
    sequences = word_sequences(texts, tokenizer, vocabulary)
    for start, stop in pairwise(sequences.starts.tolist()):
        yield [vocabulary.words[id_] for id_ in sequences.ids[start:stop].tolist()]


def _untrained(vocabulary: Vocabulary, counts: IntArray, n_documents: int, dim: int, window: int, seed: int) -> Doc2Vec:
    """PV-DBOW with its tables for negative sampling and for leaving out frequent words, in the vocabulary's order.

    One worker: with more, threads race to update the same vectors and no seed gives the same bytes twice.
    """
    model = _doc2vec().Doc2Vec(
        vector_size=dim, dm=0, dbow_words=1, window=window, min_count=1, sorted_vocab=0, seed=seed, workers=1
    )
    model.dv.index_to_key = list(range(n_documents))
    counts_of = dict(zip(vocabulary.words, counts.tolist(), strict=True))
    model.build_vocab_from_freq(counts_of, corpus_count=n_documents)
    return model


def _train(model: Doc2Vec, documents: list[list[str]], n_epochs: int) -> None:
    tagged = _doc2vec().TaggedDocument
    corpus = [tagged(words, [number]) for number, words in enumerate(documents)]
    model.train(corpus, total_examples=len(documents), epochs=n_epochs)


def _inferred(model: Doc2Vec, words: list[str], n_epochs: int, seed: int) -> FloatArray:
    """The vector that predicts a text's words while all weights stay, (dim,).

    Differs: every text starts from the same small vector and the same generator, so that only its words make its
    vector. gensim's `infer_vector` starts from Python's `hash` of the words, another one in every process, and draws
    from one generator for all texts. A start of each text's own lowers R8's mAP from 72.2 to 71.2 (on held-out train).
    """
    model.random = np.random.RandomState(seed)
    start = (model.random.random_sample((1, model.vector_size)) - 0.5) / model.vector_size
    vector: FloatArray = start.astype(np.float32)  # (1, dim)
    work, lock = np.zeros(model.vector_size, np.float32), np.ones(1, np.float32)
    pass_over = _doc2vec().train_document_dbow
    for alpha in np.linspace(model.alpha, model.min_alpha, n_epochs).tolist():
        pass_over(
            model, words, [0], alpha, work,
            learn_words=False, learn_hidden=False, doctag_vectors=vector, doctags_lockf=lock,
        )  # fmt: skip
    return vector.ravel()


def _whole_numbers(array: NDArray[Any], n: int) -> IntArray:
    if array.shape != (n,) or array.dtype.kind != "i" or (array < 1).any():
        raise ValueError(f"the array 'counts' of shape {array.shape} does not hold how often each of {n} words occurs")
    return array.astype(np.int64)


def _doc2vec() -> ModuleType:
    """gensim's module, or an error that says how to install it."""
    try:
        return importlib.import_module("gensim.models.doc2vec")
    except ImportError:
        raise missing_extra("ParagraphVector", "gensim") from None
