"""The laboratory: one TOML file per table or figure of a paper, run, judged against the published values, reported."""

from satchel.experiments.figures import draw_figures
from satchel.experiments.plan import Experiment, Method, Picture
from satchel.experiments.reading import find_experiments, read_experiment
from satchel.experiments.report import as_markdown, pictures_folder, results_page
from satchel.experiments.results import ResultRow, machine, read_results, verdict, write_results
from satchel.experiments.runner import merged, run_experiment, run_experiments, steps_of

__all__ = [
    "Experiment",
    "Method",
    "Picture",
    "ResultRow",
    "as_markdown",
    "draw_figures",
    "find_experiments",
    "machine",
    "merged",
    "pictures_folder",
    "read_experiment",
    "read_results",
    "results_page",
    "run_experiment",
    "run_experiments",
    "steps_of",
    "verdict",
    "write_results",
]
