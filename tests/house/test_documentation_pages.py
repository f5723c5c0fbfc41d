"""The Python examples of the pages run, with the small data that each page takes as given."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from made_collections import make_collection
from satchel import EncoderRetriever, TfIdf, WordVectors
from satchel.datasets import LabelledTexts, loading
from satchel.datasets.beir import write_beir
from satchel.storage.files import cache_folder
from satchel.text import Vocabulary

DOCS = Path(__file__).parents[2] / "docs"
Names = dict[str, object]


def nothing(monkeypatch: pytest.MonkeyPatch) -> Names:
    return {}


def word_vectors(monkeypatch: pytest.MonkeyPatch) -> Names:
    words = WordVectors(("king", "queen", "cat"), [[1, 2], [1, 3], [-1, 0]])
    words.save(cache_folder() / "words" / "glove.6B.100d")
    Path("vectors.txt.gz").write_bytes(gzip.compress(b"king 1 2\nqueen 1 3\ncat -1 0\n"))
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice([f"w{i}" for i in range(200)], 10)) for _ in range(150)]
    return {"texts": texts, "vocabulary": Vocabulary(("w1", "unseen"))}


def data_sets(monkeypatch: pytest.MonkeyPatch) -> Names:
    def write_all(folder: Path) -> None:
        for name in ("r8/train.tsv", "r8/test.tsv", "mine.tsv", "reviews/Kitchenham_2010.tsv"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("1\ta text\n")
        write_beir(folder / "cranfield", [("d", "title", "text")], [("q", "text")], {"q": {"d": 4}})
        write_beir(folder / "folder", [("d", "title", "text")], [("q", "text")], {"q": {"d": 1}})
        (folder / "qrels.txt").write_text("q 0 d 1\n")
        (folder / "screened.csv").write_text("title,abstract,label_included\na,b,1\n")

    for folder in (Path(), cache_folder()):
        write_all(folder)
    monkeypatch.setattr(loading.sample, "load_sample", lambda on_progress: LabelledTexts(["a"], ["b"], ["c"]))
    return {}


def judged_vectors(monkeypatch: pytest.MonkeyPatch) -> Names:
    pytest.importorskip("ir_measures")
    pytest.importorskip("matplotlib")
    from satchel.evaluation import evaluate_retrieval

    vectors, labels = np.random.default_rng(0).standard_normal((30, 4)).astype(np.float32), [i % 3 for i in range(30)]
    result = evaluate_retrieval(vectors, labels, vectors[:9], labels[:9])
    names: Names = dict.fromkeys(("ours", "theirs", "first", "second"), result)
    names |= {"train_vectors": vectors, "train_labels": labels, "test_vectors": vectors[:9], "test_labels": labels[:9]}
    names |= {"retriever": EncoderRetriever(TfIdf()).fit(["a cat", "a dog"]), "queries": ["cat"], "query_ids": ["q"]}
    return names | {"document_ids": ["d1", "d2"], "judgments": {"q": {"d1": 1}}}


def a_review(monkeypatch: pytest.MonkeyPatch) -> Names:
    return {**word_vectors(monkeypatch), "included": [place % 7 == 0 for place in range(150)]}


def labelled_texts(monkeypatch: pytest.MonkeyPatch) -> Names:
    pytest.importorskip("torch")
    random, words = np.random.default_rng(0), [f"w{i}" for i in range(200)]
    WordVectors(words, random.standard_normal((200, 5))).save(cache_folder() / "words" / "glove.6B.100d")
    labels = ["a", "b"] * 75
    texts = [" ".join(random.choice(words[:120] if label == "a" else words[80:], 10)) for label in labels]
    return {"texts": texts, "labels": labels}


def files_to_import(monkeypatch: pytest.MonkeyPatch) -> Names:
    Path("papers/drafts").mkdir(parents=True)
    Path("papers/a.md").write_text("# Title\n\nA text.\n")
    Path("papers/drafts/b.md").write_text("A draft.\n")
    Path("tickets.csv").write_text("id,subject,body,topic\n7,Printer,It is on fire,hardware\n")
    return {}


def two_tables(monkeypatch: pytest.MonkeyPatch) -> Names:
    texts = ["a grid of batteries stores power", "bread from the oven", "wind and sun feed the grid", "cake and butter"]
    for name in ("docs", "more"):
        rows = [
            {"id": f"{name}{n}", "text": f"{text} {n}", "topic": ("energy", "kitchen")[n % 2], "year": 2018 + n}
            for n, text in enumerate(texts * 4)
        ]
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return {}


def a_collection(monkeypatch: pytest.MonkeyPatch) -> Names:
    make_collection(Path(), name="papers.satchel").close()
    return {}


GIVEN: dict[str, Callable[[pytest.MonkeyPatch], Names]] = {
    "tutorial/your-first-collection.md": nothing,
    "how-to/collection.md": two_tables,
    "how-to/importing.md": files_to_import,
    "how-to/neural.md": labelled_texts,
    "how-to/screening.md": a_review,
    "how-to/training.md": labelled_texts,
    "how-to/words.md": word_vectors,
    "reference/encoders.md": nothing,
    "reference/server.md": a_collection,
    "explanation/feedback.md": word_vectors,
    "explanation/ranking.md": nothing,
    "laboratory/datasets.md": data_sets,
    "laboratory/evaluation.md": judged_vectors,
}
"""What a page's examples may take as given: files in the working folder and the cache, and names."""


def examples(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("page", GIVEN)
def test_examples_of_the_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SATCHEL_DATA", raising=False)
    names = GIVEN[page](monkeypatch)
    exec("\n".join(examples(DOCS / page)), names)
    if page == "explanation/ranking.md":
        assert names["index"].search(names["vectors"][:2], k=10).ids[:, 0].tolist() == [0, 1]
        assert names["retriever"].search(["dogs and cats", "zebra"], k=3).ids[:, 0].tolist() == [1, -1]
    if page == "tutorial/your-first-collection.md":
        assert [hit.id for hit in names["hits"]][:2] == ["files", "backup"]
        assert names["better"][0].id == "battery"
        assert {hit.id for hit in names["better"]} == {"battery", "dam", "solar"}
    if page == "reference/encoders.md":
        assert not names["vectors"][2].any()
    if page == "how-to/importing.md":
        assert [(one.id, one.text) for one in names["tickets"]] == [("7", "Printer\n\nIt is on fire")]
        assert names["found"].id == "a.md"
    if page == "reference/server.md":
        assert [served.name for served in names["app"].state.shelf] == ["papers"]
        names["app"].state.shelf.close()
    if page == "how-to/words.md":
        assert names["known"].tolist() == [True, False]
    if page == "how-to/training.md":
        assert names["vectors"].shape == (2, 64)
        assert len(names["losses"]) <= 4
        assert names["ranking"].ids.shape == (1, 3)
    if page == "how-to/neural.md":
        assert names["again"].search(["w1 w2 w3 w4"], k=5).ids.tolist() == names["ranking"].ids.tolist()
        assert names["name"] == "a"
        assert names["vectors"].shape == (150, 32)
    if page == "laboratory/evaluation.md":
        assert (tmp_path / "curves.png").is_file()
        assert names["result"].measures["nDCG@10"] == 1


def test_every_page_with_examples_is_among_them() -> None:
    assert {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md") if examples(page)} <= set(GIVEN)
