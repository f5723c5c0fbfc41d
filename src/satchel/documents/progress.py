"""What a person sees while a bag of embedded words is learned, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

OnBatch = Callable[[int, int, int, float, float], None]


@contextmanager
def stages(wanted: bool) -> Iterator[Callable[[str], None]]:
    """A function to tell what is being done now; each message stands until the next, with the time it takes.

    Nothing is shown where standard error is not a terminal: messages that go leave empty lines in a file.
    """
    if not wanted or not sys.stderr.isatty():
        yield lambda stage: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None)

        def tell(stage: str) -> None:
            bar.reset(task, description=stage, total=None)

        yield tell


@contextmanager
def training_bar(wanted: bool, n_epochs: int) -> Iterator[OnBatch | None]:
    """A bar on standard error with the mean loss of the epoch and sigma."""
    if not wanted:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("epoch {task.fields[epoch]}/{task.fields[epochs]}"), BarColumn())
    numbers = TextColumn("loss {task.fields[loss]:.4f}  sigma {task.fields[sigma]:.3f}")
    with Progress(*columns, numbers, TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("training", epoch=1, epochs=n_epochs, loss=float("nan"), sigma=float("nan"))

        def on_batch(epoch: int, batch: int, n_batches: int, loss: float, sigma: float) -> None:
            done, total = (epoch - 1) * n_batches + batch, n_epochs * n_batches
            bar.update(task, completed=done, total=total, epoch=epoch, loss=loss, sigma=sigma)

        yield on_batch
