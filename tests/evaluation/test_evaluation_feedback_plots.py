"""What is drawn is what was measured."""

import numpy as np
import pytest

from satchel.errors import InputError
from satchel.evaluation import NoFeedback, draw_feedback, draw_screening, plot_feedback_rounds, simulate_feedback
from satchel.feedback import Feedback

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def results():
    rng = np.random.default_rng(0)
    given = rng.standard_normal((40, 4)), [i % 2 for i in range(40)], rng.standard_normal((5, 4)), [0] * 5
    return {
        name: simulate_feedback(*given, feedback=feedback, n_relevant=2, rounds=2)
        for name, feedback in (("Rocchio", Feedback("rocchio")), ("none", NoFeedback()))
    }


def test_a_curve_over_rounds_holds_the_measure_with_feedback_and_dotted_without(results):
    ax = plot_feedback_rounds(results, measure="P@10")
    after, without = results["Rocchio"].curve("P@10")
    np.testing.assert_allclose(ax.lines[0].get_ydata(), 100 * after)
    np.testing.assert_allclose(ax.lines[1].get_ydata(), 100 * without)
    assert ax.lines[1].get_linestyle() == ":"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Rocchio", "none", "without feedback"]


def test_every_axis_says_what_it_was_measured_on(results):
    labels = [ax.get_ylabel() for ax in draw_feedback(results).axes]
    assert labels == [
        "mAP (11-point) (%), residual collection",
        "P@10 (%), residual collection",
        "mAP (11-point) (%), marks frozen at the top",
    ]


def test_a_screening_starts_at_nothing_shown_and_nothing_found():
    (ax,) = draw_screening({"review": np.array([0.5, 0.5, 1.0, 1.0])}).axes
    assert ax.lines[0].get_xdata().tolist() == [0, 25, 50, 75, 100]
    assert ax.lines[0].get_ydata().tolist() == [0, 50, 50, 100, 100]


def test_nothing_to_draw_is_said():
    with pytest.raises(InputError, match="no result to draw"):
        plot_feedback_rounds({})
