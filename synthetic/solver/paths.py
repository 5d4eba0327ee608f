"""Channel paths when I/Os come in bunches, because the CPU bursts before them end in bunches."""

from __future__ import annotations

import math

import numpy as np

from imsperf.synthetic.solver.clump_kernels import ended, periodic_number
from imsperf.synthetic.solver.clumps import FULL, Starts
from imsperf.synthetic.solver.queueing import Floats

STATES = 240  # I/Os at a path that are followed
SETTLED = 3  # rounds of all cycles after which bursts end as often as they begin


def ends_of(starts: Floats, widths: Floats, service: float) -> Floats:
    """Exponential services that end in each part, for those that begin in each part."""
    return ended(starts, -np.expm1(-widths / service), SETTLED)


def path_factor(
    starts: Starts, service: float, ios: tuple[float, float, float], paths: int, port: float
) -> float:
    """Wait for a path against that of as many I/Os in a Poisson stream.

    `ios` are the I/Os that follow the end of one burst that came single, in a clump, behind one.
    A path is a server with exponential service whose arrivals have a rate that follows the ends.
    """
    kinds = (starts.single, starts.clump, starts.behind)
    each = sum(io * begun for io, begun in zip(ios, kinds, strict=True))
    arrivals = ends_of(np.asarray(each), starts.widths, service) / paths
    load = float(arrivals.sum() / starts.widths.sum()) * port
    if load <= 0:
        return 1.0
    port = min(port, port * FULL / load)
    waiting = _periodic_number(arrivals / starts.widths, starts.widths, port)
    load = min(load, FULL)
    mean = float(arrivals @ waiting) / float(arrivals.sum())
    return mean * (1 - load) / load


def _periodic_number(rates: Floats, widths: Floats, service: float) -> Floats:
    """Mean number at one server in each part, when the parts come round for ever."""
    load = float((rates * widths).sum() / widths.sum()) * service
    size = min(math.ceil(12 - 10 / math.log(load)), STATES)
    return periodic_number(rates * widths, widths / service, size)
