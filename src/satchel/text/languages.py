"""What depends on the language of a text: stop lists by name, and stemming."""

import runpy
from collections.abc import Callable
from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from satchel.errors import unknown_name


def _none() -> frozenset[str]:
    return frozenset()


def _sklearn() -> frozenset[str]:
    """scikit-learn's list, read from its file if that is found, because importing scikit-learn takes a second."""
    found = find_spec("sklearn")
    for folder in (found and found.submodule_search_locations) or ():
        path = Path(folder) / "feature_extraction" / "_stop_words.py"
        if path.is_file():
            return frozenset(runpy.run_path(str(path))["ENGLISH_STOP_WORDS"])
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)


def _smart() -> frozenset[str]:
    """SMART's stop words without contractions: 523 words ([MW] section 3.3 speaks of 524)."""
    return frozenset(resources.files("satchel.text").joinpath("smart-stopwords.txt").read_text("utf-8").split())


STOP_LISTS: dict[str, Callable[[], frozenset[str]]] = {"none": _none, "sklearn": _sklearn, "smart": _smart}


@cache
def stop_list(name: str) -> frozenset[str]:
    """The words of a stop list, lower case."""
    if name not in STOP_LISTS:
        raise unknown_name("stop list", name, STOP_LISTS)
    return STOP_LISTS[name]()


def porter_stems(words: list[str]) -> list[str]:
    """The stems of words by Porter's algorithm; their case and accents stay."""
    import Stemmer

    stems: list[str] = Stemmer.Stemmer("porter").stemWords(words)
    return stems
