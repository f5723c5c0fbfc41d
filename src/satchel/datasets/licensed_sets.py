"""Licensed test collections from one's own copy: TREC's and CLEF's judged queries, TDT's stories by topic."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from string import ascii_letters

from satchel.datasets.judgments import read_judgments
from satchel.datasets.trec_topics import TopicPart, read_story_topics, read_topics
from satchel.datasets.types import AdHocSet, Documents, LabelledTexts, Queries
from satchel.errors import InputError, whole_number
from satchel.importing import Document, Skipped, read_documents
from satchel.text import title_first
from satchel.types import Judgments

MORE_THAN = 100
"""[CP13] section 4.1 keeps the topics of TDT that have more stories than these."""


def _nobody_asks(skipped: Skipped) -> None:
    pass


def read_trec_set(
    name: str,
    documents: Path,
    topics: Sequence[Path],
    judgments: Sequence[Path],
    parts: Sequence[TopicPart] = ("title",),
    on_skipped: Callable[[Skipped], None] = _nobody_asks,
) -> AdHocSet:
    """Documents in TREC's form below a folder, with topics and judgments from one file or several.

    parts: of the topics that are asked. on_skipped: told what could not be read.
    """
    asked, judged = _all_topics(topics, parts), _all_judgments(judgments)
    queries = Queries([_judged_name(id_, judged) for id_ in asked.ids], asked.texts)
    if not set(queries.ids) & judged.keys():
        raise InputError(f"none of the {len(asked)} topics is judged; give the judgments of these topics")
    found = _documents_below(documents, on_skipped)
    return AdHocSet(name, found, queries, {"test": judged})


def read_tdt(
    stories: Path,
    topics: Sequence[Path],
    more_than: int = MORE_THAN,
    on_skipped: Callable[[Skipped], None] = _nobody_asks,
) -> LabelledTexts:
    """Stories in TDT's form below a folder, labelled by the topic that each is on.

    Stories on several topics are left out, and topics that have not `more_than` so many stories.
    """
    whole_number("more_than", more_than, 0)
    topic_of = _single_topics(topics)
    found = _documents_below(stories, on_skipped)
    rows = [(id_, text, topic_of[id_]) for id_, text in zip(found.ids, found.texts, strict=True) if id_ in topic_of]
    sizes = Counter(topic for _, _, topic in rows)
    kept = [row for row in rows if sizes[row[2]] > more_than]
    if not kept:
        largest = max(sizes.values(), default=0)
        raise InputError(f"no topic has more than {more_than} of the {len(found)} stories; the largest has {largest}")
    ids, texts, labels = (list(column) for column in zip(*kept, strict=True))
    return LabelledTexts(ids, texts, labels)


def _single_topics(paths: Sequence[Path]) -> dict[str, str]:
    """The topic of each story that is on one alone."""
    topics: dict[str, set[str]] = {}
    for path in paths:
        for story, on in read_story_topics(path).items():
            topics.setdefault(story, set()).update(on)
    return {story: min(on) for story, on in topics.items() if len(on) == 1}


def _documents_below(path: Path, on_skipped: Callable[[Skipped], None]) -> Documents:
    """Known by their DOCNO, which judgments name, and not by their file; of two with the same the first is kept."""
    documents: dict[str, Document] = {}
    for one in read_documents(path, form="trec"):
        if isinstance(one, Skipped):
            on_skipped(one)
        elif documents.setdefault(_docno(one), one) is not one:
            on_skipped(Skipped(one.source, f"the DOCNO {_docno(one)} was there before"))
    if not documents:
        raise InputError(f"no document in TREC's form could be read from {path}; unpack the files first")
    texts = [title_first(one.title, one.text) for one in documents.values()]
    return Documents(list(documents), texts, [one.title for one in documents.values()])


def _docno(document: Document) -> str:
    """What stands behind the name of the file, which ids begin with where a folder is read."""
    return document.id.rpartition("#")[2]


def _all_topics(paths: Sequence[Path], parts: Sequence[TopicPart]) -> Queries:
    read = [read_topics(path, parts) for path in paths]
    ids = [id_ for one in read for id_ in one.ids]
    if len(set(ids)) < len(ids):
        raise InputError(f"the topic {max(ids, key=ids.count)!r} is in two of the files; give each topic once")
    return Queries(ids, [text for one in read for text in one.texts])


def _all_judgments(paths: Sequence[Path]) -> Judgments:
    joined: dict[str, dict[str, int]] = {}
    for path in paths:
        for query, grades in read_judgments(path).items():
            joined.setdefault(query.lstrip("0") or "0", {}).update(grades)
    return joined


def _judged_name(topic: str, judgments: Judgments) -> str:
    """The name of a topic in the judgments: CLEF's topic C141 is judged as 141."""
    short = topic.lstrip(ascii_letters).lstrip("0") or "0"
    return short if topic not in judgments and short in judgments else topic
