"""The rows of `benchmarks.peers`: kept as JSON, shown as one table for each data set."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from statistics import fmean

MEASURES = ("mAP (11-point)", "P@20")


@dataclass(frozen=True)
class Row:
    """One encoder with one seed on one data set; measures in percent, times in CPU seconds of one thread.

    length: numbers per document. cut: share of texts that are not read to their end. tfidf_…: TfIdf's times, the mean
    of two runs, right before and right after.
    """

    dataset: str
    encoder: str
    seed: int
    n_documents: int
    n_queries: int
    length: int
    sparse: bool
    cut: float
    measures: dict[str, float]
    fit_seconds: float
    documents_per_second: float
    tfidf_fit_seconds: float
    tfidf_documents_per_second: float
    versions: str
    machine: str

    @property
    def key(self) -> tuple[str, str, int]:
        return self.dataset, self.encoder, self.seed


def read_rows(path: Path) -> list[Row]:
    return [Row(**row) for row in json.loads(path.read_text("utf-8"))] if path.is_file() else []


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """The rows, one a line, and the table beside them; an interrupted run leaves whole files."""
    lines = ",\n".join(json.dumps(asdict(row)) for row in rows)
    for target, text in ((path, f"[\n{lines}\n]\n"), (path.with_suffix(".md"), as_markdown(rows))):
        unfinished = target.with_name(f"{target.name}.part")
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(target)


def as_markdown(rows: Sequence[Row]) -> str:
    """A table for each data set, seeds averaged, under the machine and the versions they were measured with."""
    seen = dict.fromkeys(filter(None, (*(row.machine for row in rows), *(row.versions for row in rows))))
    tables = ["\n".join(_table(name, list(some))) for name, some in groupby(rows, lambda row: row.dataset)]
    return "\n\n".join([f"Measured on: {', '.join(seen)}.", *tables]) + "\n"


def _table(name: str, rows: list[Row]) -> Iterator[str]:
    yield f"### {name}: {rows[0].n_documents:,} documents, {rows[0].n_queries:,} queries\n"
    yield "| encoder | numbers | mAP (11-point) | P@20 | fit, s | × TfIdf | documents / s | × TfIdf | texts cut |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for _, seeds in groupby(rows, lambda row: row.encoder):
        yield _line(list(seeds))


def _line(seeds: list[Row]) -> str:
    first, fits, speeds = seeds[0], [row.fit_seconds for row in seeds], [row.documents_per_second for row in seeds]
    cells = [first.encoder, f"{first.length:,}{' (sparse)' if first.sparse else ''}"]
    cells += [f"{fmean(row.measures[name] for row in seeds):.1f}" for name in MEASURES]
    cells += [f"{fmean(fits):.2f}", _times(fmean(row.fit_seconds / row.tfidf_fit_seconds for row in seeds))]
    ratio = fmean(row.documents_per_second / row.tfidf_documents_per_second for row in seeds)
    cells += [f"{fmean(speeds):,.0f}", _times(ratio), f"{first.cut:.0%}" if first.cut else "–"]
    return f"| {' | '.join(cells)} |"


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"
