"""A scenario -> the files a measurement of it would leave: SMF dump, IMS log, run.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from imsperf.synthetic import noise
from imsperf.synthetic.accounts.sysplex_accounts import Sysplex, log_of
from imsperf.synthetic.displays import write_displays
from imsperf.synthetic.log.logstream import Logs, Place
from imsperf.synthetic.order import FORMS, Order, System, check, systems_in
from imsperf.synthetic.run_folder import run_folder
from imsperf.synthetic.run_note import run_toml as run_toml
from imsperf.synthetic.simulation.checkpoint import saved_facts
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.run import Completed
from imsperf.synthetic.simulation.simulate import interval_ends, simulate_all
from imsperf.synthetic.smf.dump import dump, further_groups
from imsperf.synthetic.smf.record_groups import Group, Interval
from imsperf.synthetic.smf.requests import SampledRequests, keep, keep_rest, request_records, serves
from imsperf.synthetic.workloads.prediction import storage
from imsperf.synthetic.writer import (
    Written,
    write_dump,
    write_text,
)

Progress = Callable[[float], None]
WARM_UP_S = 2.0  # simulated before the run begins, so that it starts in balance
NOTE_FILE = "run.toml"
SIMULATING = 0.6  # share of the time a run takes, the rest is writing


@dataclass(frozen=True)
class Generated:
    """The files of a run, and what is worth telling about them."""

    paths: tuple[Path, ...]
    facts: tuple[str, ...]
    numbers: Mapping[str, Any] = field(default_factory=dict)


def generate(
    scenario: Any,
    out_dir: str | Path,
    *,
    seconds: float = 60,
    seed: int = 1,
    sample_k: int = 1,
    form: str = "vbs",
    every_s: float | None = None,
    progress: Progress | None = None,
    save: Path | None = None,
    resume: Path | None = None,
) -> Generated:
    """Simulate `seconds` of a scenario and write its records into a folder.

    `every_s`: RMF interval and time between statistics sets (run.interval_s of the scenario, or the
    run if that is shorter); whole seconds unless the run is one interval; the last may be shorter.
    `sample_k`: one whole transaction in k goes to the log. `progress` is told each step done, in
    seconds of the run. Same scenario, options and platform: same bytes. `save`: keep the state of
    the simulation at its latest interval boundary in this file; `resume`: go on from such a file,
    with the intervals it was made with, to the same bytes as without a break. Raises ScenarioError
    for an order that cannot be met and for more open arrivals than the system takes, ImsperfError
    where the folder cannot be written.
    """
    every = min(scenario["run.interval_s"], seconds) if every_s is None else every_s
    if every_s is None and resume is not None:
        every = saved_facts(resume)["every_s"]
    order = Order(seconds, seed, sample_k, every, form, save, resume)
    check(order)
    systems = systems_in(noise.of_run(scenario, seed))
    networks = [system.network for system in systems]
    if any(network.is_open for network in networks):
        from imsperf.synthetic.interval_mode.means import check_open

        check_open(networks, "driver.rate_per_s")
    folder, step = Path(out_dir), progress or _silent
    sampled = [SampledRequests(wanted=serves(system.inventory)) for system in systems]
    with run_folder(folder, scenario.full_name) as aside:
        with _logs(aside, systems, order) as logs:
            results = _simulated(systems, order, step, logs, sampled)
            logs.finish(results, lambda share: step((1 - SIMULATING) * order.seconds * share))
        keep_rest(sampled, results)
        files = _written(aside, systems, results, order, logs, sampled)
        first, *others = systems
        text = run_toml(scenario, first.host, order, first.network, files, others)
        write_text(aside / NOTE_FILE, text)
        shown = write_displays(aside, scenario)
    numbers = _numbers(order, systems, results, files) | {"logged_transactions": logs.transactions}
    names = (*(path.path.name for path in files), NOTE_FILE, *shown)
    paths = tuple(folder / name for name in names)
    return Generated(paths, _facts(numbers), numbers)


def _simulated(
    systems: Sequence[System],
    order: Order,
    step: Progress,
    logs: Logs,
    kept: Sequence[SampledRequests],
) -> list[SimResult]:
    def sink(handed: Sequence[Completed], results: Sequence[SimResult]) -> None:
        logs.add(handed, results)
        keep(kept, handed)

    return simulate_all(
        [system.network for system in systems],
        seed=order.seed,
        seconds=order.seconds,
        every_s=order.every_s,
        warmup_s=WARM_UP_S,
        sample_k=order.sample_k,
        progress=_steps(step),
        save=order.save,
        resume=order.resume,
        sink=sink if streams(systems, order) else None,
    )


def streams(systems: Sequence[System], order: Order) -> bool:
    """Whether the log is written while the run is simulated.

    A state to go on from holds the transactions so far. The program of a sequence is one row.
    """
    sequences = any(system.network.sequence is not None for system in systems)
    return not (sequences or order.save or order.resume)


def _logs(folder: Path, systems: Sequence[System], order: Order) -> Logs:
    """The logs of all systems, being written."""
    form = FORMS[order.form][1]
    places = [
        Place(
            folder / f"{stem_of(system.scenario)}.{system.host.ims_id}.imslog.{form}",
            system.host,
            system.network,
        )
        for system in systems
        if system.network.has_ims
    ]
    end = int(interval_ends(order.seconds, order.every_s)[-1])
    return Logs(places, form, order.seed, end, partial(sysplex_of, systems))


def _written(
    folder: Path,
    systems: Sequence[System],
    results: Sequence[SimResult],
    order: Order,
    logs: Logs,
    kept: Sequence[SampledRequests],
) -> list[Written]:
    """The dumps of each system, SMF and log, in the folder."""
    smf_form = FORMS[order.form][0]
    plex = sysplex_of(systems, results)
    files = list[Written]()
    for number, (system, result) in enumerate(zip(systems, results, strict=True)):
        host = system.host
        smf = write_dump(
            folder / f"{stem_of(system.scenario)}.{host.system}.smf.{smf_form}",
            dump(
                result,
                host,
                system.network,
                system.inventory,
                storage_of(system.scenario),
                more=partial(_more, plex, number, system, kept[number]),
            ),
            smf_form,
            host.smf_block,
        )
        files += [smf, *logs.written[number : number + 1]]
    return files


def _more(
    plex: Sysplex,
    number: int,
    system: System,
    sampled_requests: SampledRequests,
    interval: Interval,
) -> list[Group]:
    """Records of a system that need more than its own counters."""
    groups = further_groups(plex, number, interval)
    if sampled_requests.wanted:
        groups += request_records(
            sampled_requests.taken(), system.inventory, system.network, system.host
        )
    return groups


def sysplex_of(systems: Sequence[System], results: Sequence[SimResult]) -> Sysplex:
    """What the systems share."""
    return Sysplex(
        [system.host for system in systems],
        [system.network for system in systems],
        results,
        log_of(systems[0].scenario),
    )


def storage_of(scenario: Any) -> dict[str, float]:
    """Storage that the scenario repeats, by metric."""
    return {
        metric.name: float(metric.value) for metric in storage(scenario) if metric.value is not None
    }


def _silent(seconds: float) -> None:
    """Progress nobody wants to see."""


def _steps(step: Progress) -> Progress:
    """From seconds simulated so far to steps; the warm-up counts for nothing."""
    reached = 0.0

    def tell(now: float) -> None:
        nonlocal reached
        step(SIMULATING * (now - reached))
        reached = now

    return tell


def stem_of(scenario: Any) -> str:
    """What the names of all files of a run begin with."""
    return ".".join(part for part in (scenario.name, scenario.variant) if part)


def _numbers(
    order: Order,
    systems: Sequence[System],
    results: Sequence[SimResult],
    files: Sequence[Written],
) -> dict[str, Any]:
    """Sums over the systems."""
    smf, ims = smf_and_log(files)
    return {
        "seconds": order.seconds,
        "interval_s": min(order.every_s, order.seconds),
        "intervals": results[0].intervals,
        "seed": order.seed,
        "sample_k": order.sample_k,
        "system": " ".join(system.host.system for system in systems),
        "ims": " ".join(system.host.ims_id for system in systems),
        "transactions": sum(int(result.completed.sum()) for result in results),
        "smf_records": sum(group.records for group in smf),
        "smf_bytes": sum(group.bytes for group in smf),
        "ims_records": sum(record.records for record in ims),
        "ims_bytes": sum(record.bytes for record in ims),
    }


def smf_and_log(files: Sequence[Written]) -> tuple[list[Written], list[Written]]:
    """The SMF dumps, and the IMS logs, which a system without IMS has not."""
    ims = [file for file in files if ".imslog." in file.path.name]
    return [file for file in files if file not in ims], ims


def _facts(numbers: Mapping[str, Any]) -> tuple[str, ...]:
    """For people."""
    return (
        "{seconds:g} s simulated, intervals of {interval_s:g} s: {intervals}; "
        "{transactions:,} transactions, {logged_transactions:,} of them in the log".format(
            **numbers
        ),
        "SMF: {smf_records:,} records, {smf_bytes:,} bytes; "
        "IMS log: {ims_records:,} records, {ims_bytes:,} bytes".format(**numbers),
    )
