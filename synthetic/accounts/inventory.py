"""The address spaces and classes of a system, from the tables of its scenario.

A scenario without the tables `address_spaces` and `goals` gets those below, which are assumptions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.smf.address_space import Space
from imsperf.synthetic.smf.work import Goal, WorkClass
from imsperf.synthetic.workloads.mix import of_kind

REGION, CONTROL, DB2, CICS = "DFSRRC00", "DFSMVRC0", "DSNYASCP", "DFHSIP"  # programs
ARCHIVE = "DFSUARC0"  # program that reads an OLDS that is full
IMS = "IMS"  # row of the cost table that waits for latches and searches pools
FIRST_ASID = 0x20
REGION_DIGITS = 5
LIBRARIAN = "SMSPDSE1"  # reads restartable PDSEs
MASTER = ("*MASTER*", "IEEMB860", "", 1, 0.0, "SYSTEM", "RSYS")  # does the fixed work

# job, program, row of the cost table, count (0: one for each region), share of the row, classes
SPACES: tuple[tuple[str, str, str, int, float, str, str], ...] = (
    ("IMSACTL", CONTROL, IMS, 1, 0.7, "IMSHI", "RIMS"),
    ("IMSADLI", CONTROL, IMS, 1, 0.25, "IMSHI", "RIMS"),
    ("IMSADBRC", CONTROL, IMS, 1, 0.05, "IMSHI", "RIMS"),
    ("IMSACON", "HWSHWS00", "ICON", 1, 1.0, "IMSHI", "RICON"),
    ("IFP", REGION, "IFP", 0, 1.0, "IMSREG", "RREG"),
    ("TCPIP", "EZBTCPIP", "TCPIP", 1, 1.0, "SYSSTC", "RNET"),
    ("XCFAS", "IXCINJST", "XCFAS", 1, 1.0, "SYSTEM", "RSYS"),
)
GOALS = (  # service class, kind, velocity or ms, percentile, importance
    ("SYSTEM", "system", 0.0, 0.0, 0),
    ("SYSSTC", "system", 0.0, 0.0, 0),
    ("IMSHI", "velocity", 70.0, 0.0, 1),
    ("IMSREG", "velocity", 60.0, 0.0, 2),
    ("IMSTRAN", "percentile", 0.0, 90.0, 1),
)
TRANSACTIONS = "RTRAN"  # report class
RESPONSE = ("percentile", "average", "response")  # kinds of goals that transactions have
USUAL_GOAL_MS = 10.0
SERVERS = (
    REGION,
    CICS,
)  # programs: address spaces of the first kind there is serve transactions
ONLINE = "ONLINE"  # workloads
STARTED = "STC"
SYSTEM = "SYSTEM"


@dataclass(frozen=True)
class Inventory:
    """m address spaces, and their classes: service classes, then report classes.

    `rows` and `shares`: whose CPU of the cost table each space uses, and how much of it. `service`
    and `report`: the classes of each (places in `classes`). `transactions`: the classes in which
    transactions end, empty where no class has a goal for them. `master` does what is used at any
    rate; `owner` has the log data sets allocated, and DEDB areas (without IMS the last CICS region
    has all files); `keeper` the data sets of other databases: DLI/SAS where one runs, or Db2;
    `librarian` program libraries: SMSPDSE1 where it is there.
    """

    spaces: tuple[Space, ...]
    rows: tuple[str, ...]
    shares: tuple[float, ...]
    classes: tuple[WorkClass, ...]
    service: I64
    report: I64
    transactions: tuple[int, ...]
    master: int
    owner: int
    keeper: int
    librarian: int

    def of_program(self, program: str) -> I64:
        """Places of the address spaces that run a program."""
        return np.flatnonzero([space.program == program for space in self.spaces])

    @property
    def archives(self) -> I64:
        """Places of archive jobs, which come behind all others."""
        return self.of_program(ARCHIVE)

    @property
    def servers(self) -> I64:
        """Places of the address spaces in which transactions are served."""
        spaces = (self.of_program(server) for server in SERVERS)
        return next((space for space in spaces if len(space)), np.empty(0, dtype=np.int64))


def inventory_of(scenario: Any, network: Network) -> Inventory:
    """What the tables of a scenario say; ScenarioError for a space of an unknown class."""
    spaces = [*_spaces(scenario, network)]
    goals = _goals(scenario)
    for space, _, _ in spaces:
        if space.service_class not in goals:
            raise ScenarioError(
                f"address space {space.job}: found no service class {space.service_class!r}",
                near(space.service_class, goals),
            )
    used = {space.service_class for space, _, _ in spaces}
    spaces = [
        (replace(space, workload=_workload(goals[space.service_class][0])), row, share)
        for space, row, share in spaces
    ]
    served = next((name for name, (kind, *_) in goals.items() if kind in RESPONSE), "")
    classes = [*_service_classes(goals, used, served, spaces, network)]
    reports = dict.fromkeys(space.report_class for space, _, _ in spaces)
    classes += [_report_class(name, spaces) for name in reports]
    names = [work_class.name for work_class in classes]
    ended: tuple[int, ...] = ()
    if served:
        classes.append(
            WorkClass(TRANSACTIONS, classes[names.index(served)].goals, report=True, last=served)
        )
        ended = names.index(served), len(classes) - 1
    controls = [n for n, (space, _, _) in enumerate(spaces) if space.program == CONTROL]
    owner = controls[0] if network.has_ims else len(spaces) - 1
    return Inventory(
        tuple(space for space, _, _ in spaces),
        tuple(row for _, row, _ in spaces),
        tuple(share for _, _, share in spaces),
        tuple(classes),
        np.array([names.index(space.service_class) for space, _, _ in spaces]),
        np.array([names.index(space.report_class) for space, _, _ in spaces]),
        ended,
        0,
        owner,
        _keeper([space for space, _, _ in spaces], network, owner),
        next((n for n, (space, _, _) in enumerate(spaces) if space.job == LIBRARIAN), owner),
    )


def _keeper(spaces: list[Space], network: Network, owner: int) -> int:
    """The address space that reads and writes databases: DLI/SAS, DBM1 of Db2, else the owner."""
    if any(work_class.esaf_calls for work_class in network.classes):
        mine = [n for n, space in enumerate(spaces) if space.program == DB2]
    elif any(work_class.db_calls for work_class in network.classes):
        mine = [n for n, space in enumerate(spaces) if space.job.endswith("DLI")]
    else:
        mine = []
    return mine[0] if mine else owner


def response_goal_us(scenario: Any) -> float:
    """The goal of the class in which transactions end."""
    goals = (goal for kind, goal, *_ in _goals(scenario).values() if kind in RESPONSE)
    return (next(goals, 0.0) or USUAL_GOAL_MS) * 1000


def _spaces(scenario: Any, network: Network) -> Iterator[tuple[Space, str, float]]:
    """Each address space, the row of the cost table and its share of that."""
    rows = [MASTER, *(_given(scenario) or _assumed(scenario))]
    number = 0
    for job, program, row, count, share, service, report in rows:
        many = count or _regions(scenario, network, job, row)
        if program == REGION and not count:
            job = _kind(network, job)
        for nth in range(1, many + 1):
            master = job == MASTER[0]
            space = Space(
                job if many == 1 else _numbered(job, program, nth, many),
                program,
                1 if master else FIRST_ASID + number,
                f"STC{number:05d}",
                service_class=service,
                report_class=report,
            )
            number += 1
            yield space, row, share / many


def _given(scenario: Any) -> list[tuple[str, str, str, int, float, str, str]]:
    if "address_spaces" not in scenario.tables:
        return []
    names = ("job", "program", "space", "count", "share", "service_class", "report_class")
    rows = of_kind(scenario, scenario.table("address_spaces"))
    return [tuple(row[name] for name in names) for row in rows]


def _assumed(scenario: Any) -> list[tuple[str, str, str, int, float, str, str]]:
    """The table above, with as many IMS Connects as the scenario says."""
    known = "ims_connect.count" in scenario.knobs
    connects = scenario["ims_connect.count"] if known else 1
    return [(*space[:3], connects, *space[4:]) if space[2] == "ICON" else space for space in SPACES]


def _regions(scenario: Any, network: Network, job: str, row: str) -> int:
    """What the knob of these regions says, else the pool of that name, else all pools."""
    knob = f"{row.lower()}.regions"
    if knob in scenario.knobs:
        return int(scenario[knob])
    of_name = sum(pool.count for pool in network.region_pools if pool.name in (job, row))
    return of_name or network.regions


def _kind(network: Network, job: str) -> str:
    """The kind of the regions: what is said where the workload has it, else the first there is."""
    kinds = [pool.name for pool in network.region_pools]
    return job if job in kinds or network.source else kinds[0]


def _numbered(job: str, program: str, nth: int, many: int) -> str:
    digits = REGION_DIGITS if program == REGION else len(str(many))
    return f"{job[: 8 - digits]}{nth:0{digits}d}"


def _goals(scenario: Any) -> Mapping[str, tuple[str, float, float, int]]:
    if "goals" not in scenario.tables:
        return {name: (kind, goal, share, rank) for name, kind, goal, share, rank in GOALS}
    return {
        row["service_class"]: (row["kind"], row["goal"], row["percentile"], row["importance"])
        for row in scenario.table("goals")
    }


def _service_classes(
    goals: Mapping[str, tuple[str, float, float, int]],
    used: set[str],
    served: str,
    spaces: list[tuple[Space, str, float]],
    network: Network,
) -> Iterator[WorkClass]:
    """Those that have address spaces, and the one of transactions; regions work for that one."""
    programs = {space.program for space, _, _ in spaces}
    server = next((server for server in SERVERS if server in programs), "")
    regions = {space.service_class for space, _, _ in spaces if space.program == server}
    for name, (kind, value, share, importance) in goals.items():
        if name == served:
            middle = max(1, round(network.response_goal_us / 1000))  # what the simulation counts by
            goal = Goal("percentile" if share else "average", middle, round(share), importance)
            yield WorkClass(name, (goal,), ONLINE)
        elif name in used:
            goal = Goal("velocity" if kind == "velocity" else "system", round(value), 0, importance)
            works_for = (served,) if served and name in regions else ()
            yield WorkClass(name, (goal,), _workload(kind), served=works_for)


def _workload(kind: str) -> str:
    """The workload of a class of address spaces."""
    return STARTED if kind == "velocity" else SYSTEM


def _report_class(name: str, spaces: list[tuple[Space, str, float]]) -> WorkClass:
    last = [space.service_class for space, _, _ in spaces if space.report_class == name][-1]
    return WorkClass(name, (Goal(""),), report=True, last=last)
