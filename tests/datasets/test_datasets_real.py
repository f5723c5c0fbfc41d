"""Counts and first rows of the real data sets, as their sources publish them."""

from pathlib import Path

import numpy as np
import pytest

from satchel.datasets import DATASETS, AdHocSet, LabelledSet, Review, load, place_of, texts_of

R8 = ["acq", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade"]

LABELLED = {  # classes, first train row, first test row, empty texts in train and test
    "20ng": (20, ("alt.atheism", "alt atheism faq atheist"), ("alt.atheism", "re about the bible quiz"), (0, 0)),
    "20news-bydate": (20, ("alt.atheism", "From: mathew <mathew@"), ("alt.atheism", "From: decay@cbnewsj"), (0, 0)),
    "r8": (8, ("earn", "champion products ch app"), ("trade", "asian exporters fear dam"), (0, 0)),
    "r8-stemmed": (8, ("earn", "champion product approv"), ("trade", "asian export fear damag"), (0, 0)),
    "r52": (52, ("cocoa", "bahia cocoa review shower"), ("trade", "asian exporters fear dam"), (0, 0)),
    "webkb": (4, ("student", "brian comput scienc depa"), ("student", "eric homepag eric wei"), (18, 13)),
}

AD_HOC = {  # first document, first query, judged queries and pairs of each split, grades
    "cranfield": ("experimental investigation of", "what similarity laws", {"test": (225, 1837)}, {1, 2, 3, 4}),
    "cacm": ("Preliminary Report-International", "What articles exist", {"test": (52, 796)}, {1}),
    "npl": ("compact memories have flexible", "measurement of dielectric", {"test": (93, 2083)}, {1}),
    "scifact": ("Microstructural development", "0-dimensional", {"test": (300, 339), "train": (809, 919)}, {1}),
    "nfcorpus-partial": (
        "statin breast cancer survival",
        "Do Cholesterol Statin Drugs",
        {"test": (323, 12334), "dev": (324, 11385)},
        {1, 2},
    ),
}

REVIEWS = {  # first record, whether it was included
    "Cohen_2006_ACEInhibitors": ("Distinct and combined vascular effects", False),
    "Cohen_2006_Antihistamines": ("Docetaxel (Taxotere) plus cisplatin", False),
    "Cohen_2006_BetaBlockers": ("Beta-blockers for mild to moderate", False),
    "Cohen_2006_Estrogens": ("Effect of acute testosterone", False),
    "Cohen_2006_NSAIDS": ("Quality of life in arthritis patients", False),
    "Cohen_2006_OralHypoglycemics": ("Comparison of bedtime insulin", False),
    "Cohen_2006_ProtonPumpInhibitors": ("Symptomatic gastro-oesophageal", False),
    "Cohen_2006_SkeletalMuscleRelaxants": ("Multiple sclerosis and the urologist.", False),
    "Kitchenham_2010": ("A Conceptual Model of ICT-Supported", True),
    "van_de_Schoot_2018": ("Annual Research Review: Resilience", False),
}


@pytest.mark.parametrize("name", LABELLED)
def test_labelled_sets_have_their_published_rows(name: str, data_folder: Path) -> None:
    found = load(name)
    n_classes, first_train, first_test, empty = LABELLED[name]
    assert isinstance(found, LabelledSet)
    assert (found.name, (len(found.train), len(found.test))) == (name, DATASETS[name].counts)
    assert len(set(found.train.labels)) == n_classes
    assert set(found.test.labels) == set(found.train.labels)
    for part, (label, text), n_empty in zip((found.train, found.test), (first_train, first_test), empty, strict=True):
        assert part.labels[0] == label
        assert part.texts[0].startswith(text)
        assert sum(not text.strip() for text in part.texts) == n_empty
    assert len({*found.train.ids, *found.test.ids}) == sum(DATASETS[name].counts)


def test_the_classes_of_r8_are_its_eight(data_folder: Path) -> None:
    assert sorted(set(load("r8").train.labels)) == sorted(set(load("r8-stemmed").test.labels)) == R8


@pytest.mark.parametrize("name", AD_HOC)
def test_ad_hoc_sets_have_their_published_rows(name: str, data_folder: Path) -> None:
    found = load(name)
    document, query, judged, grades = AD_HOC[name]
    assert isinstance(found, AdHocSet)
    assert (found.name, (len(found.documents), len(found.queries))) == (name, DATASETS[name].counts)
    assert found.documents.texts[0].startswith(document)
    assert found.queries.texts[0].startswith(query)
    by_split = found.judgments_by_split
    assert {s: (len(j), sum(map(len, j.values()))) for s, j in by_split.items()} == judged
    assert found.judgments is by_split["test"]
    assert {grade for row in found.judgments.values() for grade in row.values()} == grades


@pytest.mark.parametrize("name", AD_HOC)
def test_every_judged_query_and_document_is_there(name: str, data_folder: Path) -> None:
    found = load(name)
    assert isinstance(found, AdHocSet)
    documents = set(found.documents.ids)
    for judgments in found.judgments_by_split.values():
        assert set(judgments) <= set(found.queries.ids)
        assert {document for row in judgments.values() for document in row} <= documents
    assert len(found.judged_queries()) == len(found.judgments)


def test_cranfields_titles_are_not_repeated_and_its_empty_documents_stay(data_folder: Path) -> None:
    documents = load("cranfield").documents
    assert documents.texts[0].count("of a wing in a slipstream .") == 1
    empty = [id_ for id_, text in zip(documents.ids, documents.texts, strict=True) if not text]
    assert empty == ["471", "995"]


def test_cacms_titles_stand_before_the_text(data_folder: Path) -> None:
    documents = load("cacm").documents
    assert documents.texts[45].startswith("Multiprogramming STRETCH: Feasibility Considerations\nThe tendency towards")


def test_nfcorpus_is_read_from_its_part_under_the_parts_name(data_folder: Path) -> None:
    assert place_of("nfcorpus") == "source"
    assert load("nfcorpus").name == "nfcorpus-partial"


@pytest.mark.parametrize("name", REVIEWS)
def test_reviews_have_their_published_rows(name: str, data_folder: Path) -> None:
    found = load(f"reviews/{name}")
    assert isinstance(found, Review)
    assert (len(found), int(np.sum(found.included))) == DATASETS[f"reviews/{name}"].counts
    text, included = REVIEWS[name]
    assert found.texts[0].startswith(text)
    assert bool(found.included[0]) is included


def test_every_review_of_the_table_is_pinned_here() -> None:
    assert {f"reviews/{name}" for name in REVIEWS} == {name for name, row in DATASETS.items() if row.kind == "review"}


def test_texts_to_learn_from_are_the_train_split_or_all_documents(data_folder: Path) -> None:
    assert texts_of("webkb") == load("webkb").train.texts
    assert texts_of("cranfield") == load("cranfield").documents.texts
    assert len(texts_of("reviews/Cohen_2006_Estrogens")) == 368
    assert place_of("webkb") == "data folder"
