"""Safe by default: who may ask, by which name, how much; and what every answer says to the browser."""

import socket

import pytest

from made_collections import make_collection
from satchel import Collection
from satchel.server import Limits, Settings
from satchel.server.jobs import safe_name
from satchel.server.settings import is_loopback, new_token
from satchel.server.shelf import Memory
from serving import BASE, end_of, listening, serving

EVERY_KIND = ["/", "/page/nothing.js", "/api/health", "/api/collections", "/metrics", "/nowhere", "/api/jobs/x"]


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path) as client:
        yield client


@pytest.mark.parametrize("path", EVERY_KIND)
def test_every_answer_carries_the_policy_and_its_companions(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert path in ("/", "/page/nothing.js") or headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "localhost.evil.example", "", "127.0.0.1.nip.io", "localhost:80@evil.example"],
)
def test_a_foreign_name_for_this_server_is_refused(client, host):
    answer = client.get("/api/collections", headers={"Host": host})
    assert answer.status_code == 403
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9000", "127.0.0.1:1", "[::1]:8000"])
def test_the_names_of_this_machine_are_its_own(client, host):
    assert client.get("/api/collections", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_what_other_sites_send_is_refused_and_changes_nothing(client, headers):
    body = {"id": "d000", "value": "relevant", "query": "moon"}
    assert client.post(f"{BASE}/marks", json=body, headers=headers).status_code == 403
    assert client.get(f"{BASE}/marks").json() == []


def test_a_second_origin_is_not_overlooked(client):
    origins = [("Origin", "http://localhost"), ("Origin", "https://evil.example")]
    body = {"id": "d000", "value": "relevant", "query": "moon"}
    assert client.post(f"{BASE}/marks", json=body, headers=origins).status_code == 403


def test_the_page_of_this_server_may_send(client):
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    body = {"id": "d000", "value": "relevant", "query": "moon"}
    assert client.post(f"{BASE}/marks", json=body, headers=headers).status_code == 200


def test_other_sites_may_link_to_the_page_but_not_embed_what_it_reads(client):
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/", headers=foreign).status_code in (200, 404)
    assert client.get("/api/collections", headers=foreign).status_code == 403


def test_json_sent_as_a_plain_form_is_refused(client):
    answer = client.post(f"{BASE}/search", content=b'{"query": "moon"}', headers={"Content-Type": "text/plain"})
    assert 400 <= answer.status_code < 500


def test_a_token_is_asked_for_and_taken_from_header_or_cookie(tmp_path):
    token = new_token()
    settings = Settings.of_host("127.0.0.1", token)
    assert token.encode() not in repr(settings).encode()
    with serving(tmp_path, settings) as client:
        assert client.get("/api/collections").status_code == 401
        for wrong in ("x", token[:-1], token + "x"):
            assert client.get("/api/collections", headers={"Authorization": f"Bearer {wrong}"}).status_code == 401
        assert client.get("/api/collections", headers={"Authorization": f"Bearer {token}"}).status_code == 200
        moved = client.get("/", params={"token": token}, follow_redirects=False)
        assert (moved.status_code, moved.headers["location"]) == (303, "/")
        assert {"HttpOnly", "SameSite=Strict"} <= set(moved.headers["set-cookie"].split("; "))
        assert client.get("/api/collections").status_code == 200  # the client keeps the cookie


def test_a_wrong_token_in_the_address_sets_no_cookie(tmp_path):
    with serving(tmp_path, Settings.of_host("127.0.0.1", new_token())) as client:
        answer = client.get("/", params={"token": "guess"}, follow_redirects=False)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("host", "is_own"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("10.0.0.5", False)],
)
def test_only_loopback_needs_no_token(host, is_own):
    assert is_loopback(host) == is_own


def test_bound_to_a_network_it_answers_to_addresses_but_not_to_foreign_names():
    settings = Settings.of_host("0.0.0.0", "t")
    assert settings.answers_to("192.168.1.7")
    assert not settings.answers_to("evil.example")


@pytest.mark.parametrize(
    "name",
    ["../../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/index.html", "/etc/passwd", "..\\app.py", "../app.py"],
)
def test_no_name_leads_out_of_the_folder_of_the_page(client, name):
    answer = client.get(f"/page/{name}")
    assert answer.status_code == 404
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\secret\\a.txt", "a.txt"),
        (".bashrc", "bashrc"),
        ("..", "file"),
        ("", "file"),
        ("a\0b\n.txt", "a_b_.txt"),
        ("con.txt", "file_con.txt"),
        ("<img src=x>.html", "_img src=x_.html"),
        ("x" * 500 + ".txt", "x" * 116 + ".txt"),
        ("naïve übung.md", "naïve übung.md"),
    ],
)
def test_names_of_uploaded_files_become_plain_names(given, kept):
    assert safe_name(given, set()) == kept


def test_equal_names_are_told_apart():
    taken: set[str] = set()
    assert [safe_name(name, taken) for name in ("a.txt", "b/A.TXT", "a.txt")] == ["a.txt", "A (2).TXT", "a (3).txt"]


def test_uploads_stay_in_their_folder_and_leave_none_behind(client, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    sent = [("files", (name, b"The moon is far away.")) for name in ("../../up.txt", "/abs.txt")]
    report = end_of(client, client.post(f"{BASE}/upload", files=sent).json()["job"])["report"]
    assert report["added"] == 2
    document = client.get(f"{BASE}/documents", params={"id": "up.txt"}).json()
    assert document["source"] == "up.txt"
    assert list((tmp_path / "scratch").iterdir()) == []
    assert not (tmp_path.parent / "up.txt").exists()


def test_markup_in_documents_stays_text_in_json(client, tmp_path):
    nasty = "<script>alert(1)</script><img src=x onerror=alert(2)> rocket"
    with Collection.open(tmp_path / "own.satchel") as collection:
        from satchel.collection import Document

        collection.add([Document("<b>", nasty, title=nasty, fields={"<i>": nasty})])
    answer = client.post(f"{BASE}/search", json={"query": "rocket script", "k": 40})
    assert answer.headers["content-type"] == "application/json"
    hit = next(hit for hit in answer.json()["hits"] if hit["id"] == "<b>")
    assert (hit["title"], hit["fields"]) == (nasty, {"<i>": nasty})


def test_a_body_beyond_the_limit_is_refused_whatever_its_header_says(tmp_path):
    with serving(tmp_path, Settings(limits=Limits(body_bytes=1_000, upload_bytes=2_000))) as client:
        assert client.post(f"{BASE}/search", json={"query": "x" * 2_000}).status_code == 413
        in_parts = client.post(f"{BASE}/search", content=(b"x" * 600 for _ in range(5)))
        assert in_parts.status_code == 413
        assert client.post(f"{BASE}/upload", files={"files": ("a.txt", b"x" * 3_000)}).status_code == 413
        assert client.post(f"{BASE}/search", json={"query": "moon"}).status_code == 200


def test_a_body_that_does_not_come_is_no_longer_waited_for(tmp_path):
    settings = Settings(limits=Limits(body_seconds=0.2))
    make_collection(tmp_path).close()
    with listening([tmp_path / "own.satchel"], settings) as address:
        name, port = address.removeprefix("http://").split(":")
        head = f"POST {BASE}/search HTTP/1.1\r\nHost: {name}\r\nContent-Type: application/json\r\nContent-Length: 99"
        with socket.create_connection((name, int(port)), timeout=10) as slow:
            slow.sendall(f'{head}\r\n\r\n{{"query"'.encode())
            assert b"408" in slow.recv(1_000).split(b"\r\n")[0]


def test_answers_are_forgotten_before_long_questions_fill_the_memory():
    memory = Memory(most_bytes=10_000)
    for number in range(50):
        memory.keep("x" * 1_000 + str(number), 1, b"[]")
    known = [memory.recall("x" * 1_000 + str(number), 1) for number in range(50)]
    assert known == [None] * 41 + [b"[]"] * 9
    memory.keep("x" * 6_000, 1, b"[]")
    assert memory.recall("x" * 6_000, 1) is None


def test_too_many_files_at_once_are_refused(tmp_path):
    with serving(tmp_path, Settings(limits=Limits(upload_files=2))) as client:
        sent = [("files", (f"{number}.txt", b"moon")) for number in range(3)]
        answer = client.post(f"{BASE}/upload", files=sent)
        assert 400 <= answer.status_code < 500
        assert "error" in answer.json()


def test_a_client_that_asks_too_often_waits(tmp_path):
    with serving(tmp_path, Settings(limits=Limits(rate=0.001, burst=3))) as client:
        assert [client.get("/api/health").status_code for _ in range(5)] == [200, 200, 200, 429, 429]


def test_a_failure_nobody_expected_tells_nothing_of_itself(client, monkeypatch, caplog):
    def fail(*_, **__):
        raise RuntimeError("a secret of /home/me")

    monkeypatch.setattr(Collection, "find", fail)
    answer = client.post(f"{BASE}/search", json={"query": "moon"})
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "content-security-policy" in answer.headers
    assert "a secret of /home/me" in caplog.text
