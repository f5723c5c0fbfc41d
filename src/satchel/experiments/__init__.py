"""Experiments: one TOML file per table or figure of a paper, run, compared with the published values, reported."""

from satchel.experiments.figures import draw_figures
from satchel.experiments.plan import Experiment, Method, Picture
from satchel.experiments.protocols.feedback import NO_FEEDBACK, FeedbackTask, build_feedback, feedback_task
from satchel.experiments.protocols.judging import judge_adhoc, judge_label_retrieval
from satchel.experiments.protocols.screening import first_records, screening_values
from satchel.experiments.protocols.topics import judge_first_words
from satchel.experiments.reading import find_experiments, read_experiment
from satchel.experiments.report import as_markdown, pictures_folder, results_page
from satchel.experiments.results import ResultRow, as_json, machine, read_results, verdict, write_results
from satchel.experiments.runner import merged, run_experiment, run_experiments, steps_of
from satchel.experiments.verify import verify_documentation

__all__ = [
    "NO_FEEDBACK",
    "Experiment",
    "FeedbackTask",
    "Method",
    "Picture",
    "ResultRow",
    "as_json",
    "as_markdown",
    "build_feedback",
    "draw_figures",
    "feedback_task",
    "find_experiments",
    "first_records",
    "judge_adhoc",
    "judge_first_words",
    "judge_label_retrieval",
    "machine",
    "merged",
    "pictures_folder",
    "read_experiment",
    "read_results",
    "results_page",
    "run_experiment",
    "run_experiments",
    "screening_values",
    "steps_of",
    "verdict",
    "verify_documentation",
    "write_results",
]
