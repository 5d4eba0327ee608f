"""A scenario file -> a checked, frozen description of a system (back: toml_text.py).

A scenario is a list of knobs (single values) and tables (values in rows), each with unit, source
and confidence, and of variants: named lists of settings on top. Calibrated values come from a file
of their own and say how they were found (scenario_files.py). Nothing is computed here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.scenarios import files as scenario_files
from imsperf.synthetic.scenarios.files import PUBLISHED, names, published
from imsperf.synthetic.scenarios.knobs import (
    CONFIDENCES,
    METHODS,
    Column,
    FplEntry,
    Knob,
    Table,
    Value,
    Variant,
    parse_fpl,
)

__all__ = [
    "PUBLISHED", "Column", "FplEntry", "Knob", "Scenario", "Table", "Value", "Variant", "load",
    "names", "overview", "parse_fpl", "published",
]  # fmt: skip

TARGET, THINKS = "driver.target_busy", ("driver.think_ms", "driver.think_2_ms")
RELEASE = "ims.release"  # the knob that chooses among values given for each release
OTHER_NAMES = {"trace.DL/I": "trace.DLI", "trace.SCHED": "trace.SCHD"}


@dataclass(frozen=True)
class Scenario:
    """A whole model input: comparable, never changed in place, written back to TOML."""

    name: str
    variant: str
    family: str
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

    def get(self, key: str, otherwise: Any) -> Any:
        """The value of a knob that not every scenario has."""
        return self.knobs[key].value if key in self.knobs else otherwise

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
        if not settings:
            return self
        knobs = dict(self.knobs)
        for key, given in settings.items():
            key = OTHER_NAMES.get(key, key)
            knobs[key] = self.knob(key).set_to(given)
        check_driver(settings.keys(), TARGET in settings and bool(knobs[TARGET].value))
        return replace(self, knobs=_of_release(knobs))

    def with_variant(self, variant: str) -> Scenario:
        """One of the named lists of settings on top."""
        if variant not in self.variants:
            known = ", ".join(self.variants) or "none"
            hint = near(
                variant, self.variants, f"`imsperf scenarios {self.name}` shows all: {known}"
            )
            raise ScenarioError(f"scenario {self.name}: no variant {variant!r}", hint)
        settings = self.variants[variant].settings
        return replace(self.with_settings(settings), variant=variant)


def check_driver(given: Collection[str], target: bool) -> None:
    """Raise ScenarioError for a think time beside a target, which has its own."""
    both = [key for key in THINKS if key in given]
    if target and both:
        raise ScenarioError(
            f"{TARGET}: found together with {both[0]}, expected one of the two",
            "the think time is what reaches the target",
        )


def _of_release(knobs: dict[str, Knob]) -> dict[str, Knob]:
    """Values that differ between releases follow the release."""
    if RELEASE not in knobs:
        return knobs
    release = knobs[RELEASE].value
    return {key: knob.for_release(release) for key, knob in knobs.items()}


# --- reading --------------------------------------------------------------------------------------


def load(name_or_path: str | Path, settings: Mapping[str, Value] | None = None) -> Scenario:
    """A built-in scenario (NAME or NAME@VARIANT) or a file, with settings on top."""
    name, at, variant = str(name_or_path).partition("@")
    scenario = _read(name) if name.endswith(".toml") else _built_in(name)
    if at:
        scenario = scenario.with_variant(variant)
    return scenario.with_settings(settings or {})


def overview() -> list[dict[str, str]]:
    """One row per built-in scenario and variant: what `imsperf scenarios` lists."""
    rows = []
    for name in names():
        scenario = load(name)
        rows.append({"scenario": name, "title": scenario.title, "settings": ""})
        for variant in scenario.variants.values():
            given = " ".join(f"{key}={value}" for key, value in variant.settings.items())
            row = {"scenario": f"{name}@{variant.name}", "title": variant.doc, "settings": given}
            rows.append(row)
    return rows


@lru_cache(maxsize=64)
def _built_in(name: str) -> Scenario:
    return _read(name)


def _read(name: str) -> Scenario:
    try:
        data, where = scenario_files.merged(name)
        return _checked(data, where)
    except KeyError as error:
        raise ScenarioError(
            f"{name}: found no {error.args[0]!r}, which every scenario or knob has",
            "`imsperf scenarios NAME` prints a whole one",
        ) from None


def _checked(data: dict[str, Any], where: str) -> Scenario:
    knobs = {key: _knob(knob, where) for key, knob in data["knobs"].items()}
    tables = {name: _table(name, column, where) for name, column in data["table"].items()}
    variants = {
        name: Variant(name, variant["doc"], variant["settings"], variant.get("fitted", {}))
        for name, variant in data["variants"].items()
    }
    scenario = Scenario(
        data["name"],
        data.get("variant", ""),
        data["family"],
        data["title"],
        data["doc"],
        _of_release(knobs),
        tables,
        variants,
    )
    for variant in variants.values():
        scenario.with_settings(variant.settings)
    return scenario


def _knob(one: dict[str, Any], where: str) -> Knob:
    low, high = one.get("range", (None, None))
    value = one["value"]
    default = one.get("default", value)
    method = str(one.get("method", ""))
    if method and method not in METHODS:
        raise ScenarioError(
            f"{where}: {one['key']}: found method {method!r}, expected one of {', '.join(METHODS)}"
        )
    confidence = METHODS[method] if method else _confidence(one, where)
    knob = Knob(
        one["key"],
        value,
        float(default) if isinstance(value, float) else default,
        one.get("unit", ""),
        one["doc"],
        one["source"],
        confidence,
        low,
        high,
        tuple(one.get("choices", ())),
        method,
        str(one.get("points", "")),
    )
    try:
        typed = {release: knob.typed(given) for release, given in one.get("per", {}).items()}
        return replace(knob, value=knob.typed(value), per=typed)
    except ScenarioError as error:
        raise ScenarioError(f"{where}: {error.message}", error.hint) from None


def _table(name: str, one: dict[str, Any], where: str) -> Table:
    columns = tuple(_column(c, where) for c in one["columns"])
    rows = tuple(tuple(row) for row in one["rows"])
    for row in rows:
        if len(row) != len(columns):
            raise ScenarioError(
                f"{where}: table {name}: found {len(row)} values, expected {len(columns)}: {row}"
            )
        for column, value in zip(columns, row, strict=True):
            _check_value(value, column, f"{where}: table {name}: {row[0]}")
    if rows and "weight" in (weights := [own_column.name for own_column in columns]):
        place = weights.index("weight")
        if not any(row[place] for row in rows):
            raise ScenarioError(f"{where}: table {name}: found no weight above 0")
    return Table(name, one["doc"], columns, rows)


NUMBERS = ("count", "number", "bytes", "share", "ratio", "%", "% or ms", "KB or MB", "us", "ms")


def _check_value(value: Any, column: Column, where: str) -> None:
    """Demands, counts and shares are never negative."""
    if column.unit not in NUMBERS:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
        raise ScenarioError(
            f"{where}: {column.name}: found {value!r}, expected 0 {column.unit} or more"
        )


def _column(column: dict[str, Any], where: str) -> Column:
    method = str(column.get("method", ""))
    return Column(
        column["name"],
        column.get("unit", ""),
        column["doc"],
        column["source"],
        METHODS[method] if method in METHODS else _confidence(column, where),
        method,
        str(column.get("points", "")),
    )


def _confidence(knob: dict[str, Any], where: str) -> str:
    confidence = str(knob["confidence"])
    if confidence not in CONFIDENCES:
        name = knob.get("key", knob.get("name"))
        raise ScenarioError(
            f"{where}: {name}: found confidence {confidence!r}, "
            f"expected one of {', '.join(CONFIDENCES)}"
        )
    return confidence


def fitted_values(scenario: Scenario) -> dict[str, int]:
    """What was chosen to meet published numbers: knobs (one for each release where they differ),
    columns of tables (numbers above 0) and settings of variants; how many numbers each is."""
    knobs = [knob for knob in scenario.knobs.values() if knob.method == "fitted"]
    counts = {knob.key: max(len(knob.per), 1) for knob in knobs}
    for table in scenario.tables.values():
        for place, column in enumerate(table.columns):
            if column.method == "fitted":
                numbers = sum(bool(row[place]) for row in table.rows)
                counts[f"table {table.name}.{column.name}"] = numbers
    for variant in scenario.variants.values():
        counts |= {f"@{variant.name} {key}": 1 for key in variant.fitted}
    return counts


# Knobs that a change in words is about: the first list of which the scenario has one above 0.
WHAT_IFS = {
    "--load": (("driver.rate_per_s",), ("clients", "otma.clients")),
    "--cpus": (("cpu.gcps",),),
    "--disk-latency": (
        ("dasd.db_read_ms",),
        ("dasd.pend_ms", "dasd.device_busy_ms", "dasd.disc_ms", "dasd.conn_ms"),
    ),
}


def what_if(scenario: Scenario, asked: Mapping[str, str | None]) -> dict[str, str]:
    """Settings for changes in words: `asked` has +20%, -30%, x2, +1 or -1 by a name of WHAT_IFS.

    Counts are rounded. Of a closed load clients grow, and each thinks as long as before.

    Raises ScenarioError for other words, for what the scenario does not have, and for a load that
    is given as a busy processor.
    """
    settings: dict[str, str] = {}
    for name, words in asked.items():
        if words is None:
            continue
        if name == "--load" and scenario.get(TARGET, 0) > 0:
            raise ScenarioError(
                f"--load: {scenario.name} has as much as keeps CPUs {scenario[TARGET]:g} % busy",
                f"change that: --set {TARGET}=...",
            )
        able = ([key for key in keys if scenario.get(key, 0)] for keys in WHAT_IFS[name])
        keys = next((keys for keys in able if keys), [])
        if not keys:
            wanted = " or ".join(keys[0] for keys in WHAT_IFS[name])
            raise ScenarioError(f"{name}: {scenario.name} has no {wanted}", "use --set")
        for key in keys:
            settings[key] = _changed_by(name, words, scenario[key])
    return settings


def _changed_by(name: str, words: str, value: float) -> str:
    """The value after a change: +20%, -30%, x2, +1, -1."""
    match = re.fullmatch(
        r"(?:x(?P<times>\d+(?:\.\d+)?)|(?P<by>[+-]\d+(?:\.\d+)?)(?P<per>%?))", words
    )
    if match is None:
        raise ScenarioError(f"{name}: found {words!r}, expected +20%, -30%, x2, +1 or -1")
    if match["times"]:
        new = value * float(match["times"])
    else:
        new = value * (1 + float(match["by"]) / 100) if match["per"] else value + float(match["by"])
    if new <= 0:
        raise ScenarioError(f"{name}: {words} of {value:g} leaves {new:g}, expected more than 0")
    return str(max(round(new), 1)) if isinstance(value, int) else f"{new:.12g}"
