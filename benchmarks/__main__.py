"""Runs every benchmark, prints the table and writes it to benchmarks/results.md: `make bench`."""

import importlib
import sys
from pathlib import Path

from benchmarks.timing import Row

FOLDER = Path(__file__).parent


def main(wanted: list[str]) -> None:
    names = sorted(path.stem for path in FOLDER.glob("bench_*.py"))
    chosen = [name for name in names if not wanted or name.removeprefix("bench_") in wanted]
    if not chosen:
        sys.exit(f"unknown benchmark; choose from {', '.join(name.removeprefix('bench_') for name in names)}")
    rows: list[Row] = []
    for name in chosen:
        print(f"… {name}", file=sys.stderr)
        rows += importlib.import_module(f"benchmarks.{name}").run()
    table = as_markdown(rows)
    print(table)
    if not wanted:
        (FOLDER / "results.md").write_text(f"{machine()}\n\n{table}\n", encoding="utf-8")


def as_markdown(rows: list[Row]) -> str:
    lines = ["| what | ours, s | peer | peer, s | ours / peer | note |", "| --- | ---: | --- | ---: | ---: | --- |"]
    lines += [
        f"| {row.name} | {row.ours_seconds:.4g} | {row.peer} | {row.peer_seconds:.4g} | {row.ratio:.2f} | {row.note} |"
        for row in rows
    ]
    return "\n".join(lines)


def machine() -> str:
    from satchel.experiments import machine as description

    return f"Measured in one run on: {description()}. Medians; ours / peer below 1 means that we are faster."


if __name__ == "__main__":
    main(sys.argv[1:])
