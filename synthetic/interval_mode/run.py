"""A scenario, a load profile and faults -> interval records of days and weeks, and the truth.

The files are those of `generate`, without transactions in the log. A part of a run (some of its
intervals) is drawn from the beginning, which is quick, and written alone: carried remainders and
counters since the start are the same, so its records are those of the whole run, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.errors import ScenarioError
from imsperf.synthetic import generate as plain
from imsperf.synthetic import noise
from imsperf.synthetic.accounts.hardware import LATEST
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.displays import write_displays
from imsperf.synthetic.interval_mode.batch import batch_drawn
from imsperf.synthetic.interval_mode.drawn import NO_SAMPLE, drawn
from imsperf.synthetic.interval_mode.faults import Injected, Place, changed, check_shows, injected
from imsperf.synthetic.interval_mode.load_profile import LoadProfile, load_profile
from imsperf.synthetic.interval_mode.mean_parts import Inputs, Means, joined
from imsperf.synthetic.interval_mode.means import at_load, means_of, own_response_us
from imsperf.synthetic.log.log_source import Log
from imsperf.synthetic.log.logstream import interval_chunks
from imsperf.synthetic.order import FORMS, Order, System, check, systems_in
from imsperf.synthetic.run_folder import run_folder
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends, seed_of
from imsperf.synthetic.smf.dump import dump, further_groups
from imsperf.synthetic.smf.record_groups import local_time
from imsperf.synthetic.units import TICKS_PER_US
from imsperf.synthetic.writer import Written, write_dump, write_text

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

    systems: tuple[System, ...]
    places: tuple[Place, ...]  # the same, for faults
    profile: LoadProfile
    faults: tuple[Injected, ...]
    span: Span
    order: Order


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
    order = Order(every_s * intervals, seed, NO_SAMPLE, every_s, form)
    check(order)
    run = _run(scenario, order, span, load_profile(profile), injected(inject, intervals))
    tell = progress or (lambda seconds: None)
    folder = Path(out_dir)
    truths = truth_toml(run)
    means = [_means(run, number) for number in range(len(run.systems))]
    tell(SOLVING * order.seconds)
    results = [_drawn(run, number, mean) for number, mean in enumerate(means)]
    tell(DRAWING * order.seconds)
    with run_folder(folder, scenario.full_name) as aside:
        files = _written(aside, run, results)
        own, *others = run.systems
        text = plain.run_toml(
            scenario, own.host, order, own.network, files, others, _made(run, inject)
        )
        write_text(aside / plain.NOTE_FILE, text)
        write_displays(aside, scenario)
        write_text(aside / TRUTH_FILE, truths)
    tell((1 - SOLVING - DRAWING) * order.seconds)
    return _generated(folder, run, results, files)


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
    order: Order,
    span: Span,
    profile: LoadProfile,
    faults: tuple[Injected, ...],
) -> Run:
    systems = tuple(systems_in(noise.of_run(scenario, order.seed)))
    if not all(system.network.logged for system in systems):
        raise ScenarioError(
            f"--intervals: found {scenario.name}, which has no IMS log, expected a scenario of IMS",
            "without --intervals it is simulated",
        )
    start = systems[0].host.start_utc
    if start + np.timedelta64(int(order.seconds), "s") >= LATEST:
        raise ScenarioError(
            f"found a run of {order.seconds:g} s from {start}, expected its end before 2042",
            "a TOD clock ends in 2042",
        )
    places = tuple(Place(system.network, system.host, system.inventory) for system in systems)
    return Run(systems, places, profile, faults, span, order)


# --- means ----------------------------------------------------------------------------------------


def loads(run: Run) -> F64:
    """The load in the middle of each interval, from the start of the run to the last one made."""
    number, host = np.arange(run.span.end), run.systems[0].host
    middle = np.rint((number + 0.5) * run.order.every_s * 1e6).astype("timedelta64[us]")
    return run.profile.load(local_time(host, host.start_utc + middle), run.order.seed)


def _means(run: Run, system: int) -> Means[F64]:
    """Of every interval of a system, with the faults that it has."""
    networks = [run.systems[system].network]
    networks += [one.network for number, one in enumerate(run.systems) if number != system]
    own = [
        own_response_us(network, *networks[:n], *networks[n + 1 :])
        for n, network in enumerate(networks)
    ]
    load = loads(run)
    faults = _of_intervals(run, system)

    def solver(which: tuple[int, ...]) -> Callable[[float], Means[float]]:
        def solve(one: float) -> Means[float]:
            mine, *others = (
                at_load(*each) for each in zip(networks, repeat(one), own, strict=False)
            )
            inputs = Inputs(mine, tuple(others))
            before = means_of(inputs)
            for number in which:
                inputs = changed(run.faults[number].fault, inputs, before)
            return means_of(inputs) if which else before

        return solve

    means = Table(solver(())).at(load)
    for injected_one in run.faults if system == 0 else ():
        check_shows(injected_one, run.places[0], means)
    for which in sorted(set(faults) - {()}):
        here = np.array([n for n, fault in enumerate(faults) if fault == which])
        faulty = Table(solver(which)).at(load[here])
        means = joined([means, faulty], partial(_placed, here))
    return means


def _placed(here: npt.NDArray[np.int64], values: list[F64]) -> F64:
    """Values of all intervals, with those of some in their places."""
    every = values[0].copy()
    every[here] = values[1]
    return every


def _of_intervals(run: Run, system: int) -> list[tuple[int, ...]]:
    """The faults of each interval, by their numbers: what is shared fails for all systems."""
    mine = [(n, fault) for n, fault in enumerate(run.faults) if system == 0 or fault.fault.shared]
    return [
        tuple(n for n, stretch in mine if place in stretch.intervals)
        for place in range(run.span.end)
    ]


def _drawn(run: Run, system: int, means: Means[F64]) -> SimResult:
    network = run.systems[system].network
    return (drawn if network.sequence is None else batch_drawn)(
        network,
        means,
        seed=seed_of(run.order.seed, system),
        every_s=run.order.every_s,
        intervals=run.span.end,
    )


# --- files ----------------------------------------------------------------------------------------


def _written(folder: Path, run: Run, results: Sequence[SimResult]) -> list[Written]:
    """The dumps of each system, SMF and log."""
    smf_form, log_form = FORMS[run.order.form]
    plex = plain.sysplex_of(run.systems, results)
    only, all_intervals = slice(run.span.first, run.span.end), run.span.end == run.span.intervals
    files = list[Written]()
    for number, (system, result) in enumerate(zip(run.systems, results, strict=True)):
        stem, host = plain.stem_of(system.scenario), system.host
        records = dump(
            result,
            host,
            system.network,
            run.places[number].inventory,
            plain.storage_of(system.scenario),
            only,
            partial(further_groups, plex, number),
        )
        name = f"{stem}.{host.system}.smf.{smf_form}"
        files.append(write_dump(folder / name, records, smf_form, host.smf_block))
        if not system.network.has_ims:
            continue
        log = Log.of(result, host, system.network, run.order.seed, plex)
        sets = interval_chunks(log, run.span.first, run.span.end, closed=all_intervals)
        name = f"{stem}.{host.ims_id}.imslog.{log_form}"
        files.append(write_dump(folder / name, sets, log_form, system.network.logger.block_bytes))
    return files


def _made(run: Run, inject: Sequence[str]) -> dict[str, Any]:
    """What run.toml says of interval mode. `inject`: the faults as they were asked for."""
    span, every, profile = run.span, run.order.every_s, run.profile
    when = [
        f"{fault.fault.name}@{','.join(str(n + 1) for n in fault.intervals)}"
        for fault in run.faults
    ]
    asked = {
        "intervals": span.intervals,
        "first": span.first + 1,
        "count": span.count,
        "load_profile": profile.name,
        "load_weekday": ", ".join(f"{factor:g}" for factor in profile.weekday),
        "load_hour": ", ".join(f"{factor:g}" for factor in profile.hour),
        "load_modulation": {"value": profile.modulation_pct, "unit": "%"},
        "load_modulation_hours": {"value": profile.modulation_hours, "unit": "h"},
        "faults": ", ".join(when) or "none",
        "faults_asked": ", ".join(inject) or "none",
    }
    return {"asked": asked, "from_s": span.first * every, "seconds": span.count * every}


def truth_toml(run: Run) -> str:
    """Which faults there are, when, and where each shows most. ScenarioError: it cannot be."""
    lines = [line for fault in run.faults for line in _truth(fault, run.places[0], run)]
    return "\n".join(lines or ["# no fault was injected", ""])


def _truth(injected: Injected, place: Place, run: Run) -> Iterator[str]:
    truth = injected.fault.truth(place)
    us = interval_ends(run.order.seconds, run.order.every_s) // TICKS_PER_US
    starts = place.host.start_utc + us[list(injected.intervals)].astype("timedelta64[us]")
    yield "[[fault]]"
    yield f"name = {json.dumps(injected.fault.name)}"
    yield f"title = {json.dumps(injected.fault.title)}"
    yield f"changed = {json.dumps(truth.changed)}"
    yield f"system = {json.dumps(place.host.system)}"
    yield f"intervals = {[n + 1 for n in injected.intervals]}"
    yield f"interval_start_utc = {json.dumps([f'{t}Z' for t in starts.astype('datetime64[s]')])}"
    for name in ("report", "key", "column", "direction"):
        yield f"{name} = {json.dumps(getattr(truth, name))}"
    yield ""


def _generated(
    folder: Path, run: Run, results: Sequence[SimResult], files: Sequence[Written]
) -> plain.Generated:
    names = [*(path.path.name for path in files), plain.NOTE_FILE, TRUTH_FILE]
    done = sum(int(result.completed[run.span.first :].sum()) for result in results)
    smf, ims = plain.smf_and_log(files)
    numbers = {
        "intervals": run.span.count,
        "interval_s": run.order.every_s,
        "seed": run.order.seed,
        "transactions": done,
        "smf_records": sum(group.records for group in smf),
        "smf_bytes": sum(group.bytes for group in smf),
        "ims_records": sum(record.records for record in ims),
        "ims_bytes": sum(record.bytes for record in ims),
    }
    facts = (
        f"{run.span.count:,} of {run.span.intervals:,} intervals of {run.order.every_s:g} s: "
        f"{done:,} transactions counted, none in the log",
        "SMF: {smf_records:,} records, {smf_bytes:,} bytes; "
        "IMS log: {ims_records:,} records, {ims_bytes:,} bytes".format(**numbers),
    )
    return plain.Generated(tuple(folder / name for name in names), facts, numbers)


# --- steps of load --------------------------------------------------------------------------------
#
# The means of many intervals from few solutions: solved at steps of load, joined by cubics.
#
# Steps are fixed (0.05, 0.10, ...), so an interval gets the same means whichever others are made.
# Below the first step, and beside one that has no balance, the load itself is solved, rounded to a
# thousandth.

STEP = 0.05
FINEST = 1000  # parts of load 1 that are told apart where the load itself is solved


class Table:
    """Means at any load from a function that solves one load; every load is solved once."""

    def __init__(self, solve: Callable[[float], Means[float]]) -> None:
        self._solve = solve
        self._steps: dict[int, Means[float] | None] = {}
        self._exact: dict[int, Means[float]] = {}

    def at(self, load: F64) -> Means[F64]:
        """The means of n loads. Errors: ScenarioError, no balance."""
        low = np.floor(load / STEP + 1e-9).astype(np.int64)
        cells = np.unique(low).tolist()
        rows = [np.flatnonzero(low == cell) for cell in cells]
        parts = [self._within(cell, load[here]) for cell, here in zip(cells, rows, strict=True)]
        order = np.argsort(np.concatenate(rows))
        means: Means[F64] = joined(parts, lambda values: np.concatenate(values)[order])
        return replace(means, load=load)

    def _within(self, cell: int, load: F64) -> Means[F64]:
        """Of loads between two steps."""
        around = self._cell(cell)
        if around is None:
            exact = [self._itself(own_load) for own_load in load.tolist()]
            means: Means[F64] = joined(exact, np.array)
            return means
        return _cubic(around, load / STEP - cell)

    def _cell(self, cell: int) -> list[Means[float]] | None:
        """The two steps around and those beside them; None where one is missing.

        What would stand before the first step is the parabola's through the next three.
        """
        if cell < 1:
            return None
        known = [step for n in range(-1, 3) if cell + n and (step := self._step(cell + n))]
        if cell == 1 and len(known) == 3:
            known.insert(0, joined(known, lambda v: np.asarray(3 * v[0] - 3 * v[1] + v[2])))
        return known if len(known) == 4 else None

    def _step(self, number: int) -> Means[float] | None:
        if number not in self._steps:
            try:
                self._steps[number] = self._solve(number * STEP)
            except ScenarioError:
                self._steps[number] = None
        return self._steps[number]

    def _itself(self, load: float) -> Means[float]:
        place = max(round(load * FINEST), 1)
        if place not in self._exact:
            self._exact[place] = self._solve(place / FINEST)
        return self._exact[place]


def _cubic(around: list[Means[float]], share: F64) -> Means[F64]:
    """Catmull and Rom's cubic between the middle two, kept between them."""
    t = share
    weights = (
        -t / 2 + t * t - t * t * t / 2,
        1 - 5 * t * t / 2 + 3 * t * t * t / 2,
        t / 2 + 2 * t * t - 3 * t * t * t / 2,
        -t * t / 2 + t * t * t / 2,
    )

    def between(values: list[F64]) -> F64:
        shape = (len(t),) + (1,) * values[0].ndim
        cubic = sum(w.reshape(shape) * v for w, v in zip(weights, values, strict=True))
        low, high = np.minimum(values[1], values[2]), np.maximum(values[1], values[2])
        return np.asarray(np.clip(cubic, low, high))

    means: Means[F64] = joined(around, between)
    return means
