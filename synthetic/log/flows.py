"""Log records of transactions, profile imsperf-1: which codes there are, when, and what is in them.

Which of them a transaction writes stands in `Network.logged`. Records of one instant are in the
order of `KINDS`. Inferred from what the records mean; a real log differs in detail.

    full function   01 35 (08) 31 5607 5050.. 03 5610 5611 3730 35 5612 56FA 31 36 33 .. (07)
    conversations   11 before 01, 12 behind 56FA
    switches        the same from 31 to 56FA for each program; 03 and 35 are the message to the next
    Fast Path       5901 5950.. 5937 5903 5936
    Db2             with 5603 and 560B around either, 5610 and 5611 as it takes part, 5604 before
                    07 (not pooled); no changes: those are in the log of Db2
    threads         A109 5607 5050.. 3730 5612 56FA, without messages
    batch           08 5607 5950.. 41 5937 5612 56FA .. 07, one program

Messages (01, 03; 5901, 5903 of the 100,000 TPS scenario) have the bytes of their credentials behind
what their layout names.
An address in a database and changed data are stand-ins drawn from the transaction's number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.kinds import utc12
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
from imsperf.synthetic.log.flow_rows import CI, CIS, UPDATE_BYTES, Fill, FlowRecord, Mine
from imsperf.synthetic.log.log_plan import SUFFIX, Plan
from imsperf.synthetic.log.log_records import with_offset
from imsperf.synthetic.log.thread_tokens import token_of

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]

_SHARED = 0x20  # of the flags of a queue
_QUICK = 0x10  # of the flags of a program
_USED_AGAIN, _POOLED = 0x4000, 0x2000  # of the flags of a thread
_TRANSACTION, _LTERM, _NORMAL = 0xE2, 0xD3, 0xD5  # S, L and N in EBCDIC

# --- messages on queues ---------------------------------------------------------------------------

_RECORD = {
    f"{one.code:02X}" + (f"{one.subcode:02X}" if one.subcode is not None else ""): one
    for module in (
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
    for one in module.RECORDS
}


def _message_in(mine: Mine) -> Plan:
    names = mine.log.names
    _, uow = mine.tokens()
    rows = mine.rows(
        _RECORD["01"], flags=0xC000, dest_type="S", src_type=mine.log.source,
        tmember=mine.log.member, text_len=mine.log.host.message_in,
    )  # fmt: skip
    rows.put("uow", uow).put("arrival", mine.tod("arrival"))
    rows.put("dest", mine.of_code(names.tran)).put("lterm", names.lterm[mine["client"]])
    return rows.put("userid", names.userid[mine["client"]])


def _message_out(mine: Mine) -> Plan:
    """03: the answer, or the message for the program that is switched to."""
    names = mine.log.names
    _, parent = mine.tokens()
    rows = mine.rows(
        _RECORD["03"], flags=0xE000, src_type="P", tmember=mine.log.member,
        text_len=mine.log.host.message_out,
    )  # fmt: skip
    rows.put("parent_uow", parent).put("arrival", mine.tod("arrival"))
    rows.put("lterm", names.lterm[mine["client"]]).put("userid", names.userid[mine["client"]])
    return _destination(rows, mine).put("pst", mine["region"] + 1)


def _inserted(mine: Mine) -> Plan:
    """35 of what the program has put on a queue."""
    rtoken, _ = mine.tokens()
    rows = mine.rows(_RECORD[mine.code])
    rows.put("flags", mine.last_or(0, _SHARED * mine.log.has_shared_queues))
    return _destination(rows, mine).put("pst", mine["region"] + 1).put("rtoken", rtoken)


def _destination(rows: Plan, mine: Mine) -> Plan:
    """Unit of work and queue of an output, or of the message that a step switches to."""
    names = mine.log.names
    (_, output), (_, switch) = mine.tokens(output=True), mine.tokens(further=1)
    following = mine.of_code(names.tran, further=True)
    rows.put("uow", mine.last_or(output, switch))
    rows.put("dest", mine.last_or(names.lterm[mine["client"]], following))
    return rows.put("dest_type", mine.last_or(_LTERM, _TRANSACTION))


def _queue(output: bool, in_region: bool) -> Fill:
    """31, 33, 35, 36 of an input, on its transaction's queue, or of the output, on the LTERM's."""

    def fill(mine: Mine) -> Plan:
        names = mine.log.names
        rtoken, _ = mine.tokens()
        _, uow = mine.tokens(output)
        shared = mine.log.has_shared_queues and not output  # answers pass no shared queue
        rows = mine.rows(
            _RECORD[mine.code], dest_type="L" if output else "S", flags=_SHARED * shared
        )
        dest = names.lterm[mine["client"]] if output else mine.of_code(names.tran)
        rows.put("uow", uow).put("dest", dest)
        if in_region:
            rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
        return rows

    return fill


def _conversation(mine: Mine) -> Plan:
    """What 11 and 12 have in common: a conversation of one input, kept up over the switches."""
    names, log = mine.log.names, mine.log
    flags = (0x8000 if log.source == "O" else 0) | 0x0800
    rows = mine.rows(
        _RECORD[mine.code], flags=flags, tmember=log.member, src_type=log.source,
        spa_size=log.host.spa_bytes, steps=1,
    )  # fmt: skip
    rows.put("conv_id", mine["number"] & 0xFFFFFFFF)
    rows.put("lterm", names.lterm[mine["client"]]).put("userid", names.userid[mine["client"]])
    return rows.put("start_time", mine.tod("arrival"))


def _conversation_start(mine: Mine) -> Plan:
    _, uow = mine.tokens()
    return _conversation(mine).put("uow", uow).put("tran", mine.of_code(mine.log.names.tran))


def _conversation_end(mine: Mine) -> Plan:
    """12: the last program of the chain ends it; each has passed on the SPA."""
    names, log = mine.log.names, mine.log
    cls = np.asarray(mine["cls"])
    number = log.chain_lengths[cls]
    last = log.chains[cls, number - 1]
    rows = _conversation(mine).put("uow", mine.tokens(further=number - 1)[1])
    rows.put("tran", names.tran[last]).put("psb", names.psb[last])
    rows.put("end_reason", _NORMAL).put("pst", mine["region"] + 1)
    rows.put("max_spa_size", log.host.spa_bytes)
    rows.put("spa_inserts", number).put("spa_bytes", number * log.host.spa_bytes)
    return rows.put("end_time", mine.tod("sync"))


# --- programs, units of recovery, database changes ------------------------------------------------


def _program(mine: Mine) -> Plan:
    """What 07 and 08 have in common."""
    names = mine.log.names
    rtoken, _ = mine.tokens()
    rows = mine.rows(_RECORD[mine.code])
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("jobname", names.job[mine["region"]]).put("psb", mine.of_code(names.psb))
    rows.put("program", mine.of_code(names.psb)).put("tran", mine.of_code(names.tran))
    rows.put("region_type", names.kind[mine["region"]])
    rows.put("prty", mine.of_code(mine.log.priority))
    return rows.put("class", mine.of_code(mine.log.message_class))


def _schedule(mine: Mine) -> Plan:
    """08; of the queue, the message that it is for is known."""
    rows = _program(mine).put("flags", mine.log.names.waits[mine["region"]])
    rows.put("qcount", int(mine.log.sequence is None))
    return rows.put("sched", mine.tod("first_gu")).put("sched_start", mine.tod("start"))


def _program_end(mine: Mine) -> Plan:
    rows, messages = _program(mine), mine["messages"]
    waits = np.asarray(mine.log.names.waits[mine["region"]])
    quick = (np.asarray(messages) > 1) & (waits == 0) & (mine.log.sequence is None)
    rows.put("flags", waits + _QUICK * quick)
    rows.put("sched", mine.tod("start")).put("end", mine.tod("end"))
    rows.put("cpu_us", mine.us("cpu")).put("ziip_us", mine.us("ziip"))
    if mine.log.sequence is not None:  # no messages; its databases are DEDBs
        calls = mine.log.sequence.calls * mine.log.sequence.steps_of(np.asarray(messages))
        rows.put("db_io_us", mine.us("io_wait"))
        rows.put("fp_calls", calls).put("fp_reads", mine["reads"])
        return rows.put("fp_writes", mine["writes"])
    repl, hold, gu = (mine.of_class(one) * messages for one in mine.log.calls)
    rows.put("first_gu", mine.tod("first_gu")).put("msgs", messages)
    if mine.log.is_external:  # of the time in Db2, the waits for its tables are known
        rows.put("esaf_calls", mine.of_class(mine.log.esaf_calls) * messages)
        rows.put("esaf_us", mine.us("io_wait"))
    else:
        rows.put("db_ios", mine["reads"] + mine["writes"]).put("db_io_us", mine.us("io_wait"))
    rows.put("gu", gu).put("ghu", hold).put("repl", repl).put("msg_gu", messages)
    return rows.put("msg_isrt", messages)


def _checkpoint(mine: Mine) -> Plan:
    """41: the program commits what it changed; symbolic calls, so that it can be started again."""
    names, steps = mine.log.names, mine.log.changes
    rtoken, _ = mine.tokens()
    rows = mine.rows(_RECORD["41"], kind="S")
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("jobname", names.job[mine["region"]]).put("psb", mine.of_code(names.psb))
    rows.put("program", mine.of_code(names.psb)).put(
        "ckpt_id", _decimal(np.asarray(mine["number"]) + 1)
    )
    rows.put("number", mine["number"] + 1).put("changes", mine.of_class(steps))
    return rows.put("ckpt", mine.tod("sync"))


def _decimal(numbers: I64) -> U8:
    """Eight decimal digits in EBCDIC."""
    digits = numbers[:, None] // 10 ** np.arange(7, -1, -1) % 10
    return (0xF0 + digits).astype(np.uint8)


def _event(clock: str) -> Fill:
    """5607, 5610, 5611, 3730, 5612: something happened to the unit of recovery."""

    def fill(mine: Mine) -> Plan:
        names = mine.log.names
        rtoken, _ = mine.tokens()
        rows = mine.rows(_RECORD[mine.code])
        rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
        rows.put("psb", mine.of_code(names.psb)).put("tran", mine.of_code(names.tran))
        return rows.put("event", mine.tod(clock))

    return fill


def _source(mine: Mine) -> Plan:
    """A109: who called, for a unit of work of a thread; the thread is one that was there."""
    names, network = mine.log.names, mine.log.network
    credential = network.credential_bytes
    odbm = network.source == "ODBM"
    rtoken, _ = mine.tokens()
    rows = mine.rows(
        _RECORD["A109"], source=network.source, credential_bytes=credential,
        flags=0x4000 | 0x2000 * odbm | 0x1000 * (credential > 0),
    )  # fmt: skip
    caller = _caller(mine)
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("source_name", caller).put("jobname", caller)
    rows.put("psb", mine.of_code(names.psb)).put("tran", mine.of_code(names.tran))
    return rows.put("userid", names.userid[mine["client"]]).put("start_time", mine.tod("gu"))


def _caller(mine: Mine) -> Any:
    """The job whose thread it is."""
    callers = mine.log.names.caller
    return callers[mine["client"] % len(callers)]


def _change(mine: Mine) -> Plan:
    names = mine.log.names
    rtoken, _ = mine.tokens()
    mixed = mine.mixed()
    length = mine.log.lengths[mine.code]
    rows = mine.rows(_RECORD["5050"], dsid=1, call="R", flags=0xC000, key_len=0)
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("psb", mine.of_code(names.psb))
    rows.put("database", _database(mine))
    rows.put("block", (mixed >> 33) % CIS).put("offset", (mixed >> 21) % (CI - length))
    rows.put("len", max((length - SUFFIX - 62) // 2, 0))
    return rows.put("data", mixed)


def _database(mine: Mine) -> Any:
    """One of those that the program uses, where that is known; else of all."""
    known, drawn, all_of_them = mine.log.code_databases, mine.mixed() >> 50, mine.log.names.database
    if known is None:
        return all_of_them[drawn % len(all_of_them)]
    code = np.asarray(mine["code" if mine.of_steps else "cls"])
    return known[code, np.asarray(drawn % known.shape[1])]


def _statistics(mine: Mine) -> Plan:
    names, log = mine.log.names, mine.log
    rtoken, uow = mine.tokens()
    record = _RECORD["56FA"]
    rows = mine.rows(
        record, tpcpossn=log.host.ims_id, tpimsver=log.host.ims_level, tpimsrel=1,
        tpnwid="", tpluname="",  # no message comes by APPC
    )  # fmt: skip
    rows.put("tpcpstn", mine["region"] + 1).put("tpcprtkn", rtoken)
    rows.put("tpcpusid", names.userid[mine["client"]]).put("tpcppsb", mine.of_code(names.psb))
    job = _caller(mine) if log.network.callers else names.job[mine["region"]]
    rows.put("tpstepn", job).put("tpjobn", job).put("tptran", mine.of_code(names.tran))
    rows.put("tppgmnm", mine.of_code(names.psb)).put("tpclass", mine.of_code(log.message_class))
    rows.put("tpprty", mine.of_code(log.priority))
    rows.put("tptype", names.type_bit[mine["region"]]).put("tpextime", mine.us("cpu_region"))
    rows.put("tpezaap", mine.us("ziip_region"))
    rows.put("tpstartu", _stamp(mine, "gu")).put("tpendu", _stamp(mine, "sync"))
    repl, hold, gu = (mine.of_code(one) for one in log.code_calls)
    rows.put("tpdgu", gu).put("tpdghu", hold).put("dl_repl", repl)
    if not log.is_external:
        rows.put("tptdbio", mine.us("io_wait"))
    if log.sequence is not None:
        rows.put("fp_calls", mine.of_class(log.dedb_calls)).put("fp_ci_reads", mine["reads"])
        return rows.put("fp_ci_updates", mine["writes"])
    if log.is_external:
        rows.put("esaf_calls", mine.of_code(log.code_esaf_calls))
    else:
        rows.put("db_ios", mine["reads"] + mine["writes"])
    if log.has_messages:
        rows.put("tplterm", names.lterm[mine["client"]]).put("uow", uow)
        rows.put("tpinutc", _stamp(mine, "arrival"))
        rows.put("msg_gu", 1).put("msg_isrt", 1)
    return rows


def _stamp(mine: Mine, clock: str) -> npt.NDArray[np.uint8]:
    """A time in UTC as IMS packs it, with the local offset."""
    utc = utc12.encode(mine.log.utc(np.asarray(mine[clock])))
    return with_offset(utc, mine.log.host.offset_minutes)


# --- threads to Db2 -------------------------------------------------------------------------------


def _thread(clock: str) -> Fill:
    """5603 and 560B: the thread to the external subsystem (thread_tokens.py).

    5603 of the first message of a schedule is a new thread. Making it has its share of what the
    schedule took; the end of the schedule and the first call are one time here.
    """

    def fill(mine: Mine) -> Plan:
        names = mine.log.names
        rtoken, _ = mine.tokens()
        threads = mine.log.host.ims.threads
        rows = mine.rows(_RECORD[mine.code], subsystem="DB2A", subsystem_type="DB2")
        rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
        rows.put("psb", mine.of_code(names.psb)).put("tran", mine.of_code(names.tran))
        rows.put("userid", names.userid[mine["client"]]).put("plan", mine.of_code(names.psb))
        rows.put("jobname", names.job[mine["region"]])
        rows.put("thread_token", mine["thread"]).put("end_time", mine.tod(clock))
        if threads.pooled or mine.code != "5603":
            rows.put("flags", _POOLED * threads.pooled + _USED_AGAIN)
            return rows.put("start_time", mine.tod(clock))
        new = np.asarray(mine["scheduled"]) > 0
        took = (np.asarray(mine["gu"]) - np.asarray(mine["taken"])) * threads.making * new
        took = took.astype(np.int64)
        rows.put("flags", np.where(new, 0, _USED_AGAIN)).put("elapsed_us", took >> 12)
        return rows.put("start_time", np.asarray(mine.tod(clock)) - took)

    return fill


def _thread_end(mine: Mine) -> Plan:
    """5604: the program ended, and with it its thread; the user is that of no message."""
    names, log = mine.log.names, mine.log
    rtoken, _ = mine.tokens()
    rows = mine.rows(_RECORD["5604"], subsystem="DB2A", subsystem_type="DB2", userid="")
    rows.put("pst", mine["region"] + 1).put("rtoken", rtoken)
    rows.put("psb", mine.of_code(names.psb)).put("tran", mine.of_code(names.tran))
    rows.put("plan", mine.of_code(names.psb)).put("jobname", names.job[mine["region"]])
    known, number = np.asarray(mine["first_gu"]) >= 0, np.asarray(mine["number"])
    region = np.asarray(mine["region"])
    rows.put("thread_token", np.where(known, token_of(region, number), region + 1))
    rows.put("calls", mine.of_class(log.esaf_calls) * mine["messages"])
    rows.put("elapsed_us", np.asarray(mine["end"]) - np.asarray(mine["first_gu"]) >> 12)
    return rows.put("start_time", mine.tod("end")).put("end_time", mine.tod("end"))


# --- Fast Path ------------------------------------------------------------------------------------


def _fp_input(mine: Mine) -> Plan:
    names = mine.log.names
    rtoken, uow = mine.tokens()
    rows = mine.rows(_RECORD["5901"], len=mine.log.host.message_in)
    rows.put("rtoken", rtoken).put("routing", mine.of_class(names.tran))
    rows.put("tran", mine.of_class(names.tran)).put("psb", mine.of_class(names.psb))
    rows.put("lterm", names.lterm[mine["client"]]).put("userid", names.userid[mine["client"]])
    rows.put("pst", mine["region"] + 1).put("uow", uow).put("arrival", mine.tod("arrival"))
    return rows.put("gu", mine.tod("gu"))


def _fp_update(mine: Mine) -> Plan:
    rtoken, _ = mine.tokens()
    mixed = mine.mixed()
    rba = (mixed >> 33) % CIS * CI
    rows = mine.rows(_RECORD["5950"], ci_size=CI, len=UPDATE_BYTES)
    rows.put("rtoken", rtoken).put("area", mine.log.names.area[mine["area"]])
    return rows.put("rba", rba).put("data", mixed)


def _fp_commit(mine: Mine) -> Plan:
    names = mine.log.names
    rtoken, uow = mine.tokens()
    rows = mine.rows(_RECORD["5937"], fail_code="")
    rows.put("rtoken", rtoken).put("uow", uow).put("pst", mine["region"] + 1)
    rows.put("psb", mine.of_class(names.psb)).put("tran", mine.of_class(names.tran))
    rows.put("routing", mine.of_class(names.tran))
    rows.put("dedb_calls", mine.of_class(mine.log.dedb_calls))
    if not mine.log.is_external:
        rows.put("ci_reads", mine["reads"])
        if mine.log.sequence is None:
            rows.put("ci_updates", mine.of_class(mine.log.changes))
            rows.put("nba", mine.of_class(mine.log.dedb_buffers))
        else:  # a unit of recovery of many changes: those whose I/O was simulated
            rows.put("ci_updates", mine["writes"]).put("nba", mine.most("reads", "writes"))
    rows.put("sync", mine.tod("sync"))
    return rows.put("router", mine.tod("written"))


def _fp_output(mine: Mine) -> Plan:
    rtoken, uow = mine.tokens()
    rows = mine.rows(_RECORD["5903"], len=mine.log.host.message_out)
    rows.put("rtoken", rtoken).put("uow", uow).put("lterm", mine.log.names.lterm[mine["client"]])
    return rows.put("pst", mine["region"] + 1)


def _fp_dequeue(mine: Mine) -> Plan:
    _, uow = mine.tokens()
    rows = mine.rows(_RECORD["5936"])
    rows.put("uow", uow).put("lterm", mine.log.names.lterm[mine["client"]])
    return rows.put("dequeue", mine.tod("dequeue"))


# --- all of them, in order ------------------------------------------------------------------------

KINDS = (
    FlowRecord("11", "arrival", _conversation_start),
    FlowRecord("01", "arrival", _message_in),
    FlowRecord("35", "arrival", _queue(output=False, in_region=False)),
    FlowRecord("5604", "end", _thread_end),
    FlowRecord("07", "end", _program_end),
    FlowRecord("08", "begun", _schedule),
    FlowRecord("31", "gu", _queue(output=False, in_region=True), step=True),
    FlowRecord("5901", "gu", _fp_input),
    FlowRecord("A109", "gu", _source),
    FlowRecord("5607", "gu", _event("gu"), step=True),
    FlowRecord("5603", "gu", _thread("gu"), step=True),
    FlowRecord("5050", "sync", _change, many=True, step=True),
    FlowRecord("5950", "sync", _fp_update, many=True),
    FlowRecord("41", "sync", _checkpoint),
    FlowRecord("03", "sync", _message_out, step=True),
    FlowRecord("5610", "sync", _event("sync"), step=True),
    FlowRecord("5611", "sync", _event("sync"), step=True),
    FlowRecord("560B", "sync", _thread("sync"), step=True),
    FlowRecord("3730", "sync", _event("sync"), step=True),
    FlowRecord("35", "sync", _inserted, nth=1, step=True),
    FlowRecord("5937", "sync", _fp_commit),
    FlowRecord("5612", "sync", _event("sync"), step=True),
    FlowRecord("56FA", "sync", _statistics, step=True),
    FlowRecord("12", "sync", _conversation_end),
    FlowRecord("5903", "written", _fp_output),
    FlowRecord("31", "dequeue", _queue(output=True, in_region=False), nth=1),
    FlowRecord("36", "dequeue", _queue(output=True, in_region=False)),
    FlowRecord("33", "dequeue", _queue(output=True, in_region=False)),
    FlowRecord("5936", "dequeue", _fp_dequeue),
)
