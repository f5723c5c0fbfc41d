"""Documents by their ids: which are here, and what their texts are."""

from __future__ import annotations

from collections.abc import Iterable

from satchel.query.request import is_unicode
from satchel.store.protocol import Store
from satchel.store.rows import MarkText


def looked_up(store: Store, ids: Iterable[str]) -> tuple[dict[str, int], dict[str, str]]:
    """The numbers of the documents that are here, and the texts of all, also of those that came with projects."""
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        return {}, {}
    numbers = {id_: known.number for id_, known in store.known(wanted).items()}
    here = store.documents(list(numbers.values()))
    texts = {one.id: f"{one.title}\n{one.text}" for one in here}
    for id_ in filter(is_unicode, wanted):
        if id_ not in texts and (kept := store.last_row(MarkText, id=id_)) is not None:
            texts[id_] = kept.text
    return numbers, texts
