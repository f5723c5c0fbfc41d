"""What the learners of word vectors share: texts to counts, and the complaints about too few words."""

from __future__ import annotations

from collections.abc import Iterable

from satchel.errors import InputError
from satchel.text import Tokenizer, Vocabulary, check_texts, learn_vocabulary
from satchel.types import SparseArray


def count_for_learning(
    texts: Iterable[str], tokenizer: Tokenizer | None, min_count: int, max_size: int | None, dim: int
) -> tuple[Vocabulary, SparseArray]:
    """The vocabulary, at least `dim` words or an error says what is missing, and the counts (n_documents, n_words)."""
    checked = check_texts(texts)
    if dim < 1:
        raise InputError(f"dim is {dim}; expected at least 1")
    if not checked:
        raise InputError("there are no texts to learn word vectors from; give at least one")
    vocabulary, counts = learn_vocabulary(checked, tokenizer or Tokenizer(), min_count=min_count, max_size=max_size)
    if not len(vocabulary):
        found = f"no word occurs {min_count} times in the {len(checked)} texts"
        raise InputError(f"{found}; give more texts or a lower min_count")
    if len(vocabulary) < dim:
        raise InputError(f"the texts hold {len(vocabulary)} words that can be learned, fewer than dim={dim}; lower dim")
    return vocabulary, counts
