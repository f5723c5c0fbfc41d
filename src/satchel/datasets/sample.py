"""The sample collection: the documentation of the running Python's standard library.

It is real text, it is on every machine, and it needs no download. Reading it takes seconds, so the documents are
cached for each version of Python.

A document is a public module, class, function or method with a docstring, read by `ast`; nothing is imported. Private
names (with a leading underscore, but not `__init__`), tests, applications and demos are left out. If a public module
exports a name from a private one (`pathlib.Path` from `pathlib._local`), the document has the public name.
"""

import ast
import json
import sys
import sysconfig
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from satchel.datasets.types import LabelledTexts
from satchel.errors import DamagedFileError, DownloadError, MissingFileError
from satchel.progress import Progress, no_progress
from satchel.storage import cache_folder, read_lines, write_lines

LEFT_OUT = frozenset({"test", "tests", "idle_test", "idlelib", "lib2to3", "turtledemo", "antigravity", "this"})
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
FORMAT = 1  # raise it when the same sources give other documents or other texts


class Entry(NamedTuple):
    """One document: its qualified name, its top-level module, and a text that begins with the name and signature."""

    id: str
    label: str
    text: str


def load_sample(on_progress: Progress = no_progress) -> LabelledTexts:
    """Loads the sample collection. The id is the qualified name, the label the top-level module (or "language" for
    language topics)."""
    kept = _cached()
    if kept is None:
        kept = _labelled(read_sample(on_progress))
        with suppress(OSError):  # without a cache the next call is only slower
            _keep(kept)
    return kept


def build_sample(on_progress: Progress = no_progress) -> Path:
    """Builds the sample in the cache unless it is there, and returns its path."""
    if _cached() is None:
        try:
            _keep(_labelled(read_sample(on_progress)))
        except OSError as error:
            if isinstance(error, MissingFileError):
                raise
            raise DownloadError(f"cannot write {_cache_file()}: {error.strerror or error}") from error
    return _cache_file()


def read_sample(on_progress: Progress = no_progress) -> list[Entry]:
    """Reads the documents from the running Python's sources: modules in order of name, then language topics."""
    folder = Path(sysconfig.get_path("stdlib"))
    entries = read_library(folder, sys.stdlib_module_names, on_progress)
    if not entries:
        raise MissingFileError(
            f"this Python has no source files of its standard library in {folder}; use a Python that ships them"
        )
    return entries + read_topics(folder / "pydoc_data" / "topics.py")


def _labelled(entries: Sequence[Entry]) -> LabelledTexts:
    return LabelledTexts([e.id for e in entries], [e.text for e in entries], [e.label for e in entries])


def _cache_file() -> Path:
    version = ".".join(str(part) for part in sys.version_info)
    return cache_folder() / "sample" / f"{sys.implementation.name}-{version}-form{FORMAT}.jsonl.gz"


def _keep(found: LabelledTexts) -> None:
    rows = zip(found.ids, found.texts, found.labels, strict=True)
    write_lines(_cache_file(), [json.dumps(len(found)), *(json.dumps(row, ensure_ascii=False) for row in rows)])


def _cached() -> LabelledTexts | None:
    """Reads the documents from the cache; None if they are missing or damaged, so that the caller builds them again."""
    try:
        lines = [json.loads(line) for _, line in read_lines(_cache_file())]
        count, rows = lines[0], lines[1:]
        columns = [[str(value) for value in column] for column in zip(*rows, strict=True)]
        return LabelledTexts(*columns) if len(rows) == count and len(columns) == 3 else None
    except (OSError, ValueError, TypeError, IndexError, DamagedFileError):
        return None


def read_library(folder: Path, names: Collection[str], on_progress: Progress = no_progress) -> list[Entry]:
    """Reads the modules `names` in the library's `folder`, in order of name; of documents with the same id the first
    is kept."""
    public = sorted(name for name in names if name not in LEFT_OUT and not _is_private(name))
    found: dict[str, Entry] = {}
    for done, name in enumerate(public, start=1):
        for module, path in _modules(folder, name):
            for entry in _module_entries(folder, module, path):
                found.setdefault(entry.id, entry)
        on_progress("reading modules", done, len(public))
    return list(found.values())


def read_topics(path: Path) -> list[Entry]:
    """Reads the language topics of `pydoc_data/topics.py` from its dictionary, as a literal; empty if it cannot be
    read."""
    tree = _parsed(path)
    for node in tree.body if tree else ():
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            topics = ast.literal_eval(node.value)
            return [
                Entry(f"language.{name}", "language", _clean(f"language topic {name}\n{text.strip()}"))
                for name, text in sorted(topics.items())
            ]
    return []


def _modules(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Yields the name and file of a top-level module and, for a package, of the public modules in it."""
    if (folder / f"{name}.py").is_file():
        yield name, folder / f"{name}.py"
    for path in sorted((folder / name).rglob("*.py"), key=lambda path: path.with_suffix("").parts):
        parts = path.relative_to(folder).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if not any(part in LEFT_OUT or _is_private(part) for part in parts):
            yield ".".join(parts), path


def _module_entries(folder: Path, module: str, path: Path) -> Iterator[Entry]:
    tree = _parsed(path)
    if tree is None:
        return
    handed_on = list(_handed_on(folder, module, path, tree))
    docstrings = (ast.get_docstring(node) for node in [tree, *(other for other, _ in handed_on)])
    yield from _entry(module, module, f"module {module}", next(filter(None, docstrings), None))
    for node in _definitions(tree.body):
        yield from _documented(node, module, module)
    for other, wanted in handed_on:
        for node in _definitions(other.body):
            if wanted(node.name):
                yield from _documented(node, module, module)


def _documented(node: Definition, prefix: str, module: str) -> Iterator[Entry]:
    """Yields the document of a definition and, for a class, those of its public members."""
    if _is_private(node.name) and node.name != "__init__":
        return
    name = f"{prefix}.{node.name}"
    yield from _entry(name, module, _title(node, name), ast.get_docstring(node))
    if isinstance(node, ast.ClassDef):
        for member in _definitions(node.body):
            yield from _documented(member, name, module)


def _entry(name: str, module: str, title: str, docstring: str | None) -> Iterator[Entry]:
    if docstring and docstring.strip():
        yield Entry(name, module.partition(".")[0], _clean(f"{title}\n{docstring}"))


def _title(node: Definition, name: str) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return f"class {name}({bases})" if bases else f"class {name}"
    if any(ast.unparse(decorator).endswith("property") for decorator in node.decorator_list):
        return name
    return f"{name}({ast.unparse(node.args)})"


def _definitions(body: list[ast.stmt]) -> Iterator[Definition]:
    """Yields the classes and functions of a body, including those inside if, try and with."""
    for node in _statements(body):
        if isinstance(node, Definition):
            yield node


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            handlers = [handler.body for handler in getattr(node, "handlers", ())]
            for inner in (node.body, *handlers, getattr(node, "orelse", []), getattr(node, "finalbody", [])):
                yield from _statements(inner)


def _handed_on(
    folder: Path, module: str, path: Path, tree: ast.Module
) -> Iterator[tuple[ast.Module, Callable[[str], bool]]]:
    """The private modules whose names a public one exports, each with the test for the names it hands on."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for source, names in _imports(tree, package):
        private = any(_is_private(part) for part in source.split("."))
        other = _parsed(folder.joinpath(*source.split(".")).with_suffix(".py")) if private else None
        if other is not None:
            wanted = _exported(other) if "*" in names else names & _exported(tree)
            yield other, (wanted.__contains__ if wanted or "*" not in names else lambda name: True)


def _imports(tree: ast.Module, package: str) -> Iterator[tuple[str, set[str]]]:
    """Modules that names are imported from, and the names ("*": all, also if a module replaces itself by another)."""
    for node in _statements(tree.body):
        if isinstance(node, ast.ImportFrom) and node.module and node.level < 2:
            source = f"{package}.{node.module}" if node.level else node.module
            yield source, {alias.name for alias in node.names}
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "sys.modules[__name__]":
            yield ast.unparse(node.value), {"*"}


def _exported(tree: ast.Module) -> frozenset[str]:
    """The names in a literal `__all__`, empty where there is none."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            try:
                return frozenset(ast.literal_eval(node.value))
            except (ValueError, TypeError):
                return frozenset()
    return frozenset()


def _parsed(path: Path) -> ast.Module | None:
    """Parses the file; None if it cannot be read or parsed, because one broken file must not stop the rest."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(path.read_bytes(), filename=str(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_private(name: str) -> bool:
    return name.startswith("_") and name != "__future__"


def _clean(text: str) -> str:
    """Replaces lone surrogates, which docstrings may contain but UTF-8 cannot."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
