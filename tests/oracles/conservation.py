"""Laws that a simulation's counters must satisfy to the tick, as differences that must all be zero.

Population, Little's law and CPU hold for any sample; with every transaction kept (sample_k = 1) the
sums over the transaction table are compared with the interval counters too. What is under way at a
boundary stands in `SimResult.open`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.units import TICKS_PER_US


def differences(result: SimResult) -> dict[str, I64]:
    """Left minus right side of each law per interval, by the name of the law."""
    laws = _counter_laws(result)
    if result.sample_k == 1:
        laws |= _table_laws(result)
    return laws


def _grown(result: SimResult, name: str) -> I64:
    """What was open at the end of each interval minus what was open at its start."""
    return np.diff(result.open[name])


def _counter_laws(result: SimResult) -> dict[str, I64]:
    before = np.concatenate([[result.warm["in_flight_end"]], result.in_flight_end[:-1]])
    done = result.completed.sum(axis=1)
    used = result.transaction_cpu_ticks + result.background_cpu_ticks
    opened = np.concatenate([result.warm["gate_open_end"][None], result.gate_open_end])
    passed = result.gate_calls - result.gate_ended - np.diff(opened, axis=0)
    return {
        "population": before + result.arrivals - done - result.in_flight_end,
        "little": result.in_flight_ticks - result.response_ticks - _grown(result, "response"),
        "cpu": result.cpu_ticks.sum(axis=1) - used - _grown(result, "cpu"),
        "paths": result.path_count.sum(axis=1) - result.io_count.sum(axis=1),
        "gates": np.abs(passed).sum(axis=1),
        "samples": result.ready_bucket.sum(axis=1) - result.samples,
        "responses": result.response_bucket.sum(axis=1) - done,
    }


def _table_laws(result: SimResult) -> dict[str, I64]:
    rows = result.transactions
    ends = interval_ends(result.seconds, result.every_s)
    place = np.searchsorted(ends, rows["dequeue"], side="right") - 1

    def total(values: NDArray[Any]) -> I64:
        sums = np.zeros(result.intervals, np.int64)
        np.add.at(sums, place, values)
        return sums

    freed = rows["written"] if result.check_write_in_region else rows["sync"]
    cpu = rows["cpu_input"] + rows["cpu_region"] + rows["cpu_output"]
    io = rows["reads"].astype(np.int64) + rows["writes"]
    us = (rows["dequeue"] - rows["arrival"]).astype(np.int64) // TICKS_PER_US
    per_row: dict[str, tuple[I64, NDArray[Any]]] = {
        "table completed": (result.completed.sum(axis=1), np.ones_like(place)),
        "table response": (result.response_ticks, rows["dequeue"] - rows["arrival"]),
        "table squares": (result.response_squares_us2.astype(np.int64), us * us),
        "table total": (result.total_ticks, rows["dequeue"] - rows["send"]),
        "table cpu": (result.transaction_cpu_ticks, cpu),
    }
    with_open: dict[str, tuple[str, I64, NDArray[Any]]] = {
        "table regions": ("region", result.region_ticks, freed - rows["taken"]),
        "table queue": ("queue", result.region_queue_ticks, rows["taken"] - rows["arrival"]),
        "table io": ("io", result.io_count.sum(axis=1), io),
        "table log records": ("log_records", result.records, rows["log_records"]),
        "table log bytes": ("log_bytes", result.bytes, rows["log_bytes"]),
    }
    laws = {name: counted - total(each) for name, (counted, each) in per_row.items()}
    for name, (what, counted, each) in with_open.items():
        laws[name] = counted - total(each) - _grown(result, what)
    return laws
