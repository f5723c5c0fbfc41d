"""Text to tokens to a vocabulary to sparse counts or word-id sequences."""

from satchel.text.analysis import Analysed, analysed, stem, stems_of
from satchel.text.counting import WordSequences, check_texts, count_words, learn_vocabulary, word_sequences
from satchel.text.stopwords import STOP_LISTS, stop_list
from satchel.text.tokenizer import PRESETS, Tokenizer, title_first
from satchel.text.vocabulary import UNKNOWN, Vocabulary

__all__ = [
    "PRESETS",
    "STOP_LISTS",
    "UNKNOWN",
    "Analysed",
    "Tokenizer",
    "Vocabulary",
    "WordSequences",
    "analysed",
    "check_texts",
    "count_words",
    "learn_vocabulary",
    "stem",
    "stems_of",
    "stop_list",
    "title_first",
    "word_sequences",
]
