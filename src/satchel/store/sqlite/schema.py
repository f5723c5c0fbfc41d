"""The schema of a collection file: its tables, how to recognise it, and how older versions are updated."""

from __future__ import annotations

APPLICATION_ID = 0x53A7C4E1
"""In bytes 68 to 71 of the file; it distinguishes a collection from other SQLite databases."""
VERSION = 4
"""The version of the tables below; in bytes 60 to 63 of the file."""

SEGMENTS = """CREATE TABLE segments (                 -- of the index of words: see satchel.store.index
    segment INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,             -- the number of its first passage
    documents BLOB NOT NULL,            -- int32: the document of each passage; after them how many words each has
    n_postings INTEGER NOT NULL
)"""
POSTINGS = """CREATE TABLE postings (
    segment INTEGER NOT NULL,
    stem TEXT NOT NULL,
    block BLOB NOT NULL,                -- passages, fields and counts: see satchel.store.index.coding
    PRIMARY KEY (segment, stem)
) WITHOUT ROWID"""
STREAMS = """CREATE TABLE streams (                  -- the words of each document, in order, by their numbers
    number INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    passages BLOB,                      -- int32, four for each passage: its words and its characters, from and to
    words BLOB NOT NULL                 -- last, because it may be long: the row is read from its beginning
)"""
WORDS = """CREATE TABLE words (
    number INTEGER PRIMARY KEY,
    word TEXT NOT NULL UNIQUE,          -- in lower case
    stem TEXT NOT NULL,
    folded TEXT                         -- without accents, where that differs
)"""
WORDS_BY_STEM = "CREATE INDEX words_by_stem ON words (stem)"
WORDS_BY_FOLDED = "CREATE INDEX words_by_folded ON words (folded) WHERE folded IS NOT NULL"
PASSAGE_VECTORS = """CREATE TABLE passage_vectors (          -- of documents that have several passages
    number INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    vectors BLOB NOT NULL               -- float32, one passage after the other
)"""
MIGRATIONS: dict[int, tuple[str, ...]] = {
    1: (
        "UPDATE documents SET checksum = checksum_of(id, title, text, fields)",
        "ALTER TABLE marks ADD COLUMN step INTEGER NOT NULL DEFAULT 0",
    ),
    2: (
        "DROP TRIGGER documents_added",
        "DROP TRIGGER documents_removed",
        "DROP TRIGGER documents_replaced",
        "DROP TABLE lexical",
        "DROP INDEX marks_by_interest",
        "ALTER TABLE marks RENAME COLUMN interest TO project",
        "CREATE INDEX marks_by_project ON marks (project, id)",
        "ALTER TABLE interests RENAME TO projects",
        "CREATE TABLE segments (segment INTEGER PRIMARY KEY)",
        "CREATE TABLE postings (segment INTEGER PRIMARY KEY)",
    ),
    3: (
        "DROP TABLE segments",
        "DROP TABLE postings",
        SEGMENTS,
        POSTINGS,
        STREAMS,
        WORDS,
        WORDS_BY_STEM,
        WORDS_BY_FOLDED,
        PASSAGE_VECTORS,
        "SELECT index_words()",
    ),
}
"""Version n -> the statements that turn it into version n + 1. A file is updated in one transaction when it is opened
for writing. Statements may call `checksum_of` and `index_words`."""

TABLES = f"""
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    fields TEXT NOT NULL,               -- a JSON object
    source TEXT NOT NULL,
    checksum BLOB NOT NULL,             -- of id, title, text and fields
    added REAL NOT NULL,                -- when it first came, in seconds since 1970
    change INTEGER NOT NULL             -- the change of the collection that brought it as it stands
);
CREATE INDEX documents_by_change ON documents (change);

CREATE TABLE fields (                   -- the same fields, one value a row, to filter by
    number INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    name TEXT NOT NULL,
    value NOT NULL,
    amount REAL                         -- the value as a number, where it is one or reads like one
);
CREATE INDEX fields_by_value ON fields (name, value, number);
CREATE INDEX fields_by_number ON fields (number);

{SEGMENTS};
{POSTINGS};
{STREAMS};
{WORDS};
{WORDS_BY_STEM};
{WORDS_BY_FOLDED};

CREATE TABLE vectors (
    number INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    vector BLOB NOT NULL                -- float32, little-endian
);

{PASSAGE_VECTORS};

CREATE TABLE stored_files (             -- folders: the model, the map, and word vectors that wait for documents
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    part INTEGER NOT NULL,              -- a long file is cut into parts, from 0 on
    content BLOB NOT NULL,
    PRIMARY KEY (folder, name, part)
);

CREATE TABLE marks (                    -- a diary: the last one that is not undone counts
    mark INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,                   -- of the document, which may be gone, and come again
    value TEXT NOT NULL CHECK (value IN ('relevant', 'maybe', 'irrelevant', 'none')),
    query TEXT NOT NULL,
    project TEXT,                       -- or NULL: the mark belongs to the query
    time REAL NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0,
    step INTEGER NOT NULL DEFAULT 0     -- above 0: those of one step were made together, and are undone so
);
CREATE INDEX marks_by_query ON marks (query, id);
CREATE INDEX marks_by_project ON marks (project, id);

CREATE TABLE mark_texts (               -- of marked documents that are in another collection
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE projects (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    filters TEXT NOT NULL,              -- a JSON object
    weights TEXT NOT NULL,              -- of themes: a JSON object, codeword -> weight
    model INTEGER NOT NULL,             -- the model whose themes they are
    created REAL NOT NULL,
    seen INTEGER NOT NULL               -- the last change of the collection that was looked at
) WITHOUT ROWID;

CREATE TABLE trainings (
    model INTEGER PRIMARY KEY,          -- the number of the model that came of it
    time REAL NOT NULL,
    learned_from TEXT NOT NULL,         -- texts, labels, marks, or given
    n_documents INTEGER NOT NULL,
    seconds REAL NOT NULL,
    details TEXT NOT NULL               -- a JSON object
);
"""
