"""Labelled texts of made-up topics."""

import numpy as np

PETS = ["cat", "dog", "purr", "bark", "fur", "paw", "leash", "kitten"]
MONEY = ["bank", "stock", "bond", "market", "fund", "trade", "share", "price"]
TOPICS = [[f"{letter}{number}" for number in range(12)] for letter in "abcdef"]
EVERY_WORD = [word for topic in TOPICS for word in topic]

_RANDOM = np.random.default_rng(0)
THEMES = {
    "sea": ["ship", "harbour", "wave", "sailor", "anchor"],
    "bread": ["flour", "oven", "yeast", "baker", "crust"],
    "chess": ["knight", "pawn", "bishop", "gambit", "rook"],
}
NAMES = [name for name in THEMES for _ in range(12 if name == "sea" else 8)]
TEXTS = [" ".join([*_RANDOM.choice(THEMES[name], 6), "thing"]) for name in NAMES]


def corpus(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Texts of twelve words, nine of them of the label's topic."""
    random, texts, labels = np.random.default_rng(seed), [], []
    for number in range(n):
        own, other = (PETS, MONEY) if number % 2 else (MONEY, PETS)
        texts.append(" ".join([*random.choice(own, 9), *random.choice(other, 3)]))
        labels.append("pets" if number % 2 else "money")
    return texts, labels


def collection(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Texts of eight words, three of them of the label's topic and five of any."""
    random, texts, labels = np.random.default_rng(seed), [], []
    for number in range(n):
        topic = number % len(TOPICS)
        texts.append(" ".join([*random.choice(TOPICS[topic], 3), *random.choice(EVERY_WORD, 5)]))
        labels.append(f"topic {topic}")
    return texts, labels
