"""`satchel simulate`: a simulated user marks results, or screens a review to its end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from satchel.cli.console import notes, out, prepare_file, print_json, print_table, progress_bar
from satchel.cli.evaluate import check_picture
from satchel.errors import InputError, one_of
from satchel.parts import build, parameters_from
from satchel.progress import Progress

if TYPE_CHECKING:
    from satchel.evaluation import Effect, FeedbackResult, FeedbackRound, Refiner
    from satchel.experiments import FeedbackTask
    from satchel.screening import ScreeningModel

ENCODER = "BagOfEmbeddedWords"
METHOD = "auto"
REVIEWS = "reviews/"
SHOWN = ("mAP (11-point)", "P@10", "P@20", "nDCG@10")


def simulate(
    dataset: Annotated[str, typer.Argument(help="A name from `satchel data list`: labelled, judged or a review.")],
    encoder: Annotated[
        str | None, typer.Option(help="The encoder: TfIdf, Lsi, … or package.module:Class.", show_default=ENCODER)
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the encoder, such as n_codewords=32.")
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option("--method", help="The feedback: auto, rocchio, mask, mask+rocchio or none. Repeatable."),
    ] = None,
    tuned: Annotated[
        list[str] | None, typer.Option("--tune", help="A parameter of the feedback, such as rocchio_weights=paper.")
    ] = None,
    queries: Annotated[
        int, typer.Option(help="How many random test documents are queries. Judged queries are all used.", min=1)
    ] = 300,
    shown: Annotated[int, typer.Option(help="How many documents the user looks at in a round.", min=1)] = 30,
    relevant: Annotated[
        int, typer.Option(help="How many relevant marks the user makes in a round, at most.", min=0)
    ] = 5,
    irrelevant: Annotated[
        int, typer.Option(help="How many irrelevant marks the user makes in a round, at most.", min=0)
    ] = 5,
    rounds: Annotated[int, typer.Option(help="How many rounds of marks there are.", min=1)] = 1,
    mistakes: Annotated[
        float, typer.Option(help="The share of documents that the user judges wrongly.", min=0, max=1)
    ] = 0.0,
    choice: Annotated[str, typer.Option(help="Which of the documents the user marks: first or random.")] = "first",
    model: Annotated[
        str,
        typer.Option(
            "--screening-model", help="The model that screens: both, lexical, vectors or package.module:Class."
        ),
    ] = "both",
    seed: Annotated[int, typer.Option(help="The same seed gives the same numbers.", min=0)] = 0,
    draw: Annotated[Path | None, typer.Option(help="Draw the curves here (.png, .svg, .pdf).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Simulate a user who marks results, and measure what that changes; or screen a review to its end.

    The measures, with and without feedback, are those of the residual collection: marked documents are removed from
    the ranking and from the relevant documents.

    \b
    Examples:
      satchel simulate r8 --method auto --method rocchio --rounds 3 --draw rounds.png
      satchel simulate cranfield --encoder TfIdf --method rocchio --tune rocchio_weights=paper
      satchel simulate reviews/Kitchenham_2010 --seed 1
    """
    if draw is not None:
        check_picture(draw, "--draw")
        prepare_file(draw, "--draw")
    if dataset.startswith(REVIEWS):
        if encoder or parameters or methods or tuned:
            raise InputError("a review is screened by --screening-model; leave out --encoder, --set, --method, --tune")
        _screen(dataset, model, seed, draw, as_json)
        return
    user = {
        "n_shown": shown,
        "n_relevant": relevant,
        "n_irrelevant": irrelevant,
        "rounds": rounds,
        "mistakes": mistakes,
        "choice": choice,
        "random_state": seed,
    }
    feedbacks = _feedbacks(methods or [METHOD], tuned or [], seed)
    task = _encode(dataset, encoder or ENCODER, parameters or [], queries, seed)
    results = _simulate(task, feedbacks, user)
    if draw is not None:
        _draw(results, draw)
    about = {"data set": dataset, "encoder": encoder or ENCODER, "seconds of encoding": round(task.seconds, 1)}
    _print({**about, **user}, results, as_json)


def _feedbacks(methods: list[str], tuned: list[str], seed: int) -> dict[str, Refiner]:
    from satchel.experiments import NO_FEEDBACK, build_feedback
    from satchel.feedback import Method

    parameters = parameters_from(tuned)
    for name in methods:
        one_of("method", name, (*get_args(Method), NO_FEEDBACK))
    return {name: build_feedback({**parameters, "method": name}, seed) for name in methods}


def _encode(dataset: str, encoder: str, parameters: list[str], queries: int, seed: int) -> FeedbackTask:
    from satchel.experiments import feedback_task

    with notes.status(f"{encoder} on {dataset}"):
        return feedback_task(dataset, encoder, parameters_from(parameters), n_queries=queries, seed=seed)


def _simulate(
    task: FeedbackTask, feedbacks: Mapping[str, Refiner], user: Mapping[str, Any]
) -> dict[str, FeedbackResult]:
    """Runs each method with the same queries and the same first marks."""
    from satchel.evaluation import simulate_feedback

    results = {}
    with progress_bar() as show:
        for name, feedback in feedbacks.items():
            results[name] = simulate_feedback(
                task.database,
                task.names,
                task.queries,
                task.query_names,
                judgments=task.judgments,
                feedback=feedback,
                on_progress=partial(_of_method, show, name),
                **user,
            )
    return results


def _of_method(show: Progress, method: str, stage: str, done: int, total: int) -> None:
    show(f"{stage}: {method}", done, total)


def _draw(results: Mapping[str, FeedbackResult], path: Path) -> None:
    from satchel.evaluation import draw_feedback

    draw_feedback(results).savefig(path, dpi=150)


def _print(about: Mapping[str, object], results: Mapping[str, FeedbackResult], as_json: bool) -> None:
    from satchel.evaluation import FROZEN, RESIDUAL

    numbered = [(name, number + 1, one) for name, result in results.items() for number, one in enumerate(result.rounds)]
    if as_json:
        rows = [{"method": name, "round": number, **_as_row(one)} for name, number, one in numbered]
        print_json({**about, "residual": RESIDUAL, "frozen": FROZEN, "rows": rows})
        return
    cells = [
        (name, str(number), measure, *(f"{value:.2f}" for value in list(effect.values())[:4]), f"{effect['p']:.4f}")
        for name, number, one in numbered
        for measure, effect in _percent(one.residual).items()
    ]
    n_queries = len(next(iter(results.values())).evaluated)
    title = f"{about['encoder']} on {about['data set']}: {n_queries} queries, in percent; {RESIDUAL}"
    print_table(("method", "round", "measure", "none", "feedback", "better", "worse", "p"), cells, title=title)
    out.print("better, worse: the share of queries that feedback changed for the better or the worse; p: against none")


def _as_row(one: FeedbackRound) -> dict[str, object]:
    return {
        "relevant marks": round(float(one.n_relevant.mean()), 3),
        "irrelevant marks": round(float(one.n_irrelevant.mean()), 3),
        "queries": len(one.residual.feedback.evaluated),
        "residual": _percent(one.residual),
        "frozen": _percent(one.frozen),
    }


def _percent(effect: Effect) -> dict[str, dict[str, float]]:
    """Means and shares of queries in percent, rounded, and the p-value."""
    measured = {}
    for measure in SHOWN:
        compared = effect.comparison(measure)
        n_queries = len(effect.feedback.evaluated)
        measured[measure] = {
            "none": round(100 * compared.mean_b, 3),
            "feedback": round(100 * compared.mean_a, 3),
            "better": round(100 * compared.wins / n_queries, 3),
            "worse": round(100 * compared.losses / n_queries, 3),
            "p": round(compared.p_randomisation, 5),
        }
    return measured


def _screen(dataset: str, model: str, seed: int, draw: Path | None, as_json: bool) -> None:
    """Starts from one relevant and one irrelevant record, drawn by the seed, and shows the others best first."""
    from satchel.datasets import Review, load
    from satchel.evaluation import draw_screening, simulate_screening
    from satchel.experiments import first_records, screening_values

    learner: ScreeningModel = build("screening model", {"name": model}, seed)
    review = load(dataset)
    if not isinstance(review, Review):
        raise InputError(f"{dataset!r} is not a review; choose one from `satchel data list`")
    begin, first = perf_counter(), first_records(review.included, seed)
    with notes.status(f"screening {dataset}"):
        result = simulate_screening(review.texts, review.included, first, model=learner)
    measures = {name: round(value, 4) for name, value in screening_values(result).items()}
    if draw is not None:
        stop = {dataset: measures["records at the stop"]}
        draw_screening({dataset: result.recall_curve}, stop).savefig(draw, dpi=150)
    about = {"data set": dataset, "records": len(review), "relevant": int(review.included.sum()), "start": first}
    if as_json:
        seconds = round(perf_counter() - begin, 1)
        summary = {**about, "model": model, "seed": seed, "seconds": seconds, "measures": measures}
        print_json({**summary, "order": result.order.tolist()})
        return
    start = f"screened from records {first[0]} (relevant) and {first[1]}"
    title = f"{dataset}: {len(review)} records, {about['relevant']} relevant; {start}"
    print_table(("measure", "value"), [(name, f"{value:.4f}") for name, value in measures.items()], title=title)
    out.print("the stop: where 95 % recall was likely reached, by the judgments up to there alone; all as shares of 1")
