"""Curves: the axis that is given comes back, and it holds the numbers in percent."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

from satchel.errors import InputError, MissingExtraError
from satchel.evaluation import draw_curves, evaluate_retrieval, plot_precision_recall, plot_precision_scope

RNG = np.random.default_rng(2)
VECTORS = RNG.standard_normal((30, 4)).astype(np.float32)
RESULT = evaluate_retrieval(VECTORS, [i % 3 for i in range(30)], VECTORS[:9], [i % 3 for i in range(9)])


@pytest.mark.parametrize("plot", [plot_precision_recall, plot_precision_scope])
def test_a_plot_returns_the_axis_it_was_given_with_labels_and_legend(plot):
    ax = Figure().add_subplot()
    assert plot({"one": RESULT, "two": RESULT}, ax) is ax
    assert ax.get_xlabel()
    assert ax.get_ylabel().endswith("(%)")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]
    assert len({line.get_linestyle() for line in ax.get_lines()}) == 2


def test_the_curves_are_the_results_in_percent():
    recall = plot_precision_recall({"one": RESULT}).get_lines()[0]
    np.testing.assert_allclose(recall.get_xdata(), np.arange(0, 101, 10))
    np.testing.assert_allclose(recall.get_ydata(), 100 * RESULT.precision_recall)
    raw = plot_precision_scope({"one": RESULT}, interpolated=False).get_lines()[0]
    np.testing.assert_allclose(raw.get_ydata(), 100 * RESULT.precision_scope.raw)


def test_both_curves_can_be_saved_as_one_picture(tmp_path):
    draw_curves({"one": RESULT}).savefig(tmp_path / "curves.png")
    assert (tmp_path / "curves.png").stat().st_size > 1000


def test_no_result_is_refused():
    with pytest.raises(InputError, match="no result to draw"):
        plot_precision_recall({})


def test_without_matplotlib_the_error_holds_the_pip_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'satchel\[plots\]'"):
        plot_precision_recall({"one": RESULT})


def test_importing_evaluation_loads_nothing_that_is_slow_to_import():
    slow = ["matplotlib", "sklearn", "ir_measures", "scipy.stats"]
    code = f"import sys, satchel.evaluation; print([name for name in {slow!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
