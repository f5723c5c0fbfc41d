"""The root of the command line, which turns exceptions into one sentence."""

import os
import sys
from typing import Annotated

import typer

import satchel
from satchel.cli.cluster import cluster
from satchel.cli.documents import add, remove
from satchel.cli.evaluate import evaluate
from satchel.cli.laboratory import data_app, reproduce
from satchel.cli.mark import mark
from satchel.cli.project import app as project_app
from satchel.cli.search import check, export, info, search
from satchel.cli.serve import demo, serve
from satchel.cli.settings import settings
from satchel.cli.simulate import simulate
from satchel.cli.train import train
from satchel.cli.vectors import encode, words_app
from satchel.errors import SatchelError

USAGE_ERROR: type[typer.BadParameter] = typer.BadParameter.__bases__[0]
"""The parent of all errors in the arguments of a command; typer does not export it."""

app = typer.Typer(
    name="satchel",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(name="demo")(demo)
app.command(name="add")(add)
app.command(name="remove")(remove)
app.command(name="search")(search)
app.command(name="mark")(mark)
app.add_typer(project_app, name="project")
app.command(name="train")(train)
app.command(name="serve")(serve)
app.command(name="export")(export)
app.command(name="info")(info)
app.command(name="check")(check)
app.command(name="settings")(settings)
app.command(name="cluster")(cluster)
app.command(name="encode")(encode)
app.command(name="evaluate")(evaluate)
app.command(name="simulate")(simulate)
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
    """Finds documents by meaning and learns from your marks.

    \b
    Examples:
      satchel add papers.satchel ~/papers
      satchel search papers.satchel "grid storage"
      satchel mark papers.satchel a.pdf --relevant --query "grid storage"
      satchel serve papers.satchel
    """


def main() -> None:
    """Runs the command line: a mistake is one sentence on standard error and exit code 2."""
    try:
        code = _answered()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _answered() -> int:
    """Runs the command and returns its exit code; a mistake is printed as one sentence."""
    output = sys.stdout
    try:
        code = app(prog_name="satchel", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except SystemExit:  # shell completion ends so; with the output replaced, nobody reads it any more
        if sys.stdout is output:
            raise
        raise BrokenPipeError from None
    except BrokenPipeError:
        raise
    except (SatchelError, OSError) as error:
        return _mistake(str(error))
    except UnicodeEncodeError as error:
        sign = ascii(error.object[error.start])
        return _mistake(f"{sign} cannot be written as {error.encoding}; leave it out, or set PYTHONUTF8=1")
    except USAGE_ERROR as error:
        return _usage_mistake(error)
    except (typer.Abort, KeyboardInterrupt):
        return 130


def _usage_mistake(error: typer.BadParameter) -> int:
    """Prints what is wrong with the arguments and where to look. A command without arguments prints its help."""
    if "\n" in error.message:
        print(error.message)
        return 2
    command, message = error.ctx.command_path if error.ctx else "satchel", error.format_message().rstrip(".")
    return _mistake(f"{message}{' See' if message.endswith('?') else '; see'} `{command} --help`")


def _mistake(sentence: str) -> int:
    print(f"satchel: {' '.join(sentence.splitlines())}", file=sys.stderr)
    return 2
