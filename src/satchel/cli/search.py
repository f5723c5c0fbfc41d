"""`satchel search`: find documents by words, by meaning, by both, and by marks."""

from __future__ import annotations

from satchel.cli.asking import Asked, searched, with_request
from satchel.cli.hits import Ids, Run, Why, show_hits
from satchel.cli.opened import AsJson, File, opened


@with_request()
def search(
    file: File,
    asked: Asked,
    why: Why = False,
    as_json: AsJson = False,
    ids: Ids = False,
    run: Run = False,
) -> None:
    """Search a collection, by words and by meaning.

    Marks given here re-rank all documents at once and are not kept; `satchel mark` keeps them. Marks that were kept
    for the same query count without being given.

    \b
    Examples:
      satchel search papers.satchel "grid storage"
      satchel search papers.satchel "grid storage" --relevant a.pdf --irrelevant b.pdf --why
      satchel search papers.satchel --like a.pdf --where 'year>=2019' --where lang=en,de
      satchel search papers.satchel --project storage -k 100 --run > storage.run
    """
    with opened(file) as collection:
        hits = searched(collection, asked, **({"explained": False} if ids or run else {}))
        show_hits(collection, hits, why=why, as_json=as_json, ids=ids, run=run)
