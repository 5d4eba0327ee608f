"""Columns as the script of the page reads them: numbers to six digits, and what many rows have in
common once."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds

from imsperf.reports.charts.rows import TIMES
from imsperf.reports.numbers import visible
from imsperf.reports.text import is_number

DIGITS = 6
_SHARED = 4  # rows that a value stands in on average where it is worth a code


def cells(column: pa.ChunkedArray) -> dict[str, Any]:
    """The values of a column in one of three forms: `same`, the value of all `rows`; `words` and
    `codes`, the place of each row's value in them; or `values`."""
    values = numbers(column) if is_number(column.type) else pa.array(texts(column), pa.string())
    encoded = values.dictionary_encode()
    words = encoded.dictionary.to_pylist()
    if len(words) + bool(values.null_count) <= 1:
        return {"same": words[0] if words else None, "rows": len(values)}
    if len(words) * _SHARED > len(values):
        return {"values": values.to_pylist()}
    return {"words": words, "codes": encoded.indices.to_pylist()}


def short(value: float | None) -> float | None:
    """A number to six digits; what is none (NULL, infinite) is None."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.{DIGITS}g}")


def numbers(column: pa.ChunkedArray) -> pa.Array:
    """Numbers to six digits, integers whole; what is no number (NULL, infinite) is NULL."""
    if kinds.is_integer(column.type):
        return column.combine_chunks()
    given = pc.cast(column, pa.float64()).to_numpy(zero_copy_only=False)
    with np.errstate(divide="ignore", invalid="ignore"):
        tens = np.floor(np.log10(np.abs(given)))
    usual = np.isfinite(given) & np.isfinite(tens) & (np.abs(tens) < 16)
    scale = np.where(usual, DIGITS - 1 - tens, 0)
    # whole powers of ten, so that the quotient is the number that its digits say
    up, down = 10.0 ** np.maximum(scale, 0), 10.0 ** np.maximum(-scale, 0)
    rounded = np.round(given * up / down) / up * down
    for place in np.flatnonzero(np.isfinite(given) & ~usual & (given != 0)):
        rounded[place] = short(given[place])
    rounded[given == 0] = 0.0
    return pa.array(rounded, pa.float64(), mask=~np.isfinite(given))


def other_time(table: pa.Table) -> set[str]:
    """The column of the time in UTC, where every row knows its local time."""
    local, utc = TIMES
    names = table.column_names
    return {utc} if {local, utc} <= {*names} and not table[local].null_count else set()


def printed(column: pa.ChunkedArray) -> list[str]:
    """The values of a column as the script of the page prints them in its tables."""
    if is_number(column.type):
        return [_number(value) for value in numbers(column).to_pylist()]
    is_time = kinds.is_timestamp(column.type)
    words = ["-" if word is None else word for word in texts(column)]
    return [word.replace("T", " ") for word in words] if is_time else words


def _number(value: float | None) -> str:
    """From 1,000 on without a fraction, else to six digits."""
    if value is None:
        return "-"
    if abs(value) >= 1000:
        return f"{math.copysign(math.floor(abs(value) + 0.5), value):,.0f}"
    if 0 < abs(value) < 1e-6:
        return re.sub(r"e-0*", "e-", f"{value:.{DIGITS}g}")
    return f"{Decimal(f'{value:.{DIGITS}g}').normalize() + 0:f}"


def texts(column: pa.ChunkedArray) -> list[str | None]:
    """Values as text: times to the second, names from dumps made visible."""
    if kinds.is_timestamp(column.type):
        column = pc.strftime(column, "%Y-%m-%dT%H:%M:%S")
        return [value and value[:19] for value in column.to_pylist()]
    words = column.combine_chunks().dictionary_encode()
    if isinstance(words, pa.ChunkedArray):
        words = words.combine_chunks()
    seen = [None if w is None else visible(str(w)) for w in words.dictionary.to_pylist()]
    return [None if code is None else seen[code] for code in words.indices.to_pylist()]
