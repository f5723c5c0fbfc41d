"""Text: words, terms and stems, a vocabulary, sparse counts and their weights."""

from satchel.text.analysis import Analysed, analysed, folded, stem, stems_of, without_accents
from satchel.text.counts import (
    UNKNOWN,
    ReadTexts,
    Vocabulary,
    WordSequences,
    check_texts,
    count_words,
    learn_vocabulary,
    word_sequences,
)
from satchel.text.languages import STOP_LISTS, stop_list
from satchel.text.passages import PAGE_BREAK, last_heading, page_breaks, windows
from satchel.text.tokenizer import PRESETS, Tokenizer, title_first
from satchel.text.weighting import (
    WORD_WEIGHTS,
    TermFrequency,
    WordWeight,
    damped,
    mean_weights,
    plain_idf,
    smooth_idf,
    tf_idf,
)

__all__ = [
    "PAGE_BREAK",
    "PRESETS",
    "STOP_LISTS",
    "UNKNOWN",
    "WORD_WEIGHTS",
    "Analysed",
    "ReadTexts",
    "TermFrequency",
    "Tokenizer",
    "Vocabulary",
    "WordSequences",
    "WordWeight",
    "analysed",
    "check_texts",
    "count_words",
    "damped",
    "folded",
    "last_heading",
    "learn_vocabulary",
    "mean_weights",
    "page_breaks",
    "plain_idf",
    "smooth_idf",
    "stem",
    "stems_of",
    "stop_list",
    "tf_idf",
    "title_first",
    "windows",
    "without_accents",
    "word_sequences",
]
