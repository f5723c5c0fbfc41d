"""Operators against an evaluator that knows nothing of the parser: which documents may be found."""

from __future__ import annotations

import re
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.query import Leaf, Near, Phrase, Prefix, Word, evaluate, parse

Fields: TypeAlias = dict[str, str]
Tree: TypeAlias = tuple[str, ...] | tuple[str, object] | tuple[str, object, object]

STEMS = {"sun": "sun", "suns": "sun", "wind": "wind", "winds": "wind", "été": "ete", "mill": "mill", "windy": "windi"}
WORDS = st.sampled_from([*STEMS, "Winds", "Été"])
FIELDS = ("title", "text", "authors")
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from([" ", "-", ", ", " (", ". "])).map("".join), max_size=7).map("".join)
DOCUMENTS = st.lists(st.fixed_dictionaries(dict.fromkeys(FIELDS, TEXTS)), min_size=1, max_size=6)


# a slow reading of documents


def words_of(text: str) -> list[str]:
    return [word.lower().replace("é", "e") for word in re.split(r"\W+", text) if word]


def stems(words: list[str]) -> list[str]:
    table = {word.replace("é", "e"): stem for word, stem in STEMS.items()}
    return [table[word] for word in words]


def has_word(text: str, word: str) -> bool:
    return stems(words_of(word))[0] in stems(words_of(text))


def has_phrase(text: str, phrase: list[str]) -> bool:
    words = words_of(text)
    return any(words[start : start + len(phrase)] == phrase for start in range(len(words)))


def has_prefix(text: str, prefix: str) -> bool:
    return any(word.startswith(prefix) for word in words_of(text))


def has_near(text: str, asked: list[str], distance: int) -> bool:
    """Some window holds all words, and at most `distance` words beside one of each."""
    found, wanted = stems(words_of(text)), set(stems(asked))
    return any(
        wanted <= set(found[first:last]) and (last - first) - len(wanted) <= distance
        for first in range(len(found))
        for last in range(first + 1, len(found) + 1)
    )


# queries as trees, printed, and judged without the parser

NAMES = {"title": "title", "author": "authors", "TEXT": "text"}
BEGINNINGS = st.sampled_from(["w", "win", "wind", "winds", "s", "ét"])
VALUES = st.one_of(
    st.tuples(st.just("word"), WORDS),
    st.tuples(st.just("phrase"), st.lists(WORDS, min_size=1, max_size=3)),
    st.tuples(st.just("prefix"), BEGINNINGS),
    st.tuples(
        st.just("near"),
        st.lists(WORDS, min_size=2, max_size=2, unique_by=lambda w: STEMS[w.lower()]),
        st.integers(0, 3),
    ),
)
LEAVES = st.one_of(VALUES, st.tuples(st.just("field"), st.sampled_from(sorted(NAMES)), VALUES))
TREES = st.recursive(
    LEAVES,
    lambda tree: st.one_of(
        st.tuples(st.just("NOT"), tree),
        st.tuples(st.sampled_from(["AND", "OR"]), st.lists(tree, min_size=2, max_size=3)),
    ),
    max_leaves=6,
)
ROWS = st.lists(TREES, min_size=1, max_size=3)


def printed(tree: Tree, around: int = 0) -> str:
    """The tree as a person writes it: brackets only where something around it binds more strongly."""
    kind = tree[0]
    if kind == "word":
        return tree[1]
    if kind == "phrase":
        return f'"{" ".join(tree[1])}"'
    if kind == "prefix":
        return f"{tree[1]}*"
    if kind == "near":
        return f"NEAR({' '.join(tree[1])}, {tree[2]})"
    if kind == "field":
        return f"{tree[1]}:{printed(tree[2])}"
    own = {"OR": 1, "AND": 2, "NOT": 3}[kind]
    inner = f"NOT {printed(tree[1], 3)}" if kind == "NOT" else f" {kind} ".join(printed(one, own) for one in tree[1])
    return f"({inner})" if own < around else inner


def meets(document: Fields, tree: Tree, fields: tuple[str, ...] = FIELDS) -> bool:
    kind = tree[0]
    if kind == "NOT":
        return not meets(document, tree[1])
    if kind in ("AND", "OR"):
        return (all if kind == "AND" else any)([meets(document, one) for one in tree[1]])
    if kind == "field":
        return meets(document, tree[2], (NAMES[tree[1]],))
    texts = [document[field] for field in fields]
    if kind == "word":
        return any(has_word(text, tree[1]) for text in texts)
    if kind == "phrase":
        return any(has_phrase(text, words_of(" ".join(tree[1]))) for text in texts)
    if kind == "prefix":
        return any(has_prefix(text, words_of(tree[1])[0]) for text in texts)
    return any(has_near(text, words_of(" ".join(tree[1])), tree[2]) for text in texts)


def leaf_holds(document: Fields, leaf: Leaf) -> bool:
    assert isinstance(leaf, Word | Phrase | Prefix | Near)
    texts = [document[field] for field in leaf.fields or FIELDS]
    if isinstance(leaf, Word):
        return any(has_word(text, leaf.word) for text in texts)
    if isinstance(leaf, Phrase):
        return any(has_phrase(text, list(leaf.words)) for text in texts)
    if isinstance(leaf, Prefix):
        return any(has_prefix(text, leaf.prefix) for text in texts)
    return any(has_near(text, list(leaf.words), leaf.distance) for text in texts)


def found(documents: list[Fields], query: str) -> list[bool]:
    """The documents that may be found, by the parsed condition."""
    parsed = parse(query, ["authors"])
    assert parsed.notes == ()
    if parsed.condition is None:
        return [True] * len(documents)
    return [
        evaluate(parsed.condition, lambda leaf, one=one: leaf_holds(one, leaf), all, any, lambda part: not part)
        for one in documents
    ]


@settings(max_examples=400)
@given(DOCUMENTS, ROWS)
def test_the_documents_found_are_those_of_the_slow_evaluator(documents: list[Fields], row: list[Tree]) -> None:
    required = [tree for tree in row if tree[0] != "word"]  # words alone are only ranked
    expected = [all(meets(one, tree) for tree in required) for one in documents]
    assert found(documents, " ".join(printed(tree) for tree in row)) == expected


@settings(max_examples=200)
@given(DOCUMENTS, ROWS)
def test_more_brackets_change_nothing(documents: list[Fields], row: list[Tree]) -> None:
    plain, bracketed = (" ".join(printed(tree, around) for tree in row) for around in (0, 9))
    assert found(documents, plain) == found(documents, bracketed)


@settings(max_examples=200)
@given(DOCUMENTS, LEAVES)
def test_a_minus_excludes_what_not_excludes(documents: list[Fields], leaf: Tree) -> None:
    assert found(documents, f"-{printed(leaf)}") == [not meets(one, leaf) for one in documents]
