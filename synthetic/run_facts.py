"""run.toml: what the documents say of a system besides what is simulated (run_facts.toml)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from imsperf.synthetic.accounts.hardware import Host

Sections = dict[str, dict[str, Any]]
PAPER = "3906"  # machine of 000, whose levels and procedure are known


@cache
def facts() -> Mapping[str, Any]:
    """The file as it is."""
    text = (files("imsperf.synthetic") / "run_facts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def offset_s(step: str, ramp_s: float, seconds: float) -> float:
    """When a step of the procedure is, seconds from the start of the run.

    The ramp goes before it, from the cold start on.
    """
    _, since, number, _ = facts()["procedure"][step]
    if since == "ramp":
        return float(ramp_s * (number - 1))
    return float(number + {"ims": -ramp_s, "start": 0.0, "end": seconds}[since])


def fact_sections(scenario: Any, host: Host, ramp_s: float, seconds: float) -> Sections:
    """Sections machine_profile, products, procedure, log_definition, acb_activation, pool_roles,
    esaf_parameters, scope and partitions, as far as they are known of the scenario."""
    known, sections = facts(), Sections()
    machine = f"{host.machine_type:04X}"
    for name, (value, unit) in known["machine"].get(machine, {}).items():
        row = {"value": value, "unit": unit, "source": "000 3.1.1"}
        sections.setdefault("machine_profile", {})[name] = row
    if machine == PAPER:
        sections["products"] = _plain(known["levels"], "000 3.2, T17; stated, not measured")
    if "ims.id" in scenario:
        sections["procedure"] = {
            step: {
                "value": what,
                "unit": "",
                "source": f"records {shown}" if shown else "no record",
            }
            for step, (what, _, _, shown) in known["procedure"].items()
        }
        sections["procedure_at"] = {
            step: {
                "value": offset_s(step, ramp_s, seconds),
                "unit": "s",
                "source": "offset assumed",
            }
            for step in known["procedure"]
        }
    if scenario.get("log.wads.ci_bytes", 0) == 4096:
        sections["log_definition"] = _plain(known["logger"], "000 7.3.1")
    if scenario.get("ims.managed_acb", "off") == "on":
        sections["acb_activation"] = {
            f"{way}.{n}": {"value": step, "source": "000 7.2; writes no known record"}
            for way, steps in known["acb_activation"].items()
            for n, step in enumerate(steps, 1)
        }
    if "pools" in scenario.tables or any(key.startswith("pools.") for key in scenario.knobs):
        sections["pool_roles"] = {
            pool: {"value": f"{kind}: {use}", "source": "002, storage pool tuning"}
            for pool, (kind, use) in known["pools"].items()
        }
    if "esaf.pooling" in scenario:
        pooled = scenario["esaf.pooling"] == "on"
        own = {"ESMT": "DSNMIN20" if pooled else "DSNMIN10"}
        limit = {"connections_of_a_region": scenario["esaf.pool_limit"]} if pooled else {}
        sections["esaf_parameters"] = _plain(own | limit | known["esaf"], "000 8.4")
    scope = known["scope"].get(scenario.variant.partition("-")[0])
    if scope is not None and scenario.name == "tps-100k":
        sections["scope"] = _plain({"change": scope}, "002 conclusion; which is which: inferred")
    if "lpars" in scenario.tables:
        sections["partitions"] = {
            row["lpar"]: {"value": row["role"], "unit": f"{row['gcps']} CPs", "source": "lpars"}
            for row in scenario.table("lpars")
        }
    return sections


def _plain(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    return {key: {"value": value, "source": source} for key, value in values.items()}
