"""Readers of single forms: texts, web pages, PDF, office files, mail, TREC's collections."""

from satchel.importing.readers.ebooks import read_ebook
from satchel.importing.readers.mail import read_mailbox, read_message
from satchel.importing.readers.notebooks import read_notebook
from satchel.importing.readers.pdf_files import read_pdf
from satchel.importing.readers.plain import read_markdown, read_restructured, read_text
from satchel.importing.readers.trec import looks_like_trec, read_trec
from satchel.importing.readers.web_pages import read_web_page
from satchel.importing.readers.word_files import read_open_document, read_slides, read_word

__all__ = [
    "looks_like_trec",
    "read_ebook",
    "read_mailbox",
    "read_markdown",
    "read_message",
    "read_notebook",
    "read_open_document",
    "read_pdf",
    "read_restructured",
    "read_slides",
    "read_text",
    "read_trec",
    "read_web_page",
    "read_word",
]
