"""Scenario -> network: values in their own units become the numbers solver and simulation share."""

from __future__ import annotations

from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import (
    Cpu,
    Dasd,
    Latches,
    Logged,
    Logger,
    Network,
    PoolSize,
    RegionPool,
    SerialCode,
    TransactionClass,
    Xcf,
)
from imsperf.synthetic.scenarios.scenario import FplEntry, Scenario, parse_fpl
from imsperf.synthetic.solver.devices import pool_blocks
from imsperf.synthetic.workloads.features import defaults, trace_factor
from imsperf.synthetic.workloads.latches import code_speed
from imsperf.synthetic.workloads.logwrites import log_write_ms

US_PER_MS = 1000.0
CREDENTIALS_IN = ("5901", "5903")  # messages in and out


def build(scenario: Scenario) -> Network:
    """The network of a scenario."""
    return Network(
        clients=scenario["clients"],
        think_us=scenario["driver.think_ms"] * US_PER_MS,
        rate_per_s=scenario["driver.rate_per_s"],
        classes=_classes(scenario),
        cpu=_cpu(scenario),
        xcf=Xcf(
            members=scenario["xcf.members"],
            quota=scenario["xcf.messages_per_schedule"],
            window_us=scenario["xcf.window_ms"] * US_PER_MS,
        ),
        region_pools=(RegionPool("IFP", scenario["regions.ifp"]),),
        unexplained_us=scenario["region.unexplained_ms"] * US_PER_MS,
        latches=_latches(scenario),
        serials=_serials(scenario),
        logger=_logger(scenario),
        dasd=_dasd(scenario),
        pools=_pools(scenario),
        block_search_us=scenario["pools.search_us"] / code_speed(scenario),
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        search_share=scenario["pools.search_share"],
        logged=_logged(scenario),
        credential_bytes=scenario["security.credential_bytes"],
    )


def _logged(scenario: Scenario) -> tuple[Logged, ...]:
    trans = [row["tran"] for row in scenario.table("transactions")]
    credentials = scenario["security.credential_bytes"]
    return tuple(
        Logged(
            row["code"],
            row["bytes"] + credentials * (row["code"] in CREDENTIALS_IN),
            tuple(row[name] for name in trans),
        )
        for row in scenario.table("log_records")
    )


def _classes(scenario: Scenario) -> tuple[TransactionClass, ...]:
    per_access = scenario["dasd.io_per_access"]
    logged = _logged(scenario)
    return tuple(
        TransactionClass(
            name=row["tran"],
            weight=row["weight"],
            cpu_factor=row["cpu_factor"],
            reads=row["reads"] * per_access,
            writes=row["writes"] * per_access,
            dedb_calls=row["dedb_calls"],
            log_records=sum(one.counts[place] for one in logged),
            log_bytes=sum(one.counts[place] * one.bytes for one in logged),
        )
        for place, row in enumerate(scenario.table("transactions"))
    )


def _cpu(scenario: Scenario) -> Cpu:
    """Costs without growth and fixed part, on this machine's processors."""
    measured = scenario["cpu.measured_us"]
    fixed_us_per_s = scenario["cpu.fixed_ms_per_s"] * US_PER_MS
    growth = scenario["cpu.growth"]
    variable = measured - fixed_us_per_s / scenario["cpu.measured_rate_per_s"]
    bare = variable / (1 + growth * scenario["cpu.measured_busy_pct"] / 100)
    factor = bare / measured / scenario["cpu.speed"]
    factor *= trace_factor(scenario) / trace_factor(defaults(scenario))
    rows = scenario.table("cpu_by_space")
    if fixed_us_per_s / scenario["cpu.speed"] >= scenario["cpu.gcps"] * 1e6 * 0.99:
        raise ScenarioError(
            f"cpu.fixed_ms_per_s: found {scenario['cpu.fixed_ms_per_s']}, which leaves nothing of "
            f"{scenario['cpu.gcps']} processors",
            "lower it or raise cpu.gcps",
        )

    def used(phase: str) -> float:
        return float(sum(row["us"] * row[phase] for row in rows) * factor)

    search, clear = (us / scenario["cpu.speed"] for us in _otma_us(scenario))
    return Cpu(
        cps=scenario["cpu.gcps"],
        input_us=used("input") + search,
        region_us=used("region"),
        output_us=used("output") + clear,
        fixed_us_per_s=fixed_us_per_s / scenario["cpu.speed"],
        growth=growth,
        share_by_space=tuple(
            (row["space"], row["us"] * factor + (row["space"] == "IMS") * (search + clear))
            for row in rows
        ),
        of_regions=(sum(row["us"] for row in rows if row["space"] == "IFP") * factor, 0.0),
    )


def _serials(scenario: Scenario) -> tuple[SerialCode, ...]:
    """Code that only one caller at a time runs, where a change has not removed it."""
    post, speed = _contention_us(scenario), code_speed(scenario)
    found = []
    if scenario["storage.calls"] == "local_lock":
        calls, hold = scenario["storage.calls_per_tran"], scenario["storage.lock_hold_us"] / speed
        found.append(SerialCode("local_lock", calls, hold, 0.0))
    if scenario["otma.free_chain"] == "on":
        calls, hold = scenario["otma.block_calls"], scenario["otma.block_hold_us"] / speed
        found += [SerialCode(name, calls, hold, post) for name in ("lubt", "cbts")]
    return tuple(found)


def _contention_us(scenario: Scenario) -> float:
    """Wait and post cost of a contention; posting who cannot get the latch yet costs more."""
    us: float = scenario["latch.contention_cpu_us"] / code_speed(scenario)
    return us * (scenario["latch.repost_factor"] if scenario["latch.posting"] == "all" else 1.0)


def _otma_us(scenario: Scenario) -> tuple[float, float]:
    """CPU before and after the region: early OTMA code, credentials, security beyond the usual."""
    chain = scenario["otma.ytib"] == "chain"
    search = scenario["otma.clients"] / 2 * scenario["otma.ytib_entry_us"] if chain else 0.0
    search += scenario["security.credential_bytes"] * scenario["security.credential_ns"] / 1000
    search += _security_us(scenario) - _security_us(defaults(scenario))
    clear = 0.0
    if scenario["otma.output_clear"] == "on":
        share = scenario["otma.clear_share"]
        clear = scenario["otma.output_module_us"] * share / (1 - share)
    return search, clear


def _security_us(scenario: Scenario) -> float:
    """CPU of OTMA security at its level."""
    level, check = scenario["otma.security"], float(scenario["security.check_us"])
    full = check + float(scenario["security.full_us"])
    return {"none": 0.0, "check": check, "full": full}[level]


def _latches(scenario: Scenario) -> Latches:
    speed = code_speed(scenario)
    return Latches(
        mode=scenario["logger.latch"],
        calls_shared=scenario["latch.calls_shared"],
        hold_shared_us=scenario["latch.hold_shared_us"] / speed,
        hold_exclusive_us=scenario["latch.hold_exclusive_us"] / speed,
        other_exclusive_per_s=scenario["latch.other_per_s"],
        other_hold_us=scenario["latch.other_hold_us"] / speed,
        contention_cpu_us=_contention_us(scenario),
    )


def _logger(scenario: Scenario) -> Logger:
    return Logger(
        check_write=scenario["log.check_write"],
        wads_us=log_write_ms(scenario, "wads") * US_PER_MS,
        wads_cv=scenario["log.wads.cv"],
        wads_ci_bytes=scenario["log.wads.ci_bytes"],
        olds_us=log_write_ms(scenario, "olds") * US_PER_MS,
        block_bytes=scenario["log.olds.block_bytes"],
        buffers=scenario["log.olds.buffers"],
        olds_capacity=scenario["log.olds.blocks"],
    )


def _dasd(scenario: Scenario) -> Dasd:
    parts = sum(scenario[f"dasd.{part}_ms"] for part in ("pend", "disc", "conn"))
    scale = US_PER_MS * (scenario["dasd.db_read_ms"] or parts) / parts
    return Dasd(
        paths=scenario["dasd.channel_paths"],
        volumes=scenario["dasd.volumes"],
        port_us=scenario["dasd.port_ms"] * US_PER_MS,
        pend_us=scenario["dasd.pend_ms"] * scale,
        device_busy_us=scenario["dasd.device_busy_ms"] * US_PER_MS,
        interrupt_us=scenario["dasd.interrupt_ms"] * US_PER_MS,
        disc_us=scenario["dasd.disc_ms"] * scale,
        conn_us=scenario["dasd.conn_ms"] * scale,
        aliases=scenario["dasd.aliases"],
    )


def _pools(scenario: Scenario) -> tuple[PoolSize, ...]:
    """All sizes of all pools, OVERSIZE last in each."""
    use = scenario.table("pool_use")
    made: list[PoolSize] = []
    for name in dict.fromkeys(row["pool"] for row in use):
        mine = [row for row in use if row["pool"] == name]
        made += _pool(scenario, name, parse_fpl(scenario[f"pools.{name}"]), mine)
    return tuple(made)


def _pool(
    scenario: Scenario, name: str, entries: tuple[FplEntry, ...], use: list[dict[str, Any]]
) -> list[PoolSize]:
    largest = scenario["pools.largest_request_bytes"]
    served: dict[int, list[dict[str, Any]]] = {}
    for row in use:
        request = min(row["request_bytes"], largest)
        size = next((e.defined_bytes for e in entries if e.defined_bytes >= request), 0)
        served.setdefault(size, []).append(row | {"request_bytes": request})
    oversize = FplEntry(0, 0, 0, False)
    return [
        _size(scenario, name, entry, served.get(entry.defined_bytes, []))
        for entry in (*entries, oversize)
    ]


def _size(scenario: Scenario, name: str, entry: FplEntry, use: list[dict[str, Any]]) -> PoolSize:
    """One size with the requests it serves; gets-weighted means where it serves several."""
    gets = float(sum(row["gets"] for row in use))
    standing = sum(row["standing"] + row["per_region"] * scenario["regions.ifp"] for row in use)
    hold_us = _mean(use, "hold_ms", gets) * US_PER_MS
    burst = scenario["xcf.burst_members"] * scenario["xcf.messages_per_schedule"]
    together = min(burst + _offered_per_us(scenario) * hold_us, scenario["clients"])
    peak = standing + gets * together
    blocks = pool_blocks(peak, entry.primary, entry.secondary)
    return PoolSize(
        pool=name,
        defined_bytes=entry.defined_bytes,
        primary=entry.primary,
        secondary=entry.secondary,
        initial=entry.initial,
        gets=gets,
        request_bytes=_mean(use, "request_bytes", gets),
        hold_us=hold_us,
        standing=standing,
        blocks_at_start=max(blocks, int(entry.initial)),
    )


def _mean(use: list[dict[str, Any]], name: str, gets: float) -> float:
    return sum(row[name] * row["gets"] for row in use) / gets if gets else 0.0


def _offered_per_us(scenario: Scenario) -> float:
    """Arrivals per microsecond if XCF alone delayed them; sizes the peak, predicts nothing."""
    think = scenario["driver.think_ms"] * US_PER_MS
    window = scenario["xcf.window_ms"] * US_PER_MS
    most = scenario["xcf.members"] * scenario["xcf.messages_per_schedule"] / window
    given = scenario["driver.rate_per_s"] / 1e6
    return float(min(given or (scenario["clients"] / think if think > 0 else most), most))
