"""Scheduling a program: how many messages share one schedule, what it costs, what it occupies.

model.md 3.4. A transaction costs c + S / q of CPU and holds its region for b + E / q, q messages a
schedule: 1 where PLCT is 0, else as many as are found in the queue, at most PLCT. S and E hold the
block load, initialisation of the language environment, and thread create and sign-on to Db2, which
pooled threads save. q is not published: it follows from the CPU (fitted), the occupancy then from
two points (fitted), any further point is a prediction.
"""

from __future__ import annotations

from imsperf.synthetic.solver.result import require


def messages_per_schedule(cpu: float, unscheduled: float, schedule: float) -> float:
    """q from CPU per transaction, the same without schedules, and CPU of a schedule; one unit."""
    require("CPU time of a schedule", schedule, "above 0", schedule > 0)
    require("CPU time of a transaction", cpu, f"more than {unscheduled}", cpu > unscheduled)
    return max(schedule / (cpu - unscheduled), 1.0)


def at_most(plct: int, waiting: float) -> float:
    """q for a processing limit count, where `waiting` messages would be found without it."""
    require("PLCT", plct, "0 to 65535", 0 <= plct <= 65_535)
    require("messages of a schedule", waiting, "1 or more", waiting >= 1)
    return 1.0 if plct == 0 else min(float(plct), waiting)


def occupancy(program: float, schedule: float, messages: float) -> float:
    """Time a region is held by one transaction: b + E / q."""
    require("messages of a schedule", messages, "1 or more", messages >= 1)
    return program + schedule / messages


def fit_occupancy(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """b and E from two points (q, occupancy)."""
    (q1, o1), (q2, o2) = first, second
    require("messages of a schedule", (q1, q2), "different at the two points", q1 != q2)
    schedule = (o1 - o2) / (1 / q1 - 1 / q2)
    return o1 - schedule / q1, schedule
