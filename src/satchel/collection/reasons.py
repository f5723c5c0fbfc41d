"""Why a document is near a query: its cosine taken apart, by words and by codewords."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from satchel.collection.space import Space
from satchel.documents import CodewordContribution, ComputedRows, LinearEncoder, WordContribution
from satchel.feedback import Refined
from satchel.ranking.probes import DoubleArray, masked_direction, quotient, row_norms
from satchel.types import FloatArray

N_WORDS, N_THEMES = 5, 3
LONGEST_TEXT = 100_000
"""Characters; the words of a longer text are not weighed one by one."""


def theme_shares(refined: Refined, vectors: FloatArray) -> DoubleArray:
    """What each feature adds to cos(r∘q, r∘z) for the mask r, (n_vectors, n_features); rows sum to it."""
    r, z = refined.mask.astype(np.float64), vectors.astype(np.float64)
    a = masked_direction(refined.query.astype(np.float64)[None, :], r[None, :])[0]
    return quotient(a * z, row_norms(r * z)[:, None])


def themes_of(space: Space, refined: Refined, vectors: FloatArray) -> list[tuple[CodewordContribution, ...]]:
    """The codewords that add most to each cosine, with words that speak for them; none where there are no codewords."""
    return [_best_themes(space, shares) for shares in theme_shares(refined, vectors)]


def _best_themes(space: Space, shares: DoubleArray) -> tuple[CodewordContribution, ...]:
    order = np.argsort(-shares, kind="stable")[:N_THEMES].tolist()
    found = (CodewordContribution(one, float(shares[one]), tuple(space.describe(one))) for one in order)
    return tuple(theme for theme in found if theme.contribution > 0 and theme.words)


def words_of(space: Space, refined: Refined, texts: Sequence[str]) -> list[tuple[WordContribution, ...]]:
    """The words of each text that add most to its cosine; all of them would sum to it."""
    encoder = space.encoder
    rows = encoder._word_rows() if isinstance(encoder, LinearEncoder) else None
    if not isinstance(encoder, LinearEncoder) or rows is None:
        return [()] * len(texts)
    weights = encoder._weigh([text if len(text) <= LONGEST_TEXT else "" for text in texts])
    r = refined.mask.astype(np.float64)
    a = masked_direction(refined.query.astype(np.float64)[None, :], r[None, :])[0]
    return [
        _best_words(encoder, rows, weights.indices[start:stop], weights.data[start:stop], a, r)
        for start, stop in pairwise(weights.indptr.tolist())
    ]


def _best_words(
    encoder: LinearEncoder,
    rows: FloatArray | ComputedRows,
    ids: NDArray[np.integer],
    weights: FloatArray,
    a: DoubleArray,
    r: DoubleArray,
) -> tuple[WordContribution, ...]:
    """Of one text: ids of its words, and what each weighs; a: the direction that is asked for, under the mask r."""
    own = rows[ids].astype(np.float64)  # (n_words, n_features)
    sums = weights @ own
    z = encoder._finish(sums)
    gains = np.divide(z, sums, out=np.zeros_like(sums), where=sums != 0)
    length = float(np.sqrt(((r * z) ** 2).sum()))
    shares = weights * (own @ (gains * a)) / (length or 1.0)
    order = np.argsort(-shares, kind="stable")[:N_WORDS].tolist()
    found = (WordContribution(encoder.vocabulary_.words[ids[one]], float(shares[one])) for one in order)
    return tuple(word for word in found if word.contribution > 0)
