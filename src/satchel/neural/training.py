"""From texts and labels to a trained network: topics, texts set aside, checkpoints."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError
from satchel.neural.recipes import SHORTEST_CHUNK, NetworkRecipe
from satchel.progress import shown
from satchel.text import Vocabulary, WordSequences
from satchel.types import IntArray, NetworkEpoch, TrainingRun

if TYPE_CHECKING:
    from satchel.learning import NetworkData, NetworkPlan, NetworkShape, Sequences


class Topics(NamedTuple):
    """names: the topics by number, in order of their first text; of_text (n_texts,): the number of each text's."""

    names: tuple[Hashable, ...]
    of_text: IntArray


def read_topics(labels: Iterable[object] | None, n_texts: int) -> Topics:
    """The topic of each text; without labels all texts have one topic, whose name is None."""
    if labels is None:
        return Topics((None,), np.zeros(n_texts, np.int64))
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise InputError(f"labels must be a list with one label per text, not {type(labels).__name__}")
    numbers: dict[Hashable, int] = {}
    of_text = [numbers.setdefault(_topic(place, label), len(numbers)) for place, label in enumerate(labels)]
    if len(of_text) != n_texts:
        raise InputError(f"{len(of_text)} labels for {n_texts} texts; give one label per text")
    return Topics(tuple(numbers), np.array(of_text, np.int64))


def _topic(place: int, label: Any) -> Hashable:
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, str | int) or (isinstance(label, float) and label == label):
        return label
    given = " ".join(repr(label).split())[:60]
    raise InputError(f"text {place} has the label {given}; a network needs one topic a text, a string or a number")


class DocumentSplit(NamedTuple):
    """Positions of texts: those that get a unit of the output, sorted by topic, and those set aside for validation."""

    documents: IntArray
    validation: IntArray
    topic_starts: IntArray


def split_documents(topics: Topics, has_words: NDArray[np.bool_], share: float, random_state: int) -> DocumentSplit:
    """Sets a share of each topic's documents aside at random ([MW] section 3.3, step 7); a topic keeps at least one.

    A document without words teaches nothing and gets no unit: it is never found. A topic that has only such documents
    is refused.
    """
    if not has_words.any():
        raise InputError("no text holds a word that is kept; give more texts, or lower min_count")
    random, kept, aside = np.random.default_rng([random_state, 1]), [], []
    for number, name in enumerate(topics.names):
        rows = np.flatnonzero((topics.of_text == number) & has_words)
        if not len(rows):
            raise InputError(
                f"no text of the topic {name!r} holds a word that is kept; lower min_count or leave the topic out"
            )
        n = min(round(share * len(rows)), len(rows) - 1)
        order = random.permutation(rows)
        aside.append(order[:n])
        kept.append(np.sort(order[n:]))
    validation = np.sort(np.concatenate(aside))
    if share > 0 and all(len(rows) == 1 for rows in kept) and not len(validation):
        raise InputError(
            "every topic has one text with words, which it must keep, so that none can be set aside for validation; "
            "use recipe='best' with validation_share=0"
        )
    if share > 0 and not len(validation):
        raise InputError(
            f"validation_share is {share}, which sets none of the {len(topics.of_text)} texts aside; raise it"
        )
    starts = np.concatenate(([0], np.cumsum([len(rows) for rows in kept])))
    return DocumentSplit(np.concatenate(kept), validation, starts)


CHECKPOINT = "network checkpoint"


class Trained(NamedTuple):
    """What training gave: the arrays by name, the split of the documents, and a record of each epoch."""

    arrays: dict[str, NDArray[Any]]
    split: DocumentSplit
    history: list[NetworkEpoch]


def train_on(
    sequences: WordSequences,
    topics: Topics,
    vocabulary: Vocabulary,
    layers: dict[str, Any],
    recipe: NetworkRecipe,
    run: TrainingRun,
) -> Trained:
    """Sets validation texts aside, trains, and writes checkpoints if `run` names a folder. `layers`: those of
    `NetworkShape`."""
    from satchel.learning import NETWORK_NUMBERS, CheckpointFolder, NetworkData, NetworkShape, train_network

    split = split_documents(topics, _has_words(sequences), recipe.validation_share, run.random_state)
    documents = _chosen(sequences, topics, split.documents)
    validation = _chosen(sequences, topics, split.validation) if len(split.validation) else None
    data, shape = NetworkData(documents, split.topic_starts, len(vocabulary), validation), NetworkShape(**layers)
    plan = _plan(recipe, run, chunk_length(recipe, np.diff(documents.starts), shape.ngram))
    keep = resume = None
    if run.checkpoint is not None:
        words, key = vocabulary.words, _fingerprint(data, shape, plan, vocabulary)
        kept = CheckpointFolder(run.checkpoint, CHECKPOINT, key, words, NetworkEpoch, NETWORK_NUMBERS)
        keep, resume = kept.write, kept.read("max_epochs", plan.max_epochs)
    with shown(run.verbose) as progress:
        arrays, history = train_network(data, shape, plan, progress=progress, keep=keep, resume=resume)
    return Trained(arrays, split, history)


def chunk_length(recipe: NetworkRecipe, lengths: IntArray, ngram: int | None) -> int:
    """W, how many words of each document a step reads: as given, or as many as the shortest document has.

    Documents without words do not count. Differs: if the shortest has fewer than 10 words (one of 0 or 1 would leave
    nothing to learn from), W is 10, and shorter documents are read whole. It is never less than a window.
    """
    wanted = max(int(lengths.min()), SHORTEST_CHUNK) if recipe.chunk_length == "shortest" else int(recipe.chunk_length)
    return max(wanted, ngram or 1)


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
    """A hash of data, layers and plan; the number of epochs is included only if the rate depends on it."""
    from satchel.learning import fingerprint

    settings = {**vars(plan), "device": None}
    settings["max_epochs"] = plan.max_epochs if plan.schedule == "cosine" else None
    arrays = (*data.documents, data.topic_starts, *(data.validation or ()))
    return fingerprint([sorted(settings.items()), sorted(vars(shape).items())], vocabulary.words, arrays)
