"""What address spaces are and what they used: the input of types 30 and 72.3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.arrays import I64, Texts, Times
from imsperf.synthetic.smf.measured import CENTISECOND, US_128, US_1024, Amounts, measured, stated
from imsperf.synthetic.smf.work import Policy, Service


@dataclass(frozen=True)
class Space:
    """One address space, of one step that is named as the job: names and classes."""

    job: str = stated("smf30jbn", "smf30stm")
    program: str = stated("smf30pgm")
    asid: int = stated("smf30asi")
    job_id: str = stated("smf30jnm", default="")
    workload: str = stated("smf30wlm", default="")
    service_class: str = stated("smf30scn", default="")
    report_class: str = stated("smf30rcn", default="")


@dataclass(frozen=True)
class Life:
    """When address spaces started and ended, UTC: (m,), or (n, m) where several follow each other.

    NaT: before or after the run. `job_ids` (n, m) where they differ from those of the spaces; empty
    text: they do not.
    """

    begin: Times
    end: Times
    job_ids: Texts | None = None


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What m address spaces used in n intervals: arrays (n, m) of ticks or counts.

    CPU: `tcb` with what zIIP work took of CPs, `srb`; `ziip` at zIIP speed, in none of them.
    `page_time`: frames x 1024 us. `alive`: in which intervals the space was there (absent: in all).
    """

    tcb: I64 = stated(smf30cpt=CENTISECOND)
    srb: Amounts = measured(smf30cps=CENTISECOND)
    ziip: Amounts = measured(smf30_time_on_ziip=CENTISECOND)
    ziip_on_cp: Amounts = measured(smf30_time_ziip_on_cp=CENTISECOND)
    io: Amounts = measured("smf30ais")  # Start Subchannels
    blocks: Amounts = measured("smf30tep", "smf30tex")
    io_conn: Amounts = measured(smf30tcn=US_128, smf30aic=US_128)
    io_disc: Amounts = measured(smf30aid=US_128)
    io_pend: Amounts = measured(smf30aiw=US_128)
    io_iosq: Amounts = 0  # of no field of type 30
    active: Amounts = measured(smf30tat=US_1024)
    resident: Amounts = measured(smf30res=US_1024)
    page_time: Amounts = measured("smf30psc")

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
    name: Texts
    device: I64  # device number
    block_bytes: I64
    blocks: I64
    conn: I64  # ticks
