"""Boolean search: an expression says which documents are found, a lexical ranker in which order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError, NotFittedError, whole_number
from satchel.estimator import Estimator
from satchel.ranking.boolean_expression import Operand, postfix
from satchel.ranking.lexical import LexicalRetriever
from satchel.ranking.selection import best_found, nothing_found
from satchel.text import check_texts, word_sequences
from satchel.types import FloatArray, IntArray, Ranking

Truth = NDArray[np.bool_]


class Part(NamedTuple):
    """A part of an expression, evaluated.

    truth (n_documents,): which documents satisfy it; None where it says nothing, because its words are stop words.
    wanted, unwanted: the words that speak for a document, and those that do so under a NOT.
    """

    truth: Truth | None
    wanted: tuple[int, ...] = ()
    unwanted: tuple[int, ...] = ()


class BooleanRetriever(Estimator):
    """Finds the documents that satisfy an expression such as `(cat OR dog) AND NOT "stock market"`.

    ranker: a lexical ranker; `fit` clones it into `ranker_`. It orders what is found by its score for the words that
    are not under a NOT, without its expansion; documents that hold none of them come last.

    Words and phrases are analysed as texts are. A stop word says nothing, and a phrase is looked for among the words
    that are not stop words. An unknown word stands in no document, so NOT makes it true for all.
    """

    def __init__(self, ranker: LexicalRetriever) -> None:
        self.ranker = ranker

    def fit(self, texts: Sequence[str], labels: Sequence[object] | None = None) -> Self:
        """Fits the ranker, and keeps the order of the words in each text, four bytes a word."""
        from sklearn.base import clone

        if not isinstance(self.ranker, LexicalRetriever):
            raise InputError(f"the ranker is {self.ranker!r}; expected a lexical ranker such as Bm25()")
        checked = check_texts(texts)
        ranker = clone(self.ranker).fit(checked, labels)
        self.sequences_ = word_sequences(checked, ranker.tokenizer, ranker.vocabulary_)
        self.ranker_: LexicalRetriever = ranker
        return self

    def search(self, queries: Sequence[str], k: int) -> Ranking:
        """The best k of the documents that satisfy each expression, best first; an empty one finds nothing."""
        if not hasattr(self, "ranker_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit first")
        k, asked = whole_number("k", k), check_texts(queries)
        ids, scores = nothing_found(len(asked), k)
        for row, expression in enumerate(asked):
            found, values = self._scored(self._evaluated(expression))
            best, best_scores = best_found(found, values, k)
            ids[row, : len(best)], scores[row, : len(best)] = best, best_scores
        return Ranking(ids, scores)

    def _evaluated(self, expression: str) -> Part:
        stack: list[Part] = []
        for step in postfix(expression):
            if isinstance(step, Operand):
                stack.append(self._looked_up(step.text))
            elif step == "NOT":
                stack.append(negated(stack.pop()))
            else:
                right, left = stack.pop(), stack.pop()
                stack.append(joined(left, right, step))
        return stack.pop() if stack else Part(None)

    def _looked_up(self, text: str) -> Part:
        """The documents that hold the words of a text one after the other."""
        terms = self.ranker_.tokenizer.tokens(text)
        if not terms:
            return Part(None)
        words = self.ranker_.vocabulary_.ids(terms)
        truth = np.zeros(self.ranker_.postings_.n_documents, np.bool_)
        if (words < 0).any():
            return Part(truth)
        truth[self.ranker_.postings_.holding(int(words[0])) if len(words) == 1 else self._with_phrase(words)] = True
        return Part(truth, tuple(words.tolist()))

    def _with_phrase(self, words: IntArray) -> IntArray:
        """The documents in which the words stand one after the other."""
        ids, starts = self.sequences_
        n_places = max(0, len(ids) - len(words) + 1)
        here = np.ones(n_places, np.bool_)
        for offset, word in enumerate(words.tolist()):
            here &= ids[offset : offset + n_places] == word
        first = np.flatnonzero(here)
        documents: IntArray = np.searchsorted(starts, first, side="right") - 1
        return documents[first + len(words) <= starts[documents + 1]]

    def _scored(self, part: Part) -> tuple[IntArray, FloatArray]:
        """The documents of a part with their scores; those without a wanted word get the lowest score, 0 at most."""
        from scipy.sparse import csr_array

        if part.truth is None:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        n_words = self.ranker_.postings_.n_words
        query = csr_array((np.ones(len(part.wanted)), part.wanted, [0, len(part.wanted)]), shape=(1, n_words))
        query.sum_duplicates()
        documents, values = next(self.ranker_.postings_.found(query))
        scores = np.full(len(part.truth), min(0.0, values.min(initial=0.0)), np.float32)
        scores[documents] = values
        satisfied = np.flatnonzero(part.truth)
        return satisfied, scores[satisfied]


def negated(part: Part) -> Part:
    """NOT."""
    return Part(None if part.truth is None else ~part.truth, part.unwanted, part.wanted)


def joined(left: Part, right: Part, operator: str) -> Part:
    """AND or OR; a side that says nothing leaves the other as it is."""
    wanted, unwanted = left.wanted + right.wanted, left.unwanted + right.unwanted
    if left.truth is None or right.truth is None:
        return Part(right.truth if left.truth is None else left.truth, wanted, unwanted)
    return Part(left.truth & right.truth if operator == "AND" else left.truth | right.truth, wanted, unwanted)
