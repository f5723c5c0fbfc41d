"""The house stays clean: who imports whom, and what a fresh interpreter loads."""

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import satchel

PACKAGE = Path(satchel.__file__).parent
TOP = PACKAGE.parents[1]
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = ("torch", "matplotlib", "fastapi", "starlette", "uvicorn")


def rooms_in_order() -> list[str]:
    """The rooms as the table of the architecture page lists them, top first."""
    page = (TOP / "docs" / "architecture.md").read_text("utf-8")
    table = page.split("| room | holds |")[1].split("\n\n")[0]
    return re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path) -> Iterator[str]:
    """Every satchel module that a file imports, at the top or inside a function."""
    names = {module_name(module) for module in MODULES}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module in names:
            assert node.level == 0, f"{path} imports relatively"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in names else node.module for name in inner)


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_every_room_stands_in_the_architecture_table():
    present = {path.stem for path in PACKAGE.glob("*.py")} | {
        path.parent.name for path in PACKAGE.glob("*/__init__.py")
    }
    assert present - {"__init__", "__main__"} == set(rooms_in_order())


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_a_module_imports_only_from_rooms_above_its_own(path):
    order = {room: position for position, room in enumerate(rooms_in_order())}
    own = room_of(module_name(path))
    if own in ("", "__main__"):
        return  # the package itself names its public classes, lazily; `python -m satchel` calls the command line
    for module in imported_modules(path):
        assert module == "satchel" or order[room_of(module)] <= order[own], f"{module_name(path)} imports {module}"


def test_modules_of_a_room_never_import_in_a_circle():
    graph = {
        module_name(path): {m for m in imported_modules(path) if m != module_name(path) and not _is_init(path)}
        for path in MODULES
    }
    graphlib.TopologicalSorter(graph).prepare()


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
retriever = satchel.EncoderRetriever(satchel.TfIdf()).fit(["a cat sat", "a dog ran"])
assert retriever.search(["cat"], 1).ids.tolist() == [[0]]
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


def test_every_public_name_can_be_imported():
    for name in satchel.__all__:
        assert getattr(satchel, name) is not None


def test_an_unknown_public_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = satchel.Nonsense
