"""From texts and topics to a trained network: what `learning/` needs, and its checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.neural.recipes import SHORTEST_CHUNK, NetworkRecipe
from satchel.neural.topics import Split, Topics, split_documents
from satchel.progress import shown
from satchel.text import Vocabulary, WordSequences
from satchel.types import IntArray, NetworkEpoch, TrainingRun

if TYPE_CHECKING:
    from satchel.learning import NetworkData, NetworkPlan, NetworkShape, Sequences

CHECKPOINT = "network checkpoint"


class Trained(NamedTuple):
    """Arrays by name, the documents that have units, where their topics begin, and what happened."""

    arrays: dict[str, NDArray[Any]]
    split: Split
    history: list[NetworkEpoch]


def train_on(
    sequences: WordSequences,
    topics: Topics,
    vocabulary: Vocabulary,
    layers: dict[str, Any],
    recipe: NetworkRecipe,
    run: TrainingRun,
) -> Trained:
    """Sets validation texts aside, trains, and keeps checkpoints where asked to. `layers`: those of `NetworkShape`."""
    from satchel.learning import CheckpointFolder, NetworkData, NetworkShape, train_network
    from satchel.learning.network_trainer import NUMBERS

    split = split_documents(topics, _has_words(sequences), recipe.validation_share, run.random_state)
    documents = _chosen(sequences, topics, split.documents)
    validation = _chosen(sequences, topics, split.validation) if len(split.validation) else None
    data, shape = NetworkData(documents, split.topic_starts, len(vocabulary), validation), NetworkShape(**layers)
    plan = _plan(recipe, run, chunk_length(recipe, np.diff(documents.starts), shape.ngram))
    keep = resume = None
    if run.checkpoint is not None:
        words, key = vocabulary.words, _fingerprint(data, shape, plan, vocabulary)
        kept = CheckpointFolder(run.checkpoint, CHECKPOINT, key, words, NetworkEpoch, NUMBERS)
        keep, resume = kept.write, kept.read("max_epochs", plan.max_epochs)
    with shown(run.verbose) as progress:
        arrays, history = train_network(data, shape, plan, progress=progress, keep=keep, resume=resume)
    return Trained(arrays, split, history)


def chunk_length(recipe: NetworkRecipe, lengths: IntArray, ngram: int | None) -> int:
    """W, how many words of each document a step reads: as given, or as many as the shortest document has.

    Documents without words do not count. Differs: where the shortest has fewer than 10 words (one of 0 or 1 would leave
    nothing to learn from), W is 10, and shorter documents are read whole. It is never less than a window.
    """
    asked = max(int(lengths.min()), SHORTEST_CHUNK) if recipe.chunk_length == "shortest" else int(recipe.chunk_length)
    return max(asked, ngram or 1)


def _has_words(sequences: WordSequences) -> NDArray[np.bool_]:
    """Whether a text holds a known word; `<unk>` alone teaches nothing."""
    known_before = np.concatenate(([0], np.cumsum(sequences.ids > 0)))
    has_words: NDArray[np.bool_] = np.diff(known_before[sequences.starts]) > 0
    return has_words


def _chosen(sequences: WordSequences, topics: Topics, rows: IntArray) -> Sequences:
    """The words of these texts, in this order."""
    from satchel.learning import Sequences

    ids, starts = sequences
    lengths = np.diff(starts)[rows]
    new = np.concatenate(([0], np.cumsum(lengths)))
    place = np.arange(new[-1]) + np.repeat(starts[rows] - new[:-1], lengths)
    return Sequences(ids[place], new, topics.of_text[rows])


def _plan(recipe: NetworkRecipe, run: TrainingRun, length: int) -> NetworkPlan:
    from satchel.learning import NetworkPlan

    return NetworkPlan(
        optimiser=recipe.optimiser,
        schedule=recipe.schedule,
        rate=recipe.rate,
        l2=recipe.l2,
        max_epochs=recipe.max_epochs,
        chunk_length=length,
        batch_size=recipe.batch_size,
        unknown=recipe.unknown,
        beginnings=recipe.beginnings,
        dropout=recipe.dropout,
        document_weight=recipe.document_weight,
        random_state=run.random_state,
        device=run.device,
    )


def _fingerprint(data: NetworkData, shape: NetworkShape, plan: NetworkPlan, vocabulary: Vocabulary) -> str:
    """Stands for data, layers and plan; not for how long it goes on, unless the rate falls with it."""
    from satchel.learning import fingerprint

    settings = {**vars(plan), "device": None}
    settings["max_epochs"] = plan.max_epochs if plan.schedule == "cosine" else None
    arrays = (*data.documents, data.topic_starts, *(data.validation or ()))
    return fingerprint([sorted(settings.items()), sorted(vars(shape).items())], vocabulary.words, arrays)
