"""What address spaces are and what they used: the input of types 30 and 72.3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.smf.policy import Amounts, Policy, Service

I64 = npt.NDArray[np.int64]
Times = npt.NDArray[np.datetime64]


@dataclass(frozen=True)
class Space:
    """One address space: names, classes, limits.

    `system`: it was never started as a job; its records hold totals since it was created.
    """

    job: str
    program: str
    asid: int
    job_id: str = ""
    step: str = ""  # the job's name
    user: str = ""
    workload: str = ""
    service_class: str = ""
    report_class: str = ""
    region_kb: int = 0
    memlimit_mb: int = 0
    system: bool = False
    step_number: int = 1


@dataclass(frozen=True)
class Life:
    """When address spaces started and ended, UTC: (m,), or (n, m) where several follow each other.

    NaT: before or after the run. `job_ids` (n, m) where they differ from those of the spaces; empty
    text: they do not.
    """

    begin: Times
    end: Times
    job_ids: npt.NDArray[np.str_] | None = None


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What m address spaces used in n intervals: arrays (n, m) of ticks or counts.

    CPU: `tcb` with preemptable SRBs, enclaves and what zIIP work took of CPs, `srb`, `interrupts`,
    `region_control`; `ziip` at zIIP speed, in none of them. Storage: bytes at most, (n, m).
    `page_time`: frames x 1024 us. `alive`: in which intervals the space was there (absent: in all).
    """

    tcb: I64
    srb: Amounts = 0
    interrupts: Amounts = 0
    region_control: Amounts = 0
    preemptable_srb: Amounts = 0
    enclaves: Amounts = 0
    ziip: Amounts = 0
    ziip_on_cp: Amounts = 0
    io: Amounts = 0  # Start Subchannels
    blocks: Amounts = 0
    io_conn: Amounts = 0
    io_disc: Amounts = 0
    io_pend: Amounts = 0
    io_iosq: Amounts = 0  # of no field of type 30
    active: Amounts = 0
    resident: Amounts = 0
    transactions: Amounts = 0
    page_time: Amounts = 0
    pages_in: Amounts = 0
    pages_out: Amounts = 0
    swaps: Amounts = 0
    user_below: Amounts = 0
    user_above: Amounts = 0
    system_below: Amounts = 0
    system_above: Amounts = 0
    high_virtual: Amounts = 0

    def service(self, policy: Policy) -> Service:
        """Service units, (n, m)."""
        cpu = self.tcb + self.ziip * policy.ziip_speed // 256
        return Service(
            cpu=policy.units(cpu, policy.cpu),
            srb=_units(policy, self.srb, policy.srb),
            io=policy.io_units(np.broadcast_to(self.blocks, self.tcb.shape)),
            ziip=_units(policy, self.ziip, policy.cpu),
            ziip_on_cp=_units(policy, self.ziip_on_cp, policy.cpu),
        )


def _units(policy: Policy, ticks: Amounts, coefficient: float) -> Amounts:
    return ticks if isinstance(ticks, int) else policy.units(ticks, coefficient)


@dataclass(frozen=True)
class DdUsage:
    """I/O by DD statement: d of them, each of address space `space` (index). Arrays (n, d)."""

    space: I64
    name: npt.NDArray[np.str_]
    device: I64  # device number
    block_bytes: I64
    blocks: I64
    conn: I64  # ticks
