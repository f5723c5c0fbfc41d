"""What was asked for last is kept."""

import threading

import pytest

from satchel.lru import Lru


def test_what_was_kept_is_recalled() -> None:
    kept = Lru[str](2)
    assert kept.recall("a") is None
    kept.keep("a", "first")
    kept.keep("a", "second")
    assert kept.recall("a") == "second"


def test_what_was_longest_not_asked_for_goes() -> None:
    kept = Lru[int](2)
    for place, key in enumerate("ab"):
        kept.keep(key, place)
    assert kept.recall("a") == 0
    kept.keep("c", 2)
    assert [kept.recall(key) for key in "abc"] == [0, None, 2]


def test_what_is_missing_is_made_once_and_empty_things_are_kept_too() -> None:
    kept, made = Lru[list[int]](2), list[str]()

    def make() -> list[int]:
        made.append("made")
        return []

    assert kept.of("a", make) is kept.of("a", make)
    assert made == ["made"]


def test_what_cannot_be_made_is_not_kept() -> None:
    kept = Lru[int](2)

    def fails() -> int:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        kept.of("a", fails)
    assert kept.of("a", lambda: 3) == 3


def test_threads_share_it_and_none_waits_for_what_another_makes() -> None:
    kept, both_make = Lru[int](50), threading.Barrier(2, timeout=10)
    found: list[int] = []

    def ask() -> None:
        found.append(kept.of("slow", lambda: both_make.wait() * 0 + 1))
        for number in range(2000):
            assert kept.of(number % 97, lambda number=number: number % 97) == number % 97  # type: ignore[misc]

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [1, 1]
