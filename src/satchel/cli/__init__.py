"""The command line: each command calls the library, and each mistake is one sentence."""

from satchel.cli.app import main

__all__ = ["main"]
