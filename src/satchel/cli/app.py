"""The root of the command line, and the edge where exceptions become one sentence."""

import os
import sys
from typing import Annotated

import typer

import satchel
from satchel.cli.data import app as data_app
from satchel.cli.demo import demo
from satchel.cli.evaluate import evaluate
from satchel.cli.reproduce import reproduce
from satchel.cli.words import app as words_app
from satchel.errors import SatchelError

app = typer.Typer(
    name="satchel",
    help="Finds documents by meaning and learns from your marks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(name="demo")(demo)
app.command(name="evaluate")(evaluate)
app.command(name="reproduce")(reproduce)
app.add_typer(data_app, name="data")
app.add_typer(words_app, name="words")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"satchel {satchel.__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Finds documents by meaning and learns from your marks."""


def main() -> None:
    """Runs the command line: a mistake is one sentence on standard error and exit code 2."""
    try:
        app()
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (SatchelError, OSError) as error:
        print(f"satchel: {error}", file=sys.stderr)
        sys.exit(2)
