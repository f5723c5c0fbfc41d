"""The best documents of a search are read again: their texts are compared with the query and with each other."""

from __future__ import annotations

import json
from collections.abc import Sequence

from satchel.collection.documents import encoded_text
from satchel.collection.file import CollectionFile
from satchel.collection.space import Space
from satchel.ranking.fusion import N_READ, Evidence, read_again
from satchel.ranking.letters import MOST_CHARACTERS
from satchel.ranking.probes import DoubleArray
from satchel.types import IntArray

_TEXTS = "SELECT number, title, substr(text, 1, ?) FROM documents WHERE number IN (SELECT value FROM json_each(?))"


def reread(
    file: CollectionFile,
    space: Space,
    positions: IntArray,
    scores: DoubleArray,
    query: str,
    evidence: Sequence[Evidence],
) -> DoubleArray:
    """The scores of all documents, (n_found,), with those of the first 100 changed by what their texts say.

    positions, scores (n_found,): best first. However many hits are asked for, and of whichever page, the same documents
    are read, so that pages fit together.
    """
    numbers = space.numbers[positions[:N_READ]].tolist()
    rows = file.rows(_TEXTS, MOST_CHARACTERS, json.dumps(numbers))
    texts = {number: encoded_text(title, text) for number, title, text in rows}
    changed = scores.copy()
    changed[:N_READ] = read_again(scores[:N_READ], query, [texts[number] for number in numbers], evidence)
    return changed
