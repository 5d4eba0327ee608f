"""What --explain shows obeys Little's law and holds the service as well as the wait."""

from __future__ import annotations

import pytest

from imsperf.synthetic.scenarios.scenario import load, names
from imsperf.synthetic.workloads.families import predicted

SCENARIOS = [name for name in names() if load(name).family != "bmp"]
FULL = [
    ("ff-haldb", {"clients": 8000}),
    ("fast-path", {"log.mirror": "on"}),
    ("jmp", {"cpu.gcps": 2}),
]


@pytest.mark.parametrize(("name", "settings"), [(n, {}) for n in SCENARIOS] + FULL)
def test_residence_is_wait_and_service(name: str, settings: dict[str, object]) -> None:
    """Queue = X x residence, residence >= demand, busy = X x demand / servers."""
    prediction = predicted(load(name, settings))
    seen = 0
    for row in prediction.stations:
        suffix = {"work_1": "_ims1", "work_2": "_ims2"}.get(row.system, "")
        rate = float(prediction.values[f"etr_per_s{suffix}"]) / 1e6  # type: ignore[arg-type]
        if row.residence_us is not None:
            assert row.queue == pytest.approx(rate * row.residence_us, rel=1e-6), row
        if row.residence_us is not None and row.demand_us is not None and row.station[:3] != "cpu":
            assert row.residence_us >= row.demand_us * (1 - 1e-6), row
            seen += 1
        if row.demand_us is not None and row.servers > 0 and not suffix:
            assert row.utilisation_pct is not None
            always = float(row.note.split()[0]) if "at any rate" in row.note else 0.0
            busy = min(rate * row.demand_us / row.servers * 100 + always, 100)
            assert row.utilisation_pct == pytest.approx(busy, rel=0.001, abs=0.01), row
            assert row.utilisation_pct <= 100 + 1e-9
    assert seen >= 2


def test_regions_and_log_blocks_of_full_function() -> None:
    """90.8 of 128 regions are busy, 10.4 % of the OLDS: queues are those, with who waits."""
    prediction = predicted(load("ff-haldb"))
    rows = {row.station: row for row in prediction.stations}
    busy = float(prediction.values["regions_busy"])  # type: ignore[arg-type]
    assert rows["regions"].queue == pytest.approx(busy, abs=0.05)
    assert rows["regions"].queue >= busy  # type: ignore[operator]
    assert rows["olds"].queue == pytest.approx(rows["olds"].utilisation_pct / 100, rel=1e-3)  # type: ignore[operator]
    assert rows["xcf"].demand_us is None


@pytest.mark.parametrize("name", ["zos-connect", "fast-path", "ff-haldb", "cics-ff"])
def test_open_arrivals_at_no_load_wait_for_nothing(name: str) -> None:
    """At 1/s the time outside is the CPU there, as one client alone has it."""
    idle = predicted(load(name, {"driver.rate_per_s": 1.0})).values
    alone = predicted(load(name, {"clients": 1, "driver.think_ms": 1000.0})).values
    for key in ("outside_ms", "ims_response_ms"):
        assert idle[key] == pytest.approx(alone[key], rel=0.003), key


MANY = [
    ("ff-haldb", {"clients": 100_000, "regions.mpp": 2000}),
    ("fast-path", {"clients": 50_000, "regions.ifp": 2000}),
    ("jmp", {"clients": 400}),
]


@pytest.mark.parametrize(("name", "many"), MANY)
def test_the_rate_at_which_processors_are_full(name: str, many: dict[str, int]) -> None:
    """`saturates_at_per_s` contains the growth of CPU: so many clients reach it, within 0.5 %."""
    predicted_values = predicted(load(name)).values
    most = predicted(load(name, many)).values
    assert predicted_values["saturates_next"] == "cpu" and most["bottleneck"] == "cpu"
    assert predicted_values["saturates_at_per_s"] == pytest.approx(most["etr_per_s"], rel=0.005)
    at_full = 1 + float(predicted_values["headroom_pct"]) / 100  # type: ignore[arg-type]
    assert float(predicted_values["etr_per_s"]) * at_full == pytest.approx(
        predicted_values["saturates_at_per_s"]
    )  # type: ignore[arg-type]


FULL_NOW = [
    ("ff-haldb", {"clients": 8000}),
    ("ff-haldb", {"regions.mpp": 80}),
    ("jmp", {"xcf.members": 2}),
    ("tps-100k@rb6-before", {}),
    ("otma-tpipe", {"otma.tpipes": 1, "otma.limitrtp": 10}),
    ("dsff-smq", {"clients": 8000}),
]


@pytest.mark.parametrize(("name", "settings"), FULL_NOW)
def test_no_rate_is_named_that_a_full_station_rules_out(
    name: str, settings: dict[str, int]
) -> None:
    """The station after the full one is named; the rate at which it would fill is never reached."""
    predicted_values = predicted(load(name, settings)).values
    assert predicted_values["headroom_pct"] == pytest.approx(0, abs=1.0)
    assert predicted_values["saturates_at_per_s"] is None
    assert predicted_values["saturates_next"] != predicted_values["bottleneck"]
