"""One IMS system that runs messages, or calls of CICS or ODBM: scenario -> solver model.

Clients outside; XCF unless the way in is SNA; CPU outside the response (IMS Connect, TCP/IP), then
CPU and waits inside it, most of them while a region or thread is held (model.md 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.network.network import Logged, Logger
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.workloads.costs import Costs, costs
from imsperf.synthetic.workloads.latches import latch_steps
from imsperf.synthetic.workloads.logwrites import log_write_ms
from imsperf.synthetic.workloads.mix import mix_mean, of_kind, programs, transactions, used
from imsperf.synthetic.workloads.region_kinds import REGIONS, kinds
from imsperf.synthetic.workloads.schedules import Schedule, schedule

OF_PROGRAM = ("03", "31", "35", "3730", "5603", "5607", "560B", "5610", "5611", "5612", "56FA")
CONVERSATION_BYTES = 144  # log records 11 and 12
CREDENTIALS_IN = ("01", "03")  # messages in and out
QUANTUM_US = 20.0  # turn at a processor, short against the bursts: near to processor sharing
SHORT_US = 3.0  # beside short bursts: most CPU outside the response, or some of it at TCBs
PLACES = {"in_region": "region", "notified": "ims", "unwaited": "none"}


@dataclass(frozen=True)
class Parts:
    """A model and what was put into it."""

    model: m.Model
    costs: Costs
    schedule: Schedule | None
    pool: int
    callers: Mapping[str, float] = field(default_factory=dict)  # groups whose CPU waits add to


def build_model(scenario: Scenario) -> Parts:
    """The solver's model of a scenario; think time as the scenario has it."""
    found = costs(scenario)
    one = schedule(scenario, found.schedule_us)
    size = pool_size(scenario)
    work = work_of(scenario, found, one, size)
    return Parts(m.Model((work,), (processors(scenario, found),)), found, one, size)


def processors(scenario: Scenario, found: Costs, suffix: str = "") -> m.Cpus:
    """The LPAR's processors."""
    return m.Cpus(
        f"cpu{suffix}",
        cps=scenario["cpu.gcps"],
        fixed_us_per_s=found.fixed_us_per_s,
        growth=found.growth,
        ziips=scenario["cpu.ziips"],
        threads=scenario["cpu.smt"],
        smt=scenario["cpu.smt_factor"],
        honor=scenario["cpu.ziip_honor"] == "on",
        turn_us=turn_us(scenario, found),
    )


def turn_us(scenario: Scenario, found: Costs) -> float:
    """How long a burst has its processor at most (assumed)."""
    used = dict.fromkeys(m.PLACES, 0.0)
    for one in bursts(scenario, found):
        if isinstance(one, m.Burst | m.Serial):
            used[one.place] += one.us
    outside_most = used["outside"] > used["region"] + used["ims"]
    return SHORT_US if outside_most or serial_steps(scenario, found) else QUANTUM_US


def work_of(
    scenario: Scenario,
    found: Costs,
    one: Schedule | None,
    size: int,
    suffix: str = "",
    more: tuple[m.Step, ...] = (),
) -> m.Work:
    """Clients or arrivals, and the steps of a transaction.

    `suffix` tells devices of one system of several apart; database volumes are shared.
    """
    rate = scenario["driver.rate_per_s"]
    own = (*gate_steps(scenario), *log_steps(scenario, one), *latch_steps(scenario))
    steps: tuple[m.Step, ...] = (
        *bursts(scenario, found),
        *waits(scenario),
        *(replace(step, name=step.name + suffix) for step in own),
        *more,
    )
    if one is not None:
        steps += (m.Scheduling("schedule", one.cpu_us, one.elapsed_us, 1 / one.each),)
    return m.Work(
        f"work{suffix}",
        steps,
        clients=0 if rate > 0 else scenario["clients"],
        think_us=scenario["driver.think_ms"] * 1000,
        rate_per_s=rate,
        cpu=f"cpu{suffix}",
        pool=m.Pool(f"regions{suffix}", size, kinds(scenario, steps, size, suffix)),
    )


def pool_size(scenario: Scenario) -> int:
    """Regions of the kinds that the scenario's transactions use."""
    kinds = {row["region"] for row in transactions(scenario) if row["weight"] > 0}
    for kind in sorted(kinds - REGIONS.keys()):
        raise ScenarioError(
            f"scenario {scenario.name}: table transactions: found region {kind!r}, expected one of "
            f"{', '.join(REGIONS)}",
            near(str(kind), REGIONS) or None,
        )
    for kind, key in REGIONS.items():
        if kind not in kinds and key in scenario and scenario[key] > scenario.knob(key).default:
            raise ScenarioError(
                f"{key}: found {scenario[key]}, expected {scenario.knob(key).default}: no "
                f"transaction of {scenario.name} runs in such a region",
                f"its regions are {', '.join(REGIONS[one] for one in sorted(kinds))}",
            )
    knobs = [REGIONS[kind] for kind in sorted(kinds)]
    size = sum(int(scenario[key]) for key in knobs)
    if size < 1:
        raise ScenarioError(f"{' + '.join(knobs)}: found {size}, expected at least one region")
    return size


def bursts(scenario: Scenario, found: Costs) -> tuple[m.Step, ...]:
    """CPU by place. What TCBs do is CPU of regions, and where that is less, of the other places."""
    serial = serial_steps(scenario, found)
    outside, ims = found.place_us("outside"), found.place_us("ims")
    region = found.place_us("region") - sum(one.us for one in serial)
    left = 1 + region / (outside + ims) if region < 0 else 1.0
    return (
        m.Burst(outside * left, "outside", found.eligible("outside")),
        m.Burst(ims * left, "ims", found.eligible("ims")),
        m.Burst(max(region, 0.0), "region", found.eligible("region")),
        *serial,
    )


def serial_steps(scenario: Scenario, found: Costs) -> tuple[m.Serial, ...]:
    """CPU that the QR TCB of a CICS region has to do; a transaction runs in one of the regions."""
    if "cics.regions" not in scenario:
        return ()
    on_qr = sum(one.us for one in found.spaces if one.group == "cics") * scenario["cics.qr_share"]
    return (m.Serial("qr_tcb", on_qr, tcbs=scenario["cics.regions"]),)


def waits(scenario: Scenario) -> tuple[m.Step, ...]:
    """Database I/O, and what no equation explains."""
    per_access = scenario["dasd.io_per_access"]
    read_us = scenario["dasd.db_read_ms"] * 1000
    pend, disc = scenario["dasd.pend_share"], scenario["dasd.disc_share"]
    ios = m.Ios(
        "dasd",
        reads=mix_mean(scenario, "reads") * per_access,
        writes=mix_mean(scenario, "writes") * per_access,
        volumes=scenario["dasd.volumes"],
        aliases=scenario["dasd.aliases"],
        paths=scenario["dasd.channel_paths"],
        port_us=scenario["dasd.port_ms"] * 1000,
        pend_us=read_us * pend,
        disc_us=read_us * disc,
        conn_us=read_us * max(1 - pend - disc, 0.0),
    )
    return (ios, m.Delay("unexplained", scenario["region.unexplained_ms"] * 1000))


def gate_steps(scenario: Scenario) -> tuple[m.Step, ...]:
    """XCF, unless messages come through SNA, or calls from CICS."""
    if scenario["driver.transport"] == "sna" or "xcf.members" not in scenario:
        return ()
    quota, window = scenario["xcf.messages_per_schedule"], scenario["xcf.window_ms"] * 1000
    return (m.Gate("xcf", scenario["xcf.members"], quota, window),)


def log_steps(scenario: Scenario, schedule: Schedule | None) -> tuple[m.Step, ...]:
    """WADS and OLDS; each schedule logs 08, and 07 at the end of its program."""
    programs = 0.0 if schedule is None else schedule.each
    ends = Logger.end_bytes + thread_end_bytes(scenario)
    write = log_write_ms(scenario, "wads") * 1000
    place = PLACES[scenario["log.check_write"]]
    wads = m.LogWrite("wads", write, scenario["log.wads.cv"], place)  # type: ignore[arg-type]
    olds = m.LogBlocks(
        "olds",
        bytes=log_bytes(scenario) + programs * (Logger.schedule_bytes + ends),
        block_bytes=scenario["log.olds.block_bytes"],
        write_us=log_write_ms(scenario, "olds") * 1000,
        buffers=scenario["log.olds.buffers"],
        cv=scenario["log.wads.cv"],
    )
    return (wads, olds)


def thread_end_bytes(scenario: Scenario) -> int:
    """Bytes of 5604, the end of the thread to Db2 of a program; 0 where threads are pooled."""
    if scenario.get("esaf.pooling", "off") == "on" or "log_records" not in scenario.tables:
        return 0
    rows = of_kind(scenario, scenario.table("log_records"))
    return sum(int(one["bytes"]) for one in rows if one["code"] == "5603")


def log_bytes(scenario: Scenario) -> float:
    """Bytes that the mean transaction logs, prefix and suffix counted, credentials too."""
    rows = used(scenario)
    weights = [row["weight"] for row in rows]
    each = sum(
        one.bytes * sum(w * n for w, n in zip(weights, one.counts, strict=True))
        for one in logged(scenario)
    )
    return float(each / sum(weights))


def logged(scenario: Scenario) -> tuple[Logged, ...]:
    """Records of one transaction by code; a change is logged whole, so counts are rounded.

    Credentials are in the records of messages (000 7.5: logged for inbound and outbound messages).
    Each program of a chain has the records of a unit of recovery, and a message to the next one.
    """
    rows = of_kind(scenario, scenario.table("log_records"))
    rows = [one for one in rows if one["code"] not in ("07", "08")]
    trans = used(scenario)
    everything = transactions(scenario)
    credentials = scenario.get("security.credential_bytes", 0)
    found = [
        Logged(
            one["code"],
            one["bytes"] + credentials * (one["code"] in CREDENTIALS_IN),
            tuple(
                (one.get("region") or tran["region"]) == tran["region"]
                and sum(of_programs(one, programs(tran, everything)))
                for tran in trans
            ),
        )
        for one in rows
    ]
    kept = tuple(int(tran.get("conversational") == "yes") for tran in trans)
    found += [Logged(code, CONVERSATION_BYTES, kept) for code in ("11", "12") if any(kept)]
    return tuple(one for one in found if any(one.counts))


def of_programs(record: dict[str, Any], chain: list[dict[str, Any]]) -> list[int]:
    """Records of a kind that each program of a chain logs."""
    further = int(record["code"] in OF_PROGRAM and record["each"] > 0)
    return [
        round((further if n else record["each"]) + record["per_write"] * one["writes"])
        for n, one in enumerate(chain)
    ]


def with_think(parts: Parts, think_us: float) -> Parts:
    """The same with another think time."""
    works = tuple(replace(work, think_us=think_us) for work in parts.model.work)
    return replace(parts, model=replace(parts.model, work=works))
