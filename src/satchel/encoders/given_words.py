"""The word vectors that an encoder was given: as they are, or by a learner that learns them from the fitted texts."""

from __future__ import annotations

from satchel.errors import InputError
from satchel.text import Tokenizer
from satchel.words import WordVectors
from satchel.words.learner import WordLearner


def given_words(words: object, texts: list[str], tokenizer: Tokenizer) -> WordVectors | None:
    """The vectors to encode by; None where none were given.

    A learner such as `YuleWords(50)` learns from the texts and stays as it is; where it has no tokenizer of its own it
    takes the encoder's, so that both know the same words.
    """
    if isinstance(words, WordLearner):
        parameters = words.get_params(deep=False)
        return type(words)(**parameters | {"tokenizer": words.tokenizer or tokenizer}).learn(texts)
    if words is not None and not isinstance(words, WordVectors):
        given = type(words).__name__
        raise InputError(f"words must be WordVectors, a learner such as LsiWords() or None, not {given}")
    return words
