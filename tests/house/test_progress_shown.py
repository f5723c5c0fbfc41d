"""What a person is told while long work goes on, on standard error."""

import sys

import pytest

from satchel.progress import no_progress, shown


def test_nobody_is_told_who_does_not_want_to_be() -> None:
    with shown(False) as progress:
        assert progress is no_progress


def test_a_bar_leaves_its_last_state_and_stages_leave_nothing_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    with shown(True) as progress:
        progress("counting words", 0, 0)
    assert capsys.readouterr().err == ""
    with shown(True) as progress:
        for epoch in (1, 2):
            progress(f"epoch {epoch}/2  [loss]", epoch, 2)
    err = capsys.readouterr().err
    assert "epoch 2/2  [loss]" in err
    assert "0:00:0" in err


@pytest.mark.parametrize(("columns", "n_parts"), [("80", 2), ("200", 3)])
def test_of_several_parts_as_many_are_told_as_a_line_has_room_for(
    columns: str, n_parts: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    parts = ["first " + "a" * 20, "second " + "b" * 20, "third " + "c" * 20]
    with shown(True) as progress:
        progress(", ".join(parts), 1, 1)
    err = capsys.readouterr().err
    assert [part in err for part in parts] == [True] * n_parts + [False] * (3 - n_parts)


def test_on_a_terminal_stages_are_told_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with shown(True) as progress:
        progress("counting words", 0, 0)
    assert "counting words" in capsys.readouterr().err


def test_what_raises_inside_leaves_the_line_whole(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        with shown(True) as progress:
            progress("epoch 1/2", 1, 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert capsys.readouterr().err.endswith("\n")
