"""What a network that answers with topics and documents is, what it learns from, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.types import Device, FloatArray, IntArray

Output: TypeAlias = Literal["factorised", "flat", "cascade"]
Cell: TypeAlias = Literal["rnn", "lstm", "gru"]
Ids: TypeAlias = NDArray[np.int32]
Arrays: TypeAlias = dict[str, NDArray[np.generic]]


class Sequences(NamedTuple):
    """Texts of at least one word: text i holds the word ids `ids[starts[i]:starts[i + 1]]` and is about `topics[i]`."""

    ids: Ids
    starts: IntArray
    topics: IntArray


@dataclass(frozen=True)
class NetworkData:
    """What is learned from.

    documents: sorted by topic, so that the documents of topic c are `topic_starts[c]` to `topic_starts[c + 1]`;
    each has a unit of the output at its own position. validation: texts that are only judged.
    n_words: with `<unk>`, which has the id 0. words: vectors to start the projection from, or None.
    """

    documents: Sequences
    topic_starts: IntArray
    n_words: int
    validation: Sequences | None = None
    words: FloatArray | None = None


@dataclass(frozen=True)
class NetworkShape:
    """The layers.

    ngram: how many words are read at once; None reads word by word with recurrent cells. bptt: how many steps an error
    goes back through time; cell, layers: of the recurrent hidden layer.
    """

    ngram: int | None
    projection: int
    hidden: int
    output: Output = "factorised"
    cell: Cell = "rnn"
    layers: int = 1
    bptt: int = 1


@dataclass(frozen=True)
class NetworkPlan:
    """How the network learns.

    chunk_length: W, how many words of a document are read in a step. batch_size: documents of a step; None takes one of
    each topic, as [MW] section 3.2 does. unknown: share of words that are read as `<unk>`; None makes it exactly one of
    each chunk, [MW] section 3.5. beginnings: share of chunks that are taken from where a document begins.
    schedule: "halving" ([MW] section 3.6) needs validation texts; "cosine" lets the rate fall to 0 over max_epochs.
    document_weight: how much the error of the documents counts beside that of the topics.
    """

    optimiser: Literal["sgd", "adam"]
    schedule: Literal["halving", "cosine"]
    rate: float
    l2: float
    max_epochs: int
    chunk_length: int
    batch_size: int | None
    unknown: float | None
    beginnings: float
    dropout: float
    document_weight: float
    random_state: int = 0
    device: Device = "cpu"
