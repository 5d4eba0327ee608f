"""Reads the golden files. What they hold and how they were made: tests/golden/README.md."""

from __future__ import annotations

import datetime as dt
import json
import re
from decimal import Decimal
from typing import Any

from places import GOLDEN

from imsperf.layouts import all_tables

_LINE = re.compile(r"(\d{4})\s+([0-9A-F]+)\s+#")


def golden_bytes(name: str) -> bytes:
    """The bytes of `smf/smf70_1_cpu` or another; a line must start where the one before ended."""
    out = bytearray()
    for line in (GOLDEN / f"{name}.hex").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        found = _LINE.match(line)
        if found is None or int(found[1]) != len(out):
            raise ValueError(
                f"{name}.hex: found {line!r}, expected a line that starts at {len(out)}"
            )
        out += bytes.fromhex(found[2])
    return bytes(out)


def golden_values(name: str) -> dict[str, Any]:
    """The JSON beside it."""
    content: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return content


def golden_names(folder: str) -> list[str]:
    """Every golden file of a folder, `smf/header_18` and so on."""
    found = (path.name.removesuffix(".hex") for path in (GOLDEN / folder).glob("*.hex"))
    return sorted(f"{folder}/{name}" for name in found if _is_declared(f"{folder}/{name}"))


def _is_declared(name: str) -> bool:
    """Golden bytes are written first: those whose layout is still to be declared wait."""
    if not name.startswith(("smf/smf", "smf/record", "ims/")):
        return True
    known = {table.name for table in all_tables()}
    return all(table in known for table in golden_rows(name))


def golden_rows(name: str) -> dict[str, list[dict[str, Any]]]:
    """The rows a golden file holds, by table, whichever of the JSON forms it has."""
    content = golden_values(name)
    if "rows" in content:
        rows: dict[str, list[dict[str, Any]]] = content["rows"]
        return rows
    return {content["table"]: [content["values"]], **content.get("entries", {})}


def as_json(value: Any) -> Any:
    """A decoded value in the form the JSON has."""
    if isinstance(value, dt.timedelta):
        return value // dt.timedelta(microseconds=1)
    if isinstance(value, (dt.datetime, dt.time)):
        return value.isoformat(timespec="microseconds")
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value)
    return value.hex() if isinstance(value, bytes) else value
