"""The laboratory: one TOML file per table of a paper, run, judged against the published values, and reported."""

from satchel.experiments.machine import machine
from satchel.experiments.plan import Experiment, Method, find_experiments, read_experiment
from satchel.experiments.report import as_markdown, read_results, write_results
from satchel.experiments.results import ResultRow, verdict
from satchel.experiments.runner import run_experiment

__all__ = [
    "Experiment",
    "Method",
    "ResultRow",
    "as_markdown",
    "find_experiments",
    "machine",
    "read_experiment",
    "read_results",
    "run_experiment",
    "verdict",
    "write_results",
]
