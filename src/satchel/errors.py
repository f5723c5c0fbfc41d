"""The exceptions that a caller may catch; the command line prints each as one sentence.

It also has the messages and checks that every room needs: unknown names, missing extras, whole numbers, seeds.

Every message says what was given, what was expected and what to do.
"""

from collections.abc import Hashable, Iterable
from math import inf, isfinite
from numbers import Integral, Real

LARGEST_SEED = 2**32 - 1  # the largest seed of numpy's older generator, and so of scikit-learn


class SatchelError(Exception):
    """Root of all errors that Satchel raises on purpose."""


class InputError(SatchelError, ValueError):
    """An argument, a text or a label cannot be used as given."""


class AbsentError(InputError):
    """The named document, project or collection does not exist."""


class NotFittedError(SatchelError, ValueError, AttributeError):
    """A model was asked to work before `fit` or `load`."""


class DamagedFileError(SatchelError, ValueError):
    """A file is truncated, malformed or not what it claims to be."""


class MissingFileError(SatchelError, FileNotFoundError):
    """A file or folder that was named does not exist."""


class MissingExtraError(SatchelError, ImportError):
    """An optional dependency is not installed; the message holds the pip line."""


class DownloadError(SatchelError, OSError):
    """A source could not be reached, or did not send what was expected."""


class CollectionError(SatchelError):
    """A collection's file cannot be opened, read or changed; its content has not changed."""


class MissingCollectionError(CollectionError, MissingFileError):
    """There is no file at the place of a collection."""


class NotACollectionError(CollectionError, DamagedFileError):
    """The file is not a collection."""


class DamagedCollectionError(CollectionError, DamagedFileError):
    """The collection's file is truncated, or its pages do not fit together."""


class NewerCollectionError(CollectionError):
    """The file was written by a newer Satchel, in a form that this one does not know."""


class LockedCollectionError(CollectionError):
    """Another program is changing the collection: there is one writer at a time."""


class ReadOnlyCollectionError(CollectionError):
    """A change was requested, but the collection is read-only."""


class DiskFullError(CollectionError):
    """The disk has no room for the change."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """The error for an unknown name; it lists the known names (`known` is usually the table itself)."""
    return InputError(f"unknown {kind} {name!r}; choose from {', '.join(sorted(known))}")


def missing_extra(feature: str, extra: str) -> MissingExtraError:
    """The error for a feature whose extra is not installed."""
    return MissingExtraError(f"{feature} needs an extra that is not installed: pip install 'satchel[{extra}]'")


def whole_number(name: str, value: object, at_least: int = 1, at_most: int | None = None) -> int:
    """The value of a parameter as an int; the error names the parameter, what was given and what is expected."""
    if not isinstance(value, bool) and isinstance(value, Integral):
        number = int(value)
        if at_least <= number and (at_most is None or number <= at_most):
            return number
    span = f"of at least {at_least}" if at_most is None else f"from {at_least} to {at_most}"
    given = " ".join(repr(value).split())[:60]
    raise InputError(f"{name} is {given}; expected a whole number {span}")


def true_or_false(name: str, value: object) -> bool:
    """The value of a parameter as a bool: every string is true in Python, "no" and "false" too."""
    if isinstance(value, Hashable) and value in (True, False):
        return bool(value)
    raise InputError(f"{name} is {' '.join(repr(value).split())[:60]}; expected True or False")


def seed(random_state: object) -> int:
    """The seed as an int; raises InputError unless it is a whole number in the range of seeds."""
    return whole_number("random_state", random_state, 0, LARGEST_SEED)


def number_within(name: str, value: object, above: float, below: float) -> float:
    """The value of a parameter as a float strictly between two bounds; NaN is refused."""
    if not isinstance(value, bool) and isinstance(value, Real) and above < float(value) < below:
        return float(value)
    given = " ".join(repr(value).split())[:60]
    raise InputError(f"{name} is {given}; expected a number above {above:g} and below {below:g}")


def number_from(name: str, value: object, lowest: float, highest: float = inf) -> float:
    """The value of a parameter as a finite float from `lowest` to `highest`, both allowed."""
    if not isinstance(value, bool) and isinstance(value, Real) and lowest <= float(value) <= highest:
        number = float(value)
        if isfinite(number):
            return number
    span = f"from {lowest:g} to {highest:g}" if isfinite(highest) else f"of at least {lowest:g}"
    raise InputError(f"{name} is {' '.join(repr(value).split())[:60]}; expected a number {span}")


def one_of(kind: str, value: object, known: Iterable[str]) -> None:
    """Raises InputError with the known choices unless the value is one of them."""
    names = list(known)
    if value not in names:
        raise unknown_name(kind, str(value), names)


def require_torch(feature: str) -> None:
    """Raises MissingExtraError, which names the extra, if torch is not installed."""
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise missing_extra(feature, "train") from None
