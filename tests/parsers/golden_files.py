"""Reads the dumps of tests/golden/containers: bytes, and the records that come out of them."""

from __future__ import annotations

import json
import re
from typing import Any

from places import GOLDEN

_LINE = re.compile(r"(\d{4})\s+([0-9A-F]+)\s+#")


def golden_bytes(name: str) -> bytes:
    """The bytes of `containers/vbs` or another; a line must start where the one before ended."""
    out = bytearray()
    for line in (GOLDEN / f"{name}.hex").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None or int(match[1]) != len(out):
            raise ValueError(
                f"{name}.hex: found {line!r}, expected a line that starts at {len(out)}"
            )
        out += bytes.fromhex(match[2])
    return bytes(out)


def golden_values(name: str) -> Any:
    """The JSON beside it."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def golden_names(folder: str) -> list[str]:
    """Every golden file of a folder, `containers/vbs` and so on."""
    paths = (GOLDEN / folder).glob("*.hex")
    return sorted(f"{folder}/{path.name.removesuffix('.hex')}" for path in paths)
