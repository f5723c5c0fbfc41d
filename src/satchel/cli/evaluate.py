"""`satchel evaluate`: an encoder on a data set, or a run against judgments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satchel.cli.console import notes, print_json, print_table
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.evaluation import RetrievalResult

ADHOC_MEASURES = ("nDCG@10", "AP", "P@10", "R@100")


def evaluate(
    dataset: Annotated[str | None, typer.Argument(help="A name from `satchel data list`.")] = None,
    encoder: Annotated[str, typer.Option(help="TfIdf, Lsi or MeanWords.")] = "Lsi",
    parameters: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the encoder, such as n_components=64.")
    ] = None,
    distance: Annotated[str, typer.Option(help="cosine or euclidean.")] = "cosine",
    seed: Annotated[int, typer.Option(help="Same seed, same numbers.")] = 0,
    run_path: Annotated[Path | None, typer.Option("--run", help="Judge this TREC run instead of an encoder.")] = None,
    judgments_path: Annotated[
        Path | None, typer.Option("--judgments", help="TREC qrels or BEIR's tsv, for --run.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Write the run (TREC form) or the curves (.png) here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Judge an encoder on a data set, or a run against judgments.

    Examples: satchel evaluate r8 --encoder Lsi --set n_components=64 ·
    satchel evaluate cranfield --encoder TfIdf --output run.txt ·
    satchel evaluate --run run.txt --judgments qrels.txt
    """
    if run_path is not None and judgments_path is not None:
        measures, about = _judge_files(run_path, judgments_path)
    elif dataset is not None and run_path is None and judgments_path is None:
        with notes.status(f"{encoder} on {dataset}"):
            measures, about = _judge_encoder(dataset, encoder, parameters or [], distance, seed, output)
    else:
        raise InputError("give a data set's name, or both --run and --judgments")
    if as_json:
        print_json({**about, "measures": measures})
    else:
        title = ", ".join(f"{key} {value}" for key, value in about.items())
        print_table(("measure", "value"), [(name, f"{value:.4f}") for name, value in measures.items()], title=title)


def _judge_files(run_path: Path, judgments_path: Path) -> tuple[dict[str, float], dict[str, object]]:
    from satchel.datasets import read_judgments
    from satchel.evaluation import evaluate_run, read_run

    result = evaluate_run(read_run(run_path), read_judgments(judgments_path), ADHOC_MEASURES)
    return dict(result.measures), {"run": run_path.name, "judgments": judgments_path.name}


def _judge_encoder(
    dataset: str, encoder: str, parameters: list[str], distance: str, seed: int, output: Path | None
) -> tuple[dict[str, float], dict[str, object]]:
    from satchel.datasets import AdHocSet, LabelledSet, load
    from satchel.evaluation import write_run
    from satchel.experiments.methods import build_encoder, parameters_from
    from satchel.experiments.protocols import judge_adhoc, judge_label_retrieval
    from satchel.ranking import EncoderRetriever, check_metric

    metric = check_metric(distance)
    data, model = load(dataset), build_encoder(encoder, parameters_from(parameters), seed)
    about: dict[str, object] = {"data set": dataset, "encoder": encoder, "distance": distance}
    if isinstance(data, LabelledSet):
        judged = judge_label_retrieval(data, model, [metric])[0]
        if output is not None:
            _draw_curves(output, encoder, judged.result)
        return dict(judged.result.measures), {**about, "numbers": judged.length, "seconds": round(judged.seconds, 1)}
    if isinstance(data, AdHocSet):
        run = judge_adhoc(data, EncoderRetriever(model, metric), ADHOC_MEASURES)
        if output is not None:
            write_run(output, run.run)
        return dict(run.result.measures), {**about, "seconds": round(run.seconds, 1)}
    raise InputError(f"{dataset!r} has neither a test split nor judgments; choose another from `satchel data list`")


def _draw_curves(path: Path, name: str, result: RetrievalResult) -> None:
    from satchel.evaluation import draw_curves

    draw_curves({name: result}).savefig(path, dpi=150)
