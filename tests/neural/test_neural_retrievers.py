"""Networks as retrievers: what they find, what they refuse, what they keep; [MW] section 4's worked example."""

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
import torch
from sklearn.base import clone

from satchel import FeedForwardRetriever, RecurrentRetriever
from satchel.errors import DamagedFileError, InputError, MissingExtraError, NotFittedError
from satchel.estimator import from_flat
from satchel.learning import DocumentNetwork, NetworkData, NetworkShape, Sequences
from satchel.neural import NeuralRetriever
from satchel.neural.readers import parts_of, windows_of
from satchel.neural.recipes import PAPER, chosen_device
from satchel.neural.served import argmax_answer, expected_answer, joint_answer, softmax
from satchel.neural.training import chunk_length
from satchel.storage.model_folder import load_model, save_model
from satchel.text import WordSequences, word_sequences
from satchel.types import Ranking

THEMES = {"sea": "ship sail harbour wave storm anchor", "food": "bread oven flour butter salt honey"}
TEXTS = [
    " ".join(np.random.default_rng([n, place]).choice(words.split(), 8))
    for place, words in enumerate(THEMES.values())
    for n in range(14)
]
TEXTS += ["quartz crystal mine quartz crystal deep mine", ""]
LABELS = ["sea"] * 14 + ["food"] * 14 + ["stones", "sea"]
SMALL = {"projection": 8, "hidden": 16, "max_epochs": 25, "rate": 0.02, "min_count": 1, "batch_size": 8}
MAKERS: dict[str, Callable[..., NeuralRetriever]] = {
    "1-gram": lambda **more: from_flat(FeedForwardRetriever, {"ngram": 1} | SMALL | more),
    "5-gram": lambda **more: from_flat(FeedForwardRetriever, {"ngram": 5} | SMALL | more),
    "rnn": lambda **more: from_flat(RecurrentRetriever, {"cell": "rnn", "bptt": 3} | SMALL | more),
    "lstm": lambda **more: from_flat(RecurrentRetriever, {"cell": "lstm", "bptt": 2, "layers": 2} | SMALL | more),
    "gru": lambda **more: from_flat(RecurrentRetriever, {"cell": "gru", "bptt": 1} | SMALL | more),
}
NETWORKS = {"5-gram": FeedForwardRetriever, "lstm": RecurrentRetriever}
_FITTED: dict[str, NeuralRetriever] = {}


@pytest.fixture(params=sorted(MAKERS))
def fitted(request: pytest.FixtureRequest) -> NeuralRetriever:
    if request.param not in _FITTED:
        _FITTED[request.param] = MAKERS[request.param]().fit(TEXTS, LABELS)
    return _FITTED[request.param]


def figure_8() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """P(topic | word) and P(document | its topic, word) of "university of saarland germany" over seven documents."""
    topics = np.array([[0.6, 0.2, 0.2], [0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.3, 0.3, 0.4]])
    documents = np.array([[0.5, 0.3, 0.2, 0.3, 0.3, 0.4, 1.0], [0.3, 0.3, 0.4, 0.3, 0.3, 0.4, 1.0]])
    later = np.array([[1 / 3, 1 / 3, 1 / 3, 0.25, 0.4, 0.31, 1.0]] * 2)  # the figure's shares of topic 1 sum to 0.96
    return topics, np.concatenate([documents, later]), np.array([0, 0, 0, 1, 1, 1, 2])


def test_figure_8_number_by_number():
    topics, documents, topic_of = figure_8()
    two, three, four = (argmax_answer(topics[:n], documents[:n], topic_of) for n in (2, 3, 4))
    assert two.round(2).tolist() == [0.4, 0.3, 0.3, 0, 0, 0, 0]
    assert three.round(2).tolist() == [0.27, 0.2, 0.2, 0.08, 0.13, 0.1, 0]
    assert four.round(2).tolist() == [0.2, 0.15, 0.15, 0.06, 0.1, 0.08, 0.25]
    assert [average_precision_of_topic_1(answer) for answer in (two, three, four)] == [0, 0.22, 0.07]


def average_precision_of_topic_1(answer: np.ndarray, n: int = 5) -> float:
    """Over the first five documents, of which three could be relevant."""
    best = [place for place in np.argsort(-answer, kind="stable")[:n] if answer[place] > 0]
    hits = [rank for rank, document in enumerate(best, 1) if document in (3, 4, 5)]
    return round(sum(number / rank for number, rank in enumerate(hits, 1)) / 3, 2)


def test_the_expected_answer_is_a_double_loop_over_words_and_topics():
    topics, documents, topic_of = figure_8()
    loop = [sum(topics[w, topic_of[d]] * documents[w, d] for w in range(4)) / 4 for d in range(7)]
    assert np.allclose(expected_answer(topics, documents, topic_of), loop)


def test_together_the_windows_choose_the_topic_with_the_largest_product():
    topics, documents, topic_of = figure_8()
    assert np.allclose(topics.prod(axis=0), [0.027, 0.0072, 0.0048])
    answer = joint_answer(topics, documents, topic_of)
    assert np.allclose(answer, [*documents[:, :3].mean(axis=0), 0, 0, 0, 0])


@pytest.mark.parametrize("output", ["factorised", "flat", "cascade"])
@pytest.mark.parametrize("scoring", ["argmax", "joint", "expectation"])
def test_search_sorts_the_output_vector_of_section_4(output, scoring):
    retriever = MAKERS["1-gram"](ngram=3, output=output, scoring=scoring, max_epochs=3).fit(TEXTS, LABELS)
    network, query = retriever.network_, "ship oven quartz wave harbour"
    states, hidden = network.read(word_sequences([query], retriever.tokenizer, retriever.vocabulary_))
    documents = np.concatenate([network.document_probabilities(hidden, c) for c in range(3)], axis=1)
    topic_of = np.repeat(np.arange(3), np.diff(network.topic_starts))
    vector = {"argmax": argmax_answer, "joint": joint_answer, "expectation": expected_answer}[scoring]
    expected = vector(network.topic_probabilities(states.hidden), documents, topic_of)
    ids, scores = retriever.search([query], 40)
    found = ids[0] >= 0
    assert np.allclose(scores[0, found], np.sort(expected[expected > 0])[::-1], atol=1e-6)
    unit_of = {document: unit for unit, document in enumerate(retriever.documents_.tolist())}
    assert np.allclose([expected[unit_of[i]] for i in ids[0, found].tolist()], scores[0, found], atol=1e-6)
    assert np.isclose(scores[0, found].sum(), 1, atol=1e-5)


@pytest.mark.parametrize("output", ["factorised", "flat", "cascade"])
@pytest.mark.parametrize(
    "layers", [{"ngram": 3}, *({"ngram": None, "cell": c, "layers": 2} for c in ("rnn", "lstm", "gru"))]
)
def test_numpy_serves_what_torch_has_learned(output, layers):
    topics = np.array([0, 0, 1, 2])
    data = NetworkData(Sequences(np.ones(4, np.int32), np.arange(5), topics), np.array([0, 2, 3, 4]), 30)
    network = DocumentNetwork(NetworkShape(projection=5, hidden=6, output=output, **layers), data).eval()
    arrays = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    from satchel.neural import network_from

    served, ids = network_from(arrays, data.topic_starts, layers.get("cell")), np.arange(1, 8, dtype=np.int32)
    states, hidden = served.read(WordSequences(ids, np.array([0, 7])))
    p = served.topic_probabilities(states.hidden)
    for document, topic in enumerate(topics.tolist()):
        with torch.no_grad():
            given = torch.from_numpy(ids[None].astype(np.int64)), torch.tensor([topic]), torch.tensor([document])
            of_topics, of_documents = (torch.exp(-part[0]).numpy() for part in network(*given))
        in_topic = served.document_probabilities(hidden, topic)[:, document - int(data.topic_starts[topic])]
        assert np.allclose(p[:, topic], of_topics, atol=1e-6)
        if output == "factorised":
            assert np.allclose(in_topic, of_documents, atol=1e-6)
        if output == "flat":
            assert np.allclose(p[:, topic] * in_topic, of_documents, atol=1e-6)


def test_documents_of_the_query_s_topic_are_found_first(fitted: NeuralRetriever) -> None:
    ids = fitted.search(["ship sail wave storm anchor", "bread oven salt honey flour"], 5).ids
    assert all(LABELS[i] == "sea" for i in ids[0])
    assert all(LABELS[i] == "food" for i in ids[1])


def test_topics_are_ranked_by_their_mean_probability(fitted: NeuralRetriever) -> None:
    ids, scores = fitted.search_topics(["bread oven salt"], 3)
    assert fitted.topics_[ids[0, 0]] == "food"
    assert np.isclose(scores[0].sum(), 1, atol=1e-5)
    assert (np.diff(scores[0]) <= 0).all()


def test_a_topic_of_one_document_is_learned_and_its_document_found_with_certainty(fitted: NeuralRetriever) -> None:
    ids, scores = fitted.search(["quartz crystal mine quartz crystal"], 3)
    assert ids[0, 0] == 28
    if isinstance(fitted, FeedForwardRetriever) and fitted.ngram == 5:
        assert scores[0, 0] == 1


def test_an_empty_document_is_never_found_and_is_the_zero_vector(fitted: NeuralRetriever) -> None:
    assert 29 not in fitted.documents_
    assert 29 not in fitted.search(TEXTS[:28], 30).ids
    assert not fitted.transform([""]).any()


@pytest.mark.parametrize("query", ["", "zebra", "zebra giraffe lion tiger wolf bear"])
def test_a_query_without_a_known_word_finds_nothing(fitted: NeuralRetriever, query: str) -> None:
    for ranking in (fitted.search([query], 3), fitted.search_topics([query], 3)):
        assert (ranking.ids == -1).all()
        assert (ranking.scores == -np.inf).all()


def test_a_query_shorter_than_a_window_is_filled_up_with_unknown_words(fitted: NeuralRetriever) -> None:
    short = fitted.search(["ship sail"], 4)
    assert all(LABELS[i] == "sea" for i in short.ids[0])
    if isinstance(fitted, FeedForwardRetriever) and fitted.ngram == 5:
        filled = fitted.search(["ship sail zebra zebra zebra"], 4)
        assert np.array_equal(short.ids, filled.ids)


def test_windows_slide_by_one_and_leave_out_what_is_all_unknown():
    sequences = WordSequences(np.array([1, 2, 0, 0, 3, 5], np.int32), np.array([0, 5, 5, 6]))
    ids, text = windows_of(sequences, 2)
    assert ids.tolist() == [[1, 2], [2, 0], [0, 3], [5, 0]]
    assert text.tolist() == [0, 0, 0, 2]


def test_one_by_one_gives_what_many_at_once_give(fitted: NeuralRetriever) -> None:
    queries = [*TEXTS[::3], "", "zebra", "ship bread"]
    at_once = fitted.search(queries, 5)
    for row, query in enumerate(queries):
        assert np.allclose(fitted.search([query], 5).scores[0], at_once.scores[row], atol=1e-5)
    assert np.allclose(fitted.transform(queries)[2:3], fitted.transform(queries[2:3]), atol=1e-5)
    assert fitted.transform(queries).shape == (len(queries), 16)


@pytest.mark.parametrize(("most_texts", "most_words", "sizes"), [(3, 99, [3, 3]), (9, 6, [2, 1, 3]), (9, 1, [1] * 6)])
def test_texts_are_read_in_parts_that_stay_small(most_texts, most_words, sizes):
    lengths = [3, 1, 8, 2, 0, 2]
    sequences = WordSequences(np.arange(16, dtype=np.int32), np.concatenate(([0], np.cumsum(lengths))))
    parts = list(parts_of(sequences, most_texts, most_words))
    assert [len(part.starts) - 1 for _, part in parts] == sizes
    assert [first for first, _ in parts] == np.cumsum([0, *sizes[:-1]]).tolist()
    assert np.concatenate([part.ids for _, part in parts]).tolist() == list(range(16))
    assert np.concatenate([np.diff(part.starts) for _, part in parts]).tolist() == lengths


@pytest.mark.parametrize("output", ["factorised", "flat"])
@pytest.mark.parametrize("scoring", ["argmax", "joint", "expectation"])
def test_however_little_is_held_at_once_the_answers_are_the_same(output, scoring, monkeypatch) -> None:
    retriever = MAKERS["1-gram"](ngram=2, output=output, scoring=scoring, max_epochs=2).fit(TEXTS, LABELS)
    usual = retriever.search(TEXTS, 30), retriever.search_topics(TEXTS, 3), retriever.transform(TEXTS)
    monkeypatch.setattr("satchel.neural.served.NUMBERS_AT_ONCE", 40)
    monkeypatch.setattr("satchel.neural.readers.WINDOWS_AT_ONCE", 3)
    monkeypatch.setattr("satchel.neural.retriever.WORDS_AT_ONCE", 20)
    assert np.allclose(retriever.search(TEXTS, 30).scores, usual[0].scores, atol=1e-6)
    assert np.allclose(retriever.search_topics(TEXTS, 3).scores, usual[1].scores, atol=1e-6)
    assert np.allclose(retriever.transform(TEXTS), usual[2], atol=1e-6)


def test_the_hidden_states_of_documents_of_one_topic_are_closer_than_those_of_two(fitted: NeuralRetriever) -> None:
    vectors = fitted.transform(TEXTS[:28])
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert vectors.dtype == np.float32
    assert cosines[:14, :14].mean() > cosines[:14, 14:].mean() + 0.2


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(fitted: NeuralRetriever) -> None:
    again = clone(fitted).fit(TEXTS, LABELS)
    assert {name: a.tobytes() for name, a in again._arrays.items()} == {
        name: a.tobytes() for name, a in fitted._arrays.items()
    }
    other = clone(fitted).set_params(random_state=1).fit(TEXTS, LABELS)
    assert other._arrays["documents.weight"].tobytes() != fitted._arrays["documents.weight"].tobytes()


def same(one: Ranking, other: Ranking) -> bool:
    return np.array_equal(one.ids, other.ids) and np.array_equal(one.scores, other.scores)


def test_a_saved_folder_finds_the_same(fitted: NeuralRetriever, tmp_path) -> None:
    fitted.save(tmp_path / "model")
    loaded = type(fitted).load(tmp_path / "model")
    assert same(loaded.search(TEXTS, 7), fitted.search(TEXTS, 7))
    assert np.array_equal(loaded.transform(TEXTS), fitted.transform(TEXTS))
    assert loaded.topics_ == fitted.topics_ == ("sea", "food", "stones")
    assert loaded.history_ == fitted.history_
    wrong = RecurrentRetriever if isinstance(fitted, FeedForwardRetriever) else FeedForwardRetriever
    with pytest.raises(InputError, match=f"holds a {type(fitted).__name__}, not a {wrong.__name__}"):
        wrong.load(tmp_path / "model")


@pytest.mark.parametrize("width", [80, 200])
def test_a_bar_tells_epochs_time_and_the_last_perplexities_however_narrow(width, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    retriever = MAKERS["1-gram"](validation_share=0.3, max_epochs=2, verbose=True).fit(TEXTS, LABELS)
    last = retriever.history_[-1]
    told = capsys.readouterr().err
    assert "epoch 2/2" in told
    assert "0:00:" in told
    assert f"topics {last.train_perplexity:.3f}, validation {last.validation_perplexity:.3f}" in told
    assert (f"documents {last.document_perplexity:.1f}" in told) == (width == 200)


def test_a_network_with_numbers_of_numpy_is_saved(tmp_path) -> None:
    given = {"hidden": np.int64(16), "rate": np.float32(0.02), "random_state": np.uint8(3)}
    retriever = MAKERS["1-gram"](**given, max_epochs=1, checkpoint=tmp_path / "state").fit(TEXTS, LABELS)
    retriever.save(tmp_path / "model")
    assert same(FeedForwardRetriever.load(tmp_path / "model").search(TEXTS, 5), retriever.search(TEXTS, 5))


@pytest.mark.parametrize("kind", ["5-gram", "lstm"])
@pytest.mark.parametrize("damage", ["missing", "one row less", "one column less", "float64", "one more"])
def test_a_folder_whose_arrays_do_not_fit_the_layers_is_refused(kind, damage, tmp_path) -> None:
    MAKERS[kind](max_epochs=0, output="cascade").fit(TEXTS, LABELS).save(tmp_path / "model")
    whole = load_model(tmp_path / "model")
    refused = []
    for name, array in whole.arrays.items():
        arrays = {key: value for key, value in whole.arrays.items() if key != name}
        arrays |= damaged(name, array, damage)
        save_model(tmp_path / "other", whole.config, arrays, whole.words)
        with pytest.raises(DamagedFileError, match="is not a whole"):
            NETWORKS[kind].load(tmp_path / "other")
        refused.append(name)
    assert len(refused) == len(whole.arrays) > 9


def damaged(name: str, array: np.ndarray, damage: str) -> dict[str, np.ndarray]:
    changed = {
        "missing": {},
        "one row less": {name: array[:-1]},
        "one column less": {name: np.ascontiguousarray(array[..., :-1])},
        "float64": {name: array.astype(np.float64)},
        "one more": {name: array, f"{name}.more": array},
    }
    return changed[damage]


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("unit.topic_starts", [0, 14, 14, 29]),
        ("unit.topic_starts", [0, 28, 14, 29]),
        ("unit.topic_starts", [1, 14, 28, 29]),
        ("unit.documents", [*range(28), 0]),
        ("unit.documents", [*range(28), -1]),
    ],
)
def test_a_folder_whose_documents_have_no_place_in_topics_is_refused(name, changed, tmp_path) -> None:
    MAKERS["1-gram"](max_epochs=0).fit(TEXTS, LABELS).save(tmp_path / "model")
    config, arrays, words, _ = load_model(tmp_path / "model")
    save_model(tmp_path / "model", config, {**arrays, name: np.array(changed)}, words)
    with pytest.raises(DamagedFileError, match="topic"):
        FeedForwardRetriever.load(tmp_path / "model")


@pytest.mark.parametrize(
    ("parameter", "value"), [("scoring", "all"), ("hidden", 17), ("ngram", 2), ("recipe", "old"), ("output", "flat")]
)
def test_a_folder_whose_parameters_do_not_fit_its_arrays_is_refused(parameter, value, tmp_path) -> None:
    MAKERS["1-gram"](max_epochs=0).fit(TEXTS, LABELS).save(tmp_path / "model")
    config, arrays, words, _ = load_model(tmp_path / "model")
    save_model(tmp_path / "model", {**config, "parameters": {**config["parameters"], parameter: value}}, arrays, words)
    with pytest.raises(DamagedFileError, match="is not a whole FeedForwardRetriever"):
        FeedForwardRetriever.load(tmp_path / "model")


def test_a_saved_folder_is_searched_without_torch(fitted: NeuralRetriever, tmp_path) -> None:
    fitted.save(tmp_path / "model")
    code = f"""
import sys
from satchel import {type(fitted).__name__} as R
ids = R.load({str(tmp_path / "model")!r}).search(["ship sail wave"], 3).ids
print(ids.tolist(), [name for name in ("torch", "sklearn", "matplotlib") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{fitted.search(['ship sail wave'], 3).ids.tolist()} []"


def test_a_checkpoint_goes_on_as_if_nothing_had_happened(tmp_path) -> None:
    make = MAKERS["5-gram"]
    uninterrupted = make(recipe="paper", validation_share=0.3, max_epochs=6).fit(TEXTS, LABELS)
    make(recipe="paper", validation_share=0.3, max_epochs=3, checkpoint=tmp_path / "c").fit(TEXTS, LABELS)
    resumed = make(recipe="paper", validation_share=0.3, max_epochs=6, checkpoint=tmp_path / "c").fit(TEXTS, LABELS)
    assert len(resumed.history_) == 6
    assert same(resumed.search(TEXTS, 5), uninterrupted.search(TEXTS, 5))
    with pytest.raises(InputError, match="belongs to another training"):
        make(checkpoint=tmp_path / "c", rate=0.5).fit(TEXTS, LABELS)


def test_a_folder_of_other_files_is_refused_before_anything_is_learned(tmp_path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="that folder holds other files"):
        MAKERS["1-gram"](checkpoint=tmp_path, max_epochs=0).fit(TEXTS, LABELS)


def test_documents_set_aside_are_not_found_and_a_topic_keeps_one() -> None:
    retriever = MAKERS["1-gram"](validation_share=0.5, max_epochs=2).fit(TEXTS, LABELS)
    assert len(retriever.documents_) == 15
    assert 28 in retriever.documents_
    assert retriever.history_[0].validation_perplexity > 1
    assert set(retriever.search(TEXTS[:28], 30).ids.ravel().tolist()) <= {-1, *retriever.documents_.tolist()}


def test_without_labels_all_documents_are_of_one_topic() -> None:
    retriever = MAKERS["5-gram"](max_epochs=150).fit(TEXTS)
    assert retriever.topics_ == (None,)
    assert np.mean(retriever.search(TEXTS[:28], 1).ids[:, 0] == np.arange(28)) > 0.8


def test_a_query_about_a_topic_that_was_not_learned_finds_the_nearest_known_one() -> None:
    retriever = MAKERS["1-gram"]().fit(TEXTS[:28], LABELS[:28])
    assert retriever.search(["quartz crystal mine"], 3).ids.tolist() == [[-1, -1, -1]]
    assert LABELS[retriever.search(["quartz ship"], 3).ids[0, 0]] == "sea"


@pytest.mark.parametrize(("shortest", "ngram", "expected"), [(1, 5, 10), (25, 5, 25), (12, 15, 15), (10, None, 10)])
def test_a_chunk_is_as_long_as_the_shortest_document_but_not_shorter_than_ten_words_or_a_window(
    shortest, ngram, expected
) -> None:
    assert chunk_length(PAPER, np.array([40, shortest, 90]), ngram) == expected


def test_the_chosen_device_is_cuda_only_where_there_is_one() -> None:
    assert chosen_device("auto") == ("cuda" if torch.cuda.is_available() else "cpu")
    with pytest.raises(InputError, match="unknown device 'tpu'; choose from auto, cpu, cuda"):
        chosen_device("tpu")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"ngram": 0}, "ngram is 0"),
        ({"output": "tree"}, "unknown output 'tree'; choose from cascade, factorised, flat"),
        ({"scoring": "max"}, "unknown scoring 'max'"),
        ({"recipe": "old"}, "unknown recipe 'old'"),
        ({"chunk_length": "long"}, "chunk_length"),
        ({"dropout": 1.5}, "dropout is 1.5"),
        ({"vocabulary_size": 0}, "vocabulary_size is 0"),
        ({"output": "flat", "document_weight": 0}, "learns from the documents' error alone"),
        ({"recipe": "paper", "validation_share": 0}, "halves its rate by validation texts"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(given, sentence) -> None:
    with pytest.raises(InputError, match=sentence):
        from_flat(FeedForwardRetriever, SMALL | given).fit(TEXTS, LABELS)


@pytest.mark.parametrize(
    ("texts", "labels", "sentence"),
    [
        ([], [], "cannot learn from 0 texts"),
        (["a b"], ["x", "y"], "2 labels for 1 texts"),
        (["ship"], [None], "text 0 has the label None"),
        (["ship"], [["x", "y"]], "needs one topic a text"),
        (["ship", ""], ["x", "y"], "no text of the topic 'y' holds a word that is kept; lower min_count or leave"),
        (["", "the"], None, "no text holds a word that is kept; give more texts, or lower min_count"),
        (["ship"], 5, "labels must be a list with one label per text, not int"),
        (["ship"], "x", "labels must be a list with one label per text, not str"),
        (["ship", "oven"], [1.0, np.nan], "text 1 has the label nan"),
        (["ship", None], ["x", "y"], "text 1 is of type NoneType"),
    ],
)
def test_texts_and_labels_that_cannot_be_learned_from_are_refused(texts, labels, sentence) -> None:
    with pytest.raises(InputError, match=sentence):
        MAKERS["1-gram"]().fit(texts, labels)


def test_topics_of_one_document_each_leave_none_for_validation() -> None:
    with pytest.raises(InputError, match=r"every topic has one text with words, .* use recipe='best'"):
        MAKERS["1-gram"](validation_share=0.2).fit(["ship sail", "bread oven"], ["x", "y"])
    with pytest.raises(InputError, match=r"validation_share is 0.01, which sets none of the 30 texts aside; raise it"):
        MAKERS["1-gram"](validation_share=0.01).fit(TEXTS, LABELS)


def test_texts_labels_and_queries_may_come_one_by_one() -> None:
    retriever = MAKERS["1-gram"](max_epochs=1)
    lists = retriever.fit(TEXTS, LABELS).search(TEXTS[:3], 4)
    assert same(retriever.fit(iter(TEXTS), iter(LABELS)).search(iter(TEXTS[:3]), 4), lists)


def test_an_unfitted_network_says_so() -> None:
    with pytest.raises(NotFittedError, match="call fit first"):
        FeedForwardRetriever().search(["a"], 1)


def test_without_torch_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("satchel.learning")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"training a network needs an extra .* pip install 'satchel\[train\]'"):
        MAKERS["1-gram"]().fit(TEXTS, LABELS)


def test_softmax_of_large_numbers_does_not_overflow() -> None:
    assert np.allclose(softmax(np.array([[1000.0, 1000.0, 0.0]])), [[0.5, 0.5, 0]])
