"""From texts and topics to a trained network: what `learning/` needs, and checkpoints on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satchel.errors import DamagedFileError, InputError, MissingFileError, missing_extra
from satchel.neural.progress import network_bar
from satchel.neural.recipes import SHORTEST_CHUNK, Ingredients, chosen_device
from satchel.neural.topics import Split, Topics, split_documents
from satchel.storage.model_folder import Json, load_model, refuse_to_overwrite, save_model
from satchel.text import Vocabulary, WordSequences
from satchel.types import IntArray, NetworkEpoch

if TYPE_CHECKING:
    from satchel.learning import NetworkCheckpoint, NetworkData, NetworkPlan, NetworkShape, Sequences

CHECKPOINT = "network checkpoint"


class Settings(NamedTuple):
    """How one training is run; none of it changes what is learned, but for the seed."""

    checkpoint: str | Path | None
    device: str
    verbose: bool
    random_state: int


class Trained(NamedTuple):
    """Arrays by name, the documents that have units, where their topics begin, and what happened."""

    arrays: dict[str, NDArray[Any]]
    split: Split
    history: list[NetworkEpoch]


def require_torch() -> None:
    """Raises the sentence that names the extra where torch is not installed."""
    try:
        import satchel.learning  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise missing_extra("training a network", "train") from None


def train_on(
    sequences: WordSequences,
    topics: Topics,
    vocabulary: Vocabulary,
    layers: dict[str, Any],
    use: Ingredients,
    settings: Settings,
) -> Trained:
    """Sets validation texts aside, trains, and keeps checkpoints where asked to. `layers`: those of `NetworkShape`."""
    from satchel.learning import NetworkData, NetworkHooks, NetworkShape, train_network

    split = split_documents(topics, _has_words(sequences), use.validation_share, settings.random_state)
    documents = _chosen(sequences, topics, split.documents)
    validation = _chosen(sequences, topics, split.validation) if len(split.validation) else None
    data, shape = NetworkData(documents, split.topic_starts, len(vocabulary), validation), NetworkShape(**layers)
    plan = _plan(use, settings, chunk_length(use, np.diff(documents.starts), shape.ngram))
    key = _fingerprint(data, shape, plan, vocabulary)
    resume = _read_checkpoint(settings.checkpoint, key, plan.max_epochs)
    with network_bar(settings.verbose, plan.max_epochs) as on_batch:
        hooks = NetworkHooks(on_batch, _writer(settings.checkpoint, key, vocabulary))
        arrays, history = train_network(data, shape, plan, hooks=hooks, resume=resume)
    return Trained(arrays, split, history)


def chunk_length(use: Ingredients, lengths: IntArray, ngram: int | None) -> int:
    """W, how many words of each document a step reads: as given, or as many as the shortest document has.

    Documents without words do not count. Differs: where the shortest has fewer than 10 words (one of 0 or 1 would leave
    nothing to learn from), W is 10, and shorter documents are read whole. It is never less than a window.
    """
    asked = max(int(lengths.min()), SHORTEST_CHUNK) if use.chunk_length == "shortest" else int(use.chunk_length)
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


def _plan(use: Ingredients, settings: Settings, length: int) -> NetworkPlan:
    from satchel.learning import NetworkPlan

    return NetworkPlan(
        optimiser=use.optimiser,
        schedule=use.schedule,
        rate=use.rate,
        l2=use.l2,
        max_epochs=use.max_epochs,
        chunk_length=length,
        batch_size=use.batch_size,
        unknown=use.unknown,
        beginnings=use.beginnings,
        dropout=use.dropout,
        document_weight=use.document_weight,
        random_state=settings.random_state,
        device=chosen_device(settings.device),
    )


def _fingerprint(data: NetworkData, shape: NetworkShape, plan: NetworkPlan, vocabulary: Vocabulary) -> str:
    """Stands for data, layers and plan; not for how long it goes on, unless the rate falls with it."""
    settings = {**vars(plan), "device": None}
    settings["max_epochs"] = plan.max_epochs if plan.schedule == "cosine" else None
    digest = hashlib.sha256(repr([sorted(settings.items()), sorted(vars(shape).items())]).encode())
    digest.update("\n".join(vocabulary.words).encode())
    for array in (*data.documents, data.topic_starts, *(data.validation or ())):
        digest.update(f"{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _writer(folder: str | Path | None, key: str, vocabulary: Vocabulary) -> Callable[[NetworkCheckpoint], None] | None:
    if folder is None:
        return None

    def write(checkpoint: NetworkCheckpoint) -> None:
        config: dict[str, Json] = {
            "encoder": CHECKPOINT,
            "key": key,
            "rate": checkpoint.rate,
            "halving": checkpoint.halving,
            "history": [list(record) for record in checkpoint.history],
        }
        save_model(folder, config, checkpoint.arrays, vocabulary.words)

    return write


def _read_checkpoint(folder: str | Path | None, key: str, max_epochs: int) -> NetworkCheckpoint | None:
    from satchel.learning import NetworkCheckpoint

    if folder is None:
        return None
    refuse_to_overwrite(Path(folder))  # before an epoch is learned that could not be kept
    try:
        config, arrays, _ = load_model(folder)
    except MissingFileError:
        return None
    if config.get("encoder") != CHECKPOINT or config.get("key") != key:
        raise InputError(
            f"the checkpoint in {folder} belongs to another training (other texts, labels, words or settings); "
            "remove it or name another folder"
        )
    try:
        content: Any = config  # JSON of our own making; what is not as written fails here, by name
        history = tuple(NetworkEpoch(*record) for record in content["history"])
        checkpoint = NetworkCheckpoint(arrays, float(content["rate"]), bool(content["halving"]), history)
    except (KeyError, TypeError) as error:
        raise DamagedFileError(f"the checkpoint in {folder} is not whole: {error}") from error
    if len(history) > max_epochs:
        raise InputError(
            f"the checkpoint in {folder} stands after {len(history)} epochs, beyond max_epochs={max_epochs}; "
            "ask for more epochs or remove it"
        )
    return checkpoint
