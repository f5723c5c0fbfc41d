"""Readers of word vectors, one for each form and one that detects it.

All may be gzip (told by the first bytes). With a `vocabulary`, only its words are kept, in the file's order, and the
memory is theirs. Damage is a `DamagedFileError` that names the path and the line or record.
"""

from __future__ import annotations

from pathlib import Path

from satchel.words.forms import FORMS, parse_any
from satchel.words.table import VocabularyLike
from satchel.words.vectors import WordVectors


def read_words(path: str | Path, vocabulary: VocabularyLike | None = None) -> WordVectors:
    """Any of the forms below, detected from the file's beginning."""
    return WordVectors.from_table(parse_any(Path(path), vocabulary))


def read_glove(path: str | Path, vocabulary: VocabularyLike | None = None) -> WordVectors:
    """GloVe's text: a word and its values a line, no header; the first line sets the number of dimensions."""
    return WordVectors.from_table(FORMS["glove"](Path(path), vocabulary))


def read_word2vec_text(path: str | Path, vocabulary: VocabularyLike | None = None) -> WordVectors:
    """word2vec's text: a header `n dim`, then a word and its values a line."""
    return WordVectors.from_table(FORMS["word2vec-text"](Path(path), vocabulary))


def read_fasttext(path: str | Path, vocabulary: VocabularyLike | None = None) -> WordVectors:
    """fastText's .vec, which is word2vec's text form (whole words; subword vectors are only in .bin files)."""
    return read_word2vec_text(path, vocabulary)


def read_word2vec_binary(path: str | Path, vocabulary: VocabularyLike | None = None) -> WordVectors:
    """word2vec's binary: a header `n dim`, then word, space and float32 values, record by record."""
    return WordVectors.from_table(FORMS["word2vec-binary"](Path(path), vocabulary))


def read_folder(path: str | Path, vocabulary: VocabularyLike | None = None) -> WordVectors:
    """Our own form, what `WordVectors.save` writes; mapped into memory, so that a restricted read is small."""
    return WordVectors.from_table(FORMS["folder"](Path(path), vocabulary))
