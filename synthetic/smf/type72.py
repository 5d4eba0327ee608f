"""SMF 72.3: one record for each service and report class in an interval.

Classes with as many periods, distributions, served classes and states are made together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.layouts import smf72_3
from imsperf.layouts.smf72_3_period import PERIOD
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64, Values
from imsperf.synthetic.smf.measured import columns_of, columns_of_each
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.smf.work import BUCKETS, EDGES_PCT, PeriodUse, Policy, WorkClass

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


@dataclass(frozen=True)
class _Shape:
    """Classes alike: their numbers, and the columns of their periods and served classes."""

    classes: tuple[int, ...]
    periods: I64  # (classes, periods of each)
    served: I64

    def pick(self, values: Values, which: I64) -> Values:
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
    def key(work_class: WorkClass) -> tuple[Any, ...]:
        middles = tuple(goal.middle_ms > 0 for goal in work_class.goals)
        return len(work_class.goals), middles, len(work_class.served)

    def places(count: Sequence[int], some: Sequence[int]) -> I64:
        first = np.cumsum([0, *count])
        return np.array([np.arange(first[n], first[n + 1]) for n in some], dtype=np.int64)

    for shape in dict.fromkeys(map(key, classes)):
        some = tuple(n for n, work_class in enumerate(classes) if key(work_class) == shape)
        yield _Shape(
            some,
            places([len(work_class.goals) for work_class in classes], some),
            places([len(work_class.served) for work_class in classes], some),
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
    written = WRITTEN_US + APART_US * np.array(shape.classes)
    return rmf_group(smf72_3.WORKLOAD_ACTIVITY, host, interval, parts, written, len(classes))


def _columns(use: PeriodUse) -> dict[str, Any]:
    """Fields of all periods, (n, p); what was not there at all is left out."""
    samples = use.samples
    sums = {
        "r723csrv": use.service.total,
        "r723ctou": samples.using,
        "r723ctot": samples.delayed,
        "r723ctdq": samples.delayed,
        "r723ctsa": samples.execution,
        "r723csac": samples.execution,  # each finds an address space or enclave in one state
    }
    columns: dict[str, Any] = {name: values for name, values in sums.items() if np.ndim(values)}
    for part in (use, use.service, samples):
        columns |= columns_of(part, PERIOD)
    if not isinstance(use.squares_us2, int):
        columns["r723cetsx"] = use.squares_us2
        columns["r723cets"] = use.squares_us2 / 1024**2
    return columns


def _control(
    classes: Sequence[WorkClass], interval: Interval, policy: Policy, which: I64
) -> Sections:
    wlm_samples = interval.length_us // (policy.sample_ms * 1000)
    fixed = columns_of_each(classes, smf72_3.CONTROL) | {
        "r723mscf": np.array([IO_DELAYS | REPORT * work_class.report for work_class in classes]),
        "r723mcpg": np.array([len(work_class.goals) for work_class in classes]),
    }
    return Sections(
        smf72_3.CONTROL,
        {"r723mtv": np.repeat(wlm_samples, len(classes))},
        fixed=fixed | _policy(policy, len(classes)),
        which=which,
    )


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
        "r723mcfs": policy.ziip_capacity,
        "r723mcfi": 1024,
        "r723cpa_actual": 100 * policy.adjustment,
        "r723cpa_scaling_factor": 100,
    }


def _served(classes: Sequence[WorkClass], shape: _Shape, use: PeriodUse, which: I64) -> Sections:
    names = np.array([work_class.served for work_class in classes])
    seen = {} if use.served is None else {"r723scs": shape.pick(use.served, shape.served)}
    number = names.shape[1]
    return Sections(smf72_3.SERVED, seen, number, fixed={"r723scsn": names}, which=which)


def _periods(
    classes: Sequence[WorkClass], shape: _Shape, columns: Mapping[str, Any], which: I64
) -> Sections:
    number = shape.periods.shape[1]
    goals = [work_class.goals for work_class in classes]
    timed = np.array([[goal.kind in ("percentile", "average") for goal in some] for some in goals])
    middles = np.array([[goal.middle_ms for goal in some] for some in goals])
    with_map = middles > 0
    flat = columns_of_each([goal for some in goals for goal in some], PERIOD)
    fixed = {name: values.reshape(len(goals), number) for name, values in flat.items()} | {
        "r723crtx": np.cumsum(with_map, axis=1) * with_map,
        "r723cadf": ALL_VALID,
        "r723cper": np.tile(np.arange(1, number + 1), (len(classes), 1)),
        "r723crtf": timed * IN_MS,
        "r723crgf": np.array([[KINDS.get(goal.kind, 0) for goal in some] for some in goals]),
        "r723rtdm": middles,
        "r723plsc": np.array([[work_class.last] * number for work_class in classes]),
    }
    mine = {name: shape.pick(values, shape.periods) for name, values in columns.items()}
    return Sections(PERIOD, mine, number, PERIOD_BYTES, fixed, which)


def _distributions(
    classes: Sequence[WorkClass], shape: _Shape, buckets: I64 | None, intervals: int
) -> Sections:
    """The map, then one section for each period that has a distribution."""
    if buckets is None:
        buckets = np.zeros((intervals, int(shape.periods.max()) + 1, BUCKETS), dtype=np.int64)
    having = [n for n, goal in enumerate(classes[0].goals) if goal.middle_ms]
    columns = shape.pick(buckets, shape.periods[:, having])
    edges = np.broadcast_to(np.array([*EDGES_PCT, 0]), (len(columns), 1, BUCKETS))
    counts = np.concatenate([edges, columns], axis=1)
    return Sections(smf72_3.RESPONSE, {"r723trdb": counts}, counts.shape[1])
