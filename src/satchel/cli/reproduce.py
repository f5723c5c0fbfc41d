"""`satchel reproduce`: the papers' tables, ours beside the published values."""

from pathlib import Path
from typing import Annotated

import typer

from satchel.cli.console import as_json_text, notes, out, prepare_file, print_table, steps, write_text
from satchel.errors import InputError


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(help="Experiments, such as pt18/table3, or 'all'.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the experiments and exit.")] = False,
    json_path: Annotated[Path | None, typer.Option("--json", help="Write the rows as JSON ('-': print).")] = None,
    markdown_path: Annotated[Path | None, typer.Option("--markdown", help="Write the tables as Markdown.")] = None,
    save: Annotated[bool, typer.Option("--save", help="Write JSON and Markdown beside the experiment's file.")] = False,
) -> None:
    """Run the papers' tables and judge ours against theirs.

    Each row is OK, OKish or FAIL; one FAIL makes the exit code 1.

    \b
    Examples:
      satchel reproduce --list
      satchel reproduce pt18/table3 --json out.json
    """
    for option, path in (("--json", json_path), ("--markdown", markdown_path)):
        prepare_file(path, option)
    if listing:
        _list(json_path)
        return
    if not names:
        raise InputError("name an experiment, or 'all'; `satchel reproduce --list` shows them")
    verdicts = _run(names, json_path, markdown_path, save)
    if "FAIL" in verdicts:
        raise typer.Exit(code=1)


def _list(json_path: Path | None) -> None:
    from satchel.experiments import find_experiments, read_experiment

    experiments = [read_experiment(name) for name in find_experiments()]
    columns = ("experiment", "source", "title", "data set", "methods")
    rows = [(e.name, e.source, e.title, e.dataset, len(e.methods)) for e in experiments]
    if json_path is not None:
        write_text(json_path, as_json_text([dict(zip(columns, row, strict=True)) for row in rows]))
    else:
        print_table(columns, [tuple(map(str, row)) for row in rows])


def _run(names: list[str], json_path: Path | None, markdown_path: Path | None, save: bool) -> set[str]:
    from satchel.experiments import as_markdown, find_experiments, read_experiment, run_experiment, write_results
    from satchel.experiments.report import as_json
    from satchel.experiments.runner import steps_of

    every = [known for name in names for known in (find_experiments() if name == "all" else [name])]
    experiments = [read_experiment(name) for name in dict.fromkeys(every)]
    rows, tables = [], []
    with steps(sum(map(steps_of, experiments))) as on_step:
        for experiment in experiments:
            results = run_experiment(experiment, on_step=on_step)
            rows += results
            tables.append(as_markdown(experiment, results))
            if save:
                write_results(experiment.path.with_suffix(".json"), results)
                write_text(experiment.path.with_suffix(".md"), tables[-1])
                notes.print(f"saved beside {experiment.path}", markup=False)
    if json_path is not None:
        write_text(json_path, as_json(rows))
    if markdown_path is not None:
        write_text(markdown_path, "\n".join(tables))
    if str(json_path) != "-":
        out.print("\n".join(tables), markup=False)
    return {row.verdict for row in rows}
