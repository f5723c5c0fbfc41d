"""The API does what its description says: schemathesis makes up requests, right ones and wrong ones, and judges."""

import pytest
import requests
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from made_collections import make_collection
from satchel.server.app import ROUTERS
from serving import listening

N_REQUESTS = 6
"""Of each kind for each operation; with 30 of each it finds no more."""


def operations():
    """(path, method, mode) of all that the description lists; what takes nothing cannot be asked wrongly."""
    app = FastAPI()
    for router in ROUTERS:
        app.include_router(router)
    for path, methods in app.openapi()["paths"].items():
        for method, told in methods.items():
            modes = GenerationMode if {"parameters", "requestBody"} & told.keys() else [GenerationMode.POSITIVE]
            yield from (pytest.param(path, method, mode, id=f"{method} {path} {mode}") for mode in modes)


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    folder = tmp_path_factory.mktemp("described")
    with make_collection(folder, 20) as collection:
        collection.projects.save("orbits", "moon")
        collection.mark("d002", "relevant", project="orbits")
        collection.map.places()
    with listening([folder / "own.satchel"]) as address:
        yield schemathesis.openapi.from_url(f"{address}/api/openapi.json")


@pytest.mark.parametrize(("path", "method", "mode"), list(operations()))
def test_an_operation_answers_as_described(described, path, method, mode):
    @given(case=described[path][method.upper()].as_strategy(generation_mode=mode))
    @settings(max_examples=N_REQUESTS, suppress_health_check=list(HealthCheck))
    def check(case):
        if "collection" in case.path_parameters and mode == GenerationMode.POSITIVE:
            case.path_parameters["collection"] = "own"
        try:
            case.call_and_validate()
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            # a request line that is no HTTP is refused and hung up on, at times before the refusal is read
            assert mode == GenerationMode.NEGATIVE
            assert requests.get(described.location.replace("openapi.json", "health"), timeout=10).status_code == 200

    check()
