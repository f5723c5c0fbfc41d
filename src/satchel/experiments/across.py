"""A table of results that runs across: one line a method, one column for each value of a setting, such as data sets."""

from collections.abc import Sequence
from statistics import fmean

from satchel.experiments.results import ResultRow, by_condition


def across_lines(rows: Sequence[ResultRow], across: str, measures: Sequence[str], unit: str) -> list[str]:
    """The lines of a Markdown table whose columns are the values of the setting `across`; cells hold the measures."""
    groups = by_condition(rows)
    columns = list(dict.fromkeys(str(row.setting[across]) for row in rows))
    settings = [name for name in dict.fromkeys(name for row in rows for name in row.setting) if name != across]
    cells: dict[tuple[str, ...], dict[str, str]] = {}
    for group in groups:
        first = group[0]
        place = (first.method, *(str(first.setting.get(name, "–")) for name in settings))
        cells.setdefault(place, {})[str(first.setting[across])] = _cell(group, measures, unit)
    head = ["method", *settings, *columns]
    published = "; in parentheses: published" if any(row.published for row in rows) else ""
    return [
        f"| {' | '.join(head)} |",
        f"|{' --- |' * len(head)}",
        *(f"| {' | '.join([*place, *(found.get(name, '–') for name in columns)])} |" for place, found in cells.items()),
        "",
        f"Each cell: {' / '.join(measures)}, mean over {_seeds(groups)}; ± half the span of the seeds{published}.",
    ]


def _cell(rows: Sequence[ResultRow], measures: Sequence[str], unit: str) -> str:
    form = ".2f" if unit else "g"
    cells = []
    for place, name in enumerate(measures):
        values = [row.measures[name] for row in rows if name in row.measures]
        spread = f" ±{(max(values) - min(values)) / 2:{form}}" if len(values) > 1 and not place else ""
        published = f" ({rows[0].published[name]:{form}})" if name in rows[0].published else ""
        cells.append(f"{fmean(values):{form}}{spread}{published}" if values else "–")
    return " / ".join(cells)


def _seeds(groups: Sequence[Sequence[ResultRow]]) -> str:
    numbers = sorted({len(group) for group in groups})
    named = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    return f"{named} seed{'s' if numbers != [1] else ''}"
