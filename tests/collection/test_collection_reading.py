"""A collection learns and encodes from the words of its index; nothing differs from reading the texts again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from satchel import BagOfEmbeddedWords, Collection
from satchel.collection.add import add_documents
from satchel.collection.reading import TextsOfStore
from satchel.importing import Document
from satchel.progress import no_progress
from satchel.store import MemoryStore, Store
from satchel.text import ReadTexts, Tokenizer, count_words, learn_vocabulary, title_first

TOKENIZERS = [
    Tokenizer(),
    Tokenizer(min_length=2),
    Tokenizer(stop_words="smart", stem=True),
    Tokenizer(letters_only=True),
    Tokenizer(lowercase=False),
]
LONG = " ".join(f"word{n % 70} Zürich's\nflight_{n}" for n in range(250))
DOCUMENTS = [
    Document("plain", "the cat sat on the mat", "Cats"),
    Document("begins", "Cats sit. Cats eat.", "Cats"),
    Document("empty", ""),
    Document("title alone", "", "A title_2 of its own"),
    Document("marks", "e\u0301t\u00e9 \u0915\u093f\u0924\u093e\u092c x\u00b2 \u216b 10.1000/xyz", " \u00c9t\u00e9 "),
    Document("sigma", "\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3 \u0391\u03a3'\u0392"),
    Document("long", LONG, "A manual"),
    Document("long and plain", LONG.replace("_", " "), "word0"),
    Document("long and Greek", LONG.replace("_", " ") + " \u03a3\u039f\u03a3", "\u03a3"),
]
TRICKY = "ab_ \u00e9\u0301\u03a3\u03c3'.\u01305\n"
texts_of_all = st.lists(st.text(alphabet=TRICKY, max_size=25), min_size=1, max_size=6)


def filled(documents: list[Document]) -> Store:
    store = MemoryStore()
    add_documents(store, documents, no_progress)
    return store


def same_counts(read: ReadTexts, tokenizer: Tokenizer) -> bool:
    """Whether the texts have the same vocabulary and counts as a plain list of them."""
    words, counts = learn_vocabulary(read, tokenizer)
    plain_words, plain = learn_vocabulary(list(read), tokenizer)
    again = count_words(read, tokenizer, words)
    arrays = [(one.data.tobytes(), one.indices.tobytes(), one.indptr.tobytes()) for one in (counts, plain)]
    return words == plain_words and arrays[0] == arrays[1] and (again != plain).nnz == 0


@pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=str)
def test_words_of_the_index_are_those_that_the_tokenizer_finds(tokenizer: Tokenizer) -> None:
    store = filled(DOCUMENTS)
    read = TextsOfStore(store).texts(store.scan())
    assert list(read) == [title_first(one.title, one.text) for one in store.scan()]
    assert same_counts(read, tokenizer)


@pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=str)
def test_passages_have_the_words_that_the_tokenizer_finds_in_their_part_of_the_text(tokenizer: Tokenizer) -> None:
    store = filled(DOCUMENTS)
    windows = store.windows([one.number for one in store.scan()])
    long = [one for one in store.scan() if one.number in windows]
    read = TextsOfStore(store).passages(long, windows)
    expected = [
        title_first(one.title, one.text[start:stop]) for one in long for start, stop in windows[one.number][:, 2:]
    ]
    assert len(long) == 3
    assert list(read) == expected
    assert same_counts(read, tokenizer)


@settings(max_examples=60, deadline=None)
@given(texts_of_all, texts_of_all, st.sampled_from(TOKENIZERS))
def test_any_texts_and_titles_are_counted_as_if_they_were_read(
    texts: list[str], titles: list[str], tokenizer: Tokenizer
) -> None:
    pairs = zip(texts, titles, strict=False)
    store = filled([Document(str(place), text, title) for place, (text, title) in enumerate(pairs)])
    assert same_counts(TextsOfStore(store).texts(store.scan()), tokenizer)


def test_a_model_learned_from_the_index_is_the_one_learned_from_texts() -> None:
    documents = [*DOCUMENTS, *(Document(str(n), f"rocket_{n % 7} orbit {n % 5} moon Été {n}") for n in range(40))]
    store = filled(documents)
    read = TextsOfStore(store).texts(store.scan())
    here, there = (BagOfEmbeddedWords(n_codewords=4).fit(texts) for texts in (read, list(read)))
    assert here.files() == there.files()
    assert_array_equal(here.transform(read), there.transform(list(read)))


def test_vectors_of_a_collection_are_those_of_its_texts(tmp_path) -> None:
    with Collection.create(tmp_path / "c.satchel") as collection:
        collection.add(DOCUMENTS)
        collection.add([Document("later", "a later cat_2 and mat", "Later")])
        assert collection.check() == []


def test_no_texts_have_no_words() -> None:
    read = TextsOfStore(MemoryStore()).texts([])
    assert isinstance(read, ReadTexts)
    assert count_words(read, Tokenizer(), learn_vocabulary(["a"], Tokenizer())[0]).shape == (0, 1)


def test_a_list_of_read_texts_cannot_lose_a_text_and_keep_its_words() -> None:
    read = ReadTexts(["a b", "b"], np.array([0, 1, 1], np.int32), np.array([0, 2, 3]), ["a", "b"])
    assert type(read[:1]) is list
