"""The balance of one population, from solver/queueing.py, as the textbooks print it."""

from __future__ import annotations

from collections.abc import Sequence

from imsperf.synthetic.solver.queueing import closed_curve
from imsperf.synthetic.solver.result import Result, Station, Use


def closed_result(population: int, think: float, stations: Sequence[Station]) -> Result:
    """Rate, response without think time (Little's law) and stations; times in one unit."""
    curve = closed_curve(population, [*stations, Station("think", think, 0)])
    rate = float(curve.rate[-1])
    uses = tuple(
        Use(station.name, station.limit, float(busy), float(queue), float(queue) / rate)
        for station, busy, queue in zip(
            stations, curve.utilisation[:-1, -1], curve.queue[:-1, -1], strict=True
        )
    )
    return Result("", rate, float(curve.queue[:-1, -1].sum()) / rate, uses)
