"""Licensed collections in small: topics of TREC and CLEF, stories of TDT, and sets made from a copy."""

import pytest

from command_line import run
from satchel.datasets import load, read_story_topics, read_tdt, read_topics, read_trec_set
from satchel.errors import DamagedFileError, InputError

TREC_TOPICS = """<top>

<num> Number: 051
<title> Topic:  Airbus Subsidies

<desc> Description:
Document will discuss government
assistance to Airbus.

<narr> Narrative:
A relevant document will cite a subsidy.
</top>
<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations.
</top>
"""
CLEF_TOPICS = """<?xml version="1.0"?>
<top lang="EN">
<num>C141</num>
<EN-title>Letter Bomb for Kiesbauer</EN-title>
<EN-desc>Find information.</EN-desc>
</top>
"""
STORY = "<DOC>\n<DOCNO> {} </DOCNO>\n<TEXT>\n{}\n</TEXT>\n</DOC>\n"
ON_TOPIC = '<ONTOPIC topicid={} level={} docno={} fileid=19980104_ENG comments="NO">\n'


@pytest.fixture
def copy(tmp_path):
    """Three documents, the topics 51 and 301, and judgments of topic 51."""
    (tmp_path / "documents").mkdir()
    texts = {"AP-1": "Airbus gets subsidies", "AP-2": "organized crime", "AP-3": "weather"}
    (tmp_path / "documents" / "ap890101").write_text("".join(STORY.format(*pair) for pair in texts.items()))
    (tmp_path / "topics").write_text(TREC_TOPICS)
    (tmp_path / "qrels").write_text("051 0 AP-1 1\n51 0 AP-3 0\n")
    return tmp_path


def test_topics_of_trec_have_no_ends_of_tags_and_repeat_what_a_part_is(copy):
    topics = read_topics(copy / "topics")
    assert topics.ids == ["51", "301"]
    assert topics.texts == ["Airbus Subsidies", "International Organized Crime"]
    both = read_topics(copy / "topics", ("title", "desc")).texts
    assert both[0] == "Airbus Subsidies Document will discuss government assistance to Airbus."


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_topics_of_clef_are_xml_in_either_encoding(tmp_path, encoding):
    (tmp_path / "topics").write_text(CLEF_TOPICS.replace("Kiesbauer", "Müller"), encoding=encoding)
    topics = read_topics(tmp_path / "topics")
    assert (topics.ids, topics.texts) == (["C141"], ["Letter Bomb for Müller"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no topic", "holds no <top>"),
        ("<top><num>7<desc>x</top>", "topic 1: has no <title>"),
        ("<top><title>x</top>", "topic 1: has no <num>"),
        ("<top><num>7<title>x</top>" * 2, "holds the topic '7' twice"),
    ],
)
def test_topics_that_are_damaged_are_refused(tmp_path, content, message):
    (tmp_path / "topics").write_text(content)
    with pytest.raises(DamagedFileError, match=message):
        read_topics(tmp_path / "topics")


def test_a_part_that_topics_do_not_have_is_one_sentence(copy):
    with pytest.raises(InputError, match="unknown part of a topic 'summary'; choose from"):
        read_topics(copy / "topics", ("summary",))


def test_a_trec_set_is_searched_by_its_topics(copy):
    found = read_trec_set("robust04", copy / "documents", [copy / "topics"], [copy / "qrels"])
    assert found.documents.ids == ["AP-1", "AP-2", "AP-3"]
    assert found.judged_queries().texts == ["Airbus Subsidies"]
    assert found.judgments == {"51": {"AP-1": 1, "AP-3": 0}}


def test_a_document_that_stands_in_two_files_is_kept_once_and_told(copy):
    (copy / "documents" / "more").write_text(STORY.format("AP-3", "again") + STORY.format("AP-4", "news"))
    told = []
    found = read_trec_set("trec12", copy / "documents", [copy / "topics"], [copy / "qrels"], on_skipped=told.append)
    assert found.documents.ids == ["AP-1", "AP-2", "AP-3", "AP-4"]
    assert [skipped.reason for skipped in told] == ["the DOCNO AP-3 was there before"]


def test_topics_of_clef_have_the_names_of_the_judgments(copy):
    (copy / "topics").write_text(CLEF_TOPICS)
    (copy / "qrels").write_text("141 0 AP-2 1\n")
    assert read_trec_set("clef03", copy / "documents", [copy / "topics"], [copy / "qrels"]).queries.ids == ["141"]


def test_what_does_not_belong_together_is_one_sentence(copy):
    documents, topics, qrels = copy / "documents", copy / "topics", copy / "qrels"
    with pytest.raises(InputError, match="'51' is in two of the files"):
        read_trec_set("robust04", documents, [topics, topics], [qrels])
    qrels.write_text("9 0 AP-1 1\n")
    with pytest.raises(InputError, match="none of the 2 topics is judged"):
        read_trec_set("robust04", documents, [topics], [qrels])


def stories_of(folder, sizes):
    """Stories x0, x1 … of each topic x, and the table that says so; the last one of each is BRIEF."""
    (folder / "stories").mkdir()
    table = ""
    for topic, size in sizes.items():
        for i in range(size):
            (folder / "stories" / f"{topic}{i}.sgm").write_text(STORY.format(f"{topic}{i}", f"story {i}"))
            table += ON_TOPIC.format(topic, "YES" if i < size - 1 else "BRIEF", f"{topic}{i}")
    (folder / "table").write_text(table)


def test_stories_of_tdt_bear_their_topic_where_they_are_on_one_and_it_is_large(tmp_path):
    stories_of(tmp_path, {"a": 5, "b": 4, "c": 3})
    with (tmp_path / "table").open("a") as table:
        table.write(ON_TOPIC.format("a", "YES", "b0"))  # on two topics
    found = read_tdt(tmp_path / "stories", [tmp_path / "table"], more_than=2)
    assert found.labels == ["a"] * 4
    assert found.ids == ["a0", "a1", "a2", "a3"]
    assert read_story_topics(tmp_path / "table")["b0"] == {"a", "b"}
    with pytest.raises(InputError, match="no topic has more than 100 of the 12 stories; the largest has 4"):
        read_tdt(tmp_path / "stories", [tmp_path / "table"])


def test_a_table_without_topics_is_refused(tmp_path):
    (tmp_path / "table").write_text("<ONTOPIC topicid=1 level=YES>")
    with pytest.raises(DamagedFileError, match="lacks its topicid, level or docno"):
        read_story_topics(tmp_path / "table")
    (tmp_path / "table").write_text(ON_TOPIC.format("a", "BRIEF", "x"))
    with pytest.raises(DamagedFileError, match="no <ONTOPIC …> of the level YES"):
        read_story_topics(tmp_path / "table")


@pytest.fixture
def satchel(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("SATCHEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SATCHEL_DATA", raising=False)
    return lambda *arguments: run(capsys, monkeypatch, "data", "make", *map(str, arguments))


def test_a_set_that_was_made_is_loaded_by_its_name(satchel, copy):
    code, out, _ = satchel("robust04", copy / "documents", "--topics", copy / "topics", "--judgments", copy / "qrels")
    assert (code, "3 documents, 2 queries, 1 of them judged" in out) == (0, True)
    assert load("robust04").documents.texts == ["Airbus gets subsidies", "organized crime", "weather"]
    assert load("robust04").judged_queries().ids == ["51"]


def test_stories_that_were_made_a_set_have_no_test_split(satchel, tmp_path):
    stories_of(tmp_path, {"a": 103, "b": 4})
    assert satchel("tdt", tmp_path / "stories", "--topics", tmp_path / "table")[0] == 0
    assert set(load("tdt").train.labels) == {"a"}
    assert (len(load("tdt").train), len(load("tdt").test)) == (102, 0)


def test_mistakes_in_making_a_set_are_one_sentence(satchel, copy):
    topics = ("--topics", copy / "topics")
    for arguments, message in (
        (("r8", copy, *topics), "unknown licensed set 'r8'; choose from"),
        (("robust04", copy / "documents", *topics), "robust04 needs the judgments"),
        (("tdt", copy / "documents", *topics, "--part", "title"), "takes neither --judgments nor --part"),
        (("tdt", copy / "nowhere", *topics), "holds no <ONTOPIC"),
    ):
        code, out, err = satchel(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
