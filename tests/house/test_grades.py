"""One table says what a mark may say: whoever else lists it lists the same."""

import re
from typing import get_args

from satchel.projects.marks import VALUES
from satchel.query import Marked
from satchel.query.request import Request
from satchel.store.sqlite.schema import TABLES
from satchel.types import EXPORTED, GRADES, MarkValue


def test_every_list_of_marks_is_that_of_the_table() -> None:
    assert set(GRADES) == set(EXPORTED) == set(get_args(MarkValue)) == {*VALUES} - {"none"}
    assert set(Marked().values) == set(GRADES)
    assert all(getattr(Request(), value) == () for value in GRADES)
    (listed,) = re.findall(r"value IN \((.*?)\)", TABLES)
    assert set(re.findall(r"'(\w+)'", listed)) == set(VALUES)


def test_what_is_looked_for_counts_above_nothing_and_exports_keep_the_order() -> None:
    assert GRADES["relevant"] > GRADES["maybe"] > 0 > GRADES["irrelevant"]
    assert sorted(GRADES, key=GRADES.__getitem__) == sorted(EXPORTED, key=EXPORTED.__getitem__)
