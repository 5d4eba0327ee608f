"""Release tables: the deltas that the papers print, and means of several runs."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pytest

from imsperf.errors import ReportError
from imsperf.reports.charts.drawing import of_deltas, of_runs
from imsperf.reports.comparison.release_chart import load_rows
from imsperf.reports.comparison.release_table import (
    Column,
    predicted_column,
    release_table,
    text,
)

# IBM, "IMS 15 performance", Table 19, FF with HALDB: IMS 14, IMS 15, delta, delta % as printed
PRINTED = {
    "cpu_busy_pct": (79.20, 81.81, 2.61, 3.30),
    "etr_per_s": (4770.88, 4951.39, 180.51, 3.78),
    "itr_per_s": (6023.84, 6052.30, 28.46, 0.47),
    "ims_response_ms": (18.555, 18.387, -0.168, -0.91),
    "ims_connect_cpu_us_per_tran": (29.546, 26.429, -3.117, -10.55),
}


def metrics(
    values: Mapping[str, float | None], system: str = "SYSA", sysplex: str | None = "PLEX1"
) -> pa.Table:
    """Rows of run.metrics."""
    n = len(values)
    return pa.table(
        {
            "sysplex": pa.array([sysplex] * n, pa.string()),
            "system": pa.array([system] * n, pa.string()),
            "metric": pa.array(values, pa.string()),
            "label": pa.array([name.upper() for name in values], pa.string()),
            "unit": pa.array(["ms"] * n, pa.string()),
            "better": pa.array(["lower"] * n, pa.string()),
            "value": pa.array(list(values.values()), pa.float64()),
            "place": pa.array(range(n), pa.int64()),
        }
    )


def test_deltas_are_those_that_were_printed() -> None:
    """To the digits of the paper; equal are ITR and response, by its rule of 1 %."""
    releases = [
        Column(name, [metrics({metric: row[place] for metric, row in PRINTED.items()})])
        for place, name in enumerate(("ims14", "ims15"))
    ]
    rows = release_table(releases).to_pylist()
    deltas = {row["metric"]: row for row in rows if row["column"] == "ims15"}
    for metric, (_, _, delta, pct) in PRINTED.items():
        assert deltas[metric]["delta"] == pytest.approx(delta, abs=0.005)
        assert deltas[metric]["delta_pct"] == pytest.approx(pct, abs=0.005)
    equal = {metric for metric, row in deltas.items() if row["equal"]}
    assert equal == {"itr_per_s", "ims_response_ms"}
    assert [row["metric"] for row in rows[::2]] == list(PRINTED)
    assert all(row["delta"] is None for row in rows if row["column"] == "ims14")


def test_several_runs_are_a_mean_with_its_interval() -> None:
    """1, 2, 3: mean 2, deviation 1, t of two degrees of freedom 4.303: 4.303 / sqrt(3)."""
    runs = [metrics({"a": float(n)}) for n in (1, 2, 3)]
    base, other = release_table([Column("seeds", runs), Column("b", [metrics({"a": 3.0})])], "b")[
        "half_width"
    ].to_pylist()
    assert base == pytest.approx(4.302653 / 3**0.5, abs=1e-5) and other is None
    rows = release_table([Column("seeds", runs), Column("b", [metrics({"a": 3.0})])], "b")
    assert rows["delta"].to_pylist() == [-1, None]
    assert rows["delta_pct"].to_pylist()[0] == pytest.approx(-100 / 3)


def test_what_is_not_there_is_no_zero() -> None:
    """A value that a run lacks has no delta; a base of 0 has no per cent; a line without any value
    is not printed."""
    columns = [
        Column("a", [metrics({"x": None, "y": 0.0, "z": None})]),
        Column("b", [metrics({"x": 1.0, "y": 2.0, "z": None})]),
    ]
    rows = {(r["metric"], r["column"]): r for r in release_table(columns).to_pylist()}
    assert rows["x", "b"]["delta"] is None and rows["x", "b"]["equal"] is None
    assert rows["y", "b"]["delta"] == 2 and rows["y", "b"]["delta_pct"] is None
    shown = text(release_table(columns), "")
    assert "X " in shown and "Z " not in shown and shown.count(" - ") >= 1


def test_systems_and_a_prediction_stand_apart() -> None:
    """Two systems are two groups of lines; a model answers for the metrics of the first run."""
    both = pa.concat_tables([metrics({"x": 1.0}), metrics({"x": 2.0}, "SYSB")])
    rows = release_table([Column("t", [both])])
    assert rows["system"].to_pylist() == ["SYSA", "SYSB"]
    model = predicted_column(
        "model", {"x": 3.0, "other": 4.0}, [Column("t", [metrics({"x": 2.0})])]
    )
    rows = release_table([Column("t", [metrics({"x": 2.0})]), model])
    assert rows["delta_pct"].to_pylist() == [None, 50]


def test_systems_of_one_name_stand_apart() -> None:
    """SYSA of two sysplexes: 1 to 2 is a delta of 1, 3 to 3 none; no mean of two runs. A run of one
    of them is held against its own. No chart draws one of two for both, but all of a run."""
    before, after = (
        pa.concat_tables([metrics({"etr_per_s": first}), metrics({"etr_per_s": 3.0}, "SYSA", plex)])
        for first, plex in ((1.0, "PLEX2"), (2.0, "PLEX2"))
    )
    one = metrics({"etr_per_s": 6.0}, "SYSA", "PLEX2")
    columns = [Column("a", [before]), Column("b", [after]), Column("c", [one])]
    rows = release_table(columns).to_pylist()
    assert [(row["system"], row["column"], row["runs"], row["delta"]) for row in rows] == [
        ("PLEX1 SYSA", "a", 1, None), ("PLEX1 SYSA", "b", 1, 1.0),
        ("PLEX2 SYSA", "a", 1, None), ("PLEX2 SYSA", "b", 1, 0.0), ("PLEX2 SYSA", "c", 1, 3.0),
    ]  # fmt: skip
    with pytest.raises(ReportError, match="several systems: PLEX1 SYSA, PLEX2 SYSA"):
        load_rows(columns)
    every = pa.concat_tables([before, metrics({"etr_per_s": 4.0}, "*ALL*")])
    assert load_rows([Column("a", [every])])["value"].to_pylist() == [4.0]


def test_a_base_nobody_has_is_refused() -> None:
    with pytest.raises(ReportError, match="no column 'ims16'"):
        release_table([Column("ims15", [metrics({"x": 1.0})])], "ims16")


def test_names_do_not_steer_the_terminal() -> None:
    columns = [Column("a\x1b[2J", [metrics({"x": 1.0})])]
    assert "\x1b" not in text(release_table(columns), "")


def test_runs_are_drawn_against_their_rate() -> None:
    """Two seeds at 100 a second and one run at 200, with a curve of three points: a point for each
    run and metric that has a value; of several systems their sum; a panel without a value is none.
    """
    seeds = [
        metrics({"etr_per_s": 100.0, "ims_response_ms": ms, "itr_per_s": None}) for ms in (2.0, 3.0)
    ]
    one = metrics({"etr_per_s": 120.0, "ims_response_ms": 9.0})
    both = pa.concat_tables([one, metrics({"etr_per_s": 200.0, "ims_response_ms": 5.0}, "*ALL*")])
    curve = [{"etr_per_s": rate, "ims_response_ms": rate / 50} for rate in (50.0, 150.0, 250.0)]
    rows = load_rows([Column("seeds", seeds), Column("b", [both])], curve, "model m").to_pylist()
    response = [row for row in rows if row["panel"] == "IMS_RESPONSE_MS [ms]"]
    assert [(r["series"], r["run_no"], r["rate"], r["value"], r["is_model"]) for r in response] == [
        ("seeds", 1, 100.0, 2.0, False), ("seeds", 2, 100.0, 3.0, False),
        ("b", 1, 200.0, 5.0, False), ("model m", 1, 50.0, 1.0, True),
        ("model m", 2, 150.0, 3.0, True), ("model m", 3, 250.0, 5.0, True),
    ]  # fmt: skip
    assert {row["panel"] for row in rows} == {"IMS_RESPONSE_MS [ms]", "ETR_PER_S [ms]"}
    drawn = of_runs(pa.Table.from_pylist(rows), "rate", "t")
    assert {row["panel"] for row in drawn["data"]["values"]} == {"IMS_RESPONSE_MS [ms]"}
    aside = of_runs(pa.Table.from_pylist(rows), "run", "t")["data"]["values"]
    assert len(aside) == 6 and not any(row["is_model"] for row in aside)
    with pytest.raises(ReportError, match="nothing to draw"):
        load_rows([Column("t", [metrics({"ims_response_ms": 2.0})])])
    with pytest.raises(ReportError, match="several systems: SYSA, SYSB"):
        load_rows([Column("t", [pa.concat_tables([one, metrics({"etr_per_s": 1.0}, "SYSB")])])])


def test_runs_that_hardly_differ_are_drawn_near_one_another() -> None:
    """495.11 and 495.15 lie on an axis from 470.3735 to 519.8865; 100 and 300 have their own."""
    runs = [
        Column(name, [metrics({"ims_response_ms": ms, "etr_per_s": rate})])
        for name, ms, rate in (("a", 495.11, 100.0), ("b", 495.15, 300.0))
    ]
    drawn = of_runs(load_rows(runs), "run", "t")
    ends = {row["panel"]: (row["low"], row["high"]) for row in drawn["data"]["values"]}
    assert ends["IMS_RESPONSE_MS [ms]"] == pytest.approx((470.3735, 519.8865))
    assert ends["ETR_PER_S [ms]"] == (100.0, 300.0)


def test_deltas_are_bars() -> None:
    """Of a base of 200 and 4, 210 and 3 are +5 and -25 %; the base has no bars, nor has a dash."""
    given = {"a": {"etr_per_s": 200.0, "x": 4.0}, "b": {"etr_per_s": 210.0, "x": 3.0}}
    table = release_table([Column(name, [metrics(values)]) for name, values in given.items()])
    values = of_deltas(table, "t")["data"]["values"]
    assert [(row["column"], row["delta_pct"]) for row in values] == [("b", 5.0), ("b", -25.0)]
    with pytest.raises(ReportError, match="nothing to draw"):
        of_deltas(release_table([Column("a", [metrics({"x": 1.0})])]), "t")


def test_one_column_has_no_deltas_to_explain() -> None:
    rows = release_table([Column("one", [metrics({"a": 1.0})])])
    assert "Deltas" not in text(rows, "")
