"""SMF 72.3: one record for each service and report class in an interval.

Classes with as many periods, distributions, served classes and states are made together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.layouts import smf72_3
from imsperf.layouts.smf72_3_period import PERIOD
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.policy import US_128, US_1024, Policy, quantised
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.smf.work import BUCKETS, EDGES_PCT, PeriodUse, WorkClass
from imsperf.synthetic.units import TICKS_PER_US

I64 = npt.NDArray[np.int64]

WRITTEN_US, APART_US = 30_000, 200
PERIOD_BYTES = 792  # z/OS 2.4
REPORT, IO_DELAYS = 0x80, 0x10
ALL_VALID = 0xE0
IN_MS = 0x80
KINDS = {
    "percentile": 0x80,
    "average": 0x40,
    "velocity": 0x20,
    "discretionary": 0x10,
    "system": 0x08,
}
BEGIN_TO_END, EXECUTION = 0x80, 0x40
FOUND = {  # samples of a work manager, by what PeriodUse.states calls them
    "any": "r723ress", "active": "r723ract", "ready": "r723rrdy", "idle": "r723ridl",
    "lock": "r723rwlo", "io": "r723rwio", "conversation": "r723rwco", "distributed": "r723rwds",
    "timer": "r723rwtm", "product": "r723rwo", "other": "r723rwms", "application": "r723rapp",
    "latch": "r723rwnl", "waits": "r723rw01_rw15",
}  # fmt: skip
_TICKS = {  # field: what of a PeriodUse, ticks in a unit
    "r723ctet": ("elapsed", US_1024), "r723ctetx": ("elapsed", TICKS_PER_US),
    "r723cxet": ("execution", US_1024), "r723cxetx": ("execution", TICKS_PER_US),
    "r723cqdt": ("queued", US_1024), "r723cqdtx": ("queued", TICKS_PER_US),
    "r723ctat": ("active", US_1024), "r723ctrr": ("resident", US_1024),
    "r723ciea": ("enclaves_active", US_1024),
    "r723ciit": ("interrupts", TICKS_PER_US), "r723crct": ("region_control", TICKS_PER_US),
    "r723cict": ("io_conn", US_128), "r723cidt": ("io_disc", US_128),
    "r723ciwt": ("io_pend", US_128), "r723ciot": ("io_iosq", US_128),
}  # fmt: skip
_COUNTS = {
    "r723crcp": "ended", "r723cncp": "executed", "r723cpir": "pages_in", "r723cswc": "swaps",
    "r723circ": "io", "r723cprs": "page_time",
}  # fmt: skip
_SERVICE = {
    "r723csrv": "total", "r723ccpu": "cpu", "r723csrb": "srb", "r723cioc": "io",
    "r723csup": "ziip", "r723csuc": "ziip_on_cp",
}  # fmt: skip
_SAMPLES = {
    "r723ccus": "using_cpu", "r723ciou": "using_io", "r723ccde": "delay_cpu",
    "r723ciod": "delay_io", "r723ccca": "delay_capped", "r723cq": "delay_queue",
    "r723capr": "delay_paging", "r723supu": "using_ziip", "r723supd": "delay_ziip",
    "r723sucu": "ziip_on_cp", "r723cunk": "unknown", "r723cidl": "idle", "r723ctou": "using",
    "r723ctot": "delayed", "r723ctdq": "delayed", "r723ctsa": "execution",
}  # fmt: skip


@dataclass(frozen=True)
class _Shape:
    """Classes alike: their numbers, and the columns of their periods, served classes and states."""

    classes: tuple[int, ...]
    periods: I64  # (classes, periods of each)
    served: I64
    states: I64

    def pick(self, values: npt.NDArray[Any], which: I64) -> npt.NDArray[Any]:
        """Columns (n, all) -> (n x classes, number of each)."""
        return values[:, which].reshape(-1, which.shape[1], *values.shape[2:])


def class_groups(
    classes: Sequence[WorkClass],
    use: PeriodUse,
    host: Host,
    interval: Interval,
    policy: Policy,
) -> list[Group]:
    """One record for each class and interval, in the order of the classes."""
    columns = _columns(use)
    return [
        _group([classes[n] for n in shape.classes], shape, columns, use, host, interval, policy)
        for shape in _shapes(classes)
    ]


def _shapes(classes: Sequence[WorkClass]) -> Iterator[_Shape]:
    def key(one: WorkClass) -> tuple[Any, ...]:
        middles = tuple(goal.middle_ms > 0 for goal in one.goals)
        waits = tuple((state.period, len(state.waits)) for state in one.states)
        return len(one.goals), middles, len(one.served), waits

    def places(count: Sequence[int], some: Sequence[int]) -> I64:
        first = np.cumsum([0, *count])
        return np.array([np.arange(first[n], first[n + 1]) for n in some], dtype=np.int64)

    for shape in dict.fromkeys(map(key, classes)):
        some = tuple(n for n, one in enumerate(classes) if key(one) == shape)
        yield _Shape(
            some,
            places([len(one.goals) for one in classes], some),
            places([len(one.served) for one in classes], some),
            places([len(one.states) for one in classes], some),
        )


def _group(
    classes: Sequence[WorkClass],
    shape: _Shape,
    columns: Mapping[str, Any],
    use: PeriodUse,
    host: Host,
    interval: Interval,
    policy: Policy,
) -> Group:
    which = np.tile(np.arange(len(classes)), len(interval))
    parts = [_control(classes, interval, policy, which)]
    if classes[0].served:
        parts.append(_served(classes, shape, use, which))
    parts.append(_periods(classes, shape, columns, which))
    if any(goal.middle_ms for goal in classes[0].goals):
        parts.append(_distributions(classes, shape, use.buckets, len(interval)))
    if classes[0].states:
        parts += _states(classes, shape, use, which)
    written = WRITTEN_US + APART_US * np.array(shape.classes)
    return rmf_group(smf72_3.WORKLOAD_ACTIVITY, host, interval, parts, written, len(classes))


def _columns(use: PeriodUse) -> dict[str, Any]:
    """Fields of all periods, (n, p); what was not there at all is left out."""
    found = {f: quantised(getattr(use, name), unit) for f, (name, unit) in _TICKS.items()}
    found |= {f: getattr(use, name) for f, name in _COUNTS.items()}
    found |= {f: getattr(use.service, name) for f, name in _SERVICE.items()}
    found |= {f: getattr(use.samples, name) for f, name in _SAMPLES.items()}
    columns: dict[str, Any] = {f: v for f, v in found.items() if np.ndim(v)}
    if not isinstance(use.squares_us2, int):
        columns["r723cetsx"] = use.squares_us2
        columns["r723cets"] = use.squares_us2 / 1024**2
    return columns


def _control(
    classes: Sequence[WorkClass], interval: Interval, policy: Policy, which: I64
) -> Sections:
    wlm_samples = interval.length_us // (policy.sample_ms * 1000)
    each = {
        "r723mscf": [IO_DELAYS | REPORT * one.report for one in classes],
        "r723mwnm": [one.workload for one in classes],
        "r723mwde": [one.workload_doc for one in classes],
        "r723mcnm": [one.name for one in classes],
        "r723mcde": [one.doc for one in classes],
        "r723mcpg": [len(one.goals) for one in classes],
        "r723msub": [_most_states(one) for one in classes],
        "r723clsc": [one.last for one in classes],
    }
    return Sections(
        smf72_3.CONTROL,
        {"r723mtv": np.repeat(wlm_samples, len(classes))},
        fixed={name: np.array(values) for name, values in each.items()}
        | _policy(policy, len(classes)),
        which=which,
    )


def _most_states(one: WorkClass) -> int:
    return max((sum(s.period == n for s in one.states) for n in range(1, 99)), default=0)


def _policy(policy: Policy, count: int) -> dict[str, Any]:
    installed = np.full(count, np.datetime64(policy.installed, "us"))
    return {
        "r723mnsp": policy.name,
        "r723mdsp": policy.doc,
        "r723mtpa": installed,
        "r723mcpu": round(policy.cpu * 10_000),
        "r723mioc": round(policy.io * 10_000),
        "r723msrb": round(policy.srb * 10_000),
        "r723mtvl": policy.sample_ms,
        "r723mopt": "00",
        "r723madj": policy.adjustment,
        "r723midn": policy.definition,
        "r723midd": policy.definition_doc,
        "r723mtdi": installed,
        "r723midu": policy.installer,
        "r723nffi": 256,
        "r723nffs": policy.ziip_speed,
        "r723nadj": policy.adjustment,
        "r723ceca": policy.adjustment,
        "r723mcf": 1024,
        "r723mcfs": 1024,
        "r723mcfi": 1024,
        "r723cpa_actual": 100 * policy.adjustment,
        "r723cpa_scaling_factor": 100,
    }


def _served(classes: Sequence[WorkClass], shape: _Shape, use: PeriodUse, which: I64) -> Sections:
    names = np.array([one.served for one in classes])
    seen = {} if use.served is None else {"r723scs": shape.pick(use.served, shape.served)}
    number = names.shape[1]
    return Sections(smf72_3.SERVED, seen, number, fixed={"r723scsn": names}, which=which)


def _periods(
    classes: Sequence[WorkClass], shape: _Shape, columns: Mapping[str, Any], which: I64
) -> Sections:
    number = shape.periods.shape[1]
    goals = [one.goals for one in classes]
    with_map = np.array([[goal.middle_ms > 0 for goal in some] for some in goals])
    timed = np.array([[goal.kind in ("percentile", "average") for goal in some] for some in goals])
    states = [[_states_of(one, n + 1) for n in range(number)] for one in classes]

    def each(name: str) -> I64:
        return np.array([[getattr(goal, name) for goal in some] for some in goals])

    fixed = {
        "r723crtx": np.cumsum(with_map, axis=1) * with_map,
        "r723cwmx": np.array([[first for first, _ in some] for some in states]),
        "r723cwmn": np.array([[count for _, count in some] for some in states]),
        "r723cadf": ALL_VALID,
        "r723cper": np.tile(np.arange(1, number + 1), (len(classes), 1)),
        "r723crtf": timed * IN_MS,
        "r723crgf": np.array([[KINDS.get(goal.kind, 0) for goal in some] for some in goals]),
        "r723cval": each("value"),
        "r723cpct": each("percent"),
        "r723cimp": each("importance"),
        "r723cdur": each("duration_su"),
        "r723rtdm": each("middle_ms"),
        "r723plsc": np.array([[one.last] * number for one in classes]),
    }
    mine = {name: shape.pick(values, shape.periods) for name, values in columns.items()}
    return Sections(PERIOD, mine, number, PERIOD_BYTES, fixed, which)


def _states_of(one: WorkClass, period: int) -> tuple[int, int]:
    """First state section of a period, from 1, and their number; 0 and 0 without."""
    places = [n for n, state in enumerate(one.states, 1) if state.period == period]
    return (places[0], len(places)) if places else (0, 0)


def _distributions(
    classes: Sequence[WorkClass], shape: _Shape, buckets: I64 | None, intervals: int
) -> Sections:
    """The map, then one section for each period that has a distribution."""
    if buckets is None:
        buckets = np.zeros((intervals, int(shape.periods.max()) + 1, BUCKETS), dtype=np.int64)
    having = [n for n, goal in enumerate(classes[0].goals) if goal.middle_ms]
    found = shape.pick(buckets, shape.periods[:, having])
    edges = np.broadcast_to(np.array([*EDGES_PCT, 0]), (len(found), 1, BUCKETS))
    counts = np.concatenate([edges, found], axis=1)
    return Sections(smf72_3.RESPONSE, {"r723trdb": counts}, counts.shape[1])


def _states(
    classes: Sequence[WorkClass], shape: _Shape, use: PeriodUse, which: I64
) -> Iterator[Sections]:
    """State sections, and the names of the resources waited for: one list for each section."""
    number = shape.states.shape[1]
    waits = [len(state.waits) for state in classes[0].states]
    first = np.cumsum([1, *waits])[:-1]
    phases = [[EXECUTION if s.execution else BEGIN_TO_END for s in c.states] for c in classes]
    fixed = {
        "r723rtyp": np.array([[state.subsystem for state in one.states] for one in classes]),
        "r723rflg": np.array(phases),
        "r723rdnx": np.tile(np.where(waits, first, 0), (len(classes), 1)),
        "r723rdnn": np.tile(waits, (len(classes), 1)),
    }
    found = {FOUND[name]: shape.pick(v, shape.states) for name, v in use.states.items()}
    yield Sections(smf72_3.STATE, found, number, fixed=fixed, which=which)
    if sum(waits):
        yield Sections(smf72_3.DELAY_NAME, {}, sum(waits), fixed=_names(classes), which=which)


def _names(classes: Sequence[WorkClass]) -> dict[str, Any]:
    named = [
        [
            (state.subsystem, n, what)
            for state in one.states
            for n, what in enumerate(state.waits, 1)
        ]
        for one in classes
    ]
    fields = ("r723dnst", "r723dnnu", "r723dnde")
    return {f: np.array([[row[n] for row in some] for some in named]) for n, f in enumerate(fields)}
