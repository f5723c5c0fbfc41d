"""Parameters in scikit-learn's manner, without importing it: `clone`, `Pipeline` and `GridSearchCV` take what is here.

scikit-learn asks for methods, not for a base class. Its own base class takes a second to import, which a search in a
small collection would wait for.
"""

from __future__ import annotations

import inspect
from typing import Any, Self

from satchel.errors import InputError


class Estimator:
    """Whatever has parameters: the constructor stores each under its name and does nothing else."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        if cls.__init__ is object.__init__:
            return []
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; deep: also those of estimators among them, as `outer__inner`."""
        found: dict[str, Any] = {}
        for name in self._parameter_names():
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found |= {f"{name}__{inner}": own for inner, own in value.get_params().items()}
            found[name] = value
        return found

    def set_params(self, **params: Any) -> Self:
        """Sets parameters, `outer__inner` for those of an estimator among them."""
        nested: dict[str, dict[str, Any]] = {}
        names = self._parameter_names()
        for key, value in params.items():
            name, is_nested, inner = key.partition("__")
            if name not in names:
                own = type(self).__name__
                raise InputError(f"Invalid parameter {name!r} of {own}; it has {', '.join(names) or 'none'}")
            if is_nested:
                nested.setdefault(name, {})[inner] = value
            else:
                setattr(self, name, value)
        for name, inner_params in nested.items():
            getattr(self, name).set_params(**inner_params)
        return self

    def __repr__(self) -> str:
        """The parameters that are not as they are by default."""
        defaults = inspect.signature(type(self)).parameters
        changed = (
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if value is not defaults[name].default and repr(value) != repr(defaults[name].default)
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn's tools ask of an estimator: this one takes texts."""
        from sklearn.utils import InputTags, Tags, TargetTags

        takes_texts = InputTags(string=True, two_d_array=False)
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=takes_texts)
