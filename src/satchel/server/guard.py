"""The guard: checks token, host name, origin, size and rate of every request, and adds headers to every answer."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satchel.server.answers import UNEXPECTED, RefusedError, failure
from satchel.server.running import Metrics
from satchel.server.settings import Limits, Settings

COOKIE = "satchel-token"
READING = ("GET", "HEAD", "OPTIONS")
MOST_CLIENTS = 10_000
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HOST = re.compile(r"(\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:@/\[\]]+))(:[0-9]{0,5})?")
_log = logging.getLogger("satchel.server")


class Guard:
    """Wraps the application: checks every request before it, and adds headers to every answer."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app, self._settings, self._metrics = app, settings, metrics
        self._rate = _Rate(settings.limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def tell(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(message, scope["path"])
            await send(message)

        try:
            await self._answer(scope, receive, tell)
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])
            if status:
                raise
            await failure(500, UNEXPECTED)(scope, receive, tell)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.count(method, route, status, time.perf_counter() - started)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            _check_host(headers, self._settings)
            self._rate.check((scope.get("client") or ("", 0))[0])
            _check_origin(scope, headers)
            redirect = self._check_token(scope, headers)
            limit = _body_limit(scope["path"], self._settings.limits)
            _check_length(headers, limit)
        except RefusedError as error:
            # an unread body would keep the connection busy
            await failure(error.status, str(error), {"Connection": "close"})(scope, receive, send)
            return
        if redirect is not None:
            await redirect(scope, receive, send)
        else:
            await self._app(scope, _counted(receive, limit, self._settings.limits.body_seconds), send)

    def _check_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Refuses a request without the token. A token in the page's address is moved into a cookie; the answer then
        redirects to the address without it."""
        if self._settings.token_hash is None or scope["path"] == "/api/health":
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0] if scope["path"] == "/" else ""
        if given and self._settings.knows_token(given):
            cookie = f"{_cookie_of(scope)}={given}; Path=/; HttpOnly; SameSite=Strict"
            return Response(status_code=303, headers={"Location": "/", "Set-Cookie": cookie})
        if not self._settings.knows_token(_token_of(headers, _cookie_of(scope))):
            sentence = "this server needs its token: open the address that it printed when it started"
            raise RefusedError(401, f"{sentence}, or send the header Authorization: Bearer TOKEN")
        return None


_METHODS = (*READING, "POST", "PUT", "PATCH", "DELETE")


def _add_headers(message: Message, path: str) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in _HEADERS.items():
        headers[name] = value
    headers.setdefault("Cache-Control", "no-cache" if path.startswith("/page/") or path == "/" else "no-store")


def _check_host(headers: Headers, settings: Settings) -> None:
    """Refuses unknown host names, so that a page of another site cannot reach this server under its own name."""
    named = headers.getlist("host")
    name = _name_of(named[0]) if len(named) == 1 else ""
    if not settings.answers_to(name):
        raise RefusedError(403, f"this server does not answer to the name {name[:100]!r}; call it by its own address")


def _name_of(host: str) -> str:
    """The host name without the port, from `localhost:8000` or `[::1]:8000`; empty for other text."""
    found = _HOST.fullmatch(host)
    return (found["address"] or found["name"]).lower().rstrip(".") if found else ""


def _check_origin(scope: Scope, headers: Headers) -> None:
    """Refuses requests that other sites send or embed; they may only link to the page."""
    site, origins = headers.get("sec-fetch-site"), headers.getlist("origin")
    foreign = site not in (None, "same-origin", "none")
    if scope["method"] not in READING:
        own = headers["host"].lower()
        foreign = foreign or any(origin.partition("://")[2].lower() != own for origin in origins)
    if foreign and not (scope["path"] == "/" and scope["method"] in READING):
        raise RefusedError(403, "requests from pages of other sites are refused")


def _cookie_of(scope: Scope) -> str:
    """The name of the cookie, with the port: browsers share cookies between ports, but each server needs its own."""
    return f"{COOKIE}-{(scope.get('server') or ('', 0))[1]}"


def _token_of(headers: Headers, cookie: str) -> str:
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(cookie)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _body_limit(path: str, limits: Limits) -> int:
    if path.endswith("/upload"):
        return limits.upload_bytes
    return limits.import_bytes if path.endswith("/projects/import") else limits.body_bytes


def _too_large(limit: int) -> str:
    return f"the request is larger than {limit:,} bytes, the most that is taken here; send less at a time"


def _check_length(headers: Headers, limit: int) -> None:
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 18:
        raise RefusedError(400, "the header Content-Length is not a whole number")
    if int(length) > limit:
        raise RefusedError(413, _too_large(limit))


def _counted(receive: Receive, limit: int, seconds: float) -> Receive:
    """Passes the body on, with an error if it is longer than allowed or stops arriving, whatever its header says."""
    read, ended = 0, False

    async def receive_counted() -> Message:
        nonlocal read, ended
        if ended:  # the next message is the client's disconnect, at any time
            return await receive()
        try:
            async with asyncio.timeout(seconds):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, f"no more of the body arrived for {seconds:g} seconds; send it again") from None
        read, ended = read + len(message.get("body", b"")), not message.get("more_body", False)
        if read > limit:
            raise HTTPException(413, _too_large(limit))
        return message

    return receive_counted


class _Rate:
    """A token bucket for each client: it fills at the allowed rate up to one burst."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, client: str) -> None:
        now = time.monotonic()
        left, since = self._buckets.pop(client, (float(self._limits.burst), now))
        left = min(float(self._limits.burst), left + (now - since) * self._limits.rate)
        self._buckets[client] = (max(left - 1, 0.0), now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        if left < 1:
            raise RefusedError(429, f"more than {self._limits.rate:g} requests a second; wait a moment")
