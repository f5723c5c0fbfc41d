"""Small collections for tests: documents about two topics, the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from satchel import Collection
from satchel.importing.types import Document

SPACE = ["rocket", "orbit", "planet", "moon", "engine", "launch", "satellite", "astronaut", "telescope", "comet"]
KITCHEN = ["oven", "bread", "flour", "butter", "sugar", "recipe", "kitchen", "dough", "cake", "spoon"]
COMMON = ["people", "often", "think", "about", "many", "small", "things", "during", "long", "quiet", "days"]


def two_topics(n_documents: int = 40, random_state: int = 0) -> list[Document]:
    """Documents d000, d001, …: even ones about space, odd ones about the kitchen, with fields topic and year."""
    random = np.random.default_rng(random_state)
    documents = []
    for number in range(n_documents):
        topic, words = (("space", SPACE), ("kitchen", KITCHEN))[number % 2]
        text = " ".join([*random.choice(words, 8), *random.choice(COMMON, 8)])
        fields = {"topic": topic, "year": 2000 + number % 10, "tags": [topic[:1], f"t{number % 3}"]}
        documents.append(Document(f"d{number:03}", text, title=f"On {words[number % 10]}", fields=fields))
    return documents


def make_collection(folder: Path, n_documents: int = 40, name: str = "own.satchel") -> Collection:
    """A collection of `two_topics`, open."""
    collection = Collection.create(folder / name)
    collection.add(two_topics(n_documents))
    return collection
