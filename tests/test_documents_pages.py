"""The examples of the pages on encoders and ranking run."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("page", ["encoders.md", "ranking.md"])
def test_examples_of_the_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), flags=re.DOTALL)
    names: dict[str, object] = {}
    exec("\n".join(blocks), names)
    if page == "ranking.md":
        assert names["index"].search(names["vectors"][:2], k=10).ids[:, 0].tolist() == [0, 1]
        assert names["retriever"].search(["dogs and cats", "zebra"], k=3).ids[:, 0].tolist() == [1, -1]
    else:
        assert not names["vectors"][2].any()
