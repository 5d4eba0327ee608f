"""RMF intervals that a load met: what the ledger keeps, so that gaps are seen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pyarrow as pa

from imsperf import layouts

Batch = tuple[str, pa.RecordBatch]

_TABLE = re.compile(r"smf(\d+)_(\d+)_(header|product)")
_SYSTEM_AT = 14  # offset of the SMF system id in the header
_KEYS = ["system", "interval_start", "interval_end"]


@cache
def _label(table: str) -> tuple[str, str, str] | None:
    """Type, subtype and name of the SMF system id in a header table of interval records."""
    found = _TABLE.fullmatch(table)
    record = layouts.smf_record(int(found[1]), int(found[2])) if found else None
    if found is None or record is None or record.header.table != table:
        return None
    if record.interval is None or not record.interval.length:
        return None
    names = [one.name for one in record.header.fields if one.offset == _SYSTEM_AT]
    return (found[1], found[2], names[0]) if names else None


class Intervals:
    """The intervals of the records in batches that pass by."""

    def __init__(self) -> None:
        self._found: Counter[tuple[Any, ...]] = Counter()
        self._sysplex: dict[str, str] = {}

    def watch(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """The same batches."""
        for table, rows in batches:
            if table.startswith("smf"):
                self._look(table, rows)
            yield table, rows

    def _look(self, table: str, rows: pa.RecordBatch) -> None:
        if table.endswith("_header") and (label := _label(table)):
            kind, subtype, system = label
            some = pa.Table.from_batches([rows]).select([system, *_KEYS])
            for one in some.group_by([system, *_KEYS]).aggregate([([], "count_all")]).to_pylist():
                if one["interval_start"] is not None:
                    key = one[system], kind, subtype, *(one[name] for name in _KEYS)
                    self._found[key] += one["count_all"]
        elif table.endswith("_product"):
            name = f"{table.partition('_')[0]}xnm"
            if name in rows.schema.names:
                some = pa.Table.from_batches([rows]).select(["system", name])
                for one in some.group_by(["system", name]).aggregate([]).to_pylist():
                    self._sysplex.setdefault(one["system"], one[name])

    def rows(self, file_id: int) -> list[dict[str, Any]]:
        """Rows of load_interval."""
        return [
            {
                "file_id": file_id, "system": system, "name": name,
                "sysplex": self._sysplex.get(name) or None, "type": kind, "subtype": subtype,
                "interval_start": start, "interval_end": end, "records": records,
            }
            for (system, kind, subtype, name, start, end), records in self._found.items()
        ]  # fmt: skip
