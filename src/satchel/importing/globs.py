"""Patterns that choose files below a folder."""

import re
from collections.abc import Sequence

from satchel.errors import InputError


class Globs:
    """Whether a path below the folder, its parts joined by "/", is wanted.

    A pattern without a slash speaks of a name anywhere: "*.pdf" of files, "drafts" of a folder and all below it. With a
    slash it speaks of the path from the top: "2024/*.txt", "**/notes/*"; `*` and `?` stop at a slash, `**` does not.
    """

    def __init__(self, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        for name, patterns in (("include", include), ("exclude", exclude)):
            if isinstance(patterns, str):
                raise InputError(f"{name} is the string {patterns!r}; expected a list of patterns such as ['*.pdf']")
        self._include = [_compiled(pattern) for pattern in include]
        self._exclude = [_compiled(pattern) for pattern in exclude]

    def wants_file(self, path: str) -> bool:
        """Whether a file is asked for and not left out; folders above it were asked for before."""
        included = not self._include or any(pattern.fullmatch(path) for pattern in self._include)
        return included and not self.leaves_out(path)

    def leaves_out(self, path: str) -> bool:
        """Whether a file or folder, and with it all that is below, is left out."""
        return any(pattern.fullmatch(path) for pattern in self._exclude)


def _compiled(pattern: str) -> re.Pattern[str]:
    if not pattern.strip("/"):
        raise InputError(f"a pattern is {pattern!r}; expected one such as '*.pdf' or 'drafts/**'")
    body = pattern.strip("/")
    anywhere = "" if "/" in pattern.rstrip("/") else "(?:.*/)?"
    return re.compile(f"{anywhere}{_translated(body)}(?:/.*)?", re.DOTALL)


def _translated(pattern: str) -> str:
    """The pattern as a regular expression; brackets hold one sign of several, [!…] one that is none of them."""
    parts, place = list[str](), 0
    for found in re.finditer(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]", pattern):
        parts.append(re.escape(pattern[place : found.start()]))
        parts.append(_SIGNS.get(found[0]) or _bracket(found[0]))
        place = found.end()
    return "".join(parts) + re.escape(pattern[place:])


_SIGNS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _bracket(signs: str) -> str:
    inner = signs[1:-1].replace("\\", "\\\\").replace("[", "\\[")
    negated, inner = inner.startswith("!"), inner.removeprefix("!").replace("]", "\\]").replace("^", "\\^")
    try:
        re.compile(f"[{inner}]")
    except re.error:
        return re.escape(signs)
    return f"(?![/])[{'^' if negated else ''}{inner}]"
