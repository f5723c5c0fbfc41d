"""The documentation stays in step with the code."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
SOURCES = sorted((TOP / "src" / "satchel").rglob("*.py"))
CITED_EQUATION = re.compile(r"\[(PT18|CP13|MW)\] Eqs?\. \((\d+)\)(?:[-–]\((\d+)\))?")


def table_rows() -> list[tuple[str, str, str]]:
    """(paper, place, function) of each row of the table."""
    page = (TOP / "docs" / "equations.md").read_text("utf-8")
    rows = re.findall(r"^\| (PT18|CP13|MW) \| ([^|]+) \| [^|]+ \| `(satchel[\w.]+)` \|", page, flags=re.MULTILINE)
    return [(paper, place.strip(), function) for paper, place, function in rows]


def resolve(dotted: str) -> object:
    module, name = dotted.rsplit(".", 1)
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError:  # a method: module.Class.method
        return getattr(resolve(module), name)


@pytest.mark.parametrize(("paper", "place", "function"), table_rows())
def test_each_function_of_the_table_exists_and_cites_its_place(paper, place, function):
    assert f"[{paper}] {place}" in (inspect.getdoc(resolve(function)) or "")


def test_each_equation_cited_in_the_code_stands_in_the_table():
    cited = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and (doc := ast.get_docstring(node)):
                cited |= {(match[0], match[1]) for match in CITED_EQUATION.findall(doc)}
    listed = {(paper, number) for paper, place, _ in table_rows() for number in re.findall(r"\((\d+)\)", place)}
    assert cited <= listed, f"cited in a docstring but not in docs/equations.md: {sorted(cited - listed)}"


def readme_example() -> str:
    readme = (TOP / "README.md").read_text("utf-8")
    return textwrap.dedent(re.search(r"```python\n(.*?)```", readme, flags=re.DOTALL)[1])


def test_the_readme_example_has_ten_lines_and_runs():
    example = readme_example()
    assert len(example.strip().splitlines()) <= 10
    done = subprocess.run([sys.executable, "-W", "error", "-c", example], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "zipfile" in done.stdout


def test_the_readme_shows_both_commands():
    readme = (TOP / "README.md").read_text("utf-8")
    assert "make demo" in readme
    assert "make test" in readme


def test_the_readme_tree_names_every_room():
    readme = (TOP / "README.md").read_text("utf-8")
    rooms = [path.parent.name for path in (TOP / "src" / "satchel").glob("*/__init__.py")]
    assert [room for room in rooms if f"{room}/" not in readme] == []


def test_every_command_is_documented():
    from typer.main import get_command

    from satchel.cli.app import app

    page = (TOP / "docs" / "commands.md").read_text("utf-8")
    for name, command in get_command(app).commands.items():
        for inner in getattr(command, "commands", {"": None}):
            assert f"satchel {name} {inner}".strip() in page, f"{name} {inner} is not in docs/commands.md"


def test_continuous_integration_runs_the_readmes_test_command():
    lines = (TOP / ".ci" / "run").read_text("utf-8").splitlines()
    assert lines[-2:] == ["make test", "make check"]
