"""The types of data sets: labelled texts, documents with judged queries, screened reviews."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError
from satchel.types import Judgments


@dataclass(frozen=True)
class LabelledTexts:
    """Texts with one label each; `ids` are unique."""

    ids: list[str]
    texts: list[str]
    labels: list[str]

    def __post_init__(self) -> None:
        _check_lengths(ids=self.ids, texts=self.texts, labels=self.labels)

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True)
class LabelledSet:
    """Labelled texts, split into train and test as in their source."""

    name: str
    train: LabelledTexts
    test: LabelledTexts


@dataclass(frozen=True)
class Documents:
    """The documents to search; `texts` begin with the title, and `titles` are "" if there is none."""

    ids: list[str]
    texts: list[str]
    titles: list[str]

    def __post_init__(self) -> None:
        _check_lengths(ids=self.ids, texts=self.texts, titles=self.titles)

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True)
class Queries:
    """Queries with their ids."""

    ids: list[str]
    texts: list[str]

    def __post_init__(self) -> None:
        _check_lengths(ids=self.ids, texts=self.texts)

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True)
class AdHocSet:
    """Documents, queries and judgments; some queries may have no judgments."""

    name: str
    documents: Documents
    queries: Queries
    judgments_by_split: Mapping[str, Judgments]

    def __post_init__(self) -> None:
        if not self.judgments_by_split:
            raise InputError(f"the set {self.name!r} has no judgments; give those of at least one split")

    @property
    def judgments(self) -> Judgments:
        """The judgments to report on: those of the split test, else dev, else validation, else the first split."""
        for split in ("test", "dev", "validation"):
            if split in self.judgments_by_split:
                return self.judgments_by_split[split]
        return next(iter(self.judgments_by_split.values()))

    def judged_queries(self, judgments: Judgments | None = None) -> Queries:
        """The queries that have judgments (by default those of the test split), in the set's order."""
        judged = self.judgments if judgments is None else judgments
        kept = [(id_, text) for id_, text in zip(self.queries.ids, self.queries.texts, strict=True) if id_ in judged]
        return Queries([id_ for id_, _ in kept], [text for _, text in kept])


@dataclass(frozen=True, eq=False)
class Review:
    """The records of a systematic review; `included` (n_texts,) says which of them its authors included."""

    name: str
    texts: list[str]
    included: NDArray[np.bool_]

    def __post_init__(self) -> None:
        if not isinstance(self.included, np.ndarray):
            raise InputError(f"included is of type {type(self.included).__name__}; expected an array of booleans")
        if self.included.shape != (len(self.texts),):
            raise InputError(f"there are {len(self.texts)} texts but included has the shape {self.included.shape}")

    def __len__(self) -> int:
        return len(self.texts)


def _check_lengths(**columns: Sequence[str]) -> None:
    if len({len(column) for column in columns.values()}) > 1:
        sizes = ", ".join(f"{len(column)} {name}" for name, column in columns.items())
        raise InputError(f"each text needs one of each, but there are {sizes}")
