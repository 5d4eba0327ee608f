"""Transactions and programs that have ended, as the engine hands them over while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.arrays import I32, I64
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.snapshot import FLYING
from imsperf.synthetic.simulation.state import State

TIMES = (
    "send", "xcf", "arrival", "taken", "gu", "sync", "written", "dequeue",
    "cpu_input", "cpu_region", "cpu_output", "cpu_schedule", "ziip_region", "io_wait", "number",
)  # fmt: skip
PROGRAMS = (
    "region", "cls", "number", "known", "start", "scheduled", "first_gu", "end", "messages", "cpu",
    "reads", "writes", "io_wait", "ziip",
)  # fmt: skip
FAR_AWAY = 1 << 62  # tick
SMALL = ("cls", "client", "member", "region", "reads", "writes", "area", "scheduled")


@dataclass(frozen=True)
class Completed:
    """Rows in the order of their ends: times (n, TIMES), small (n, SMALL), programs (n, PROGRAMS).

    Programs that go on are there each time, with an end that is far away: they have begun (08).
    `until`: all that will ever have a time of its log before this tick has been handed over.
    """

    times: I64
    small: I32
    programs: I64
    until: int

    @classmethod
    def of(
        cls,
        transactions: Mapping[str, I64 | I32],
        programs: Mapping[str, I64 | I32],
        until: int,
    ) -> Completed:
        """Tables given as columns."""
        parts = (
            np.stack([transactions[name] for name in names], axis=1) for names in (TIMES, SMALL)
        )
        times, small = parts
        known = {"known": np.ones(len(programs["end"]), np.int64)}
        ended = np.stack([(known | dict(programs))[name] for name in PROGRAMS], axis=1)
        return cls(times.astype(np.int64), small.astype(np.int32), ended.astype(np.int64), until)


def flying(state: State, sample_k: int, end: int) -> dict[str, I64]:
    """Sampled transactions that IMS has at `end` and has not answered, as a table.

    Times to come are `end` + 1. Nothing where transactions wait at gates: these use the same times.
    """
    slots = state.slots
    here = np.isin(slots[:, c.S_PHASE], FLYING) & (slots[:, c.S_NUMBER] % sample_k == 0)
    rows = slots[here & (len(state.gates) == 0)]
    rows = rows[np.argsort(rows[:, c.S_ARRIVAL], kind="stable")]
    phase = rows[:, c.S_PHASE]
    reached = {  # phases in which these times are known
        c.S_TAKEN: (c.SCHEDULING, c.REGION, c.LOGGING, c.OUTPUT, c.CLOSING),
        c.S_GU: (c.REGION, c.LOGGING, c.OUTPUT, c.CLOSING),
        c.S_SYNC: (c.LOGGING, c.OUTPUT, c.CLOSING),
        c.S_WRITTEN: (c.OUTPUT, c.CLOSING),
        c.S_DEQUEUE: (),
    }
    rows = rows.copy()
    for column, phases in reached.items():
        rows[~np.isin(phase, phases), column] = end + 1
    times = {name: rows[:, c.S_SEND + n] for n, name in enumerate(TIMES)}
    return times | {name: rows[:, c.S_CLASS + n] for n, name in enumerate(SMALL)}


def running(state: State, sample_k: int) -> I64:
    """Rows of sampled programs that have their first message and go on: their end is far away."""
    programs = state.programs[:, : c.PROGRAM_COLUMNS]
    begun = programs[:, c.P_FIRST] >= np.maximum(programs[:, c.P_START], 0)
    sampled = programs[:, c.P_NUMBER] % sample_k == 0
    found: I64 = programs[(programs[:, c.P_KNOWN] > 0) & begun & sampled]
    found[:, c.P_END] = FAR_AWAY
    return found


def settled(state: State, sample_k: int) -> int:
    """All sampled transactions with a time before this tick have been handed over.

    A record tells of a transaction from its arrival on.
    """
    slots = state.slots
    flying = np.isin(slots[:, c.S_PHASE], FLYING) & (slots[:, c.S_NUMBER] % sample_k == 0)
    return min(
        int(state.scalars[c.BASE]),
        int(slots[flying, c.S_ARRIVAL].min(initial=1 << 62)),
    )
