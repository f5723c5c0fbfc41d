"""A retriever as an experiment's file describes it."""

from collections.abc import Callable, Mapping
from inspect import signature

from satchel.documents import ENCODERS
from satchel.errors import InputError, unknown_name
from satchel.experiments.methods import build_encoder, build_tokenizer, check_parameters
from satchel.neural import FeedForwardRetriever, RecurrentRetriever
from satchel.ranking import RETRIEVERS, EncoderRetriever, Retriever, Rm3, Rocchio

EXPANSIONS: Mapping[str, Callable[..., object]] = {"Rm3": Rm3, "Rocchio": Rocchio}
NETWORKS: Mapping[str, type[Retriever]] = {
    "FeedForwardRetriever": FeedForwardRetriever,
    "RecurrentRetriever": RecurrentRetriever,
}


def build_retriever(name: str, parameters: Mapping[str, object], seed: int) -> Retriever:
    """The retriever by name, or an encoder by name, which is then searched by cosine; seeded if it draws.

    A parameter that is itself a retriever, an encoder or an expansion is a table with its `name` and its parameters,
    as { name = "Bm25", k1 = 1.2 }; several are a list of such tables.
    """
    if name in ENCODERS:
        return EncoderRetriever(build_encoder(name, parameters, seed))
    check_retriever(name, parameters)
    values = {key: _value(key, value, seed) for key, value in parameters.items()}
    retriever_class = _retrievers()[name]
    if "random_state" in _parameter_names(retriever_class):
        values.setdefault("random_state", seed)
    try:
        return retriever_class(**values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be built from {dict(parameters)}: {error}") from error


def numbers_of(retriever: Retriever) -> int:
    """How many numbers a document has: its vector's, or as many as there are words; 0 where neither is known."""
    if isinstance(retriever, EncoderRetriever):
        return int(retriever.encoder_.transform([""]).shape[1])
    return len(getattr(retriever, "vocabulary_", ()))


def check_retriever(name: str, parameters: Mapping[str, object]) -> None:
    """Refuses what no retriever can be built from, without loading word vectors."""
    if name in ENCODERS:
        check_parameters(name, parameters)
        return
    if name not in _retrievers():
        raise unknown_name("retriever", name, (*_retrievers(), *ENCODERS))
    known = _parameter_names(_retrievers()[name])
    for key in _needed(_retrievers()[name]):
        if key not in parameters:
            raise InputError(f'{name} needs {key}: a table such as {{ name = "Bm25" }}, or a list of several')
    for key, value in parameters.items():
        if key not in known:
            raise unknown_name(f"parameter of {name}", key, known)
        for table in _tables(value):
            inner = _named(key, table)
            if inner not in EXPANSIONS and key != "tokenizer":
                check_retriever(inner, _others(table))


def _retrievers() -> dict[str, type[Retriever]]:
    """Those of `ranking`, any encoder with the settings of its search, and the networks, which are below it."""
    return {**RETRIEVERS, "EncoderRetriever": EncoderRetriever, **NETWORKS}


def _value(key: str, value: object, seed: int) -> object:
    if key == "tokenizer":
        return build_tokenizer(value)
    if isinstance(value, list):
        return tuple(_value(key, one, seed) for one in value)
    if not isinstance(value, Mapping):
        return value
    name, parameters = _named(key, value), _others(value)
    if key == "encoder":
        return build_encoder(name, parameters, seed)
    if name in EXPANSIONS:
        return EXPANSIONS[name](**{inner: _value(inner, one, seed) for inner, one in parameters.items()})
    return build_retriever(name, parameters, seed)


def _tables(value: object) -> list[Mapping[str, object]]:
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, Mapping)]


def _named(key: str, table: Mapping[str, object]) -> str:
    name = table.get("name", "")
    if key != "tokenizer" and (not isinstance(name, str) or not name):
        raise InputError(f'{key} is {dict(table)}; expected a table with a name, such as {{ name = "Bm25" }}')
    return str(name)


def _others(table: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in table.items() if key != "name"}


def _needed(retriever: Callable[..., object]) -> list[str]:
    """The parameters that have no default."""
    return [name for name, one in signature(retriever).parameters.items() if one.default is one.empty]


def _parameter_names(retriever: Callable[..., object]) -> list[str]:
    return list(signature(retriever).parameters)
