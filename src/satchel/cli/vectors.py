"""`satchel encode` and `satchel words`: encode texts with a model folder; list, fetch and learn word vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from satchel.cli.console import notes, out, prepare_file, print_json, print_table, progress_bar
from satchel.cli.texts import texts_from
from satchel.errors import InputError
from satchel.parts import build, part

if TYPE_CHECKING:
    from satchel.encoders import Encoder, Explanation
    from satchel.types import Vectors
    from satchel.words import WordLearner

BATCH = 2000  # texts encoded between two moves of the bar
words_app = typer.Typer(
    help="List, fetch, learn and look into word vectors.", no_args_is_help=True, rich_markup_mode=None
)


class Themes(NamedTuple):
    """The themes of an encoder: what to call them, and the weight and the words of each."""

    name: str
    weights: list[float]
    words: list[list[str]]


def encode(
    model_folder: Annotated[Path, typer.Argument(help="A folder that `satchel train` or `save` wrote.")],
    texts: Annotated[
        str | None,
        typer.Argument(
            help="A file (one text a line, or TSV, JSON lines, CSV), a folder of texts, or a data set's name."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Argument(help="The .npy file to write; .npz where the vectors are sparse.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="The column that holds the texts, if the guess is wrong.")] = None,
    describe: Annotated[
        bool, typer.Option("--describe", help="Show the words of each codeword or component instead.")
    ] = False,
    explain: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="QUERY DOCUMENT", help="Show what makes these two texts alike instead."),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Your own class that wrote the folder, as package.module:Class.",
            show_default="as the folder says",
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", help="How many words and codewords to show.", min=1)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Encode texts with a trained model; torch is not needed.

    \b
    Examples:
      satchel encode ./model new.txt vectors.npy
      satchel encode ./model --describe
      satchel encode ./model --explain "grid storage" "batteries that feed the grid"
    """
    _check_wish(texts is not None, output is not None, text is not None, describe, explain is not None)
    model = _loaded(model_folder, encoder)
    if describe:
        _describe(model, model_folder, k, as_json)
    elif explain is not None:
        _explain(model, model_folder, *explain, k, as_json)
    elif texts is not None and output is not None:
        _encode(model, texts_from(texts, text=text, keep_empty=True), output, as_json)


def _loaded(folder: Path, name: str | None) -> Encoder:
    """Loads the model with the named class, else with the class of Satchel that the folder names."""
    from satchel.encoders import load_encoder

    if name is None:
        return load_encoder(folder)
    cls = part("encoder", name)
    if not hasattr(cls, "load"):
        raise InputError(f"{name!r} cannot read a model folder: it has no method load")
    encoder: Encoder = cls.load(folder)
    return encoder


def _check_wish(has_texts: bool, has_output: bool, has_column: bool, describe: bool, explain: bool) -> None:
    if describe and explain:
        raise InputError("--describe and --explain are two answers; ask for one at a time")
    if (describe or explain) and (has_texts or has_column):
        raise InputError("--describe and --explain encode no texts; leave out TEXTS, OUTPUT and --text")
    if not describe and not explain and not has_output:
        raise InputError("give the texts and the .npy file to write, or --describe, or --explain QUERY DOCUMENT")


def _encode(encoder: Encoder, texts: list[str], output: Path, as_json: bool) -> None:
    _check_output(encoder, output)
    vectors = _in_batches(encoder, texts)
    _write(output, vectors)
    n_rows, n_numbers = vectors.shape
    summary = {"rows": int(n_rows), "numbers": int(n_numbers), "encoder": type(encoder).__name__, "file": str(output)}
    if as_json:
        print_json(summary)
    else:
        out.print(f"{n_rows:,} rows × {n_numbers:,} numbers in {output}", markup=False)


def _check_output(encoder: Encoder, output: Path) -> None:
    import numpy as np

    dense = isinstance(encoder.transform([""]), np.ndarray)
    kind, ending = ("dense", ".npy") if dense else ("sparse", ".npz")
    if output.suffix != ending:
        name = type(encoder).__name__
        raise InputError(f"the output is {output}; vectors of {name} are {kind} and go into a {ending} file")
    prepare_file(output, "the output")


def _in_batches(encoder: Encoder, texts: list[str]) -> Vectors:
    """Encodes the texts in batches with a progress bar; the bytes are the same as in one batch."""
    import numpy as np
    from scipy.sparse import vstack

    parts: list[Any] = []
    with progress_bar() as on_progress:
        for start in range(0, max(len(texts), 1), BATCH):
            on_progress("encoding texts", start, len(texts))
            parts.append(encoder.transform(texts[start : start + BATCH]))
    joined: Vectors = np.concatenate(parts) if isinstance(parts[0], np.ndarray) else vstack(parts, format="csr")
    return joined


def _write(output: Path, vectors: Vectors) -> None:
    """Writes the file under another name first, so that it appears complete or not at all."""
    import numpy as np
    from scipy.sparse import save_npz

    part = output.with_name(f".{output.name}.part")
    try:
        with part.open("wb") as stream:
            if isinstance(vectors, np.ndarray):
                np.save(stream, vectors)
            else:
                save_npz(stream, vectors)
        part.replace(output)
    finally:
        part.unlink(missing_ok=True)


def _describe(encoder: Encoder, folder: Path, k: int, as_json: bool) -> None:
    themes = _themes(encoder, folder, k)
    rows = enumerate(zip(themes.weights, themes.words, strict=True))
    if as_json:
        print_json([{themes.name: t, "weight": round(weight, 4), "words": words} for t, (weight, words) in rows])
    else:
        cells = [(str(theme), f"{weight:.2f}", ", ".join(words)) for theme, (weight, words) in rows]
        print_table((themes.name, "weight", "words that belong most to it"), cells)


def _themes(encoder: Encoder, folder: Path, k: int) -> Themes:
    """Finds what an encoder's numbers mean: codewords with their mask, or components with their share of all words."""
    from satchel.encoders import BagOfEmbeddedWords, FisherVectors

    if isinstance(encoder, BagOfEmbeddedWords):
        words = [encoder.describe(codeword, k) for codeword in range(encoder.n_codewords)]
        return Themes("codeword", [float(weight) for weight in encoder.mask_], words)
    if isinstance(encoder, FisherVectors):
        shares = encoder.mixture_.weights.tolist()
        return Themes("component", shares, [encoder.describe_component(c, k) for c in range(len(shares))])
    name, able = type(encoder).__name__, "BagOfEmbeddedWords and FisherVectors"
    raise InputError(f"{folder} holds the encoder {name}, which has no codewords or components; {able} have them")


def _explain(encoder: Encoder, folder: Path, query: str, document: str, k: int, as_json: bool) -> None:
    from satchel.encoders import LinearEncoder

    if not isinstance(encoder, LinearEncoder):
        raise InputError(f"{folder} holds the encoder {type(encoder).__name__}, whose scores are not sums over words")
    found = encoder.explain(query, document)
    if not found.words:
        raise InputError("the query or the document holds no word that the model knows, or both; try other words")
    cosine = sum(share.contribution for share in found.words)
    spellings = encoder.tokenizer.spellings(document)
    words = [(spellings[share.word], share.contribution) for share in found.words[:k]]
    if as_json:
        print_json({"cosine": round(cosine, 4), **_explained(found, words, k)})
        return
    title = f"cosine {cosine:.4f}; {len(words)} of {len(found.words)} words of the document"
    print_table(("word", "share"), [(word, f"{share:.4f}") for word, share in words], title=title)
    if found.codewords:
        title = f"\n{min(k, len(found.codewords))} of {len(found.codewords)} codewords"
        cells = [(str(c), f"{share:.4f}", ", ".join(its)) for c, share, its in found.codewords[:k]]
        print_table(("codeword", "share", "words that belong most to it"), cells, title=title)


def _explained(found: Explanation, words: list[tuple[str, float]], k: int) -> dict[str, object]:
    return {
        "words": [{"word": word, "share": round(share, 4)} for word, share in words],
        "codewords": [
            {"codeword": c, "share": round(share, 4), "words": list(its)} for c, share, its in found.codewords[:k]
        ],
    }


@words_app.command("list")
def list_words(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the word vectors that Satchel knows by name, and which of them are on this machine."""
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


@words_app.command("get")
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


@words_app.command("learn")
def learn_words(
    texts: Annotated[str, typer.Argument(help="A file with one text a line, a folder of texts, or a data set's name.")],
    output: Annotated[Path, typer.Argument(help="The folder to write.")],
    method: Annotated[str, typer.Option(help="The method: lsi, yule or package.module:Class.")] = "lsi",
    dim: Annotated[int, typer.Option(help="How many numbers a word vector has.", min=1)] = 100,
    min_count: Annotated[int, typer.Option(help="Leave out words that occur less often than this.", min=1)] = 2,
    seed: Annotated[int, typer.Option(help="The same seed gives the same vectors.", min=0)] = 0,
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


@words_app.command("nearest")
def nearest_words(
    vectors: Annotated[str, typer.Argument(help="A name from `satchel words list`, or a path.")],
    word: Annotated[str, typer.Argument(help="The word to start from.")],
    k: Annotated[int, typer.Option("-k", help="How many words to show.", min=1)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the words nearest in meaning to a word, by cosine.

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
