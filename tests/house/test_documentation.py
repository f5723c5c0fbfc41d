"""The documentation stays in step with the code."""

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from statistics import fmean

import pytest

TOP = Path(__file__).parents[2]
SOURCES = sorted((TOP / "src" / "satchel").rglob("*.py"))
CITED_EQUATION = re.compile(r"\[(PT18|CP13|MW)\] Eqs?\. \((\d+)\)(?:[-–]\((\d+)\))?")


def table_rows() -> list[tuple[str, str, str]]:
    """(paper, place, function) of each row of the table."""
    page = (TOP / "docs" / "reference" / "equations.md").read_text("utf-8")
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
    assert cited <= listed, f"cited in a docstring but not in docs/reference/equations.md: {sorted(cited - listed)}"


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


def readme_results() -> list[tuple[str, str, str]]:
    """(table, method, cell) of the README's table of results; its head names the tables, as in `Table 3: R8`."""
    section = (TOP / "README.md").read_text("utf-8").split("## Results so far")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    tables = [re.match(r"Table (\d+)", cell)[1] for cell in rows[0][1:]]
    return [(table, row[0], cell) for row in rows[2:] for table, cell in zip(tables, row[1:], strict=True)]


@pytest.mark.parametrize(("table", "method", "cell"), readme_results())
def test_the_readme_shows_what_the_experiments_gave(table, method, cell):
    rows = json.loads((TOP / "experiments" / "pt18" / f"table{table}.json").read_text("utf-8"))
    rows = [row for row in rows if row["method"] == method and row["distance"] == "cosine"]
    ours = fmean(row["measures"]["mAP (11-point)"] for row in rows)
    assert cell == f"{ours:.2f} ({rows[0]['published']['mAP (11-point)']:.2f})"


BEST_SETS = ("20ng", "r8", "r52", "webkb")
BEST = {
    "LSI, no labels": ("unlabelled", "LSI-64", {}),
    "best, no labels": ("unlabelled", "best", {}),
    "best, 5 labels a class": ("few-labels", "best", {"per class": 5}),
    "best, all labels": ("path", "+ rectifier: the best recipe", {}),
}


def marks_cells() -> list[tuple[str, str, str]]:
    """(method, data set, cell) of the README's table of feedback."""
    section = (TOP / "README.md").read_text("utf-8").split("## Marks that help")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
    return [(row[0], name, cell) for row in rows for name, cell in zip(("20ng", "r8", "webkb"), row[1:], strict=True)]


@pytest.mark.parametrize(("method", "dataset", "cell"), marks_cells())
def test_the_readmes_gains_by_marks_are_those_saved(method, dataset, cell):
    saved = json.loads((TOP / "experiments" / "feedback" / "labelled.json").read_text("utf-8"))
    setting = {"data set": dataset, "vectors": "default"}
    measured = [row["measures"] for row in saved if row["method"] == method and row["setting"] == setting]
    names = ["mAP (11-point)", "mAP (11-point), worse"][: 1 + ("worse" in cell)]
    means = [sum(values[name] for values in measured) / len(measured) for name in names]
    assert cell == ", ".join(f"{mean:.2f}" for mean in means) + " worse" * (len(means) - 1)


COLLECTION_SETS = ("cranfield", "cacm", "npl", "scifact", "nfcorpus-partial")
COLLECTION_ROWS = {
    "bm25s, stems and stop words": ("search", "bm25s"),
    "a Satchel collection": ("search", "both"),
    "marks: BM25 with Rocchio": ("marks", "Rocchio (1, 8, -4)"),
    "marks: a Satchel collection": ("marks", "collection"),
}


def collection_cells() -> list[tuple[str, str, str]]:
    """(row, data set, cell) of the README's table of collections."""
    section = (TOP / "README.md").read_text("utf-8").split("## A collection")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
    return [(row[0], name, cell) for row in rows for name, cell in zip(COLLECTION_SETS, row[1:], strict=True)]


@pytest.mark.parametrize(("row", "dataset", "cell"), collection_cells())
def test_the_readmes_figures_of_collections_are_those_saved(row, dataset, cell):
    name, method = COLLECTION_ROWS[row]
    saved = json.loads((TOP / "experiments" / "collection" / f"{name}.json").read_text("utf-8"))
    own = [one for one in saved if one["method"] == method and one["setting"]["data set"] == dataset]
    assert cell == f"{fmean(one['measures']['nDCG@10'] for one in own):.2f}"


def best_results() -> list[tuple[str, str, str]]:
    """(row, data set, cell) of the README's table of the best recipe."""
    section = (TOP / "README.md").read_text("utf-8").split("## The best 64 numbers")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return [(row[0], name, cell) for row in rows[2:] for name, cell in zip(BEST_SETS, row[1:], strict=True)]


@pytest.mark.parametrize(("row", "dataset", "cell"), best_results())
def test_the_readme_shows_what_the_best_recipe_gave(row, dataset, cell):
    name, method, setting = BEST[row]
    rows = json.loads((TOP / "experiments" / "best" / f"{name}.json").read_text("utf-8"))
    wanted = setting | {"data set": dataset}
    found = [row for row in rows if row["method"] == method and wanted.items() <= row["setting"].items()]
    assert len(found) == 3
    assert cell == f"{fmean(row['measures']['mAP (11-point)'] for row in found):.2f}"


def test_the_readme_shows_three_tables_and_four_methods():
    assert len({table for table, _, _ in readme_results()}) >= 3
    assert {"tf-idf", "tf-idf (stop)", "LSI", "Mean WE"} <= {method for _, method, _ in readme_results()}


def test_no_page_holds_a_placeholder():
    for page in (TOP / "README.md", *(TOP / "docs").rglob("*.md")):
        assert not re.search(r"^\W*(RESULTS|TODO|TBD|FIXME|XXX)\W*$", page.read_text("utf-8"), flags=re.MULTILINE), page


def test_no_page_holds_an_unresolved_merge():
    for page in (TOP / "README.md", TOP / "CHANGELOG.md", TOP / "CONTRIBUTING.md", *(TOP / "docs").rglob("*.md")):
        assert not re.search(r"^(<{7} |={7}$|>{7} )", page.read_text("utf-8"), flags=re.MULTILINE), page


@pytest.mark.parametrize("page", sorted((TOP / "docs").rglob("*.md")), ids=lambda page: page.name)
def test_every_snippet_of_a_page_is_a_file(page):
    for snippet in re.findall(r'^--8<-- "(.+)"$', page.read_text("utf-8"), flags=re.MULTILINE):
        assert (TOP / snippet).is_file(), f"{page.name} shows {snippet}, which is not there"


def test_every_page_lies_on_a_shelf_and_stands_in_the_navigation():
    pages = {page.relative_to(TOP / "docs").as_posix() for page in (TOP / "docs").rglob("*.md")}
    shelves = {"tutorial", "how-to", "reference", "explanation", "laboratory"}
    assert {page.split("/")[0] for page in pages - {"index.md"}} == shelves
    assert set(re.findall(r"[\w/-]+\.md", (TOP / "mkdocs.yml").read_text("utf-8"))) == pages


def test_every_command_is_documented():
    from typer.main import get_command

    from satchel.cli.app import app

    page = (TOP / "docs" / "reference" / "commands.md").read_text("utf-8")
    for name, command in get_command(app).commands.items():
        for inner in getattr(command, "commands", {"": None}):
            assert f"satchel {name} {inner}".strip() in page, f"{name} {inner} is not in docs/reference/commands.md"


def places() -> list[tuple[str, str]]:
    """(name, file) of each row of the table "Find your way"."""
    page = (TOP / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    table = page.split("## Find your way")[1].split("\n## ")[0]
    return re.findall(r"^\| [^|]+ \| `(\w+)` \| `([\w/.]+)` \|$", table, flags=re.MULTILINE)


@pytest.mark.parametrize(("name", "file"), places())
def test_each_place_that_the_architecture_names_holds_the_function(name, file):
    nodes = ast.parse((TOP / file).read_text("utf-8")).body
    assert name in {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_the_picture_of_the_house_names_every_room():
    picture = (TOP / "docs" / "pictures" / "house.svg").read_text("utf-8")
    page = (TOP / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    rooms = re.findall(r"^\| `(\w+)` \|", page.split("| room | band | holds |")[1], flags=re.MULTILINE)
    assert len(places()) >= 5
    assert [room for room in rooms if not re.search(rf"\b{room}\b", picture)] == []


def test_continuous_integration_runs_the_readmes_test_command():
    lines = (TOP / ".ci" / "run").read_text("utf-8").splitlines()
    assert lines[-2:] == ["make test", "make check"]
