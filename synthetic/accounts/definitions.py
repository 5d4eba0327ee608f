"""What IMS is told of its work, as the log states it: transactions, threads to Db2.

The attributes of a transaction are those of the table `dis_tran` (/DISPLAY TRAN, 000 Figure 2). A
scenario without it has what IMS gives a transaction that is defined without further words, which is
what that figure shows: priorities 1, no limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from imsperf.synthetic.workloads.features import kept_threads
from imsperf.synthetic.workloads.mix import transactions as rows_of_kind

MANY = 65_535  # of a limit count: no limit
USUAL = {
    "cp": 1, "np": 1, "lp": 1, "lct": MANY, "plct": MANY, "segsz": 0, "segno": 0, "parlm": 0,
}  # fmt: skip


@dataclass(frozen=True)
class Transaction:
    """One transaction code. `region`: the kind, as the pools of regions are named."""

    code: str
    region: str
    message_class: int
    conversational: bool
    current_priority: int
    normal_priority: int
    limit_priority: int
    limit_count: int
    processing_limit: int
    segment_size: int
    segment_number: int
    parallel_limit: int


@dataclass(frozen=True)
class Threads:
    """Threads to Db2: kept and used again (`pooled`) or not; so many bytes of CSA each.

    Pooled: of a region one for each plan and authorization id, at most `limit`; `kept` of all.
    """

    pooled: bool = False
    limit: int = 1
    ids: int = 1
    kept: int = 0
    csa_bytes: float = 0.0
    making: float = 0.0  # of the time of a schedule, its thread; 0 where that is not known


@dataclass(frozen=True)
class Definitions:
    """What the log of a run states besides what happened in it."""

    transactions: tuple[Transaction, ...] = ()
    wait_for_input: bool = True
    threads: Threads = Threads()


def definitions_of(scenario: Any) -> Definitions:
    """From the knobs and tables of a scenario; what it does not have is left out."""
    return Definitions(
        transactions=_transactions(scenario),
        wait_for_input=scenario.get("sched.wfi", "on") == "on",
        threads=_threads(scenario),
    )


def _threads(scenario: Any) -> Threads:
    pooled, thread_ms = scenario.get("esaf.pooling", ""), scenario.get("esaf.thread_ms", 0.0)
    elapsed_ms = thread_ms + scenario.get("sched.elapsed_ms", 0.0)
    making = thread_ms / elapsed_ms if pooled == "off" and elapsed_ms > 0 else 0.0
    if pooled == "":
        return Threads()
    return Threads(
        pooled == "on",
        scenario["esaf.pool_limit"],
        scenario["esaf.authorization_ids"],
        kept_threads(scenario),
        scenario["esaf.thread_kb"] * 1024,
        making,
    )


def _transactions(scenario: Any) -> tuple[Transaction, ...]:
    if "transactions" not in scenario.tables:
        return ()
    shown = scenario.table("dis_tran") if "dis_tran" in scenario.tables else []
    known = {row["tran"]: row for row in shown}
    usual = USUAL | {"plct": scenario.get("sched.plct", MANY)}
    return tuple(_transaction(row, known.get(row["tran"], usual)) for row in rows_of_kind(scenario))


def _transaction(row: Mapping[str, Any], shown: Mapping[str, Any]) -> Transaction:
    return Transaction(
        code=row["tran"],
        region=row.get("region", "IFP"),
        message_class=row.get("cls", 1),
        conversational=row.get("conversational") == "yes",
        current_priority=shown["cp"],
        normal_priority=shown["np"],
        limit_priority=shown["lp"],
        limit_count=shown["lct"],
        processing_limit=shown["plct"],
        segment_size=shown["segsz"],
        segment_number=shown["segno"],
        parallel_limit=shown["parlm"],
    )
