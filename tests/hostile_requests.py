"""Requests that nobody means well: `python tests/hostile_requests.py 10000` sends so many to a small server.

Headers, sizes, Unicode, paths, kinds and values are drawn from a seed. An answer may refuse; it may not be a 500, hold
a traceback or a path of this machine, or lack the policy that keeps a browser from running scripts.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from dataclasses import fields
from pathlib import Path

import httpx2

from made_collections import two_topics
from satchel import Collection
from satchel.collection import Document, Request
from serving import listening

NASTY = [
    "", " ", "\0", "\ud800", "\u202e", "🦊" * 50, "a" * 20_000, "<script>alert(1)</script>", "'; DROP TABLE marks; --",
    "../../etc/passwd", "%00", "%2e%2e%2f", "{{7*7}}", "${jndi:ldap://x}", "NEAR(a b)", '"', "*", "AND OR NOT", "moon",
    "d000", "rocket -moon", "1e308", "-1", "9" * 400, "\r\nSet-Cookie: a=b", "ﷺ", "İ", "\u0345", "own", "null",
]  # fmt: skip
NUMBERS = [0, -1, 1, 5, 2**31, 2**53, 2**63, 10**400, 1e308, -1e308, 0.5, float("nan"), float("inf"), True]
PARTS = [
    *(field.name for field in fields(Request)), "id", "ids", "value", "name", "what", "form", "search", "labels",
    "marks", "format", "version", "model", "projects", "zzz",
]  # fmt: skip
WORTHY = ["relevant", "none", "both", "semantic", "lexical", "hits", "documents", "csv", "topic", "year"]
PATHS = [
    "", "/search", "/documents", "/marks", "/undo", "/projects", "/projects/one", "/projects/new", "/projects/seen",
    "/projects/export", "/projects/import", "/screening", "/map/scores", "/upload", "/train", "/export",
]  # fmt: skip
READ = ["", "/map", "/documents", "/projects/one", "/projects/new", "/projects/export", "/screening"]
HEADERS = ["Host", "Origin", "Cookie", "Authorization", "Content-Type", "Sec-Fetch-Site", "Range", "Accept-Encoding"]


def anything(draw: random.Random, depth: int = 0) -> object:
    """A value of any kind, nested at times."""
    kind = draw.randrange(8 if depth < 3 else 4)
    if kind < 2:
        return draw.choice(NASTY)
    if kind < 4:
        return draw.choice(NUMBERS) if kind == 2 else draw.choice(WORTHY)
    if kind < 6:
        return [anything(draw, depth + 1) for _ in range(draw.randrange(4))]
    return {str(draw.choice([*NASTY, *PARTS, "3"])): anything(draw, depth + 1) for _ in range(draw.randrange(4))}


def body(draw: random.Random) -> bytes:
    """Mostly an object of parts that are known, at times something else altogether."""
    if draw.random() < 0.1:
        return draw.choice(
            [b"", b"{", b"[" * 50_000, b"\xff\xfe", b"1" * 10_000, b"null", b'{"a":' * 900, b'{"k":NaN}']
        )
    parts = {draw.choice(PARTS): anything(draw) for _ in range(draw.randrange(5))}
    if draw.random() < 0.5:
        parts |= draw.choice(
            [
                {"query": draw.choice(NASTY), "id": "d000", "value": "relevant"},
                {"filters": {draw.choice(["year", "topic", "id", "\0"]): draw.choice([*NASTY, *NUMBERS])}},
                {"filters": {"year": {draw.choice(["from", "to"]): draw.choice([*NASTY, *NUMBERS])}}},
            ]
        )
    return json.dumps(parts).encode("utf-8", "surrogatepass")


def request(draw: random.Random) -> dict[str, object]:
    """What httpx is told to send."""
    path = draw.choice([*PATHS, "/map", f"/{draw.choice(PARTS)}"])
    method = "GET" if path in READ else "POST"
    if draw.random() < 0.25:
        method = draw.choice(["GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD", "TRACE"])
    base = draw.choice(["/api/collections/own"] * 6 + ["/page", "/api/jobs", "/api/collections", ""])
    sent: dict[str, object] = {"method": method, "url": base + path, "headers": [("Content-Type", "application/json")]}
    if draw.random() < 0.5:
        sent["params"] = [(draw.choice(PARTS), _plain(draw.choice(NASTY))) for _ in range(draw.randrange(3))]
    if method in ("POST", "PUT", "DELETE"):
        if path == "/upload":
            name, content = _plain(draw.choice(NASTY)), draw.choice([b"", b"moon", b"\0" * 99, b"<p>moon</p>"])
            return {
                **sent,
                "headers": [],
                "files": [("files", (name + draw.choice([".txt", ".csv", ".pdf", ""]), content))],
            }
        sent["content"] = body(draw)
    if draw.random() < 0.2:
        value = draw.choice(
            ["", "x" * 9_000, "evil.example", "null", "multipart/form-data", "bytes=0-", "satchel-token=1"]
        )
        sent["headers"] = [*sent["headers"], (draw.choice(HEADERS), value)]  # type: ignore[misc]
    return sent


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\0", "%00")[:3_000]


def send_hostile(n_requests: int, seed: int = 0) -> dict[int, int]:
    """How often each status was answered; an AssertionError for an answer that may not be."""
    draw, counted = random.Random(seed), dict[int, int]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.satchel"
        with Collection.create(path) as collection:
            collection.add(
                [*two_topics(), *(Document(f"n{i}", f"{text} moon", text) for i, text in enumerate(NASTY[5:8]))]
            )
            collection.map.places()
        with listening([path]) as address, httpx2.Client(base_url=address, timeout=60) as client:
            for number in range(n_requests):
                sent = request(draw)
                answer = _answer(client, sent)
                if answer is not None:
                    assert_harmless(answer, folder, f"request {number}: {sent!r}"[:2_000])
                    counted[answer.status_code] = counted.get(answer.status_code, 0) + 1
            assert client.get("/api/health").status_code == 200
    return counted


def _answer(client: httpx2.Client, sent: dict[str, object]) -> httpx2.Response | None:
    """None where the client itself refuses to send such a thing, or the server hangs up on what is no HTTP."""
    try:
        return client.request(**sent)  # type: ignore[arg-type]
    except (httpx2.InvalidURL, httpx2.LocalProtocolError, httpx2.RemoteProtocolError, httpx2.WriteError, UnicodeError):
        return None


def assert_harmless(answer: httpx2.Response, folder: str, what: str) -> None:
    assert answer.status_code < 500, f"{answer.status_code} for {what}: {answer.text[:300]}"
    assert "Traceback" not in answer.text, what
    assert folder not in answer.text, what
    if answer.headers.get("content-type") != "text/plain; charset=utf-8":  # what is no HTTP is refused before the guard
        assert "default-src 'none'" in answer.headers["content-security-policy"], what


if __name__ == "__main__":
    print(send_hostile(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
