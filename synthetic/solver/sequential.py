"""A sequential program, such as a BMP: one thing after the other, so its times add up.

elapsed = CPU + SRB + I/Os x response + check-writes x wait (model.md 1 and the issue's list; the
split of the fitted part is not published). CPU and SRB are stretched by other work on the CPUs.
"""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.result import Result, Use, require


@dataclass(frozen=True)
class Program:
    """One run of a program; times in one unit. `fitted`: what no equation explains."""

    cpu: float
    srb: float
    ios: float
    io_time: float  # response of one I/O
    check_writes: float
    write_time: float
    fitted: float = 0.0


def sequential(program: Program, *, cps: int = 1, others: float = 0.0) -> Result:
    """Elapsed time as the response, one program after the other; `others`: CPUs busy with others.

    Stations: cpu, srb, io, check_write, fitted; their residences add up to the elapsed time, their
    queue is the share of it. Errors: ScenarioError for a negative part, or no CPU left.
    """
    for name, value in vars(program).items():
        require(name, value, "0 or more", value >= 0)
    require("CPUs busy with others", others, f"0 to less than {cps}", 0 <= others < cps)
    stretch = 1 + erlang_c(cps, others) / (cps - others) if others > 0 else 1.0
    parts = {
        "cpu": program.cpu * stretch,
        "srb": program.srb * stretch,
        "io": program.ios * program.io_time,
        "check_write": program.check_writes * program.write_time,
        "fitted": program.fitted,
    }
    elapsed = sum(parts.values())
    require("elapsed time", elapsed, "above 0", elapsed > 0)
    uses = tuple(
        Use(name, 1.0, time / elapsed, time / elapsed, time) for name, time in parts.items()
    )
    return Result("", 1 / elapsed, elapsed, uses)
