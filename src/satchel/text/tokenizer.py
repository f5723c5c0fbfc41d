"""One fast tokenizer: text to words, words to terms.

Splitting depends on the text; dropping stop words and stemming depend on the word alone. To count a whole collection,
split every text, but ask for the term of each distinct word only once.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from satchel.errors import InputError, true_or_false, unknown_name, whole_number
from satchel.text.analysis import Analysed, unicode_pattern, word_pattern
from satchel.text.languages import STOP_LISTS, porter_stems, stop_list

StopWords = Literal["none", "sklearn", "smart"]


@dataclass(frozen=True)
class Tokenizer:
    """Splits text into Unicode words, then drops stop words, then stems.

    lowercase: fold case before splitting.
    letters_only: digits, other signs for numbers (², ½, ⅷ) and underscores separate words, as spaces do.
    min_length: shorter words are dropped (before stemming).
    stop_words: the list to drop; compared in lower case, before stemming.
    stem: Porter's algorithm.
    """

    lowercase: bool = True
    letters_only: bool = False
    min_length: int = 1
    stop_words: StopWords = "none"
    stem: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.stop_words, str) or self.stop_words not in STOP_LISTS:
            raise unknown_name("stop list", self.stop_words, STOP_LISTS)
        whole_number("min_length", self.min_length)
        for name in ("lowercase", "letters_only", "stem"):
            true_or_false(name, getattr(self, name))

    @classmethod
    def preset(cls, name: str) -> "Tokenizer":
        """A tokenizer by its name in `PRESETS`."""
        if not isinstance(name, str) or name not in PRESETS:
            raise unknown_name("tokenizer preset", name, PRESETS)
        return PRESETS[name]

    def tokens(self, text: str) -> list[str]:
        """The terms of one text, in order."""
        return [term for term in self.terms(self._words(text)) if term is not None]

    def spellings(self, text: str) -> dict[str, str]:
        """Each term of a text with its first spelling there, to show to people instead of a stem."""
        words = self._words(text)
        pairs = zip(self.terms(words), words, strict=True)
        return {term: word for term, word in reversed(list(pairs)) if term is not None}

    @property
    def splits_as_analysed(self) -> bool:
        """Whether a text without underscores has the words of `Analysed` that are long enough."""
        return self.lowercase and not self.letters_only

    def splitter(self) -> Callable[[str], list[str]]:
        """A function that splits a text into words; it handles case, letters and length, not stop words or stems."""
        find_ascii = word_pattern(self.letters_only, self.min_length).findall
        lowercase, kind = self.lowercase, (self.letters_only, self.min_length)
        as_analysed, shortest = self.splits_as_analysed, self.min_length

        def split(text: str) -> list[str]:
            if as_analysed and isinstance(text, Analysed) and "_" not in text:
                return text.words if shortest == 1 else [word for word in text.words if len(word) >= shortest]
            if lowercase:
                text = text.lower()
            if text.isascii():
                return find_ascii(text)
            return unicode_pattern(*kind).findall(unicodedata.normalize("NFC", text))

        return split

    def terms(self, words: Iterable[str]) -> list[str | None]:
        """The term of each word as `splitter` gave it; None for a stop word."""
        words = list(words)
        stops = stop_list(self.stop_words)
        stems = porter_stems(words) if self.stem else words
        if not stops:
            return list(stems)
        return [None if word.lower() in stops else stem for word, stem in zip(words, stems, strict=True)]

    def _words(self, text: str) -> list[str]:
        if not isinstance(text, str):
            raise InputError(f"the text is of type {type(text).__name__}; expected a string")
        return self.splitter()(text)


PRESETS: dict[str, Tokenizer] = {
    "words": Tokenizer(),
    "sklearn": Tokenizer(min_length=2),
    "mw": Tokenizer(lowercase=True, stop_words="smart", stem=True),
}
"""Tokenizers by name.

words: every Unicode word, lower case.
sklearn: words of two characters or more. For ASCII texts these are the words of scikit-learn's CountVectorizer; in
other texts letters and accents are composed first (NFC), and combining marks do not end a word, as they do there.
mw: [MW] section 3.3, steps 1-4 and 6. White space never reaches a word (1, 3), lower case (2), SMART's stop words (4),
Porter's stemmer (6); step 5, the title in front, is `title_first`.
"""


def title_first(title: str, text: str) -> str:
    """The title on its own line, then the text; [MW] section 3.3, step 5.

    A text that already begins with the title, as whole words, stays as it is: "Car" does not begin "Cartoon heroes".
    """
    title, start = title.strip(), text.lstrip()
    after = start[len(title) : len(title) + 1]
    if not title or (start.startswith(title) and not re.fullmatch(r"\w\w", title[-1] + after)):
        return text
    return f"{title}\n{text}" if text else title
