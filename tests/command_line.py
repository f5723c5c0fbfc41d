"""The command line as a shell sees it."""

import sys

from satchel.cli.app import main


def run(capsys, monkeypatch, *arguments):
    """Exit code, standard output and standard error of a command, as the shell would see them."""
    monkeypatch.setattr(sys, "argv", ["satchel", *map(str, arguments)])
    try:
        main()
        code = 0
    except SystemExit as stop:
        code = stop.code or 0
    output = capsys.readouterr()
    return code, output.out, output.err


def sentence(result):
    """The one line that a mistake leaves on standard error, exit code 2, nothing on standard output."""
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith("satchel: ")
    return err.splitlines()[-1]
