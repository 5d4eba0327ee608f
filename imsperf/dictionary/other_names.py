"""Names that other tools have for what is here: MXG, RMF's overview, IBM SMF Explorer.

`names.csv` holds them, each with the public texts that show its meaning; with two of them its
confidence is 2src. `fields` are the SMF fields
behind it, `ours` the column of a report, view or table that has the same quantity, `differs` how.
A name FROM-TO, as BATCH00-BATCH11, stands for each of that range.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import pyarrow as pa

COLUMNS = (
    "vocabulary", "table", "name", "meaning", "fields", "ours", "differs", "confidence", "source",
)  # fmt: skip
SCHEMA = pa.schema([(column, pa.string()) for column in COLUMNS])
_RANGE = re.compile(r"(\D+)(\d+)-\1(\d+)")


@cache
def entries() -> tuple[dict[str, str], ...]:
    """Every row of names.csv, in its order."""
    text = (files("imsperf.dictionary") / "names.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(row | {"confidence": f"{len(row['source'].split(';'))}src"} for row in rows)


def names_of(entry: dict[str, str]) -> Iterator[str]:
    """The name, or each of the range that it is."""
    match = _RANGE.fullmatch(entry["name"])
    if match is None:
        yield entry["name"]
        return
    stem, first, last = match.groups()
    for number in range(int(first), int(last) + 1):
        yield f"{stem}{number:0{len(first)}}"


def find(name: str) -> pa.Table | None:
    """The rows of a name, of a table such as TYPE74CA, or of MXG; None where there is none."""
    wanted = name.strip().lower()
    rows = [
        entry
        for entry in entries()
        if wanted in (entry["vocabulary"].lower(), entry["table"].lower(), entry["name"].lower())
        or wanted in map(str.lower, names_of(entry))
    ]
    return pa.Table.from_pylist(rows, SCHEMA) if wanted and rows else None


def all_names() -> list[str]:
    """Every name, for hints."""
    return [name for entry in entries() for name in names_of(entry)]
