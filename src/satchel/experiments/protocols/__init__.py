"""The protocols that an experiment's file may name: how each runs a method, and which measures it gives."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from satchel.evaluation import DEFAULT_TOP, MAP_11, interpolated_precision_name, precision_name, recall_name
from satchel.experiments.plan import Experiment, Method
from satchel.experiments.protocols.clustering import CLUSTERING_MEASURES, SPACE_MEASURES, clustering, document_space
from satchel.experiments.protocols.collection import MARK_MEASURES, SEARCH_MEASURES, collection_marks, collection_search
from satchel.experiments.protocols.feedback import FEEDBACK_MEASURES, STORED_MEASURES, relevance_feedback, stored_marks
from satchel.experiments.protocols.retrieval import (
    ADHOC_MEASURES,
    SELECTED,
    adhoc_search,
    curves,
    held_out_classes,
    label_retrieval,
    selected_parameters,
    some_labels,
    train_sample,
    train_tail,
)
from satchel.experiments.protocols.screening import SCREENING_MEASURES, screening
from satchel.experiments.protocols.topics import (
    LAYER_MEASURES,
    SIZE_MEASURES,
    TOPIC_MEASURES,
    network_layers,
    saved_curves,
    topic_queries,
    topic_statistics,
)
from satchel.experiments.results import Outcome


class Protocol(NamedTuple):
    """How to run one method with one seed, and the names of the measures that it gives.

    retrievers: whether a method may name a retriever in place of an encoder.
    """

    run: Callable[[Experiment, Method, int], Iterator[Outcome]]
    measured: tuple[str, ...]
    retrievers: bool = False


_RETRIEVAL = (
    MAP_11,
    *(name(k) for k in DEFAULT_TOP for name in (precision_name, interpolated_precision_name, recall_name)),
)

PROTOCOLS: dict[str, Protocol] = {
    "label-retrieval": Protocol(label_retrieval, _RETRIEVAL),
    "out-of-domain": Protocol(held_out_classes, _RETRIEVAL),
    "curves": Protocol(curves, _RETRIEVAL),
    "train-sample": Protocol(train_sample, _RETRIEVAL),
    "train-tail": Protocol(train_tail, _RETRIEVAL),
    "some-labels": Protocol(some_labels, _RETRIEVAL),
    "ad-hoc": Protocol(adhoc_search, ADHOC_MEASURES, retrievers=True),
    "topic-queries": Protocol(topic_queries, TOPIC_MEASURES, retrievers=True),
    "topic-curves": Protocol(saved_curves, TOPIC_MEASURES, retrievers=True),
    "topic-statistics": Protocol(topic_statistics, SIZE_MEASURES, retrievers=True),
    "network-layers": Protocol(network_layers, LAYER_MEASURES, retrievers=True),
    "clustering": Protocol(clustering, CLUSTERING_MEASURES),
    "document-space": Protocol(document_space, SPACE_MEASURES),
    "feedback": Protocol(relevance_feedback, FEEDBACK_MEASURES),
    "stored-marks": Protocol(stored_marks, STORED_MEASURES),
    "collection-search": Protocol(collection_search, SEARCH_MEASURES),
    "collection-marks": Protocol(collection_marks, MARK_MEASURES),
    "screening": Protocol(screening, SCREENING_MEASURES),
    "selection": Protocol(selected_parameters, SELECTED),
}
