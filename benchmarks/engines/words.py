"""The words of a query, without anything that an engine would take for an operator."""

import re

_WORD = re.compile(r"\w+")


def words_of(query: str) -> list[str]:
    return _WORD.findall(query.casefold())
