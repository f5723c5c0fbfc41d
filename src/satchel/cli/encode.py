"""`satchel encode`: vectors of texts by a model folder, and what its codewords mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satchel.cli.console import notes, out, prepare_file, print_json, print_table
from satchel.cli.texts import texts_from
from satchel.errors import InputError

if TYPE_CHECKING:
    from satchel.documents import Encoder, Explanation
    from satchel.types import Vectors

BATCH = 2000  # texts encoded between two moves of the bar


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
    text: Annotated[str | None, typer.Option(help="The column of the texts, where the guess is wrong.")] = None,
    describe: Annotated[bool, typer.Option("--describe", help="Show the words of each codeword instead.")] = False,
    explain: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="QUERY DOCUMENT", help="Show what makes these two texts alike instead."),
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
    from satchel.documents import load_encoder

    _check_wish(texts is not None, output is not None, text is not None, describe, explain is not None)
    encoder = load_encoder(model_folder)
    if describe:
        _describe(encoder, model_folder, k, as_json)
    elif explain is not None:
        _explain(encoder, model_folder, *explain, k, as_json)
    elif texts is not None and output is not None:
        _encode(encoder, texts_from(texts, text=text, keep_empty=True), output, as_json)


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
    """The same bytes as in one piece, with a bar on standard error where that is a terminal."""
    import numpy as np
    from rich.progress import track
    from scipy.sparse import vstack

    starts = range(0, max(len(texts), 1), BATCH)
    bar = track(starts, "encoding", console=notes, transient=True, disable=not notes.is_terminal)
    parts: list[Any] = [encoder.transform(texts[start : start + BATCH]) for start in bar]
    joined: Vectors = np.concatenate(parts) if isinstance(parts[0], np.ndarray) else vstack(parts, format="csr")
    return joined


def _write(output: Path, vectors: Vectors) -> None:
    """The file appears whole or not at all."""
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
    from satchel.documents import BagOfEmbeddedWords

    if not isinstance(encoder, BagOfEmbeddedWords):
        name = type(encoder).__name__
        raise InputError(f"{folder} holds the encoder {name}, which has no codewords; BagOfEmbeddedWords has them")
    described = [encoder.describe(codeword, k) for codeword in range(encoder.n_codewords)]
    weights = [float(weight) for weight in encoder.mask_]
    if as_json:
        rows = enumerate(zip(weights, described, strict=True))
        print_json([{"codeword": c, "weight": round(weight, 4), "words": words} for c, (weight, words) in rows])
    else:
        cells = [
            (str(codeword), f"{weight:.2f}", ", ".join(words))
            for codeword, (weight, words) in enumerate(zip(weights, described, strict=True))
        ]
        print_table(("codeword", "weight", "words that belong most to it"), cells)


def _explain(encoder: Encoder, folder: Path, query: str, document: str, k: int, as_json: bool) -> None:
    from satchel.documents import LinearEncoder

    if not isinstance(encoder, LinearEncoder):
        raise InputError(f"{folder} holds the encoder {type(encoder).__name__}, whose scores no words add up to")
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
