"""Statistics of OTMA: 451A, 451B; for synchronous callouts by TPIPE and transaction A101, A102.

All count from IMS start, the warm-up included. A callout is sent when it gets its slot, which is a
resume TPIPE request; IMS Connect acknowledges it and, when the answer is there, asks again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from imsperf.synthetic.accounts.regions import psb_name
from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.log_records import rows_of
from imsperf.synthetic.log.log_source import MEMBER
from imsperf.synthetic.log.statistics_sets import RECORDS, Sets, table_records
from imsperf.synthetic.network.network import Callouts
from imsperf.synthetic.units import TICKS_PER_US


def otma_sets(sets: Sets) -> Iterator[U8]:
    """451A and 451B of all sets; none where there are no callouts."""
    calls = sets.network.callouts
    if calls is None:
        return
    totals = {name: values.sum(axis=1) for name, values in _traffic(sets, calls).items()}
    totals |= {name: np.full(len(sets.tick), calls.tpipes) for name in ("tpipes", "max_tpipes")}
    yield from _records(sets, totals)


def message_sets(sets: Sets) -> Iterator[U8]:
    """451A and 451B of a system whose input comes through OTMA, in commit mode 1 (assumption)."""
    network = sets.network
    if not network.xcf.is_gate or network.callouts is not None or network.source:
        return
    came, left = sets.total("arrivals"), sets.total("completed").sum(axis=1)
    credential = network.credential_bytes
    under_way = np.asarray(sets.lately("in_flight_end"))
    yield from _records(
        sets,
        {
            "messages_in": came,
            "bytes_in": came * sets.host.message_in,
            "messages_out": left,
            "bytes_out": left * sets.host.message_out,
            "send_then_commit": came,
            "credential_messages": came * (credential > 0),
            "credential_bytes": came * credential,
            "tibs": under_way,
            "max_tibs": np.maximum.accumulate(under_way),
        },
    )


def _records(sets: Sets, found: Mapping[str, I64]) -> Iterator[U8]:
    """The whole system and its one client; columns are (sets,)."""
    yield rows_of(
        RECORDS[0x45, 0x1A], sets.common() | dict(found) | {"members": 1, "max_members": 1}
    )
    fields = {"member": MEMBER, "member_type": "I", "state": "A"}
    entries = {name: values[:, None] for name, values in found.items()}
    yield from table_records(sets, RECORDS[0x45, 0x1B], fields | entries, 1)


def tpipe_sets(sets: Sets) -> Iterator[U8]:
    """A101 and A102 of all sets, behind the statistics set."""
    calls = sets.network.callouts
    if calls is None:
        return
    names = [f"CALL{n:04d}" for n in range(1, calls.tpipes + 1)]
    times = {
        "queue_us": sets.total("gate_waited_ticks", unit=TICKS_PER_US),
        "elapsed_us": sets.total("gate_ticks", unit=TICKS_PER_US),
    }
    for code, columns in ((0x01, _tpipes), (0x02, _icals)):
        entries = columns(sets, calls, names, times)
        yield from table_records(sets, RECORDS[0xA1, code], entries, calls.tpipes)


def _traffic(sets: Sets, calls: Callouts) -> dict[str, I64]:
    """Messages of each TPIPE, (sets, TPIPEs)."""
    answered = sets.total("gate_ended")
    sent = answered + calls.limit - np.asarray(sets.lately("gate_free_end"))
    return {
        "messages_in": answered,
        "bytes_in": answered * calls.answer_bytes,
        "messages_out": sent,
        "bytes_out": sent * calls.request_bytes,
        "sync_callouts": sent,
        "sync_responses": answered,
        "resume_tpipe": answered + calls.limit,
        "acks": sent,
    }


def _tpipes(
    sets: Sets, calls: Callouts, names: list[str], times: Mapping[str, I64]
) -> dict[str, Any]:
    busy = calls.limit - sets.lately("gate_free_end")
    return _traffic(sets, calls) | {
        "tpipe": names,
        "member": MEMBER,
        "kind": "H",
        "state": "A",
        "parallel_limit": calls.limit,
        "resume_active": calls.limit,
        "resume_active_max": calls.limit,
        "callout_us": times["elapsed_us"],
        "queue_us": times["queue_us"],
        "queue": sets.lately("gate_open_end") - busy,
        "queue_max": sets.lately("gate_waiting_high"),
    }


def _icals(
    sets: Sets, calls: Callouts, names: list[str], times: Mapping[str, I64]
) -> dict[str, Any]:
    """The one transaction calls a destination for each TPIPE."""
    traffic = _traffic(sets, calls)
    tran = sets.network.classes[0].name
    return {
        "tran": tran,
        "psb": psb_name(tran),
        "destination": [f"DEST{n:04d}" for n in range(1, calls.tpipes + 1)],
        "tpipe": names,
        "member": MEMBER,
        "icals": sets.total("gate_calls"),
        "responses": traffic["sync_responses"],
        "request_bytes": traffic["bytes_out"],
        "response_bytes": traffic["bytes_in"],
        **times,
        "max_elapsed_us": sets.lately("gate_longest") // TICKS_PER_US,
        "in_flight_max": sets.lately("gate_open_high"),
    }
