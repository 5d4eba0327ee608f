"""The shape of a scenario file: arrays where arrays belong, and values of a knob's own kind.

TOML takes anything; what a person wrote by mistake is named here, with what belongs there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.knobs import in_unit

Data = dict[str, Any]

KNOBS_HINT = 'knobs = [ { key = "cpu.gcps", value = 4 } ]'
TABLE_HINT = 'columns = [ { name = "tran", unit = "code", ... } ] and rows = [ ["A", 1.0] ]'
VARIANT_HINT = 'settings = { "cpu.gcps" = 4 }'
KINDS = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
KINDS |= {list: "an array", dict: "a table"}


def check_shape(own: Data, where: str) -> None:
    """Raise ScenarioError where something is of another kind than its place asks for."""
    for key in ("name", "variant", "family", "title", "doc", "extends"):
        _is(own.get(key, ""), str, f"{where}: {key}")
    for include in _is(own.get("include", []), list, f"{where}: include"):
        _is(include, str, f"{where}: include")
    knobs_shape(own.get("knobs", []), f"{where}: knobs")
    given = own.get("calibration", [])
    if not isinstance(given, str):
        knobs_shape(given, f"{where}: calibration")
    for name, table in _is(own.get("table", {}), dict, f"{where}: table").items():
        _table_shape(table, f"{where}: table {name}")
    for name, variant in _is(own.get("variants", {}), dict, f"{where}: variants").items():
        _is(variant, dict, f"{where}: variant {name}", VARIANT_HINT)
        settings = variant.get("settings", {})
        for key, value in _is(settings, dict, f"{where}: variant {name}", VARIANT_HINT).items():
            _single(value, f"{where}: variant {name}: {key}")


def knobs_shape(given: Any, where: str) -> None:
    """An array of tables, each with a key, a single value and, perhaps, a range of two numbers."""
    for knob in _is(given, list, where, KNOBS_HINT):
        _is(knob, dict, where, KNOBS_HINT)
        key = _is(knob.get("key", ""), str, f"{where}: key", KNOBS_HINT)
        place = f"{where}: {key}"
        for part in ("value", "default"):
            if part in knob:
                _single(knob[part], f"{place}: {part}")
        for part in ("unit", "doc", "source", "confidence", "method"):
            _is(knob.get(part, ""), str, f"{place}: {part}")
        _is(knob.get("per", {}), dict, f"{place}: per", "per = { 13 = 1.0, 14 = 1.1 }")
        for choice in _is(knob.get("choices", []), list, f"{place}: choices"):
            _is(choice, str, f"{place}: choices")
        _range(knob.get("range", [0, 1]), place)


def _range(given: Any, place: str) -> None:
    ends = _is(given, list, f"{place}: range", "range = [0, 100]")
    numbers = [end for end in ends if isinstance(end, int | float) and not isinstance(end, bool)]
    if len(ends) != 2 or len(numbers) != 2 or not numbers[0] <= numbers[1]:
        raise ScenarioError(
            f"{place}: found range {given}, expected two numbers, the lower first",
            "range = [0, 100]",
        )


def _table_shape(table: Any, where: str) -> None:
    _is(table, dict, where, TABLE_HINT)
    for part in ("columns", "rows"):
        _is(table.get(part, []), list, f"{where}: {part}", TABLE_HINT)
    for column in table.get("columns", []):
        _is(column, dict, f"{where}: columns", TABLE_HINT)
    for row in table.get("rows", []):
        for value in _is(row, list, f"{where}: rows", TABLE_HINT):
            _single(value, f"{where}: {row[0]}")


def _single(value: Any, where: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ScenarioError(
            f"{where}: found {_word(value)}, expected one number or text",
            'a switch is "on" or "off"' if isinstance(value, bool) else None,
        )


def _is(value: Any, kind: type, where: str, hint: str | None = None) -> Any:
    """The value, if it is of that kind."""
    if not isinstance(value, kind):
        raise ScenarioError(f"{where}: found {_word(value)}, expected {KINDS[kind]}", hint)
    return value


def _word(value: Any) -> str:
    """What was found, in a word and, where short, as it stands."""
    kind = KINDS.get(type(value), type(value).__name__)
    return kind if isinstance(value, dict | list) else f"{kind}, {value!r}"


def laid_on(before: Mapping[str, Any], data: Data, where: str) -> Data:
    """`data` as the knob that was there before takes it: a number of its kind, in its unit.

    Errors: ScenarioError for text where a number belongs, and for a unit that cannot be changed.
    """
    if "value" not in before or "value" not in data:
        return data
    was, value, unit = before["value"], data["value"], before.get("unit", "")
    place = f"{where}: {data['key']}"
    if isinstance(was, str):
        if not isinstance(value, str) and not before.get("choices"):
            raise ScenarioError(f"{place}: found {value!r}, expected a text", before.get("doc"))
        return _unit_kept(data, unit, place)
    number = in_unit(f"{value} {data.get('unit', '')}".strip(), unit)
    if number is None and isinstance(value, str):
        number = in_unit(value.strip(), unit)
        if number is None:
            raise ScenarioError(
                f"{place}: found {value!r}, expected a number in {unit}", before.get("doc")
            )
    if number is None:
        return _unit_kept(data, unit, place)
    if isinstance(was, int) and not number.is_integer():
        raise ScenarioError(
            f"{place}: found {value}, expected a whole number", before.get("doc") or None
        )
    return data | {"value": type(was)(number), "unit": unit}


def _unit_kept(data: Data, unit: str, place: str) -> Data:
    if data.get("unit", unit) != unit:
        raise ScenarioError(
            f"{place}: found unit {data['unit']!r}, expected {unit!r}",
            "leave the unit out: it stays that of the knob",
        )
    return data
