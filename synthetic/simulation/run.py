"""One system in the engine: its state, the intervals that are closed, the rows handed over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from imsperf.synthetic.arrays import I32, I64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.completed import (
    PROGRAMS,
    SMALL,
    TIMES,
    Completed,
    flying,
    running,
    settled,
)
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.snapshot import Snapshots
from imsperf.synthetic.simulation.state import new_state, setup
from imsperf.synthetic.units import TICKS_PER_S

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
