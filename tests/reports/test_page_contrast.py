"""Contrast of the page's colours, light and dark, by WCAG 2.1: 4.5 for text, 3 for lines (AA)."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

CSS = files("imsperf.reports.html_page").joinpath("page.css").read_text(encoding="utf-8")
SCHEMES = [
    dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
    for block in re.findall(r":root[^{]*\{([^}]*)\}", CSS)
]
TEXT = [(word, back) for word in ("ink", "soft", "link", "good", "bad", "warn")
        for back in ("paper", "back")]  # fmt: skip
TEXT += [("ink", "mark"), ("paper", "ink")]  # a note; the tip over a chart
LINES = [(f"c{number}", "paper") for number in range(8)]


def luminance(color: str) -> float:
    """Relative luminance, WCAG 2.1: of #000000 0, of #ffffff 1."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_known_colors() -> None:
    """Black on white is 21; #767676 is the lightest grey that is 4.5 on white, #777777 is not."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") >= 4.5 > contrast("#777777", "#ffffff")


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
