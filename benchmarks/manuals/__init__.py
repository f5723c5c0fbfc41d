"""Whole manuals as documents, asked for by the headings of their sections."""
