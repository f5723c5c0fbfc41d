"""The two places where Satchel looks for files: the user's data folder, then its own cache."""

import os
import sys
from pathlib import Path, PurePosixPath

from satchel.errors import InputError


def data_folder() -> Path | None:
    """The folder that $SATCHEL_DATA names, or None where it is not set."""
    named = os.environ.get("SATCHEL_DATA")
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise InputError(
            f"SATCHEL_DATA is {named!r}, which is not a folder; set it to the folder of the data or unset it"
        )
    return folder


def cache_folder() -> Path:
    """The folder for what Satchel downloads or derives: $SATCHEL_CACHE, else `satchel` in the platform's cache place.

    It need not exist yet; the code that writes into it creates it.
    """
    named = os.environ.get("SATCHEL_CACHE")
    return Path(named).expanduser() if named else _platform_cache() / "satchel"


def find(relative: str) -> Path | None:
    """The file or folder with this relative name (forward slashes) in the data folder, else in the cache, else None."""
    parts = _checked_parts(relative)
    for place in (data_folder(), cache_folder()):
        if place is not None and place.joinpath(*parts).exists():
            return place.joinpath(*parts)
    return None


def _checked_parts(relative: str) -> tuple[str, ...]:
    """The parts of a relative name; raises InputError if it could lead out of the folder that it is looked up in."""
    path = PurePosixPath(relative)
    if not path.parts or path.is_absolute() or ".." in path.parts or any(sign in relative for sign in "\\:\0"):
        raise InputError(
            f"{relative!r} cannot be looked up in the data folder; "
            "give a relative name with forward slashes, without '..', ':' and backslashes"
        )
    return path.parts


def _platform_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
