"""Folders that appear whole or not at all: written beside their place, then renamed."""

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """An empty folder to write files into; when the block ends well, it takes the place of `target`.

    A reader sees the old folder or the new one, never half of one. After an error the old one is there as it was, and
    nothing is left beside it. Whether `target` may be replaced is for the caller to check.
    """
    target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    new = _unused_sibling(target, "new")
    try:
        new.mkdir()
        yield new
        for path in new.iterdir():
            _write_through(path)
        _put_in_place(new, target)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _put_in_place(new: Path, target: Path) -> None:
    """Renames `new` to `target`; an old folder steps aside first, and comes back if that fails."""
    if not target.exists():
        new.rename(target)
        return
    old = target.rename(_unused_sibling(target, "old"))
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _unused_sibling(target: Path, role: str) -> Path:
    """A hidden name beside `target`, so that a rename stays on one disk."""
    return target.with_name(f".{target.name}.{role}-{uuid.uuid4().hex[:12]}")


def _write_through(path: Path) -> None:
    """Makes sure that a file's bytes are on the disk before the rename is."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
