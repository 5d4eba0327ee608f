"""What is said of a comparison: the sentence, the groups, and that names stay text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from imsperf import api
from imsperf.reports.comparison.causes import Group, by_cause, causes_of
from imsperf.reports.comparison.compare import SCHEMA, Comparison
from imsperf.reports.comparison.samples import when
from imsperf.reports.comparison.summary import some_differences, summary
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

NAMES = {("rmf.device", "system=SYSA,device=09001"): "OLDS01"}


def row(report: str, key: str, column: str, verdict: str = "same", **values: Any) -> dict[str, Any]:
    numbers = {"base": 0.28, "candidate": 0.34, "delta_pct": 21.4, "p_value": 0.001}
    empty = dict.fromkeys(SCHEMA.names)
    return (
        empty
        | numbers
        | {
            "report": report,
            "key": key,
            "column": column,
            "unit": "ms",
            "better": "lower",
            "verdict": verdict,
            "rank": 1,
            "note": "",
        }
        | values
    )


def comparison(*rows: dict[str, Any], **facts: Any) -> Comparison:
    table = by_cause(pa.Table.from_pylist(list(rows), SCHEMA), NAMES)
    return Comparison(table, pa.table({}), NAMES, **facts)


SLOW = (
    row(
        "rmf.device",
        "system=SYSA,device=09001",
        "resp_ms",
        "worse",
        ci_low_pct=19.1,
        ci_high_pct=24.8,
    ),
    row(
        "smf.dataset_io",
        "system=SYSA,job=IMSACTL,dataset=A.OLP01,volume=OLDS01",
        "resp_ms",
        "worse",
    ),
    row("rmf.device_lcu", "system=SYSA,lcu=0090", "resp_ms", "worse", delta_pct=5.0),
    row("rmf.cpu", "system=SYSA,cpu=,thread=,type=CP", "mvs_busy_pct", "better", delta_pct=-3.0),
    *[row("rmf.cpu", f"system=SYSA,cpu={n},thread=,type=CP", "mvs_busy_pct") for n in range(4)],
    row("rmf.cpu", "system=SYSA,cpu=9,thread=,type=CP", "mvs_busy_pct", "unclear"),
)


def test_the_answer_comes_first() -> None:
    """The volume by its name, what follows from it, how much is the same and open."""
    lines = summary(comparison(*SLOW)).splitlines()
    assert lines[0] == (
        "Worse: resp_ms of volume OLDS01, device 09001 (rmf.device), 0.280 -> 0.340 ms, +21.4 % "
        "(+19.1 % to +24.8 %); 2 more rows follow from it; 1 other thing changed. 4 rows same, "
        "1 unclear."
    )
    assert [line.split()[:2] for line in lines[4:]] == [
        ["worse", "volume"], ["worse", "IMSACTL"], ["worse", "LCU"], ["better", "CP"],
    ]  # fmt: skip
    assert [line.startswith("  ") for line in lines[4:]] == [False, True, True, False]


def test_rows_of_one_volume_and_of_what_holds_it_are_one_group() -> None:
    assert [len(group.rows) for group in causes_of(comparison(*SLOW).table)] == [3, 1]


def test_near_copies_are_one_line() -> None:
    """64 paths whose time is up by 20 to 14 %, of one report and column, are one thing: the first,
    and a line for all others. One that is up by 8 %, less than half of 20, is another thing; so is
    one that got better."""
    paths = [
        row("rmf.ioq", f"system=SYSA,lcu=008{lcu},path=5{path}", "cmr_delay_ms", "worse",
            delta_pct=20.0 - 2 * lcu)
        for lcu in range(4) for path in range(4)
    ]  # fmt: skip
    less = row("rmf.ioq", "system=SYSA,lcu=0090,path=60", "cmr_delay_ms", "worse", delta_pct=8.0)
    other = row("rmf.ioq", "system=SYSA,lcu=0091,path=61", "cmr_delay_ms", "better",
                delta_pct=-20.0)  # fmt: skip
    # what is about path 0081 51 follows from the thing that 0081 is a part of
    delay = row("rmf.ioq", "system=SYSA,lcu=0081,path=51", "css_delay_ms", "differs")
    table = comparison(*paths, less, other, delay).table
    assert [len(group.rows) for group in causes_of(table)] == [17, 1, 1]
    lines = summary(comparison(*paths, less, other, delay)).splitlines()
    assert lines[0].startswith(
        "Worse: cmr_delay_ms of path 50 of LCU 0080 (rmf.ioq), 0.280 -> 0.340 ms, +20.0 %; "
        "15 more rows like it; 1 more row follows from it; 2 other things changed."
    )
    assert [line.split("  rmf.ioq")[0].split() for line in lines[4:]] == [
        ["worse", "path", "50", "of", "LCU", "0080", "cmr_delay_ms"],
        ["worse", "path", "51", "of", "LCU", "0080", "(14", "more)", "cmr_delay_ms"],
        ["differs", "path", "51", "of", "LCU", "0081", "css_delay_ms"],
        ["worse", "path", "60", "of", "LCU", "0090", "cmr_delay_ms"],
        ["better", "path", "61", "of", "LCU", "0091", "cmr_delay_ms"],
    ]


def test_near_copies_of_a_row_that_follows_are_of_the_group() -> None:
    """Utilization halves on two channel paths, and so does the rate: the rate of the second path is
    as that of the first, though its utilization has not been seen yet."""
    rows = [
        row("rmf.channel", f"system=SYSA,channel={path}", column, "differs", delta_pct=change)
        for path, column, change in (
            ("52", "part_util_pct", -50.2), ("52", "zhpf_per_s", -50.2),
            ("51", "zhpf_per_s", -49.8), ("51", "part_util_pct", -49.8),
            ("53", "zhpf_per_s", -20.0),
        )
    ]  # fmt: skip
    assert [len(group.rows) for group in causes_of(comparison(*rows).table)] == [4, 1]


def test_the_outcome_heads_its_cause() -> None:
    """CMR delay of a path and of two volumes changed most; who reads knows their response, which
    contains it. The row of the volume that comes first is a near-copy of one that is led by the LCU
    of the path: all are one thing."""
    volume, other = "system=SYSA,device=09001", "system=SYSA,device=09007"
    rows = [
        row("rmf.device", other, "cmr_ms", "better", delta_pct=-80.5),
        row("rmf.ioq", "system=SYSA,lcu=0090,path=51", "cmr_delay_ms", "better", delta_pct=-80.0),
        row("rmf.device_lcu", "system=SYSA,lcu=0090", "cmr_ms", "better", delta_pct=-82.0),
        row("rmf.device", volume, "cmr_ms", "better", delta_pct=-79.9),
        row("rmf.device", volume, "resp_ms", "better", delta_pct=-28.0),
        row("rmf.device", volume, "conn_ms", "worse", delta_pct=2.0),
        row("rmf.device", other, "resp_ms", "better", delta_pct=-27.0),
        row("rmf.cpu", "system=SYSA,type=CP", "mvs_busy_pct", "differs", delta_pct=3.0),
        row("rmf.cpu", "system=SYSA,type=IIP", "mvs_busy_pct"),
    ]
    told = comparison(*rows)
    heads = [(group.rows[0]["key"], group.rows[0]["column"]) for group in causes_of(told.table)]
    assert heads == [(volume, "resp_ms"), ("system=SYSA,type=CP", "mvs_busy_pct")]


def test_what_begins_is_like_what_begins() -> None:
    """Without a base there is no change in per cent; a volume that begins to wait and one that
    waits as much longer are like one another, what ends is not."""
    keys = [f"system=SYSA,ims=IMSA,counter=wait{n}" for n in range(4)]
    rows = [
        row("ims.logger", keys[0], "per_transaction", "worse", base=0.0, delta=1, delta_pct=None),
        row("ims.logger", keys[1], "per_transaction", "worse", base=0.0, delta=1, delta_pct=None),
        row("ims.logger", keys[2], "per_transaction", "worse", delta_pct=2000.0),
        row("ims.logger", keys[3], "per_transaction", "worse", delta_pct=-100.0),
    ]
    assert [len(group.rows) for group in causes_of(comparison(*rows).table)] == [3, 1]


LOOP = row(
    "smf.address_space", "system=SYSA,job=IFP00502,step=REGION,instance=1,kind=interval",
    "cpu_pct", "differs", unit="%", base=0.4, candidate=98.0, delta_pct=24400.0,
)  # fmt: skip
LATE = row("rmf.workload", "system=SYSA,kind=service,class=ONLINE,period=1", "resp_ms", "worse")


def test_what_got_worse_comes_before_what_is_another_one() -> None:
    """The CPU time of a region ranks first and is neither good nor bad; the response time that is
    the second thing opens the sentence, the first is told behind it. The table keeps its order."""
    lines = summary(comparison(LOOP, LATE)).splitlines()
    assert lines[0] == (
        "Worse: resp_ms of service class ONLINE, period 1 (rmf.workload), 0.280 -> 0.340 ms, "
        "+21.4 %; 1 other thing changed. Changed most, neither better nor worse: cpu_pct of "
        "interval job IFP00502, step REGION, instance 1 (smf.address_space), 0.40 -> 98.00 %, "
        "245 times."
    )
    assert [line.split()[0] for line in lines[4:]] == ["differs", "worse"]


def test_what_follows_from_what_is_another_one_opens_the_sentence() -> None:
    """The same in one group: the pend time of the job that loops."""
    wait = row(
        "smf.address_space", LOOP["key"], "io_pend_ms", "worse", base=1.5, candidate=3.0,
        delta_pct=100.0,
    )  # fmt: skip
    (line,) = summary(comparison(LOOP, LOOP | {"column": "cpu_s"}, wait)).splitlines()[:1]
    assert line.startswith("Worse: io_pend_ms of interval job IFP00502, step REGION, instance 1 (")
    assert "; 1 more row of the same cause. Changed most, neither better nor worse: cpu_pct" in line


@pytest.mark.parametrize("before", [3, 4])
def test_what_is_far_down_the_list_does_not_open_the_sentence(before: int) -> None:
    """Of the first three things one that got worse is told first; of later ones none is."""
    columns = ("zhpf_per_s", "bus_util_pct", "total_util_pct", "part_util_pct")
    paths = [
        row("rmf.channel", f"system=SYSA,channel=5{n}", column, "differs", delta_pct=90.0 - 10 * n)
        for n, column in enumerate(columns)
    ]  # fmt: skip
    line = summary(comparison(*paths[: before - 1], LATE)).splitlines()[0]
    assert line.startswith("Worse: resp_ms" if before == 3 else "Differs: zhpf_per_s of channel 50")


def test_several_systems_are_told_apart() -> None:
    """With one system its name says nothing; of ten it says which."""
    other = row("rmf.device", "system=SYSB,device=09001", "resp_ms")
    line = summary(comparison(*SLOW, other)).splitlines()[0]
    assert line.startswith(
        "Worse: resp_ms of volume OLDS01, device 09001, system SYSA (rmf.device)"
    )


@pytest.mark.parametrize(
    ("base", "candidate", "told"),
    [
        (0.28, 0.34, "0.280 -> 0.340"),  # one decimal in the report
        (0.0004, 0.02, "0.0004 -> 0.0200"),
        (5.0, 7.0, "5.0 -> 7.0"),
        (16.27, 19.9, "16.3 -> 19.9"),
        (0.0, 7.6e-08, "0.000000 -> 0.000000"),
        (1234.5, 1300.0, "1,234.5 -> 1,300.0"),
    ],
)
def test_values_have_three_digits(base: float, candidate: float, told: str) -> None:
    """What a page prints with one decimal is no answer where .28 became .34."""
    path = row("rmf.ioq", "system=SYSA,lcu=0080,path=50", "cmr_delay_ms", "worse",
               base=base, candidate=candidate)  # fmt: skip
    assert f" (rmf.ioq), {told} ms, " in summary(comparison(path))


def test_no_more_rows_than_asked_for() -> None:
    words = summary(comparison(*SLOW), top=2)
    assert len(words.splitlines()) == 7 and "... and 2 more rows that changed" in words


def test_nothing_changed_and_nothing_tested() -> None:
    still = row("rmf.cpu", "system=SYSA,cpu=1", "mvs_busy_pct")
    assert summary(comparison(still)) == "No change beyond noise: 1 rows same.\n"
    short = row("rmf.cpu", "system=SYSA,cpu=1", "mvs_busy_pct", "unclear", p_value=None)
    assert summary(comparison(short)) == "Too few intervals to test anything: 1 unclear.\n"
    single = row("run.metrics", "system=SYSA,metric=etr_per_s", "value", "unclear",
                 p_value=None, note="one value a run: nothing to test it by")  # fmt: skip
    assert summary(comparison(single)) == (
        "Nothing to test: rows have one value a run, or are on one side only; --all prints them: "
        "1 unclear.\n"
    )
    few = row(
        "rmf.cpu", "system=SYSA,cpu=1", "a", "unclear", p_value=None, note="too few intervals"
    )
    rare = row("rmf.cpu", "system=SYSA,cpu=2", "b", "unclear", note="assumes Poisson")
    assert summary(comparison(few, few, rare)) == (
        "Too few intervals to test 2 of 3 rows; no other changed: 3 unclear.\n"
    )
    assert summary(comparison(still, same_run=True)).startswith("Both sides are the same records")


def test_a_part_of_the_run_is_named() -> None:
    """Nine of 24 intervals are 7 times as slow: from the start of the eighth to the end of the
    sixteenth; noise of 1 % is none, nor a change of the whole run, nor every third interval."""
    noise = 0.01 * np.random.default_rng(1).normal(size=24)
    base = part(np.exp(noise))
    starts = np.datetime64("2026-03-02T09:00", "us") + np.arange(24) * np.timedelta64(120, "s")
    seconds, slow = np.full((1, 24), 120.0), np.exp(noise[::-1])
    slow[7:16] *= 7
    found = when(base, part(slow), starts, seconds)
    assert [str(time)[11:16] for time in found[0]] == ["09:14", "09:32"]
    thirds = np.where(np.arange(24) % 3 == 0, 7.0, 1.0)
    for other in (np.exp(noise[::-1]), 7 * np.exp(noise), thirds * np.exp(noise)):
        assert when(base, part(other), starts, seconds) == {}


def test_what_else_differs_is_told_of_each_topic() -> None:
    """Of 20 options of the configuration, two facts of coverage and one of load seven lines."""
    topics = ["configuration"] * 20 + ["coverage"] * 2 + ["load"]
    rows = {"topic": topics, "item": [str(n) for n in range(len(topics))]}
    shown = some_differences(pa.table(rows), 7)
    assert shown["item"].to_pylist() == ["0", "1", "2", "3", "20", "21", "22"]
    assert some_differences(pa.table(rows), 99).num_rows == 23


def part(values: Any) -> tuple[Any, Any, float]:
    return values[None, None] * 1000, np.full((1, 1, len(values)), 1000.0), 1.0


def test_names_do_not_steer_the_screen() -> None:
    evil = row("rmf.xcf_member", "system=SYSA,member=\x1b[2J\nok", "sent_per_s", "worse")
    assert "\x1b" not in summary(comparison(evil)) and "\nok" not in summary(comparison(evil))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_sixteen_paths_instead_of_eight(tmp_path: Path, seed: int) -> None:
    """Document 002: "about 28 % less" response of the database volumes. 24 intervals of 2 minutes:
    their cause is the first thing that is told, by a response, and the interval of each volume is
    within -28 +/- 2 %."""
    db = tmp_path / "x.duckdb"
    for paths, name, number in ((8, "rb9-before", seed), (16, "rb9-after", seed + 100)):
        system = scenario.load(f"tps-100k@{name}")
        generate_intervals(
            system, tmp_path / name, intervals=24, every_s=120, seed=number, profile="flat"
        )
        api.load([tmp_path / name], db, run=f"paths{paths}")
    done = api.compare(f"{db}::paths8", f"{db}::paths16")
    rows = done.table.to_pylist()
    told = [r for r in rows if (r["report"], r["column"]) == ("rmf.device", "resp_ms")]
    volumes = [r for r in told if done.names[r["report"], r["key"]].startswith("S60$")]
    assert len(volumes) == 205
    for each in volumes:
        assert each["verdict"] == "better" and each["rank"] == 1
        assert -30 < each["ci_low_pct"] < each["ci_high_pct"] < -26
    assert summary(done).startswith("Better: resp_ms of ")  # of a volume, or a data set on it


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_equal_runs_and_a_slow_volume(tmp_path: Path, seed: int) -> None:
    """24 intervals of 2 minutes: two seeds of one system raise no alarm but by chance; of a volume
    that answers late in nine of them, the first row is about it."""
    system = scenario.load("ff-haldb")
    for name, number, inject in (("a", 1, ()), ("b", seed, ()), ("c", seed, ("slow-volume@8-16",))):
        generate_intervals(
            system, tmp_path / name, intervals=24, every_s=120, seed=number, profile="flat",
            inject=inject,
        )  # fmt: skip
        api.load([tmp_path / name], tmp_path / "x.duckdb", run=name)
    db = tmp_path / "x.duckdb"
    equal = api.compare(f"{db}::a", f"{db}::b")
    verdicts = equal.table["verdict"].to_pylist()
    assert verdicts.count("same") > 0.6 * len(verdicts)
    assert sum(word in ("worse", "better", "differs") for word in verdicts) <= 5
    slow = api.compare(f"{db}::a", f"{db}::c")
    assert "fault" not in str(slow.differences["item"].to_pylist())
    truth = (tmp_path / "c" / "truth.toml").read_text()
    device = truth.split('key = "device=')[1].split('"')[0]
    first = causes_of(slow.table)[0]
    assert any(f"device={device}" in each["key"] for each in first.rows)
    assert "from 2018-05-15 09:14 to 09:32;" in summary(slow)  # 16:14 UTC, PDT


def test_a_volume_leads_the_total_that_it_is_alone_in() -> None:
    """+1468.06 % of the volume and +1468.13 % of the total of its kind are one thing; +1600 % of
    something larger is another one."""
    olds = row("rmf.device", "device=09001", "resp_ms", "worse", delta_pct=1468.06)
    total = row("joined.log", "kind=OLDS,job=,volume=", "resp_ms", "worse", delta_pct=1468.13)
    assert Group(olds).leads(total)
    assert not Group(olds).leads(total | {"delta_pct": 1600.0})


def test_a_row_that_follows_leads_what_it_is_a_part_of() -> None:
    """The cache of a volume has no more hits; the volume follows by its number, and its LCU by the
    disconnect time of the volume."""
    rows = [
        row("rmf.cache", "system=SYSA,ssid=2101,device=9001", "read_hit_pct", "worse",
            delta_pct=-100.0),
        row("rmf.device", "system=SYSA,device=09001", "disc_ms", "worse", delta_pct=2000.0),
        row("rmf.device_lcu", "system=SYSA,lcu=0090", "disc_ms", "worse", delta_pct=100.0),
    ]  # fmt: skip
    assert [len(group.rows) for group in causes_of(comparison(*rows).table)] == [3]


def test_what_fell_to_nothing_leads_no_row() -> None:
    """-100 % and less have no logarithm; they are an endless change, not an error."""
    row = {"verdict": "better", "column": "resp_ms", "unit": "ms"}
    head = {**row, "report": "a", "delta_pct": -250.0}
    assert Group(head).leads({**row, "report": "b", "delta_pct": -2.0}) is True
    assert (
        Group({**head, "delta_pct": -50.0}).leads({**row, "report": "b", "delta_pct": -100.0})
        is False
    )


def test_a_notebook_shows_how_many_rows_have_which_verdict() -> None:
    """Not the tables that a comparison is made of."""
    same = row("rmf.device", "system=SYSA,device=09002", "resp_ms")
    words = "<Comparison: 2 rows: 1 worse, 1 same; .table, .differences and .excursions have them>"
    assert repr(comparison(SLOW[0], same)) == words
    assert repr(Comparison(SCHEMA.empty_table(), pa.table({}))).startswith("<Comparison: no row;")
