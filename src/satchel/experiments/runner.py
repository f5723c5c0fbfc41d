"""Runs experiments: every method and every seed, by the protocol that the file names, in one process or several."""

import multiprocessing
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from statistics import fmean
from typing import NamedTuple, TypeVar

from satchel.errors import MissingExtraError, unknown_name, whole_number
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols import PROTOCOLS
from satchel.experiments.results import Outcome, ResultRow, Verdict, by_condition, machine, verdict
from satchel.parts import forget_words
from satchel.progress import Progress, no_progress

READS_OTHERS = ("selection", "topic-curves")  # the protocols whose steps need the rows that others have saved


class Step(NamedTuple):
    """One method with one seed: the unit of work."""

    experiment: Experiment
    method: Method
    seed: int
    skip_missing: bool = False

    def __str__(self) -> str:
        setting = "".join(f", {value}" for value in self.method.setting.values())
        return f"{self.experiment.name}: {self.method.method}{setting}, seed {self.seed}"


class Finished(NamedTuple):
    """The rows of a step. missing: the extra that is not installed, if the step could not run."""

    rows: list[ResultRow]
    missing: str = ""


class Done(NamedTuple):
    """An experiment with its rows in the file's order, and the steps that were left out, with reasons."""

    experiment: Experiment
    rows: list[ResultRow]
    left_out: list[str]


def run_experiment(experiment: Experiment, *, jobs: int = 1, on_progress: Progress = no_progress) -> list[ResultRow]:
    """Runs an experiment and returns all its rows; on_progress is called for each method and seed."""
    return next(run_experiments([experiment], jobs=jobs, on_progress=on_progress)).rows


def run_experiments(
    experiments: Sequence[Experiment],
    *,
    only: Collection[str] = (),
    jobs: int = 1,
    skip_missing: bool = False,
    on_progress: Progress = no_progress,
) -> Iterator[Done]:
    """Yields each experiment when all its rows are there. Experiments that read the saved rows of others come last.

    only: the names of the methods to run; by default all. skip_missing: leave out methods whose extra is not
    installed, in place of stopping the run. on_progress: receives each step, how many are done and how many there are.
    """
    steps = steps_of(experiments, only, skip_missing)
    late = [step for step in steps if step.experiment.protocol in READS_OTHERS]
    early = [step for step in steps if step not in late]

    def counted_from(n_before: int) -> Progress:
        return lambda step, done, _: on_progress(step, n_before + done, len(steps))

    try:
        yield from _run(early, jobs, counted_from(0))
        yield from _run(late, 1, counted_from(len(early)))
    finally:
        KEPT.forget()
        forget_words()


def steps_of(experiments: Sequence[Experiment], only: Collection[str] = (), skip_missing: bool = False) -> list[Step]:
    """Lists the steps to run."""
    methods = {method.method for experiment in experiments for method in experiment.methods}
    for name in only:
        if name not in methods:
            raise unknown_name("method", name, methods)
    return [
        Step(experiment, method, seed, skip_missing)
        for experiment in experiments
        for method in experiment.methods
        for seed in method.seeds
        if not only or method.method in only
    ]


def run_step(step: Step) -> Finished:
    """Runs one method with one seed; returns a row for each distance."""
    experiment, method, seed, skip_missing = step
    try:
        outcomes = list(PROTOCOLS[experiment.protocol].run(experiment, method, seed))
    except MissingExtraError as error:
        if not skip_missing:
            raise
        return Finished([], f"{step} is left out: {error}")
    here = machine()
    return Finished([_row(step, outcome, here) for outcome in outcomes])


def verdict_of(experiment: Experiment, method: Method, rows: Sequence[ResultRow]) -> Verdict | None:
    """Gives the verdict on the rows of one condition; None if nothing was published or no tolerance is set."""
    published, tolerance = method.published.get(rows[0].distance), experiment.tolerance_of(method)
    if published is None or tolerance is None:
        return None
    mean = fmean(row.measures[experiment.judged_by] for row in rows)
    return verdict(mean, published[experiment.judged_by], tolerance)


def merged(experiment: Experiment, rows: Sequence[ResultRow], saved: Sequence[ResultRow]) -> list[ResultRow]:
    """Joins the new rows with the saved rows that were not run again, in the order of the experiment."""
    order = {
        (condition, seed): position
        for position, (condition, seed) in enumerate(
            (condition, seed) for m in experiment.methods for condition in m.conditions for seed in m.seeds
        )
    }
    known = {(row.condition, row.seed): row for row in (*saved, *rows) if (row.condition, row.seed) in order}
    return judged(experiment, [known[key] for key in sorted(known, key=order.__getitem__)])


def judged(experiment: Experiment, rows: Sequence[ResultRow]) -> list[ResultRow]:
    """Gives each row the verdict on the mean over its condition's seeds, because the paper gives means too."""
    methods = {condition: method for method in experiment.methods for condition in method.conditions}
    verdicts = {
        group[0].condition: verdict_of(experiment, methods[group[0].condition], group) for group in by_condition(rows)
    }
    return [replace(row, verdict=verdicts[row.condition]) for row in rows]


def _run(steps: Sequence[Step], jobs: int, on_progress: Progress) -> Iterator[Done]:
    results = run_in_order(run_step, steps, jobs, on_progress)
    for _, group in groupby(steps, key=lambda step: step.experiment.name):
        own = list(group)
        yield _done(own, [next(results) for _ in own])


def _done(steps: Sequence[Step], finished: Sequence[Finished]) -> Done:
    experiment, rows = steps[0].experiment, [row for result in finished for row in result.rows]
    return Done(experiment, merged(experiment, rows, []), [result.missing for result in finished if result.missing])


def _row(step: Step, outcome: Outcome, here: str) -> ResultRow:
    method = step.method
    published = method.published.get(outcome.distance, {})
    return ResultRow(
        method=method.method,
        distance=outcome.distance,
        length=outcome.length,
        measures=outcome.measures,
        published=published,
        verdict=None,
        seconds=round(outcome.seconds, 2),
        seed=step.seed,
        machine=here,
        note=method.note,
        setting=method.setting,
        series=outcome.series,
    )


THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

T = TypeVar("T")
R = TypeVar("R")


def run_in_order(
    function: Callable[[T], R], arguments: Sequence[T], jobs: int, on_progress: Progress = no_progress
) -> Iterator[R]:
    """Yields the results in the order of the arguments, whatever the number of processes.

    on_progress is called before and after each argument that runs in this process, and after each that runs in
    another.
    """
    if whole_number("jobs", jobs) == 1 or len(arguments) < 2:
        for done, argument in enumerate(arguments):
            on_progress(str(argument), done, len(arguments))
            result = function(argument)
            on_progress(str(argument), done + 1, len(arguments))
            yield result
    else:
        yield from _in_processes(function, arguments, jobs, on_progress)


def _in_processes(function: Callable[[T], R], arguments: Sequence[T], jobs: int, on_progress: Progress) -> Iterator[R]:
    """Reports progress from the calling thread, because no other thread could stop the run."""
    pool = ProcessPoolExecutor(min(jobs, len(arguments)), multiprocessing.get_context("spawn"))
    try:
        with _one_thread_each():  # a process reads the number of its threads when it starts
            futures = {pool.submit(function, argument): str(argument) for argument in arguments}
        running = set(futures)
        for future in futures:
            while future in running:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for done, one in enumerate(ended, start=len(futures) - len(running) - len(ended) + 1):
                    on_progress(futures[one], done, len(futures))
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
