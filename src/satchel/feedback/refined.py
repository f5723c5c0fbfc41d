"""What feedback gives back: a query and a mask, that rank documents anew without encoding any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from satchel.errors import number_within, whole_number
from satchel.types import FloatArray


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
        """The same with the mask as given for some features: 0 leaves a theme out, 1 is neutral, 2 counts it twice."""
        mask = self.mask.copy()
        for codeword, weight in weights.items():
            place = whole_number("codeword", codeword, 0, len(mask) - 1)
            mask[place] = 0 if weight == 0 else number_within(f"the weight of codeword {place}", weight, 0, np.inf)
        return Refined(self.query, mask)
