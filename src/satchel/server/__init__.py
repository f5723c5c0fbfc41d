"""The HTTP API and the page. It contains no mathematics and needs the extra `server`."""

from satchel.server.app import create_app
from satchel.server.running import bound_socket, run
from satchel.server.searchers import usual_processes
from satchel.server.settings import Limits, Settings, is_loopback, new_token

__all__ = [
    "Limits",
    "Settings",
    "bound_socket",
    "create_app",
    "is_loopback",
    "new_token",
    "run",
    "usual_processes",
]
