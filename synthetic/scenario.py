"""A scenario file -> a checked, frozen description of a system; and back to TOML.

A scenario is a list of knobs (single values) and tables (values in rows), each with unit, source
and confidence, and of variants: named lists of settings on top. Nothing is computed here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.scenario_toml import to_toml

Value = int | float | str

CONFIDENCES = ("2src", "1src", "inferred", "assumed", "fitted")
PUBLISHED = ".published.toml"


@dataclass(frozen=True)
class FplEntry:
    """One buffer size of a fixed pool, as an FPL statement defines it."""

    defined_bytes: int
    primary: int
    secondary: int
    initial: bool


@dataclass(frozen=True)
class Knob:
    """One value of a scenario, with everything a reader needs to judge it."""

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
                f"{self.key}: found {given}, expected {self.range_text()}",
                f"the default is {self.default} {self.unit}",
            )
        return number

    def _chosen(self, given: Value) -> str:
        text = str(given).strip().lower()
        if text not in self.choices:
            raise ScenarioError(
                f"{self.key}: found {given!r}, expected {' or '.join(self.choices)}",
                near(text, self.choices) or None,
            )
        return text

    def _number(self, given: Value) -> int | float:
        try:
            number = float(given)
        except ValueError:
            raise ScenarioError(
                f"{self.key}: found {given!r}, expected a number in {self.unit}", self.doc
            ) from None
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
        return f"{self._low():g} to {self._high():g}"


@dataclass(frozen=True)
class Column:
    """A column of a table: every value below it has this unit and source."""

    name: str
    unit: str
    doc: str
    source: str
    confidence: str


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
    """A named list of settings on top of the scenario."""

    name: str
    doc: str
    settings: Mapping[str, Value]


@dataclass(frozen=True)
class Scenario:
    """A whole model input: comparable, never changed in place, written back to TOML."""

    name: str
    variant: str
    title: str
    doc: str
    knobs: Mapping[str, Knob]
    tables: Mapping[str, Table]
    variants: Mapping[str, Variant] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        """The value of a knob."""
        return self.knob(key).value

    def __contains__(self, key: object) -> bool:
        return key in self.knobs

    @property
    def full_name(self) -> str:
        """NAME or NAME@VARIANT."""
        return f"{self.name}@{self.variant}" if self.variant else self.name

    def knob(self, key: str) -> Knob:
        """The knob, or an error that names the nearest ones."""
        if key not in self.knobs:
            hint = near(key, self.knobs, f"`imsperf scenarios {self.name}` shows all")
            raise ScenarioError(f"scenario {self.name}: no knob {key!r}", hint)
        return self.knobs[key]

    def table(self, name: str) -> list[dict[str, Any]]:
        """The rows of a table."""
        if name not in self.tables:
            raise ScenarioError(f"scenario {self.name}: no table {name!r}", near(name, self.tables))
        return self.tables[name].records()

    def with_settings(self, settings: Mapping[str, Value]) -> Scenario:
        """The same scenario with other values of some knobs."""
        knobs = dict(self.knobs)
        for key, given in settings.items():
            knob = self.knob(key)
            knobs[key] = replace(knob, value=knob.typed(given))
        return replace(self, knobs=knobs)

    def to_toml(self) -> str:
        """A scenario file with every knob, its unit, default, range and source."""
        return to_toml(self)


# --- reading --------------------------------------------------------------------------------------


def load(name_or_path: str | Path, settings: Mapping[str, Value] | None = None) -> Scenario:
    """A built-in scenario (NAME or NAME@VARIANT) or a file, with settings on top."""
    name, _, variant = str(name_or_path).partition("@")
    scenario = _parse(*_text(name))
    if variant:
        scenario = _with_variant(scenario, variant)
    return scenario.with_settings(settings or {})


def names() -> list[str]:
    """The built-in scenarios."""
    found = (entry.name for entry in _folder().iterdir())
    return sorted(n[:-5] for n in found if n.endswith(".toml") and not n.endswith(PUBLISHED))


def overview() -> list[dict[str, str]]:
    """One row per built-in scenario and variant: what `imsperf scenarios` lists."""
    rows = []
    for name in names():
        found = load(name)
        rows.append({"scenario": name, "title": found.title, "settings": ""})
        for one in found.variants.values():
            given = " ".join(f"{key}={value}" for key, value in one.settings.items())
            row = {"scenario": f"{name}@{one.name}", "title": one.doc, "settings": given}
            rows.append(row)
    return rows


def published(name: str) -> list[dict[str, Any]]:
    """Published figures of a built-in scenario, kept apart from it; empty where there are none."""
    file = _folder() / f"{name}{PUBLISHED}"
    if not file.is_file():
        return []
    return list(tomllib.loads(file.read_text(encoding="utf-8"))["figure"])


def parse_fpl(text: str, where: str = "FPL") -> tuple[FplEntry, ...]:
    """`(2048,16,8,Y),(4292,1100,50,Y)`: size, primary and secondary count, initial allocation."""
    compact = re.sub(r"\s", "", text)
    entry = r"\((\d+),(\d+),(\d+),([YNyn])\)"
    if not re.fullmatch(rf"{entry}(,{entry})*", compact):
        raise ScenarioError(
            f"{where}: found {text!r}, expected (bytes,primary,secondary,Y|N),...",
            "as in an FPL statement of DFSSPMxx: (2048,16,8,Y),(4292,1100,50,Y)",
        )
    found = re.findall(entry, compact)
    made = (FplEntry(int(a), int(b), int(c), flag in "Yy") for a, b, c, flag in found)
    return tuple(sorted(made, key=lambda one: one.defined_bytes))


def _folder() -> Any:
    return files("imsperf.synthetic") / "scenarios"


def _text(name: str) -> tuple[str, str]:
    """The text of a scenario and where it came from."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise ScenarioError(f"{name}: no such file", f"built in are {', '.join(names())}")
        return path.read_text(encoding="utf-8"), name
    if name not in names():
        hint = near(name, names(), "`imsperf scenarios` shows all")
        raise ScenarioError(f"no scenario {name!r}", hint)
    return (_folder() / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml"


def _with_variant(scenario: Scenario, variant: str) -> Scenario:
    if variant not in scenario.variants:
        hint = near(variant, scenario.variants, f"`imsperf scenarios {scenario.name}` shows all")
        raise ScenarioError(f"scenario {scenario.name}: no variant {variant!r}", hint)
    settings = scenario.variants[variant].settings
    return replace(scenario.with_settings(settings), variant=variant)


def _parse(text: str, where: str) -> Scenario:
    try:
        data = tomllib.loads(text)
        return _checked(data, where)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{where}: {error}", "`imsperf scenarios NAME` prints one") from None
    except KeyError as error:
        raise ScenarioError(
            f"{where}: found no {error.args[0]!r}, which every scenario or knob has",
            "`imsperf scenarios NAME` prints a whole one",
        ) from None


def _checked(data: dict[str, Any], where: str) -> Scenario:
    knobs: dict[str, Knob] = {}
    for one in data["knobs"]:
        knob = _knob(one, where)
        if knob.key in knobs:
            raise ScenarioError(f"{where}: knob {knob.key} is there twice")
        knobs[knob.key] = knob
    tables = {name: _table(name, one, where) for name, one in data.get("table", {}).items()}
    variants = {
        name: Variant(name, one["doc"], one["settings"])
        for name, one in data.get("variants", {}).items()
    }
    made = Scenario(
        data["name"], data.get("variant", ""), data["title"], data["doc"], knobs, tables, variants
    )
    for one in variants.values():
        made.with_settings(one.settings)
    return made


def _knob(one: dict[str, Any], where: str) -> Knob:
    low, high = one.get("range", (None, None))
    default = one.get("default", one["value"])
    knob = Knob(
        one["key"],
        one["value"],
        float(default) if isinstance(one["value"], float) else default,
        one.get("unit", ""),
        one["doc"],
        one["source"],
        _confidence(one, where),
        low,
        high,
        tuple(one.get("choices", ())),
    )
    return replace(knob, value=knob.typed(knob.value))


def _table(name: str, one: dict[str, Any], where: str) -> Table:
    columns = tuple(
        Column(c["name"], c.get("unit", ""), c["doc"], c["source"], _confidence(c, where))
        for c in one["columns"]
    )
    rows = tuple(tuple(row) for row in one["rows"])
    for row in rows:
        if len(row) != len(columns):
            raise ScenarioError(
                f"{where}: table {name}: found {len(row)} values, expected {len(columns)}: {row}"
            )
    return Table(name, one["doc"], columns, rows)


def _confidence(one: dict[str, Any], where: str) -> str:
    found = str(one["confidence"])
    if found not in CONFIDENCES:
        name = one.get("key", one.get("name"))
        raise ScenarioError(
            f"{where}: {name}: found confidence {found!r}, expected one of {', '.join(CONFIDENCES)}"
        )
    return found
