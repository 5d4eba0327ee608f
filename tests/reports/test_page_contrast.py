"""Contrast of the page's colours, light and dark, by WCAG 2.1: 4.5 for text, 3 for lines (AA).

Lines are told apart with any colour vision: what is seen without one of the three kinds of cones is
by Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
Deficiency" (2009), severity 1; distances are those of CIELAB (1976), where 2.3 is just noticed.
"""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from imsperf.reports.charts.drawing import COLORS

CSS = files("imsperf.reports.html_page").joinpath("page.css").read_text(encoding="utf-8")
SCHEMES = [
    dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
    for block in re.findall(r":root[^{]*\{([^}]*)\}", CSS)
]
TEXT = [(word, back) for word in ("ink", "soft", "link", "good", "bad", "warn")
        for back in ("paper", "back")]  # fmt: skip
TEXT += [("ink", "mark"), ("paper", "ink")]  # a note; the tip over a chart
LINES = [(f"c{number}", "paper") for number in range(8)]


VISIONS = {
    "usual": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]  # sRGB
WHITE = [0.9505, 1.0, 1.089]  # D65
APART = 18  # the least distance of two lines


def linear(color: str) -> list[float]:
    """Red, green, blue as light."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(color: str) -> float:
    """Relative luminance, WCAG 2.1: of #000000 0, of #ffffff 1."""
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lab(color: str, vision: str = "usual") -> npt.NDArray[np.float64]:
    """A color in CIELAB, as somebody sees it."""
    seen = np.clip(np.array(VISIONS[vision]) @ linear(color), 0, 1)
    parts = np.array(TO_XYZ) @ seen / WHITE
    x, y, z = np.where(parts > 0.008856, np.cbrt(parts), 7.787 * parts + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_known_colors() -> None:
    """Black on white is 21; #767676 is the lightest grey that is 4.5 on white, #777777 is not."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") >= 4.5 > contrast("#777777", "#ffffff")


def test_lab_of_known_colors() -> None:
    """Red is (53.24, 80.09, 67.20); without red cones it is a dark yellow, not far from green."""
    assert lab("#ffffff") == pytest.approx([100, 0, 0], abs=0.05)
    assert lab("#ff0000") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    usual, without = (
        np.linalg.norm(lab("#b3261e", vision) - lab("#06703f", vision))
        for vision in ("usual", "deuteranopia")
    )
    assert without < usual / 3


def test_charts_have_the_colors_of_the_page() -> None:
    """Pictures of charts are on white."""
    assert [SCHEMES[0][f"c{number}"] for number in range(8)] == list(COLORS)
    assert min(contrast(color, "#ffffff") for color in COLORS) >= 3


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("scheme", SCHEMES[:2], ids=("light", "dark"))
def test_lines_are_told_apart(scheme: dict[str, str], vision: str) -> None:
    colors = [lab(scheme[f"c{number}"], vision) for number in range(8)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(colors, 2)) >= APART


def test_dark_by_button_is_dark_by_system() -> None:
    """One light scheme, and the dark one twice."""
    light, by_system, by_button = SCHEMES
    assert by_system == by_button != light and set(light) == set(by_button)


@pytest.mark.parametrize("scheme", SCHEMES[:2], ids=("light", "dark"))
@pytest.mark.parametrize(
    ("word", "back", "least"),
    [*((*pair, 4.5) for pair in TEXT), *((*pair, 3.0) for pair in LINES)],
)
def test_what_is_seen_can_be_read(
    scheme: dict[str, str], word: str, back: str, least: float
) -> None:
    assert contrast(scheme[word], scheme[back]) >= least


def test_every_text_has_one_of_these_colors() -> None:
    """No other colour is written, but white below what is printed, in the light scheme."""
    rest = re.sub(r":root[^{]*\{[^}]*\}", "", CSS)
    assert set(re.findall(r"#[0-9a-fA-F]{3,8}\b", rest)) == {"#ffffff"}
    used = set(re.findall(r"var\(--(\w+)\)", rest))
    assert used <= {*(word for pair in TEXT for word in pair), "line"}
