"""`satchel words`: read, fetch, learn and look into word vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satchel.cli.console import notes, out, print_json, print_table, progress_bar
from satchel.cli.texts import texts_from
from satchel.parts import build

if TYPE_CHECKING:
    from satchel.words.learner import WordLearner

app = typer.Typer(help="List, fetch, learn and look into word vectors.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_words(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """The word vectors that have a name, and which are here."""
    from satchel.storage import find
    from satchel.words import KNOWN_WORDS

    rows = [
        {
            "name": name,
            "words": entry.n_words,
            "numbers": entry.dim,
            "here": find(f"words/{name}") is not None,
            "description": entry.description,
        }
        for name, entry in KNOWN_WORDS.items()
    ]
    if as_json:
        print_json(rows)
    else:
        cells = [
            (str(r["name"]), f"{r['words']:,}", str(r["numbers"]), "yes" if r["here"] else "no", str(r["description"]))
            for r in rows
        ]
        print_table(("name", "words", "numbers", "here", "description"), cells)


@app.command("get")
def get_words(name: Annotated[str, typer.Argument(help="A name from `satchel words list`.")]) -> None:
    """Fetch word vectors from their source into the cache.

    \b
    Example:
      satchel words get glove.6B.50d
    """
    from satchel.words import fetch_words

    with progress_bar() as on_progress:
        path = fetch_words(name, on_progress=on_progress)
    out.print(f"{name} lies in {path}", markup=False)


@app.command("learn")
def learn_words(
    texts: Annotated[str, typer.Argument(help="A file with one text a line, a folder of texts, or a data set's name.")],
    output: Annotated[Path, typer.Argument(help="The folder to write.")],
    method: Annotated[str, typer.Option(help="lsi, yule or package.module:Class.")] = "lsi",
    dim: Annotated[int, typer.Option(help="Numbers per word.", min=1)] = 100,
    min_count: Annotated[int, typer.Option(help="Rarer words are left out.", min=1)] = 2,
    seed: Annotated[int, typer.Option(help="Same seed, same vectors.", min=0)] = 0,
) -> None:
    """Learn word vectors from your own texts; nothing is downloaded.

    \b
    Example:
      satchel words learn sample ./stdlib-words --dim 50
    """
    learner: WordLearner = build("learner of words", {"name": method, "dim": dim, "min_count": min_count}, seed)
    with notes.status("learning word vectors"):
        learned = learner.learn(texts_from(texts))
        learned.save(output)
    out.print(f"{len(learned):,} words of {dim} numbers in {output}", markup=False)


@app.command("nearest")
def nearest_words(
    vectors: Annotated[str, typer.Argument(help="A name from `satchel words list`, or a path.")],
    word: Annotated[str, typer.Argument(help="The word to start from.")],
    k: Annotated[int, typer.Option("-k", help="How many words.", min=1)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The words nearest in meaning to a word, by cosine.

    \b
    Example:
      satchel words nearest glove.6B.100d france
    """
    from satchel.words import WordVectors

    hits = WordVectors.load(vectors).nearest(word, k)
    if as_json:
        print_json([{"word": hit.word, "cosine": round(float(hit.cosine), 4)} for hit in hits])
    else:
        print_table(("word", "cosine"), [(hit.word, f"{hit.cosine:.3f}") for hit in hits])
