"""Ten per cent more of an input moves the reported number as the equations say.

Each case is two runs through records: generated, loaded, reported. What the second must report is
worked out here from the first report, the inputs and the equations of the model's description
(population, utilisation, n / O, rho s / (1 - rho), sums of times); no solver is asked. Loads are
chosen where the equation needs no queue that it does not have: half the load, or a full server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest

from imsperf import api
from imsperf.database.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import Scenario, load

INTERVALS_ONLY = 1 << 30  # hardly a transaction in the log
GROWTH, FIXED_US = 0.05, 20_000.0  # CPU cost from an idle to a full machine; CPU of a second

_FOLDER = TemporaryDirectory(prefix="ten-per-cent-", ignore_cleanup_errors=True)
Reported = Mapping[str, float]
Equation = Callable[[Reported, Reported], float]


# --- what the reports say ------------------------------------------------------------------------


def table(store: Store, report: str, *columns: str) -> list[dict[str, Any]]:
    total = report.startswith("rmf.")
    return api.run_report(store, report, total=total).table.select(columns).to_pylist()


def ended(store: Store) -> Reported:
    """Rate and response of the classes in which transactions end."""
    rows = [
        row
        for row in table(store, "rmf.workload", "kind", "period", "ended", "end_per_s", "resp_ms")
        if row["kind"] == "service" and row["period"] is None and row["ended"]
    ]
    count = sum(row["ended"] for row in rows)
    return {
        "rate_per_s": sum(row["end_per_s"] for row in rows),
        "response_ms": sum(row["resp_ms"] * row["ended"] for row in rows) / count,
    }


def processors(store: Store) -> Reported:
    """CPU of a transaction, all of it and that of the regions, and busy."""
    rows = table(store, "run.metrics", "metric", "system", "value")
    values = {row["metric"]: row["value"] for row in rows if row["value"] is not None}
    return {name: float(value) for name, value in values.items()}


def volumes(store: Store) -> Reported:
    """Means over the I/Os of volumes: WADS, OLDS, databases."""
    means: dict[str, float] = {}
    rows = table(store, "rmf.device", "volume", "rate_per_s", "resp_ms", "cmr_ms")
    for kind in ("WADS", "OLDS", ""):
        some = [r for r in rows if r["rate_per_s"] and (r["volume"][:4] == kind or not kind)]
        some = [r for r in some if kind or r["volume"][:4] not in ("WADS", "OLDS")]
        rate = sum(row["rate_per_s"] for row in some)
        name = kind.lower() or "db"
        if rate:
            means[f"{name}_per_s"] = rate
            for column in ("resp_ms", "cmr_ms"):
                total = sum(row["rate_per_s"] * (row[column] or 0) for row in some)
                means[f"{name}_{column}"] = total / rate
    return means


def batch(store: Store) -> Reported:
    """Elapsed time and CPU of the program's step, from its end record."""
    from imsperf.measured.metrics import read_values

    wanted = {"bmp_elapsed_s", "bmp_task_cpu_s"}
    return {name: read_values(store, wanted).get(name)[0] or 0.0 for name in wanted}


def structures(store: Store) -> Reported:
    """Mean synchronous service time of the requests of all systems to the coupling facility."""
    (row,) = api.query(
        store,
        "SELECT sum(sync_us) / sum(sync_count) AS us, sum(sync_count) / max(interval_s) AS n "
        "FROM rmf_cf_structure",
    ).to_pylist()
    return {"cf_us": row["us"], "cf_per_s": row["n"]}


READERS: Mapping[str, tuple[str, Callable[[Store], Reported]]] = {
    "smf:72": ("smf:72", ended),
    "cpu": ("smf:70,smf:72,ims:45", processors),
    "io": ("smf:74.1", volumes),
    "batch": ("smf:30,smf:70", batch),
    "cf": ("smf:74.4", structures),
}


@dataclass(frozen=True)
class Case:
    """A scenario, what is 10 % more, and what the second report must say of `metric`.

    `expected` gets the two reports: of the second it may use what is not `metric` alone.
    """

    name: str
    change: Callable[[Scenario], Scenario]
    metric: str
    expected: Equation
    base: tuple[tuple[str, Any], ...] = ()
    seconds: float = 4.0
    reads: tuple[str, ...] = ("smf:72",)
    rel: float = 0.01


def run(scenario: Scenario, seconds: float, reads: tuple[str, ...]) -> Reported:
    """Through records: what the reports of the run say."""
    folder = Path(_FOLDER.name) / uuid4().hex
    generate(scenario, folder / "run", seconds=seconds, every_s=seconds, sample_k=INTERVALS_ONLY)
    types = ",".join(sorted({metric for name in reads for metric in READERS[name][0].split(",")}))
    api.load([folder / "run"], folder / "run.duckdb", strict=True, types=types)
    with api.connect(folder / "run.duckdb") as store:
        return {k: v for name in reads for k, v in READERS[name][1](store).items()}


@cache
def base(
    name: str, settings: tuple[tuple[str, Any], ...], seconds: float, reads: tuple[str, ...]
) -> Reported:
    """The first run of a case, made once for all cases that share it."""
    return run(load(name, dict(settings)), seconds, reads)


def more(key: str, by: float = 1.1, **also: Any) -> Callable[[Scenario], Scenario]:
    """A knob times 1.1."""

    def changed(scenario: Scenario) -> Scenario:
        value = scenario[key] * by
        is_whole = isinstance(scenario.knob(key).default, int)
        return scenario.with_settings({key: round(value) if is_whole else value, **also})

    return changed


def dearer(space: str) -> Callable[[Scenario], Scenario]:
    """The CPU cost of one kind of address space times 1.1."""

    def changed(scenario: Scenario) -> Scenario:
        costs = scenario.tables["cpu_by_space"]
        place = [column.name for column in costs.columns].index("us_15")
        rows = tuple(
            (*row[:place], float(row[place]) * 1.1, *row[place + 1 :]) if row[0] == space else row
            for row in costs.rows
        )
        return replace(
            scenario, tables={**scenario.tables, "cpu_by_space": replace(costs, rows=rows)}
        )

    return changed


def check(case: Case) -> None:
    """The reported number is the expected one, and far from what it was."""
    first = base(case.name, case.base, case.seconds, case.reads)
    second = run(case.change(load(case.name, dict(case.base))), case.seconds, case.reads)
    expected = case.expected(first, second)
    moved = abs(expected / first[case.metric] - 1)
    assert moved > 3 * case.rel, (first[case.metric], expected)
    assert second[case.metric] == pytest.approx(expected, rel=case.rel)


def growth(report: Reported) -> float:
    return 1 + GROWTH * report["cpu_busy_pct"] / 100


# --- equations -----------------------------------------------------------------------------------


def tenth_more(metric: str) -> Equation:
    return lambda a, b: 1.1 * a[metric]


def plus(metric: str, more: float) -> Equation:
    return lambda a, b: a[metric] + more


def longer_cycle(clients: int, more_ms: float) -> Equation:
    """X = N / (Z + R + outside): the cycle is N / X, and so much longer."""
    return lambda a, b: clients / (clients / a["rate_per_s"] + more_ms / 1000)


def full(servers: int, more_ms: float) -> Equation:
    """X = n / O of servers that are never free, held so much longer."""
    return lambda a, b: servers / (servers / a["rate_per_s"] + more_ms / 1000)


def cost(metric: str, factor: float, fixed_us: float = 0.0) -> Equation:
    """c (1 + 0.05 U) x factor + F / X; F is in the total, not in the groups."""

    def expected(a: Reported, b: Reported) -> float:
        bare = (a[metric] - fixed_us / a["etr_per_s"]) / growth(a)
        return bare * factor * growth(b) + fixed_us / b["etr_per_s"]

    return expected


def port_queue(port_ms: float, paths: int) -> Equation:
    """rho s / (1 - rho) at the rates that are reported: how much it grows from 0.5 ms, 10 paths.

    The queue itself is 3 % longer than that: I/Os of a transaction come together.
    """

    def wait_ms(report: Reported, port_ms: float, paths: int) -> float:
        rho = report["db_per_s"] * port_ms / 1000 / paths
        return port_ms * rho / (1 - rho)

    def expected(a: Reported, b: Reported) -> float:
        assert a["db_cmr_ms"] == pytest.approx(wait_ms(a, 0.5, 10), rel=0.05)
        return a["db_cmr_ms"] * wait_ms(b, port_ms, paths) / wait_ms(a, 0.5, 10)

    return expected


def facility(link_us: float, service_us: float, processors: int) -> Equation:
    """link + s / (1 - rho^2), two processors: Erlang's C of two is 2 rho^2 / (1 + rho)."""

    def expected(a: Reported, b: Reported) -> float:
        rho = b["cf_per_s"] * service_us / 1e6 / processors
        return link_us + service_us / (1 - rho**2)

    return expected


# --- cases ---------------------------------------------------------------------------------------

QUOTA = (("xcf.messages_per_schedule", 16), ("xcf.members", 10))
ONE_SLOT = (("otma.tpipes", 1), ("otma.limitrtp", 0))
SHORT_BATCH = (("bmp.segments", 860),)  # a hundredth: 3.1 s
LONG_BATCH = (("bmp.segments", 8_510),)
FAR = (("log.km_link", 100.0),)

FAST = {
    # 0.251 + 0.120 + 0.796 ms: 0.0796 more
    "mirror": Case(
        "logger-mm", more("log.wads.mirror_ms"), "wads_resp_ms", plus("wads_resp_ms", 0.0796),
        (), 4.0, ("io",),
    ),
}  # fmt: skip

HALF = (("driver.think_ms", 1600.0),)  # of ff-haldb: 42 % busy
FEW_REGIONS = (("regions.mpp", 40),)
SLOW_READS = (*HALF, ("dasd.db_read_ms", 1.4))
READS = 10.31  # of a mean transaction, by the weights of T3
FP_LIGHT = (("clients", 800),)
PATHS = (*FP_LIGHT, ("dasd.port_ms", 0.5), ("dasd.channel_paths", 10))
DB2_LIGHT = (("clients", 10),)
DB2_DELAY = 0.292711  # ms, a tenth of region.unexplained_ms
DSFF_DELAY = 1.10554  # the same of IMS1, which has half of the transactions
DSFF_HALF = (("driver.think_ms", 2900.0), ("driver.think_2_ms", 2900.0))
DSFF_LIGHT = (("clients", 400),)  # the facility is 3 % busy: a request does not wait
CICS_HALF = (("driver.think_ms", 434.0),)
ONE_QR = (("cics.regions", 1), ("cics.qr_share", 0.6), ("cpu.gcps", 16))  # no wait for a CP

SLOW = {
    # 10 members x 16 messages in 10 ms: 16,000/s, 17,600/s with 11 members
    "XCF members": Case(
        "fast-path", more("xcf.members"), "rate_per_s", lambda a, b: 17_600.0, QUOTA, 0.4, rel=0.003
    ),
    # one slot: X = 1 / h, h longer by 51.7 us
    "callout service": Case(
        "otma-tpipe", more("tpipe.service_us"), "rate_per_s", full(1, 0.0517), ONE_SLOT, 4.0
    ),
    "batch segments": Case(
        "bmp-banking", more("bmp.segments"), "bmp_elapsed_s", tenth_more("bmp_elapsed_s"),
        SHORT_BATCH, 5.0, ("batch",),
    ),
    # full function
    "FF clients": Case(
        "ff-haldb", more("clients"), "rate_per_s", tenth_more("rate_per_s"), HALF, 20.0
    ),
    "FF client time": Case(
        "ff-haldb", more("driver.think_ms"), "rate_per_s", longer_cycle(4000, 160.0), HALF, 20.0,
    ),
    "FF delay": Case(
        "ff-haldb", more("region.unexplained_ms"), "response_ms", plus("response_ms", 1.402),
        HALF, 20.0,
    ),
    "FF regions, all busy": Case(
        "ff-haldb", more("regions.mpp"), "rate_per_s", tenth_more("rate_per_s"), FEW_REGIONS, 20.0,
    ),
    "FF database read": Case(
        "ff-haldb", more("dasd.db_read_ms"), "response_ms", plus("response_ms", READS * 0.14),
        SLOW_READS, 20.0,
    ),
    "FF database read, by the volumes": Case(
        "ff-haldb", more("dasd.db_read_ms"), "db_resp_ms", plus("db_resp_ms", 0.14), SLOW_READS,
        8.0, ("io",),
    ),
    "FF region CPU": Case(
        "ff-haldb", dearer("MPP"), "region_cpu_us_per_tran", cost("region_cpu_us_per_tran", 1.1),
        HALF, 20.0, ("cpu",),
    ),
    "FF speed": Case(
        "ff-haldb", more("cpu.speed"), "region_cpu_us_per_tran",
        cost("region_cpu_us_per_tran", 1 / 1.1), HALF, 20.0, ("cpu",),
    ),
    # transaction manager: Fast Path, Db2, Java
    "Fast Path clients": Case(
        "fast-path", more("clients"), "rate_per_s", tenth_more("rate_per_s"), FP_LIGHT, 8.0
    ),
    "Fast Path client time": Case(
        "fast-path", more("driver.think_ms"), "rate_per_s", longer_cycle(800, 8.03469), FP_LIGHT,
        8.0,
    ),
    "channel paths": Case(
        "fast-path", more("dasd.channel_paths"), "db_cmr_ms", port_queue(0.5, 11), PATHS, 8.0,
        ("io",), 0.02,
    ),
    "DASD service": Case(
        "fast-path", more("dasd.port_ms"), "db_cmr_ms", port_queue(0.55, 10), PATHS, 8.0, ("io",),
        0.02,
    ),
    "Db2 clients": Case(
        "tm-db2-irww", more("clients"), "rate_per_s", tenth_more("rate_per_s"), DB2_LIGHT, 16.0,
    ),
    "Db2 delay": Case(
        "tm-db2-irww", more("region.unexplained_ms"), "response_ms", plus("response_ms", DB2_DELAY),
        DB2_LIGHT, 16.0,
    ),
    "Java CPU": Case(
        "jmp", dearer("JMP"), "region_cpu_us_per_tran", cost("region_cpu_us_per_tran", 1.1), (),
        4.0, ("cpu",),
    ),
    "Java speed": Case(
        "jmp", more("cpu.speed"), "cpu_us_per_tran", cost("cpu_us_per_tran", 1 / 1.1, FIXED_US),
        (), 4.0, ("cpu",),
    ),
    # two systems with shared queues
    "DSFF clients": Case(
        "dsff-smq", more("clients"), "rate_per_s", tenth_more("rate_per_s"), DSFF_HALF, 16.0,
    ),
    "DSFF delay": Case(
        "dsff-smq", more("region.unexplained_ms"), "response_ms",
        plus("response_ms", DSFF_DELAY / 2), DSFF_HALF, 16.0,
    ),
    "DSFF coupling facility": Case(
        "dsff-smq", more("cf.service_us"), "cf_us", facility(3.5, 4.4, 2), DSFF_LIGHT, 8.0, ("cf",)
    ),
    # CICS
    "CICS clients": Case(
        "cics-ff", more("clients"), "rate_per_s", tenth_more("rate_per_s"), CICS_HALF, 12.0
    ),
    "CICS client time": Case(
        "cics-ff", more("driver.think_ms"), "rate_per_s", longer_cycle(2000, 43.4), CICS_HALF, 12.0
    ),
    "CICS delay": Case(
        "cics-ff", more("region.unexplained_ms"), "response_ms", plus("response_ms", 0.1173),
        CICS_HALF, 12.0,
    ),
    # one QR TCB, always busy: X = 1 / (share x c (1 + 0.05 U))
    "CICS share of the QR TCB": Case(
        "cics-ff", more("cics.qr_share"), "etr_per_s",
        lambda a, b: a["etr_per_s"] / 1.1 * growth(a) / growth(b), ONE_QR, 8.0, ("cpu",),
    ),
    "CICS CPU": Case(
        "cics-ff", dearer("CICS"), "cics_cpu_us_per_tran", cost("cics_cpu_us_per_tran", 1.1),
        CICS_HALF, 12.0, ("cpu",),
    ),
    # batch
    "BMP database read": Case(
        "bmp-banking", more("dasd.db_read_ms"), "bmp_elapsed_s",
        lambda a, b: a["bmp_elapsed_s"] + 8_510 * a["db_resp_ms"] / 10_000,
        (*LONG_BATCH, ("dasd.db_read_ms", 2.8)), 65.0, ("batch", "io"),
    ),
    "BMP delay": Case(
        "bmp-banking", more("bmp.unexplained_ms"), "bmp_elapsed_s",
        plus("bmp_elapsed_s", 8_510 * 0.267203e-3), LONG_BATCH, 40.0, ("batch",), 0.005,
    ),
    "BMP CPU": Case(
        "bmp-banking", more("bmp.task_cpu_s"), "bmp_task_cpu_s", tenth_more("bmp_task_cpu_s"),
        LONG_BATCH, 40.0, ("batch",),
    ),
    # callouts
    "callouts in flight, all slots busy": Case(
        "otma-tpipe", more("icals.in_flight"), "response_ms",
        lambda a, b: a["response_ms"] + 30 / a["rate_per_s"] * 1000, (), 4.0,
    ),
    "callout CPU": Case(
        "otma-tpipe", more("tpipe.cpu_us"), "rate_per_s", full(1, 0.85 * 0.0165 * 0.963), ONE_SLOT,
        16.0, rel=0.004,
    ),
    "callout latch": Case(
        "otma-tpipe", more("tpipe.latch_us"), "rate_per_s", full(1, 0.00422), ONE_SLOT, 40.0,
        rel=0.002,
    ),
    # logger
    "log write": Case(
        "logger-mm", more("log.olds.write_ms"), "olds_resp_ms", plus("olds_resp_ms", 0.028), (),
        30.0, ("io",), 0.006,
    ),
    "log mirror far away": Case(
        "logger-mm", more("log.km_link"), "wads_resp_ms", plus("wads_resp_ms", 0.1), FAR,
        40.0, ("io",),
    ),
    "regions of logger-mm, all busy": Case(
        "logger-mm", more("region.unexplained_ms"), "rate_per_s", full(130, 12.553), (), 20.0,
    ),
    "clients of logger-mm, no region free": Case(
        "logger-mm", more("clients"), "response_ms",
        lambda a, b: a["response_ms"] + 100 / a["rate_per_s"] * 1000, (),
        60.0,  # who waits for a region is not first come first served: means of 20 s vary by 1.5 %
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FAST.values(), ids=FAST)
def test_a_tenth_more(case: Case) -> None:
    check(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", SLOW.values(), ids=SLOW)
def test_a_tenth_more_of_any_input(case: Case) -> None:
    check(case)
