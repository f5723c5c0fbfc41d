"""What feedback gives back: a query and a mask, that rank documents anew without encoding any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from satchel.errors import number_within, whole_number
from satchel.types import FloatArray

MOST_WEIGHT = 1e6
"""A weight by hand stays below it, as its square must not drown the others in float32."""


class Refined(NamedTuple):
    """The score of a document z is cos(mask∘query, mask∘z): `ExactIndex.search([query], k, mask=mask)`.

    query (n_features,), of length 1, or 0 where nothing is asked; mask (n_features,), 0 or more, float32. Where
    `is_plain`, all of the mask is 1 and a search without it gives the same, faster.
    """

    query: FloatArray
    mask: FloatArray

    @property
    def is_plain(self) -> bool:
        return bool((self.mask == 1).all())

    def with_weights(self, weights: Mapping[int, float]) -> Refined:
        """The same with weights by hand for some features: 0 leaves a theme out, 1 is as before any mark, 2 doubles its
        number in query and documents.

        They stand in place of what the mask has learned, not beside it: a weight then means the same whatever was
        learned, given twice it is given once, and without it, in the result that it was given to, the learned one is
        still there. A weight says how much a theme counts, for or against as the query has it.
        """
        mask = self.mask.copy()
        for codeword, weight in weights.items():
            place = whole_number("codeword", codeword, 0, len(mask) - 1)
            mask[place] = 0 if weight == 0 else number_within(f"the weight of codeword {place}", weight, 0, MOST_WEIGHT)
        return Refined(self.query, mask)
