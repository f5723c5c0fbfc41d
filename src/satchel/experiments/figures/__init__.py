"""The figures of papers, drawn from saved rows."""

from satchel.experiments.figures.drawing import FIGURES, draw_figures

__all__ = ["FIGURES", "draw_figures"]
