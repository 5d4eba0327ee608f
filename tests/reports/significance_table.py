"""What the statistics of `imsperf compare` promise, tried on pairs of runs whose truth is known.

`python tests significance_table` writes the table into docs/compare.md; a slow test compares it.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.reports.comparison import significance as s

DOCUMENT = Path(__file__).parents[2] / "docs" / "compare.md"
BEGIN = "<!-- written by `python tests significance_table` -->\n"
END = "<!-- end of levels -->\n"
RATIOS = (1.01, 1.03, 1.10)
UNITS, ALIKE = (8, 12, 24, 96), (0.0, 0.3, 0.6)


def pair(rng: Any, keys: int, n: int, alike: float, ratio: float) -> list[s.Spread]:
    """Two runs of `keys` ratios in `n` intervals, which follow what is common and themselves."""
    sides = []
    for factor in (1.0, ratio):
        own, common = rng.normal(size=(keys, n)), rng.normal(size=n)
        shock = 0.8 * own + 0.6 * common
        noise = np.empty((keys, n))
        noise[:, 0] = shock[:, 0]
        for i in range(1, n):
            noise[:, i] = alike * noise[:, i - 1] + math.sqrt(1 - alike**2) * shock[:, i]
        den = rng.poisson(1000, (keys, n)).astype(np.float64)
        sides.append(s.spread((factor * den * np.exp(0.03 * noise))[None], den[None]))
    return sides


def tried(pairs: int, n: int, alike: float, ratio: float) -> tuple[int, float, float, float]:
    """Pairs with any alarm, share of p below .05, share of intervals that cover, share found."""
    rng, alarms = np.random.default_rng([n, int(100 * alike), int(1000 * ratio)]), 0
    low, covered, detected = [], [], []
    for _ in range(pairs):
        sides = pair(rng, 300, n, alike, ratio)
        rho = s.typical_autocorrelation(*sides)
        got = s.change(*(s.estimate(each, rho) for each in sides))
        q, truth = s.many(got.p), 100 * (ratio - 1)
        alarms += bool((q <= s.LEVEL).any())
        low.append((got.p < s.LEVEL).mean())
        covered.append(((got.low <= truth) & (truth <= got.high)).mean())
        detected.append((q <= s.LEVEL).mean())
    return alarms, float(np.mean(low)), float(np.mean(covered)), float(np.mean(detected))


def table() -> str:
    """The lines of the table."""
    heads = ["intervals", "autocorrelation", "pairs with an alarm", "p < .05"]
    heads += [f"{100 * (ratio - 1):.0f} %: covered, told" for ratio in RATIOS]
    lines = "| " + " | ".join(heads) + " |\n|" + "---:|" * len(heads) + "\n"
    for n in UNITS:
        for alike in ALIKE:
            alarms, low, _, _ = tried(200, n, alike, 1.0)
            cells = [str(n), f"{alike:g}", f"{alarms} of 200", f"{100 * low:.1f} %"]
            for ratio in RATIOS:
                _, _, covered, told = tried(200, n, alike, ratio)
                cells.append(f"{100 * covered:.0f} %, {100 * told:.0f} %")
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
