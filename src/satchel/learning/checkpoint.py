"""What every training needs: checkpoints, Ctrl-C between two steps, the device and its threads."""

from __future__ import annotations

import hashlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Generic, NamedTuple, TypeVar, get_args

import numpy as np
import torch
from numpy.typing import NDArray

from satchel.errors import DamagedFileError, InputError, MissingFileError, one_of
from satchel.storage import load_model, refuse_to_overwrite, save_model
from satchel.types import Device, EpochRecord, NetworkEpoch

Record = TypeVar("Record", EpochRecord, NetworkEpoch)


class Checkpoint(NamedTuple, Generic[Record]):
    """The state of a run: arrays by name, the trainer's own numbers, and a record of each finished epoch."""

    arrays: Mapping[str, NDArray[Any]]
    numbers: Mapping[str, float]
    history: tuple[Record, ...]


@dataclass(frozen=True)
class CheckpointFolder(Generic[Record]):
    """The folder of a training's checkpoints; each replaces the one before.

    kind: the kind of model; key: the `fingerprint` of what is learned from and how; words: the vocabulary; record: the
    type of the history's entries; numbers: the names of the trainer's own numbers.
    """

    folder: str | Path
    kind: str
    key: str
    words: tuple[str, ...]
    record: type[Record]
    numbers: tuple[str, ...]

    def write(self, checkpoint: Checkpoint[Record]) -> None:
        """Writes the checkpoint, whole or not at all."""
        history: list[Any] = [list(record) for record in checkpoint.history]
        config: dict[str, Any] = {"encoder": self.kind, "key": self.key, "history": history, **checkpoint.numbers}
        save_model(self.folder, config, checkpoint.arrays, self.words)

    def read(self, limit: str, n_epochs: int) -> Checkpoint[Record] | None:
        """The checkpoint, or None if there is none.

        Raises InputError for the checkpoint of another training, and for one that is beyond `n_epochs`.

        limit: the name of the parameter that limits the epochs, for errors. A folder that must not be overwritten is
        refused too, before anything is learned that could not be kept.
        """
        refuse_to_overwrite(Path(self.folder).resolve())
        try:
            model = load_model(self.folder)
        except MissingFileError:
            return None
        if model.config.get("encoder") != self.kind or model.config.get("key") != self.key:
            raise InputError(
                f"the checkpoint in {self.folder} belongs to another training (other texts, labels, words or "
                "settings); remove it or name another folder"
            )
        checkpoint = self._checkpoint(model.config, model.arrays)
        n_done, n_batches = len(checkpoint.history), int(checkpoint.numbers.get("batch", 0))
        if (n_done, n_batches) > (n_epochs, 0):
            raise InputError(
                f"the checkpoint in {self.folder} stands after {n_done} epochs and {n_batches} batches, beyond "
                f"{limit}={n_epochs}; ask for more epochs or remove it"
            )
        return checkpoint

    def _checkpoint(self, content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Checkpoint[Record]:
        try:
            history = tuple(self.record(*record) for record in content["history"])
            return Checkpoint(arrays, {name: content[name] for name in self.numbers}, history)
        except (KeyError, TypeError) as error:
            raise DamagedFileError(f"the checkpoint in {self.folder} is not whole: {error}") from error


def fingerprint(settings: object, words: Iterable[str], arrays: Iterable[NDArray[Any]]) -> str:
    """A hash of the settings, the words and the data of a training; equal only if all of these are equal."""
    digest = hashlib.sha256(repr(settings).encode())
    digest.update("\n".join(words).encode())
    for array in arrays:
        digest.update(f"{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Holds Ctrl-C back, and gives a function that says whether it came; a second one is not held back.

    Only the main thread receives signals, so nothing is held back in other threads. A program that ignores interrupts,
    such as one in the background, goes on ignoring them.
    """
    came = threading.Event()
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual in (signal.SIG_IGN, None):
        yield came.is_set
        return

    def note(number: int, frame: FrameType | None) -> None:
        came.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, note)
    try:
        yield came.is_set
    finally:
        signal.signal(signal.SIGINT, usual)


def check_device(name: str) -> torch.device:
    """The device of that name, if this machine has one."""
    one_of("device", name, get_args(Device))
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("device is 'cuda', but torch finds no CUDA device here; use device='cpu'")
    return torch.device(name)


@contextmanager
def one_thread() -> Iterator[None]:
    """One CPU thread for torch: the same bytes on any number of cores.

    A batch's matrices are small: a second thread made an epoch of 20ng hardly faster, and far slower on a busy machine.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
