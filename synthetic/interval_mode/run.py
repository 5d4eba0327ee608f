"""A scenario, a load profile and faults -> interval records of days and weeks, and the truth.

The files are those of `generate`, without transactions in the log. A part of a run (some of its
intervals) is drawn from the beginning, which is quick, and written alone: carried remainders and
counters since the start are the same, so its records are those of the whole run, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.errors import ScenarioError
from imsperf.synthetic import generate as plain
from imsperf.synthetic.interval_mode.drawn import NO_SAMPLE, drawn
from imsperf.synthetic.interval_mode.draws import Floats
from imsperf.synthetic.interval_mode.faults import Injected, Place, injected
from imsperf.synthetic.interval_mode.load_profile import LoadProfile, load_profile
from imsperf.synthetic.interval_mode.means import Inputs, Means, at_load, means_of, own_response_us
from imsperf.synthetic.interval_mode.steps_of_load import Table
from imsperf.synthetic.network import Network
from imsperf.synthetic.records.hardware import LATEST, Host, host_of
from imsperf.synthetic.records.intervals import dump
from imsperf.synthetic.records.inventory import Inventory, inventory_of, response_goal_us
from imsperf.synthetic.records.log_source import Log
from imsperf.synthetic.records.logstream import interval_chunks
from imsperf.synthetic.records.smf_records import local_time
from imsperf.synthetic.records.writer import Written, folder_aside, write_dump, write_text
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.workloads.families import network as network_of

TRUTH_FILE = "truth.toml"
EVERY_S = 900.0
SOLVING, DRAWING = 0.2, 0.4  # shares of the time a run takes


@dataclass(frozen=True)
class Span:
    """`intervals` in the whole run, and which of them are made: `count` from `first`, from 0."""

    intervals: int
    first: int
    count: int

    @property
    def end(self) -> int:
        """The first one that is not made any more."""
        return self.first + self.count


@dataclass(frozen=True)
class Run:
    """What a run of intervals is made of."""

    network: Network
    host: Host
    inventory: Inventory
    profile: LoadProfile
    faults: tuple[Injected, ...]
    span: Span
    order: plain.Order


def generate_intervals(
    scenario: Any,
    out_dir: str | Path,
    *,
    intervals: int,
    every_s: float = EVERY_S,
    seed: int = 1,
    form: str = "vbs",
    profile: str | Path = "office",
    inject: Sequence[str] = (),
    first: int = 1,
    count: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> plain.Generated:
    """Write interval records of `intervals` intervals of `every_s` seconds into a folder.

    `first`, `count`: only these of them, from 1; their records are those of the whole run.
    `inject`: faults, see faults.py; their truth is written beside the dumps. Errors: ScenarioError
    for what cannot be met, ImsperfError where the folder cannot be written; nothing stands in the
    folder then.
    """
    span = _span(intervals, first, count)
    order = plain.Order(every_s * intervals, seed, NO_SAMPLE, every_s, form)
    plain.check(order)
    run = _run(scenario, order, span, load_profile(profile), injected(inject, intervals))
    tell = progress or (lambda seconds: None)
    folder = Path(out_dir)
    truths = truth_toml(run)
    means = _means(run)
    tell(SOLVING * order.seconds)
    result = drawn(run.network, means, seed=seed, every_s=every_s, intervals=span.end)
    tell(DRAWING * order.seconds)
    with folder_aside(folder) as aside:
        written = [_smf(aside, scenario, run, result), _log(aside, scenario, run, result)]
        text = plain.run_toml(scenario, run.host, order, run.network, written)
        write_text(aside / plain.NOTE_FILE, text + _own_section(run))
        write_text(aside / TRUTH_FILE, truths)
    tell((1 - SOLVING - DRAWING) * order.seconds)
    return _generated(folder, run, result, written)


def _span(intervals: int, first: int, count: int | None) -> Span:
    if intervals < 1:
        raise ScenarioError(f"--intervals: found {intervals}, expected 1 or more")
    count = intervals - first + 1 if count is None else count
    if not (1 <= first <= intervals and 1 <= count <= intervals - first + 1):
        raise ScenarioError(
            f"intervals {first} to {first + count - 1}: found outside the run, expected 1 to "
            f"{intervals}",
            "intervals are numbered from 1",
        )
    return Span(intervals, first - 1, count)


def _run(
    scenario: Any,
    order: plain.Order,
    span: Span,
    profile: LoadProfile,
    faults: tuple[Injected, ...],
) -> Run:
    host = host_of(scenario)
    if host.start_utc + np.timedelta64(int(order.seconds), "s") >= LATEST:
        raise ScenarioError(
            f"found a run of {order.seconds:g} s from {host.start}, expected its end before 2042",
            "a TOD clock ends in 2042",
        )
    network = replace(network_of(scenario), response_goal_us=response_goal_us(scenario))
    inventory = inventory_of(scenario, network)
    return Run(network, host, inventory, profile, faults, span, order)


# --- means ----------------------------------------------------------------------------------------


def loads(run: Run) -> Floats:
    """The load in the middle of each interval, from the start of the run to the last one made."""
    number = np.arange(run.span.end)
    middle = np.rint((number + 0.5) * run.order.every_s * 1e6).astype("timedelta64[us]")
    return run.profile.load(local_time(run.host, run.host.start_utc + middle), run.order.seed)


def _means(run: Run) -> Means:
    """Of every interval, with the faults that it has."""
    own = own_response_us(run.network)
    load = loads(run)
    faults = _of_intervals(run)

    def solver(which: tuple[int, ...]) -> Callable[[float], Means]:
        def solve(one: float) -> Means:
            inputs = Inputs(at_load(run.network, one, own))
            if not which:
                return means_of(inputs)
            before = means_of(inputs)
            for number in which:
                inputs = run.faults[number].fault.change(inputs, before)
            return means_of(inputs)

        return solve

    means = dict(Table(solver(())).at(load))
    for which in sorted(set(faults) - {()}):
        here = np.array([n for n, one in enumerate(faults) if one == which])
        for name, values in Table(solver(which)).at(load[here]).items():
            means[name][here] = values
    return means


def _of_intervals(run: Run) -> list[tuple[int, ...]]:
    """The faults of each interval, by their numbers."""
    return [
        tuple(n for n, one in enumerate(run.faults) if place in one.intervals)
        for place in range(run.span.end)
    ]


# --- files ----------------------------------------------------------------------------------------


def _smf(folder: Path, scenario: Any, run: Run, result: SimResult) -> Written:
    form = plain.FORMS[run.order.form][0]
    name = f"{plain.stem_of(scenario)}.{run.host.system}.smf.{form}"
    only = slice(run.span.first, run.span.end)
    records = dump(
        result, run.host, run.network, run.inventory, plain.storage_of(scenario), only=only
    )
    return write_dump(folder / name, records, form, run.host.smf_block)


def _log(folder: Path, scenario: Any, run: Run, result: SimResult) -> Written:
    form = plain.FORMS[run.order.form][1]
    log = Log.of(result, run.host, run.network, run.order.seed)
    name = f"{plain.stem_of(scenario)}.{run.host.ims_id}.imslog.{form}"
    whole = run.span.end == run.span.intervals
    records = interval_chunks(log, run.span.first, run.span.end, closing=whole)
    return write_dump(folder / name, records, form, run.network.logger.block_bytes)


def _own_section(run: Run) -> str:
    """What run.toml says of interval mode."""
    span = run.span
    lines = [
        "[interval_mode]",
        f"intervals = {span.intervals}",
        f"first = {span.first + 1}",
        f"count = {span.count}",
        f"load_profile = {json.dumps(run.profile.name)}",
        f"faults = {json.dumps([one.fault.name for one in run.faults])}",
        'transactions = "none in the log; all are counted"',
        "",
    ]
    return "\n".join(lines)


def truth_toml(run: Run) -> str:
    """Which faults there are, when, and where each shows most. ScenarioError: it cannot be."""
    place = Place(run.network, run.host, run.inventory)
    lines = [line for one in run.faults for line in _truth(one, place, run)]
    return "\n".join(lines or ["# no fault was injected", ""])


def _truth(one: Injected, place: Place, run: Run) -> Iterator[str]:
    truth = one.fault.truth(place)
    us = interval_ends(run.order.seconds, run.order.every_s) // 4096
    starts = run.host.start_utc + us[list(one.intervals)].astype("timedelta64[us]")
    yield "[[fault]]"
    yield f"name = {json.dumps(one.fault.name)}"
    yield f"title = {json.dumps(one.fault.title)}"
    yield f"changed = {json.dumps(truth.changed)}"
    yield f"intervals = {[n + 1 for n in one.intervals]}"
    yield f"interval_start_utc = {json.dumps([f'{t}Z' for t in starts.astype('datetime64[s]')])}"
    for name in ("report", "key", "column", "direction"):
        yield f"{name} = {json.dumps(getattr(truth, name))}"
    yield ""


def _generated(
    folder: Path, run: Run, result: SimResult, written: Sequence[Written]
) -> plain.Generated:
    smf, ims = written
    names = [smf.path.name, ims.path.name, plain.NOTE_FILE, TRUTH_FILE]
    done = int(result.completed[run.span.first :].sum())
    numbers = {
        "intervals": run.span.count,
        "interval_s": run.order.every_s,
        "seed": run.order.seed,
        "transactions": done,
        "smf_records": smf.records,
        "smf_bytes": smf.bytes,
        "ims_records": ims.records,
        "ims_bytes": ims.bytes,
    }
    facts = (
        f"{run.span.count:,} of {run.span.intervals:,} intervals of {run.order.every_s:g} s: "
        f"{done:,} transactions counted, none in the log",
        f"SMF: {smf.records:,} records, {smf.bytes:,} bytes; "
        f"IMS log: {ims.records:,} records, {ims.bytes:,} bytes",
    )
    return plain.Generated(tuple(folder / name for name in names), facts, numbers)
