"""What a scenario is made of: knobs (single values), tables (values in rows), variants.

Each value has a unit and a source, and says how sure it is (`confidence`) or, where it was
calibrated, how it was found (`method`) and from which points.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from imsperf.errors import ScenarioError, near

Value = int | float | str

CONFIDENCES = ("2src", "1src", "inferred", "assumed", "fitted")
METHODS = {  # of a calibrated value, and the confidence that goes with it
    "published": "1src",  # printed in a source
    "fitted": "fitted",  # chosen so that the model meets the points
    "derived": "inferred",  # computed from published numbers
    "assumed": "assumed",  # no source
}
SCALES = (  # units that can be given for each other, as multiples of the first
    {"us": 1.0, "ms": 1e3, "s": 1e6, "min": 6e7},
    {"bytes": 1.0, "KB": 1024.0, "MB": 1024.0**2, "GB": 1024.0**3},
)


@dataclass(frozen=True)
class FplEntry:
    """One buffer size of a fixed pool, as an FPL statement defines it."""

    defined_bytes: int
    primary: int
    secondary: int
    initial: bool


@dataclass(frozen=True)
class Knob:
    """One value of a scenario, with everything a reader needs to judge it.

    `per`: the value for each IMS release, until somebody sets one.
    """

    key: str
    value: Value
    default: Value
    unit: str
    doc: str
    source: str
    confidence: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    method: str = ""
    points: str = ""
    per: Mapping[str, Value] = field(default_factory=dict)

    def typed(self, given: Value) -> Value:
        """`given`, text or number, as this knob's type and in its range."""
        if self.choices:
            return self._chosen(given)
        if isinstance(self.default, str):
            if self.unit == "FPL":
                parse_fpl(str(given), self.key)
            return str(given)
        number = self._number(given)
        if not self._low() <= number <= self._high():
            raise ScenarioError(
                f"{self.key}: found {given}, expected {self.range_text()} {self.unit}".rstrip(),
                f"the default is {self.default} {self.unit}",
            )
        return number

    def set_to(self, given: Value) -> Knob:
        """The knob with another value, which then holds for all releases."""
        return replace(self, value=self.typed(given), per={})

    def for_release(self, release: Value) -> Knob:
        """The knob with the value of a release, where there is one for each."""
        if not self.per:
            return self
        if str(release) not in self.per:
            raise ScenarioError(
                f"{self.key}: no value for ims.release={release}, only for {', '.join(self.per)}"
            )
        return replace(self, value=self.per[str(release)])

    def _chosen(self, given: Value) -> str:
        text = str(given).strip().lower()
        if text not in self.choices:
            raise ScenarioError(
                f"{self.key}: found {given!r}, expected {' or '.join(self.choices)}",
                near(text, self.choices) or None,
            )
        return text

    def _number(self, given: Value) -> int | float:
        number = in_unit(str(given).strip(), self.unit)
        if number is None:
            raise ScenarioError(
                f"{self.key}: found {given!r}, expected a number in {self.unit}", self.doc
            )
        if isinstance(self.default, float):
            return number
        if not number.is_integer():
            raise ScenarioError(f"{self.key}: found {given}, expected a whole number", self.doc)
        return int(number)

    def _low(self) -> float:
        return float("-inf") if self.minimum is None else self.minimum

    def _high(self) -> float:
        return float("inf") if self.maximum is None else self.maximum

    def range_text(self) -> str:
        """The range in words a person reads: `1 to 8`, `a or b`, empty without limits."""
        if self.choices:
            return " or ".join(self.choices)
        if self.minimum is None and self.maximum is None:
            return ""
        if self.minimum == self.maximum:
            return f"{self._low():g}"
        return f"{self._low():g} to {self._high():g}"


def in_unit(text: str, unit: str) -> float | None:
    """A number, or a number with a unit that can be turned into `unit`; None for anything else."""
    match = re.fullmatch(r"([-+]?[\d.]+(?:[eE][-+]?\d+)?|[-+]?inf|[-+]?nan)\s*(\S*)", text)
    if match is None:
        return None
    try:
        number = float(match[1])
    except ValueError:
        return None
    if match[2] in ("", unit):
        return number
    for scale in SCALES:
        if unit in scale and match[2] in scale:
            return number * scale[match[2]] / scale[unit]
    return None


@dataclass(frozen=True)
class Column:
    """A column of a table: every value below it has this unit and source."""

    name: str
    unit: str
    doc: str
    source: str
    confidence: str
    method: str = ""
    points: str = ""


@dataclass(frozen=True)
class Table:
    """Values in rows: transactions, pools, address spaces and the like."""

    name: str
    doc: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]

    def records(self) -> list[dict[str, Any]]:
        """The rows with the column names beside the values."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Variant:
    """A named list of settings on top of the scenario. `fitted`: the points of those settings that
    were chosen to meet published numbers."""

    name: str
    doc: str
    settings: Mapping[str, Value]
    fitted: Mapping[str, str] = field(default_factory=dict)


def parse_fpl(text: str, where: str = "FPL") -> tuple[FplEntry, ...]:
    """`(2048,16,8,Y),(4292,1100,50,Y)`: size, primary and secondary count, initial allocation."""
    compact = re.sub(r"\s", "", text)
    entry = r"\((\d+),(\d+),(\d+),([YNyn])\)"
    if not re.fullmatch(rf"{entry}(,{entry})*", compact):
        raise ScenarioError(
            f"{where}: found {text!r}, expected (bytes,primary,secondary,Y|N),...",
            "as in an FPL statement of DFSSPMxx: (2048,16,8,Y),(4292,1100,50,Y)",
        )
    fields = re.findall(entry, compact)
    entries = (FplEntry(int(a), int(b), int(c), flag in "Yy") for a, b, c, flag in fields)
    return tuple(sorted(entries, key=lambda one: one.defined_bytes))
