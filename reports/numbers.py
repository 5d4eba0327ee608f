"""Values as Python has them, and how numbers are printed: the rules RMF and IMSPA readers know, by
the name a report column gives.

The rules are for text pages only; csv, json and the rest carry full precision.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

Number = int | float
_DAY_US = 86_400_000_000


def python_values(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; with those that Python does not have (the year 20000, infinity, the
    time 24:00), their text, as DuckDB writes it."""
    try:
        if not _has_midnight_at_end(column):
            return list(column.to_pylist())
    except (OverflowError, ValueError):
        pass
    from imsperf.reports.in_memory import in_memory

    with in_memory() as con:
        con.register("given", pa.table({"value": column}))
        rows = con.execute("SELECT CAST(value AS VARCHAR) FROM given").fetchall()
    return [value for (value,) in rows]


def _has_midnight_at_end(column: pa.ChunkedArray) -> bool:
    """Whether a time of day is 24:00, which pyarrow turns into 00:00."""
    if column.type != pa.time64("us"):
        return False
    largest = pc.max(column.cast(pa.int64())).as_py()
    return largest is not None and largest >= _DAY_US


def values(column: pa.ChunkedArray) -> list[Any]:
    """Plain Python values: numbers, text, booleans, None; times as ISO 8601, bytes as hex."""
    kind = column.type
    if pa.types.is_floating(kind):  # through numpy: ten times faster than to_pylist, NULL is NaN
        return [v if math.isfinite(v) else None for v in column.to_numpy().tolist()]
    if pa.types.is_integer(kind) and not column.null_count:
        return list(column.to_numpy().tolist())
    objects = python_values(column)
    if pa.types.is_decimal(kind):
        number = float if kind.scale else int
        return [None if v is None else number(v) for v in objects]
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or is_text(kind):
        return objects
    return [None if v is None else _plain(v) for v in objects]


def is_text(kind: pa.DataType) -> bool:
    """A column that may hold what somebody else wrote."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _plain(value: Any) -> Any:
    if isinstance(value, pa.MonthDayNano):
        return duration(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, (list, tuple)):
        return [None if item is None else _plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): None if item is None else _plain(item) for key, item in value.items()}
    return value if isinstance(value, (int, float, str, bool)) else str(value)


def fixed(digits: int) -> Callable[[Number], str]:
    """So many decimals; a half goes up, as on the host; what rounds to 0 has no sign."""
    return lambda value: f"{value * (1 + 1e-12):z.{digits}f}"


def rate(value: Number) -> str:
    """Two decimals below 100, one below 1000, then none."""
    if round(value, 2) < 100:
        return f"{value:.2f}"
    return f"{value:.1f}" if round(value, 1) < 1000 else f"{value:.0f}"


def device_time(value: Number) -> str:
    """Milliseconds in four characters: .413, 1.18, 12.3, 123."""
    for digits, limit in ((3, 1), (2, 10), (1, 100)):
        if round(value, digits) < limit:
            text = f"{value:.{digits}f}"
            return text.removeprefix("0") if limit == 1 else text
    return f"{value:.0f}"


def activity(value: Number) -> str:
    """I/O a second: three decimals."""
    return f"{value:.3f}"


def scaled(value: Number) -> str:
    """A count, cut to what fits seven places: 9,000 then 120K then 148M."""
    if value < 100_000:
        return grouped(value)
    if value < 100_000_000:
        return f"{value / 1e3:,.0f}K"
    return f"{value / 1e6:,.0f}M"


def kilobytes(value: Number) -> str:
    """A size given in KB: 260K, then 24.0M, then 97.7G."""
    if round(value) < 10_000:
        return f"{value:.0f}K"
    mb = value / 1024
    return f"{mb:.1f}M" if mb < 10_000 else f"{mb / 1024:.1f}G"


def grouped(value: Number) -> str:
    """A whole number with separators."""
    return f"{value:,.0f}"


def two_no_zero(value: Number) -> str:
    """Two decimals with separators and no zero before the point: 1,000.00 and .70."""
    text = f"{value:,.2f}"
    return text[1:] if text.startswith("0.") else text


def per_second(value: Number) -> str:
    """Whole events a second; what is below one half but not 0 says so."""
    return "<0.5" if 0 < value < 0.5 else scaled(value)


def dispatch_time(seconds: Number) -> str:
    """hh.mm.ss.ttt, cut to the millisecond as RMF cuts it."""
    total_ms = round(seconds * 1e6) // 1000
    minutes, ms = divmod(total_ms, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}.{minutes:02d}.{ms // 1000:02d}.{ms % 1000:03d}"


def exposures(value: Number) -> str:
    """Base and aliases of a PAV: one decimal, none for a whole number."""
    return f"{value:.1f}".removesuffix(".0")


def interval_rmf(seconds: Number) -> str:
    """mm.ss.ttt, as in the heading of an RMF page."""
    ms = round(seconds * 1000)
    return f"{ms // 60_000:02d}.{ms % 60_000 // 1000:02d}.{ms % 1000:03d}"


def interval_imspa(seconds: Number) -> str:
    """HHHH.MM.SS, hours only where there are any."""
    rounded = round(seconds)
    hours = f"{rounded // 3600}." if rounded >= 3600 else ""
    minutes = rounded % 3600 // 60
    return f"{hours}{minutes:02d}.{rounded % 60:02d}" if hours else f"{minutes}.{rounded % 60:02d}"


FORMATS: dict[str, Callable[[Any], str]] = {
    "1": fixed(1),
    "2": fixed(2),
    "3": fixed(3),
    "int": fixed(0),
    "rate": rate,
    "device": device_time,
    "activity": activity,
    "scaled": scaled,
    "grouped": grouped,
    "kilobytes": kilobytes,
    "per_transaction": two_no_zero,
    "per_second": two_no_zero,
    "pool_per_second": per_second,
    "time": dispatch_time,
    "exposures": exposures,
    "hex": lambda value: f"{value:X}",
}


def beside_others(name: str) -> Callable[[Number], str]:
    """The form `name` for a column that has numbers of several reports, and differences of them: a
    zero stands before the point and separators in thousands, which pages in the form of RMF leave
    out; what is printed as 0 has no sign."""
    write = formatter(name)

    def text(value: Number) -> str:
        words = write(abs(value))
        words = f"0{words}" if words.startswith(".") else words
        words = _WHOLE.sub(lambda whole: f"{int(whole[0]):,}", words)
        if value >= 0 or not re.search("[1-9]", words):
            return words
        return f">-{words[1:]}" if words.startswith("<") else f"-{words}"

    return text


_WHOLE = re.compile(r"^\d{4,}")
_DIGITS = re.compile(r"(-?[\d,]*)(?:\.(\d+))?([KMGT]?)")


def fitted(text: str, width: int) -> str:
    """A cell that is no wider: a number with fewer decimals, then in K, M, G or T, as RMF prints
    it; other text is cut and ends in +."""
    if len(text) <= width:
        return text
    parts = _DIGITS.fullmatch(text)
    if not parts:
        return f"{text[: width - 1]}+"
    digits, decimals, unit = parts.groups("")
    value = float(f"{digits.replace(',', '')}.{decimals}")
    comma = "," if "," in digits else ""
    shorter = [f"{value:{comma}.{n}f}{unit}" for n in reversed(range(len(decimals)))]
    units = "KMGT"["KMGT".index(unit) + 1 if unit else 0 :]
    larger = [(value / 1000**power, letter) for power, letter in enumerate(units, 1)]
    shorter += [f"{number:{comma}.0f}{letter}" for number, letter in larger if abs(number) >= 1]
    return next((words for words in shorter if len(words) <= width), "*" * width)


def plain(value: Any) -> str:
    """Any value where no rule is given."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, pa.MonthDayNano):
        return duration(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="milliseconds" if value.microsecond else "seconds")
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, (date, timedelta)):
        return str(value)
    return visible(str(value))


def duration(value: pa.MonthDayNano) -> str:
    """An INTERVAL as hours:minutes:seconds, to the microsecond where there are any."""
    total_us = value.days * 86_400_000_000 + value.nanoseconds // 1000
    seconds, us = divmod(abs(total_us), 1_000_000)
    months = f"{value.months} months " if value.months else ""
    clock = f"{seconds // 3600:02d}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
    return f"{months}{'-' if total_us < 0 else ''}{clock}" + (f".{us:06d}" if us else "")


def visible(text: str) -> str:
    """Text from a dump without the characters that would steer a terminal."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def formatter(name: str) -> Callable[[Any], str]:
    """The function behind a column's `format`; plain() where it names none."""
    return FORMATS.get(name, plain)


def counted(number: int, word: str) -> str:
    """A number of things: 1 file, 1,200 files."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
