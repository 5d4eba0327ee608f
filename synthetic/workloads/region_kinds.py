"""Kinds of regions of a scenario: which the mix uses, and which run out first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.workloads.mix import scheduling_share, used

REGIONS = {  # what a transaction's row calls its region, and the knob that counts them
    "IFP": "regions.ifp",
    "MPP": "regions.mpp",
    "JMP": "regions.jmp",
    "THREAD": "regions.threads",
}
CHECK_WRITE = 1.5  # log writes that a sync point waits for


def kinds(
    scenario: Scenario, steps: Sequence[m.Step], size: int, suffix: str
) -> tuple[m.Kind, ...]:
    """The kinds of regions, where there are several; of open work those that run out first.

    These have fewer than all `size` together have, for their share of the time held.
    """
    rows = used(scenario)
    names = list(dict.fromkeys(row["region"] for row in rows))
    if len(names) == 1:
        return ()
    whole = sum(row["weight"] for row in rows)
    mean = _hold(scenario, rows, steps)
    found = []
    for name in names:
        mine = [row for row in rows if row["region"] == name]
        share = sum(row["weight"] for row in mine) / whole
        hold = _hold(scenario, mine, steps) / mean
        number = scenario[REGIONS[name]]
        if scenario["driver.rate_per_s"] == 0 or number < size * share * hold:
            found.append(m.Kind(f"{name.lower()}{suffix}", number, share, hold))
    return tuple(found)


def _hold(scenario: Scenario, rows: Sequence[dict[str, Any]], steps: Sequence[m.Step]) -> float:
    """Mean time in a region without waits, us."""
    cpu = others = read = 0.0
    for one in steps:
        if isinstance(one, m.Burst) and one.place == "region":
            cpu += one.us
        elif isinstance(one, m.Delay):
            others += one.us
        elif isinstance(one, m.LogWrite) and one.place == "region":
            others += one.write_us * CHECK_WRITE
        elif isinstance(one, m.Scheduling):
            part = scheduling_share(scenario, rows) / scheduling_share(scenario)
            others += (one.cpu_us + one.elapsed_us) / one.messages * part
        elif isinstance(one, m.Ios):
            read = (one.pend_us + one.disc_us + one.conn_us) * scenario["dasd.io_per_access"]
    each = [(row["weight"], cpu * row["cpu_factor"] + row["reads"] * read) for row in rows]
    return others + float(sum(w * us for w, us in each) / sum(w for w, _ in each))
