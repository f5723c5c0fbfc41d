"""Tantivy, by its Python package: English stems, title and text, the words of the query joined by OR."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.engines.words import words_of
from satchel.importing import Document

HEAP, FIELDS = 200_000_000, ("title", "text")


class Tantivy:
    """An index in a folder; with `has_snippets` a search also makes a snippet of each hit."""

    def __init__(self, folder: Path, has_snippets: bool = False) -> None:
        self._package: Any = import_module("tantivy")
        self._index = self._package.Index.open(str(folder))
        self._searcher, self._has_snippets = self._index.searcher(), has_snippets

    @staticmethod
    def build(folder: Path, documents: Iterable[Document], n_threads: int = 1) -> None:
        package: Any = import_module("tantivy")
        folder.mkdir()
        schema = package.SchemaBuilder().add_text_field("id", stored=True, tokenizer_name="raw")
        for field in FIELDS:
            schema = schema.add_text_field(field, stored=True, tokenizer_name="en_stem")
        index = package.Index(schema.build(), path=str(folder))
        writer = index.writer(heap_size=HEAP, num_threads=n_threads)
        for document in documents:
            writer.add_document(package.Document(id=document.id, title=document.title, text=document.text))
        writer.commit()
        writer.wait_merging_threads()

    def search(self, query: str, k: int) -> list[str]:
        asked = self._index.parse_query(" ".join(words_of(query)), list(FIELDS))
        found = [self._searcher.doc(address) for _, address in self._searcher.search(asked, k, count=False).hits]
        if self._has_snippets and found:
            snippets = self._package.SnippetGenerator.create(self._searcher, asked, self._index.schema, "text")
            for document in found:
                snippets.snippet_from_doc(document).to_html()
        return [document["id"][0] for document in found]
