"""Log records of Fast Path transactions, profile imsperf-1."""

from __future__ import annotations

from imsperf.layouts import ims_59
from imsperf.synthetic.log.flow_rows import CI, CIS, UPDATE_BYTES, Kind, Mine
from imsperf.synthetic.log.log_plan import Plan

_FP_INPUT, _FP_OUTPUT, _FP_DEQUEUE, _FP_COMMIT, *_, _FP_UPDATE = ims_59.RECORDS


def _fp_input(mine: Mine) -> Plan:
    names = mine.log.names
    rtoken, uow = mine.tokens()
    rows = mine.rows(_FP_INPUT, len=mine.log.host.message_in)
    rows.put("rtoken", rtoken).put("routing", mine.of_class(names.tran))
    rows.put("tran", mine.of_class(names.tran)).put("psb", mine.of_class(names.psb))
    rows.put("lterm", names.lterm[mine["client"]]).put("userid", names.userid[mine["client"]])
    rows.put("pst", mine["region"] + 1).put("uow", uow).put("arrival", mine.tod("arrival"))
    return rows.put("gu", mine.tod("gu"))


def _fp_update(mine: Mine) -> Plan:
    rtoken, _ = mine.tokens()
    mixed = mine.mixed()
    rba = (mixed >> 33) % CIS * CI
    rows = mine.rows(_FP_UPDATE, ci_size=CI, len=UPDATE_BYTES)
    rows.put("rtoken", rtoken).put("area", mine.log.names.area[mine["area"]])
    return rows.put("rba", rba).put("data", mixed)


def _fp_commit(mine: Mine) -> Plan:
    names = mine.log.names
    rtoken, uow = mine.tokens()
    rows = mine.rows(_FP_COMMIT, fail_code="")
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
    rows = mine.rows(_FP_OUTPUT, len=mine.log.host.message_out)
    rows.put("rtoken", rtoken).put("uow", uow).put("lterm", mine.log.names.lterm[mine["client"]])
    return rows.put("pst", mine["region"] + 1)


def _fp_dequeue(mine: Mine) -> Plan:
    _, uow = mine.tokens()
    rows = mine.rows(_FP_DEQUEUE)
    rows.put("uow", uow).put("lterm", mine.log.names.lterm[mine["client"]])
    return rows.put("dequeue", mine.tod("dequeue"))


INPUT = Kind("5901", "gu", _fp_input)
UPDATE = Kind("5950", "sync", _fp_update, many=True)
COMMIT = Kind("5937", "sync", _fp_commit)
OUTPUT = Kind("5903", "written", _fp_output)
DEQUEUE = Kind("5936", "dequeue", _fp_dequeue)
