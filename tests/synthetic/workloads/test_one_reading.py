"""A knob that describes a station is read in one place, so that all roads have the same number."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import imsperf.synthetic as synthetic

STATIONS = ("dasd.", "log.", "latch.", "xcf.", "tpipe.", "cf.", "bmp.", "icals.")
ROOMS = ("workloads", "network", "solver", "simulation", "interval_mode")
SEVERAL = {  # knobs that more than one thing depends on, each in its own way
    "dasd.io_per_access",  # reads of a class, of a program of a chain, of a unit of recovery
    "log.km_link",  # a write, and the part of it in which the volume waits for its mirror
    "log.mirror",
}


def readings() -> dict[str, set[str]]:
    """Knobs of stations with the functions in which `scenario[...]` or `.get(...)` names them."""
    seen: dict[str, set[str]] = defaultdict(set)
    root = Path(synthetic.__path__[0])
    for path in sorted(path for room in ROOMS for path in (root / room).glob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for key in _keys(function):
                    seen[key].add(f"{path.name}: {function.name}")
    return seen


def _keys(function: ast.FunctionDef) -> set[str]:
    asked = [node.slice for node in ast.walk(function) if isinstance(node, ast.Subscript)]
    asked += [
        node.args[0]
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and node.args
    ]
    names = [key.value for key in asked if isinstance(key, ast.Constant)]
    return {name for name in names if isinstance(name, str) and name.startswith(STATIONS)}


def test_a_knob_of_a_station_is_read_once() -> None:
    seen = readings()
    assert seen["dasd.port_ms"] == {"devices.py: dasd"}
    assert seen["log.wads.cv"] == {"devices.py: logger"}
    twice = {key: places for key, places in seen.items() if len(places) > 1 and key not in SEVERAL}
    assert not twice


def test_no_exception_stands_without_need() -> None:
    seen = readings()
    assert {key for key in SEVERAL if len(seen[key]) < 2} == set()
