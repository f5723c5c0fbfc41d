"""The command line: thin calls of the library, one sentence for every mistake."""

from satchel.cli.app import main

__all__ = ["main"]
