"""Hits as the commands show them: in a terminal, as JSON, as ids, as a TREC run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from satchel.cli.console import as_form, notes, one_line, out, print_indented, print_json, write_text
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.collection import Collection, Hit, Hits, Reasons

Why = Annotated[bool, typer.Option("--why", help="Show what each word and theme adds, and the scores.")]
Ids = Annotated[bool, typer.Option("--ids", help="Print ids alone, one a line.")]
Run = Annotated[bool, typer.Option("--run", help="Print a TREC run.")]

INDENT = 5
MATCH = "bold yellow"
COLOURS = {"relevant": "green", "maybe": "yellow", "irrelevant": "red"}


def show_hits(
    collection: Collection,
    hits: Hits,
    *,
    why: bool = False,
    as_json: bool = False,
    ids: bool = False,
    run: bool = False,
    more: bool = True,
) -> None:
    """Prints one page of hits in the form that was asked for; more: says how to see the next page."""
    if as_json + ids + run > 1:
        raise InputError("choose one of --json, --ids and --run")
    if as_json:
        print_json(as_form(hits))
    elif ids:
        write_text(Path("-"), "".join(f"{hit.id}\n" for hit in hits))
    elif run:
        write_text(Path("-"), "".join(f"{line}\n" for line in collection.exported("hits", "trec", hits=hits)))
    else:
        _print_hits(hits, why, more)


def _print_hits(hits: Hits, why: bool, more: bool) -> None:
    for hit in hits:
        _print_hit(hit, why, is_answer=bool(hits.query or hits.learned or hit.reasons.words or hit.reasons.matches))
    if hits.learned:
        out.print("what the marks taught")
    for sentence in hits.learned:
        print_indented(Text(one_line(sentence)), INDENT)
    if not hits:
        out.print("nothing found" if not hits.total else f"no more: {hits.total:,} found in all")
    elif more and hits.total > hits[-1].rank:
        first, last = hits[0].rank, hits[-1].rank
        notes.print(f"{first:,} to {last:,} of {hits.total:,}; --offset {last} shows more", style="dim", soft_wrap=True)


def _print_hit(hit: Hit, why: bool, *, is_answer: bool) -> None:
    """Title, id, snippet and reason; a document that was only listed has no score and no reason."""
    head, about = Text(f"{hit.rank:3}. "), Text()
    if hit.title:
        out.print(head.append(one_line(hit.title), style="bold"), soft_wrap=True)
        head = Text(" " * INDENT)
    about.append(one_line(hit.id), style="cyan")
    if is_answer:
        about.append(f"  {hit.score:.3f}", style="dim")
    if hit.mark is not None:
        about.append(f"  {hit.mark}", style=COLOURS[hit.mark])
    out.print(head.append_text(about), soft_wrap=True)
    if hit.snippet.text:
        snippet = Text(one_line(hit.snippet.text))
        for start, stop in hit.snippet.matches:
            snippet.stylize(MATCH, start, stop)
        print_indented(snippet, INDENT)
    if is_answer:
        for line in _because(hit.reasons, why):
            print_indented(Text(one_line(line), style="dim"), INDENT)


def _because(reasons: Reasons, why: bool) -> list[str]:
    said = [f"because it {reasons}"]
    if not why:
        return said
    if reasons.words:
        said.append("words: " + ", ".join(f"{part.word} {part.contribution:+.2f}" for part in reasons.words))
    for theme in reasons.themes:
        said.append(f"theme {theme.codeword}: {' '.join(theme.words)} {theme.contribution:+.2f}")
    scores = [("by words (BM25)", reasons.lexical), ("by meaning (cosine)", reasons.semantic)]
    said.append("scores: " + ", ".join(f"{name} {'none' if s is None else f'{s:.3f}'}" for name, s in scores))
    return said
