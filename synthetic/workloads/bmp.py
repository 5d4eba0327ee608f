"""A batch message program that updates a database from end to end: one thing after the other.

As a network it is one client with one region and no messages: a chain of steps, one segment each,
of CPU, reads and what is left over; a sync point and its log write after
`bmp.segments_per_commit` of them. What the solver does not know: the control intervals that were
changed are written after the sync point, which nobody waits for.
"""

from __future__ import annotations

from collections.abc import Iterator

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import (
    Cpu,
    Logged,
    Network,
    RegionPool,
    Sequence,
    TransactionClass,
)
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.result import Result, Use
from imsperf.synthetic.units import US_PER_MS
from imsperf.synthetic.workloads.devices import dasd, fixed_us_per_s, logger
from imsperf.synthetic.workloads.prediction import Metric, Prediction, StationRow, storage

CALLS = 2  # to DEDBs for each segment: a get and a replace
CAPTURED_MS = (
    20.0  # fixed CPU of a second as elsewhere; more is uncaptured CPU of the program's I/O
)
PER_COMMIT = ("5607", "41", "5937", "5612", "56FA")


def predicted(scenario: Scenario) -> Prediction:
    """Elapsed time, its parts, CPU busy."""
    network = build(scenario)
    run = _run(network)
    rows = [*_metrics(network, run), *storage(scenario)]
    return Prediction(tuple(rows), tuple(_stations(run, _steps(network))))


def build(scenario: Scenario) -> Network:
    """The network of a scenario. ScenarioError for what the model cannot run."""
    if scenario["regions.bmp"] != 1:
        raise ScenarioError(
            f"regions.bmp: found {scenario['regions.bmp']}, expected 1",
            "the model runs one sequential program; its database is not split",
        )
    segments = scenario["bmp.segments"]
    each = min(scenario["bmp.segments_per_commit"], segments)
    left = segments % each
    logged = _logged(scenario, (each, left) if left else (each,))
    java = {"bmp": 1.0, "jbp": scenario["bmp.java_factor"]}[scenario["bmp.region"]]
    task, srb = scenario["bmp.task_cpu_s"] * java, scenario["bmp.srb_cpu_s"] * java
    return Network(
        clients=1,
        classes=tuple(
            _unit(scenario, logged, place, n) for place, n in enumerate((each, left)) if n
        ),
        cpu=_cpu(scenario, task + srb),
        region_pools=(RegionPool(scenario["bmp.region"].upper(), 1),),
        unexplained_us=scenario["bmp.unexplained_ms"] * US_PER_MS,
        logger=logger(scenario),
        dasd=dasd(scenario),
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        logged=logged,
        sequence=Sequence(
            segments,
            each,
            CALLS,
            srb_share=srb / max(task + srb, 1e-9),
            uncaptured=max(1 - CAPTURED_MS / max(scenario["cpu.fixed_ms_per_s"], CAPTURED_MS), 0.0),
        ),
    )


def _unit(
    scenario: Scenario, logged: tuple[Logged, ...], place: int, segments: int
) -> TransactionClass:
    """A unit of recovery: what lies between two sync points."""
    return TransactionClass(
        name="BANKBMP",
        weight=1.0 - place,
        cpu_factor=1.0,
        reads=segments * scenario["bmp.reads_per_segment"] * scenario["dasd.io_per_access"],
        writes=segments * scenario["dasd.io_per_access"],
        dedb_calls=CALLS * segments,
        log_records=sum(log.counts[place] for log in logged),
        log_bytes=sum(log.counts[place] * log.bytes for log in logged),
    )


def _logged(scenario: Scenario, units: tuple[int, ...]) -> tuple[Logged, ...]:
    """Records of a unit of recovery: each change, and those of its sync point."""
    return tuple(
        Logged(
            row["code"],
            row["bytes"],
            tuple(1 if row["code"] in PER_COMMIT else row["each"] * n for n in units),
        )
        for row in scenario.table("log_records")
    )


def _cpu(scenario: Scenario, cpu_s: float) -> Cpu:
    """CPU of a step, and what is used beside it. `cpu_s` was measured for all default segments."""
    speed, cps = scenario["cpu.speed"], scenario["cpu.gcps"]
    step_us = cpu_s * 1e6 / float(scenario.knob("bmp.segments").default) / speed
    return Cpu(
        cps=cps,
        region_us=step_us,
        fixed_us_per_s=fixed_us_per_s(scenario),
        share_by_space=(("BMP", step_us),),
        quantum_us=0.0,
    )


def _run(network: Network) -> Result:
    """A run of a program without messages; seconds. Elapsed time as the response.

    Stations: cpu, srb, io, check_write, fitted; their residences add up to the elapsed time, their
    queue is the share of it. Details `cpu` and `srb`: without the waits for other work on the CPUs.
    Errors: ScenarioError, nothing takes time.
    """
    sequence, cps, others = network.sequence, network.cpu.cps, network.cpu.fixed_us_per_s / 1e6
    assert sequence is not None
    stretch = 1 + erlang_c(cps, others) / (cps - others) if others > 0 else 1.0
    reads = sequence.steps // sequence.per_commit * network.classes[0].reads
    reads += network.classes[-1].reads if sequence.left else 0.0
    cpu, dasd = sequence.steps * network.cpu.region_us / 1e6, network.dasd
    used = {"cpu": cpu * (1 - sequence.srb_share), "srb": cpu * sequence.srb_share}
    parts = {name: seconds * stretch for name, seconds in used.items()} | {
        "io": reads * (dasd.pend_us + dasd.disc_us + dasd.conn_us) / 1e6,
        "check_write": sequence.steps / sequence.per_commit * network.logger.wads_us / 1e6,
        "fitted": sequence.steps * network.unexplained_us / 1e6,
    }
    elapsed = sum(parts.values())
    if elapsed == 0:
        raise ScenarioError("elapsed time: found 0, expected CPU, I/O, a log write or a delay")
    uses = tuple(
        Use(name, 1.0, time / elapsed, time / elapsed, time) for name, time in parts.items()
    )
    return Result("", 1 / elapsed, elapsed, uses, details=used)


def _steps(network: Network) -> int:
    return network.sequence.steps if network.sequence else 0


def _metrics(network: Network, result: Result) -> Iterator[Metric]:
    elapsed = float(result.response or 0.0)
    cpu, srb = (float(result.details[name] or 0.0) for name in ("cpu", "srb"))
    used, steps = cpu + srb, _steps(network)
    busy = (used / elapsed + network.cpu.fixed_us_per_s / 1e6) / network.cpu.cps
    yield Metric("bmp_elapsed_s", "s", elapsed)
    yield Metric("bmp_task_cpu_s", "s", cpu)
    yield Metric("bmp_srb_cpu_s", "s", srb)
    yield Metric("cpu_busy_pct", "%", busy * 100)
    yield Metric("lpar_busy_pct", "%", busy * 100)
    yield Metric("segments_per_s", "1/s", steps / elapsed)
    yield Metric("bmp_cpu_us_per_segment", "us", used / steps * 1e6)
    for use in result.stations:
        yield Metric(f"bmp_{use.name}_s", "s", use.residence, _kind(use.name))
    yield Metric("wads_write_ms", "ms", network.logger.wads_us / 1000)
    yield Metric("olds_write_ms", "ms", network.logger.olds_us / 1000)
    longest = max(result.stations, key=lambda use: use.utilisation)
    yield Metric("bottleneck", "station", longest.name)
    for use in result.stations:
        yield Metric(f"util_{use.name}", "%", use.utilisation * 100)


def _kind(name: str) -> str:
    return "unexplained" if name == "fitted" else ""


def _stations(result: Result, segments: int) -> list[StationRow]:
    note = "one after the other: shares of the elapsed time; demand for each segment"
    rows = []
    for use in result.stations:
        total = float(use.residence or 0.0)
        each = total / segments * 1e6
        rows.append(
            StationRow("", use.name, 1.0, each, each, use.queue, use.utilisation * 100, None, note)
        )
    return rows
