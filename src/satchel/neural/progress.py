"""What a person sees while a network learns, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from satchel.types import NetworkEpoch

OnBatch = Callable[[int, int, int, list[NetworkEpoch]], None]


@contextmanager
def network_bar(wanted: bool, max_epochs: int) -> Iterator[OnBatch | None]:
    """A bar with the perplexities of the last whole epoch."""
    if not wanted:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("epoch {task.fields[epoch]}/{task.fields[epochs]}"), BarColumn())
    numbers = TextColumn("{task.fields[perplexities]}")
    with Progress(*columns, numbers, TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("training", epoch=1, epochs=max_epochs, perplexities="")

        def on_batch(epoch: int, batch: int, n_batches: int, history: list[NetworkEpoch]) -> None:
            done, total = (epoch - 1) * n_batches + batch, max_epochs * n_batches
            bar.update(task, completed=done, total=total, epoch=epoch, perplexities=perplexities(history))

        yield on_batch


def perplexities(history: list[NetworkEpoch]) -> str:
    """Those of the last epoch in words; nothing before there is one."""
    if not history:
        return ""
    last = history[-1]
    told = f"perplexity of topics {last.train_perplexity:.3f}, of documents {last.document_perplexity:.1f}"
    if last.validation_perplexity is not None:
        told += f", validation {last.validation_perplexity:.3f}"
    return f"{told}, {last.words_per_second:,.0f} words/s"
