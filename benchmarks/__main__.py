"""Runs the benchmarks, prints the table and writes it to benchmarks/results.md: `make bench`."""

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.timing import Row

FOLDER = Path(__file__).parent


def main(arguments: list[str]) -> None:
    names = sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "wanted", nargs="*", choices=[[], *names], metavar="NAME", help=f"all, or of {', '.join(names)}"
    )
    parser.add_argument("--write", type=Path, help="a file for the table; results.md where all are run")
    given = parser.parse_args(arguments)
    rows: list[Row] = []
    for name in given.wanted or names:
        print(f"… {name}", file=sys.stderr)
        rows += importlib.import_module(f"benchmarks.bench_{name}").run()
    table = as_markdown(rows)
    print(table)
    target = given.write or (None if given.wanted else FOLDER / "results.md")
    if target is not None:
        target.write_text(f"{machine()}\n\n{table}\n", encoding="utf-8")


def as_markdown(rows: list[Row]) -> str:
    lines = ["| what | ours | peer | peer's | ours / peer | note |", "| --- | ---: | --- | ---: | ---: | --- |"]
    lines += [
        f"| {row.name} | {row.ours:.4g} {row.unit} | {row.peer} | {row.theirs:.4g} {row.unit} "
        f"| {row.ratio:.2f} | {row.note} |"
        for row in rows
    ]
    return "\n".join(lines)


def machine() -> str:
    from satchel.experiments import machine as description

    return f"Measured in one run on: {description()}. Medians; ours / peer below 1 means faster, or less memory."


if __name__ == "__main__":
    main(sys.argv[1:])
