"""SMF 30: what address spaces used, in each interval and to the end of a step and job.

Times are cut to the unit of their field from a running total, so the intervals of a step add up to
its step end record. A record has as many EXCP sections as fit; the rest follow in records that have
nothing else but who they are about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from imsperf.layouts import smf30
from imsperf.layouts.smf30_job import COMPLETION, EXCP, IDENTIFICATION, IO, SUBSYSTEM
from imsperf.layouts.smf30_processor import PROCESSOR
from imsperf.layouts.smf30_resources import PERFORMANCE, STORAGE
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.arrays import I64, Texts, Times, Values
from imsperf.synthetic.smf.address_space import DdUsage, Life, Space, Usage
from imsperf.synthetic.smf.measured import US_128, columns_of, columns_of_each
from imsperf.synthetic.smf.record_builder import LARGEST_RECORD, Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, local_time, pieces, smf_group
from imsperf.synthetic.smf.work import Policy, Service

Columns = Mapping[str, Any]

INTERVAL, LAST_INTERVAL, STEP_END, JOB_END = 2, 3, 4, 5
WRITTEN_US, ENDED_US, APART_US = 15_000, 19_000, 20
FIRST_OF_RUN, AMID_RUN, LAST_OF_RUN = 0x80, 0x40, 0x20
DASD, DEVICE_3390 = 0x20, 0x0F
LEVEL = "SP7.2.4"

OLD_UNITS = ("srv", "csu", "srb", "io")  # service units that have a field of four bytes too


@dataclass(frozen=True)
class _Records:
    """Which records there are: interval and space of each, its times (UTC), its subtype."""

    at: I64
    space: I64
    begin: Times
    end: Times
    subtype: I64
    code: I64 | None = None  # completion code, of records of a step or job end
    born: Times | None = None  # when each step started; None: at the IPL
    job_ids: Texts | None = None

    @property
    def time(self) -> Times:
        """When each is written."""
        late = (WRITTEN_US if self.code is None else ENDED_US) + APART_US * self.space
        time: Times = self.end + late.astype("timedelta64[us]")
        return time

    def take(self, which: Values) -> _Records:
        """Some of them."""
        some = {k: values[which] for k, values in vars(self).items() if values is not None}
        return _Records(**some)


def interval_groups(
    spaces: Sequence[Space],
    usage: Usage,
    host: Host,
    interval: Interval,
    policy: Policy,
    dds: DdUsage | None = None,
    life: Life | None = None,
) -> list[Group]:
    """One record for each address space and interval, of subtype 2.

    `life`: a space has records only between start and end, cut to that, and subtype 3 in the
    interval in which it ended.
    """
    n, m = usage.tcb.shape
    records = _Records(
        np.repeat(np.arange(n), m),
        np.tile(np.arange(m), n),
        np.repeat(interval.start, m),
        np.repeat(interval.end, m),
        np.full(n * m, INTERVAL),
    )
    if life is not None:
        records = _lived(records, life, (n, m))
    columns = _columns(usage, usage.service(policy))
    return list(_groups(spaces, columns, host, policy, records, dds))


def step_end_groups(
    spaces: Sequence[Space],
    usage: Usage,
    host: Host,
    policy: Policy,
    life: tuple[Times, Times],
    code: I64,
    dds: DdUsage | None = None,
    units: Service | None = None,
) -> list[Group]:
    """Subtypes 4 and 5 of jobs of one step: `usage`, and service `units`, of their life, (1, m)."""
    begin, end = life
    columns = _columns(usage, units or usage.service(policy))
    none = np.zeros(len(spaces), dtype=np.int64)
    ended = _Records(none, np.arange(len(spaces)), begin, end, none + STEP_END, code)
    groups = list[Group]()
    for subtype in (STEP_END, JOB_END):
        records = replace(ended, subtype=none + subtype)
        groups += _groups(spaces, columns, host, policy, records, dds)
    return groups


def _lived(records: _Records, life: Life, shape: tuple[int, int]) -> _Records:
    def of(values: Values) -> Values:
        return np.broadcast_to(values, shape)[records.at, records.space]

    start, end = of(life.begin), of(life.end)
    begin, until = np.fmax(records.begin, start), np.fmin(records.end, end)
    last = end <= records.end
    subtype = np.where(last & (records.subtype == INTERVAL), LAST_INTERVAL, records.subtype)
    ids = None if life.job_ids is None else of(life.job_ids)
    cut = replace(records, begin=begin, end=until, subtype=subtype, born=start, job_ids=ids)
    return cut.take(np.flatnonzero(begin < until))


def _columns(usage: Usage, service: Service) -> dict[str, Columns]:
    """Field values of each section, (n, m) or one number."""
    columns: dict[str, Columns] = {
        section.table: columns_of(usage, section) for section in (PROCESSOR, IO, STORAGE)
    }
    performance = columns_of(usage, PERFORMANCE) | columns_of(service, PERFORMANCE)
    performance["smf30srv_l"] = service.total
    old = {f"smf30{name}": performance.get(f"smf30{name}_l", 0) for name in OLD_UNITS}
    columns[PERFORMANCE.table] = performance | {
        name: values & 0xFFFFFFFF for name, values in old.items() if np.ndim(values)
    }
    return columns


def _groups(
    spaces: Sequence[Space],
    columns: Mapping[str, Columns],
    host: Host,
    policy: Policy,
    records: _Records,
    dds: DdUsage | None,
) -> Iterator[Group]:
    """A group for each number of DD statements, and one for each record they need."""
    records = records.take(np.argsort(records.time, kind="stable"))
    number = np.zeros(len(spaces), dtype=np.int64)
    if dds is not None:
        number = np.bincount(dds.space, minlength=len(spaces))
    for count in np.unique(number[records.space]).tolist():
        some = records.take(np.flatnonzero(number[records.space] == count))
        sections = [
            *_names(spaces, host, some),
            *_sections(spaces, columns, host, policy, some),
        ]
        if dds is None or not count:
            yield _group((spaces, host), some, sections, {})
        else:
            yield from _continued((spaces, host), some, sections, dds, count)


def _continued(
    who: tuple[Sequence[Space], Host], records: _Records, whole: Sequence[Sections], dds: DdUsage,
    count: int,
) -> Iterator[Group]:  # fmt: skip
    """EXCP sections, as many as fit; the others in records of their own."""
    room = LARGEST_RECORD - smf30.HEADER.length - sum(space.size for space in whole)
    here = pieces(count, room, EXCP.length)
    for number, piece in enumerate(here):
        after = len(here) - 1 - number
        flag = AMID_RUN if number and after else LAST_OF_RUN if number else FIRST_OF_RUN
        head = {
            "smf30eor": count - piece.stop,
            "smf30eos": count - piece.stop,
            "smf30cont": after,
            "smf30contf": flag if len(here) > 1 else 0,
        }
        parts = [*(whole[:2] if number else whole), _excp(dds, records, count, piece)]
        yield _group(who, records, parts, head)


def _group(
    who: tuple[Sequence[Space], Host], records: _Records, parts: Sequence[Sections], head: Columns
) -> Group:
    spaces, host = who
    columns = {"smf30sty": records.subtype, "smf30ssi": _work_types(spaces, records)}
    group = smf_group(smf30.ADDRESS_SPACE, host, parts, records.time, columns=columns, fixed=head)
    return replace(group, at=records.at)


def _work_types(spaces: Sequence[Space], records: _Records) -> Texts:
    """How each was started: by a job entry subsystem (JOBnnnnn), TSO (TSUnnnnn) or as a task."""
    ids = np.array([space.job_id for space in spaces])[records.space]
    if records.job_ids is not None:
        ids = np.where(records.job_ids == "", ids, records.job_ids)
    kinds = ids.astype("U3")
    return np.where(kinds == "JOB", "JES2", np.where(kinds == "TSU", "TSO", "STC"))


def _excp(dds: DdUsage, records: _Records, count: int, piece: slice) -> Sections:
    """DD statements `piece` of address spaces that have `count` of them."""
    order = np.argsort(dds.space, kind="stable")
    first = np.searchsorted(dds.space[order], records.space)
    mine = order[first[:, None] + np.arange(count)[piece]]
    at = records.at[:, None]
    columns = {
        "smf30blk": dds.blocks[at, mine],
        "smf30dct": in_units(dds.conn, US_128)[at, mine],
    }
    fixed = {
        "smf30dev": DASD,
        "smf30utp": DEVICE_3390,
        "smf30ddn": dds.name,
        "smf30cua": dds.device,
        "smf30bsz": np.minimum(dds.block_bytes, 0xFFFF),
        "smf30xbs": dds.block_bytes,
    }
    return Sections(EXCP, columns, mine.shape[1], fixed=fixed, which=mine)


# --- sections -----------------------------------------------------------------------------------


def _names(spaces: Sequence[Space], host: Host, records: _Records) -> tuple[Sections, Sections]:
    """Subsystem and identification section: every record has them."""
    subsystem = Sections(
        SUBSYSTEM,
        {"smf30typ": records.subtype},
        fixed={
            "smf30rvn": "05",
            "smf30pnm": "SMF",
            "smf30osl": LEVEL,
            "smf30syn": host.system,
            "smf30syp": host.sysplex,
        },
    )
    return subsystem, _identification(spaces, host, records)


def _identification(spaces: Sequence[Space], host: Host, records: _Records) -> Sections:
    """Times of start are those of the step; an interval's own are UTC, those of an end none."""
    ended = records.code is not None
    started = records.begin if ended else np.full(len(records.at), host.ipl)
    if records.born is not None:
        started = np.fmax(started, records.born)
    local = local_time(host, started)
    day = local.astype("datetime64[D]")
    columns = dict.fromkeys(
        ("smf30sit", "smf30ast", "smf30pps", "smf30rst", "smf30ret"), local - day
    )
    columns |= dict.fromkeys(("smf30std", "smf30rsd", "smf30red"), day)
    if not ended:
        columns |= {"smf30iss": records.begin, "smf30iet": records.end}
    fixed: dict[str, Any] = {**columns_of_each(spaces, IDENTIFICATION), "smf30stn": 1}
    if records.job_ids is not None:
        own = fixed.pop("smf30jnm")[records.space]
        columns["smf30jnm"] = np.where(records.job_ids == "", own, records.job_ids)
    return Sections(IDENTIFICATION, columns, fixed=fixed, which=records.space)


def _sections(
    spaces: Sequence[Space],
    columns: Mapping[str, Columns],
    host: Host,
    policy: Policy,
    records: _Records,
) -> Iterator[Sections]:
    """The sections that say what was used."""

    def of(table: str) -> dict[str, Any]:
        return {k: v[records.at, records.space] for k, v in columns[table].items()}

    local = local_time(host, records.begin)
    day = local.astype("datetime64[D]")
    yield Sections(IO, of(IO.table))
    if records.code is not None:
        yield Sections(COMPLETION, {"smf30scc": records.code})
    yield Sections(PROCESSOR, of(PROCESSOR.table) | {"smf30ist": local - day, "smf30idt": day})
    yield Sections(STORAGE, of(STORAGE.table))
    yield Sections(
        PERFORMANCE,
        of(PERFORMANCE.table),
        fixed=_classes(spaces, policy),
        which=records.space,
    )


def _classes(spaces: Sequence[Space], policy: Policy) -> Columns:
    return columns_of_each(spaces, PERFORMANCE) | {
        "smf30sus": policy.adjustment,
        "smf30cpc": round(policy.cpu * 10),
        "smf30loc": round(policy.io * 10),
        "smf30src": round(policy.srb * 10),
        "smf30znf": 256,
        "smf30snf": policy.ziip_speed,
        "smf30_rmctadjn_nominal": policy.adjustment,
    }
