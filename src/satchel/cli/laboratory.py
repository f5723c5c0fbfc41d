"""`satchel data` and `satchel reproduce`: public data sets, and the papers' tables beside the published values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satchel.cli.arguments import AsJson
from satchel.cli.console import (
    as_json_text,
    notes,
    out,
    prepare_file,
    print_json,
    print_table,
    progress_bar,
    write_text,
)
from satchel.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.experiments import Experiment, ResultRow

data_app = typer.Typer(help="List and fetch public data sets.", no_args_is_help=True, rich_markup_mode=None)


@data_app.command("list")
def list_data(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the data sets, and where each one is.

    A data set is in $SATCHEL_DATA ("data folder"), in the cache, or only at its source.
    """
    from satchel.datasets import DATASETS, place_of

    rows = [
        {
            "name": name,
            "kind": entry.kind,
            "rows": entry.rows,
            "place": place_of(name),
            "description": entry.description,
        }
        for name, entry in DATASETS.items()
    ]
    if as_json:
        print_json(rows)
    else:
        columns = ("name", "kind", "rows", "place", "description")
        print_table(columns, [tuple(str(row[column]) for column in columns) for row in rows])


@data_app.command("get")
def get_data(
    name: Annotated[str, typer.Argument(help="A name from `satchel data list`.")],
) -> None:
    """Fetch a data set into the cache, and verify its checksum.

    \b
    Example:
      satchel data get r8
    """
    from satchel.datasets import fetch

    with progress_bar() as on_progress:
        path = fetch(name, on_progress=on_progress)
    out.print(f"{name} lies in {path}", markup=False)


def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="The experiments to run, such as pt18/table3, or 'all'.")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the experiments and exit.")] = False,
    to: Annotated[Path | None, typer.Option(help="Write the rows as JSON here.")] = None,
    markdown_path: Annotated[Path | None, typer.Option("--markdown", help="Write the tables as Markdown.")] = None,
    save: Annotated[bool, typer.Option("--save", help="Write JSON and Markdown beside the experiment's file.")] = False,
    only: Annotated[list[str] | None, typer.Option(help="Run only this method. --save keeps the other rows.")] = None,
    jobs: Annotated[int, typer.Option(help="How many processes run at once, with one thread each.", min=1)] = 1,
    skip_missing: Annotated[
        bool, typer.Option("--skip-missing", help="Leave out methods whose extra is not installed.")
    ] = False,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Run nothing. Draw the tables and figures again from the saved rows.")
    ] = False,
    results_page: Annotated[Path | None, typer.Option(help="Write the page of all saved results here.")] = None,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Run nothing. Check that saved results hold all figures of the documentation."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Reproduce the papers' tables and figures, and compare our values with theirs.

    Each row is judged better, OK, OKish or FAIL. If any row is FAIL, the exit code is 1.

    \b
    Examples:
      satchel reproduce --list
      satchel reproduce pt18/table3 --to out.json
      satchel reproduce all --jobs 8 --save
      satchel reproduce all --redraw --results-page docs/laboratory/results.md
      satchel reproduce --verify
    """
    for option, path in (("--to", to), ("--markdown", markdown_path), ("--results-page", results_page)):
        prepare_file(path, option)
    if listing:
        _list(to, as_json)
        return
    if verify:
        _verify()
        return
    if not names and results_page is None:
        raise InputError("name an experiment, or 'all'; `satchel reproduce --list` shows them")
    experiments, verdicts = _read(names or []), set[str | None]()
    if redraw:
        _draw(experiments)
    elif experiments:
        rows = _run(
            experiments, set(only or ()), jobs, skip_missing, save, markdown_path, quiet=as_json or str(to) == "-"
        )
        verdicts = {row.verdict for row in rows}
        _write_json(to, rows, as_json)
    if results_page is not None:
        _write_page(results_page)
    if "FAIL" in verdicts:
        raise typer.Exit(code=1)


def _list(to: Path | None, as_json: bool) -> None:
    from satchel.experiments import find_experiments, read_experiment

    experiments = [read_experiment(name) for name in find_experiments()]
    columns = ("experiment", "source", "title", "data set", "methods")
    rows = [(e.name, e.source, e.title, ", ".join(e.datasets), len(e.methods)) for e in experiments]
    if to is not None or as_json:
        text = as_json_text([dict(zip(columns, row, strict=True)) for row in rows])
        _write_or_print(text, to, as_json)
    else:
        print_table(columns, [tuple(map(str, row)) for row in rows])


def _verify() -> None:
    """Prints the faults, one per line, and ends with exit code 1 if there are any."""
    from satchel.experiments import verify_documentation

    found = verify_documentation()
    for fault in found.faults:
        out.print(fault, markup=False, highlight=False, soft_wrap=True)
    notes.print(
        f"{found.n_figures:,} figures, {found.n_exceptions} exceptions, {len(found.faults)} faults", markup=False
    )
    if found.faults:
        raise typer.Exit(code=1)


def _read(names: list[str]) -> list[Experiment]:
    from satchel.experiments import find_experiments, read_experiment

    every = [known for name in names for known in (find_experiments() if name == "all" else [name])]
    return [read_experiment(name) for name in dict.fromkeys(every)]


def _run(
    experiments: list[Experiment],
    only: set[str],
    jobs: int,
    skip_missing: bool,
    save: bool,
    markdown_path: Path | None,
    *,
    quiet: bool,
) -> list[ResultRow]:
    """Runs the experiments, saves each one when it is done, and prints the tables; returns all rows."""
    from satchel.experiments import as_markdown, run_experiments

    rows, tables = [], []
    with progress_bar(lines=True) as on_progress:
        for done in run_experiments(
            experiments, only=only, jobs=jobs, skip_missing=skip_missing, on_progress=on_progress
        ):
            for sentence in done.left_out:
                notes.print(sentence, markup=False)
            rows += done.rows
            if done.rows:
                tables.append(as_markdown(done.experiment, done.rows))
            if save:
                _save(done.experiment, done.rows, keep=bool(only or done.left_out))
    if markdown_path is not None:
        write_text(markdown_path, "\n".join(tables))
    if not quiet:
        out.print("\n".join(tables), markup=False)
    return rows


def _save(experiment: Experiment, rows: Sequence[ResultRow], *, keep: bool) -> None:
    """Writes JSON and Markdown beside the experiment's file; with `keep`, saved rows that were not run again stay."""
    from satchel.experiments import as_markdown, merged, read_results, write_results

    path = experiment.path.with_suffix(".json")
    every = merged(experiment, rows, read_results(path) if keep and path.is_file() else [])
    if every:
        write_results(path, every)
        write_text(path.with_suffix(".md"), as_markdown(experiment, every))
        notes.print(f"saved beside {experiment.path}", markup=False)


def _draw(experiments: Sequence[Experiment]) -> None:
    """Writes the tables and figures of the experiments whose rows are saved."""
    from satchel.experiments import as_markdown, draw_figures, pictures_folder, read_results

    for experiment in experiments:
        path = experiment.path.with_suffix(".json")
        if not path.is_file() and len(experiments) > 1:
            notes.print(f"{experiment.name}: nothing saved, nothing drawn", markup=False)
            continue
        rows = read_results(path)
        write_text(path.with_suffix(".md"), as_markdown(experiment, rows))
        for picture in draw_figures(experiment, rows, pictures_folder(experiment)):
            notes.print(f"drawn: {picture}", markup=False)


def _write_json(to: Path | None, rows: Sequence[ResultRow], as_json: bool) -> None:
    from satchel.experiments import as_json as rows_as_json

    if to is not None or as_json:
        _write_or_print(rows_as_json(rows), to, as_json)


def _write_or_print(text: str, to: Path | None, as_json: bool) -> None:
    if to is not None:
        write_text(to, text)
    if as_json and str(to) != "-":
        write_text(Path("-"), text)


def _write_page(path: Path) -> None:
    from satchel.experiments import results_page

    write_text(path, results_page())
