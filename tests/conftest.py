"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from page_browser import chromium, served, tab

__all__ = ["chromium", "served", "tab"]

settings.register_profile("deterministic", derandomize=True, deadline=None, max_examples=50, database=None)
settings.load_profile("deterministic")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data; tests that need it are skipped where it is not set."""
    folder = os.environ.get("SATCHEL_DATA")
    if not folder:
        pytest.skip("needs the real data sets: set SATCHEL_DATA to their folder")
    return Path(folder)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's cache."""
    monkeypatch.setenv("SATCHEL_CACHE", str(tmp_path_factory.mktemp("cache")))
