"""Where to compute."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import get_args

import torch

from satchel.errors import InputError, one_of
from satchel.types import Device


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
