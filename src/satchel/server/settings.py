"""The settings of a server: who may send requests, and how many."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Limits:
    """What one client may send.

    body_bytes: of the largest request, except uploads and project files. body_seconds: how long to wait for a part of
    a body. rate: requests per second that one client may send all the time; burst: how many at once. jobs: how many
    may wait for one collection.
    """

    body_bytes: int = 2_000_000
    body_seconds: float = 30.0
    import_bytes: int = 50_000_000
    upload_bytes: int = 2_000_000_000
    upload_files: int = 5_000
    rate: float = 10_000.0
    burst: int = 20_000
    jobs: int = 20


@dataclass(frozen=True)
class Settings:
    """Who may send requests, and how many processes answer them.

    token_hash: SHA-256 of the token that every request must carry; None if no token is needed. names: the host names
    of the server; requests under other names are refused. processes: the number of search processes for simultaneous
    searches.
    """

    token_hash: bytes | None = None
    names: frozenset[str] = LOOPBACK
    any_address: bool = False
    limits: Limits = field(default_factory=Limits)
    processes: int = 0

    @classmethod
    def of_host(cls, host: str, token: str | None = None, limits: Limits | None = None, processes: int = 0) -> Settings:
        """Makes the settings of a server at an address; its names are the address and, on loopback, the usual names."""
        own = {host.strip("[]").lower()}
        own |= LOOPBACK if is_loopback(host) else {socket.gethostname().lower(), socket.getfqdn().lower()}
        hashed = None if token is None else hash_of(token)
        return cls(hashed, frozenset(own), not is_loopback(host), limits or Limits(), processes)

    def knows_token(self, given: str) -> bool:
        """Whether this is the token. The time of the comparison does not show how much of it is right."""
        return self.token_hash is None or hmac.compare_digest(hash_of(given), self.token_hash)

    def answers_to(self, name: str) -> bool:
        """Whether the server accepts this host name: one of its own or, if not on loopback, any IP address."""
        return name in self.names or (self.any_address and _is_address(name))


def new_token() -> str:
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> bytes:
    """SHA-256 of a token; one round is enough, because a token has 32 random bytes."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def is_loopback(host: str) -> bool:
    name = host.strip("[]").lower()
    return name in LOOPBACK or (_is_address(name) and ipaddress.ip_address(name).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
