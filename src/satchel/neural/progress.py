"""What a person sees while a network learns, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from satchel.types import NetworkEpoch

OnBatch = Callable[[int, int, int, list[NetworkEpoch]], None]
BAR_WIDTH = 10
BESIDE_NUMBERS = BAR_WIDTH + len("epoch 100/100  0:00:00 ") + 1
"""What the epochs, the bar and the time take of a line."""


@contextmanager
def network_bar(wanted: bool, max_epochs: int) -> Iterator[OnBatch | None]:
    """A bar with the perplexities of the last whole epoch, as many of them as a line has room for."""
    if not wanted:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console, latest = Console(stderr=True), list[NetworkEpoch]()
    epochs, numbers = "epoch {task.fields[epoch]}/{task.fields[epochs]}", "{task.fields[numbers]}"
    columns = (TextColumn(epochs), BarColumn(BAR_WIDTH), TimeElapsedColumn(), TextColumn(numbers))
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("training", epoch=1, epochs=max_epochs, numbers="")

        def on_batch(epoch: int, batch: int, n_batches: int, history: list[NetworkEpoch]) -> None:
            nonlocal latest
            latest = history
            done, total = (epoch - 1) * n_batches + batch, max_epochs * n_batches
            bar.update(task, completed=done, total=total, epoch=epoch, numbers=told())

        def told() -> str:
            return perplexities(latest, console.width - BESIDE_NUMBERS)

        yield on_batch
        bar.update(task, numbers=told())  # the last epoch's, which ended after its last batch


def perplexities(history: list[NetworkEpoch], room: int) -> str:
    """Those of the last epoch in so many letters; nothing before there is one."""
    if not history:
        return ""
    last = history[-1]
    parts = [f"perplexity: topics {last.train_perplexity:.3f}"]
    if last.validation_perplexity is not None:
        parts.append(f"validation {last.validation_perplexity:.3f}")
    parts += [f"documents {last.document_perplexity:.1f}", f"{last.words_per_second:,.0f} words/s"]
    while len(parts) > 1 and len(", ".join(parts)) > room:
        parts.pop()
    return ", ".join(parts)
