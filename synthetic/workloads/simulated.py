"""One IMS system as the network that is simulated: the same numbers as the solver's model (tm.py).

What the two see differently: the network has a pool of regions for each kind, the model one for
all; CPU outside the response comes before it, all of it; aliases belong to volumes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from imsperf.synthetic.network.network import (
    NO_GATE,
    ChainProgram,
    Cpu,
    Dasd,
    Latches,
    Logger,
    Network,
    RegionPool,
    Tcbs,
    TransactionClass,
    Xcf,
)
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.workloads.features import external
from imsperf.synthetic.workloads.latches import code_speed
from imsperf.synthetic.workloads.logwrites import log_write_ms
from imsperf.synthetic.workloads.mix import ALWAYS_WAITING, of_kind, programs, transactions, used
from imsperf.synthetic.workloads.region_kinds import REGIONS
from imsperf.synthetic.workloads.schedules import Schedule
from imsperf.synthetic.workloads.tm import Parts, build_model, logged, of_programs, thread_end_bytes
from imsperf.synthetic.workloads.tm_family import driven

US_PER_MS = 1000.0
NO_LATCH = Latches("shared", 0, 0.0, 0.0, 0.0, 0.0, 0.0)


def build(scenario: Scenario) -> Network:
    """The network of a scenario, with the think time that reaches its target."""
    return network_of(scenario, driven(scenario, build_model(scenario)))


def network_of(scenario: Scenario, parts: Parts) -> Network:
    """The network of one system whose model is made."""
    work = parts.model.work[0]
    kinds = _kinds(scenario)
    return Network(
        clients=work.clients,
        think_us=work.think_us,
        rate_per_s=work.rate_per_s,
        classes=_classes(scenario, kinds),
        cpu=_cpu(scenario, parts),
        xcf=_xcf(scenario),
        region_pools=tuple(_pool(scenario, kind, parts.schedule) for kind in kinds),
        unexplained_us=scenario["region.unexplained_ms"] * US_PER_MS,
        latches=latches(scenario),
        logger=logger(scenario),
        dasd=dasd(scenario),
        pools=(),
        block_search_us=0.0,
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        logged=logged(scenario),
        tcbs=tcbs_of(scenario, parts),
        traces=external(scenario),
        source=_source(scenario),
        callers=_callers(scenario),
        credential_bytes=scenario.get("security.credential_bytes", 0),
    )


def _kinds(scenario: Scenario) -> tuple[str, ...]:
    """Kinds of regions that the mix uses, in the order of the table."""
    return tuple(dict.fromkeys(row["region"] for row in used(scenario)))


def _classes(scenario: Scenario, kinds: tuple[str, ...]) -> tuple[TransactionClass, ...]:
    per_access = scenario["dasd.io_per_access"]
    records = logged(scenario)
    codes = {one.code for one in records}
    calls = "esaf_calls" if "5603" in codes else "dedb_calls" if "5937" in codes else "db_calls"
    everything = transactions(scenario)
    numbers = {row["tran"]: row["cls"] for row in everything}
    return tuple(
        TransactionClass(
            name=row["tran"],
            weight=row["weight"],
            cpu_factor=row["cpu_factor"],
            reads=row["reads"] * per_access,
            writes=row["writes"] * per_access,
            **{"dedb_calls": 0} | {calls: row["db_calls"]},
            log_records=sum(one.counts[place] for one in records),
            log_bytes=sum(one.counts[place] * one.bytes for one in records),
            pool=kinds.index(row["region"]),
            message_class=row["cls"],
            chain=tuple((code, numbers[code]) for code in row.get("then", "").split()),
            conversational=row.get("conversational") == "yes",
            programs=_programs(scenario, programs(row, everything)),
        )
        for place, row in enumerate(used(scenario))
    )


def _programs(scenario: Scenario, chain: list[dict[str, Any]]) -> tuple[ChainProgram, ...]:
    """What each program of a chain does; nothing where a transaction is one program."""
    if len(chain) == 1:
        return ()
    logs = of_kind(scenario, scenario.table("log_records"))
    changed = [of_programs(one, chain) for one in logs if one["code"] == "5050"]
    per_access = scenario["dasd.io_per_access"]
    return tuple(
        ChainProgram(
            cpu_factor=one["cpu_factor"],
            reads=one["reads"] * per_access,
            writes=one["writes"] * per_access,
            calls=one["db_calls"],
            changes=sum(each[n] for each in changed),
        )
        for n, one in enumerate(chain)
    )


def _cpu(scenario: Scenario, parts: Parts) -> Cpu:
    used = dict.fromkeys(m.PLACES, 0.0)
    for one in parts.model.work[0].steps:
        if isinstance(one, m.Burst | m.Serial):
            used[one.place] += one.us
    costs, tcbs = parts.costs, tcbs_of(scenario, parts)
    return Cpu(
        cps=scenario["cpu.gcps"],
        input_us=used["outside"],
        region_us=used["region"] - (tcbs.us if tcbs else 0.0),
        output_us=used["ims"],
        fixed_us_per_s=costs.fixed_us_per_s,
        growth=costs.growth,
        share_by_space=tuple(_by_space(parts)),
        quantum_us=parts.model.cpus[0].turn_us,
        ziips=scenario["cpu.ziips"],
        ziip_honor=scenario["cpu.ziip_honor"] == "on",
        eligible=(costs.eligible("outside"), costs.eligible("region"), costs.eligible("ims")),
        eligible_by_space=tuple((one.name, one.us * one.ziip) for one in costs.spaces),
        of_regions=_of_regions(scenario, parts, tcbs),
    )


def _of_regions(scenario: Scenario, parts: Parts, tcbs: Tcbs | None) -> tuple[float, float]:
    """CPU of dependent regions; of CICS and ODBM, what they use at threads: not at the QR TCB."""
    group = {"": "region", "CICS": "cics"}.get(_source(scenario), "odbm")
    us = dict(_by_space(parts))
    mine = [one for one in parts.costs.spaces if one.group == group]
    qr = tcbs.us if tcbs and group == "cics" else 0.0
    found = sum(us[one.name] - one.us * (1 - one.region) for one in mine) - qr
    return max(found, 0.0), sum(one.region_us * one.ziip for one in mine)


def _source(scenario: Scenario) -> str:
    """Who calls, where no messages come: the kind of source that A108 and A109 name."""
    if "THREAD" not in _kinds(scenario):
        return ""
    if "cics.regions" in scenario:
        return "CICS"
    return "ODBA" if scenario.get("odbm.api", "") == "odba" else "ODBM"


def _callers(scenario: Scenario) -> tuple[str, ...]:
    """Jobs of the CICS regions, named as the records name them, or of ODBM."""
    space = _source(scenario).replace("ODBA", "ODBM")  # ODBA of others goes through ODBM
    rows = [r for r in scenario.table("address_spaces") if r["space"] == space]
    number = scenario.get("cics.regions", 1)
    if not rows or number == 1:
        return tuple(row["job"] for row in rows)
    digits = len(str(number))
    job = rows[0]["job"][: 8 - digits]
    return tuple(f"{job}{nth:0{digits}d}" for nth in range(1, number + 1))


def tcbs_of(scenario: Scenario, parts: Parts) -> Tcbs | None:
    """The QR TCBs of CICS."""
    steps = [one for one in parts.model.work[0].steps if isinstance(one, m.Serial)]
    if not steps:
        return None
    return Tcbs(steps[0].name, steps[0].tcbs, steps[0].us)


def _by_space(parts: Parts) -> Iterator[tuple[str, float]]:
    """CPU of one transaction by address space, us, its part of a schedule included."""
    one, whole = parts.schedule, parts.costs.schedule_us
    each = 0.0 if one is None or whole <= 0 else one.cpu_us * one.each / whole
    for space in parts.costs.spaces:
        yield space.name, space.us + each * space.schedule_us


def _xcf(scenario: Scenario) -> Xcf:
    if scenario["driver.transport"] == "sna":
        return Xcf(1, NO_GATE, 0.001)
    return Xcf(
        members=scenario["xcf.members"],
        quota=scenario["xcf.messages_per_schedule"],
        window_us=scenario["xcf.window_ms"] * US_PER_MS,
    )


def _pool(scenario: Scenario, kind: str, schedule: Schedule | None) -> RegionPool:
    count = scenario[REGIONS[kind]]
    if schedule is None or kind in ALWAYS_WAITING:
        return RegionPool(kind, count)
    return RegionPool(kind, count, schedule.messages, schedule.cpu_us, schedule.elapsed_us)


def latches(scenario: Scenario) -> Latches:
    """The log latch, from the knobs that all scenarios share; its code at the processors' speed."""
    speed = code_speed(scenario)
    return Latches(
        mode=scenario["logger.latch"],
        calls_shared=scenario["latch.calls_shared"],
        hold_shared_us=scenario["latch.hold_shared_us"] / speed,
        hold_exclusive_us=scenario["latch.hold_exclusive_us"] / speed,
        other_exclusive_per_s=scenario["latch.other_per_s"],
        other_hold_us=scenario["latch.other_hold_us"] / speed,
        contention_cpu_us=scenario["latch.contention_cpu_us"] / speed,
    )


def logger(scenario: Scenario) -> Logger:
    """WADS and OLDS, from the knobs that all scenarios share."""
    return Logger(
        check_write=scenario["log.check_write"],
        wads_us=log_write_ms(scenario, "wads") * US_PER_MS,
        wads_cv=scenario["log.wads.cv"],
        wads_ci_bytes=scenario["log.wads.ci_bytes"],
        olds_us=log_write_ms(scenario, "olds") * US_PER_MS,
        block_bytes=scenario["log.olds.block_bytes"],
        buffers=scenario["log.olds.buffers"],
        olds_capacity=scenario["log.olds.blocks"],
        thread_end_bytes=thread_end_bytes(scenario),
    )


def dasd(scenario: Scenario) -> Dasd:
    """Database volumes, likewise."""
    read_us = scenario["dasd.db_read_ms"] * US_PER_MS
    pend, disc = scenario["dasd.pend_share"], scenario["dasd.disc_share"]
    return Dasd(
        paths=scenario["dasd.channel_paths"],
        volumes=scenario["dasd.volumes"],
        port_us=scenario["dasd.port_ms"] * US_PER_MS,
        pend_us=read_us * pend,
        device_busy_us=0.0,
        interrupt_us=0.0,
        disc_us=read_us * disc,
        conn_us=read_us * max(1 - pend - disc, 0.0),
        aliases=scenario["dasd.aliases"],
    )
