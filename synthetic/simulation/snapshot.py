"""Closing an interval of the simulation: read the counters, split what goes on, begin anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from imsperf.synthetic.arrays import I64, Bools
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.state import Setup, State


def _named(prefix: str, columns: range, name: str = "") -> dict[str, int]:
    """Columns by the figure of a result that each has, see columns.py."""
    return {
        name + key.removeprefix(prefix).lower(): column
        for key, column in vars(c).items()
        if key.startswith(prefix) and column in columns
    }


_COUNTERS = _named("A_", range(c.A_QUEUE + 1, c.A_BUCKETS))
_DEVICES = _named("D_", range(c.DEVICE_COUNTERS), "io_")
_LATCHES = _named("L_", range(c.LATCH_COUNTERS))
_POOLS = _named("B_", range(c.B_LAST), "pool_")
_STRUCTURES = _named("X_", range(c.STRUCTURE_COUNTERS), "cf_")
_GATES = _named("G_", range(c.GATE_COLUMNS), "gate_")
_MEMBERS = _named("M_", range(c.M_MESSAGES, c.MEMBER_COLUMNS), "member_")
_HELD = (c.ASKING, c.ON_TCB, c.REGION, c.SCHEDULING)
FLYING = (c.QUEUED, *_HELD, c.LOGGING, c.OUTPUT, c.CLOSING)
_LOGGED = (c.LOGGING, c.OUTPUT, c.CLOSING)


class Snapshots:
    """Counters of the warm-up and of each interval, and what was open at each boundary."""

    def __init__(self, start: int) -> None:
        self.end = start
        self.levels = {"flight": 0, "region": 0, "queue": 0}
        self.closed: list[dict[str, I64]] = []
        self.opened: list[dict[str, int]] = []

    def close(self, state: State, setup: Setup, end: int) -> None:
        """Take the interval that ends now; the state must be finished up to `end`."""
        _end_of_shortage(state, end)
        taken = {name: state.counters[column].copy() for name, column in _COUNTERS.items()}
        taken["awe_short_end"] = np.array(state.scalars[c.AWES_SHORT] > 0).astype(np.int64)
        taken["completed"] = state.counters[c.A_CLASSES :].copy()
        taken["ready_bucket"] = state.counters[c.A_BUCKETS : c.A_GOAL].copy()
        taken["response_bucket"] = state.counters[c.A_GOAL : c.A_CLASSES].copy()
        taken["ticks"] = np.array(end - self.end)
        taken |= self._areas(state, setup, end)
        taken |= _columns(state.devices, _DEVICES) | _columns(state.latches, _LATCHES)
        taken |= _columns(state.pools, _POOLS) | _columns(state.structures, _STRUCTURES)
        taken["cf_busy_ticks"] = state.processor_busy.copy()
        taken |= _columns(state.gates, _GATES) | _columns(state.members, _MEMBERS)
        taken |= _regions(state, setup) | _used_in_regions(state, setup, end)
        taken["calls_open_high"] = np.array(state.scalars[c.CALLS_HIGH])
        taken["path_busy"] = state.paths[:, c.PATH_BUSY].copy()
        taken["path_count"] = state.paths[:, c.PATH_COUNT].copy()
        busy = _cpu_busy(state, end)
        taken["cpu_ticks"], taken["ziip_ticks"] = busy[: setup.cps], busy[setup.cps :]
        threads = state.cps[setup.cps :]
        taken["ziip_work_ticks"] = threads[:, c.CP_DONE].copy()
        taken["ziip_core_ticks"] = threads[:: setup.ziip_threads, c.CP_CORE].copy()
        self.opened.append(_open(state, setup, end))
        self.closed.append(taken)
        self.end = end
        _reset(state)

    def _areas(self, state: State, setup: Setup, end: int) -> dict[str, I64]:
        """Integrals over the interval from sums of exit minus entry times and the end levels."""
        now = {
            "flight": int(np.isin(state.slots[:, c.S_PHASE], FLYING).sum()),
            "region": setup.regions - int(state.region_pools[:, c.REGION_FREE].sum()),
            "queue": int(state.scalars[c.WAITING]),
        }
        sums = {"flight": c.A_FLIGHT, "region": c.A_REGION, "queue": c.A_QUEUE}
        area = {
            name: np.array(int(state.counters[k]) + now[name] * end - self.levels[name] * self.end)
            for name, k in sums.items()
        }
        self.levels = now
        return {
            "in_flight_end": np.array(now["flight"]),
            "region_busy_end": np.array(now["region"]),
            "in_flight_ticks": area["flight"],
            "region_ticks": area["region"],
            "region_queue_ticks": area["queue"],
        }

    def warm(self, net: Network) -> dict[str, I64]:
        """The warm-up, with the derived sums of the pools."""
        return {name: table[0] for name, table in self._tables(net).items()}

    def intervals(self, net: Network) -> dict[str, I64]:
        """All intervals, first axis interval."""
        return {name: table[1:] for name, table in self._tables(net).items()}

    def _tables(self, net: Network) -> dict[str, I64]:
        tables = {
            name: np.stack([snapshot[name] for snapshot in self.closed]) for name in self.closed[0]
        }
        asked = [p.request_bytes for p in net.pools]
        shares = [net.search_share] * len(net.pools)
        tables["pool_bytes"] = _whole_sums(tables["pool_gets"], asked)
        tables["pool_searched"] = _whole_sums(tables.pop("pool_beyond"), shares)
        for name in ("region_cpu_ticks", "region_ziip_ticks"):
            tables[name] = np.diff(tables[name], axis=0, prepend=0)
        return tables

    def open(self) -> dict[str, I64]:
        """What was open at the n + 1 boundaries."""
        return {
            name: np.array([snapshot[name] for snapshot in self.opened], np.int64)
            for name in self.opened[0]
        }


def _regions(state: State, setup: Setup) -> dict[str, I64]:
    """Of each region the class of its program, since when, and whether it has a message."""
    programs, slots = state.programs, state.slots
    known = programs[:, c.P_KNOWN] > 0
    active = np.zeros(len(programs), np.int64)
    active[slots[_holds(slots, setup), c.S_REGION]] = 1
    return {
        "region_program": np.where(known, programs[:, c.P_CLASS], -1),
        "region_since": programs[:, c.P_START].copy(),
        "region_active": active,
    }


def _used_in_regions(state: State, setup: Setup, end: int) -> dict[str, I64]:
    """What the messages of each region have used there since the warm-up began: CPU, zIIP."""
    slots, cps = state.slots, state.cps
    held = _holds(slots, setup)
    cpu = (slots[:, c.S_CPU_REGION] + slots[:, c.S_USED]) * held
    ziip = slots[:, c.S_ZIIP_REGION] * held
    done = end - cps[:, c.CP_START], cps[:, c.CP_WORK] - cps[:, c.CP_LEFT]
    kinds = slice(0, setup.cps), slice(setup.cps, None)
    for some, so_far, used in zip(kinds, done, (cpu, ziip), strict=True):
        running = cps[some, c.CP_SLOT] >= 0
        here = cps[some, c.CP_SLOT][running]
        used[here] += so_far[some][running] * held[here]
    ticks = {}
    for name, column, used in (
        ("region_cpu_ticks", c.P_ALL_CPU, cpu), ("region_ziip_ticks", c.P_ALL_ZIIP, ziip),
    ):  # fmt: skip
        ticks[name] = state.programs[:, column].copy()
        np.add.at(ticks[name], slots[held, c.S_REGION], used[held])
    return ticks


def _columns(table: I64, columns: Mapping[str, int]) -> dict[str, I64]:
    return {name: table[:, column].copy() for name, column in columns.items()}


def _whole_sums(counts: I64, each: Sequence[float]) -> I64:
    """counts x each in whole numbers whose running sums are right to the nearest one."""
    running = np.rint(np.cumsum(counts, axis=0) * np.array(each)).astype(np.int64)
    each_interval: I64 = np.diff(running, axis=0, prepend=np.zeros_like(running[:1]))
    return each_interval


def _cpu_busy(state: State, end: int) -> I64:
    """Busy ticks of each CP; a burst that goes on is cut here."""
    busy = state.cps[:, c.CP_BUSY].copy()
    running = state.cps[:, c.CP_SLOT] >= 0
    busy[running] += end - state.cps[running, c.CP_SINCE]
    state.cps[:, c.CP_BUSY] = 0
    state.cps[running, c.CP_SINCE] = end
    return busy


def _open(state: State, setup: Setup, end: int) -> dict[str, int]:
    """What transactions in flight have had so far."""
    phase = state.slots[:, c.S_PHASE]
    sent = state.slots[~np.isin(phase, (c.IDLE, c.FIXED_WORK, c.ARCHIVING))]
    begun = sent[sent[:, c.S_PHASE] != c.GATE]
    flying = sent[np.isin(sent[:, c.S_PHASE], FLYING)]
    waiting = flying[:, c.S_PHASE] == c.QUEUED
    served = flying[~waiting]
    logged = sent[np.isin(sent[:, c.S_PHASE], _LOGGED)]
    classes = state.classes[logged[:, c.S_CLASS]]
    cps = state.cps[: setup.cps]
    running = cps[cps[:, c.CP_SLOT] >= 0, c.CP_START]
    taken = np.where(waiting, end, flying[:, c.S_TAKEN])
    return {
        "total": int((end - sent[:, c.S_SEND]).sum()),
        "response": int((end - flying[:, c.S_ARRIVAL]).sum()),
        "queue": int((taken - flying[:, c.S_ARRIVAL]).sum()),
        "region": int((_released(served, setup, end) - served[:, c.S_TAKEN]).sum()),
        "cpu": int(
            begun[:, c.S_CPU : c.S_CPU_OUTPUT + 1].sum()
            + state.slots[:, c.S_USED].sum()
            + (end - running).sum()
        ),
        "io": int(begun[:, c.S_IO_DONE].sum()),
        "log_records": int(classes[:, c.K_RECORDS].sum()),
        "log_bytes": int(classes[:, c.K_BYTES].sum()),
    }


def _released(served: I64, setup: Setup, end: int) -> I64:
    """When the regions of these transactions became free; `end` for those still held."""
    held = _holds(served, setup)
    freed = c.S_WRITTEN if setup.in_region else c.S_SYNC
    freed_at: I64 = np.where(held, end, served[:, freed])
    return freed_at


def _holds(slots: I64, setup: Setup) -> Bools:
    """Transactions that hold a region."""
    phase = slots[:, c.S_PHASE]
    held: Bools = np.isin(phase, _HELD) | (setup.in_region & (phase == c.LOGGING))
    return held


def _end_of_shortage(state: State, end: int) -> None:
    """A shortage of AWEs that goes on is cut here."""
    if state.scalars[c.AWES_SHORT] > 0:
        state.counters[c.A_AWE_SHORT_TICKS] += end - state.scalars[c.AWES_SINCE]
        state.scalars[c.AWES_SINCE] = end


def _reset(state: State) -> None:
    """Counters to zero, highest and lowest levels to the present ones."""
    state.counters.fill(0)
    state.cps[:, [c.CP_DONE, c.CP_CORE]] = 0
    state.devices[:, : c.DEVICE_COUNTERS] = 0
    state.paths.fill(0)
    state.structures[:, : c.STRUCTURE_COUNTERS] = 0
    state.processor_busy.fill(0)
    state.latches[:, : c.LATCH_COUNTERS] = 0
    state.pools[:, : c.POOL_SUMS] = 0
    state.gates[:, : c.GATE_COUNTERS] = 0
    state.members[:, list(c.MEMBER_COUNTERS)] = 0
    state.pools[:, [c.B_HIGH, c.B_LOW]] = state.pools[:, [c.B_NOW]]
    state.pools[:, [c.B_BLOCKS_HIGH, c.B_BLOCKS_LOW]] = state.pools[:, [c.B_BLOCKS_NOW]]
