"""Reading word vectors, against the plain reader that one would write with numpy or Python for the same form."""

import tempfile
from pathlib import Path

import numpy as np

from benchmarks.timing import Row, compare
from satchel.types import FloatArray
from satchel.words import WordVectors

N_WORDS, DIM, N_KEPT = 20_000, 100, 500


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        return _rows(Path(name))


def _rows(folder: Path) -> list[Row]:
    words = made_up_words()
    text, binary, ours = folder / "glove.txt", folder / "vectors.bin", folder / "ours"
    write_text(text, words)
    write_binary(binary, words)
    words.save(ours)
    kept = frozenset(words.words[:: N_WORDS // N_KEPT])
    size = f"{N_WORDS // 1000}k × {DIM}"
    return [
        compare(
            f"read text, {size}", lambda: WordVectors.load(text), "split and np.array a line", lambda: plain_text(text)
        ),
        compare(
            f"read text, {N_KEPT} words of {size}",
            lambda: WordVectors.load(text, kept),
            "split and np.array a kept line",
            lambda: plain_text(text, kept),
            note="ours checks the number of values on every line",
        ),
        compare(
            f"read word2vec binary, {size}",
            lambda: WordVectors.load(binary),
            "read a byte, np.frombuffer a word",
            lambda: plain_binary(binary),
        ),
        compare(
            f"read our folder, {size}",
            lambda: WordVectors.load(ours),
            "split lines and np.load",
            lambda: plain_folder(ours),
            note="ours checks that words are distinct and values finite",
        ),
    ]


def made_up_words() -> WordVectors:
    vectors = np.random.default_rng(0).standard_normal((N_WORDS, DIM)).round(5)
    return WordVectors(tuple(f"word{number}" for number in range(N_WORDS)), vectors)


def write_text(path: Path, words: WordVectors) -> None:
    with path.open("w", encoding="utf-8") as out:
        for word, row in zip(words.words, words.vectors, strict=True):
            out.write(f"{word} {' '.join(f'{value:.5f}' for value in row)}\n")


def write_binary(path: Path, words: WordVectors) -> None:
    with path.open("wb") as out:
        out.write(f"{len(words)} {words.dim}\n".encode())
        for word, row in zip(words.words, words.vectors, strict=True):
            out.write(f"{word} ".encode() + row.tobytes())


def plain_text(path: Path, kept: frozenset[str] | None = None) -> tuple[list[str], FloatArray]:
    words, rows = [], []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            word, values = line.rstrip("\n").split(" ", 1)
            if kept is None or word in kept:
                words.append(word)
                rows.append(np.array(values.split(" "), dtype=np.float32))
    return words, np.stack(rows)


def plain_binary(path: Path) -> tuple[list[str], FloatArray]:
    words, rows = [], []
    with path.open("rb") as stream:
        n_words, dim = map(int, stream.readline().split())
        for _ in range(n_words):
            letters = []
            while (letter := stream.read(1)) != b" ":
                letters.append(letter)
            words.append(b"".join(letters).decode())
            rows.append(np.frombuffer(stream.read(4 * dim), dtype=np.float32))
    return words, np.stack(rows)


def plain_folder(folder: Path) -> tuple[list[str], FloatArray]:
    words = (folder / "vocab.txt").read_text("utf-8").split("\n")[:-1]
    return words, np.load(folder / "vectors.f32.npy")


if __name__ == "__main__":
    from benchmarks.__main__ import as_markdown

    print(as_markdown(run()))
