"""How numbers are printed: the rules RMF and IMSPA readers know, by the name a report column gives.

These are for text pages only; csv, json and the rest carry full precision.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pyarrow as pa

Number = int | float


def python_values(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; with dates that Python does not have (year 20000, infinity), their
    text, as DuckDB writes it."""
    try:
        return list(column.to_pylist())
    except (OverflowError, ValueError):
        import duckdb

        with duckdb.connect() as con:
            con.register("given", pa.table({"value": column}))
            rows = con.execute("SELECT CAST(value AS VARCHAR) FROM given").fetchall()
        return [value for (value,) in rows]


def fixed(digits: int) -> Callable[[Number], str]:
    """So many decimals; a half goes up, as on the host."""
    return lambda value: f"{value * (1 + 1e-12):.{digits}f}"


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
    """A size given in KB: 260K, then 24.0M."""
    return f"{value:.0f}K" if round(value) < 10_000 else f"{value / 1024:.1f}M"


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
    whole = round(seconds * 1e6) // 1000
    minutes, ms = divmod(whole, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}.{minutes:02d}.{ms // 1000:02d}.{ms % 1000:03d}"


def exposures(value: Number) -> str:
    """Base and aliases of a PAV: one decimal, none for a whole number."""
    return f"{value:.1f}".removesuffix(".0")


def interval_rmf(seconds: Number) -> str:
    """mm.ss.ttt, as in the heading of an RMF page."""
    whole = round(seconds * 1000)
    return f"{whole // 60_000:02d}.{whole % 60_000 // 1000:02d}.{whole % 1000:03d}"


def interval_imspa(seconds: Number) -> str:
    """HHHH.MM.SS, hours only where there are any."""
    whole = round(seconds)
    hours = f"{whole // 3600}." if whole >= 3600 else ""
    minutes = whole % 3600 // 60
    return f"{hours}{minutes:02d}.{whole % 60:02d}" if hours else f"{minutes}.{whole % 60:02d}"


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


def difference(name: str) -> Callable[[Number], str]:
    """The form `name` for what may be negative, or too small for it: two digits then, not 0."""
    write = formatter(name)

    def text(value: Number) -> str:
        words = write(abs(value))
        if value and (words.startswith("<") or not any(one in words for one in "123456789")):
            words = f"{abs(value):.2g}"
        return f"-{words}" if value < 0 else words

    return text


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
    whole = value.days * 86_400_000_000 + value.nanoseconds // 1000
    seconds, us = divmod(abs(whole), 1_000_000)
    months = f"{value.months} months " if value.months else ""
    clock = f"{seconds // 3600:02d}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
    return f"{months}{'-' if whole < 0 else ''}{clock}" + (f".{us:06d}" if us else "")


def visible(text: str) -> str:
    """Text from a dump without the characters that would steer a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def formatter(name: str) -> Callable[[Any], str]:
    """The function behind a column's `format`; plain() where it names none."""
    return FORMATS.get(name, plain)
