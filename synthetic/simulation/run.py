"""One system in the engine: its state, the intervals that are closed, the rows handed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.synthetic.arrays import I32, I64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.snapshot import FLYING, Snapshots
from imsperf.synthetic.simulation.state import State, new_state, setup
from imsperf.synthetic.units import FAR_AWAY, TICKS_PER_S

# --- what has ended -------------------------------------------------------------------------------
#
# Transactions and programs that have ended, as the engine hands them over while it runs.

TIMES = (
    "send", "xcf", "arrival", "taken", "gu", "sync", "written", "dequeue",
    "cpu_input", "cpu_region", "cpu_output", "cpu_schedule", "ziip_region", "io_wait", "number",
)  # fmt: skip
PROGRAMS = (
    "region", "cls", "number", "known", "start", "scheduled", "first_gu", "end", "messages", "cpu",
    "reads", "writes", "io_wait", "ziip",
)  # fmt: skip
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
    rows: I64 = programs[(programs[:, c.P_KNOWN] > 0) & begun & sampled]
    rows[:, c.P_END] = FAR_AWAY
    return rows


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


# --- one system -----------------------------------------------------------------------------------

Column = I64 | I32


class Run:
    """A system in the engine with its memory: keeps the transactions it hands over."""

    def __init__(self, network: Network, sample_k: int, *, seed: int, start: int) -> None:
        self.network = network
        self.state = new_state(network, seed=seed, start=start)
        self.scalars = setup(network, sample_k)
        self.snapshots = Snapshots(start)
        self.pieces: dict[str, list[Column]] = {name: [] for name in (*TIMES, *SMALL)}
        self.programs: list[I64] = []
        self.latest: SimResult | None = None

    def handed(self) -> Completed:
        """What has ended since the last time, and until when all is known."""
        scalars = self.state.scalars
        rows, ended = int(scalars[c.ROWS]), int(scalars[c.PROGRAMS])
        scalars[c.ROWS] = scalars[c.PROGRAMS] = 0
        return Completed(
            self.state.times[:rows].copy(),
            self.state.small[:rows].copy(),
            np.concatenate([self.state.ended[:ended], running(self.state, self.scalars.sample_k)]),
            settled(self.state, self.scalars.sample_k),
        )

    def so_far(self, ends: Sequence[int], **asked: Any) -> SimResult:
        """The result up to the last interval that is closed, without transactions."""
        count = len(self.snapshots.closed)
        if self.latest is None or self.latest.intervals != count - 1:
            seconds = ends[count - 1] / TICKS_PER_S
            self.latest = self.result(**{**asked, "seconds": seconds}, rows=False)
        return self.latest

    def empty_rows(self) -> None:
        """Move the completed transactions from the engine to columns."""
        rows = int(self.state.scalars[c.ROWS])
        for place, name in enumerate(TIMES):
            self.pieces[name].append(self.state.times[:rows, place].copy())
        for place, name in enumerate(SMALL):
            self.pieces[name].append(self.state.small[:rows, place].copy())
        self.state.scalars[c.ROWS] = 0
        self.programs.append(self.state.ended[: int(self.state.scalars[c.PROGRAMS])].copy())
        self.state.scalars[c.PROGRAMS] = 0

    def ended(self) -> dict[str, Column]:
        """The programs that ended in the run, in the order of their ends, then those that go on."""
        rows = np.concatenate([*self.programs, running(self.state, self.scalars.sample_k)])
        return {name: rows[:, place] for place, name in enumerate(PROGRAMS) if name != "known"}

    def result(self, rows: bool = True, **asked: Any) -> SimResult:
        """What the run gives; `rows`: with its transactions and programs, only once."""
        facts: dict[str, Any] = self.snapshots.intervals(self.network)
        return SimResult(
            intervals=len(self.snapshots.closed) - 1,
            check_write_in_region=self.scalars.in_region,
            transactions=self.table() if rows else {},
            programs=self.ended() if rows else {},
            warm=self.snapshots.warm(self.network),
            open=self.snapshots.open(),
            flying=self.flying() if rows else None,
            **asked,
            **facts,
        )

    def flying(self) -> dict[str, I64] | None:
        """Transactions that are not answered at the end; none of a program without messages."""
        if self.network.sequence is not None:
            return None
        return flying(self.state, self.scalars.sample_k, self.snapshots.end)

    def table(self) -> dict[str, Column]:
        """The transaction table, sorted by syncpoint. Only once: it frees the pieces."""
        self.empty_rows()
        order = np.argsort(np.concatenate(self.pieces["sync"]), kind="stable")
        table: dict[str, Column] = {}
        for name in (*TIMES, *SMALL):
            column: Column = np.concatenate(self.pieces.pop(name))  # type: ignore[assignment]
            table[name] = column[order]
        for name in ("log_records", "log_bytes"):
            table[name] = self.network.of_classes(name).astype(np.int32)[table["cls"]]
        return table
