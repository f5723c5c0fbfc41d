"""Long histories on both stores: `make test-all`."""

import random
from pathlib import Path

import pytest
from test_stores_words import act, afresh, all_found

from made_stores import makers

pytestmark = pytest.mark.long


@pytest.mark.parametrize("seed", range(3))
def test_a_thousand_changes_leave_both_stores_as_one_that_was_built_afresh(tmp_path: Path, seed: int) -> None:
    draw, making = random.Random(seed), makers(tmp_path)
    stores = {name: make() for name, make in making.items()}
    for turn in range(1_000):
        numbers = draw.sample(range(16), draw.randint(1, 5))
        kind = draw.choice(["put", "put", "remove", "both"])
        for store in stores.values():
            act(store, (kind, numbers, turn))
        if turn % 100 == 99:
            found = {name: all_found(store) for name, store in stores.items()}
            assert found["sqlite"] == found["memory"] == all_found(afresh(making["sqlite"], stores["sqlite"]))
    assert stores["sqlite"].check(None) == []
