"""The protocol of ad-hoc search: judged queries against all documents of a set, by an encoder or a retriever."""

from collections.abc import Iterator, Mapping
from typing import Final

from satchel.errors import unknown_name
from satchel.evaluation import DEFAULT_MEASURES
from satchel.experiments.kept import KEPT
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.judging import OVER, P_OVER, JudgedRun, gains, judge_adhoc, numbers_of
from satchel.experiments.protocols.retrieval import judged_set
from satchel.experiments.results import Outcome, percent
from satchel.parts import build
from satchel.ranking import EncoderRetriever, Retriever, check_metric

JUDGED: Final = (*DEFAULT_MEASURES, "R@1000")
ADHOC_MEASURES: Final = (
    *JUDGED,
    "queries",
    *(f"{measure}, {kind}" for measure in JUDGED for kind in (OVER, P_OVER)),
)


def adhoc_search(experiment: Experiment, method: Method, seed: int) -> Iterator[Outcome]:
    """[CP13] section 4.2: each judged query ranks all documents, and the best 1,000 are judged.

    A method has an `encoder`, searched by its distances, or a `retriever` with its own score. Options: `split`, the
    split of the queries ("test"; another one to choose parameters, or a table with one for each data set); `reference`,
    the name of the method that the others are compared with, on the same data set and with the same value of each
    setting that both have.
    """
    split, reference = _split(experiment, method), _reference(experiment, method)
    for scoring in method.scorings:
        retriever = _retriever(method, scoring, seed)
        judged = judge_adhoc(judged_set(experiment.dataset_of(method)), retriever, JUDGED, split=split)
        measures = percent(judged.result.measures) | {"queries": len(judged.result.query_ids)}
        if reference is not None and reference is not method:
            other = _judged_reference(experiment, reference, split).result
            measures |= gains(judged.result.per_query, other.per_query, JUDGED, OVER, P_OVER)
        yield Outcome(scoring, numbers_of(retriever), measures, judged.seconds)


def _retriever(method: Method, scoring: str, seed: int) -> Retriever:
    if method.retriever:
        retriever: Retriever = build("retriever", method.part, seed)
        return retriever
    return EncoderRetriever(build("encoder", method.part, seed), check_metric(scoring))


def _split(experiment: Experiment, method: Method) -> str:
    split = experiment.options.get("split", "test")
    return str(split.get(experiment.dataset_of(method), "test") if isinstance(split, Mapping) else split)


def _reference(experiment: Experiment, method: Method) -> Method | None:
    """The method to compare with; None where the options name none."""
    name = experiment.options.get("reference")
    if name is None:
        return None
    others = [other for other in experiment.methods if other.method == name]
    if not others:
        raise unknown_name("reference", str(name), {other.method for other in experiment.methods})
    dataset = experiment.dataset_of(method)
    for other in others:
        shared = other.setting.keys() & method.setting.keys()
        if experiment.dataset_of(other) == dataset and all(other.setting[n] == method.setting[n] for n in shared):
            return method if other.method == method.method else other
    return None


def _judged_reference(experiment: Experiment, reference: Method, split: str) -> JudgedRun:
    dataset, scoring = experiment.dataset_of(reference), reference.scorings[0]
    parts = reference.encoder, reference.retriever, reference.parameters
    return _judge_again(dataset, split, *parts, scoring, reference.seeds[0])


@KEPT.shared(most=16)
def _judge_again(
    dataset: str,
    split: str,
    encoder: str,
    retriever: str,
    parameters: Mapping[str, object],
    scoring: str,
    seed: int,
) -> JudgedRun:
    """Runs the reference once for all following methods that are compared with it."""
    distances = () if retriever else (check_metric(scoring),)
    method = Method("reference", encoder, retriever, distances=distances, parameters=parameters)
    return judge_adhoc(judged_set(dataset), _retriever(method, scoring, seed), JUDGED, split=split)
