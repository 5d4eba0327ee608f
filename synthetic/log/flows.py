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

from imsperf.kinds import utc12
from imsperf.layouts.ims_59 import BUFFERS_64, SUBPOOL_64
from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.flow_rows import CI, CIS, UPDATE_BYTES, Fill, FlowRecord, Mine
from imsperf.synthetic.log.log_plan import SUFFIX, Plan
from imsperf.synthetic.log.log_records import with_offset
from imsperf.synthetic.log.thread_tokens import token_of

_SHARED = 0x20  # of the flags of a queue
_QUICK = 0x10  # of the flags of a program
_USED_AGAIN, _POOLED = 0x4000, 0x2000  # of the flags of a thread
_OF_THREAD = ("pst", "rtoken", "psb", "tran", "plan", "jobname")
_DB2 = {"subsystem": "DB2A", "subsystem_type": "DB2"}
CALLS = {  # kinds of calls in 56FA
    "gu": "tpdgu", "gn": "tpdgn", "ghu": "tpdghu",
    "isrt": "dl_isrt", "dlet": "dl_dlet", "repl": "dl_repl",
}  # fmt: skip
_TRANSACTION, _LTERM, _NORMAL = 0xE2, 0xD3, 0xD5  # S, L and N in EBCDIC

# --- messages on queues ---------------------------------------------------------------------------


def _message_in(mine: Mine) -> Plan:
    return mine.records(
        "uow", "arrival", "lterm", "userid",
        flags=0xC000, dest_type="S", src_type=mine.log.source, tmember=mine.log.member,
        text_len=mine.log.host.message_in, dest=mine.of_code(mine.log.names.tran),
    )  # fmt: skip


def _message_out(mine: Mine) -> Plan:
    """03: the answer, or the message for the program that is switched to."""
    return mine.records(
        "pst", "arrival", "lterm", "userid",
        flags=0xE000, src_type="P", tmember=mine.log.member, text_len=mine.log.host.message_out,
        parent_uow=mine.tokens()[1], **_destination(mine),
    )  # fmt: skip


def _inserted(mine: Mine) -> Plan:
    """35 of what the program has put on a queue."""
    flags = mine.last_or(0, _SHARED * mine.log.has_shared_queues)
    return mine.records("pst", "rtoken", flags=flags, **_destination(mine))


def _destination(mine: Mine) -> dict[str, Any]:
    """Unit of work and queue of an output, or of the message that a step switches to."""
    names = mine.log.names
    (_, output), (_, switch) = mine.tokens(output=True), mine.tokens(further=1)
    following = mine.of_code(names.tran, further=True)
    return {
        "uow": mine.last_or(output, switch),
        "dest": mine.last_or(names.lterm[mine["client"]], following),
        "dest_type": mine.last_or(_LTERM, _TRANSACTION),
    }


def _queue(output: bool, in_region: bool) -> Fill:
    """31, 33, 35, 36 of an input, on its transaction's queue, or of the output, on the LTERM's."""

    def fill(mine: Mine) -> Plan:
        names = mine.log.names
        shared = mine.log.has_shared_queues and not output  # answers pass no shared queue
        return mine.records(
            *(("pst", "rtoken") if in_region else ()),
            dest_type="L" if output else "S",
            flags=_SHARED * shared,
            uow=mine.tokens(output)[1],
            dest=names.lterm[mine["client"]] if output else mine.of_code(names.tran),
        )

    return fill


def _conversation(mine: Mine, **more: Any) -> Plan:
    """What 11 and 12 have in common: a conversation of one input, kept up over the switches."""
    log = mine.log
    return mine.records(
        "lterm", "userid",
        flags=(0x8000 if log.source == "O" else 0) | 0x0800, tmember=log.member,
        src_type=log.source, spa_size=log.host.spa_bytes, steps=1,
        conv_id=mine["number"] & 0xFFFFFFFF, start_time=mine.tod("arrival"), **more,
    )  # fmt: skip


def _conversation_start(mine: Mine) -> Plan:
    return _conversation(mine, uow=mine.tokens()[1], tran=mine.of_code(mine.log.names.tran))


def _conversation_end(mine: Mine) -> Plan:
    """12: the last program of the chain ends it; each has passed on the SPA."""
    names, log = mine.log.names, mine.log
    cls = np.asarray(mine["cls"])
    number = log.chain_lengths[cls]
    last = log.chains[cls, number - 1]
    return _conversation(
        mine,
        uow=mine.tokens(further=number - 1)[1],
        tran=names.tran[last],
        psb=names.psb[last],
        end_reason=_NORMAL,
        pst=mine["region"] + 1,
        max_spa_size=log.host.spa_bytes,
        spa_inserts=number,
        spa_bytes=number * log.host.spa_bytes,
        end_time=mine.tod("sync"),
    )


# --- programs, units of recovery, database changes ------------------------------------------------


def _program(mine: Mine, **more: Any) -> Plan:
    """What 07 and 08 have in common."""
    return mine.records(
        "pst", "rtoken", "jobname", "psb", "program", "tran", "prty", "class",
        region_type=mine.log.names.kind[mine["region"]], **more,
    )  # fmt: skip


def _schedule(mine: Mine) -> Plan:
    """08; of the queue, the message that it is for is known."""
    return _program(
        mine,
        flags=mine.log.names.waits[mine["region"]],
        qcount=int(mine.log.sequence is None),
        sched=mine.tod("scheduled"),
        sched_start=mine.tod("start"),
    )


def _program_end(mine: Mine) -> Plan:
    log, messages = mine.log, mine["messages"]
    waits = np.asarray(log.names.waits[mine["region"]])
    quick = (np.asarray(messages) > 1) & (waits == 0) & (log.sequence is None)
    rows = _program(
        mine,
        flags=waits + _QUICK * quick,
        sched=mine.tod("start"),
        end=mine.tod("end"),
        cpu_us=mine.us("cpu"),
        ziip_us=mine.us("ziip"),
    )
    if log.sequence is not None:  # no messages; its databases are DEDBs
        return rows.fill(
            db_io_us=mine.us("io_wait"),
            fp_calls=log.sequence.calls * log.sequence.steps_of(np.asarray(messages)),
            fp_reads=mine["reads"],
            fp_writes=mine["writes"],
        )
    if log.is_external:  # of the time in Db2, the waits for its tables are known
        calls = mine.of_class(log.esaf_calls) * messages
        rows.fill(esaf_calls=calls, esaf_us=mine.us("io_wait"))
    else:
        rows.fill(db_ios=mine["reads"] + mine["writes"], db_io_us=mine.us("io_wait"))
    kinds = {name: mine.of_class(calls) * messages for name, calls in vars(log.calls).items()}
    rows.fill(**kinds, first_gu=mine.tod("first_gu"))
    return rows.fill(**dict.fromkeys(("msgs", "msg_gu", "msg_isrt"), messages))


def _checkpoint(mine: Mine) -> Plan:
    """41: the program commits what it changed; symbolic calls, so that it can be started again."""
    return mine.records(
        "pst", "rtoken", "jobname", "psb", "program",
        kind="S", ckpt_id=_decimal(np.asarray(mine["number"]) + 1), number=mine["number"] + 1,
        changes=mine.of_class(mine.log.changes), ckpt=mine.tod("sync"),
    )  # fmt: skip


def _decimal(numbers: I64) -> U8:
    """Eight decimal digits in EBCDIC."""
    digits = numbers[:, None] // 10 ** np.arange(7, -1, -1) % 10
    return (0xF0 + digits).astype(np.uint8)


def _event(clock: str) -> Fill:
    """5607, 5610, 5611, 3730, 5612: something happened to the unit of recovery."""

    def fill(mine: Mine) -> Plan:
        return mine.records("pst", "rtoken", "psb", "tran", event=mine.tod(clock))

    return fill


def _source(mine: Mine) -> Plan:
    """A109: who called, for a unit of work of a thread; the thread is one that was there."""
    network, caller = mine.log.network, _caller(mine)
    credential = network.credential_bytes
    return mine.records(
        "pst", "rtoken", "psb", "tran", "userid",
        source=network.source, credential_bytes=credential,
        flags=0x4000 | 0x2000 * network.remote | 0x1000 * (credential > 0),
        source_name=caller, jobname=caller, start_time=mine.tod("gu"),
    )  # fmt: skip


def _caller(mine: Mine) -> Any:
    """The job whose thread it is."""
    callers = mine.log.names.caller
    return callers[mine["client"] % len(callers)]


def _change(mine: Mine) -> Plan:
    mixed, length = mine.mixed(), mine.log.lengths[mine.code]
    return mine.records(
        "pst", "rtoken", "psb",
        dsid=1, call=_letter(mine), flags=0xC000, key_len=0, database=_database(mine),
        block=(mixed >> 33) % CIS, offset=(mixed >> 21) % (CI - length),
        len=max((length - SUFFIX - 62) // 2, 0), data=mixed,
    )  # fmt: skip


def _letter(mine: Mine) -> Any:
    """I, D or R: the kinds of a code take turns."""
    letters = mine.log.code_letters
    code = np.asarray(mine["code" if mine.of_steps else "cls"])
    return letters[code, mine.nth % letters.shape[1]]


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
    job = _caller(mine) if log.network.callers else names.job[mine["region"]]
    kinds = {CALLS[name]: mine.of_code(calls) for name, calls in vars(log.code_calls).items()}
    rows = mine.records(
        tpcpossn=log.host.ims_id,
        tpimsver=log.host.ims_level,
        tpimsrel=1,
        tpnwid="",
        tpluname="",  # no message comes by APPC
        tpcpstn=mine["region"] + 1,
        tpcprtkn=rtoken,
        tpcpusid=names.userid[mine["client"]],
        tpcppsb=mine.of_code(names.psb),
        tpstepn=job,
        tpjobn=job,
        tptran=mine.of_code(names.tran),
        tppgmnm=mine.of_code(names.psb),
        tpclass=mine.of_code(log.message_class),
        tpprty=mine.of_code(log.priority),
        tptype=names.type_bit[mine["region"]],
        tpextime=mine.us("cpu_region"),
        tpezaap=mine.us("ziip_region"),
        tpstartu=_stamp(mine, "gu"),
        tpendu=_stamp(mine, "sync"),
        **kinds,
    )
    if not log.is_external:
        rows.fill(tptdbio=mine.us("io_wait"))
    if log.sequence is not None:
        calls = mine.of_class(log.dedb_calls)
        return rows.fill(fp_calls=calls, fp_ci_reads=mine["reads"], fp_ci_updates=mine["writes"])
    if log.is_external:
        rows.fill(esaf_calls=mine.of_code(log.code_esaf_calls))
    else:
        rows.fill(db_ios=mine["reads"] + mine["writes"])
    if log.has_messages:
        rows.fill(tplterm=names.lterm[mine["client"]], uow=uow, tpinutc=_stamp(mine, "arrival"))
        rows.fill(msg_gu=1, msg_isrt=1)
    return rows


def _stamp(mine: Mine, clock: str) -> U8:
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
        threads = mine.log.host.ims.threads
        rows = mine.records(
            *_OF_THREAD, "userid", **_DB2, thread_token=mine["thread"], end_time=mine.tod(clock)
        )
        if threads.pooled or mine.code != "5603":
            flags = _POOLED * threads.pooled + _USED_AGAIN
            return rows.fill(flags=flags, start_time=mine.tod(clock))
        new = np.asarray(mine["scheduled"]) > 0
        took = (np.asarray(mine["gu"]) - np.asarray(mine["taken"])) * threads.making * new
        took = took.astype(np.int64)
        return rows.fill(
            flags=np.where(new, 0, _USED_AGAIN),
            elapsed_us=took >> 12,
            start_time=np.asarray(mine.tod(clock)) - took,
        )

    return fill


def _thread_end(mine: Mine) -> Plan:
    """5604: the program ended, and with it its thread; the user is that of no message."""
    first, region = np.asarray(mine["first_gu"]), np.asarray(mine["region"])
    token = np.where(first >= 0, token_of(region, np.asarray(mine["number"])), region + 1)
    return mine.records(
        *_OF_THREAD,
        **_DB2,
        userid="",
        thread_token=token,
        calls=mine.of_class(mine.log.esaf_calls) * mine["messages"],
        elapsed_us=np.asarray(mine["end"]) - first >> 12,
        start_time=mine.tod("end"),
        end_time=mine.tod("end"),
    )


# --- Fast Path ------------------------------------------------------------------------------------


def _fp_input(mine: Mine) -> Plan:
    return mine.records(
        "pst", "rtoken", "routing", "tran", "psb", "lterm", "userid", "uow", "arrival",
        len=mine.log.host.message_in, gu=mine.tod("gu"),
    )  # fmt: skip


def _fp_update(mine: Mine) -> Plan:
    mixed, area = mine.mixed(), mine.log.names.area[mine["area"]]
    rba = (mixed >> 33) % CIS * CI
    return mine.records("rtoken", ci_size=CI, len=UPDATE_BYTES, area=area, rba=rba, data=mixed)


def _fp_commit(mine: Mine) -> Plan:
    rows = mine.records(
        "pst", "rtoken", "uow", "psb", "tran", "routing",
        fail_code="", dedb_calls=mine.of_class(mine.log.dedb_calls),
        sync=mine.tod("sync"), router=mine.tod("written"),
    )  # fmt: skip
    if mine.log.is_external:
        return rows
    rows.fill(ci_reads=mine["reads"])
    if mine.log.sequence is None:
        changes, buffers = mine.log.changes, mine.log.dedb_buffers
        return rows.fill(ci_updates=mine.of_class(changes), nba=mine.of_class(buffers))
    # a unit of recovery of many changes: those whose I/O was simulated
    return rows.fill(ci_updates=mine["writes"], nba=mine.most("reads", "writes"))


def _fp_buffers(mine: Mine) -> Plan:
    """5945: all buffers are of one subpool, none is waited for."""
    used, updated = mine.of_class(mine.log.dedb_buffers), mine.of_class(mine.log.changes)
    if mine.log.sequence is not None:
        used, updated = mine.most("reads", "writes"), mine["writes"]
    rows = mine.records(
        "pst", "rtoken", "uow", "psb", "tran", "routing",
        count=1, entry_len=SUBPOOL_64.length, sync=mine.tod("sync"),
        bufs_used=used, bufs_used_max=used, nba=used,
    )  # fmt: skip
    return rows.fill_entry(
        SUBPOOL_64, BUFFERS_64.length, subpool=1, buf_size=CI, bufs_used=used, bufs_updated=updated
    )


def _fp_output(mine: Mine) -> Plan:
    return mine.records("pst", "rtoken", "uow", "lterm", len=mine.log.host.message_out)


def _fp_dequeue(mine: Mine) -> Plan:
    return mine.records("uow", "lterm", dequeue=mine.tod("dequeue"))


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
    FlowRecord("5945", "sync", _fp_buffers),
    FlowRecord("5612", "sync", _event("sync"), step=True),
    FlowRecord("56FA", "sync", _statistics, step=True),
    FlowRecord("12", "sync", _conversation_end),
    FlowRecord("5903", "written", _fp_output),
    FlowRecord("31", "dequeue", _queue(output=True, in_region=False), nth=1),
    FlowRecord("36", "dequeue", _queue(output=True, in_region=False)),
    FlowRecord("33", "dequeue", _queue(output=True, in_region=False)),
    FlowRecord("5936", "dequeue", _fp_dequeue),
)
