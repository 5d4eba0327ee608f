"""Scenario files -> one merged description: parts, the scenario extended, own knobs, calibration.

Order, later ones win: parts (`include`), the scenario named by `extends` with its calibration, own
knobs and tables, own calibration. Published results stand in files of their own and are read by
`published` alone, for the columns that set them beside ours. Nothing is checked here but keys.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.scenarios.shape import check_shape, laid_on

PUBLISHED = ".published.toml"
CALIBRATION = ".calibration.toml"
TOP = {
    "name", "variant", "family", "title", "doc", "include", "extends", "knobs", "calibration",
    "table", "variants",
}  # fmt: skip
KNOB = {
    "key", "value", "default", "unit", "range", "choices", "confidence", "source", "doc", "method",
    "points", "per",
}  # fmt: skip
WHOLE = {"key", "value", "unit", "source", "doc"}  # what a knob that is new gives at least
TABLE = {"doc", "columns", "rows"}
COLUMN = {"name", "unit", "doc", "source", "confidence", "method", "points"}
VARIANT = {"doc", "settings", "fitted"}
CALIBRATION_FILE = {"doc", "values", "table", "variants"}
CALIBRATED = ("value", "unit", "method", "points", "source")  # what each calibrated value states

Data = dict[str, Any]


def names() -> list[str]:
    """The built-in scenarios."""
    entries = (entry.name for entry in _folder().iterdir())
    apart = (PUBLISHED, CALIBRATION)
    return sorted(n[:-5] for n in entries if n.endswith(".toml") and not n.endswith(apart))


def merged(name: str, above: tuple[str, ...] = ()) -> tuple[Data, str]:
    """A built-in scenario or a file, put together; and where it came from.

    `above`: the files that lead here by `extends`.
    """
    text, where = _text(name)
    own = str(Path(name).resolve()) if name.endswith(".toml") else name
    if own in above:
        raise ScenarioError(
            f"{where}: found a file that extends itself, expected the name of another scenario",
            f"built in are {', '.join(names())}",
        )
    built_in = not name.endswith(".toml")
    return _merged(_toml(text, where), where, (*above, own), built_in=built_in), where


def published(name: str) -> list[dict[str, Any]]:
    """Tables of published figures of a built-in scenario; empty where there are none."""
    return list(_published(name))


@cache
def _published(name: str) -> tuple[dict[str, Any], ...]:
    file = _folder() / f"{name}{PUBLISHED}"
    if not file.is_file():
        return ()
    return tuple(tomllib.loads(file.read_text(encoding="utf-8"))["table"])


def calibration(name: str) -> Data:
    """A built-in calibration as it stands; empty where there is none."""
    file = _folder() / f"{name}{CALIBRATION}"
    if not file.is_file():
        return {}
    where = f"{name}{CALIBRATION}"
    data = _toml(file.read_text(encoding="utf-8"), where)
    _known(data, CALIBRATION_FILE, where)
    of_variants = (v for variant in data.get("variants", {}).values() for v in variant["values"])
    for value in (*data.get("values", ()), *of_variants):
        _known(value, KNOB, f"{where}: {value.get('key')}")
        _check_calibrated(value, where)
    for key, table in data.get("table", {}).items():
        _known(table, TABLE, f"{where}: table {key}")
    return data


def _check_calibrated(value: Data, where: str) -> None:
    missing = [part for part in CALIBRATED if part not in value]
    if missing:
        raise ScenarioError(f"{where}: {value.get('key')}: found no {', '.join(missing)}")


def _folder() -> Any:
    return files("imsperf.synthetic") / "scenarios"


def _text(name: str) -> tuple[str, str]:
    """The text of a scenario and where it came from."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise ScenarioError(f"{name}: no such file", f"built in are {', '.join(names())}")
        try:
            return path.read_text(encoding="utf-8-sig"), name
        except UnicodeDecodeError as error:
            raise ScenarioError(
                f"{name}: found bytes that are no text at {error.start}, expected TOML in UTF-8",
                "`imsperf scenarios NAME` prints one",
            ) from None
    if name not in names():
        hint = near(name, names(), "`imsperf scenarios` shows all")
        raise ScenarioError(f"no scenario {name!r}", hint)
    return (_folder() / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml"


def _toml(text: str, where: str) -> Data:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{where}: {error}", "`imsperf scenarios NAME` prints one") from None


def _known(data: Data, keys: set[str], where: str) -> None:
    """An unknown key is a mistake, most often of spelling."""
    for key in data:
        if key not in keys:
            raise ScenarioError(
                f"{where}: found an unknown key {key!r}", near(key, keys, f"known: {sorted(keys)}")
            )


def _merged(own: Data, where: str, above: tuple[str, ...], *, built_in: bool) -> Data:
    _check_keys(own, where)
    base: Data = {"knobs": {}, "table": {}, "variants": {}, "family": "network"}
    if "extends" in own:
        base = merged(own["extends"], above)[0]
        base |= {"variants": {}, "name": Path(where).stem}
    for name in own.get("include", ()):
        part = _part(name)
        for knob in part["knobs"]:
            base["knobs"].setdefault(knob["key"], dict(knob))
        base["table"] = part.get("table", {}) | base["table"]
    _lay_knobs(base["knobs"], own.get("knobs", ()), where, built_in=built_in)
    base["table"] |= own.get("table", {})
    given = own.get("calibration", own.get("name") if built_in else ())
    values = calibration(given) if isinstance(given, str) else {"values": given}
    _lay_knobs(base["knobs"], values.get("values", ()), where, built_in=built_in)
    base["table"] |= values.get("table", {})
    base["variants"] |= _calibrated_variants(own.get("variants", {}), values.get("variants") or {})
    own_values = {
        key: own[key] for key in ("name", "variant", "family", "title", "doc") if key in own
    }
    return base | own_values


def _calibrated_variants(variants: Data, calibrated: Data) -> Data:
    """Variants with the settings of their own that were calibrated, and the points of each."""
    together = {name: dict(variant) for name, variant in variants.items()}
    for name, variant in calibrated.items():
        values = {value["key"]: value for value in variant["values"]}
        given = {key: value["value"] for key, value in values.items()}
        points = {key: v["points"] for key, v in values.items() if v["method"] == "fitted"}
        together[name]["settings"] = together[name]["settings"] | given
        together[name]["fitted"] = points
    return together


def _check_keys(own: Data, where: str) -> None:
    _known(own, TOP, where)
    check_shape(own, where)
    for key in () if "extends" in own else ("knobs", "name", "title", "doc"):
        if key not in own:
            raise KeyError(key)
    for knob in own.get("knobs", ()):
        _known(knob, KNOB, f"{where}: knob {knob.get('key')}")
    for name, table in own.get("table", {}).items():
        _known(table, TABLE, f"{where}: table {name}")
        for column in table["columns"]:
            _known(column, COLUMN, f"{where}: table {name}: column {column.get('name')}")
    for name, variant in own.get("variants", {}).items():
        _known(variant, VARIANT, f"{where}: variant {name}")


def _lay_knobs(knobs: Data, given: Any, where: str, *, built_in: bool) -> None:
    """Own values on top; what is not given again (unit, range, doc) stays.

    The default is the state in which costs were measured: a file of a user keeps that of the
    scenario it extends, unless it says `default`; a built-in one has costs of its own.
    """
    apart = ("default", "per") if built_in else ("per",)
    seen: set[str] = set()
    for knob in given:
        key = knob["key"]
        if key in seen:
            raise ScenarioError(f"{where}: knob {key} is there twice")
        seen.add(key)
        below = knobs.get(key, {})
        if knobs and not below and not knob.keys() >= WHOLE:
            hint = near(key, knobs, f"a new knob also gives {', '.join(sorted(WHOLE - {'key'}))}")
            raise ScenarioError(f"{where}: no knob {key!r} in what it extends", hint)
        knob = laid_on(below, knob, where)
        before = {k: v for k, v in below.items() if k not in apart}
        if not built_in and "value" in below:
            before.setdefault("default", below["value"])
        if "method" not in knob:
            before = {k: v for k, v in before.items() if k not in ("method", "points")}
        knobs[key] = before | knob


@cache
def _part(name: str) -> Data:
    """Knobs and tables that several scenarios share."""
    file = _folder() / "parts" / f"{name}.toml"
    if not file.is_file():
        known = sorted(entry.name[:-5] for entry in (_folder() / "parts").iterdir())
        raise ScenarioError(f"include: no part {name!r}", near(name, known, f"known: {known}"))
    data = _toml(file.read_text(encoding="utf-8"), f"parts/{name}.toml")
    for knob in data["knobs"]:
        _known(knob, KNOB, f"parts/{name}.toml: knob {knob.get('key')}")
    return data
