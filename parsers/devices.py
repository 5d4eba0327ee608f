"""SMF 74.1 spreads the devices of a class over several records: are all of them there?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from imsperf.parsers.framing.frames import Part
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import Batch, Runs

_CONTROL, _DEVICE = "smf74_1_control", "smf74_1_device"
_CLASS = ["system", "interval_start", "smf74sub"]


@dataclass
class DeviceCheck:
    """Compares the devices read with SMF74TOT, the devices of the class in the interval."""

    _seen: list[pa.Table] = field(default_factory=list)

    def add(self, batch: Batch, record: Any, runs: Mapping[str, Runs], part: Part) -> None:
        """Look at a batch of device control rows; `record` is the index of each row's record,
        `runs` the sections of the records by table."""
        name, rows = batch
        if name != _CONTROL:
            return
        columns = (*_CLASS, "smf74tot", "record_no")
        if not set(columns) <= set(rows.schema.names):
            return
        few = pa.table({column: rows.column(column) for column in columns})
        few = few.append_column("devices", pa.array(runs[_DEVICE].number[record]))
        few = few.append_column("place", pa.array(part.place[record]))
        self._seen.append(few)

    def absorb(self, more: DeviceCheck) -> None:
        """Take what another range of the file had."""
        self._seen += more._seen

    def summed(self) -> DeviceCheck:
        """The same in one row for each class and interval."""
        return DeviceCheck([self._sums()] if self._seen else [])

    def problems(self) -> Iterator[Problem]:
        """A finding for each class and interval that has more or fewer devices than it says."""
        if not self._seen:
            return
        for row in self._sums().to_pylist():
            if row["smf74tot"] is not None and row["devices"] != row["smf74tot"]:
                kind = "unknown" if row["smf74sub"] is None else f"X'{row['smf74sub']:04X}'"
                detail = (
                    f"found {row['devices']:,} devices of class {kind} of "
                    f"{row['system']} from {row['interval_start']}, expected {row['smf74tot']:,}"
                )
                yield Problem(
                    row["record_no"], row["place"], 0, "74", "1", "info", "device_count", detail
                )

    def _sums(self) -> pa.Table:
        """One row per class and interval: devices read, what the records say, the first place."""
        sums = [("smf74tot", "max"), ("record_no", "min"), ("devices", "sum"), ("place", "min")]
        totals = pa.concat_tables(self._seen).group_by(_CLASS).aggregate(sums)
        return totals.select([*_CLASS, *(f"{name}_{how}" for name, how in sums)]).rename_columns(
            [*_CLASS, *(name for name, _ in sums)]
        )
