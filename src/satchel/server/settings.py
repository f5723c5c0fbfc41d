"""What a server is told when it starts: who may ask, and how much at a time."""

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
    """body_bytes: of a request, but for uploads and files of projects. body_seconds: how long a part of a body may be
    waited for. rate: requests a second that one client may make for long; burst: how many at once. jobs: that wait for
    their turn, in one collection."""

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
    """token_hash: SHA-256 of the token that every request must carry; None where none is needed. names: by which the
    server may be called; a page from elsewhere that found its way here by another name is refused. processes: so many
    search beside this one when several searches come at once."""

    token_hash: bytes | None = None
    names: frozenset[str] = LOOPBACK
    any_address: bool = False
    limits: Limits = field(default_factory=Limits)
    processes: int = 0

    @classmethod
    def of_host(cls, host: str, token: str | None = None, limits: Limits | None = None, processes: int = 0) -> Settings:
        """Those of a server that is bound to an address: called by that name, and on loopback by its usual ones."""
        own = {host.strip("[]").lower()}
        own |= LOOPBACK if is_loopback(host) else {socket.gethostname().lower(), socket.getfqdn().lower()}
        hashed = None if token is None else hash_of(token)
        return cls(hashed, frozenset(own), not is_loopback(host), limits or Limits(), processes)

    def knows_token(self, given: str) -> bool:
        """Compared by hashes, in a time that does not tell how much of it was right."""
        return self.token_hash is None or hmac.compare_digest(hash_of(given), self.token_hash)

    def answers_to(self, name: str) -> bool:
        """Bound to other addresses than loopback, it may be called by any address; a name must be one of its own."""
        return name in self.names or (self.any_address and _is_address(name))


def new_token() -> str:
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> bytes:
    """A token is 32 random bytes, so that one round of a plain hash cannot be reversed."""
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
