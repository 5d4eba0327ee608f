"""imsperf whatif: the model of a measured system is that system, and a what-if of it is honest."""

from __future__ import annotations

import re
from contextlib import nullcontext
from datetime import datetime
from typing import Any

import pytest

from imsperf.cli import main
from imsperf.cli.model.whatif import span
from imsperf.errors import ReportError, ScenarioError
from imsperf.measured.system import MeasuredSystem, Reading, _only
from imsperf.synthetic import whatif
from imsperf.synthetic.predict import Row
from imsperf.synthetic.scenarios.scenario import load, what_if
from imsperf.synthetic.workloads.families import predicted, systems

# A site of our own: 700 transactions a second of 3 ms CPU on 4 CPs (52.5 % busy), 20 I/Os of 0.4 ms
# each, 60 regions, 64 MB of log in 10 s.
SITE = {
    "etr_per_s": 700.0,
    "ims_response_ms": 30.0,
    "cpu_us_per_tran": 3000.0,
    "cpu_busy_pct": 52.5,
    "cps": 4.0,
    "regions.mpp": 60.0,
    "wads_ms": 0.3,
    "olds_ms": 0.4,
    "db_io_per_s": 14_000.0,
    "db_io_ms": 0.4,
    "db_volumes": 40.0,
    "db_paths": 8.0,
    "log_mb_per_s": 6.4,
    "wads_writes_per_s": 650.0,
}


@pytest.fixture(scope="module")
def today() -> whatif.Today:
    return whatif.todays("mon SYSA", load("ff-haldb"), SITE)


def rows_of(today: whatif.Today, told: Any = lambda words: None, **asked: str) -> dict[str, Row]:
    words = {f"--{key.replace('_', '-')}": value for key, value in asked.items()}
    after = today.scenario.with_settings(what_if(today.scenario, words))
    return {row["metric"]: row for row in whatif.answer(today, after, "solver", told)}


def test_today_is_what_was_measured(today: whatif.Today) -> None:
    values = predicted(today.scenario).values
    for metric in ("etr_per_s", "ims_response_ms", "cpu_us_per_tran", "cpu_busy_pct", "db_io_ms",
                   "log_mb_per_s"):  # fmt: skip
        assert values[metric] == pytest.approx(SITE[metric], rel=1e-4), metric
    assert values["db_io_per_tran"] == pytest.approx(20)
    assert [today.scenario[key] for key in ("cpu.gcps", "regions.mpp", "dasd.volumes")] == [
        4,
        60,
        40,
    ]
    assert today.unseen == ()
    assert today.errors["ims_response_ms"] < 1e-4 < today.errors["wads_writes_per_s"]


def test_the_utilisation_law_holds_for_more_load(today: whatif.Today) -> None:
    """840/s. CPs cost 6 times what ff-haldb's do (496 us), so its fixed 20 ms/s are 120: 3 of the
    52.5 %. The other 49.5 become 59.4, and grow with use by 5 % of the 10 points: 62.4 to 62.8."""
    rows = rows_of(today, load="+20%")
    assert rows["etr_per_s"]["value"] == pytest.approx(840)
    assert 62.3 < rows["cpu_busy_pct"]["value"] < 62.8
    assert rows["cpu_busy_pct"]["before"] == pytest.approx(52.5)
    assert (rows["etr_per_s"]["today"], rows["ims_response_ms"]["today"]) == ("input", "fitted")


def test_reads_that_take_longer_make_the_response_longer_by_as_much(today: whatif.Today) -> None:
    """R grows by the reads that are waited for, times what each takes more (and its queue)."""
    rows = rows_of(today, disk_latency="x2")
    (network,) = [network for _, network in systems(today.scenario)]
    longer = rows["db_io_ms"]["value"] - rows["db_io_ms"]["before"]
    assert longer == pytest.approx(0.4, rel=0.1)
    waited = rows["ims_response_ms"]["value"] - rows["ims_response_ms"]["before"]
    assert waited == pytest.approx(network.mean("reads") * longer, rel=0.02)


def test_the_range_holds_the_unexplained_delay(today: whatif.Today) -> None:
    """Load + 20 %: the delay may be a fifth less or more; the response moves with it at least."""
    row, delay = rows_of(today, load="+20%")["ims_response_ms"], today.scenario[whatif.DELAY]
    assert 0 < delay < 30
    assert row["low"] <= row["value"] - 0.2 * delay * 0.999
    assert row["high"] >= row["value"] + 0.2 * delay * 0.999
    assert rows_of(today, load="+1%")["ims_response_ms"]["high"] < row["high"]


@pytest.mark.parametrize(("latency", "end", "side"), [("x2", "low", 1), ("-50%", "high", -1)])
def test_slower_disks_never_shorten_the_response(
    today: whatif.Today, latency: str, end: str, side: int
) -> None:
    """At one rate the delay goes where the explained time goes: with reads of 0.8 ms not below the
    30 ms of today, with 0.2 ms not above. How wide the other side is, says the delay."""
    row = rows_of(today, disk_latency=latency)["ims_response_ms"]
    assert row["before"] == pytest.approx(30, rel=1e-4)
    assert side * (row[end] - row["before"]) > 0
    other = {"low": "high", "high": "low"}[end]
    assert abs(row[other] - row["value"]) > 2 * abs(row[end] - row["value"])


def test_more_than_passes_is_said_not_refused(today: whatif.Today) -> None:
    """4 CPs of 3 ms, 6 % of it the fixed part: 3.88 s / 2.83 ms is 1,371 a second at most."""
    rows = rows_of(today, load="x2")
    assert 1300 < rows["etr_per_s"]["value"] < 1371
    assert rows["ims_response_ms"]["value"] is None
    assert rows["bottleneck"]["value"] == "cpu"


def test_a_wait_for_regions_is_part_of_the_response() -> None:
    """16 regions: none holds a transaction longer than 16 / 700 s on average, 22.9 ms of the 30."""
    today = whatif.todays("mon SYSA", load("ff-haldb"), SITE | {"regions.mpp": 16.0})
    values = predicted(today.scenario).values
    assert values["ims_response_ms"] == pytest.approx(30, rel=1e-4)
    assert values["region_occupancy_ms"] < 16 / 700 * 1000
    assert values["region_queue_ms"] > 30 - 22.9 - 1


def test_what_no_record_shows_is_named() -> None:
    few = ("etr_per_s", "ims_response_ms", "cpu_us_per_tran", "cpu_busy_pct", "cps")
    today = whatif.todays("mon SYSA", load("ff-haldb"), {key: SITE[key] for key in few})
    assert len(today.unseen) == len(whatif.ABSENT)
    assert today.scenario["regions.mpp"] == load("ff-haldb")["regions.mpp"]


def test_clients_make_the_load_closed() -> None:
    """1,000 clients: N / X - R - time outside: at most 1,398.6 ms of thinking; a fifth more of them
    are not a fifth more of the rate."""
    today = whatif.todays("mon SYSA", load("ff-haldb"), SITE, clients=1000)
    think = 1000 / 700 * 1000 - 30
    assert think * 0.995 < today.scenario["driver.think_ms"] <= think
    rows = rows_of(today, load="+20%")
    assert 800 < rows["etr_per_s"]["value"] < 840
    assert rows["etr_per_s"]["low"] < rows["etr_per_s"]["value"] < rows["etr_per_s"]["high"]


def test_a_response_shorter_than_the_model_has_no_delay_and_an_error() -> None:
    """A little shorter than CPU, log and I/O take: the rest is the error of the fit, not hidden.
    Much shorter: other work."""
    delay = whatif.todays("mon SYSA", load("ff-haldb"), SITE).scenario[whatif.DELAY]
    short = (30 - delay) / 1.2
    today = whatif.todays("mon SYSA", load("ff-haldb"), SITE | {"ims_response_ms": short})
    assert today.scenario[whatif.DELAY] == 0
    assert today.errors["ims_response_ms"] == pytest.approx(0.2, rel=0.01)
    row = rows_of(today, load="+20%")["ims_response_ms"]
    assert row["today"] == "predicted" and row["low"] <= row["value"] * 0.801
    with pytest.raises(ScenarioError, match="found a response of 5 ms, expected at least"):
        whatif.todays("mon SYSA", load("ff-haldb"), SITE | {"ims_response_ms": 5.0})


@pytest.mark.parametrize(
    ("base", "changed", "words"),
    [
        ("ff-haldb", {"etr_per_s": 1330.0, "cpu_busy_pct": 99.8}, "cpu is full"),
        ("ff-haldb", {"regions.mpp": 3.0}, "regions is full"),
        ("bmp-banking", {}, "expected one IMS system with transactions"),
    ],
)  # fmt: skip
def test_what_cannot_be_modelled_is_refused(
    base: str, changed: dict[str, float], words: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        whatif.todays("mon SYSA", load(base), SITE | changed)
    assert words in caught.value.message


def test_the_scenario_follows_the_regions() -> None:
    assert whatif.like(SITE) == "ff-haldb"
    assert whatif.like(SITE | {"regions.ifp": 70.0}) == "fast-path"
    assert whatif.like({"regions.threads": 3.0}) == "odbm"
    assert whatif.like({"cics_regions": 2.0, "regions.threads": 30.0}) == "cics-ff"
    assert whatif.like({"ims_systems": 1.0}) == "ff-haldb"
    with pytest.raises(ScenarioError, match="found no IMS"):
        whatif.like({"etr_per_s": 1.0})


def test_what_is_not_told_apart_is_named() -> None:
    several = SITE | {"ims_systems": 2.0, "systems": 2.0}
    assert len(whatif.todays("mon SYSA", load("ff-haldb"), several).unseen) == 2


def test_regions_without_a_log_are_those_of_type_30() -> None:
    without = {key: value for key, value in SITE.items() if key != "regions.mpp"}
    today = whatif.todays("mon SYSA", load("ff-haldb"), without | {"region_spaces": 44.0})
    assert today.scenario["regions.mpp"] == 44


# --- the command, on readings of our own ----------------------------------------------------------


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What the command reads; a test may change it."""
    readings = dict(SITE)

    def read(store: object, *asked: object) -> MeasuredSystem:
        values = {name: Reading(value, "") for name, value in readings.items()}
        return MeasuredSystem(
            "mon", "SYSA", datetime(2026, 3, 2, 9), datetime(2026, 3, 2, 10), values
        )

    monkeypatch.setattr("imsperf.measured.system.read_system", read)
    monkeypatch.setattr("imsperf.sources.connect", lambda db: nullcontext())
    return readings


def command(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["whatif", "--db", "runs.duckdb", "--method", "solver", *words])
        raise SystemExit(0)
    return int(end.value.code or 0)


def test_the_answer_is_eight_lines_at_most(
    site: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    del site["db_paths"]
    assert command("--load", "+20%", "--set", "dasd.aliases=9") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "mon SYSA, 2026-03-02 09:00:00 to 10:00:00, modelled like ff-haldb",
        "measured: 700 transactions a second, response 30 ms, CPU 52.5 % busy",
    ]
    assert lines[2].replace(" ", "") == (
        "model:700transactionsasecond(input),response30ms(fitted),CPU52.5%busy(input)"
    )
    assert lines[3].startswith("--load +20% dasd.aliases=9: 840 transactions a second, response 3")
    assert lines[4].startswith("busiest: ") and lines[5].startswith("next to saturate: ")
    assert lines[6].startswith("not seen, as in ff-haldb: channel paths (type 78.3), ")
    assert lines[7].startswith("hangs on region.unexplained_ms: ") and len(lines) == 8


def test_slower_disks_show_what_an_io_takes(
    site: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    """As measured before; the line of the change alone has it."""
    assert command("--disk-latency", "x2") == 0
    (line,) = [x for x in capsys.readouterr().out.splitlines() if x.startswith("database I/O: ")]
    before, after = re.findall(r"([0-9.]+) -> ([0-9.]+) ms", line)[0]
    assert float(before) == pytest.approx(site["db_io_ms"], rel=0.01)
    assert 1.7 * float(before) < float(after) <= 2 * float(before)
    assert command("--load", "+5%") == 0 and "database I/O" not in capsys.readouterr().out


def test_a_load_that_cannot_pass_is_answered(
    site: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--load", "x2") == 0
    assert "no more pass of the 1,400 that arrive, cpu is full" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "found no change, expected --load"),
        (["--load", "20"], 1, "--load: found '20', expected +20%"),
        (["--set", "dasd.volume=3"], 1, "no knob 'dasd.volume'"),
        (["--like", "no-such", "--cpus", "+1"], 1, "no scenario"),
        (["--set", "cpu.gcps=3", "--cpus", "+1"], 2, "found cpu.gcps twice"),
    ],
)
def test_what_the_command_refuses(
    site: dict[str, float],
    today: whatif.Today,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.setattr(whatif, "todays", lambda *asked: today)
    assert command(*words) == code
    assert message in capsys.readouterr().err


def test_several_runs_or_systems_are_named() -> None:
    """Only one can be modelled: which, is asked."""
    assert _only("run", "--run", {"a"}, None) == "a"
    assert _only("run", "--run", {"a", "b"}, "b") == "b"
    for known, asked, words in (({"a", "b"}, None, "found 2 (a, b)"), ({"a"}, "c", "no run c")):
        with pytest.raises(ReportError, match=re.escape(words)):
            _only("run", "--run", known, asked)


@pytest.mark.parametrize(
    ("begin", "end", "words"),
    [
        ("2026-03-02T10:00", "2026-03-02T11:00", ", 2026-03-02 10:00:00 to 11:00:00"),
        ("2026-03-01T17:00", "2026-03-02T17:00", ", 2026-03-01 17:00:00 to 2026-03-02 17:00:00"),
        (None, None, ""),
    ],
)
def test_the_day_of_the_end_is_named_where_it_is_another(
    begin: str | None, end: str | None, words: str
) -> None:
    times = (datetime.fromisoformat(at) if at else None for at in (begin, end))
    assert span(*times) == words
