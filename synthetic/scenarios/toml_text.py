"""A scenario -> TOML that `scenario.load` reads back: knobs with unit, default, range, source."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from imsperf.synthetic.scenarios.knobs import Column, Knob
from imsperf.synthetic.scenarios.scenario import Scenario


def to_toml(scenario: Scenario) -> str:
    """The whole scenario file."""
    given = [knob for knob in scenario.knobs.values() if not knob.method]
    fitted = [knob for knob in scenario.knobs.values() if knob.method]
    lines = [*_head(scenario), *_knob_lines("knobs", given)]
    lines += [*_knob_lines("calibration", fitted), *_table_lines(scenario)]
    return "\n".join([*lines, *_variants(scenario)])


def _head(scenario: Scenario) -> list[str]:
    lines = [f"name = {toml_value(scenario.name)}"]
    if scenario.variant:
        lines.append(f"variant = {toml_value(scenario.variant)}")
    lines.append(f"family = {toml_value(scenario.family)}")
    return [
        *lines,
        f"title = {toml_value(scenario.title)}",
        f"doc = {toml_value(scenario.doc)}",
        "",
    ]


def _knob_lines(name: str, knobs: Iterable[Knob]) -> list[str]:
    lines, group = [f"{name} = ["], ""
    for knob in knobs:
        if knob.key.split(".")[0] != group:
            group = knob.key.split(".")[0]
            lines += ["", f"  # {group}"]
        facts: dict[str, Any] = {"key": knob.key, "value": knob.value, "default": knob.default}
        facts["unit"] = knob.unit
        if knob.choices:
            facts["choices"] = knob.choices
        elif knob.minimum is not None and knob.maximum is not None:
            facts["range"] = (knob.minimum, knob.maximum)
        if knob.per:
            facts["per"] = knob.per
        facts |= _found(knob) | {"source": knob.source, "doc": knob.doc}
        lines.append(f"  {_inline(facts)},")
    return [*lines, "]", ""]


def _table_lines(scenario: Scenario) -> list[str]:
    lines: list[str] = []
    for table in scenario.tables.values():
        lines += [f"[table.{table.name}]", f"doc = {toml_value(table.doc)}", "columns = ["]
        for c in table.columns:
            facts = {"name": c.name, "unit": c.unit} | _found(c)
            lines.append(f"  {_inline(facts | {'source': c.source, 'doc': c.doc})},")
        lines += ["]", "rows = [", *(f"  {toml_value(row)}," for row in table.rows), "]", ""]
    return lines


def _found(knob: Knob | Column) -> dict[str, str]:
    """How sure a value is, or how it was calibrated."""
    if knob.method:
        return {"method": knob.method, "points": knob.points}
    return {"confidence": knob.confidence}


def _variants(scenario: Scenario) -> list[str]:
    lines: list[str] = []
    for variant in scenario.variants.values():
        lines += [f"[variants.{variant.name}]", f"doc = {toml_value(variant.doc)}"]
        lines += [f"settings = {_inline(variant.settings)}"]
        lines += [f"fitted = {_inline(variant.fitted)}"] if variant.fitted else []
        lines.append("")
    return lines


def _inline(facts: Mapping[str, Any]) -> str:
    parts = (f"{toml_key(key)} = {toml_value(value)}" for key, value in facts.items())
    return "{ " + ", ".join(parts) + " }"


def toml_key(key: str) -> str:
    """A bare key where that is allowed."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)


def toml_value(value: Any) -> str:
    """Text, number, list or inline table as TOML has it."""
    if isinstance(value, Mapping):
        return _inline(value)
    if isinstance(value, str | bool):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Iterable):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return repr(value)
