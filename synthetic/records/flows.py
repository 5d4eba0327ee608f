"""Log records of transactions, profile imsperf-1: which codes there are, when, and what is in them.

Which of them a transaction writes stands in `Network.logged`. Records of one instant are in the
order of `KINDS`. Inferred from what the records mean; a real log differs in detail.

    full function   01 35 (08) 31 5607 5050.. 03 5610 5611 3730 35 5612 56FA 31 36 33 .. (07)
    Fast Path       5901 5950.. 5937 5903 5936
    threads         5607 5050.. 3730 5612 56FA, without messages
    batch           08 5607 5950.. 41 5937 5612 56FA .. 07, one program

An address in a database and changed data are stand-ins drawn from the transaction's number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.layouts import (
    ims_01_03,
    ims_07_08,
    ims_31_38,
    ims_37_56,
    ims_41,
    ims_50,
    ims_56,
    ims_59,
)
from imsperf.record import LogRecord
from imsperf.synthetic.records.log_records import SUFFIX, Rows, rows_of, tod_at
from imsperf.synthetic.records.log_source import Log

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
Columns = Mapping[str, npt.NDArray[Any]]

CI = 4096  # bytes of a control interval or block
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

    def tokens(self, kind: int = 0) -> tuple[U8, U8]:
        """Recovery token (16) and unit of work (24): IMS id, arrival, number; output has kind 1."""
        number = _eight(self["number"])
        ims = np.broadcast_to(self.log.names.ims, number.shape)
        rtoken = np.hstack([ims, number])
        if "arrival" not in self.columns:
            return rtoken, np.zeros((len(number), 24), np.uint8)
        last = _eight(self["number"].astype(np.uint64) | np.uint64(kind << 63))
        return rtoken, np.hstack([ims, _eight(self.tod("arrival")), last])

    def nth(self) -> I64:
        """Of several records of one transaction: which, from 0."""
        return np.arange(len(self.place)) - np.searchsorted(self.place, self.place)

    def mixed(self) -> npt.NDArray[np.uint64]:
        """A number drawn from that of the transaction and of the record."""
        number = self["number"].astype(np.uint64)
        mixed = number * np.uint64(0x9E3779B97F4A7C15) + self.nth().astype(np.uint64)
        return mixed * np.uint64(0xBF58476D1CE4E5B9)


def _eight(values: npt.NDArray[Any]) -> U8:
    """Numbers as eight bytes each."""
    return values.astype(">u8").view(np.uint8).reshape(-1, 8)


Fill = Callable[[Mine], Rows]


@dataclass(frozen=True)
class Kind:
    """One place in the flow of a transaction where records of a code are written.

    `clock`: the column that says when. `nth`: of a code that comes at two places, which of the two.
    `many`: all of its records stand here.
    """

    code: str
    clock: str
    fill: Fill
    nth: int = 0
    many: bool = False

    def number(self, counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Records here, of so many of the code in all."""
        return counts if self.many else (counts > self.nth).astype(counts.dtype)


# --- Fast Path ------------------------------------------------------------------------------------

_FP_INPUT, _FP_OUTPUT, _FP_DEQUEUE, _FP_COMMIT, *_, _FP_UPDATE = ims_59.RECORDS


def _fp_input(mine: Mine) -> Rows:
    names = mine.log.names
    rtoken, uow = mine.tokens()
    rows = mine.rows(_FP_INPUT, len=mine.log.host.message_in)
    rows.put("rtoken", rtoken).put("routing", mine.of_class(names.tran))
    rows.put("tran", mine.of_class(names.tran)).put("psb", mine.of_class(names.psb))
    rows.put("lterm", names.lterm[mine["client"]]).put("userid", names.userid[mine["client"]])
    rows.put("pst", mine["region"] + 1).put("uow", uow).put("arrival", mine.tod("arrival"))
    return rows.put("gu", mine.tod("gu"))


def _fp_update(mine: Mine) -> Rows:
    rtoken, _ = mine.tokens()
    mixed = mine.mixed()
    rba = (mixed >> np.uint64(33)) % np.uint64(CIS) * np.uint64(CI)
    rows = mine.rows(_FP_UPDATE, ci_size=CI, len=UPDATE_BYTES)
    rows.put("rtoken", rtoken).put("area", mine.log.names.area[mine["area"]])
    return rows.put("rba", rba).put("data", _eight(mixed))


def _fp_commit(mine: Mine) -> Rows:
    names = mine.log.names
    rtoken, uow = mine.tokens()
    rows = mine.rows(_FP_COMMIT, fail_code="")
    rows.put("rtoken", rtoken).put("uow", uow).put("pst", mine["region"] + 1)
    rows.put("psb", mine.of_class(names.psb)).put("tran", mine.of_class(names.tran))
    rows.put("routing", mine.of_class(names.tran))
    rows.put("dedb_calls", mine.of_class(mine.log.dedb_calls))
    rows.put("ci_reads", mine["reads"]).put("ci_updates", mine["writes"])
    rows.put("nba", np.maximum(mine["reads"], mine["writes"])).put("sync", mine.tod("sync"))
    return rows.put("router", mine.tod("written"))


def _fp_output(mine: Mine) -> Rows:
    rtoken, uow = mine.tokens()
    rows = mine.rows(_FP_OUTPUT, len=mine.log.host.message_out)
    rows.put("rtoken", rtoken).put("uow", uow).put("lterm", mine.log.names.lterm[mine["client"]])
    return rows.put("pst", mine["region"] + 1)


def _fp_dequeue(mine: Mine) -> Rows:
    _, uow = mine.tokens()
    rows = mine.rows(_FP_DEQUEUE)
    rows.put("uow", uow).put("lterm", mine.log.names.lterm[mine["client"]])
    return rows.put("dequeue", mine.tod("dequeue"))


# --- messages on queues ---------------------------------------------------------------------------

_RECORD = {
    f"{one.code:02X}" + (f"{one.subcode:02X}" if one.subcode is not None else ""): one
    for module in (ims_01_03, ims_07_08, ims_31_38, ims_37_56, ims_41, ims_50, ims_56)
    for one in module.RECORDS
}
_OUTPUT = 1  # highest bit of the number in the unit of work of an output


def _message_in(mine: Mine) -> Rows:
    names = mine.log.names
    _, uow = mine.tokens()
    rows = mine.rows(
        _RECORD["01"], flags=0xC000, dest_type="S", src_type=mine.log.source,
        tmember=mine.log.member, text_len=mine.log.host.message_in,
    )  # fmt: skip
    rows.put("uow", uow).put("arrival", mine.tod("arrival"))
    rows.put("dest", mine.of_class(names.tran)).put("lterm", names.lterm[mine["client"]])
    return rows.put("userid", names.userid[mine["client"]])


def _message_out(mine: Mine) -> Rows:
    names = mine.log.names
    (_, parent), (_, uow) = mine.tokens(), mine.tokens(_OUTPUT)
    rows = mine.rows(
        _RECORD["03"], flags=0xE000, dest_type="L", src_type="P", tmember=mine.log.member,
        text_len=mine.log.host.message_out,
    )  # fmt: skip
    rows.put("uow", uow).put("parent_uow", parent).put("arrival", mine.tod("arrival"))
    rows.put("dest", names.lterm[mine["client"]]).put("lterm", names.lterm[mine["client"]])
    rows.put("userid", names.userid[mine["client"]])
    return rows.put("pst", mine["region"] + 1)


def _queue(output: bool, in_region: bool) -> Fill:
    """31, 33, 35, 36 of the input, on the transaction's queue, or of the output, on the LTERM's."""

    def fill(mine: Mine) -> Rows:
        names = mine.log.names
        rtoken, _ = mine.tokens()
        _, uow = mine.tokens(_OUTPUT if output else 0)
        rows = mine.rows(_RECORD[mine.code], dest_type="L" if output else "S")
        dest = names.lterm[mine["client"]] if output else mine.of_class(names.tran)
        rows.put("uow", uow).put("dest", dest)
        if in_region:
            rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
        return rows

    return fill


# --- programs, units of recovery, database changes ------------------------------------------------


def _program(mine: Mine) -> Rows:
    """What 07 and 08 have in common."""
    names = mine.log.names
    rtoken, _ = mine.tokens()
    rows = mine.rows(_RECORD[mine.code])
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("jobname", names.job[mine["region"]]).put("psb", mine.of_class(names.psb))
    rows.put("program", mine.of_class(names.psb)).put("tran", mine.of_class(names.tran))
    rows.put("region_type", names.kind[mine["region"]])
    return rows.put("class", mine.of_class(mine.log.message_class))


def _schedule(mine: Mine) -> Rows:
    rows = _program(mine)
    return rows.put("sched", mine.tod("first_gu")).put("sched_start", mine.tod("start"))


def _program_end(mine: Mine) -> Rows:
    rows, messages = _program(mine), mine["messages"]
    rows.put("sched", mine.tod("start")).put("end", mine.tod("end"))
    rows.put("cpu_us", mine.us("cpu")).put("db_io_us", mine.us("io_wait"))
    if mine.log.sequence is not None:  # no messages; its databases are DEDBs
        calls = np.full(len(messages), mine.log.sequence.calls * mine.log.sequence.steps)
        rows.put("fp_calls", calls).put("fp_reads", mine["reads"])
        return rows.put("fp_writes", mine["writes"])
    repl, gu = (mine.of_class(one) * messages for one in mine.log.calls)
    rows.put("first_gu", mine.tod("first_gu")).put("msgs", messages)
    rows.put("db_ios", mine["reads"] + mine["writes"])
    rows.put("gu", gu).put("repl", repl).put("msg_gu", messages)
    return rows.put("msg_isrt", messages)


def _checkpoint(mine: Mine) -> Rows:
    """41: the program commits what it changed; symbolic calls, so that it can be started again."""
    names, steps = mine.log.names, mine.log.changes
    rtoken, _ = mine.tokens()
    rows = mine.rows(_RECORD["41"], kind="S")
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("jobname", names.job[mine["region"]]).put("psb", mine.of_class(names.psb))
    rows.put("program", mine.of_class(names.psb)).put("ckpt_id", _decimal(mine["number"] + 1))
    rows.put("number", mine["number"] + 1).put("changes", mine.of_class(steps))
    return rows.put("ckpt", mine.tod("sync"))


def _decimal(numbers: I64) -> U8:
    """Eight decimal digits in EBCDIC."""
    digits = numbers[:, None] // 10 ** np.arange(7, -1, -1) % 10
    return (0xF0 + digits).astype(np.uint8)


def _event(clock: str) -> Fill:
    """5607, 5610, 5611, 3730, 5612: something happened to the unit of recovery."""

    def fill(mine: Mine) -> Rows:
        names = mine.log.names
        rtoken, _ = mine.tokens()
        rows = mine.rows(_RECORD[mine.code])
        rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
        rows.put("psb", mine.of_class(names.psb)).put("tran", mine.of_class(names.tran))
        return rows.put("event", mine.tod(clock))

    return fill


def _thread(clock: str) -> Fill:
    """5603 and 560B: the thread to the external subsystem, one for each region."""

    def fill(mine: Mine) -> Rows:
        names = mine.log.names
        rtoken, _ = mine.tokens()
        rows = mine.rows(_RECORD[mine.code], subsystem="DB2A", subsystem_type="DB2", flags=0x4000)
        rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
        rows.put("psb", mine.of_class(names.psb)).put("tran", mine.of_class(names.tran))
        rows.put("userid", names.userid[mine["client"]]).put("plan", mine.of_class(names.psb))
        rows.put("jobname", names.job[mine["region"]])
        rows.put("thread_token", _eight(mine["region"] + 1)).put("start_time", mine.tod(clock))
        return rows.put("end_time", mine.tod(clock))

    return fill


def _change(mine: Mine) -> Rows:
    names = mine.log.names
    rtoken, _ = mine.tokens()
    mixed = mine.mixed()
    length = mine.log.lengths[mine.code]
    rows = mine.rows(_RECORD["5050"], dsid=1, call="R", flags=0xC000, key_len=0)
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("psb", mine.of_class(names.psb))
    database = (mixed >> np.uint64(50)) % np.uint64(len(names.database))
    rows.put("database", names.database[database.astype(np.intp)])
    rows.put("block", (mixed >> np.uint64(33)) % np.uint64(CIS))
    rows.put("offset", (mixed >> np.uint64(21)) % np.uint64(CI - length))
    rows.put("len", np.full(len(mixed), max((length - SUFFIX - 62) // 2, 0)))
    return rows.put("data", _eight(mixed))


def _statistics(mine: Mine) -> Rows:
    names, log = mine.log.names, mine.log
    rtoken, uow = mine.tokens()
    record = _RECORD["56FA"]
    rows = mine.rows(
        record, tpcpossn=log.host.ims_id, tpimsver=log.host.ims_level, tpimsrel=1
    )  # fmt: skip
    rows.put("tpcpstn", mine["region"] + 1).put("tpcprtkn", rtoken)
    rows.put("tpcpusid", names.userid[mine["client"]]).put("tpcppsb", mine.of_class(names.psb))
    rows.put("tpjobn", names.job[mine["region"]]).put("tptran", mine.of_class(names.tran))
    rows.put("tppgmnm", mine.of_class(names.psb)).put("tpclass", mine.of_class(log.message_class))
    rows.put("tptype", names.type_bit[mine["region"]]).put("tpextime", mine.us("cpu_region"))
    packed = record.section.named("tpstartu").kind
    rows.put("tpstartu", packed.encode(log.utc(mine["gu"])))
    rows.put("tpendu", packed.encode(log.utc(mine["sync"])))
    repl, gu = (mine.of_class(one) for one in log.calls)
    rows.put("tptdbio", mine.us("io_wait")).put("tpdgu", gu).put("dl_repl", repl)
    if log.sequence is not None:
        rows.put("fp_calls", mine.of_class(log.dedb_calls)).put("fp_ci_reads", mine["reads"])
        return rows.put("fp_ci_updates", mine["writes"])
    rows.put("db_ios", mine["reads"] + mine["writes"])
    if log.has_messages:
        rows.put("tplterm", names.lterm[mine["client"]]).put("uow", uow)
        rows.put("tpinutc", packed.encode(log.utc(mine["arrival"])))
        ones = np.ones(len(mine.place), np.int64)
        rows.put("msg_gu", ones).put("msg_isrt", ones)
    return rows


KINDS = (
    Kind("01", "arrival", _message_in),
    Kind("35", "arrival", _queue(output=False, in_region=False)),
    Kind("07", "end", _program_end),
    Kind("08", "first_gu", _schedule),
    Kind("31", "gu", _queue(output=False, in_region=True)),
    Kind("5901", "gu", _fp_input),
    Kind("5607", "gu", _event("gu")),
    Kind("5603", "gu", _thread("gu")),
    Kind("5050", "sync", _change, many=True),
    Kind("5950", "sync", _fp_update, many=True),
    Kind("41", "sync", _checkpoint),
    Kind("03", "sync", _message_out),
    Kind("5610", "sync", _event("sync")),
    Kind("5611", "sync", _event("sync")),
    Kind("560B", "sync", _thread("sync")),
    Kind("3730", "sync", _event("sync")),
    Kind("35", "sync", _queue(output=True, in_region=True), nth=1),
    Kind("5937", "sync", _fp_commit),
    Kind("5612", "sync", _event("sync")),
    Kind("56FA", "sync", _statistics),
    Kind("5903", "written", _fp_output),
    Kind("31", "dequeue", _queue(output=True, in_region=False), nth=1),
    Kind("36", "dequeue", _queue(output=True, in_region=False)),
    Kind("33", "dequeue", _queue(output=True, in_region=False)),
    Kind("5936", "dequeue", _fp_dequeue),
)
