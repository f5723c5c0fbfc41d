"""The HTTP API and the page; no mathematics. Needs the extra `server`."""

from satchel.server.app import create_app
from satchel.server.settings import Limits, Settings

__all__ = ["Limits", "Settings", "create_app"]
