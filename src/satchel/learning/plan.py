"""The plain types between a model and its trainer: the data, the layers and the settings of a training."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from satchel.errors import InputError, number_within, one_of, whole_number
from satchel.types import BagParts, Device, FloatArray, IntArray, Objective, SparseArray, WordUpdates

PARTS = BagParts._fields
PAPER_PARTS = ("words", "codebook", "sigma", "mask")
"""What [PT18] Algorithm 1 moves; there every word weighs 1."""
LARGEST_FUZZINESS = 1e6
"""A larger fuzziness would make everything equal."""
LEAST_WEIGHT = 1e-3
"""The least weight of a word: 0 would take the word out of every document, and one below 0 gives no share."""
PAPER_RATES: dict[str, float] = {"codebook": 0.01, "words": 0.01, "mask": 0.01, "sigma": 0.001}
"""η_V = η_X = η_r = 0.01 and η_σ = 0.001, [PT18] section 3.3."""
RATES: dict[str, float] = PAPER_RATES | {"weights": 0.01}
"""The paper's rates; weights, which it does not have, learn at the rate of the words."""

LabelMatrix: TypeAlias = "FloatArray | NDArray[np.bool_]"
"""(n_documents, n_classes), 1 or True if the document has the label; it may have several."""

Schedule: TypeAlias = Literal["constant", "cosine"]
"""Whether the learning rates stay or fall."""


@dataclass(frozen=True)
class TrainingData:
    """What a bag of embedded words learns from.

    values (n_documents, n_words): how often each word stands in each document, as it is or damped; labels
    (n_documents, n_classes); centres (n_centres, n_codewords), which stay where they are; centre_classes (n_centres,):
    the class of each; validation: values and labels of documents that are only judged; moments: centre and scale,
    (n_codewords,) both, which standardise the histograms before the mask, in every step and in validation; None: no
    standardising.
    """

    values: SparseArray
    labels: LabelMatrix
    centres: FloatArray
    centre_classes: IntArray
    validation: tuple[SparseArray, LabelMatrix] | None = None
    moments: tuple[FloatArray, FloatArray] | None = None

    def __post_init__(self) -> None:
        for values, labels in ((self.values, self.labels), *((self.validation,) if self.validation else ())):
            if values.shape[0] != len(labels) or labels.ndim != 2 or labels.shape[1] != self.labels.shape[1]:
                raise InputError(
                    f"labels of shape {labels.shape} for {values.shape[0]} documents; expected one row a document and "
                    "one column a class, the same for training and validation"
                )
        if any(part.shape != self.centres.shape[1:] for part in self.moments or ()):
            raise InputError(f"moments must be two rows of {self.centres.shape[1]} numbers, one for each codeword")
        if self.moments and not (self.moments[1] > 0).all():
            raise InputError(f"a scale of the moments is {self.moments[1].min()}; expected numbers above 0")
        if self.centre_classes.shape != (len(self.centres),):
            raise InputError(
                f"{len(self.centres)} centres have classes of shape {self.centre_classes.shape}; name one each"
            )


@dataclass(frozen=True)
class TrainingPlan:
    """The parameters of [PT18] Algorithm 1.

    m: the fuzziness of Eq. (5). learned: which parts move. rates: Adam's learning rate of each part.
    word_updates: "touched" moves only the words of the batch and their weights (lazy Adam: the moments of the others
    rest); "all" is Adam as published, under which every word goes on by its momentum in every step.
    word_dropout: each word of each document is left out of a step with this probability; a document that loses all its
    words is the zero vector in that step.
    schedule: "cosine" lets the rates fall to 0 along half a cosine over all n_epochs. Then n_epochs is part of every
    step: a run of more epochs is another run, and a fingerprint of the run must hold the number.
    slope: values of the representation below 0 are multiplied by it, from 0 to 1; 1 leaves them.
    patience: with validation documents, stop after this many epochs without a lower loss there, and keep the best.
    """

    objective: Objective = "spherical-entropy"
    m: float = 0.005
    learned: tuple[str, ...] = PAPER_PARTS
    rates: dict[str, float] = field(default_factory=lambda: dict(RATES))
    batch_size: int = 100
    n_epochs: int = 10
    word_updates: WordUpdates = "touched"
    word_dropout: float = 0.0
    schedule: Schedule = "constant"
    slope: float = 1.0
    patience: int | None = None
    random_state: int = 0
    device: Device = "cpu"

    def __post_init__(self) -> None:
        one_of("objective", self.objective, get_args(Objective))
        if self.objective == "least-squares":
            raise InputError("objective 'least-squares' is solved at once, not step by step; train with another one")
        one_of("word updates", self.word_updates, get_args(WordUpdates))
        one_of("schedule", self.schedule, get_args(Schedule))
        for part in self.learned:
            one_of("part to learn", part, PARTS)
            if part not in self.rates:
                raise InputError(f"{part!r} is to be learned, but rates has no rate for it; add one, such as 0.01")
        number_within("m", self.m, 0, LARGEST_FUZZINESS)
        if self.word_dropout != 0:
            number_within("word_dropout", self.word_dropout, 0, 1)
        if self.slope not in (0, 1):
            number_within("slope", self.slope, 0, 1)
        whole_number("batch_size", self.batch_size)
        whole_number("n_epochs", self.n_epochs, 0)


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
    """What a network learns from.

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
    """The layers of a network.

    ngram: how many words are read at once; None reads word by word with recurrent cells. bptt: how many steps an error
    goes back through time; cell, layers: the cells of the recurrent hidden layer.
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
    """How a network learns.

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
