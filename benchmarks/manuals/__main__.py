"""Asks whole manuals by the headings of their sections: `python -m benchmarks.manuals --folder FOLDER`.

The texts come from Debian's documentation packages, by apt-get; they are kept in the folder, and never installed.
Choose settings with `--split choose`, which asks for half of the manuals, and report `--split judge`, the other half.
"""

import argparse
import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random
from statistics import mean, pstdev
from time import process_time
from typing import NamedTuple, get_args

from threadpoolctl import threadpool_limits

from benchmarks.manuals.build import Half, Heading, JudgedSet, judged_set
from benchmarks.manuals.rankers import SYSTEMS, Ranked
from satchel.experiments import machine
from satchel.storage import cache_folder

MOST_A_MANUAL = 20
RESULTS = Path(__file__).parent


class Judged(NamedTuple):
    """Means over the seeds; first: the share of queries whose manual is first, spread: its standard deviation.

    Seconds are CPU time; the two modes of Satchel share one collection, which the first of them builds.
    """

    method: str
    first: float
    spread: float
    mrr: float
    n_queries: int
    seconds_to_build: float
    seconds_to_ask: float


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.manuals", description=__doc__)
    parser.add_argument("--folder", type=Path, default=cache_folder() / "manuals", help="for packages and texts")
    parser.add_argument("--split", choices=get_args(Half), default="choose")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--methods", nargs="+", choices=SYSTEMS, default=list(SYSTEMS), metavar="NAME")
    parser.add_argument("--save", action="store_true", help="write the results beside this module")
    given = parser.parse_args()
    data = judged_set(given.folder)
    samples = [sample(data.headings, given.split, seed) for seed in given.seeds]
    with threadpool_limits(1):
        found = [judged(name, data, samples) for name in given.methods]
    head = (
        f"{len(data.texts)} manuals of {sum(len(text.text.split()) for text in data.texts):,} words, split "
        f'"{given.split}", seeds {", ".join(map(str, given.seeds))}; {machine()}.'
    )
    table = f"{head}\n\n{as_markdown(found)}\n"
    print(table)
    if given.save:
        packages = sorted({text.package for text in data.texts})
        told = {"head": head, "seeds": given.seeds, "results": [row._asdict() for row in found], "packages": packages}
        (RESULTS / f"{given.split}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        (RESULTS / f"{given.split}.md").write_text(table, encoding="utf-8")


def sample(headings: Sequence[Heading], half: Half, seed: int) -> list[Heading]:
    """At most 20 questions to each manual of the half."""
    random, by_manual = Random(seed), dict[str, list[Heading]]()
    for heading in headings:
        if heading.half == half:
            by_manual.setdefault(heading.manual, []).append(heading)
    return [
        heading
        for own in by_manual.values()
        for heading in random.sample(own, min(MOST_A_MANUAL, len(own)))
    ]  # fmt: skip


def judged(method: str, data: JudgedSet, samples: Sequence[Sequence[Heading]]) -> Judged:
    start = process_time()
    ranked = SYSTEMS[method](data.texts)
    built = process_time()
    ranks = {heading: rank_of(heading, ranked) for heading in dict.fromkeys(chain(*samples))}
    asked = process_time()
    firsts = [mean(ranks[heading] == 1 for heading in some) for some in samples]
    mrr = mean(mean(1 / ranks[heading] if ranks[heading] else 0.0 for heading in some) for some in samples)
    return Judged(method, mean(firsts), pstdev(firsts), mrr, sum(map(len, samples)), built - start, asked - built)


def rank_of(heading: Heading, ranked: Ranked) -> int:
    """The place of the manual, from 1; 0 where it is not found."""
    found = ranked(heading.query)
    return found.index(heading.manual) + 1 if heading.manual in found else 0


def as_markdown(found: Sequence[Judged]) -> str:
    lines = [
        "| | first, % | MRR | queries | to build, CPU s | to ask, CPU s |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {row.method} | {100 * row.first:.1f} ± {100 * row.spread:.1f} | {row.mrr:.3f} | {row.n_queries:,} "
        f"| {row.seconds_to_build:.0f} | {row.seconds_to_ask:.0f} |"
        for row in found
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
