"""A data set as a person would have it: added to a new collection in memory, without labels or settings."""

from collections.abc import Iterator
from time import perf_counter

from satchel.collection import Collection, Document
from satchel.datasets import AdHocSet
from satchel.experiments.kept import KEPT
from satchel.experiments.protocols.retrieval import judged_set
from satchel.types import Ranking


class FreshCollection:
    """A new collection of a set's documents, open until it is let go of; seconds: of adding them.

    shown: rankings of queries that several methods start from, as positions in the set, by the query.
    """

    def __init__(self, data: AdHocSet, seed: int) -> None:
        start = perf_counter()
        self.data = data
        self.shown: dict[str, Ranking] = {}
        self.collection = Collection.create(":memory:", random_state=seed)
        self.collection.add(documents_of(data))
        self.seconds = perf_counter() - start

    def close(self) -> None:
        self.collection.close()


def documents_of(data: AdHocSet) -> Iterator[Document]:
    """The documents with the title apart from the text, as files hold them; the set's texts begin with it."""
    documents = data.documents
    for id_, text, title in zip(documents.ids, documents.texts, documents.titles, strict=True):
        yield Document(id_, text.removeprefix(title).strip() if title else text, title=title)


@KEPT.shared(of=["name"])
def fresh_collection(name: str, seed: int) -> FreshCollection:
    """The collection of a data set; made once for each seed, for all methods that follow each other on the set."""
    return FreshCollection(judged_set(name), seed)
