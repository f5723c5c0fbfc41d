"""The query language: what is required, excluded and ranked, and what stays natural text."""

from __future__ import annotations

import random
import re
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.datasets.beir import read_queries
from satchel.query import (
    And,
    Between,
    Condition,
    Near,
    Not,
    Or,
    Parsed,
    Phrase,
    Prefix,
    Word,
    condition_of,
    evaluate,
    key_of,
    leaves_of,
    parse,
)
from satchel.query.parsing import DEEPEST, MOST_PARSED, MOST_TOKENS

FIELDS = ("authors", "year", "doi", "keywords", "Publication Year")
A, B, C = Word("solar"), Word("wind"), Word("storm")


def condition(query: str) -> Condition | None:
    return parse(query, FIELDS).condition


# what each form means


@pytest.mark.parametrize(
    ("query", "words", "required"),
    [
        ("solar storm", "solar storm", None),
        ('solar "wind power"', "solar wind power", Phrase(("wind", "power"))),
        ('"Café-Noir!"', "Café-Noir!", Phrase(("cafe", "noir"))),
        ("-solar", "", Not(A)),
        ("storm -solar", "storm", Not(A)),
        ('storm -"wind power"', "storm", Not(Phrase(("wind", "power")))),
        ("storm -title:solar", "storm", Not(Word("solar", ("title",)))),
        ("storm -(solar OR wind)", "storm", Not(Or((A, B)))),
        ("storm NOT solar", "storm", Not(A)),
        ("NOT solar", "", Not(A)),
        ("NOT NOT solar", "solar", A),
        ("solar AND wind", "solar wind", And((A, B))),
        ("solar OR wind", "solar wind", Or((A, B))),
        ("solar AND NOT wind", "solar", And((A, Not(B)))),
        ("solar OR NOT wind", "solar", Or((A, Not(B)))),
        ("state-of-the-art AND solar", "state-of-the-art solar", And((Phrase(("state", "of", "the", "art")), A))),
        ("title:solar wind", "solar wind", Word("solar", ("title",))),
        ('author:"Weber, A."', "Weber, A.", Phrase(("weber", "a"), ("authors",))),
        ("Author:Weber", "Weber", Word("weber", ("authors",))),
        ("tag:solar", "solar", Word("solar", ("keywords",))),
        ("title:(solar OR wind)", "solar wind", Or((Word("solar", ("title",)), Word("wind", ("title",))))),
        ("title:(solar wind)", "solar wind", And((Word("solar", ("title",)), Word("wind", ("title",))))),
        ("title:sol*", "sol", Prefix("sol", ("title",))),
        ("doi:10.1000/x", "10.1000/x", Phrase(("10", "1000", "x"), ("doi",))),
        (
            "doi:10.1016/S0140-6736(05)66912-3",
            "10.1016/S0140-6736(05)66912-3",
            Phrase(("10", "1016", "s0140", "6736", "05", "66912", "3"), ("doi",)),
        ),
        ("year:2019..2024", "", Between("year", 2019, 2024)),
        ("year:2024..2019", "", Between("year", 2019, 2024)),
        ("solar year:2019..", "solar", Between("year", 2019)),
        ("year:..2024", "", Between("year", None, 2024)),
        ("year:2019", "", Between("year", 2019, 2019)),
        ("year:2019-05..2019-07-31", "", Between("year", "2019-05", "2019-07-31")),
        ("publication_year:2001", "", Between("Publication Year", 2001, 2001)),
        ("child* solar", "child solar", Prefix("child")),
        ("covid-19*", "covid-19", And((Word("covid"), Prefix("19")))),
        ("NEAR(solar wind, 5) storm", "solar wind storm", Near(("solar", "wind"), 5)),
        ("NEAR(solar wind)", "solar wind", Near(("solar", "wind"), 10)),
        ("-NEAR(solar wind, 5)", "", Not(Near(("solar", "wind"), 5))),
        ("title:NEAR(solar wind, 5)", "solar wind", Near(("solar", "wind"), 5, ("title",))),
    ],
)
def test_each_form_means_what_the_documentation_says(query: str, words: str, required: Condition | None) -> None:
    assert parse(query, FIELDS) == Parsed(words, required)


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("solar OR wind AND storm", Or((A, And((B, C))))),
        ("solar AND wind OR storm", Or((And((A, B)), C))),
        ("NOT solar AND wind", And((Not(A), B))),
        ("NOT solar OR wind", Or((Not(A), B))),
        ("(solar OR wind) AND storm", And((Or((A, B)), C))),
        ("NOT (solar AND wind)", Not(And((A, B)))),
        ("storm AND(solar OR wind)", And((C, Or((A, B))))),
        ("(((solar))) AND ((wind OR (storm)))", And((A, Or((B, C))))),
    ],
)
def test_not_binds_before_and_and_and_before_or(query: str, meant: Condition) -> None:
    assert condition(query) == meant


def test_an_operator_joins_its_neighbours_and_other_words_are_only_ranked() -> None:
    assert parse("grid solar AND wind power") == Parsed("grid solar wind power", And((A, B)))
    assert parse("(grid solar OR wind) power").condition == Or((A, B))


def test_all_words_of_brackets_beside_an_operator_are_meant() -> None:
    assert condition("(solar wind) OR storm") == Or((And((A, B)), C))
    assert condition("storm NOT (solar wind)") == Not(And((A, B)))


def test_one_name_may_mean_several_fields() -> None:
    fields = ("Author", "authors", "tags", "Keywords")
    assert parse("author:ant", fields).condition == Word("ant", ("Author", "authors"))
    assert parse("keyword:ant", fields).condition == Word("ant", ("tags", "Keywords"))
    assert parse("tag:2019", fields).condition == Or((Between("tags", 2019, 2019), Between("Keywords", 2019, 2019)))


@pytest.mark.parametrize("field", ["title", "text", "id", "source", "file", "TITLE"])
def test_every_document_has_these_fields(field: str) -> None:
    assert parse(f"{field}:2019 solar").condition == Word("2019", (field.lower(),))


@pytest.mark.parametrize("quoted", ['"a b"', "“a b”", "„a b“", "«a b»", "»a b«", "＂a b＂", "「a b」", "”a b”"])
def test_any_quotation_marks_do(quoted: str) -> None:
    assert condition(quoted) == Phrase(("a", "b"))


def test_full_width_signs_are_signs() -> None:
    assert parse("雨 －title：solar （wind OR storm）") == Parsed(
        "雨 wind storm", And((Not(Word("solar", ("title",))), Or((B, C))))
    )


# natural text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "don't worry, it's Weber's",
        "C++ and std::vector in f(x)",
        "write to a.weber@example.org",
        "http://example.org/a?b=c:d and https://x.org",
        "the train at 10:30",
        "a-b, E2f-1, -2, -3",
        "solar - wind -- storm",
        "Attention: a survey",
        'a 5" pipe and a 3\'4" one',
        "time sharing (TSS) systems :)",
        "a) solar b) wind",
        "C:\\Users\\me",
        "solar and wind or storm, not rain",
        "NOTES ON ANDES",
        "SOLAR AND WIND OR NOT (STORM)",
        "TITLE:SOLAR -WIND CHILD*",
        "AND",
        "NOT",
        "標題：太陽",
        "**bold** and *thin*",
        "2*3",
        '""',
        "NEAR the sea",
    ],
)
def test_natural_text_stays_as_it_is(text: str) -> None:
    assert parse(text, FIELDS) == Parsed(text)


LONG = "an articles search about the sensitivity of the decomposition of real matrices and other"


def test_in_a_long_text_a_quotation_raises_the_rank_and_requires_nothing() -> None:
    text = f'{LONG} "symbolic Things", "symbolic things"'
    assert parse(text) == Parsed(text, raised=(Phrase(("symbolic", "things")),))


@pytest.mark.parametrize("tail", ["-matrix", "foo:bar", "child*", '"unclosed', '-"not this"', "(unclosed", "12:30"])
def test_in_a_long_text_other_signs_are_no_operators(tail: str) -> None:
    assert parse(f"{LONG} {tail}") == Parsed(f"{LONG} {tail}")


def test_in_a_long_text_a_field_that_exists_is_required() -> None:
    assert parse(f'{LONG} title:solar "a b"') == Parsed(
        f"{LONG} solar a b", Word("solar", ("title",)), (Phrase(("a", "b")),)
    )


def test_twelve_words_are_not_a_long_text() -> None:
    assert condition(f"{' '.join('abcdefghijkl')} -solar") is None
    assert condition(f"{' '.join('abcdefghijk')} & -solar") == Not(A)


def test_a_quotation_counts_in_capitals_too_unless_operators_may_be_meant() -> None:
    assert parse('"DNA REPAIR" KIT') == Parsed("DNA REPAIR KIT", Phrase(("dna", "repair")))
    assert parse('"NASA" OR "ESA"') == Parsed('"NASA" OR "ESA"')


def test_a_script_without_capitals_has_operators() -> None:
    assert condition("太陽 AND 風") == And((Word("太陽"), Word("風")))


# searches pasted from elsewhere


def test_a_boolean_search_of_a_review_is_understood() -> None:
    query = (
        '("heart attack"[tiab] OR "myocardial infarction"[MeSH Terms] OR infarct*[Title/Abstract]) AND\n'
        "(child* OR adolescen$ OR p?ediatric.ti,ab.) AND (randomi*ed OR trial.mp. OR placebo) NOT (animal* NOT human*)"
    )
    parsed = parse(query)
    assert parsed.condition == And(
        (
            Or((Phrase(("heart", "attack")), Phrase(("myocardial", "infarction")), Prefix("infarct"))),
            Or((Prefix("child"), Prefix("adolescen"), Phrase(("p", "ediatric")))),
            Or((Prefix("randomi"), Word("trial"), Word("placebo"))),
            Not(And((Prefix("animal"), Not(Prefix("human"))))),
        )
    )
    assert parsed.notes == (
        "column 16: names in square brackets, as [tiab], are left out",
        "column 120: names of fields behind a word, as .ti,ab., are left out",
    )


# what cannot be parsed


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("(solar AND wind", "column 1: this bracket is never closed"),
        ("solar AND wind)", "column 15: this bracket was never opened"),
        ("title:(solar wind", "column 7: this bracket is never closed"),
        ("NEAR(solar wind", "column 5: this bracket is never closed, or others stand in it"),
        ('solar "wind', "column 7: this quotation is never closed"),
        ('title:"wind', "column 7: this quotation is never closed"),
        ("solar AND", "column 7: AND has nothing on its right"),
        ("OR solar", "column 1: OR has nothing on its left"),
        ("solar AND OR wind", "column 11: OR has nothing on its left"),
        ("solar AND () OR wind", None),
        ("solar OR NOT", "column 10: NOT has nothing on its right"),
        ("(solar AND) wind", "column 8: AND has nothing on its right"),
        ("& AND solar", "column 3: AND has nothing on its left"),
        ("(" * 200 + "solar AND b" + ")" * 200, f"column 101: brackets are nested more than {DEEPEST} deep"),
    ],
)
def test_what_cannot_be_parsed_is_searched_as_plain_words_with_a_note(query: str, what: str | None) -> None:
    if what is None:
        assert parse(query).condition == Or((A, B))
    else:
        assert parse(query) == Parsed(query, notes=(f"{what}; the query was searched as plain words",))


def test_an_unknown_field_is_plain_words_and_the_note_names_the_fields_there_are() -> None:
    note = "column 7: there is no field 'foo'; fields are title, text, id, source, file, year"
    assert parse("solar foo:bar", ["year"]) == Parsed("solar foo:bar", notes=(note,))
    assert parse('"wind" foo:"a b"', []).words == "wind foo: a b"
    many = parse("foo:bar", [f"f{n}" for n in range(100)]).notes[0]
    assert many.endswith("f14, …")


def test_a_very_long_query_with_operators_says_that_they_are_not_read() -> None:
    for query in ("solar AND wind " * (MOST_PARSED // 10), "a OR " * MOST_TOKENS + "b"):
        assert parse(query) == Parsed(query, notes=parse(query).notes)
        assert "operators are not read in a query of more than 20,000 characters" in parse(query).notes[0]
    assert parse('"a b" ' * MOST_PARSED).notes == ()


def hostile() -> dict[str, str]:
    signs, n = random.Random(0), 100_000
    planes = "".join(chr(signs.randrange(0x110000)) for _ in range(n))
    soup = "".join(signs.choice('"“()-:*ab ANDORNT,.[]') for _ in range(n))
    return {
        "words": "solar " * (n // 6),
        "quotes": '"' * n,
        "odd quotes": '"a ' * 6001,
        "opened": "(" * 10_000 + "a AND b",
        "nested": "(" * 10_000 + "a AND b" + ")" * 9_993,
        "nested short": "(" * 1_400 + "a AND b" + ")" * 1_400,
        "nested fields": "title:(" * 1_400 + "a" + ")" * 1_400,
        "ands": "AND " * 4_000,
        "nots": "NOT " * 2_900 + "a",
        "pairs": "a OR " * 1_499 + "b",
        "minus": "-a " * 1_499,
        "fields": "title:a " * 2_400,
        "stars": "*" * n,
        "near": "NEAR(" * 4_000,
        "nears": "NEAR(a b, 5) " * 1_500,
        "commas": "NEAR(a" + ",   " * 4_000 + ")",
        "dots": "x AND a" + ".ti,ab" * 3_000 + "!",
        "accents": "x AND " + "é " * 2_990,
        "one word": "x AND " + "y" * 19_000,
        "control": "".join(map(chr, range(32))) * 500 + " AND \x00 OR \x7f",
        "surrogates": 'x AND "\ud800" OR \udfff* -\ud800 ' + "\udc00:" * 6_000,
        "planes": planes,
        "some planes": "x AND " + planes[:19_000],
        "soup": soup,
        "some soup": soup[:5_000],
    }


@pytest.mark.parametrize("kind", hostile())
def test_no_query_takes_long_or_raises(kind: str) -> None:
    query, seconds = hostile()[kind], []
    for _ in range(5):
        start = process_time()
        parsed = parse(query, FIELDS)
        seconds.append(process_time() - start)
    assert len(key_of(parsed.condition)) < 10_000
    assert all(note.isprintable() for note in parsed.notes)
    assert min(seconds) < 0.05


def test_text_without_signs_costs_next_to_nothing() -> None:
    def seconds(times: int = 200) -> float:
        start = process_time()
        for _ in range(times):
            parse("what similarity laws must be obeyed when constructing aeroelastic models of aircraft", FIELDS)
        return (process_time() - start) / times

    assert min(seconds() for _ in range(10)) < 20e-6


ANYTHING = st.text(st.one_of(st.sampled_from('"“”()-:*[], .'), st.characters()), max_size=60)
PIECES = st.sampled_from(
    ["AND", "OR", "NOT", "NEAR(", "title:", "year:", "..", "solar", "2019", "a b", "(", ")", '"', "-", "*"]
)


@given(st.one_of(ANYTHING, st.lists(PIECES, max_size=20).map(" ".join), st.lists(PIECES, max_size=20).map("".join)))
def test_any_text_is_parsed_and_notes_point_at_a_column(text: str) -> None:
    parsed = parse(text, FIELDS)
    if parsed.condition is None:
        assert parsed.words == text
    else:
        assert list(leaves_of(parsed.condition))
    for note in parsed.notes:
        assert note.startswith("column ")
        assert note.isprintable()
        assert 1 <= int(note.split(":")[0].removeprefix("column ")) <= len(text)


# the new leaves in the tree


def test_words_phrases_prefixes_and_near_are_leaves_of_the_tree() -> None:
    leaves = (A, Phrase(("a", "b")), Prefix("c", ("title",)), Near(("a", "b"), 3))
    tree = And((*leaves, Not(B)))
    assert tuple(leaves_of(tree)) == (*leaves, B)
    assert condition_of(tree) is tree
    assert evaluate(tree, lambda leaf: leaf != B, all, any, lambda part: not part)
    assert len({key_of(leaf) for leaf in (*leaves, B)}) == 5
    assert key_of(Word("a")) != key_of(Word("a", ("title",)))


# the documentation

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "query-language.md"
EXAMPLES = re.findall(r"^\| .* \| `(.+)` \|$", PAGE.read_text("utf-8"), flags=re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_the_documentation_is_understood(example: str) -> None:
    parsed = parse(example, FIELDS)
    assert parsed.notes == ()
    assert (parsed.condition is None) == (example == "grid storage")


# the queries of the ad-hoc sets

SETS = ("cranfield", "cacm", "npl", "scifact", "nfcorpus-partial")
REQUIRING = {
    "jet interference with supersonic flow -dash experimental papers .": Not(Word("dash")),
    "thrust vector control by fluid injection -dash papers .": Not(Word("dash")),
    'Mouse models can be generated using "artificial spermatids."': Phrase(("artificial", "spermatids")),
}
COCOA = 'isn \'t regular cocoa powder healthier than alkali-processed " dutched " cocoa ?'
REQUIRING[COCOA] = Phrase(("dutched",))
"""Short queries of the sets in which a quotation requires or a minus excludes; with a quotation in capitals, too."""
QUOTING = {
    "cacm": ("30", "31", "33", "35", "37", "38", "39", "57"),
    "scifact": ("1114",),
    "nfcorpus-partial": ("PLAIN-304",),
}
"""Long queries with a quotation, which raises the rank."""


@pytest.mark.parametrize("name", SETS)
def test_queries_of_the_ad_hoc_sets_are_natural_text(name: str, data_folder: Path) -> None:
    queries = read_queries(data_folder / name / "queries.jsonl.gz")
    assert len(queries) > 60
    for id_, query in zip(queries.ids, queries.texts, strict=True):
        for text in (query, query.upper()):
            parsed = parse(text, FIELDS)
            if query in REQUIRING and (text == query or '"' in text):
                assert parsed.condition == REQUIRING[query]
                continue
            assert parsed._replace(raised=()) == Parsed(text)
            assert not parsed.raised or id_ in QUOTING[name]
