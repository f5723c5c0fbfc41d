"""The index of words: passages, the stems and streams of words that they hold, and documents found by them."""

from satchel.store.index.coding import Block, packed_blocks, unpacked_streams
from satchel.store.index.segments import (
    FILE,
    ID,
    MOST_FIELDS,
    TEXT,
    TITLE,
    TOKENS_OF_SEGMENT,
    NewSegment,
    Numbering,
    Segment,
    SegmentBuilder,
    Stream,
    fingerprint,
    merged,
    to_merge,
)
from satchel.store.index.table import PassageTable, StemScores, best_documents

__all__ = [
    "FILE",
    "ID",
    "MOST_FIELDS",
    "TEXT",
    "TITLE",
    "TOKENS_OF_SEGMENT",
    "Block",
    "NewSegment",
    "Numbering",
    "PassageTable",
    "Segment",
    "SegmentBuilder",
    "StemScores",
    "Stream",
    "best_documents",
    "fingerprint",
    "merged",
    "packed_blocks",
    "to_merge",
    "unpacked_streams",
]
