"""run.toml: what was asked for, what the run assumed, and what its address spaces are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from imsperf.layouts.ims import PROFILE
from imsperf.synthetic import noise
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.inventory import inventory_of
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.order import Order, System
from imsperf.synthetic.run_facts import fact_sections
from imsperf.synthetic.run_parts import group_sections, made_section, part_sections, region_text
from imsperf.synthetic.scenarios.toml_text import toml_key, toml_value
from imsperf.synthetic.simulation.simulate import WARMUP_S
from imsperf.synthetic.smf.record_groups import OS_LEVEL
from imsperf.synthetic.writer import Written

NOTE = (
    "Synthetic: computed by a model, not measured. The SMF records follow the published layouts; "
    "the bodies of the IMS log records are defined by this project."
)
LEVELS = "z/OS 2.4 lengths are written: those of z/OS 2.1 are not public"


def run_toml(
    scenario: Any,
    host: Host,
    order: Order,
    network: Network,
    files: list[Written],
    others: Sequence[System] = (),
    made: Mapping[str, Any] | None = None,
) -> str:
    """What `load` shows of this run in run.config. `others`: the systems beside the first.

    `made`: what interval mode was asked for.
    """
    sections = _sections(scenario, host, order, network, files, made)
    for other in others:
        sections["timezone"][other.host.system] = other.host.zone
        for name, groups in group_sections(other.scenario, other.inventory).items():
            mine = sections[name]
            for group, jobs in groups.items():
                mine[group] = list(dict.fromkeys([*mine.get(group, []), *jobs]))
    if others:
        sections |= {
            f"systems.{system.system}": _system_section(system, its)
            for system, its in ((host, network), *((other.host, other.network) for other in others))
        }
    return "\n".join(line for name, section in sections.items() for line in _section(name, section))


def _system_section(host: Host, network: Network) -> dict[str, Any]:
    return {
        "ims": host.ims_id,
        "partition": host.partition,
        "cps": network.cpu.cps,
        "clients": network.clients,
        "think_us": network.think_us,
        "regions": region_text(network),
    }


def _sections(
    scenario: Any,
    host: Host,
    order: Order,
    network: Network,
    files: list[Written],
    made: Mapping[str, Any] | None,
) -> dict[str, dict[str, Any]]:
    first_s, seconds = (made or {}).get("from_s", 0), (made or {}).get("seconds", order.seconds)
    begin = host.start_utc + np.timedelta64(round(first_s * 1e6), "us")
    until, engine = first_s + seconds, "events" if made is None else "interval"
    asked = {} if made is None else made["asked"]
    ends = ("before", "after")
    role = next((end for end in ends if scenario.variant.endswith(end)), "measurement")
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
            **made_section(engine, asked),
            **_noise(scenario, order.seed),
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
            "start_utc": f"{begin.astype('datetime64[s]')}Z",
            "seconds": seconds,
            "every_s": order.every_s,
        },
        **_phases(order, first_s, until),
        "driver": {
            "kind": "open arrivals" if network.is_open else "closed, think time",
            "clients": network.clients,
            "think_us": network.think_us,
            **({"program": scenario["driver.kind"]} if "driver.kind" in scenario.knobs else {}),
        },
        **part_sections(scenario, network),
        **fact_sections(scenario, host, WARMUP_S, order.seconds),
        "files": {file.path.name: file.records for file in files},
        **group_sections(scenario, inventory_of(scenario, network)),
    }


def _phases(order: Order, begin: float, until: float) -> dict[str, dict[str, Any]]:
    """Seconds from the start of the whole run."""
    return {
        "phases.cold_start": {"at_s": -WARMUP_S, "log": "06"},
        "phases.ramp": {"from_s": -WARMUP_S, "to_s": 0, "recorded": False},
        "phases.switch_olds": {"at_s": [0, order.seconds], "log": "42"},
        "phases.checkpoint_statistics": {
            "from_s": begin, "every_s": order.every_s, "log": "40, 45"
        },
        "phases.steady": {"from_s": begin, "to_s": until, "recorded": True},
    }  # fmt: skip


def _noise(scenario: Any, seed: int) -> dict[str, Any]:
    """What this run has drawn, where there is noise between runs."""
    own = noise.factors(scenario, seed)
    drawn = {"noise_work_factor": own.work, "noise_pace_factor": own.pace}
    return {} if own == noise.Factors() else drawn


def _section(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    if name:
        yield f"[{name}]"
    for key, value in values.items():
        yield f"{toml_key(key)} = {toml_value(_value(value))}"
    yield ""


def _value(value: Any) -> Any:
    """0.524705 ms as microseconds is 524.705, not 524.7049999999999."""
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items()}
    return float(f"{value:.15g}") if isinstance(value, float) else value
