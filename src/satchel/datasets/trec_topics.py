"""Topics of TREC, CLEF and TDT: what was asked, and which stories belong to which event."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from satchel.datasets.types import Queries
from satchel.errors import DamagedFileError, InputError, one_of
from satchel.storage import open_unpacked

TopicPart = Literal["title", "desc", "narr"]
_TOPIC = re.compile(r"<top\b[^<>]{0,200}>(.*?)</top>", re.IGNORECASE | re.DOTALL)
_PART = re.compile(r"<(?:[a-z]{2}-)?(num|title|desc|narr)>([^<]*)", re.IGNORECASE)  # CLEF's are <EN-title>
_LABEL = re.compile(r"\s*(number|topic|description|narrative)\s*:", re.IGNORECASE)  # TREC repeats what a part is
_STORY = re.compile(r"<ONTOPIC\b([^<>]{0,2000})>", re.IGNORECASE)
_VALUE = re.compile(r"(topicid|level|docno)\s*=\s*\"?([^\s\"]+)", re.IGNORECASE)


def read_topics(path: Path, parts: Sequence[TopicPart] = ("title",)) -> Queries:
    """Read the topics of TREC (`<num> Number: 301`, ends of tags left out) or CLEF (`<num>C141</num><EN-title>…`).

    parts: those whose texts are joined to a query, in this order. Ids lose their leading zeros, as judgments do.
    """
    for part in parts:
        one_of("part of a topic", part, get_args(TopicPart))
    if not parts:
        raise InputError(f"no part of the topics is asked for; choose from {', '.join(get_args(TopicPart))}")
    ids, texts = list[str](), list[str]()
    for place, topic in enumerate(_TOPIC.findall(_decoded(path)), start=1):
        found = {name.lower(): " ".join(_LABEL.sub("", text, count=1).split()) for name, text in _PART.findall(topic)}
        for name in ("num", *parts):
            if not found.get(name):
                raise DamagedFileError(f"{path}, topic {place}: has no <{name}>")
        ids.append(found["num"].lstrip("0") or "0")
        texts.append(" ".join(found[part] for part in parts))
    if not ids:
        raise DamagedFileError(f"{path} holds no <top> … </top>, between which a topic of TREC stands")
    if len(set(ids)) < len(ids):
        raise DamagedFileError(f"{path} holds the topic {max(ids, key=ids.count)!r} twice")
    return Queries(ids, texts)


def read_story_topics(path: Path, levels: Sequence[str] = ("YES",)) -> dict[str, set[str]]:
    """Read TDT's table of relevance, `<ONTOPIC topicid=20001 level=BRIEF docno=CNN19980104.1600.0000 …>`.

    Gives the topics of each story. levels: those that count; a BRIEF story only mentions the topic.
    """
    topics: dict[str, set[str]] = {}
    for values in _STORY.findall(_decoded(path)):
        found = {name.lower(): value for name, value in _VALUE.findall(values)}
        if found.keys() != {"topicid", "level", "docno"}:
            raise DamagedFileError(f"{path}: <ONTOPIC{values[:60]}> lacks its topicid, level or docno")
        if found["level"].upper() in levels:
            topics.setdefault(found["docno"], set()).add(found["topicid"])
    if not topics:
        raise DamagedFileError(f"{path} holds no <ONTOPIC …> of the level {' or '.join(levels)}")
    return topics


def _decoded(path: Path) -> str:
    """UTF-8, or Latin-1 where that cannot be."""
    with open_unpacked(Path(path)) as stream:
        content = stream.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
