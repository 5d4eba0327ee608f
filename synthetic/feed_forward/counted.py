"""Sums over the drawn transactions, by interval: what the simulation's counters would hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.feed_forward.kernels import END, NUMBER, senders
from imsperf.synthetic.interval_mode import stations
from imsperf.synthetic.interval_mode.drawn import Flight, absent
from imsperf.synthetic.interval_mode.draws import Draws
from imsperf.synthetic.interval_mode.mean_parts import Means
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.columns import GOAL_EDGES_PCT
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import PROGRAMS, SMALL, TIMES, interval_ends

I64 = npt.NDArray[np.int64]
Rows = dict[str, npt.NDArray[Any]]

TICK = 4096
OPEN = (
    "total", "response", "queue", "region", "cpu", "io", "log_records", "log_bytes", "sync", "sent",
)  # fmt: skip
SUMS = (
    "arrivals", "response_ticks", "total_ticks", "response_squares_us2", "region", "queue", "cpu",
    "joined_writes", "wads_writes", "wads_ticks", "wads_cis", "schedules", "programs_ended",
    "read_wait_ticks", "xcf_messages", "xcf_delayed", "xcf_delay_ticks",
)  # fmt: skip


class Counts:
    """Counters of the warm-up (row 0), of each interval and of what comes after the run."""

    def __init__(
        self, network: Network, seconds: float, every_s: float, start: int, sample_k: int
    ) -> None:
        self.network, self.seconds, self.every_s = network, seconds, every_s
        self.start, self.sample_k = start, sample_k
        self.edges = interval_ends(seconds, every_s)
        self.bins = len(self.edges) + 1
        self.sums = {name: np.zeros(self.bins, np.int64) for name in SUMS}
        self.completed = np.zeros((self.bins, len(network.classes)), np.int64)
        self.buckets = np.zeros((self.bins, len(GOAL_EDGES_PCT) + 1), np.int64)
        self.io = np.zeros((self.bins, network.dasd.volumes), np.int64)
        self.region_cpu = np.zeros((self.bins, network.regions), np.int64)
        self.open = {name: np.zeros(len(self.edges), np.int64) for name in OPEN}
        self.flying = np.zeros(len(self.edges), np.int64)
        self.busy = np.zeros(len(self.edges), np.int64)
        self.rows: list[Rows] = []
        self.ended: list[I64] = []

    def bin(self, time: I64) -> I64:
        """The row that a time belongs to."""
        return np.searchsorted(self.edges, time, side="right").astype(np.int64)

    def _add(self, name: str, place: I64, values: Any) -> None:
        """Sums in whole numbers: high and low parts apart, so that a float holds each exactly."""
        values = np.broadcast_to(np.asarray(values, np.int64), place.shape)
        high, low = values >> 26, values & ((1 << 26) - 1)
        for part, shift in ((high, 26), (low, 0)):
            if shift == 0 or part.any():
                found = np.bincount(place, weights=part, minlength=self.bins)
                self.sums[name] += found.astype(np.int64) << shift

    def _table(self, place: I64, column: I64, columns: int) -> I64:
        """How many are in each row and column."""
        found = np.bincount(place * columns + column, minlength=self.bins * columns)
        return found.reshape(self.bins, columns)

    def take(self, rows: Rows, writes: I64, ended: I64, draw: np.random.Generator) -> None:
        """Count transactions whose answer is known, log writes, and programs."""
        done = self.bin(rows["dequeue"])
        response = rows["dequeue"] - rows["arrival"]
        us = response // TICK
        self.completed += self._table(done, rows["cls"], self.completed.shape[1])
        goal = round(self.network.response_goal_us * TICK)
        level = np.searchsorted(np.array(GOAL_EDGES_PCT) * goal, response * 100, side="left")
        self.buckets += self._table(done, level, self.buckets.shape[1])
        cpu = rows["cpu_input"] + rows["cpu_region"] + rows["cpu_output"]
        for name, values in (
            ("response_ticks", response), ("total_ticks", rows["dequeue"] - rows["send"]),
            ("response_squares_us2", us * us), ("region", rows["freed"] - rows["taken"]),
            ("queue", rows["taken"] - rows["arrival"]), ("cpu", cpu),
        ):  # fmt: skip
            self._add(name, done, values)
        self._add("arrivals", self.bin(rows["arrival"]), 1)
        self._add("joined_writes", self.bin(rows["sync"]), rows["joined"])
        self._add("read_wait_ticks", self.bin(rows["sync"]), rows["io_wait"])
        self._add("schedules", self.bin(rows["gu"]), rows["scheduled"])
        self._add("programs_ended", self.bin(ended[:, END]), 1)
        sent = self.bin(rows["send"])
        self._add("xcf_messages", sent, 1)
        self._add("xcf_delayed", sent, rows["held"])
        self._add("xcf_delay_ticks", sent, rows["xcf"] - rows["send"])
        for place, name in enumerate(("wads_writes", "wads_ticks", "wads_cis")):
            values = writes[:, place] if place else 1
            self._add(name, self.bin(writes[:, 0]), values)
        self._regions(rows)
        self._volumes(rows, draw)
        self._boundaries(rows)
        self._keep(rows, ended)

    def _regions(self, rows: Rows) -> None:
        """CPU used in each region, when it is free again."""
        place = self.bin(rows["freed"]) * self.network.regions + rows["region"]
        used = np.bincount(place, rows["cpu_region"], self.region_cpu.size)
        self.region_cpu += used.astype(np.int64).reshape(self.region_cpu.shape)

    def _volumes(self, rows: Rows, draw: np.random.Generator) -> None:
        """Reads when they are done, writes with the answer: the first to the area."""
        for name, clock in (("reads", "sync"), ("writes", "dequeue")):
            count = rows[name]
            which = np.repeat(np.arange(len(count)), count)
            first = np.zeros(len(which), bool)
            first[(np.cumsum(count) - count)[count > 0]] = True
            other = draw.integers(0, self.network.dasd.volumes, len(which))
            volume = np.where(first, rows["area"][which], other)
            self.io += self._table(self.bin(rows[clock])[which], volume, self.io.shape[1])

    def _boundaries(self, rows: Rows) -> None:
        """What transactions under way at a boundary have had so far."""
        if not len(rows["send"]):
            return
        low, high = np.searchsorted(self.edges, [rows["send"].min(), rows["dequeue"].max()])
        records, size = (
            np.array([getattr(one, name) for one in self.network.classes], np.int64)
            for name in ("log_records", "log_bytes")
        )
        for place in range(int(low), min(int(high) + 1, len(self.edges))):
            at = int(self.edges[place])
            here = (rows["send"] < at) & (rows["dequeue"] >= at)
            some = {name: values[here] for name, values in rows.items()}
            there, taken = some["arrival"] < at, some["taken"] < at
            synced, freed = some["sync"] < at, np.minimum(some["freed"], at)
            waited = np.minimum(some["taken"], at) - some["arrival"]
            values = {
                "total": at - some["send"],
                "response": (at - some["arrival"]) * there,
                "queue": waited * there,
                "region": (freed - some["taken"]) * taken,
                "cpu": some["cpu_input"] * there + some["cpu_region"] * synced,
                "io": some["reads"] * synced,
                "log_records": records[some["cls"]] * synced,
                "log_bytes": size[some["cls"]] * synced,
                "sync": synced,
                "sent": np.ones(len(there), np.int64),
            }
            for name, each in values.items():
                self.open[name][place] += int(each.sum())
            self.flying[place] += int(there.sum())
            self.busy[place] += int((taken & (some["freed"] >= at)).sum())

    def _keep(self, rows: Rows, ended: I64) -> None:
        """Every k-th transaction that ends in the run, and the programs that began with one."""
        last = int(self.edges[-1])
        kept = (rows["number"] % self.sample_k == 0) & (rows["dequeue"] >= 0)
        kept &= rows["dequeue"] < last
        self.rows.append({name: rows[name][kept] for name in (*TIMES, *SMALL)})
        mine = (ended[:, NUMBER] % self.sample_k == 0) & (ended[:, END] >= 0)
        self.ended.append(ended[mine & (ended[:, END] < last)])

    def transactions(self) -> Rows:
        """The table, sorted by sync point."""
        order = np.argsort(np.concatenate([one["sync"] for one in self.rows]), kind="stable")
        table: Rows = {}
        for name in (*TIMES, *SMALL):
            values = np.concatenate([one[name] for one in self.rows])[order]
            table[name] = values.astype(np.int32 if name in SMALL else np.int64)
        for name in ("log_records", "log_bytes"):
            each = np.array([getattr(one, name) for one in self.network.classes], np.int32)
            table[name] = each[table["cls"]]
        if self.network.rate_per_s <= 0:
            self._from_clients(table)
        return table

    def _from_clients(self, table: Rows) -> None:
        """Who sent them: a client sends when it has its answer."""
        order = np.argsort(table["send"], kind="stable")
        send, answer, first = (
            table[name][order].astype(np.int64) for name in ("send", "dequeue", "client")
        )
        client = np.empty_like(send)
        until = np.full(max(self.network.clients, 1), self.start, np.int64)
        senders(send, answer, first, until, client)
        table["client"][order] = client
        table["member"] = table["client"] % np.int32(self.network.xcf.members)

    def programs(self) -> Rows:
        """Programs that ended, by their ends."""
        rows = np.concatenate(self.ended)
        rows = rows[np.argsort(rows[:, END], kind="stable")]
        return {name: rows[:, n] for n, name in enumerate(PROGRAMS) if name != "known"}


def result_of(counts: Counts, means: Means, seed: int, warmup_s: float) -> SimResult:
    """The counters as the simulation gives them; row 0 is the warm-up."""
    network, n = counts.network, len(counts.edges) - 1
    bounds = np.concatenate([[counts.start], counts.edges])
    repeated = {
        k: np.repeat(np.asarray(v, np.float64)[None], n + 1, axis=0) for k, v in means.items()
    }
    made = stations.Made(network, repeated, Draws(seed, np.arange(n + 1)), np.diff(bounds))
    opened = {name: np.concatenate([[0], values]) for name, values in counts.open.items()}
    flight = Flight(counts.flying, counts.busy, opened)
    done, sums = counts.completed[:-1], {name: one[:-1] for name, one in counts.sums.items()}
    counted = {
        "ticks": made.ticks,
        "completed": done,
        "in_flight_end": counts.flying,
        "region_busy_end": counts.busy,
        "in_flight_ticks": sums["response_ticks"] + flight.grown("response"),
        "region_ticks": sums["region"] + flight.grown("region"),
        "region_queue_ticks": sums["queue"] + flight.grown("queue"),
        "response_bucket": counts.buckets[:-1],
        "region_cpu_ticks": counts.region_cpu[:-1],
        "region_ziip_ticks": np.zeros_like(counts.region_cpu[:-1]),
        **stations.cpu(made, done, flight, bounds, sums["cpu"]),
        **stations.volumes(made, done, counts.io[:-1]),
        **stations.log(made, done, flight, sums["schedules"]),
        **stations.latches(made, done),
        **stations.pools(made, done),
    }
    own = ("region", "queue", "cpu")
    counted |= {name: values for name, values in sums.items() if name not in own}
    counted |= absent(counted, n + 1)
    return SimResult(
        seconds=counts.seconds,
        every_s=counts.every_s,
        warmup_s=warmup_s,
        intervals=n,
        sample_k=counts.sample_k,
        seed=seed,
        check_write_in_region=network.logger.check_write == "in_region",
        transactions=counts.transactions(),
        programs=counts.programs(),
        warm=_rows(counted, 0),
        open={k: v[1:] for k, v in opened.items()},
        **_rows(counted, slice(1, None)),
    )


def _rows(counted: Mapping[str, Any], which: int | slice) -> dict[str, Any]:
    return {name: values[which] for name, values in counted.items()}
