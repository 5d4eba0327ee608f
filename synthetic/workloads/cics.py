"""CICS regions without IMS (document 003): their network, and its prediction.

Tasks come at a rate, or from clients, and hold one of MXT places from begin to end: CPU on the QR
TCB of their region, CPU anywhere, reads of files, and a delay that nothing explains. CPU is that of
the rows of `cpu_by_space` for the workload, the release and the mode; each address space has a part
that it uses at any rate. Nothing goes to a log of IMS.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import (
    Cpu,
    CryptoCards,
    Logger,
    Network,
    RegionPool,
    Tcbs,
    TransactionClass,
)
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.answer import knees
from imsperf.synthetic.solver.declared import works_of
from imsperf.synthetic.solver.result import Results
from imsperf.synthetic.solver.solve import solve
from imsperf.synthetic.units import US_PER_MS
from imsperf.synthetic.workloads.costs import Costs
from imsperf.synthetic.workloads.devices import dasd
from imsperf.synthetic.workloads.features import Space
from imsperf.synthetic.workloads.mix import used
from imsperf.synthetic.workloads.prediction import Metric, Prediction, storage
from imsperf.synthetic.workloads.tm_metrics import (
    System,
    bottlenecks,
    number,
    space_us,
    stations,
)

# --- web requests ---------------------------------------------------------------------------------
#
# Web requests of CICS (document 003): connections, handshakes and encryption as tasks with CPU.
#
# A request is a CWBA task. A connection that is opened for it has a CSOL and a CWXN task before;
# with TLS CWXN shakes hands: in part where the session is still known, else in full, with one
# operation of the crypto card. The sizes of all these are assumptions (charts of 003 are lost);
# which of them there are, and what runs where, is printed.

COMMAREA_KB = 32.0
FULL = "CWXNFULL"  # shows as CWXN; each is an operation of the crypto card
HARDWARE = {"DES": "des", "3DES": "des", "SHA": "sha"}  # what CPACF does; RC4, RC2, MD5: software
ALWAYS, WITH_ICSF = ("1.6",), ("1.4", "1.5")  # levels of z/OS


def web_tasks(scenario: Scenario) -> Iterator[tuple[str, float, float]]:
    """Transaction, how many for a request, CPU of each in microseconds."""
    cost = {row["part"]: float(row["us"]) for row in scenario.table("web_costs")}
    kb = _kb(scenario)
    tls = scenario["web.tls"] == "on"
    work = cost["request"] + kb * (cost["kb"] + (_cipher_us(scenario) if tls else 0.0))
    yield "CWBA", 1.0, work
    if scenario["web.persistent"] == "on":
        return
    yield "CSOL", 1.0, cost["listen"]
    resumed = _resumed(scenario) if tls else 0.0
    if not tls:
        yield "CWXN", 1.0, cost["connect"]
    if resumed > 0:
        yield "CWXNPART", resumed, cost["connect"] + cost["partial handshake"]
    if tls and resumed < 1:
        yield FULL, 1 - resumed, cost["connect"] + cost["full handshake"]


def _kb(scenario: Scenario) -> float:
    """What is sent: a COMMAREA holds no more than 32 KB."""
    kb = float(scenario["web.kb"])
    return min(kb, COMMAREA_KB) if scenario["web.program"] == "commarea" else kb


def _resumed(scenario: Scenario) -> float:
    """Chance that the session of a client is still known where it connects again: within SSLDELAY
    of its last use, in the region that has it or, cached in the coupling facility, in any."""
    delay, again = scenario["web.ssldelay_s"], scenario["web.reconnect_s"]
    known = 1 - exp(-delay / again)
    return float(
        known if scenario["web.sslcache"] == "sysplex" else known / scenario["aor.regions"]
    )


def _cipher_us(scenario: Scenario) -> float:
    """CPU for a KB of the cipher and the hash of the suite, in CPACF or in software."""
    rows = {row["algorithm"]: row for row in scenario.table("web_ciphers")}
    suite = scenario["web.cipher"].upper().split("-")
    return sum(float(rows[one][_where(scenario, one)]) for one in suite)


def _where(scenario: Scenario, algorithm: str) -> str:
    """Column of the table: what CPACF does by level of z/OS (003 HTTPS terms)."""
    kind, level = HARDWARE.get(algorithm, ""), scenario["system.zos"]
    icsf = scenario["web.icsf"] == "on"
    hardware = kind != "" and level in ALWAYS
    hardware |= kind == "des" and level in WITH_ICSF and icsf
    return "cpacf_us" if hardware else "software_us"


# --- the network ----------------------------------------------------------------------------------

NO_LOG = Logger("unwaited", 0.0, 0.0, 4096, 0.0, 26_624, 2)
US_OF_PER_CENT = 1e4  # CPU of a second that is 1 % of a processor


def build(scenario: Scenario) -> Network:
    """The network of a scenario. Errors: ScenarioError."""
    spaces = _spaces(scenario)
    total = sum(space.us for space in spaces)
    aor = sum(space.us for space in spaces if space.name == "AOR")
    tcbs = Tcbs(
        "qr_tcb",
        scenario["aor.regions"],
        aor * scenario["cics.qr_share"],
        scenario["cics.open_tcb"],
    )
    fixed = {row["space"]: _ms(scenario, row, "fixed_ms_per_s") for row in _rows(scenario)}
    classes = _web_classes(scenario, total) if _is_web(scenario) else _classes(scenario, total)
    think_us, unexplained_us = (
        scenario[key] * US_PER_MS for key in ("driver.think_ms", "region.unexplained_ms")
    )
    if _keeps_task(scenario):
        think_us, unexplained_us = 0.0, unexplained_us + think_us
    tasks = sum(one.weight for one in classes) if _is_web(scenario) else 1.0
    return Network(
        clients=scenario["clients"],  # at a rate: whose tasks are told apart
        think_us=think_us,
        rate_per_s=scenario["driver.rate_per_s"] * tasks,
        classes=classes,
        cpu=Cpu(
            cps=scenario["cpu.gcps"],
            region_us=total - tcbs.us,
            fixed_us_per_s=sum(fixed.values()),
            growth=scenario["cpu.growth"],
            window_us=max(Cpu.window_us, 64 * total),
            share_by_space=tuple((space.name, space.us) for space in spaces),
            fixed_by_space=tuple(fixed.items()),
        ),
        region_pools=(RegionPool("TASK", scenario["cics.mxt"] * scenario["aor.regions"]),),
        unexplained_us=unexplained_us,
        logger=NO_LOG,
        dasd=dasd(scenario),
        cycle_us=scenario["run.cycle_ms"] * US_PER_MS,
        tcbs=tcbs,
        source="CICS",
        has_ims=False,
        crypto=_cards(scenario),
    )


def _classes(scenario: Scenario, total_us: float) -> tuple[TransactionClass, ...]:
    per_access = scenario["dasd.io_per_access"]
    return tuple(
        TransactionClass(
            row["tran"], row["weight"], _cpu_factor(scenario, row, total_us),
            row["reads"] * per_access, row["writes"] * per_access, 0, 0, 0,
            file_calls=row["file_calls"], db2_calls=row["db2_calls"],
            tcb_switches=_switches(row, scenario["cics.threadsafe"]),
        )
        for row in used(scenario)
    )  # fmt: skip


def _web_classes(scenario: Scenario, total_us: float) -> tuple[TransactionClass, ...]:
    return tuple(
        TransactionClass(name, number, us / scenario["cpu.speed"] / total_us, 0.0, 0.0, 0, 0, 0)
        for name, number, us in web_tasks(scenario)
    )


def _is_web(scenario: Scenario) -> bool:
    return bool(scenario["cics.workload"] == "web" and scenario["cics.mode"] == "http")


def _keeps_task(scenario: Scenario) -> bool:
    """A persistent connection of CICS TS 2.3 has a CWXN task as long as it lives, so that MXT is
    the limit of connections (003)."""
    persistent = scenario["web.persistent"] == "on"
    return _is_web(scenario) and persistent and scenario["cics.release"] == "2.3"


def _cards(scenario: Scenario) -> CryptoCards | None:
    if not _is_web(scenario) or scenario["web.tls"] == "off":
        return None
    return CryptoCards(scenario["crypto.cards"], scenario["crypto.operation_ms"] * 1000, FULL)


def predicted(scenario: Scenario) -> Prediction:
    """Rate, response, CPU by role and stations."""
    network = build(scenario)
    results = solve(works_of([network]))
    rows = (*_figures(scenario, network, results), *bottlenecks(results), *storage(scenario))
    return Prediction(rows, tuple(stations(results)), knees(results))


def _figures(scenario: Scenario, network: Network, results: Results) -> Iterator[Metric]:
    work, details = results.of("work"), results.details
    busy = number(details, "cpu.busy")
    growth = number(details, "work.growth")
    fixed = dict(network.cpu.fixed_by_space)
    costs = Costs(tuple(_spaces(scenario)), network.cpu.fixed_us_per_s, network.cpu.growth)
    each = space_us(System(network, costs, None), growth, 1.0)
    yield Metric("etr_per_s", "1/s", work.rate)
    yield Metric("cpu_busy_pct", "%", busy * 100)
    for space in costs.spaces:
        us = each[space.group] * work.rate + fixed[space.name]
        yield Metric(f"{space.group}_appl_pct", "%", us / US_OF_PER_CENT)
    yield Metric("cpu_us_per_tran", "us", busy * network.cpu.cps * 1e6 / work.rate)
    yield Metric("itr_per_s", "1/s", work.rate / busy)
    response = None if work.response is None else work.response * 1000
    yield Metric("cics_response_ms", "ms", response)
    yield Metric("in_flight", "count", work.in_flight)


def _spaces(scenario: Scenario) -> list[Space]:
    """CPU of a transaction by role, on this machine's processors."""
    return [
        Space(row["space"], row["group"], row["us"] / scenario["cpu.speed"], 1.0, 1.0, 0.0)
        for row in _rows(scenario)
    ]


def _switches(row: dict[str, Any], threadsafe: str) -> int:
    """From the QR TCB to an L8 TCB and back: for each request to Db2, or once for a task."""
    calls = int(row["db2_calls"])
    return 2 * (min(calls, 1) if threadsafe == "on" else calls)


def _cpu_factor(scenario: Scenario, row: dict[str, Any], total_us: float) -> float:
    """CPU against the mean: the costs were measured with programs that are not threadsafe."""
    left = _switches(row, scenario["cics.threadsafe"]) - _switches(row, "off")
    us = left * float(scenario["cics.switch_us"] / scenario["cpu.speed"])
    return max(float(row["cpu_factor"]) + us / total_us, 0.0)


def _ms(scenario: Scenario, row: dict[str, Any], name: str) -> float:
    return float(row[name] * US_PER_MS / scenario["cpu.speed"])


def _rows(scenario: Scenario) -> list[dict[str, Any]]:
    """Rows of the cost table for what runs; of web requests their mean task, which has no row.

    Errors: ScenarioError, it was not measured.
    """
    if _is_web(scenario):
        tasks = [*web_tasks(scenario)]
        mean = sum(number * us for _, number, us in tasks) / sum(number for _, number, _ in tasks)
        return [{"space": "AOR", "group": "aor", "us": mean, "fixed_ms_per_s": 0.0}]
    wanted = {
        "workload": scenario["cics.workload"],
        "release": scenario["cics.release"],
        "mode": scenario["cics.mode"],
    }
    rows = scenario.table("cpu_by_space")
    mine = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    if not mine:
        known = dict.fromkeys(" ".join(row[key] for key in wanted) for row in rows)
        raise ScenarioError(
            f"scenario {scenario.name}: found no costs of {' '.join(wanted.values())}",
            f"measured are {', '.join(known)}",
        )
    return mine
