"""The table of named parts: encoders, retrievers, networks, word learners, expansions and screening models.

An experiment's file and the command line name a part and its parameters: {name = "Lsi", n_components = 64}. Your own
class is named "package.module:Class", which imports its module. Code that reads data from others, such as a model
folder, therefore uses `listed`, which knows only the names in the table. Nothing is imported before it is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Final, Literal

from satchel.errors import InputError, SatchelError, unknown_name
from satchel.estimator import flat_names, from_flat

Kind = Literal["encoder", "retriever", "network", "learner of words", "expansion", "screening model"]
Table = Mapping[str, object]
"""A part as a table: its `name` and its parameters."""

PARTS: Final[Mapping[Kind, Mapping[str, str]]] = {
    "encoder": {
        "TfIdf": "satchel.encoders:TfIdf",
        "Lsi": "satchel.encoders:Lsi",
        "MeanWords": "satchel.encoders:MeanWords",
        "ParagraphVector": "satchel.encoders:ParagraphVector",
        "BagOfEmbeddedWords": "satchel.encoders:BagOfEmbeddedWords",
        "FisherVectors": "satchel.encoders:FisherVectors",
        "Plsa": "satchel.encoders:Plsa",
        "Lda": "satchel.encoders:Lda",
    },
    "retriever": {
        "Bm25": "satchel.ranking.rankers:Bm25",
        "Pl2": "satchel.ranking.rankers:Pl2",
        "LanguageModel": "satchel.ranking.rankers:LanguageModel",
        "FusedRetriever": "satchel.collection.retriever:FusedRetriever",
        "EncoderRetriever": "satchel.ranking.retrievers:EncoderRetriever",
    },
    "network": {
        "FeedForwardRetriever": "satchel.neural:FeedForwardRetriever",
        "RecurrentRetriever": "satchel.neural:RecurrentRetriever",
    },
    "learner of words": {"lsi": "satchel.words:LsiWords", "yule": "satchel.words:YuleWords"},
    "expansion": {"Rm3": "satchel.ranking.expansion:Rm3", "Rocchio": "satchel.ranking.expansion:Rocchio"},
    "screening model": {
        "both": "satchel.screening.model:BothModel",
        "lexical": "satchel.screening.model:LexicalModel",
        "vectors": "satchel.screening.model:VectorModel",
    },
}
STANDING_IN: Final[Mapping[Kind, tuple[Kind, ...]]] = {"retriever": ("network", "encoder")}
"""The other kinds that may replace a kind: a network is a retriever, and an encoder is searched by cosine."""
METHODS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "encoder": ("fit", "transform"),
    "retriever": ("fit", "search"),
    "network": ("fit", "search"),
    "learner of words": ("learn",),
    "expansion": ("check", "expand"),
    "screening model": ("read", "scores"),
}
"""The methods that a class of each kind must have."""
HOLDS: Final[Mapping[str, Kind]] = {
    "encoder": "encoder",
    "expansion": "expansion",
    "retrievers": "retriever",
    "words": "learner of words",
}
"""Parameters that are parts, or lists of parts. A table with a name under any other parameter is a retriever."""


def listed(kind: Kind, name: str) -> type[Any]:
    """The class of a name in the table. A path is refused, so that a data file cannot cause an import."""
    for one in (kind, *STANDING_IN.get(kind, ())):
        if name in PARTS[one]:
            return _class_at(PARTS[one][name])
    raise unknown_name(kind, name, names(kind))


def part(kind: Kind, name: str) -> type[Any]:
    """The class of a name in the table, or of the path "package.module:Class"; its module is imported."""
    if ":" not in name:
        return listed(kind, name)
    found = _imported(kind, name)
    if not any(_is(one, found) for one in (kind, *STANDING_IN.get(kind, ()))):
        raise InputError(f"{name!r} cannot be the {kind}: it needs the methods {' and '.join(METHODS[kind])}")
    return found


def names(kind: Kind) -> list[str]:
    """All names that can be used for that kind."""
    return [name for one in (kind, *STANDING_IN.get(kind, ())) for name in PARTS[one]]


def build(kind: Kind, table: Table, seed: int = 0) -> Any:
    """The part that a table names: {name = "Bm25", k1 = 1.2}. It is seeded if it draws, and so are the parts inside.

    A parameter that is itself a part is also such a table, and several parts are a list of tables. `tokenizer` is the
    table of a tokenizer's parameters; `words` names word vectors, or their learner: { learn = "yule", dim = 50 }. An
    encoder given as a retriever is searched by cosine.
    """
    check(kind, table)
    name, parameters = _split(kind, table)
    cls = part(kind, name)
    if kind == "retriever" and not _is("retriever", cls):
        return listed("retriever", "EncoderRetriever")(build("encoder", table, seed))
    values = {key: _value(key, value, seed) for key, value in parameters.items()}
    if "random_state" in _parameters(cls):
        values.setdefault("random_state", seed)
    try:
        return from_flat(cls, values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be built from {parameters}: {error}") from error


def check(kind: Kind, table: Table) -> None:
    """Raises InputError unless a part can be built from the table; word vectors are not loaded."""
    name, given = _split(kind, table)
    cls = part(kind, name)
    known = _parameters(cls)
    for key, one in known.items():
        if key not in given and one.default is one.empty and one.kind not in _ANY:
            example = f': a table such as {{ name = "{names(HOLDS[key])[0]}" }}' if key in HOLDS else ""
            raise InputError(f"{name} needs {key}{example}")
    for key, value in given.items():
        if key not in flat_names(cls) and all(one.kind is not Parameter.VAR_KEYWORD for one in known.values()):
            raise unknown_name(f"parameter of {name}", key, flat_names(cls))
        if key == "tokenizer":
            _tokenizer(value)
        for inner_kind, inner in _parts_in(key, value):
            check(inner_kind, inner)


def parameters_from(settings: Sequence[str]) -> dict[str, object]:
    """Parameters from `name=value` settings, the values as TOML writes them; a bare word is a string."""
    import tomllib

    parameters: dict[str, object] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"a parameter is set as name=value, not {setting!r}")
        try:
            parameters[name.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            parameters[name.strip()] = value
    return parameters


def forget_words() -> None:
    """Releases the word vectors that parts share."""
    _words.cache_clear()


_ANY = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def _parameters(cls: type[Any]) -> Mapping[str, Parameter]:
    return signature(cls).parameters


def _split(key: str, table: Table) -> tuple[str, dict[str, object]]:
    """The name of a part and its parameters."""
    others = {inner: value for inner, value in table.items() if inner != "name"}
    name = table.get("name") or (others.pop("learn", "") if HOLDS.get(key) == "learner of words" else "")
    if not isinstance(name, str) or not name:
        example = '{ learn = "yule" }' if HOLDS.get(key) == "learner of words" else '{ name = "Bm25" }'
        raise InputError(f"{key} is {dict(table)}; expected a table with a name, such as {example}")
    return name, others


def _parts_in(key: str, value: object) -> Iterator[tuple[Kind, Table]]:
    """The parts that the value of a parameter names."""
    for one in value if isinstance(value, list) else [value]:
        if key != "tokenizer" and isinstance(one, Mapping) and (key in HOLDS or "name" in one):
            name, parameters = _split(key, one)
            yield HOLDS.get(key, "retriever"), {**parameters, "name": name}


def _value(key: str, value: object, seed: int) -> object:
    """The object that a written value means."""
    if key == "tokenizer":
        return _tokenizer(value)
    if key == "words" and isinstance(value, str):
        return _words(value)
    if isinstance(value, list):
        return tuple(_value(key, one, seed) for one in value)
    for kind, table in _parts_in(key, value):
        return build(kind, table, seed)
    return value


def _tokenizer(value: object) -> object:
    tokenizer = _class_at("satchel.text:Tokenizer")
    if isinstance(value, tokenizer):
        return value
    if not isinstance(value, Mapping):
        raise InputError(f"tokenizer is {value!r}; expected a table such as {{ min_length = 2, stop_words = 'smart' }}")
    try:
        return tokenizer(**value)
    except (TypeError, ValueError) as error:
        raise InputError(f"a tokenizer cannot be built from {dict(value)}: {error}") from error


@lru_cache(maxsize=2)
def _words(name: str) -> object:
    """Word vectors by name; the methods of an experiment share them."""
    vectors: object = _class_at("satchel.words:WordVectors").load(name)
    return vectors


def _class_at(address: str) -> type[Any]:
    module, _, name = address.partition(":")
    found: type[Any] = getattr(import_module(module), name)
    return found


def _imported(kind: Kind, path: str) -> type[Any]:
    """The class of a path that a person wrote; its module is installed, or lies in the current folder."""
    module, _, name = path.partition(":")
    if not all(word.isidentifier() for word in (*module.split("."), name)):
        raise InputError(f"{path!r} names no {kind}; write it as package.module:Class")
    try:
        with _current_folder_on_the_path():
            found = getattr(import_module(module), name, None)
    except SatchelError:
        raise
    except Exception as error:  # the module's own code may raise anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"the {kind} {path!r} cannot be imported ({reason})") from error
    if not isinstance(found, type):
        raise InputError(f"the {kind} {path!r} does not exist: the module {module} has no class {name}")
    return found


@contextmanager
def _current_folder_on_the_path() -> Iterator[None]:
    """Adds the current folder at the end of the path while a user's class is imported; its files hide no others."""
    here = str(Path.cwd())
    if here in sys.path:
        yield
        return
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _is(kind: Kind, cls: type[Any]) -> bool:
    return all(callable(getattr(cls, method, None)) for method in METHODS[kind])
