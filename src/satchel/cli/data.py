"""`satchel data`: the data sets that Satchel knows."""

from typing import Annotated

import typer

from satchel.cli.console import download_bar, out, print_json, print_table

app = typer.Typer(help="List and fetch public data sets.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_data(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """The data sets, and where each one lies.

    That is $SATCHEL_DATA ("data folder"), the cache, or only the data set's source.
    """
    from satchel.datasets import DATASETS, place_of

    rows = [
        {
            "name": name,
            "kind": entry.kind,
            "rows": entry.rows,
            "place": place_of(name),
            "description": entry.description,
        }
        for name, entry in DATASETS.items()
    ]
    if as_json:
        print_json(rows)
    else:
        columns = ("name", "kind", "rows", "place", "description")
        print_table(columns, [tuple(str(row[column]) for column in columns) for row in rows])


@app.command("get")
def get_data(
    name: Annotated[str, typer.Argument(help="A name from `satchel data list`.")],
) -> None:
    """Fetch a data set into the cache, verified by checksum.

    \b
    Example:
      satchel data get r8
    """
    from satchel.datasets import fetch

    with download_bar(name) as on_bytes:
        path = fetch(name, progress=on_bytes)
    out.print(f"{name} lies in {path}", markup=False)
