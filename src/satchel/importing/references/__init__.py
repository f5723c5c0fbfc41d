"""References exported by reference managers and databases: RIS and BibTeX."""

from satchel.importing.references.bibtex import read_bibtex
from satchel.importing.references.ris import read_ris

__all__ = [
    "read_bibtex",
    "read_ris",
]
