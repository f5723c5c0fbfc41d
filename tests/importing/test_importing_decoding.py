"""Bytes become text in the encoding that they are in, and rubbish is refused."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.errors import DamagedFileError
from satchel.importing.decoding import clean_text, one_line, safe_id, text_lines, text_of, text_pieces

GERMAN = "Größe, Maß und Übermut: „drei“ Wörter – und noch ein paar mehr.\nZweite Zeile."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "cp1252"])
def test_the_encoding_is_found_from_the_bytes(encoding):
    assert text_of(GERMAN.encode(encoding)) == GERMAN


def test_a_mark_of_big_endian_utf16_is_seen():
    assert text_of(b"\xfe\xff" + GERMAN.encode("utf-16-be")) == GERMAN


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_lines_and_pieces_are_those_of_the_whole_text(encoding):
    data = GERMAN.replace("\n", "\r\n").encode(encoding)
    assert list(text_lines(io.BytesIO(data))) == GERMAN.split("\n")
    assert "".join(text_pieces(io.BytesIO(data), size=7)).lstrip("\ufeff") == GERMAN.replace("\n", "\r\n")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_text_in_utf8_comes_back(text):
    assert text_of(text.encode()) == text.removeprefix("\ufeff")


def test_a_character_cut_by_the_end_of_the_sample_is_no_damage():
    text = "a" * ((1 << 16) - 1) + "é" * 100
    assert text_of(text.encode()) == text


def test_one_wrong_byte_does_not_turn_a_utf8_text_into_another():
    data = ("é " * 100).encode() + b"\xff" + "ü".encode()
    assert text_of(data) == "é " * 100 + "\ufffdü"


def test_a_line_that_is_not_utf8_among_lines_that_are_is_read_as_western():
    data = "zuerst Größe\n".encode() + "dann Größe\n".encode("cp1252")
    assert list(text_lines(io.BytesIO(data))) == ["zuerst Größe", "dann Größe"]


def test_an_encoding_that_is_told_is_believed():
    assert text_of("тихий дон".encode("cp1251"), "cp1251") == "тихий дон"


def test_text_that_is_not_western_is_refused_rather_than_garbled():
    with pytest.raises(DamagedFileError, match="neither UTF-8 nor Western"):
        text_of(("тихий дон " * 10).encode("cp1251"))


@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_no_text(seed):
    with pytest.raises(DamagedFileError, match="not text"):
        text_of(np.random.default_rng(seed).bytes(3000))


def test_control_characters_without_a_zero_are_no_text():
    with pytest.raises(DamagedFileError, match="control characters"):
        text_of(bytes(range(1, 32)) * 10)


def test_lines_that_end_as_on_the_old_macintosh_are_told_apart():
    assert list(text_lines(io.BytesIO("id,text\r1,Größe\r".encode("cp1252")))) == ["id,text", "1,Größe"]


def test_a_line_longer_than_the_bound_is_cut_and_the_next_is_whole():
    lines = list(text_lines(io.BytesIO(b"x" * 50 + b"\nnext\n"), longest=20))
    assert lines == ["x" * 20, "next"]


def test_texts_are_cleaned_of_control_characters_and_halves_of_characters():
    assert clean_text("a\r\nb\rc\x00d\x1b[31me\u00adf\ud800g\th\x0c") == "a\nb\nc d [31mef\ufffdg\th"
    assert one_line(" a\n b\tc ") == "a b c"


@given(st.text())
def test_what_is_cleaned_can_be_stored_and_is_clean(text):
    clean = clean_text(text)
    assert clean.encode("utf-8").decode("utf-8") == clean_text(clean)
    assert not any(ord(sign) < 32 and sign not in "\n\t" for sign in clean)


def test_ids_stand_on_one_line_and_keep_their_emoji():
    assert safe_id("two\nlines\t👩‍👩‍👧 \x00\u2028x") == "two\\nlines\\t👩‍👩‍👧 \\x00\\u2028x"
    assert safe_id("/plain/ä.txt") == "/plain/ä.txt"
    assert safe_id("bad\udcffname") == "bad\\xffname"
