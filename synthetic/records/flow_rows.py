"""What the records of a flow are made with: transactions and programs as columns, kinds of records.

A chain of programs, each of which switches to the next one, is simulated as one transaction. For
the log it is cut into steps of equal length, with equal parts of CPU and I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.record import LogRecord
from imsperf.synthetic.records.log_records import SUFFIX, Rows, rows_of, tod_at
from imsperf.synthetic.records.log_source import Log

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
Columns = Mapping[str, npt.NDArray[Any]]

CI = 4096  # bytes of a control interval or block
STEP_BIT = 56  # place of the step in the number of a unit of work
CIS = 90_000  # control intervals of an area or data set; spreads the addresses, nothing more
UPDATE_BYTES = 100  # logged for one change of a DEDB
TICK = 4096
PROGRAMS = ("07", "08")  # made from the table of programs, not from that of transactions


@dataclass(frozen=True)
class Mine:
    """The transactions, or programs, of which records are made: their columns and places."""

    columns: Columns
    place: I64  # in the slice; one several times where it writes several
    log: Log
    code: str

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    def tod(self, name: str) -> npt.NDArray[np.uint64]:
        """A time as TOD."""
        return tod_at(self.columns[name], self.log.start)

    def us(self, name: str) -> I64:
        """A length of time in whole microseconds."""
        return self.columns[name].astype(np.int64) // TICK

    def rows(self, record: LogRecord, **same: Any) -> Rows:
        """As many records, which differ in nothing yet; zeros up to the length that is logged."""
        length = self.log.lengths[self.code]
        more = length - SUFFIX - record.section.length
        extra = np.zeros((1, more), np.uint8) if more > 0 else None
        template = rows_of(record, same, extra)
        return Rows(record, template, np.zeros(len(self.place), dtype=np.intp))

    def of_class(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A value for each transaction from those of the classes."""
        return values[self.columns["cls"]]

    def of_code(self, values: npt.NDArray[Any], further: int = 0) -> npt.NDArray[Any]:
        """A value for each step from those of the codes; of the code it switches to, further 1."""
        code = self["cls"]
        if "step" in self.columns:
            step = np.minimum(self["step"] + further, self["steps"] - 1)
            code = self.log.chains[code, step]
        found: npt.NDArray[Any] = values[code]
        return found

    @property
    def is_last(self) -> npt.NDArray[np.bool_]:
        """The step that answers; the others switch to the next one."""
        if "step" not in self.columns:
            return np.ones(len(self.place), np.bool_)
        last: npt.NDArray[np.bool_] = self["step"] == self["steps"] - 1
        return last

    def part(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The part of a whole number that belongs to the step."""
        if "step" not in self.columns:
            return values
        found: npt.NDArray[Any] = of_step(values, self["step"], self["steps"])
        return found

    def tokens(self, output: bool = False, further: int | I64 = 0) -> tuple[U8, U8]:
        """Recovery token (16) and unit of work (24): IMS id, arrival, number with its step.

        An output has the highest bit instead; `further` 1 is the message that the step switches to.
        """
        number = self["number"].astype(np.uint64)
        step = self.columns.get("step", np.zeros(len(number), np.int64))
        ims = np.broadcast_to(self.log.names.ims, (len(number), 8))
        rtoken = np.hstack([ims, eight(number | step.astype(np.uint64) << np.uint64(STEP_BIT))])
        if "arrival" not in self.columns:
            return rtoken, np.zeros((len(number), 24), np.uint8)
        if output:
            number = number | np.uint64(1 << 63)
        else:
            number = number | (step + further).astype(np.uint64) << np.uint64(STEP_BIT)
        return rtoken, np.hstack([ims, eight(self.tod("arrival")), eight(number)])

    def nth(self) -> I64:
        """Of several records of one transaction: which, from 0."""
        return np.arange(len(self.place)) - np.searchsorted(self.place, self.place)

    def mixed(self) -> npt.NDArray[np.uint64]:
        """A number drawn from that of the transaction and of the record."""
        number = self["number"].astype(np.uint64)
        mixed = number * np.uint64(0x9E3779B97F4A7C15) + self.nth().astype(np.uint64)
        return mixed * np.uint64(0xBF58476D1CE4E5B9)


def eight(values: npt.NDArray[Any]) -> U8:
    """Numbers as eight bytes each."""
    return values.astype(">u8").view(np.uint8).reshape(-1, 8)


Fill = Callable[[Mine], Rows]


@dataclass(frozen=True)
class Kind:
    """One place in the flow of a transaction where records of a code are written.

    `clock`: the column that says when. `nth`: of a code that comes at two places, which of the two.
    `many`: all of its records stand here. `step`: of each program of a chain, not of the whole.
    """

    code: str
    clock: str
    fill: Fill
    nth: int = 0
    many: bool = False
    step: bool = False

    def number(self, counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Records here, of so many of the code in all."""
        return counts if self.many else (counts > self.nth).astype(counts.dtype)


# --- steps of a chain -----------------------------------------------------------------------------

SHARED = ("cpu_region", "io_wait", "reads", "writes")


def of_step(values: npt.NDArray[Any], step: npt.NDArray[Any], steps: npt.NDArray[Any]) -> Any:
    """Whole parts that add up to the whole."""
    return values * (step + 1) // steps - values * step // steps


def in_steps(table: Columns, log: Log) -> Columns:
    """A row for each step of each transaction; the table itself where there are no chains."""
    if log.chains.shape[1] == 1:
        return table
    number = log.chain_lengths[table["cls"]]
    which = np.repeat(np.arange(len(number)), number)
    found = {name: values[which] for name, values in table.items()}
    steps = number[which]
    step = np.arange(len(which)) - np.repeat(np.cumsum(number) - number, number)
    span = found["sync"] - found["gu"]
    begun = found["gu"] + span * step // steps + (step > 0)  # a tick after its message was queued
    found |= {name: of_step(found[name].astype(np.int64), step, steps) for name in SHARED}
    return found | {
        "gu": begun,
        "sync": found["gu"] + span * (step + 1) // steps,
        "step": step,
        "steps": steps,
    }
