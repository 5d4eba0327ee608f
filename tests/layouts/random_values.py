"""Random values of every kind that survive a round trip, as `Kind.encode` takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from imsperf.kinds import Kind, Op, codepage
from imsperf.layout import Section

_DAY_US = 86_400_000_000
_FIRST_US, _LAST_US = 1_000_000, 4_503_599_627_370_495  # of a TOD clock, which ends in 2042
_EPOCH = np.datetime64("1900-01-01", "us")
_LETTERS = np.array([chr(p) for p in codepage() if chr(p).isprintable() and chr(p) != " "])


def random_columns(section: Section, rows: int, rng: np.random.Generator) -> dict[str, Any]:
    """A value for every field of every row."""
    return {field.name: random_values(field.kind, rows, rng) for field in section.fields}


def random_values(kind: Kind, rows: int, rng: np.random.Generator) -> Any:
    """`rows` values, shape (rows, count) for an array."""
    values = _MAKERS[kind.op](kind.item_width, rows * kind.count, rng)
    return values.reshape(rows, kind.count) if kind.count > 1 else values


def _unsigned(width: int, rows: int, rng: np.random.Generator) -> Any:
    return rng.integers(0, 2 ** (8 * width) - 1, rows, np.uint64, endpoint=True)


def _signed(width: int, rows: int, rng: np.random.Generator) -> Any:
    limit = 2 ** (8 * width - 1)
    return rng.integers(-limit, limit - 1, rows, np.int64, endpoint=True)


def _hex_float(width: int, rows: int, rng: np.random.Generator) -> Any:
    """Values of no more bits than the fraction keeps in the worst case, three leading zeros."""
    bits = 53 if width == 8 else 21
    mantissas = rng.integers(-(2**bits) + 1, 2**bits, rows).astype(np.float64)
    return mantissas * 16.0 ** rng.integers(-60, 40, rows)


def _text(width: int, rows: int, rng: np.random.Generator) -> Any:
    sizes = rng.integers(0, width, rows, endpoint=True)
    return np.array(["".join(rng.choice(_LETTERS, size)) for size in sizes])


def _opaque(width: int, rows: int, rng: np.random.Generator) -> Any:
    return [rng.bytes(width) for _ in range(rows)]


def _packed_number(width: int, rows: int, rng: np.random.Generator) -> Any:
    return rng.integers(0, 10 ** (2 * width - 1), rows)


def _date(width: int, rows: int, rng: np.random.Generator) -> Any:
    return np.datetime64("1900-01-01", "D") + rng.integers(0, 73_000, rows)


def _time(width: int, rows: int, rng: np.random.Generator) -> Any:
    return (rng.integers(0, 86_400, rows) * 1_000_000).astype("m8[us]")


def _length(width: int, rows: int, rng: np.random.Generator) -> Any:
    return (rng.integers(0, 6_000_000, rows) * 1000).astype("m8[us]")


def _centiseconds(width: int, rows: int, rng: np.random.Generator) -> Any:
    return (rng.integers(0, 8_640_000, rows) * 10_000).astype("m8[us]")


def _tod(width: int, rows: int, rng: np.random.Generator) -> Any:
    return _EPOCH + rng.integers(_FIRST_US, _LAST_US, rows, endpoint=True)


def _tod_high(width: int, rows: int, rng: np.random.Generator) -> Any:
    return _EPOCH + (rng.integers(1, 2**32, rows) << 20)


def _tod_offset(width: int, rows: int, rng: np.random.Generator) -> Any:
    return rng.integers(-_DAY_US, _DAY_US, rows).astype("m8[us]")


def _wide(width: int, rows: int, rng: np.random.Generator) -> Any:
    high, low = (rng.integers(0, 2**62, rows).tolist() for _ in range(2))
    return np.array([(a << 64) + b for a, b in zip(high, low, strict=True)], dtype=object)


_MAKERS: dict[Op, Callable[[int, int, np.random.Generator], Any]] = {
    Op.UNSIGNED: _unsigned,
    Op.SIGNED: _signed,
    Op.HEX_FLOAT: _hex_float,
    Op.TEXT: _text,
    Op.OPAQUE: _opaque,
    Op.PACKED_NUMBER: _packed_number,
    Op.PACKED_DATE: _date,
    Op.PACKED_TIME: _time,
    Op.PACKED_LENGTH: _length,
    Op.CENTISECONDS: _centiseconds,
    Op.TOD: _tod,
    Op.TOD_HIGH: _tod_high,
    Op.STCKE: _tod,
    Op.TOD_OFFSET: _tod_offset,
    Op.UTC12: _tod,
    Op.WIDE: _wide,
}
