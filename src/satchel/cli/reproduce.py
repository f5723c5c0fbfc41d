"""`satchel reproduce`: the papers' tables, ours beside the published values."""

from pathlib import Path
from typing import Annotated

import typer

from satchel.cli.console import notes, out, print_table, steps, write_text
from satchel.errors import InputError


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(help="Experiments, such as pt18/table3, or 'all'.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the experiments and exit.")] = False,
    json_path: Annotated[Path | None, typer.Option("--json", help="Write the rows as JSON ('-': print).")] = None,
    markdown_path: Annotated[Path | None, typer.Option("--markdown", help="Write the tables as Markdown.")] = None,
    save: Annotated[bool, typer.Option("--save", help="Write JSON and Markdown beside the experiment's file.")] = False,
) -> None:
    """Run experiments of the papers and judge them: OK, OKish or FAIL.

    Exit code 1 when a row is FAIL.

    Examples: satchel reproduce --list · satchel reproduce pt18/table3 --json out.json
    """
    if listing:
        _list()
        return
    if not names:
        raise InputError("name an experiment, or 'all'; `satchel reproduce --list` shows them")
    verdicts = _run(names, json_path, markdown_path, save)
    if "FAIL" in verdicts:
        raise typer.Exit(code=1)


def _list() -> None:
    from satchel.experiments import find_experiments, read_experiment

    experiments = [read_experiment(name) for name in find_experiments()]
    rows = [(e.name, e.source, e.title, e.dataset, str(len(e.methods))) for e in experiments]
    print_table(("experiment", "source", "title", "data set", "methods"), rows)


def _run(names: list[str], json_path: Path | None, markdown_path: Path | None, save: bool) -> set[str]:
    from satchel.experiments import as_markdown, find_experiments, read_experiment, run_experiment, write_results
    from satchel.experiments.report import as_json
    from satchel.experiments.runner import steps_of

    experiments = [read_experiment(name) for name in (find_experiments() if names == ["all"] else names)]
    rows, tables = [], []
    with steps(sum(map(steps_of, experiments))) as on_step:
        for experiment in experiments:
            results = run_experiment(experiment, on_step=on_step)
            rows += results
            tables.append(as_markdown(experiment, results))
            if save:
                target = find_experiments()[experiment.name]
                write_results(target.with_suffix(".json"), results)
                write_text(target.with_suffix(".md"), tables[-1])
                notes.print(f"saved beside {target.name}")
    if json_path is not None:
        write_text(json_path, as_json(rows))
    if markdown_path is not None:
        write_text(markdown_path, "\n".join(tables))
    if str(json_path) != "-":
        out.print("\n".join(tables), markup=False)
    return {row.verdict for row in rows}
