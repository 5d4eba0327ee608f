"""What knobs move, over all scenarios: speed of processors, noise; each moves something."""

from __future__ import annotations

from typing import Any

import pytest

from imsperf.synthetic.scenario import load, names
from imsperf.synthetic.workloads.families import predicted

GROWTH_FREE = ("otma-tpipe", "bmp-banking")  # their CPU per call or segment knows no growth
HELD = 27  # requests of a transaction of dsff-smq to the facility: 22 lock and cache, 5 list
EACH = [name for name in names() if name != "esaf-pooling"]
EACH += [f"esaf-pooling@{name}" for name in load("esaf-pooling").variants]
SPEEDS = (0.9, 1.0, 2.0)


def bare_us(name: str, speed: float) -> float:
    """CPU per transaction on processors of speed 1, growth and fixed part taken out.

    model.md 3.3: c(X, U) = base / speed x (1 + growth x U) + fixed / speed / X. A processor that
    waits for the coupling facility waits as long as the facility needs, whatever its own speed.
    """
    scenario = load(name, {"cpu.speed": speed})
    found: dict[str, Any] = dict(predicted(scenario).values)
    if name == "bmp-banking":
        return float(found["bmp_cpu_us_per_segment"] * speed)
    used = found["cpu_us_per_tran"] * speed
    if name in GROWTH_FREE:
        return float(used)
    used -= scenario["cpu.fixed_ms_per_s"] * 1000 / found["etr_per_s"]
    used /= 1 + scenario["cpu.growth"] * found["cpu_busy_pct"] / 100
    return float(used - HELD * (found.get("cf_host_cpu_us") or 0.0) * speed)


@pytest.mark.parametrize("name", EACH)
def test_cpu_per_transaction_times_speed_is_constant(name: str) -> None:
    """Once in the costs, the speed is in them once: within 1 % from 0.9 to double."""
    slow, one, two = (bare_us(name, speed) for speed in SPEEDS)
    assert (slow, two) == (pytest.approx(one, rel=0.01), pytest.approx(one, rel=0.01))


def test_twice_the_speed_halves_what_esaf_transactions_cost() -> None:
    """T39: 2,336.5 us. Twice as fast: half of it, less the growth from 85 to about 46 % busy."""
    found = predicted(load("esaf-pooling", {"cpu.speed": 2})).values
    assert found["cpu_us_per_tran"] == pytest.approx(2336.5 / 2 * (1.023 / 1.0426), rel=0.002)


def test_half_the_speed_doubles_what_esaf_transactions_cost() -> None:
    """Twice 2,336.5 us, and the growth from 85 to 100 % busy: 4,706 us, less or more fixed CPU."""
    found = predicted(load("esaf-pooling", {"cpu.speed": 0.5})).values
    assert found["cpu_us_per_tran"] == pytest.approx(2336.5 * 2 * (1.05 / 1.0426), rel=0.003)
