"""An encoder as an experiment's file describes it."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from satchel.documents import ENCODERS
from satchel.errors import InputError, unknown_name
from satchel.experiments.kept import KEPT
from satchel.text import Tokenizer
from satchel.words import LsiWords, WordVectors, YuleWords
from satchel.words.learner import WordLearner

if TYPE_CHECKING:
    from satchel.documents import Encoder

LEARNERS: Mapping[str, type[WordLearner]] = {"lsi": LsiWords, "yule": YuleWords}
"""Who may learn the words of an encoder from its texts: { learn = "yule", dim = 50 }."""


def build_encoder(name: str, parameters: Mapping[str, object], seed: int) -> "Encoder":
    """The encoder by name; a `tokenizer` table and `words` become what they stand for; seeded if it draws."""
    check_parameters(name, parameters)
    encoder_class = ENCODERS[name]
    values = {key: _value(key, value, seed) for key, value in parameters.items()}
    if "random_state" in _parameter_names(name):
        values.setdefault("random_state", seed)
    try:
        return encoder_class(**values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be built from {dict(parameters)}: {error}") from error


def check_parameters(name: str, parameters: Mapping[str, object]) -> None:
    """Refuses what no encoder can be built from, without loading word vectors."""
    if name not in ENCODERS:
        raise unknown_name("encoder", name, ENCODERS)
    for key, value in parameters.items():
        if key not in _parameter_names(name):
            raise unknown_name(f"parameter of {name}", key, _parameter_names(name))
        if key == "tokenizer":
            build_tokenizer(value)
        if key == "words" and isinstance(value, Mapping):
            _learner(value, 0)


def parameters_from(settings: Sequence[str]) -> dict[str, object]:
    """Parameters from `name=value` settings, the values as TOML writes them; a bare word is a string."""
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


def _parameter_names(name: str) -> list[str]:
    return list(ENCODERS[name]().get_params(deep=False))


def _value(key: str, value: object, seed: int) -> object:
    if key == "tokenizer":
        return build_tokenizer(value)
    if key == "words" and isinstance(value, str):
        return _words(value)
    if key == "words" and isinstance(value, Mapping):
        return _learner(value, seed)
    return value


def _learner(table: Mapping[str, object], seed: int) -> WordLearner:
    name, others = str(table.get("learn", "")), {key: value for key, value in table.items() if key != "learn"}
    if name not in LEARNERS:
        raise unknown_name("learner of words", name, LEARNERS)
    try:
        return LEARNERS[name](**{"random_state": seed, **others})
    except TypeError as error:
        raise InputError(f"words cannot be learned as {dict(table)}: {error}") from error


@KEPT.shared(most=2)
def _words(name: str) -> WordVectors:
    """Word vectors by name; an experiment's methods share them."""
    return WordVectors.load(name)


def build_tokenizer(value: object) -> Tokenizer:
    """A tokenizer from the table of its parameters."""
    if isinstance(value, Tokenizer):
        return value
    if not isinstance(value, Mapping):
        raise InputError(f"tokenizer is {value!r}; expected a table such as {{ min_length = 2, stop_words = 'smart' }}")
    try:
        return Tokenizer(**value)
    except (TypeError, ValueError) as error:
        raise InputError(f"a tokenizer cannot be built from {dict(value)}: {error}") from error
