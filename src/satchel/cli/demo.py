"""`satchel demo`: search the documentation of this machine's own Python."""

from __future__ import annotations

import contextlib
import hashlib
import textwrap
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.markup import escape

import satchel
from satchel.cli.console import notes, out, print_json
from satchel.errors import InputError, SatchelError

if TYPE_CHECKING:
    from satchel.datasets import LabelledTexts
    from satchel.documents import LinearEncoder
    from satchel.ranking import EncoderRetriever

TOUR = (
    ("compress a folder into an archive", "The documents need not hold these very words: the meaning decides."),
    ("send an email with an attachment", "Each hit says why it ranks: its words, and what each adds to the score."),
    ("wait for several threads to finish", "Modules, classes, functions, methods and language topics are documents."),
)


class Hit(NamedTuple):
    """One document of the answer, with its reasons: (word, part of the score)."""

    id: str
    score: float
    reasons: list[tuple[str, float]]
    text: str


def demo(
    query: Annotated[str | None, typer.Argument(help="What to look for; without it, a short tour.")] = None,
    k: Annotated[int, typer.Option("-k", help="How many hits.", min=1)] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Search the documentation of this machine's Python.

    \b
    Example:
      satchel demo "compress a folder into an archive"
    """
    with notes.status("reading the standard library's documentation"):
        sample, retriever = _sample_retriever()
    if query is None and not as_json:
        _tour(sample, retriever)
        return
    query = TOUR[0][0] if query is None else query
    hits = _search(sample, retriever, query, min(k, len(sample.texts)))
    if as_json:
        print_json({"query": query, "hits": [hit._asdict() for hit in hits]})
    else:
        _print_hits(hits)


def _sample_retriever() -> tuple[LabelledTexts, EncoderRetriever]:
    from satchel.datasets import load
    from satchel.ranking import EncoderRetriever

    sample = load("sample")
    return sample, EncoderRetriever(_sample_encoder(sample.texts), prefit=True).fit(sample.texts)


def _sample_encoder(texts: list[str]) -> LinearEncoder:
    """Mean word vectors learned from the sample itself; kept in the cache, learned anew where that cannot be read."""
    from satchel.documents import MeanWords
    from satchel.storage.places import cache_folder
    from satchel.text import Tokenizer

    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    folder = cache_folder() / "sample" / f"encoder-{satchel.__version__}-{digest}"
    with contextlib.suppress(SatchelError, OSError):
        return MeanWords.load(folder)
    tokenizer = Tokenizer(letters_only=True, min_length=2, stop_words="smart", stem=True)
    encoder = MeanWords(weighting="idf", tokenizer=tokenizer, random_state=0).fit(texts)
    with contextlib.suppress(SatchelError, OSError):
        encoder.save(folder)
    return encoder


def _search(sample: LabelledTexts, retriever: EncoderRetriever, query: str, k: int) -> list[Hit]:
    ranking = retriever.search([query], k)
    found = [(int(id_), float(score)) for id_, score in zip(ranking.ids[0], ranking.scores[0], strict=True) if id_ >= 0]
    if not found:
        raise InputError(f"no word of the query {query!r} is known to this collection; try other words")
    return [
        Hit(sample.ids[id_], round(score, 4), _reasons(retriever, query, sample.texts[id_]), sample.texts[id_])
        for id_, score in found
    ]


def _reasons(retriever: EncoderRetriever, query: str, text: str) -> list[tuple[str, float]]:
    encoder = retriever.encoder_
    spellings = encoder.tokenizer.spellings(text)
    return [(spellings[part.word], round(part.contribution, 4)) for part in encoder.explain(query, text).words[:4]]


def _tour(sample: LabelledTexts, retriever: EncoderRetriever) -> None:
    modules = len(set(sample.labels))
    out.print(f"[bold]{len(sample.texts):,} documents[/] of {modules} modules of this machine's Python, by meaning.\n")
    for query, remark in TOUR:
        out.print(f'[bold cyan]satchel demo "{query}"[/]')
        _print_hits(_search(sample, retriever, query, 3))
        out.print(f"[dim]{remark}[/]\n")
    out.print('Now yours: [bold]satchel demo[/] "…". Other commands: [bold]satchel --help[/].')


def _print_hits(hits: list[Hit]) -> None:
    for rank, hit in enumerate(hits, start=1):
        first_line = hit.text.split("\n", 2)[1:2] or [""]
        summary = textwrap.shorten(" ".join(first_line), 90, placeholder=" …")
        reasons = ", ".join(f"{word} {part:+.2f}" for word, part in hit.reasons)
        out.print(f"{rank:3}. [bold]{escape(hit.id)}[/]  {hit.score:.2f}  {escape(summary)}")
        out.print(f"     [dim]because of {escape(reasons)}[/]")
