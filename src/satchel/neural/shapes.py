"""The names and shapes of a network's arrays, by which a model folder is checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from satchel.types import IntArray

Shapes: TypeAlias = dict[str, tuple[int, ...]]
GATES = {"rnn": 1, "lstm": 4, "gru": 3}
"""How many rows of a cell's weights belong to one number of its state."""


def network_shapes(layers: Mapping[str, Any], n_words: int, n_topics: int, n_documents: int) -> Shapes:
    """The arrays by name; `layers`: the parameters of `satchel.learning.NetworkShape`."""
    hidden, output = layers["hidden"], layers["output"]
    shapes = {"documents.weight": (n_documents, hidden), "documents.bias": (n_documents,)}
    if output != "flat":
        shapes |= {"topics.weight": (n_topics, hidden), "topics.bias": (n_topics,)}
    for prefix in ("reader", "second") if output == "cascade" else ("reader",):
        shapes |= {f"{prefix}.{name}": shape for name, shape in _reader_shapes(layers, n_words)}
    return shapes


def check_arrays(arrays: Mapping[str, NDArray[Any]], expected: Shapes) -> None:
    """Refuses arrays that are not those of the network, each of its shape."""
    for name in expected.keys() ^ arrays.keys():
        raise ValueError(f"the array {name!r} is {'missing' if name in expected else 'not one of this network'}")
    for name, shape in expected.items():
        if arrays[name].shape != shape or arrays[name].dtype != np.float32:
            given = f"{arrays[name].dtype} {arrays[name].shape}"
            raise ValueError(f"the array {name!r} is {given}; expected float32 {shape}")


def check_units(documents: NDArray[Any], topic_starts: NDArray[Any], n_topics: int) -> tuple[IntArray, IntArray]:
    """The positions of the texts that can be found, each once, and where their topics begin, none of them empty."""
    for name, array in (("documents", documents), ("topic_starts", topic_starts)):
        if array.dtype != np.int64 or array.ndim != 1:
            raise ValueError(f"the units' {name} are {array.dtype} {array.shape}; expected a row of int64")
    if len(topic_starts) != n_topics + 1 or topic_starts[0] != 0 or topic_starts[-1] != len(documents):
        raise ValueError(f"{len(documents)} documents and {n_topics} topics do not fit the output layers")
    if (np.diff(topic_starts) < 1).any() or (documents < 0).any() or len(np.unique(documents)) < len(documents):
        raise ValueError("a topic without documents, or a document that stands twice")
    return documents, topic_starts


def _reader_shapes(layers: Mapping[str, Any], n_words: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    hidden, projection = layers["hidden"], layers["projection"]
    yield "projection.weight", (n_words, projection)
    if layers["ngram"] is not None:
        yield "hidden.weight", (hidden, layers["ngram"] * projection)
        yield "hidden.bias", (hidden,)
        return
    rows = GATES[layers["cell"]] * hidden
    for number in range(layers["layers"]):
        yield f"cells.{number}.weight_ih", (rows, hidden if number else projection)
        yield f"cells.{number}.weight_hh", (rows, hidden)
        yield f"cells.{number}.bias_ih", (rows,)
        yield f"cells.{number}.bias_hh", (rows,)
