"""IMS log records around their bodies: LL, ZZ, code, subcode, the entries, the 16-byte suffix.

Few records are made here: `rows_of` their bodies, via Section.encode; `in_time_order` puts kinds
together by time and stamps STCK and log sequence number. Many of one kind: log_plan.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.errors import LayoutError
from imsperf.layout import IMS_SUFFIX, Section
from imsperf.record import LogRecord
from imsperf.synthetic.arrays import I64, U8, U64, Values
from imsperf.synthetic.writer import Batch

SUFFIX = IMS_SUFFIX.length
LARGEST_TABLE = 32_000  # a longer table goes on in the next record of the same code


@dataclass(frozen=True)
class Stamped:
    """Records of one kind, their suffix still empty, and when each is written (ticks)."""

    rows: U8
    tick: I64

    def between(self, begin: int, end: int) -> Stamped:
        """Those with begin <= tick < end; ticks must be in order."""
        here = slice(*np.searchsorted(self.tick, [begin, end]))
        return Stamped(self.rows[here], self.tick[here])


def rows_of(record: LogRecord, columns: Mapping[str, Any], entries: U8 | None = None) -> U8:
    """Records of one length: prefix, body, entries (n, bytes), room for the suffix."""
    body = record.section.encode(columns, count=_count(columns, entries))
    middle = body if entries is None else np.hstack([body, entries])
    out = np.hstack([middle, np.zeros((len(body), SUFFIX), dtype=np.uint8)])
    if out.shape[1] > 0x7FFF:
        raise LayoutError(f"{record.section.table}: found a record of {out.shape[1]:,} bytes")
    out[:, 0:2] = list(out.shape[1].to_bytes(2, "big"))
    out[:, 4] = record.code
    out[:, 5] = record.subcode or 0
    return out


def _count(columns: Mapping[str, Any], entries: U8 | None) -> int | None:
    return None if entries is None else len(entries)


def entry_rows(section: Section, columns: Mapping[str, Any], records: int) -> U8:
    """Entries of `records` records, back to back: (records, entries * length)."""
    flat = {k: v.reshape(-1) if np.ndim(v) > 1 else v for k, v in columns.items()}
    return section.encode(flat).reshape(records, -1)


def column(rows: U8, offset: int, form: str) -> Values:
    """The bytes at one place of each row as numbers or raw fields, writable."""
    layout = np.dtype(
        {"names": ["it"], "formats": [form], "offsets": [offset], "itemsize": rows.shape[1]}
    )
    return rows.view(layout)["it"][:, 0]


def tod_at(tick: I64, start_tod: int) -> U64:
    """TOD of ticks of the run; a TOD of these years needs all 64 bits."""
    return tick.astype(np.int64).view(np.uint64) + np.uint64(start_tod)


def with_offset(rows: U8, minutes: int, at: int = 0) -> U8:
    """Packed stamps `at` a place in these rows, with local time minus UTC: flag 0, quarter hours of
    two digits, sign. Of what is no time (zeros) nothing changes."""
    quarters = abs(minutes) // 15
    offset = quarters // 10, quarters % 10 << 4 | (0x0D if minutes < 0 else 0x0C)
    stamped = rows[:, at : at + 10].any(axis=1)
    for place, byte in enumerate(offset):
        rows[stamped, at + 10 + place] = byte
    return rows


def in_time_order(kinds: Sequence[Stamped], start_tod: int, first_lsn: int) -> list[Batch]:
    """Place, STCK and LSN of each record; records of one tick stay in the order of `kinds`."""
    kinds = [kind for kind in kinds if len(kind.tick)]
    if not kinds:
        return []
    order = np.argsort(np.concatenate([kind.tick for kind in kinds]), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    batches, begin = [], 0
    for kind in kinds:
        here = place[begin : begin + len(kind.tick)]
        end = kind.rows.shape[1]
        column(kind.rows, end - SUFFIX, ">u8")[:] = tod_at(kind.tick, start_tod)
        column(kind.rows, end - 8, ">u8")[:] = here + first_lsn
        batches.append(Batch(kind.rows, here))
        begin += len(kind.tick)
    return batches
