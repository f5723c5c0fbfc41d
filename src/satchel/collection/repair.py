"""Checks a whole collection, and rebuilds damaged parts that can be computed from the documents."""

from __future__ import annotations

import numpy as np

from satchel.collection.model import count_unknown, default_encoder, encode, learn_encoder, start_watching, take_model
from satchel.encoders import Encoder
from satchel.errors import DamagedCollectionError, SatchelError
from satchel.progress import Progress, no_progress
from satchel.store import Finding, Store, load_model
from satchel.types import FloatArray

VECTORS = "encodes all documents again, and learns the model first if it is lost"


def findings(store: Store) -> list[Finding]:
    """Lists what does not fit together; empty if all is well. Reads the whole store."""
    encoder, sentences = _model(store)

    def vectors(texts: list[str]) -> FloatArray:
        assert encoder is not None
        return np.asarray(encoder.transform(texts), np.float32)

    found = store.check(None if encoder is None else vectors)
    if any(one.part == "pages" for one in found):
        return found
    return [*found, *(Finding("vectors", sentence) for sentence in sentences)]


def repaired(store: Store, on_progress: Progress) -> list[str]:
    """Rebuilds damaged parts within the caller's transaction; one sentence for each repair."""
    found = findings(store)
    if wrong := [one.sentence for one in found if one.part == "pages"]:
        raise DamagedCollectionError(f"{store.path} cannot be repaired: {wrong[0]}; take another copy of the file")
    parts = {one.part for one in found}
    done = store.repair(parts, on_progress)
    if "vectors" in parts:
        on_progress(VECTORS, 0, 0)
        _encode_anew(store)
        done.append(VECTORS)
    if done:
        store.next_change()
        store.write_note("rebuilt", store.state().rebuilt + 1)
    return done


def _model(store: Store) -> tuple[Encoder | None, list[str]]:
    """The model, and its faults."""
    if not store.state().model:
        return None, []
    try:
        encoder = load_model(store)
    except SatchelError as error:
        return None, [f"the model cannot be read: {error}"]
    return encoder, [] if encoder is not None else ["the model is missing"]


def _encode_anew(store: Store) -> None:
    encoder, _ = _model(store)
    if encoder is None:
        learned = learn_encoder(store, default_encoder(None, int(store.note("random_state", 0))))
        if learned is None:
            store.forget_vectors()
            return
        encoder = learned.encoder
        take_model(store, encoder, "texts", learned.seconds, {})
        start_watching(store, count_unknown(store, encoder))
    encode(store, encoder, no_progress)
