"""Fixtures that every test may use."""

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from page_browser import chromium, served, tab

__all__ = ["chromium", "served", "tab"]

settings.register_profile("deterministic", derandomize=True, deadline=None, max_examples=50, database=None)
settings.load_profile("deterministic")


def pytest_configure(config: pytest.Config) -> None:
    """Gives each of several processes one thread, so that they do not fight for the cores; they inherit the setting."""
    if config.getoption("numprocesses", None):
        for library in ("OMP", "OPENBLAS", "MKL"):
            os.environ.setdefault(f"{library}_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data; tests that need it are skipped where it is not set."""
    folder = os.environ.get("SATCHEL_DATA")
    if not folder:
        pytest.skip("needs the real data sets: set SATCHEL_DATA to their folder")
    return Path(folder)


@pytest.fixture(scope="session")
def _new_cache(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes another empty folder. Counted here: `mktemp` lists all folders to number one, 30 s for 6,000 of them."""
    folder, numbers = tmp_path_factory.mktemp("caches"), count()

    def made() -> Path:
        cache = folder / str(next(numbers))
        cache.mkdir()
        return cache

    return made


@pytest.fixture(autouse=True)
def _own_cache(_new_cache: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's cache."""
    monkeypatch.setenv("SATCHEL_CACHE", str(_new_cache()))
