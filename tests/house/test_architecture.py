"""The house stays clean: who imports whom, and what a fresh interpreter loads."""

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import satchel
from satchel.importing.types import Document
from satchel.text import stop_list

PACKAGE = Path(satchel.__file__).parent
TOP = PACKAGE.parents[1]
MODULES = sorted(PACKAGE.rglob("*.py"))
NEED_AN_EXTRA = {"ParagraphVector"}
HEAVY = ("torch", "matplotlib", "fastapi", "starlette", "uvicorn")


def bands() -> dict[str, str]:
    """The rooms with their bands, as the table of the architecture page lists them, top first."""
    page = (TOP / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    table = page.split("| room | band | holds |")[1].split("\n\n")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (core|product|laboratory) \|", table, flags=re.MULTILINE))


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Import(NamedTuple):
    """A module that a file imports, and when: with the file, when a function is called, or only to check types."""

    module: str
    when: str  # "at once", "in a function" or "for types"


def all_imports(path: Path) -> list[Import]:
    return list(_imports_below(ast.parse(path.read_text("utf-8")), "at once"))


def _imports_below(parent: ast.AST, when: str) -> Iterator[Import]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, when) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"line {node.lineno} imports relatively"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (Import(name if name in NAMES else node.module, when) for name in inner)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _imports_below(node, "in a function")
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from _imports_below(node, "for types")
        else:
            yield from _imports_below(node, when)


def imported_modules(path: Path) -> Iterator[str]:
    """Every satchel module that a file imports, at the top or inside a function."""
    yield from (found.module for found in all_imports(path) if found.module in NAMES)


NAMES = {module_name(path) for path in MODULES}


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_every_room_stands_in_the_architecture_table():
    present = {path.stem for path in PACKAGE.glob("*.py")} | {
        path.parent.name for path in PACKAGE.glob("*/__init__.py")
    }
    assert present - {"__init__", "__main__"} == set(bands())


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_a_module_imports_only_from_rooms_above_its_own(path):
    order = {room: position for position, room in enumerate(bands())}
    own = room_of(module_name(path))
    if own in ("", "__main__"):
        return  # the package itself names its public classes, lazily; `python -m satchel` calls the command line
    for module in imported_modules(path):
        assert module == "satchel" or order[room_of(module)] <= order[own], f"{module_name(path)} imports {module}"


def test_the_product_never_imports_the_laboratory():
    """Nor does the core. The command line may: it has commands for both."""
    band = bands()
    for path in MODULES:
        own = room_of(module_name(path))
        if own in band and own != "cli" and band[own] != "laboratory":
            below = {found for found in imported_modules(path) if band.get(room_of(found)) == "laboratory"}
            assert not below, f"{module_name(path)} imports {below}"


def test_the_command_line_imports_the_laboratory_only_inside_functions():
    for path in (PACKAGE / "cli").glob("*.py"):
        early = {found.module for found in all_imports(path) if found.when == "at once"}
        assert not {found for found in early if bands().get(room_of(found)) == "laboratory"}, path


REACHES = {
    (
        "encoders",
        "satchel.learning.trainer",
    ): "its checkpoint's numbers; networks have others of that name",
    ("neural", "satchel.learning.network_trainer"): "its checkpoint's numbers, as above",
}
"""Modules that a room imports past another room's door, each with the reason."""


def test_a_room_is_entered_through_its_door():
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    found = {
        (room_of(module_name(path)), module)
        for path in MODULES
        for module in imported_modules(path)
        if module.count(".") >= 2 and room_of(module) in rooms - {room_of(module_name(path))}
    }
    past = found - REACHES.keys()
    assert not past
    assert len(REACHES) <= 20


def test_doors_of_the_mathematics_are_light():
    code = """
import sys
import satchel.ranking, satchel.feedback, satchel.screening
print([name for name in ("scipy", "sklearn", "torch") if name in sys.modules])
"""
    assert _fresh_interpreter(code) == "[]"


def test_no_two_public_classes_have_the_same_name():
    names = [name for path in MODULES for name in _classes(path)]
    assert sorted(names) == sorted(set(names))


def _classes(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}


def test_the_table_of_parts_names_other_rooms_by_strings_alone():
    """It stands above the rooms whose classes it names: whoever asks for one imports it, and no other."""
    imported = {name for name, _ in all_imports(PACKAGE / "parts.py") if name.startswith("satchel")}
    assert imported == {"satchel.errors", "satchel.estimator"}


def test_modules_never_import_in_a_circle():
    """Inside functions and for types neither: modules that name each other's types have one reason to change."""
    graph = {
        module_name(path): {found.module for found in all_imports(path)} & NAMES
        for path in MODULES
        if not _is_init(path)
    }
    graphlib.TopologicalSorter(graph).prepare()


def test_learning_is_never_imported_with_another_module():
    """Training is asked for inside a function: what encodes and searches never loads torch."""
    for path in MODULES:
        if room_of(module_name(path)) != "learning":
            early = {found.module for found in all_imports(path) if found.when == "at once"}
            assert not {module for module in early if module.startswith("satchel.learning")}, path
            assert "torch" not in {module.partition(".")[0] for module in early}, path


def test_learning_needs_torch_and_arrays_and_little_else():
    """Of the house: errors, progress, types, and folders to keep checkpoints in."""
    allowed = {*sys.stdlib_module_names, "torch", "numpy", "scipy"}
    rooms = tuple(f"satchel.{room}" for room in ("errors", "progress", "types", "storage", "learning"))
    for path in (PACKAGE / "learning").glob("*.py"):
        for module, _ in all_imports(path):
            own = module.startswith(rooms)
            assert own or module.partition(".")[0] in allowed, f"{path.name} imports {module}"


def _is_init(path: Path) -> bool:
    return path.name == "__init__.py"


def test_a_module_never_imports_its_own_rooms_front_door():
    for path in MODULES:
        own = module_name(path)
        if not _is_init(path) and own.count(".") == 2:
            assert own.rpartition(".")[0] not in set(imported_modules(path)), own


def test_no_module_has_more_than_300_lines():
    long = {module_name(path): n for path in MODULES if (n := len(path.read_text("utf-8").splitlines())) > 300}
    assert not long


def test_no_module_assigns_a_name_twice():
    """The later value would hold for the code above it, too."""
    for path in MODULES:
        targets = [
            name.id
            for node in ast.parse(path.read_text("utf-8")).body
            if isinstance(node, ast.Assign)
            for target in node.targets
            for name in ast.walk(target)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        ]
        assert len(targets) == len(set(targets)), path


def test_nothing_is_ever_pickled():
    for path in MODULES:
        source = path.read_text("utf-8")
        assert not re.search(r"\b(import|from) (pickle|joblib|dill|shelve|marshal)\b", source), path
        assert "allow_pickle=True" not in source, path


def _fresh_interpreter(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_encoding_and_searching_load_nothing_heavy():
    code = f"""
import sys, satchel
from satchel.parts import PARTS, listed
texts = [f"w{{i}} w{{i + 1}} w{{i * i % 7}} w{{i % 50}}" for i in range(300)]
for name in PARTS["encoder"].keys() - {NEED_AN_EXTRA!r}:
    retriever = satchel.EncoderRetriever(listed("encoder", name)()).fit(texts)
    assert retriever.search(texts[:1], 1).ids.tolist() == [[0]], name
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    assert _fresh_interpreter(code) == "[]"


def test_importing_satchel_loads_neither_numpy_nor_anything_of_its_own():
    loaded = "[m for m in sys.modules if m.startswith(('numpy', 'scipy', 'sklearn', 'satchel.'))]"
    code = f"import sys, satchel; print({loaded})"
    assert _fresh_interpreter(code) == "[]"


def test_help_of_the_command_line_loads_neither_scipy_nor_sklearn():
    code = """
import sys
sys.argv = ["satchel", "--help"]
from satchel.cli import main
try:
    main()
except SystemExit:
    pass
print([m for m in ("scipy", "sklearn", "matplotlib") if m in sys.modules])
"""
    assert _fresh_interpreter(code).splitlines()[-1] == "[]"


def test_a_collection_is_used_without_scikit_learn(tmp_path):
    documents = [Document(f"d{n}", f"word{n % 7} word{n % 5} bread rocket w{n}", fields={"n": n}) for n in range(60)]
    with satchel.Collection.create(tmp_path / "own.satchel") as collection:
        collection.add(documents)
    code = f"""
import sys
from satchel import Collection
from satchel.collection import Document
with Collection.open({str(tmp_path / "own.satchel")!r}) as own:
    own.remove(["d3"])
    own.info()
    own.mark("d1", "relevant", query="bread")
    own.export({str(tmp_path / "marks.csv")!r}, "marks")
    print([m for m in ("scipy", "sklearn") if m in sys.modules])
    assert own.search("bread") and own.search("bread", relevant=["d2"], irrelevant=["d4"]) and own.search(like="d5")
    own.add([Document("new", "a new rocket")])
    own.export({str(tmp_path / "documents.jsonl")!r}, "documents")
    own.export({str(tmp_path / "vectors.npy")!r}, "vectors")
    print([m for m in ("sklearn", "scipy.stats", "scipy.special") if m in sys.modules])
"""
    assert _fresh_interpreter(code) == "[]\n[]"


def test_the_stop_list_read_from_its_file_is_the_one_of_scikit_learn():
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    assert stop_list("sklearn") == ENGLISH_STOP_WORDS


def test_every_public_name_can_be_imported():
    for name in satchel.__all__:
        assert getattr(satchel, name) is not None


def test_an_unknown_public_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = satchel.Nonsense
