"""How often single intervals stand out in `imsperf compare`, in pairs of runs whose truth is known.

`python tests excursion_table` writes the table into docs/compare.md; a slow test compares it.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.reports.comparison.samples import Samples, excursions

DOCUMENT = Path(__file__).parents[2] / "docs" / "compare.md"
BEGIN = "<!-- written by `python tests excursion_table` -->\n"
END = "<!-- end -->\n"
KEYS, UNITS, PAIRS = 300, 24, 40  # 12,000 rows
FACTORS = (1.5, 2.0, 3.0, 7.0)
QUARTER = 15  # minutes


def side(rng: Any, scatter: float, events: int, factor: float, day: int) -> tuple[Samples, Any]:
    """A day of KEYS volumes with a load of the day: the response of an interval scatters by itself
    and by its events, whose times are exponential; `factor` is that of one interval of each."""
    places = np.arange(UNITS)
    load = 1 + 0.5 * np.sin(np.pi * places / UNITS)  # the same on both days
    truth = load * np.exp(scatter * rng.normal(size=(KEYS, UNITS)))
    truth[np.arange(KEYS), rng.integers(0, UNITS, KEYS)] *= factor
    counts = rng.poisson(events, (KEYS, UNITS)).astype(np.float64)
    total = truth * rng.gamma(np.maximum(counts, 1))
    start = np.datetime64("2026-03-02T09:00", "us") + np.timedelta64(day, "D")
    samples = Samples(
        {}, np.zeros((KEYS, UNITS), np.int32), np.full((KEYS, UNITS), 900.0),
        np.zeros(UNITS, np.int64),
        (1 + day) * 24 * 60 + 9 * 60 + QUARTER * places,
        start + places * np.timedelta64(QUARTER, "m"),
    )  # fmt: skip
    return samples, (total[None], counts[None], 1.0)


def told(scatter: float, events: int, factor: float) -> int:
    """How many of the rows of all pairs stand out."""
    rng, rows = np.random.default_rng([round(1000 * scatter), events, round(10 * factor)]), 0
    for _ in range(PAIRS):
        (base, known), (candidate, new) = (
            side(rng, scatter, events, by, day) for day, by in enumerate((1.0, factor))
        )
        rows += len(excursions(base, candidate, (known, new), 1, new[1].min(axis=0)).key)
    return rows


def table() -> str:
    """The lines of the table."""
    every = KEYS * PAIRS
    heads = ["events an interval", "scatter of an interval", f"healthy: told of {every:,}"]
    heads += [f"{factor:g} times: told" for factor in FACTORS]
    lines = "| " + " | ".join(heads) + " |\n|" + "---:|" * len(heads) + "\n"
    for events in (150, 1000, 10_000):
        for scatter in (0.03, 0.1):
            whole = 100 * math.hypot(scatter, 1 / math.sqrt(events))
            cells = [f"{events:,}", f"{whole:.0f} %", f"{told(scatter, events, 1.0):,}"]
            cells += [f"{100 * told(scatter, events, by) / every:.0f} %" for by in FACTORS]
            lines += "| " + " | ".join(cells) + " |\n"
    return lines


def document() -> str:
    """docs/compare.md with this table."""
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
