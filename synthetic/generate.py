"""A scenario -> the files a measurement of it would leave: SMF dump, IMS log, run.toml."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.layouts.ims import PROFILE
from imsperf.synthetic.network import Network
from imsperf.synthetic.records.groups import group_sections
from imsperf.synthetic.records.hardware import Host, host_of
from imsperf.synthetic.records.intervals import dump
from imsperf.synthetic.records.inventory import inventory_of, response_goal_us
from imsperf.synthetic.records.log_source import Log
from imsperf.synthetic.records.logstream import chunks, slices
from imsperf.synthetic.records.smf_records import OS_LEVEL
from imsperf.synthetic.records.writer import (
    DumpFile,
    Form,
    Written,
    folder_aside,
    write_dump,
    write_text,
)
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.saved import saved_facts
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.workloads.families import network as network_of
from imsperf.synthetic.workloads.prediction import storage

FORMS: Mapping[str, tuple[Form, Form]] = {"vbs": ("vbs", "vb"), "rdw": ("rdw", "rdw")}
Progress = Callable[[float], None]
SHORTEST_S = 0.001  # an RMF record gives the length of its interval in milliseconds
WARM_UP_S = 2.0  # simulated before the run begins, so that it starts in balance
NOTE_FILE = "run.toml"
SIMULATING = 0.6  # share of the time a run takes, the rest is writing


@dataclass(frozen=True)
class Generated:
    """The files of a run, and what is worth telling about them."""

    paths: tuple[Path, ...]
    facts: tuple[str, ...]
    numbers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Order:
    """What was asked for."""

    seconds: float
    seed: int
    sample_k: int
    every_s: float
    form: str
    save: Path | None = None  # keep the state here
    resume: Path | None = None  # go on from this state


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
    host = host_of(scenario)
    network = replace(network_of(scenario), response_goal_us=response_goal_us(scenario))
    _check_open(network)
    folder = Path(out_dir)
    with folder_aside(folder) as aside:
        result, smf, ims = _written(aside, scenario, host, network, order, progress or _silent)
        write_text(aside / NOTE_FILE, run_toml(scenario, host, order, network, [smf, ims]))
    numbers = _numbers(order, host, result, smf, ims)
    paths = tuple(folder / name for name in (smf.path.name, ims.path.name, NOTE_FILE))
    return Generated(paths, _facts(numbers), numbers)


def _written(
    folder: Path, scenario: Any, host: Host, network: Network, order: Order, step: Progress
) -> tuple[SimResult, Written, Written]:
    """Simulate, and write both dumps into the folder."""
    inventory = inventory_of(scenario, network)
    result = simulate(
        network,
        seed=order.seed,
        seconds=order.seconds,
        every_s=order.every_s,
        warmup_s=WARM_UP_S,
        sample_k=order.sample_k,
        progress=_steps(step),
        save=order.save,
        resume=order.resume,
    )
    stem = stem_of(scenario)
    smf_form, log_form = FORMS[order.form]
    smf = write_dump(
        folder / f"{stem}.{host.system}.smf.{smf_form}",
        dump(result, host, network, inventory, storage_of(scenario)),
        smf_form,
        host.smf_block,
    )
    ims = _write_log(
        folder / f"{stem}.{host.ims_id}.imslog.{log_form}",
        Log.of(result, host, network, order.seed),
        log_form,
        network.logger.block_bytes,
        lambda share: step((1 - SIMULATING) * order.seconds * share),
    )
    return result, smf, ims


def storage_of(scenario: Any) -> dict[str, float]:
    """Storage that the scenario repeats, by metric."""
    return {one.name: float(one.value) for one in storage(scenario) if one.value is not None}


def _check_open(network: Network) -> None:
    """Raise ScenarioError where more comes than passes: the queue would grow without end."""
    if not network.is_open:
        return
    from imsperf.synthetic.solver.balance import solve_network

    found = solve_network(network)
    if found.saturated:
        raise ScenarioError(
            f"driver.rate_per_s: found {network.rate_per_s:,.0f}, expected at most "
            f"{found.rate_per_s:,.0f}: {found.bottleneck} can take no more",
            "lower the rate, give the system more, or let clients wait (driver.rate_per_s=0)",
        )


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


def check(order: Order) -> None:
    """Raise ScenarioError for an order that cannot be met."""
    if not (0 < order.seconds < math.inf and 0 < order.every_s < math.inf and order.sample_k >= 1):
        raise ScenarioError(
            f"found {order.seconds} s, intervals of {order.every_s} s, one transaction in "
            f"{order.sample_k}; expected numbers above zero"
        )
    _check_intervals(order)
    if order.form not in FORMS:
        raise ScenarioError(f"form: found {order.form!r}, expected {' or '.join(FORMS)}")
    if not 0 <= order.seed < 1 << 64:
        raise ScenarioError(f"seed: found {order.seed}, expected 0 to 2^64 - 1")


def _check_intervals(order: Order) -> None:
    """What the product section can tell apart: start in seconds, length in milliseconds."""
    if order.every_s >= 6000:
        raise ScenarioError(
            f"intervals: found {order.every_s} s, expected less than 6000 s",
            "an RMF record holds at most 99 minutes",
        )
    if order.every_s < order.seconds and order.every_s != int(order.every_s):
        raise ScenarioError(
            f"intervals: found {order.every_s} s, expected whole seconds",
            "an RMF record gives its start in whole seconds; only a run of one interval may have "
            "another length",
        )
    last = order.seconds - order.every_s * (math.ceil(order.seconds / order.every_s) - 1)
    if last < SHORTEST_S:
        raise ScenarioError(
            f"intervals: found a last one of {last:g} s, expected at least {SHORTEST_S} s",
            f"it is what intervals of {order.every_s:g} s leave of a run of {order.seconds:g} s",
        )


def stem_of(scenario: Any) -> str:
    """What the names of all files of a run begin with."""
    return ".".join(part for part in (scenario.name, scenario.variant) if part)


def _write_log(path: Path, log: Log, form: Form, block_size: int, tell: Progress) -> Written:
    """The log, one slice after another."""
    with DumpFile(path, form, block_size) as file:
        share = 1 / slices(log)
        for batches in chunks(log):
            file.write(batches)
            tell(share)
        return file.close()


def _numbers(
    order: Order, host: Host, result: SimResult, smf: Written, ims: Written
) -> dict[str, Any]:
    return {
        "seconds": order.seconds,
        "interval_s": order.every_s,
        "intervals": result.intervals,
        "seed": order.seed,
        "sample_k": order.sample_k,
        "system": host.system,
        "ims": host.ims_id,
        "transactions": int(result.completed.sum()),
        "logged_transactions": len(result.transactions["sync"]),
        "smf_records": smf.records,
        "smf_bytes": smf.bytes,
        "ims_records": ims.records,
        "ims_bytes": ims.bytes,
    }


def _facts(numbers: Mapping[str, Any]) -> tuple[str, ...]:
    """For people."""
    return (
        "{seconds:g} s simulated in {intervals} intervals of {interval_s:g} s: "
        "{transactions:,} transactions, {logged_transactions:,} of them in the log".format(
            **numbers
        ),
        "SMF: {smf_records:,} records, {smf_bytes:,} bytes; "
        "IMS log: {ims_records:,} records, {ims_bytes:,} bytes".format(**numbers),
    )


# --- run.toml -------------------------------------------------------------------------------------

NOTE = (
    "Synthetic: computed by a model, not measured. The SMF records follow the published layouts; "
    "the bodies of the IMS log records are defined by this project."
)
LEVELS = "z/OS 2.4 lengths are written: those of z/OS 2.1 are not public"


def run_toml(
    scenario: Any, host: Host, order: Order, network: Network, files: list[Written]
) -> str:
    """What `load` shows of this run in run.config."""
    return "\n".join(
        line
        for name, values in _sections(scenario, host, order, network, files).items()
        for line in _section(name, values)
    )


def _sections(
    scenario: Any, host: Host, order: Order, network: Network, files: list[Written]
) -> dict[str, dict[str, Any]]:
    ends = ("before", "after")
    role = next((one for one in ends if scenario.variant.endswith(one)), "measurement")
    return {
        "": {
            "name": scenario.full_name,
            "role": role,
            "note": NOTE,
            "synthetic": True,
        },
        "scenario": {
            "name": scenario.name,
            "variant": scenario.variant,
            "title": scenario.title,
        },
        "settings": {
            key: {
                "value": knob.value,
                "unit": knob.unit,
                "source": f"{knob.confidence}: {knob.source}",
            }
            for key, knob in scenario.knobs.items()
        },
        "generator": {
            "seed": order.seed,
            "sample_k": order.sample_k,
            "form": order.form,
            "ims_profile": PROFILE,
        },
        "levels": {
            "zos_written": OS_LEVEL,
            "zos_measured": f"z/OS {scenario['system.zos']}",
            "note": LEVELS,
            "ims": host.ims_level,
        },
        "machine": {
            "type": f"{host.machine_type:04X}",
            "model": host.physical_model,
            "partition": host.partition,
            "cps": network.cpu.cps,
            "assumed": "all but the machine type; see the generator's hardware module",
        },
        "timezone": {host.system: host.zone},
        "interval": {
            "start_utc": f"{host.start_utc.astype('datetime64[s]')}Z",
            "seconds": order.seconds,
            "every_s": order.every_s,
        },
        "phases.warm_up": {"from_s": -WARM_UP_S, "to_s": 0, "recorded": False},
        "phases.steady": {"from_s": 0, "to_s": order.seconds, "recorded": True},
        "driver": {
            "kind": "open arrivals" if network.is_open else "closed, think time",
            "clients": network.clients,
            "think_us": network.think_us,
        },
        "files": {one.path.name: one.records for one in files},
        **group_sections(scenario, inventory_of(scenario, network)),
    }


def _section(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    if name:
        yield f"[{name}]"
    for key, value in values.items():
        yield f"{_key(key)} = {_value(value)}"
    yield ""


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
