"""Words from documents: those that tell marked documents, or one that others shall be like, from the rest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from satchel.collection.file import CollectionFile
from satchel.collection.lexical import document_counts, query_weights
from satchel.ranking.fusion import Evidence
from satchel.text import Tokenizer

TERMS = Tokenizer(min_length=2, stop_words="sklearn", stem=True)
MOST_CHARACTERS = 100_000
"""What is read of a long text."""
MOST_TEXTS = 50
"""Of many marks of one kind the last ones are read."""
TERMS_OF_TEXT = 100
"""Of each document the most frequent words are looked at."""
N_TERMS = 20
"""Words that marks add to a query."""
EXPANSION_WEIGHT = 0.5
"""Of the best word that marks add, where a word of the query has 1."""
IRRELEVANT_WEIGHT = 0.5
"""Of the irrelevant documents against the relevant ones."""
COMMON, FEW = 0.05, 1000
"""A word of more than this share of the documents, and of more than so many, is not added."""


def term_weights(file: CollectionFile, query: str, evidence: Sequence[Evidence]) -> dict[str, float]:
    """Words with a weight each: those of the query, and those that tell the evidence for it from that against it.

    Rocchio's formula over log(1 + count) · idf, texts of length 1: the best, 20 at most, join the query.
    """
    weights = query_weights(query)
    n_documents = int(file.value("SELECT count(*) FROM documents"))
    spellings: dict[str, str] = {}
    counts: dict[str, int] = {}
    learned: dict[str, float] = {}
    for side, factor in ((1, 1.0), (-1, -IRRELEVANT_WEIGHT)):
        own = [one for one in evidence if one.grade * side > 0][-MOST_TEXTS:]
        total = max(1.0, sum(abs(one.grade) for one in own))
        for text, grade in own:
            for term, share in _shares(file, text[:MOST_CHARACTERS], n_documents, counts, spellings).items():
                learned[term] = learned.get(term, 0.0) + factor * abs(grade) * share / total
    ordered = sorted(learned.items(), key=lambda pair: (-pair[1], pair[0]))
    best = [(term, weight) for term, weight in ordered if weight > 0 and counts[term]]
    chosen = [pair for pair in best if counts[pair[0]] <= max(FEW, COMMON * n_documents)][:N_TERMS]
    for term, weight in chosen:
        word = spellings[term]
        weights[word] = weights.get(word, 0.0) + EXPANSION_WEIGHT * weight / chosen[0][1]
    return weights


def _shares(
    file: CollectionFile, text: str, n_documents: int, counts: dict[str, int], spellings: dict[str, str]
) -> dict[str, float]:
    """log(1 + count) · idf of the words of a text, scaled to length 1; what is looked up is kept."""
    found = Counter(TERMS.tokens(text)).most_common(TERMS_OF_TEXT)
    for term, spelling in TERMS.spellings(text).items():
        spellings.setdefault(term, spelling)
    missing = [term for term, _ in found if term not in counts]
    most = 1 + max(FEW, int(COMMON * n_documents))
    known = document_counts(file, [spellings[term] for term in missing], most)
    counts.update({term: known[spellings[term]] for term in missing})
    weights = {term: math.log1p(n) * math.log(1 + n_documents / max(1, counts[term])) for term, n in found}
    length = math.sqrt(sum(weight**2 for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()} if length else {}
