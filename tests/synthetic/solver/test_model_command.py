"""imsperf model and imsperf scenarios on the command line: columns, what-ifs, grids, bad calls."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from imsperf.cli import main
from imsperf.errors import OutOfReach
from imsperf.synthetic.predict import predict, predict_grid
from imsperf.synthetic.scenarios.scenario import load, names, overview

COLUMNS = [
    "scenario", "sweep_value", "metric", "unit", "value", "published", "error_pct", "kind",
    "low", "high", "method",
]  # fmt: skip


class Done:
    """Exit code and what was printed."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def rows(self) -> list[dict[str, str]]:
        """The csv that was printed."""
        return list(csv.DictReader(io.StringIO(self.out)))


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: Any) -> Done:
        code = 0
        try:
            main([str(word) for word in words])
        except SystemExit as end:
            code = int(end.code or 0)
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return call


def test_columns_are_those_scripts_rely_on(run: Run) -> None:
    done = run("model", "jmp", "--format", "csv")
    assert list(done.rows[0]) == COLUMNS
    by_name = {row["metric"]: row for row in done.rows}
    assert {
        "etr_per_s",
        "bottleneck",
        "headroom_pct",
        "util_cpu",
        "wads_write_ms",
    } <= by_name.keys()
    assert by_name["etr_per_s"]["kind"] == "fitted" and by_name["itr_per_s"]["kind"] == "input"
    assert by_name["region.unexplained_ms"]["kind"] == "unexplained"
    assert "next to saturate: cpu" in done.err


def test_the_answer_is_a_few_lines(run: Run) -> None:
    """Rate, response, CPU; before a what-if; busiest stations; what fills next; all on demand."""
    lines = run("model", "ff-haldb", "--set", "cpu.gcps=4").out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "ff-haldb with cpu.gcps=4", "before", "busiest", "next to saturate",
    ]  # fmt: skip
    assert lines[1] == "before: 4,951 transactions a second, response 18.4 ms, CPU 81.8 % busy"
    done = run("model", "bmp-banking", "--all")
    assert "elapsed 308 s" in done.out and "bmp_task_cpu_s" in done.out


def test_a_release_column_is_predicted(run: Run) -> None:
    done = run("model", "jmp", "--set", "ims.release=13", "--format", "csv")
    row = next(r for r in done.rows if r["metric"] == "etr_per_s")
    assert (row["published"], row["kind"]) == ("27210.01", "predicted")
    assert abs(float(row["error_pct"])) < 5


def test_a_what_if_has_before_and_change(run: Run) -> None:
    done = run(
        "model", "ff-haldb", "--set", "regions.mpp=80", "--set", "cpu.gcps=4", "--format", "csv"
    )
    assert list(done.rows[0]) == [*COLUMNS, "before", "change_pct"]
    row = next(r for r in done.rows if r["metric"] == "bottleneck")
    assert (row["before"], row["value"]) == ("cpu", "regions")
    assert "full now: regions; if it had more, next: cpu" in done.err
    row = next(r for r in done.rows if r["metric"] == "saturates_at_per_s")
    assert row["value"] == ""  # what regions pass is below what fills the processors


def test_explain_shows_stations_and_demands(run: Run) -> None:
    done = run("model", "dsff-smq", "--explain", "--format", "csv")
    by_name = {(row["system"], row["station"]) for row in done.rows}
    assert {("work_1", "cpu_1"), ("work_2", "cpu_2"), ("work_1", "cf")} <= by_name
    cpu = next(row for row in done.rows if row["station"] == "cpu_1")
    assert float(cpu["servers"]) == 3 and float(cpu["demand_us"]) == pytest.approx(855, rel=0.02)


def test_several_sweeps_make_a_grid(run: Run) -> None:
    words = ("--sweep", "otma.tpipes=1:10:4", "--sweep", "otma.limitrtp=10:100:2")
    done = run("model", "otma-tpipe", *words, "--format", "csv")
    rates = [row for row in done.rows if row["metric"] == "etr_per_s"]
    assert len(rates) == 8
    assert rates[0]["sweep_value"] == "otma.tpipes=1 otma.limitrtp=10"


def test_one_sweep_labels_with_the_value_alone(run: Run) -> None:
    done = run("model", "jmp", "--sweep", "clients=19:38:2", "--format", "csv")
    assert {row["sweep_value"] for row in done.rows} == {"19", "38"}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--sweep", "clients=1"], 2, "expected KEY=FROM:TO:STEPS"),
        (["--sweep", "clients=a:b:c"], 2, "expected KEY=FROM:TO:STEPS"),
        (["--sweep", "clients=1:2:1"], 2, "expected 2 to"),
        (["--sweep", "clients=1:2:2.5"], 2, "whole"),
        (["--sweep", "clients=1:inf:3"], 2, "have an end"),
        (["--sweep", "clients=1:2:2", "--sweep", "clients=3:4:2"], 2, "clients twice"),
        (["--sweep", "log.zhpf=0:1:2"], 1, "log.zhpf: found a knob of on or off"),
        (["--sweep", "system.name=1:2:2"], 1, "system.name: found a knob of names"),
        (["--set", "clients"], 2, "expected KEY=VALUE"),
        (["--set", "client=3"], 1, "no knob 'client'"),
        (["--set", "driver.think_ms=3km"], 1, "expected a number in ms"),
    ],
)
def test_bad_calls_end_with_one_message(
    run: Run, words: list[str], code: int, message: str
) -> None:
    done = run("model", "jmp", *words)
    assert done.code == code and message in done.err and done.out == ""


def test_saturated_is_said(run: Run) -> None:
    done = run("model", "jmp", "--set", "driver.rate_per_s=90000", "--format", "csv")
    assert done.code == 1 and done.out == ""
    assert "driver.rate_per_s: found 90,000, expected less than 36," in done.err
    assert "unstable open load, cpu is full" in done.err


# --- scenarios -----------------------------------------------------------------------------------


def test_all_scenarios_and_variants_are_listed(run: Run) -> None:
    done = run("scenarios", "--format", "csv")
    by_name = {row["scenario"] for row in done.rows}
    assert set(names()) <= by_name
    assert {f"tps-100k@bc{n}-{when}" for n in (1, 2, 3) for when in ("before", "after")} <= by_name
    assert {
        f"tps-100k@rb{n}-{when}" for n in range(1, 10) for when in ("before", "after")
    } <= by_name
    assert {
        "tps-100k@tps-46k",
        "logger-mm@zhpf",
        "jmp@64bit",
        "esaf-pooling@plct5-pooling",
    } <= by_name
    assert len(overview()) == len(done.rows)


def test_a_scenario_of_ones_own_extends_a_built_in_one(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\ntitle = "t"\ndoc = "d"\nextends = "jmp"\n'
        'knobs = [ { key = "cpu.gcps", value = 8, confidence = "1src", source = "our LPAR" } ]\n'
    )
    assert load(path)["cpu.gcps"] == 8 and load(path)["regions.jmp"] == 200
    done = run("model", path, "--format", "csv")
    assert done.code == 0
    assert all(row["published"] == "" for row in done.rows)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('extends = "jmp"\nknob = []', "unknown key 'knob'"),
        ('extends = "jmpp"', "no scenario 'jmpp'"),
        ('extends = "jmp"\ninclude = ["cpus"]', "no part 'cpus'"),
        ('extends = "jmp"\nfamily = "other"', "found family 'other'"),
        ('extends = "jmp"\nknobs = [ { key = "clients", valu = 3 } ]', "unknown key 'valu'"),
        (
            'extends = "jmp"\nknobs = [ { key = "clients", value = 0, confidence = "1src", '
            'source = "x" } ]',
            "expected 1 to 200000",
        ),
        ('extends = "jmp"\n[variants.a]\ndoc = "d"\nsetting = {}', "unknown key 'setting'"),
        ('extends = "jmp"\n[table.x]\ndoc = "d"\ncolumns = []\nrow = []', "unknown key 'row'"),
    ],
)
def test_a_broken_scenario_is_refused(run: Run, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(f'name = "b"\ntitle = "t"\ndoc = "d"\n{text}\n')
    done = run("model", path)
    assert done.code == 1 and message in done.err and "Traceback" not in done.err


def test_a_knob_is_set_or_swept_and_steps_of_counts_are_told(run: Run) -> None:
    done = run("model", "jmp", "--set", "cpu.gcps=8", "--sweep", "cpu.gcps=2:4:3")
    assert done.code == 2 and "found cpu.gcps with --set and with --sweep" in done.err
    done = run("model", "jmp", "--sweep", "cpu.gcps=1:4:3", "--format", "csv")
    assert "cpu.gcps takes whole numbers, its steps were rounded: 1, 2, 4" in done.err
    done = run("model", "jmp", "--sweep", "cpu.gcps=1:3:3", "--format", "csv")
    assert "rounded" not in done.err


# --- targets, and counts in sweeps ---------------------------------------------------------------


def test_a_sweep_keeps_the_points_that_reach_their_target() -> None:
    """One client keeps less than one of 4 CPs busy: 2 % it can, 30 % it cannot."""
    told: list[str] = []
    variant = load("odbm", {"clients": 1, "cpu.gcps": 4})
    rows = predict_grid(variant, {"driver.target_busy": [2.0, 30.0]}, told.append)
    by_name = {row["sweep_value"]: row["value"] for row in rows if row["metric"] == "cpu_busy_pct"}
    assert by_name == {2.0: pytest.approx(2.0, rel=1e-5), 30.0: None}
    (words,) = told
    assert words.startswith("driver.target_busy: found 30.00%, expected at most ")
    most = float(words.partition("at most ")[2].partition("%")[0])
    assert 2 < most < 25
    with pytest.raises(OutOfReach, match="found 40"):
        predict_grid(variant, {"driver.target_busy": [40.0, 50.0]})


def test_the_100k_benchmark_says_what_it_reaches() -> None:
    with pytest.raises(OutOfReach, match=r"driver\.target_busy: found 90\.00%, expected at most "):
        predict(load("tps-100k", {"clients": 1, "driver.target_busy": 90}))


@pytest.mark.parametrize(
    "words",
    [
        ["--set", "driver.target_busy=50", "--set", "driver.think_ms=3"],
        ["--set", "driver.target_busy=50", "--sweep", "driver.think_ms=1:2:2"],
        ["--set", "driver.think_ms=3", "--sweep", "driver.target_busy=30:50:2"],
    ],
)
def test_a_target_and_a_think_time_exclude_each_other(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["model", "jmp", *words])
    assert end.value.code == 1
    assert "driver.target_busy: found together with driver.think_ms" in capsys.readouterr().err


def test_no_target_leaves_the_think_time() -> None:
    variant = load("jmp", {"driver.target_busy": 0, "driver.think_ms": 3})
    assert variant["driver.think_ms"] == 3.0


def test_rounded_values_of_a_sweep_come_once() -> None:
    """1, 1.25, 1.5, 1.75, 2: two whole numbers."""
    rows = predict_grid(load("jmp"), {"cpu.gcps": [1.0, 1.25, 1.5, 1.75, 2.0]})
    assert [row["sweep_value"] for row in rows if row["metric"] == "etr_per_s"] == [1, 2]


def test_a_knob_is_set_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["model", "jmp", "--set", "cpu.gcps=4", "--set", "cpu.gcps=5"])
    assert end.value.code == 2
    assert "found cpu.gcps twice" in capsys.readouterr().err
