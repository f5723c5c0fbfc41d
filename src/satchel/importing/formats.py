"""The formats that can be read, by name, and the detection of a file's format."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from satchel.errors import DamagedFileError
from satchel.importing.readers import (
    looks_like_trec,
    read_bibtex,
    read_ebook,
    read_mailbox,
    read_markdown,
    read_message,
    read_notebook,
    read_open_document,
    read_pdf,
    read_restructured,
    read_ris,
    read_slides,
    read_text,
    read_trec,
    read_web_page,
    read_word,
)
from satchel.importing.source import SourceFile
from satchel.importing.tables import ColumnChoice, read_csv, read_json, read_json_lines, read_workbook
from satchel.importing.types import Found

Reader = Callable[[SourceFile, ColumnChoice | None], Iterator[Found]]


class ImportForm(NamedTuple):
    """How a format is read, and its file endings; `about` is a line for a list of formats."""

    read: Reader
    endings: tuple[str, ...]
    about: str


def _without_columns(read: Callable[[SourceFile], Iterator[Found]]) -> Reader:
    return lambda file, _: read(file)


_CODE = (
    *(".py", ".pyi", ".r", ".jl", ".m", ".ipy", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".cs", ".java", ".kt"),
    *(".scala", ".go", ".rs", ".swift", ".js", ".mjs", ".ts", ".jsx", ".tsx", ".rb", ".pl", ".pm", ".php", ".lua"),
    *(".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".sql", ".hs", ".ml", ".mli", ".ex", ".exs", ".erl", ".clj"),
    *(".lisp", ".el", ".scm", ".f", ".f90", ".pas", ".asm", ".s", ".v", ".vhd", ".css", ".scss", ".toml", ".yaml"),
    *(".yml", ".ini", ".cfg", ".cmake", ".gradle", ".proto", ".tex", ".dart", ".zig", ".nim", ".groovy", ".vue"),
)

IMPORT_FORMS: dict[str, ImportForm] = {
    "text": ImportForm(_without_columns(read_text), (".txt", ".text", ".log", ".org"), "plain text"),
    "markdown": ImportForm(_without_columns(read_markdown), (".md", ".markdown", ".mdx", ".qmd", ".rmd"), "Markdown"),
    "rst": ImportForm(_without_columns(read_restructured), (".rst",), "reStructuredText"),
    "code": ImportForm(_without_columns(read_text), _CODE, "source code"),
    "html": ImportForm(_without_columns(read_web_page), (".html", ".htm", ".xhtml"), "web pages"),
    "pdf": ImportForm(_without_columns(read_pdf), (".pdf",), "PDF with text in it (extra import)"),
    "docx": ImportForm(_without_columns(read_word), (".docx", ".docm", ".dotx"), "Word"),
    "pptx": ImportForm(_without_columns(read_slides), (".pptx", ".pptm", ".ppsx"), "PowerPoint"),
    "odt": ImportForm(_without_columns(read_open_document), (".odt", ".ott", ".odp"), "LibreOffice's texts and slides"),
    "epub": ImportForm(_without_columns(read_ebook), (".epub",), "e-books"),
    "ipynb": ImportForm(_without_columns(read_notebook), (".ipynb",), "Jupyter notebooks"),
    "eml": ImportForm(_without_columns(read_message), (".eml",), "one message"),
    "mbox": ImportForm(_without_columns(read_mailbox), (".mbox", ".mbx"), "a mailbox"),
    "csv": ImportForm(read_csv, (".csv",), "a table, one document per row"),
    "tsv": ImportForm(read_csv, (".tsv", ".tab"), "a table whose cells are separated by TABs"),
    "xlsx": ImportForm(read_workbook, (".xlsx", ".xlsm"), "Excel, one document per row of the first sheet"),
    "jsonl": ImportForm(read_json_lines, (".jsonl", ".ndjson"), "JSON lines, one document per object"),
    "json": ImportForm(read_json, (".json",), "an array of JSON objects"),
    "beir": ImportForm(read_json_lines, (), "a folder with corpus.jsonl"),
    "trec": ImportForm(_without_columns(read_trec), (".trec", ".trectext", ".sgml", ".sgm"), "TREC's <DOC> files"),
    "ris": ImportForm(_without_columns(read_ris), (".ris",), "references from a manager or a database"),
    "bibtex": ImportForm(_without_columns(read_bibtex), (".bib", ".bibtex"), "a bibliography"),
}
"""Every format by name; `read_documents(path, form=…)` takes any of them, with any file name."""

TABLE_FORMS = ("csv", "tsv", "xlsx", "jsonl", "json", "beir")
PACKED_FORMS = (
    "pdf",
    "docx",
    "pptx",
    "odt",
    "epub",
    "xlsx",
)  # these are packed already, so gzip around them is not expected

_BY_ENDING = {ending: name for name, form in IMPORT_FORMS.items() for ending in form.endings}
_SAVE_AS = {
    ".doc": ".docx",
    ".rtf": ".docx",
    ".pages": ".docx",
    ".wpd": ".docx",
    ".xls": ".csv",
    ".ods": ".csv",
    ".numbers": ".csv",
    ".parquet": ".jsonl",
    ".sav": ".csv",
    ".ppt": ".pdf",
    ".mobi": ".html",
    ".djvu": ".pdf",
    ".ps": ".pdf",
    ".key": ".pdf",
    ".msg": ".eml",
    ".pst": ".mbox",
    ".nbib": ".ris",
    ".enw": ".ris",
    ".ciw": ".ris",
}
_ARCHIVES = (".zip", ".tar", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst", ".z", ".jar", ".whl")
_NO_TEXTS = frozenset(
    (
        *(".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".ico", ".svg", ".heic", ".psd", ".raw"),
        *(".mp3", ".wav", ".flac", ".ogg", ".m4a", ".mp4", ".avi", ".mov", ".mkv", ".webm", ".ttf", ".otf", ".woff"),
        *(".woff2", ".exe", ".dll", ".so", ".dylib", ".o", ".a", ".class", ".pyc", ".pyd", ".bin", ".iso", ".dmg"),
        *(".npy", ".npz", ".safetensors", ".pt", ".h5", ".db", ".sqlite", ".satchel", ".satchel-wal", ".satchel-shm"),
    )
)


def form_of(file: SourceFile) -> str:
    """The format detected from the file name, else from the first bytes, else plain text."""
    ending = file.ending
    name = _BY_ENDING.get(ending)
    if name is None:
        _refuse(ending)
        name = _form_by_content(file)
    if name in PACKED_FORMS and file.path.name.lower().endswith(".gz"):
        raise DamagedFileError("is packed with gzip; unpack it first")
    return name


def _refuse(ending: str) -> None:
    if ending in _SAVE_AS:
        raise DamagedFileError(f"has the format {ending}, which is not supported; save it as {_SAVE_AS[ending]}")
    if ending in _ARCHIVES:
        raise DamagedFileError("is an archive; unpack it first")
    if ending in _NO_TEXTS:
        raise DamagedFileError(f"has the format {ending}, which holds no text to read")


def _form_by_content(file: SourceFile) -> str:
    with file.opened() as stream:
        begin = stream.read(4096)
    if begin.startswith(b"%PDF-"):
        return "pdf"
    if begin.startswith(b"From "):
        return "mbox"
    sample = begin.decode("latin-1").removeprefix("\xef\xbb\xbf").lstrip()
    if looks_like_trec(sample):
        return "trec"
    if sample.startswith("TY  - "):
        return "ris"
    return "html" if sample[:200].lower().startswith(("<!doctype", "<html", "<?xml")) else "text"
