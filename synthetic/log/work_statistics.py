"""Statistics of the work of IMS: A107 threads to Db2, A108 calls by source, A10D transactions.

All count from IMS start, the warm-up included. Calls are those of the transactions that ended,
by kind as db_calls has them; of calls to DEDBs as many replace as changes are logged, all others
get. ICAL calls are all that were made.
Of the time inside Db2 the waits for its tables are known, as in 07; that inside DL/I is not told
apart from other waits of a region: zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.region_cpu import region_ticks, region_ziip_ticks
from imsperf.synthetic.accounts.regions import (
    REGION_TYPES,
    program_names,
    psb_name,
)
from imsperf.synthetic.arrays import I64, U8, Bools
from imsperf.synthetic.log.db_calls import calls_of_codes
from imsperf.synthetic.log.statistics_sets import (
    RECORDS,
    Sets,
    parts_of,
    regions_of_classes,
    table_records,
)
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.units import TICKS_PER_US

DB2 = "DB2A"


def work_sets(sets: Sets) -> Iterator[U8]:
    """A107, A108 and A10D of all sets, behind the statistics set; each where there is such work."""
    if _counts(sets.network, "5603").any():
        yield from table_records(sets, RECORDS[0xA1, 0x07], _db2(sets), 1)
    calls = _calls(sets)
    yield from table_records(sets, RECORDS[0xA1, 0x08], calls, len(calls["source"]))
    if sets.network.source or sets.network.sequence or not sets.host.ims.transactions:
        return
    defined = _definitions(sets)
    yield from table_records(sets, RECORDS[0xA1, 0x0D], defined, len(defined["tran"]))


def _counts(network: Network, *codes: str) -> I64:
    """Log records of some codes that a transaction of each class writes."""
    counts = np.zeros(len(network.classes), np.int64)
    for database in network.logged:
        if database.code in codes:
            counts += np.array(database.counts, np.int64)
    return counts


# --- threads to Db2 -------------------------------------------------------------------------------


def _db2(sets: Sets) -> dict[str, Any]:
    """One Db2, to which every region is connected; a sync point is a use of its thread.

    A new thread is used before its first sync point. Each use has a sign-on.
    """
    network = sets.network
    commits, threads, gone = sets.total("awe"), *_threads(sets)
    now, pooled = threads - gone, sets.host.ims.threads.pooled
    again = commits if pooled else np.maximum.accumulate(np.maximum(commits - threads, 0))
    columns = {
        "subsystem": DB2,
        "subsystem_type": "DB2",
        "pooled": "Y" if pooled else "N",
        "state": "C",
        "connections": network.regions,
        "connects": network.regions,
        "threads": now,
        "max_threads": np.maximum.accumulate(now),
        "signons": threads + again,
        "thread_creates": threads,
        "thread_reuses": again,
        "thread_terminates": gone,
        "calls": sets.total("completed") @ network.of_classes("esaf_calls"),
        "calls_us": sets.total(
            "read_wait_ticks", unit=TICKS_PER_US
        ),  # calls wait for reads of tables
        "prepares": _prepares(sets, commits),
        "commits": commits,
        "storage_bytes": now * int(sets.host.ims.threads.csa_bytes),
    }
    return {name: _column(values) for name, values in columns.items()}


def _prepares(sets: Sets, commits: I64) -> I64:
    """Units of recovery in two phases (5610); those of Fast Path commit in one."""
    done, two = sets.total("completed"), _counts(sets.network, "5610") > 0
    both = np.stack([done[:, two].sum(axis=1), done[:, ~two].sum(axis=1)], axis=1)
    return parts_of(commits, both)[:, 0] if not two.all() else commits


def _threads(sets: Sets) -> tuple[I64, I64]:
    """Threads made and ended so far.

    Not pooled: one for each schedule, and one for good in each region whose program stays. Pooled:
    all that regions keep; they were made during the ramp, which is longer than the warm-up.
    """
    network, threads = sets.network, sets.host.ims.threads
    if not threads.pooled:
        staying = sum(pool.count for pool in network.region_pools if not pool.schedule_chance)
        return sets.total("schedules") + staying, sets.total("programs_ended")
    kept = np.full(len(sets.total("schedules")), threads.kept, np.int64)
    return kept, np.zeros_like(kept)


def _column(values: Any) -> Any:
    """(sets,) as (sets, 1): one entry of each set."""
    return values[:, None] if isinstance(values, np.ndarray) else values


# --- calls by source ------------------------------------------------------------------------------


def _calls(sets: Sets) -> dict[str, Any]:
    """An entry for each kind of region, or for the callers of threads as a whole."""
    network = sets.network
    pools = network.region_pools
    mine = network.of_classes("pool")[:, None] == np.arange(len(pools))
    done = sets.total("completed")
    ended: I64 = done @ mine

    def of(each: I64) -> I64:
        """Calls so far by source, from those of a transaction of each class."""
        counts: I64 = done @ (each[:, None] * mine)
        return counts

    count: Any = np.array([pool.count for pool in pools])
    if network.sequence:  # while it runs
        count = (sets.total("schedules") - sets.total("programs_ended"))[:, None]
    calls = {name: of(each) for name, each in calls_of(network, sets.host).items()}
    if network.callouts is not None:
        calls["dc_ical_calls"] = parts_of(sets.total("gate_calls").sum(axis=1), ended)
    return {
        "source": [_source(network, pool.name) for pool in pools],
        "threads": count,
        "max_threads": np.maximum.accumulate(count) if network.sequence else count,
        "transactions_processed": ended,
        "schedules": _schedules(sets, ended),
        "cpu_us": _cpu(sets, mine, region_ticks),
        "ziip_us": _cpu(sets, mine, region_ziip_ticks),
        **calls,
    }


def calls_of(network: Network, host: Host) -> dict[str, I64]:
    """Calls of a transaction of each class by kind.

    Of its DC and system service calls a GU and an ISRT are those of each message; what the others
    are is not published: system services.
    """
    calls, dedb_calls = (
        calls_of_codes(network, host).of_classes(network),
        network.of_classes("dedb_calls"),
    )
    dedb_changes = np.minimum(_counts(network, "5950"), dedb_calls)
    messages = network.of_classes("chain_length") * (_counts(network, "01", "5901") > 0)
    others = network.of_classes("dc_calls") - 2 * messages - (network.callouts is not None)
    return {
        "db_gu_calls": calls.gu + calls.ghu + dedb_calls - dedb_changes,
        "db_gn_calls": calls.gn,
        "db_isrt_calls": calls.isrt,
        "db_dlet_calls": calls.dlet,
        "db_repl_calls": calls.repl + dedb_changes,
        "dc_gu_calls": messages,
        "dc_isrt_calls": messages,
        "dli_sync_calls": _counts(network, "41"),
        "dli_other_calls": np.maximum(others, 0),
        "esaf_calls": network.of_classes("esaf_calls"),
    }


def _source(network: Network, pool: str) -> str:
    return network.source if pool == "THREAD" else pool


def _schedules(sets: Sets, ended: I64) -> I64:
    """Programs scheduled, (sets, pools); a unit of work of a thread schedules its PSB.

    Where several kinds of regions schedule programs, by the messages they ended.
    """
    pools, total = sets.network.region_pools, sets.total("schedules")
    if sets.network.source:
        under_way = np.asarray(sets.lately("region_busy_end"), dtype=np.int64)
        return ended + under_way[:, None] * np.eye(1, len(pools), dtype=np.int64)
    if sets.network.sequence:
        return total[:, None]
    return parts_of(total, ended * np.array([pool.schedule_chance for pool in pools]))


def _cpu(sets: Sets, mine: Bools, ticks: Callable[..., I64]) -> I64:
    """CPU of the regions for ended transactions, or their zIIP time, us, (sets, pools)."""
    weight = sets.total("completed") * sets.network.of_classes("cpu_factor")
    return parts_of(ticks(sets.network, sets.total) // TICKS_PER_US, weight @ mine)


# --- transactions ---------------------------------------------------------------------------------


def _definitions(sets: Sets) -> dict[str, Any]:
    """All codes that the scenario defines, with the messages that were processed."""
    network, defined = sets.network, sets.host.ims.transactions
    codes = [definition.code for definition in defined]
    own = network.of_classes("name").tolist()
    runs = np.array([[_runs(network, n, code) for code in codes] for n in range(len(own))])
    regions, psbs = regions_of_classes(sets), program_names(network)[0]  # as 47 has it
    none = np.zeros(len(regions), np.int64)
    fast = _counts(network, "5937").any()
    scheduled = {pool.name for pool in network.region_pools if pool.schedule_chance}
    stays = sets.host.ims.wait_for_input
    columns: dict[str, Any] = {
        "tran": codes,
        "psb": [psbs[own.index(code)] if code in own else psb_name(code) for code in codes],
        "region_type": [REGION_TYPES.get(definition.region, "M") for definition in defined],
        "fast_path": [
            "Y" if fast and definition.region == "IFP" else "N" for definition in defined
        ],
        "conversational": ["Y" if definition.conversational else "N" for definition in defined],
        "wait_for_input": [
            "Y" if stays or definition.region not in scheduled else "N" for definition in defined
        ],
        "commit_mode": "S",
        "class": [definition.message_class for definition in defined],
        "regions": np.stack(
            [regions[:, own.index(code)] if code in own else none for code in codes], axis=1
        ),
        "spa_bytes": [sets.host.spa_bytes * definition.conversational for definition in defined],
        "processed": sets.total("completed") @ runs,
    }
    plain = (
        *("current_priority", "normal_priority", "limit_priority", "limit_count"),
        *("processing_limit", "segment_size", "segment_number", "parallel_limit"),
    )
    return columns | {name: [getattr(definition, name) for definition in defined] for name in plain}


def _runs(network: Network, cls: int, code: str) -> int:
    """How often a transaction of a class runs a code: first itself, then those it switches to."""
    work_class = network.classes[cls]
    return (work_class.name == code) + sum(then == code for then, _ in work_class.chain)
