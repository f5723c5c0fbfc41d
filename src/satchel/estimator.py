"""Parameters in scikit-learn's manner, without importing it: `clone`, `Pipeline` and `GridSearchCV` work with these
classes.

scikit-learn asks for methods, not for a base class. Its own base class takes a second to import, which would slow down
every search in a small collection.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, ClassVar, Self, TypeVar, cast

from satchel.errors import InputError, unknown_name

Made = TypeVar("Made")


class Parameters:
    """Base of small frozen dataclasses that hold some of an estimator's parameters, checked when they are made.

    An estimator's parameter may be one: `get_params` and `set_params` reach into it, as `training__n_epochs`.
    """

    _objects: ClassVar[Mapping[str, type[Parameters]]] = {}
    """The fields that hold such an object themselves."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The values by name; deep: also those of objects among them, as `outer__inner`."""
        return _found({name: getattr(self, name) for name in self.names()}, deep)

    def replaced(self, **changes: Any) -> Self:
        """A copy with other values, `outer__inner` for those of an object among them."""
        own, nested = _split(type(self).__name__, changes, self.names())
        for name, inner in nested.items():
            own[name] = own.get(name, getattr(self, name)).replaced(**inner)
        return cast(Self, replace(cast(Any, self), **own))

    def as_json(self) -> dict[str, Any]:
        """The values as JSON types, see `plain`."""
        return {name: plain(getattr(self, name)) for name in self.names()}

    def with_plain_numbers(self) -> Self:
        """A copy with Python numbers instead of numpy's, which grids of parameters hold."""
        return self.from_json(self.as_json())

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The object from the values of `as_json`; raises ValueError if one is missing or unknown."""
        if values.keys() != set(cls.names()):
            odd = sorted(values.keys() ^ set(cls.names()))[0]
            raise ValueError(f"{odd!r} is {'missing in' if odd in cls.names() else 'no part of'} a {cls.__name__}")
        read = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
        return cls(**read | {name: kind.from_json(values[name]) for name, kind in cls._objects.items()})

    def __repr__(self) -> str:
        return _shown(self)

    @classmethod
    def names(cls) -> list[str]:
        """The names of its fields."""
        return [field.name for field in fields(cast(Any, cls))]


class Estimator:
    """Base of all classes with parameters: the constructor stores each under its name and does nothing else."""

    _objects: ClassVar[Mapping[str, type[Parameters]]] = {}
    """The parameters whose value is a `Parameters` object, or a name that stands for one."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        if cls.__init__ is object.__init__:
            return []
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def _object(self, name: str) -> Any:
        """The value of a parameter, or the object that its name stands for."""
        return getattr(self, name)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; deep: also those of estimators and objects among them, as `outer__inner`."""
        values = {name: getattr(self, name) for name in self._parameter_names()}
        return self._meant() | values if deep else values

    def _meant(self) -> dict[str, Any]:
        """All parameters at every depth, with objects instead of the names that stand for them."""
        return _found({name: self._object(name) for name in self._parameter_names()}, deep=True)

    def set_params(self, **params: Any) -> Self:
        """Sets parameters, `outer__inner` for those of an estimator or an object among them."""
        own, nested = _split(type(self).__name__, params, self._parameter_names())
        for name, value in own.items():
            setattr(self, name, value)
        for name, inner in nested.items():
            self._set_inner(name, inner)
        return self

    def _set_inner(self, name: str, inner: dict[str, Any]) -> None:
        """Replaces a frozen object by a changed copy; a name stays if it still stands for the same object."""
        before = self._object(name)
        if not hasattr(before, "get_params") or isinstance(before, type):
            held = f"{name} is {' '.join(repr(before).split())[:60]}, which has no parameters of its own"
            raise InputError(f"Invalid parameter {name}__{next(iter(inner))} of {type(self).__name__}: {held}")
        if not isinstance(before, Parameters):
            before.set_params(**inner)
        elif (after := before.replaced(**inner)) != before:
            setattr(self, name, after)

    def __repr__(self) -> str:
        return _shown(self)

    def __sklearn_tags__(self) -> Any:
        """The tags that scikit-learn's tools read: this estimator takes texts."""
        from sklearn.utils import InputTags, Tags, TargetTags

        takes_texts = InputTags(string=True, two_d_array=False)
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=takes_texts)


def flat_names(kind: Callable[..., object]) -> dict[str, str]:
    """Every parameter of a class by one name without `__`, and its full name: {"n_epochs": "training__n_epochs", …}."""
    objects: Mapping[str, type[Parameters]] = getattr(kind, "_objects", {})
    inner = {name: f"{outer}__{name}" for outer, held in objects.items() for name in held.names()}
    own = inspect.signature(kind).parameters.items()
    return inner | {name: name for name, one in own if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}


def from_flat(kind: Callable[..., Made], parameters: Mapping[str, Any]) -> Made:
    """An estimator from flat names, as tables of experiments and the command line give them."""
    places = flat_names(kind)
    for name in parameters:
        if name not in places and not _takes_any(kind):
            raise unknown_name(f"parameter of {kind.__name__}", name, places)
    nested = {places[name]: value for name, value in parameters.items() if places.get(name, name) != name}
    made: Any = kind(**{name: value for name, value in parameters.items() if places.get(name, name) == name})
    return cast(Made, made.set_params(**nested) if nested else made)


def _takes_any(kind: Callable[..., object]) -> bool:
    return any(one.kind is one.VAR_KEYWORD for one in inspect.signature(kind).parameters.values())


def _found(values: Mapping[str, Any], deep: bool) -> dict[str, Any]:
    """The values; those inside an estimator or object come before it."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if deep and hasattr(value, "get_params") and not isinstance(value, type):
            found |= {f"{name}__{inner}": own for inner, own in value.get_params().items()}
        found[name] = value
    return found


def _shown(owner: Parameters | Estimator) -> str:
    """The parameters that differ from their defaults."""
    defaults = inspect.signature(type(owner)).parameters
    changed = (
        f"{name}={value!r}"
        for name, value in owner.get_params(deep=False).items()
        if value is not defaults[name].default and repr(value) != repr(defaults[name].default)
    )
    return f"{type(owner).__name__}({', '.join(changed)})"


def _split(
    owner: str, params: Mapping[str, Any], names: Iterable[str]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The parameters by name, and those inside each name."""
    own: dict[str, Any] = {}
    nested: dict[str, dict[str, Any]] = {}
    for key, value in params.items():
        name, is_nested, inner = key.partition("__")
        if name not in names:
            raise InputError(f"Invalid parameter {name!r} of {owner}; it has {', '.join(sorted(names)) or 'none'}")
        if is_nested:
            nested.setdefault(name, {})[inner] = value
        else:
            own[name] = value
    return own, nested


def plain(value: Any) -> Any:
    """A parameter as a JSON type: numpy's numbers as Python's, a tuple as a list, an object as a table."""
    if isinstance(value, Parameters):
        return value.as_json()
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value.item() if getattr(value, "shape", None) == () else value
