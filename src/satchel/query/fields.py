"""Names of fields in a query: which ones there are, and which names mean the same field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

FieldNames: TypeAlias = Mapping[str, tuple[str, ...]]
"""A name as `plain_name` writes it -> the fields that it means, as the documents spell them."""
ALWAYS = ("title", "text", "id", "source", "file")
"""Fields that every document has; "file" is the name of its file."""
SAME = (("author", "authors"), ("tag", "tags", "keyword", "keywords"))
"""Names of one and the same field."""
WORDED = frozenset((*ALWAYS, "doi"))
"""Fields whose values are words, even if they read like a number or a span."""
_MOST_LISTED = 20


def field_names(fields: Collection[str]) -> FieldNames:
    """All names that a query may use for these fields and for those of every document."""
    names: dict[str, tuple[str, ...]] = {}
    for field in dict.fromkeys((*ALWAYS, *fields)):
        own = plain_name(field)
        for name in next((group for group in SAME if own in group), (own,)):
            names[name] = (*names.get(name, ()), field)
    return names


def plain_name(name: str) -> str:
    """The name in lower case, with underscores for spaces and hyphens: "Publication Year" is publication_year."""
    return name.casefold().replace(" ", "_").replace("-", "_")


def list_of_fields(fields: Collection[str]) -> str:
    """The fields there are, as a sentence lists them."""
    names = list(dict.fromkeys((*ALWAYS, *fields)))
    return ", ".join(names[:_MOST_LISTED]) + (", …" if len(names) > _MOST_LISTED else "")
