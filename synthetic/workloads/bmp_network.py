"""A batch message program as the network that is simulated: one client, one region, no messages.

The program is a chain of steps, one segment each: CPU, reads, what is left over; a sync point and
its log write after `bmp.segments_per_commit` of them. What the solver does not know: the control
intervals that were changed are written after the sync point, which nobody waits for.
"""

from __future__ import annotations

from imsperf.synthetic.network.network import (
    NO_GATE,
    Cpu,
    Logged,
    Network,
    RegionPool,
    Sequence,
    TransactionClass,
    Xcf,
)
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.bmp import checked, program_of
from imsperf.synthetic.workloads.simulated import (
    NO_LATCH,
    US_PER_MS,
    dasd,
    logger,
)

SCHEDULE_BYTES, END_BYTES = 98, 242  # log records 08 and 07
CALLS = 2  # to DEDBs for each segment: a get and a replace
CAPTURED_MS = (
    20.0  # fixed CPU of a second as elsewhere; more is uncaptured CPU of the program's I/O
)
PER_COMMIT = ("5607", "41", "5937", "5612", "56FA")


def build(scenario: Scenario) -> Network:
    """The network of a scenario."""
    checked(scenario)
    program, segments = program_of(scenario), scenario["bmp.segments"]
    each = min(scenario["bmp.segments_per_commit"], segments)
    left = segments % each
    logged = _logged(scenario, (each, left) if left else (each,))
    return Network(
        clients=1,
        think_us=0.0,
        rate_per_s=0.0,
        classes=tuple(
            _unit(scenario, logged, place, n) for place, n in enumerate((each, left)) if n
        ),
        cpu=_cpu(scenario, (program.cpu + program.srb) * 1e6 / segments),
        xcf=Xcf(1, NO_GATE, 0.001),
        region_pools=(RegionPool("BMP", 1),),
        unexplained_us=program.fitted * 1e6 / segments,
        latches=NO_LATCH,
        logger=logger(scenario),
        dasd=dasd(scenario),
        pools=(),
        block_search_us=0.0,
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        logged=logged,
        sequence=Sequence(
            segments,
            each,
            CALLS,
            srb_share=program.srb / max(program.cpu + program.srb, 1e-9),
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
        log_records=sum(one.counts[place] for one in logged),
        log_bytes=sum(one.counts[place] * one.bytes for one in logged),
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


def _cpu(scenario: Scenario, step_us: float) -> Cpu:
    """CPU of the program, and what is used beside it."""
    speed = scenario["cpu.speed"]
    return Cpu(
        cps=scenario["cpu.gcps"],
        input_us=0.0,
        region_us=step_us,
        output_us=0.0,
        fixed_us_per_s=scenario["cpu.fixed_ms_per_s"] * US_PER_MS / speed,
        growth=0.0,
        share_by_space=(("BMP", step_us),),
    )
