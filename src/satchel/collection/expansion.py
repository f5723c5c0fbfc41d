"""Words from documents: those that tell marked documents, or one that others shall be like, from the rest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from satchel.collection.file import CollectionFile
from satchel.collection.lexical import STEMS, document_counts, query_weights
from satchel.ranking.fusion import Evidence, query_trust
from satchel.text import Tokenizer

TERMS = Tokenizer(min_length=2, stop_words="sklearn", stem=True)
MOST_CHARACTERS = 100_000
"""What is read of a long text."""
MOST_TEXTS = 50
"""Of many marks of one kind the last ones are read."""
TERMS_OF_TEXT = 100
"""Of each document the most frequent words are looked at."""
N_TERMS = 50
"""Words that marks add to a query; 20 a little less, 100 the same."""
RELEVANT_WEIGHT, IRRELEVANT_WEIGHT = 4.0, 2.0
"""Of the mean relevant and the mean irrelevant document, where the query has 1; half of both less, twice the same."""
COMMON, FEW = 0.05, 1000
"""A word of more than this share of the documents, and of more than so many, is not added."""


def term_weights(
    file: CollectionFile, query: str, evidence: Sequence[Evidence], counts: dict[str, int] | None = None
) -> dict[str, float]:
    """Words with a weight each: those of the query, and those that tell the evidence for it from that against it.

    Rocchio's formula, query + 4 · mean of the relevant - 2 · mean of the irrelevant documents, the query as it is
    counted and documents as log(1 + count) · idf, all of length 1. A query that tells the marks apart counts up to
    twice (`query_trust`). The best words, 50 at most, join those of the query; words of the query that then weigh
    nothing are left out, unless none is left. The weights were chosen on the queries that docs/ranking.md names.
    counts: in how many documents stems stand, as far as is known; what is looked up joins.
    """
    asked = query_weights(query)
    length = math.sqrt(sum(count**2 for count in asked.values()))
    weight = 1 + query_trust(" ".join(asked), evidence)
    weights = {word: weight * count / length for word, count in asked.items()}
    looked = _LookedUp(file, {} if counts is None else counts)
    learned = _learned(looked, evidence)
    for word in weights:
        weights[word] += sum(learned.pop(stem, 0.0) for stem in STEMS.tokens(word))
    kept = {word: weight for word, weight in weights.items() if weight > 0}
    ordered = sorted(learned.items(), key=lambda pair: (-pair[1], pair[0]))
    telling = [(term, weight) for term, weight in ordered if weight > 0 and 0 < looked.counts[term] <= looked.most]
    joined = {looked.spellings[term]: weight for term, weight in telling[:N_TERMS]}
    return {**joined, **kept} or dict.fromkeys(asked, 1.0)


class _LookedUp:
    """What was looked up of words: how each stem is spelled, and in how many documents it stands."""

    def __init__(self, file: CollectionFile, counts: dict[str, int]) -> None:
        self.file, self.counts = file, counts
        self.n_documents = int(file.value("SELECT count(*) FROM documents"))
        self.most = max(FEW, int(COMMON * self.n_documents))
        self.spellings: dict[str, str] = {}

    def shares(self, text: str) -> dict[str, float]:
        """log(1 + count) · idf of the words of a text, scaled to length 1."""
        found = Counter(TERMS.tokens(text)).most_common(TERMS_OF_TEXT)
        for term, spelling in TERMS.spellings(text).items():
            self.spellings.setdefault(term, spelling)
        missing = [term for term, _ in found if term not in self.counts]
        known = document_counts(self.file, [self.spellings[term] for term in missing], 1 + self.most)
        self.counts.update({term: known[self.spellings[term]] for term in missing})
        weights = {
            term: math.log1p(n) * math.log(1 + self.n_documents / max(1, self.counts[term])) for term, n in found
        }
        length = math.sqrt(sum(weight**2 for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()} if length else {}


def _learned(looked: _LookedUp, evidence: Sequence[Evidence]) -> dict[str, float]:
    """What the evidence adds to each stem."""
    learned: dict[str, float] = {}
    for side, factor in ((1, RELEVANT_WEIGHT), (-1, -IRRELEVANT_WEIGHT)):
        own = [one for one in evidence if one.grade * side > 0][-MOST_TEXTS:]
        total = max(1.0, sum(abs(one.grade) for one in own))
        for text, grade in own:
            for term, share in looked.shares(text[:MOST_CHARACTERS]).items():
                learned[term] = learned.get(term, 0.0) + factor * abs(grade) * share / total
    return learned
