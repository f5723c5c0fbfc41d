"""`satchel evaluate`: an encoder on a data set, or a run against judgments."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from satchel.cli.console import notes, out, prepare_file, print_json, print_table
from satchel.errors import InputError, missing_extra
from satchel.parts import PARTS, build, parameters_from

if TYPE_CHECKING:
    from satchel.datasets import AdHocSet, LabelledSet
    from satchel.encoders import Encoder
    from satchel.evaluation import RunResult
    from satchel.ranking import Metric, Retriever

PICTURES = (".png", ".svg", ".pdf")


class Evaluation(NamedTuple):
    """The measures, what was measured, and a remark that a reader needs to understand them."""

    measures: Mapping[str, float]
    about: dict[str, object]
    remark: str = ""


def evaluate(
    dataset: Annotated[str | None, typer.Argument(help="A name from `satchel data list`.")] = None,
    encoder: Annotated[str, typer.Option(help="The encoder: TfIdf, Lsi, … or package.module:Class.")] = "Lsi",
    retriever: Annotated[
        str | None,
        typer.Option(help="A retriever in place of an encoder: Bm25, FeedForwardRetriever, … or package.module:Class."),
    ] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the encoder or retriever, such as k1=1.2.")
    ] = None,
    labels: Annotated[
        bool, typer.Option("--with-labels", help="Train on the labels of the train split. Networks need them.")
    ] = False,
    distance: Annotated[str, typer.Option(help="The distance: cosine or euclidean.")] = "cosine",
    seed: Annotated[int, typer.Option(help="The same seed gives the same numbers.", min=0)] = 0,
    run_path: Annotated[Path | None, typer.Option("--run", help="Judge this TREC run instead of an encoder.")] = None,
    judgments_path: Annotated[
        Path | None, typer.Option("--judgments", help="The judgments for --run: TREC qrels or BEIR's tsv.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the run (as TREC's) or the curves (.png, .svg, .pdf) here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Evaluate an encoder or a retriever on a data set, or a run against judgments.

    In a labelled set, each test text is a query for the train texts with its label. A retriever gets the first 5, 10,
    15 and 20 words of each test text.

    \b
    Examples:
      satchel evaluate r8 --encoder Lsi --set n_components=64
      satchel evaluate webkb --encoder BagOfEmbeddedWords --with-labels --set n_codewords=16
      satchel evaluate cranfield --encoder TfIdf --output run.txt
      satchel evaluate cranfield --retriever Bm25 --set k1=1.2
      satchel evaluate r52 --retriever FeedForwardRetriever --with-labels --set hidden=100 --set max_epochs=5
      satchel evaluate --run run.txt --judgments qrels.txt
    """
    if run_path is not None and judgments_path is not None:
        if dataset is not None or output is not None or parameters or retriever:
            options = "--retriever, --set and --output"
            raise InputError(f"--run and --judgments need nothing else; leave out the data set, {options}")
        evaluation = _judge_files(run_path, judgments_path)
    elif dataset is not None and run_path is None and judgments_path is None:
        if retriever is not None:
            if distance != "cosine" or encoder != "Lsi":
                raise InputError("--retriever ranks by its own score; leave out --encoder and --distance")
            evaluation = _judge_retriever(dataset, retriever, parameters or [], labels, seed, output)
        else:
            with notes.status(f"{encoder} on {dataset}"):
                evaluation = _judge_encoder(dataset, encoder, parameters or [], labels, distance, seed, output)
    else:
        raise InputError("give a data set's name, or both --run and --judgments")
    _print(evaluation, as_json)


def _print(evaluation: Evaluation, as_json: bool) -> None:
    if as_json:
        print_json({**evaluation.about, "measures": dict(evaluation.measures)})
        return
    title = ", ".join(f"{key} {value}" for key, value in evaluation.about.items())
    print_table(
        ("measure", "value"), [(name, f"{value:.4f}") for name, value in evaluation.measures.items()], title=title
    )
    if evaluation.remark:
        out.print(evaluation.remark, markup=False)


def _judge_files(run_path: Path, judgments_path: Path) -> Evaluation:
    from satchel.datasets import read_judgments
    from satchel.evaluation import evaluate_run, read_run

    result = evaluate_run(read_run(run_path), read_judgments(judgments_path))
    return _evaluation_of_run(result, {"run": run_path.name, "judgments": judgments_path.name})


def _evaluation_of_run(result: RunResult, about: dict[str, object]) -> Evaluation:
    n_queries, n_missing = len(result.query_ids), len(result.missing)
    remark = f"{n_missing} of {n_queries} judged queries not answered; they count 0" if n_missing else ""
    return Evaluation(result.measures, {**about, "judged queries": n_queries, "not answered": n_missing}, remark)


def _judge_encoder(
    dataset: str, encoder: str, parameters: list[str], labels: bool, distance: str, seed: int, output: Path | None
) -> Evaluation:
    from satchel.datasets import AdHocSet, LabelledSet, load
    from satchel.ranking import EncoderRetriever, check_metric

    metric = check_metric(distance)
    prepare_file(output, "--output")
    model: Encoder = build("encoder", {**parameters_from(parameters), "name": encoder}, seed)
    data = load(dataset)
    about: dict[str, object] = {"data set": dataset, "encoder": encoder, "distance": distance}
    if isinstance(data, LabelledSet):
        return _judge_labelled(data, model, labels, metric, output, about)
    if isinstance(data, AdHocSet):
        return _judge_adhoc(data, EncoderRetriever(model, metric), output, about)
    raise InputError(f"{dataset!r} has neither a test split nor judgments; choose another from `satchel data list`")


def _judge_retriever(
    dataset: str, name: str, parameters: list[str], labels: bool, seed: int, output: Path | None
) -> Evaluation:
    from satchel.datasets import AdHocSet, LabelledSet, load

    prepare_file(output, "--output")
    given = parameters_from(parameters)
    has_bar = name in PARTS["network"] and bool(given.setdefault("verbose", notes.is_terminal))
    retriever: Retriever = build("retriever", {**given, "name": name}, seed)
    data = load(dataset)
    about: dict[str, object] = {"data set": dataset, "retriever": name}
    with nullcontext() if has_bar else notes.status(f"{name} on {dataset}"):
        if isinstance(data, LabelledSet):
            return _judge_first_words(data, retriever, labels, output, about)
        if not isinstance(data, AdHocSet):
            raise InputError(
                f"{dataset!r} has neither a test split nor judgments; choose another from `satchel data list`"
            )
        if labels:
            raise InputError(f"the texts of {dataset!r} have no labels; leave out --with-labels")
        return _judge_adhoc(data, retriever, output, about)


def _judge_first_words(
    data: LabelledSet, retriever: Retriever, labels: bool, output: Path | None, about: dict[str, object]
) -> Evaluation:
    from satchel.experiments import judge_first_words

    if output is not None:
        raise InputError("--output writes nothing for a retriever on a labelled set; leave it out")
    start = perf_counter()
    measures = judge_first_words(data, retriever, labels=labels)
    alone = not labels and hasattr(retriever, "topics_")
    remark = "the network knew only one topic, that of all texts; --with-labels gives it the topics" if alone else ""
    return Evaluation(measures, {**about, "labels": labels, "seconds": round(perf_counter() - start, 1)}, remark)


def _judge_labelled(
    data: LabelledSet, model: Encoder, labels: bool, metric: Metric, output: Path | None, about: dict[str, object]
) -> Evaluation:
    from satchel.evaluation import draw_curves
    from satchel.experiments import judge_label_retrieval

    if output is not None:
        check_picture(output, "--output")
    judged = judge_label_retrieval(data, model, [metric], labels=labels)[0]
    if output is not None:
        draw_curves({type(model).__name__: judged.result}).savefig(output, dpi=150)
    return Evaluation(judged.result.measures, {**about, "numbers": judged.length, "seconds": round(judged.seconds, 1)})


def _judge_adhoc(data: AdHocSet, retriever: Retriever, output: Path | None, about: dict[str, object]) -> Evaluation:
    from satchel.evaluation import write_run
    from satchel.experiments import judge_adhoc

    judged = judge_adhoc(data, retriever)
    if output is not None:
        write_run(output, judged.run)
    return _evaluation_of_run(judged.result, {**about, "seconds": round(judged.seconds, 1)})


def check_picture(path: Path, option: str) -> None:
    """Checks, before anything is computed, that curves can be drawn to this file."""
    from importlib.util import find_spec

    if path.suffix.lower() not in PICTURES:
        raise InputError(f"{option} is {path}; pictures are drawn to {', '.join(PICTURES)}")
    if find_spec("matplotlib") is None:
        raise missing_extra("drawing curves", "plots")
