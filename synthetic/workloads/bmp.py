"""A batch message program that updates a database from end to end: one thing after the other."""

from __future__ import annotations

from collections.abc import Iterator

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.result import Result
from imsperf.synthetic.solver.sequential import Program, sequential
from imsperf.synthetic.workloads.logwrites import log_write_ms
from imsperf.synthetic.workloads.prediction import Metric, Prediction, StationRow, storage


def predicted(scenario: Scenario) -> Prediction:
    """Elapsed time, its parts, CPU busy."""
    program, fixed = program_of(scenario), checked(scenario)
    found = sequential(program, cps=scenario["cpu.gcps"], others=fixed)
    rows = [*_metrics(scenario, program, found, fixed), *storage(scenario)]
    return Prediction(tuple(rows), tuple(_stations(program, found, scenario["bmp.segments"])))


def checked(scenario: Scenario) -> float:
    """Processors that are busy beside the program. ScenarioError for what the model cannot run."""
    if scenario["regions.bmp"] != 1:
        raise ScenarioError(
            f"regions.bmp: found {scenario['regions.bmp']}, expected 1",
            "the model runs one sequential program; its database is not split",
        )
    fixed = float(scenario["cpu.fixed_ms_per_s"] / 1000 / scenario["cpu.speed"])
    cps = scenario["cpu.gcps"]
    if fixed >= cps * 0.99:
        raise ScenarioError(
            f"cpu.fixed_ms_per_s: found {scenario['cpu.fixed_ms_per_s']}, which leaves nothing of "
            f"{cps} processors",
            "lower it or raise cpu.gcps",
        )
    return fixed


def program_of(scenario: Scenario) -> Program:
    """One run of the program, seconds."""
    segments = scenario["bmp.segments"]
    speed = scenario["cpu.speed"]
    share = segments / scenario.knob("bmp.segments").default  # the measured CPU is for all of them
    return Program(
        cpu=scenario["bmp.task_cpu_s"] * share / speed,
        srb=scenario["bmp.srb_cpu_s"] * share / speed,
        ios=segments * scenario["bmp.reads_per_segment"] * scenario["dasd.io_per_access"],
        io_time=scenario["dasd.db_read_ms"] / 1000,
        check_writes=segments / scenario["bmp.segments_per_commit"],
        write_time=log_write_ms(scenario, "wads") / 1000,
        fitted=segments * scenario["bmp.unexplained_ms"] / 1000,
    )


def _metrics(scenario: Scenario, program: Program, found: Result, fixed: float) -> Iterator[Metric]:
    elapsed = float(found.response or 0.0)
    used = program.cpu + program.srb
    busy = (used / elapsed + fixed) / scenario["cpu.gcps"]
    yield Metric("bmp_elapsed_s", "s", elapsed)
    yield Metric("bmp_task_cpu_s", "s", program.cpu)
    yield Metric("bmp_srb_cpu_s", "s", program.srb)
    yield Metric("cpu_busy_pct", "%", busy * 100)
    yield Metric("lpar_busy_pct", "%", busy * 100)
    yield Metric("segments_per_s", "1/s", scenario["bmp.segments"] / elapsed)
    yield Metric("bmp_cpu_us_per_segment", "us", used / scenario["bmp.segments"] * 1e6)
    for use in found.stations:
        yield Metric(f"bmp_{use.name}_s", "s", use.residence, _kind(use.name))
    yield Metric("wads_write_ms", "ms", log_write_ms(scenario, "wads"))
    yield Metric("olds_write_ms", "ms", log_write_ms(scenario, "olds"))
    longest = max(found.stations, key=lambda use: use.utilisation)
    yield Metric("bottleneck", "station", longest.name)
    for use in found.stations:
        yield Metric(f"util_{use.name}", "%", use.utilisation * 100)


def _kind(name: str) -> str:
    return "unexplained" if name == "fitted" else ""


def _stations(program: Program, found: Result, segments: int) -> list[StationRow]:
    note = "one after the other: shares of the elapsed time; demand for each segment"
    rows = []
    for use in found.stations:
        total = float(use.residence or 0.0)
        each = total / segments * 1e6
        rows.append(
            StationRow("", use.name, 1.0, each, each, use.queue, use.utilisation * 100, None, note)
        )
    return rows
