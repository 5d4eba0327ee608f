"""What the records of a flow are made with: rows of transactions and programs, kinds of records.

A chain of programs, each of which switches to the next one, is simulated as one transaction. For
the log it is cut into steps: each program has its part of CPU and I/O, as the scenario divides
them, and of the time what it uses so, with its part (as of CPU) of what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.layouts import (
    ims_01_03,
    ims_07_08,
    ims_11_12,
    ims_31_38,
    ims_37_56,
    ims_41,
    ims_50,
    ims_56,
    ims_59,
    ims_a1,
)
from imsperf.synthetic.arrays import F64, I32, I64, Values
from imsperf.synthetic.log import log_kernels as kernels
from imsperf.synthetic.log.log_plan import (
    Column,
    Drawn,
    LookedUp,
    Lookup,
    Plan,
    Rows,
    Token,
    Two,
    plan_of,
)
from imsperf.synthetic.log.log_source import Log

CI = 4096  # bytes of a control interval or block
STEP_BIT = 56  # place of the step in the number of a unit of work
CIS = 90_000  # control intervals of an area or data set; spreads the addresses, nothing more
UPDATE_BYTES = 100  # logged for one change of a DEDB

RECORDS = {
    f"{record.code:02X}" + (f"{record.subcode:02X}" if record.subcode is not None else ""): record
    for module in (
        *(ims_01_03, ims_07_08, ims_11_12, ims_31_38, ims_37_56),
        *(ims_41, ims_50, ims_56, ims_59, ims_a1),
    )
    for record in module.RECORDS
}


@dataclass(frozen=True)
class Mine:
    """The transactions, or programs, of which records are made: row and number of each record."""

    table: Rows
    which: I32
    nth: I32  # of several records of one transaction: which, from 0
    log: Log
    code: str

    def __getitem__(self, name: str) -> Column:
        return Column(self.table, self.which, name)

    def tod(self, name: str) -> Column:
        """A time as TOD."""
        return Column(self.table, self.which, name, add=self.log.start)

    def us(self, name: str) -> Column:
        """A length of time in whole microseconds."""
        return Column(self.table, self.which, name, shift=12)

    def most(self, one: str, other: str) -> Two:
        """The larger of two numbers."""
        return Two(self[one], self[other], kernels.MOST)

    def records(self, *usual: str, **fields: Any) -> Plan:
        """As many records; `usual`: fields that all codes have alike, see USUAL."""
        same = {name: value for name, value in fields.items() if isinstance(value, str)}
        plan = plan_of(RECORDS[self.code], self.log.lengths[self.code], same)
        plan.fill(**{name: USUAL[name](self) for name in usual})
        return plan.fill(**{name: value for name, value in fields.items() if name not in same})

    def of_class(self, values: Any) -> Any:
        """A value for each transaction from those of the classes."""
        return (values if isinstance(values, Lookup) else Lookup(values))[self["cls"]]

    def of_code(self, values: Any, further: bool = False) -> Any:
        """A value for each step from those of the codes; of the code it switches to, `further`."""
        lookup = values if isinstance(values, Lookup) else Lookup(values)
        if not self.of_steps:
            return lookup[self["cls"]]
        return lookup[self["next" if further else "code"]]

    @property
    def of_steps(self) -> bool:
        """Rows are steps of chains."""
        return "step" in self.table.names

    def last_or(self, last: Any, other: Any) -> Any:
        """The one for the step that answers, the other for those that switch to the next one."""
        if not self.of_steps:
            return last
        answers = np.asarray(self["step"]) == np.asarray(self["steps"]) - 1
        if isinstance(last, tuple):
            (number, of_last), (_, of_other) = last[-1], other[-1]
            chosen = np.where(answers, np.asarray(of_last), np.asarray(of_other))
            return *last[:-1], (number, chosen)
        if isinstance(last, LookedUp):
            answers = answers[:, None]
        return np.where(answers, np.asarray(last), np.asarray(other))

    def tokens(self, output: bool = False, further: int | I64 = 0) -> tuple[Token, Token]:
        """Recovery token (16) and unit of work (24): IMS id, arrival, number with its step.

        An output has the highest bit instead; `further` 1 is the message that the step switches to.
        """
        step = self["token" if self.of_steps else "number"]
        ims = (0, self.log.names.ims)
        rtoken = ims, (8, step)
        if "arrival" not in self.table.names:
            return rtoken, ()
        number: Any = step
        if output:
            number = self["number"] + (1 << 63)
        elif isinstance(further, np.ndarray):
            number = np.asarray(step) + (further << STEP_BIT)
        else:
            number = step + (further << STEP_BIT)
        return rtoken, (ims, (8, self.tod("arrival")), (16, number))

    def mixed(self) -> Drawn:
        """A number drawn from that of the transaction and of the record."""
        return Drawn(self["token" if self.of_steps else "number"], self.nth)


USUAL: Mapping[str, Callable[[Mine], Any]] = {
    "pst": lambda mine: mine["region"] + 1,
    "rtoken": lambda mine: mine.tokens()[0],
    "uow": lambda mine: mine.tokens()[1],
    "arrival": lambda mine: mine.tod("arrival"),
    "lterm": lambda mine: mine.log.names.lterm[mine["client"]],
    "userid": lambda mine: mine.log.names.userid[mine["client"]],
    "jobname": lambda mine: mine.log.names.job[mine["region"]],
    "prty": lambda mine: mine.of_code(mine.log.priority),
    "class": lambda mine: mine.of_code(mine.log.message_class),
    **dict.fromkeys(("tran", "routing"), lambda mine: mine.of_code(mine.log.names.tran)),
    **dict.fromkeys(("psb", "program", "plan"), lambda mine: mine.of_code(mine.log.names.psb)),
}

Fill = Callable[[Mine], Plan]


@dataclass(frozen=True)
class FlowRecord:
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

    def number(self, counts: Values) -> Values:
        """Records here, of so many of the code in all."""
        return counts if self.many else (counts > self.nth).astype(counts.dtype)


# --- steps of a chain -----------------------------------------------------------------------------

DIVIDED = {
    "cpu_region": "cpu_factor",
    "ziip_region": "cpu_factor",
    "reads": "reads",
    "writes": "writes",
}


def upto(values: I64, share: F64, drawn: Any = 0.0) -> I64:
    """Whole numbers up to a share, of which the parts between two shares are made.

    `drawn`: from 0 to less than 1, the same for all parts of a number: their means are the shares.
    """
    counts: I64 = np.floor(values * share + drawn).astype(np.int64)
    return counts


def in_steps(table: Rows, log: Log) -> Rows:
    """A row for each step of each transaction; the table itself where there are no chains."""
    if log.chains.shape[1] == 1:
        return table
    number = log.chain_lengths[table["cls"]]
    which = np.repeat(np.arange(len(number)), number)
    columns = {name: table[name][which] for name in table.names}
    steps = number[which]
    step = np.arange(len(which)) - np.repeat(np.cumsum(number) - number, number)
    edges = [_edges(columns, log, columns["cls"], place) for place in (step, step + 1)]
    columns |= {name: edges[1][name] - edges[0][name] for name in (*DIVIDED, "io_wait")}
    columns |= {
        "gu": edges[0]["time"] + (step > 0),  # a tick after its message was queued
        "sync": edges[1]["time"],
        "step": step,
        "steps": steps,
        "token": columns["number"] | step << STEP_BIT,
        "code": log.chains[columns["cls"], step],
        "next": log.chains[columns["cls"], np.minimum(step + 1, steps - 1)],
    }
    return Rows.of(columns)


def _edges(columns: dict[str, I64], log: Log, cls: I64, place: I64) -> dict[str, I64]:
    """What the programs of chains before a place have used together, and when they ended."""
    drawn = (columns["number"].astype(np.uint64) * kernels.GOLDEN >> np.uint64(48)) / 65536
    shares = log.chain_shares
    used = {
        name: upto(columns[name], shares[of][cls, place], drawn) for name, of in DIVIDED.items()
    }
    io_wait, read = columns["io_wait"], columns["reads"]
    last = place >= log.chain_lengths[cls]  # without reads all of it is the last one's
    used["io_wait"] = np.where(
        read > 0, io_wait * used["reads"] // np.maximum(read, 1), io_wait * last
    )
    span = columns["sync"] - columns["gu"]
    left = np.maximum(span - columns["cpu_region"] - io_wait, 0)
    took = used["cpu_region"] + used["io_wait"] + upto(left, shares["cpu_factor"][cls, place])
    return used | {"time": columns["gu"] + np.where(last, span, np.minimum(took, span))}
