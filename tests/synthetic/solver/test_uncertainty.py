"""Ranges of predictions and what they hang on, each worked out here."""

from __future__ import annotations

import math
from typing import Any

import pytest

from imsperf.synthetic.predict import predict
from imsperf.synthetic.scenarios.publications import figures
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.uncertainty import Spread, published_errors
from imsperf.synthetic.workloads.families import predicted
from imsperf.synthetic.workloads.prediction import Metric


def rows_of(name: str, **settings: Any) -> tuple[dict[str, dict[str, Any]], list[str]]:
    told: list[str] = []
    given = {key.replace("__", "."): value for key, value in settings.items()}
    rows = predict(load(name, given), told=told.append)
    return {row["metric"]: row for row in rows}, told


def test_independent_parts_add_as_squares() -> None:
    """10 with 3 % of model error, 0.4 more with twice the delay, 0 to 1.2 less without: 3-4-5."""
    spread = Spread({"ms": 0.03}, {"ims_response_ms": (10.0, -1.2, 0.4)})
    metric = Metric("ims_response_ms", "ms", 10.0)
    low, high = spread.ends(metric, "predicted")
    assert high == pytest.approx(10.5)
    assert low == pytest.approx(10 - math.hypot(0.3, 1.2))
    wider = Metric("ims_response_ms", "ms", 10.0, method="simulated", half_width=1.2)
    assert spread.ends(wider, "")[1] == pytest.approx(10 + math.hypot(0.3, 0.4, 1.2))


def test_what_was_given_has_no_range() -> None:
    spread = Spread({"": 0.1})
    for kind in ("input", "fitted"):
        assert spread.ends(Metric("etr_per_s", "1/s", 5.0), kind) == (None, None)
    assert spread.ends(Metric("bottleneck", "station", "cpu"), "") == (None, None)
    assert spread.ends(Metric("etr_per_s", "1/s", None), "") == (None, None)
    assert spread.ends(Metric("wads_write_ms", "ms", 0.25), "") == (None, None)  # a knob


def test_no_range_leaves_what_can_be() -> None:
    spread = Spread({"%": 0.5, "ms": 2.0})
    assert spread.ends(Metric("util_cpu", "%", 80.0), "") == (pytest.approx(40.0), 100.0)
    assert spread.ends(Metric("ims_response_ms", "ms", 1.0), "") == (0.0, pytest.approx(3.0))


def test_errors_are_those_of_the_predicted_cells() -> None:
    """Of fast-path: rate, busy and response of IMS 13 and 14; the largest by unit."""
    cells = [figure for figure in figures("fast-path") if figure.kind == "predicted"]
    assert len(cells) == 6
    errors: dict[str, float] = {}
    for cell in cells:
        value = predicted(load("fast-path", dict(cell.at))).values[cell.metric]
        error = abs(float(str(value)) / cell.value - 1)
        errors[cell.metric] = max(errors.get(cell.metric, 0.0), error)
    found = published_errors("fast-path")
    assert found["ims_response_ms"] == found["ms"] == errors["ims_response_ms"]
    assert found["%"] == errors["cpu_busy_pct"] and found["1/s"] == errors["etr_per_s"]
    assert found["rates"] == max(found["%"], found["1/s"]) and found[""] == max(errors.values())
    assert published_errors("tps-100k") == {}


def test_the_unexplained_delay_is_moved_to_nothing_and_to_twice_as_much() -> None:
    """ff-haldb on 4 CPs with other clients: 14 of 18 ms; the model's own error is 1.5 %."""
    rows, told = rows_of("ff-haldb", clients=2000)
    row = rows["ims_response_ms"]
    ends = [
        predicted(load("ff-haldb", {"clients": 2000, "region.unexplained_ms": ms})).values
        for ms in (0.0, 2 * 14.02383)
    ]
    error = published_errors("ff-haldb")["ms"] * row["value"]
    low, high = (abs(float(str(end["ims_response_ms"])) - row["value"]) for end in ends)
    assert row["low"] == pytest.approx(row["value"] - math.hypot(low, error))
    assert row["high"] == pytest.approx(row["value"] + math.hypot(high, error))
    share = 14.02383 / row["value"]
    assert told == [
        f"hangs on region.unexplained_ms: {share:.0%} of the response is explained by no equation"
    ]
    assert (rows["region.unexplained_ms"]["low"], rows["region.unexplained_ms"]["high"]) == (
        0, pytest.approx(28.04766)
    )  # fmt: skip


def test_where_the_response_was_measured_the_delay_stays() -> None:
    """The default of ff-haldb is T19 of 000: what is in flight has the model's error alone."""
    rows, told = rows_of("ff-haldb")
    assert rows["ims_response_ms"]["low"] is None
    row = rows["in_flight"]
    assert row["high"] / row["value"] - 1 == pytest.approx(published_errors("ff-haldb")["times"])
    (words,) = told
    assert words.startswith("measured here; a changed system hangs on region.unexplained_ms: 76%")


def test_a_scenario_without_predicted_cells_has_the_unexplained_part_alone() -> None:
    rows, told = rows_of("tps-100k@tps-46k")
    row = rows["ims_response_ms"]
    plain = load("tps-100k@tps-46k")
    ends = [
        predicted(plain.with_settings({"region.unexplained_ms": ms})).values["ims_response_ms"]
        for ms in (0.0, 2 * float(plain["region.unexplained_ms"]))
    ]
    assert [row["low"], row["high"]] == pytest.approx(ends)
    assert "region.unexplained_ms" in told[-1]


def test_no_balance_at_one_end_is_no_range() -> None:
    """4,900/s hold a region for 18.4 ms each, 90 of 128; with 14 ms more they would need 159."""
    rows, told = rows_of("ff-haldb", driver__rate_per_s=4_900.0)
    row = rows["ims_response_ms"]
    assert row["value"] == pytest.approx(18.4, rel=0.02)
    assert (row["low"], row["high"]) == (None, None)
    assert told[-1].endswith("without it, or with twice as much, there is no balance")
