"""Documents that the query names: by their id, DOI, PMID or file name. They go first, whatever else is found."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from satchel.query import Condition
from satchel.search.result import Ranked
from satchel.store import Store
from satchel.types import DoubleArray, IntArray

DOI_FIELDS = ("doi", "DOI")
PMID_FIELDS = ("pmid", "PMID", "accession", "accession_number", "Accession Number", "AN")
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.[0-9]{3,9}/\S+)", flags=re.IGNORECASE)
_PMID = re.compile(r"(?:pmid\s*:?\s*)?([0-9]{1,9})", flags=re.IGNORECASE)
_WRITTEN_DOI = ("", "https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:", "doi: ")
_WRITTEN_PMID = ("", "PMID:", "PMID: ", "PMID ")
_FILE = re.compile(r"\S+|.*\S\.\w{1,10}")
_LONGEST = 1_000


def named_documents(store: Store, query: str, condition: Condition | None) -> IntArray:
    """The documents that the whole query names and that meet the condition, ascending."""
    asked = query.strip()
    if not asked or len(asked) > _LONGEST:
        return np.empty(0, np.int64)
    doi, pmid = _DOI.fullmatch(asked), _PMID.fullmatch(asked)
    ids = [asked, *(match[1] for match in (doi, pmid) if match)]
    parts = [np.array([one.number for one in store.known(ids).values()], np.int64)]
    for match, names, ways in ((doi, DOI_FIELDS, _WRITTEN_DOI), (pmid, PMID_FIELDS, _WRITTEN_PMID)):
        if match:
            parts += [store.field_codes(name).with_value(*(f"{how}{match[1]}" for how in ways)) for name in names]
    if _FILE.fullmatch(asked):
        parts.append(store.with_file_name(asked))
    found = np.unique(np.concatenate(parts))
    return found if condition is None or not len(found) else np.intersect1d(found, store.listed(condition))


def with_first(store: Store, ranked: Ranked, named: IntArray) -> Ranked:
    """The ranking with these documents first, in the order of ids; those that were not found are added."""
    if not len(named):
        return ranked
    missing = np.setdiff1d(named, ranked.numbers)
    numbers = np.concatenate([ranked.numbers, missing])
    is_named = np.isin(numbers, named)
    places = np.where(is_named, store.in_order(numbers), np.arange(len(numbers)))
    order = np.lexsort((places, ~is_named))

    def joined(values: DoubleArray, of_missing: float) -> DoubleArray:
        return np.concatenate([values, np.full(len(missing), of_missing, values.dtype)])[order]

    scores = joined(ranked.scores, 0.0)
    scores[: len(named)] = max(0.0, float(ranked.scores.max(initial=0.0)))
    return replace(
        ranked,
        numbers=numbers[order],
        scores=scores,
        lexical=joined(ranked.lexical, -np.inf),
        semantic=joined(ranked.semantic, -np.inf),
        passages=np.concatenate([ranked.passages, np.zeros(len(missing), np.int64)])[order],
        total=ranked.total + len(missing),
    )
