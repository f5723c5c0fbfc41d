"""Debian packages, downloaded by apt-get and unpacked; nothing of them is installed or run."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

MOST_SECONDS = 300
"""For each package."""


def downloaded(package: str, folder: Path) -> Path | None:
    """The package's file in the folder, fetched where it is not there; None, and told on stderr, where it cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (found := sorted(folder.glob(f"{package}_*.deb"))):
        done = _run(["apt-get", "download", "-qq", package], folder)
        found = sorted(folder.glob(f"{package}_*.deb"))
        if not found:
            reason = done.strip().splitlines()[-1:] or ["no reason given"]
            print(f"{package} is left out because apt-get could not download it: {reason[0]}", file=sys.stderr)
    return found[-1] if found else None


@contextmanager
def unpacked(package: Path) -> Iterator[Path]:
    """The folder usr/share of a package, for as long as the block runs."""
    with TemporaryDirectory() as folder:
        _run(["dpkg-deb", "-x", str(package.resolve()), folder], Path(folder))
        yield Path(folder) / "usr" / "share"


def _run(command: list[str], folder: Path) -> str:
    """What a command says on stderr."""
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=MOST_SECONDS).stderr
    except FileNotFoundError:
        raise SystemExit(f"{command[0]} is not here; the manuals come from Debian's packages") from None
    except subprocess.TimeoutExpired:
        return f"it took longer than {MOST_SECONDS} s"
