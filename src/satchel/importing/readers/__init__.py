"""Readers, one per format: texts, web pages, PDF, office files, mail, references, TREC's collections."""

from satchel.importing.readers.bibtex import read_bibtex
from satchel.importing.readers.mail import read_mailbox, read_message
from satchel.importing.readers.office import read_ebook, read_open_document, read_slides, read_word
from satchel.importing.readers.pdf import read_pdf
from satchel.importing.readers.plain import (
    looks_like_trec,
    read_markdown,
    read_notebook,
    read_restructured,
    read_text,
    read_trec,
)
from satchel.importing.readers.ris import read_ris
from satchel.importing.readers.web import read_web_page

__all__ = [
    "looks_like_trec",
    "read_bibtex",
    "read_ebook",
    "read_mailbox",
    "read_markdown",
    "read_message",
    "read_notebook",
    "read_open_document",
    "read_pdf",
    "read_restructured",
    "read_ris",
    "read_slides",
    "read_text",
    "read_trec",
    "read_web_page",
    "read_word",
]
