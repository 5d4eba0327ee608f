"""What a prediction costs: every built-in scenario once, and a sweep of 1,000 points.

Goals: below 50 ms a point after import, 1,000 points below 20 s. A ratio to one birth-death chain
over 8,000 clients in plain numpy says the same on a machine that is slower or under load.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from bench_clock import core, medians, told

from imsperf.synthetic.predict import predict, predict_grid
from imsperf.synthetic.scenarios.scenario import load, names

CLIENTS = 8_000
POINTS = 1_000


def chain() -> float:
    """Chances of 0 to 8,000 inside, when seven servers work: what any solver has to do once."""
    inside = np.arange(1, CLIENTS + 1)
    steps = np.log((CLIENTS - inside + 1) / 80_000.0) - np.log(np.minimum(inside, 7) / 58.0)
    logs = np.concatenate(([0.0], np.cumsum(steps)))
    chances = np.exp(logs - logs.max())
    return float((chances * np.arange(CLIENTS + 1)).sum() / chances.sum())


@pytest.mark.bench
def test_points() -> None:
    scenarios = {name: load(name) for name in names()}
    took = medians(
        {name: lambda point=scenario: predict(point) for name, scenario in scenarios.items()}
        | {"chain": chain},
        clock=core,
    )
    alone = took.pop("chain")
    told(
        "predict, one point",
        [
            (name, f"{seconds * 1e3:6.1f} ms, {seconds / alone:5.0f} chains of 8,000 clients")
            for name, seconds in took.items()
        ],
    )


@pytest.mark.bench
@pytest.mark.parametrize(
    ("name", "key", "first", "last"),
    [
        ("tps-100k", "clients", 4_000, 9_000),
        ("ff-haldb", "regions.mpp", 40, 200),
        ("cics-ff", "clients", 500, 3_000),
    ],
)
def test_sweep(name: str, key: str, first: int, last: int) -> None:
    values = [int(clients) for clients in np.linspace(first, last, POINTS)]
    scenario = load(name)
    predict(scenario)
    begin = time.perf_counter()
    seconds = core(lambda: predict_grid(scenario, {key: values}))
    elapsed = time.perf_counter() - begin
    alone = medians({"chain": chain}, clock=core)["chain"]
    told(
        f"sweep of {name} {key}, {POINTS:,} points",
        [
            ("seconds of a core", f"{seconds:.1f}"),
            ("seconds", f"{elapsed:.1f}"),
            ("a point", f"{seconds / POINTS * 1e3:.1f} ms of a core"),
            ("chains of 8,000 clients a point", f"{seconds / POINTS / alone:.0f}"),
        ],
    )
