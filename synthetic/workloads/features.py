"""What address spaces use for a transaction, and what a feature adds to that (model.md 3.13).

A feature that was on where the costs were measured is in the cost table. So each function gives
the difference between the present settings and the scenario's defaults.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.logged import log_bytes
from imsperf.synthetic.workloads.mix import used

# 000 T34 at 250 bytes: the listed spaces take 13.67 of 17.5 us; the split among them is assumed
CREDENTIAL_LISTED = {"ims": 0.30, "ims_connect": 0.30, "region": 0.18}
CI = 4096  # bytes of a control interval
TRACE = "trace."
TRACES = ("DISP", "DLI", "DLOG", "FPTT", "IDC0", "LATC", "LOCK", "QMGR", "SCHD", "STRG")


@dataclass(frozen=True)
class Space:
    """A group of address spaces. Microseconds of one transaction, no growth, no fixed part."""

    name: str
    group: str  # empty: no column of the papers lists it
    us: float
    inside: float  # share within the IMS response
    region: float  # share while a region is held
    ziip: float  # share that may run on zIIPs
    schedule_us: float = 0.0  # for each schedule of a program

    @property
    def outside_us(self) -> float:
        """Before the response begins or after it ends."""
        return self.us * (1 - self.inside)

    @property
    def region_us(self) -> float:
        """While the region is held."""
        return self.us * self.region

    @property
    def ims_us(self) -> float:
        """Within the response, no region held."""
        return max(self.us * (self.inside - self.region), 0.0)


def applied(scenario: Scenario, spaces: Sequence[Space]) -> tuple[Space, ...]:
    """The measured spaces with what the settings change."""
    reference = defaults(scenario)
    added = [0.0] * len(spaces)
    for parts in (_credentials, _encryption, _security):
        now, before = parts(scenario, spaces), parts(reference, spaces)
        added = [a + n - b for a, n, b in zip(added, now, before, strict=True)]
    factor = trace_factor(scenario) / trace_factor(reference) * _acb(scenario) / _acb(reference)
    changed = []
    for space, more in zip(spaces, added, strict=True):
        own = factor * _jvm(scenario, space) / _jvm(reference, space)
        if space.group == "region":
            own *= code_factor(scenario) / code_factor(reference)
        own *= _passed(scenario, space) if _passed(reference, space) else 1.0
        us = (space.us + more) * own
        changed.append(replace(space, us=us, schedule_us=space.schedule_us * own))
    return tuple(changed)


def defaults(scenario: Scenario) -> Scenario:
    """The state in which the costs were measured: the scenario as its file has it.

    A table `measured_with` names knobs that had another value then.
    """
    knobs = {
        key: replace(knob, value=knob.default)
        for key, knob in scenario.knobs.items()
        if knob.value != knob.default and not knob.per
    }
    there = replace(scenario, knobs={**scenario.knobs, **knobs})
    if "measured_with" not in scenario.tables:
        return there
    return there.with_settings({r["knob"]: r["value"] for r in scenario.table("measured_with")})


# --- each gives microseconds by space ------------------------------------------------------------


def _credentials(scenario: Scenario, spaces: Sequence[Space]) -> list[float]:
    if "security.credential_bytes" not in scenario:
        return [0.0] * len(spaces)
    us = scenario["security.credential_bytes"] * scenario["security.credential_ns"] / 1000
    return _spread(us, CREDENTIAL_LISTED, spaces)


def _encryption(scenario: Scenario, spaces: Sequence[Space]) -> list[float]:
    if "encryption" not in scenario:
        return [0.0] * len(spaces)
    on = {part: encrypted(scenario, part) for part in ("wads", "olds", "dedb")}
    logs, blocks = (on["wads"] + on["olds"]) * log_bytes(scenario), on["dedb"] * _io_bytes(scenario)
    listed = {
        "ims": logs * scenario["encryption.log_ns"] / 1000,
        "region": blocks * scenario["encryption.dedb_ns"] / 1000,
        "ims_connect": any(on.values()) * scenario["encryption.unexplained_us"],
    }
    others = _spread(any(on.values()) * scenario["encryption.others_us"], {}, spaces)
    return [us + more for us, more in zip(_by_group(listed, spaces), others, strict=True)]


def _io_bytes(scenario: Scenario) -> float:
    """Bytes of databases that the mean transaction reads and writes on disk."""
    rows = used(scenario)
    ios = sum(row["weight"] * (row["reads"] + row["writes"]) for row in rows)
    return float(ios / sum(row["weight"] for row in rows) * scenario["dasd.io_per_access"] * CI)


def encrypted(scenario: Scenario, part: str) -> bool:
    """Whether wads, olds or dedb is encrypted."""
    own = scenario[f"encryption.{part}"]
    return bool((scenario["encryption"] if own == "as_all" else own) == "on")


def _security(scenario: Scenario, spaces: Sequence[Space]) -> list[float]:
    if "otma.security" not in scenario:
        return [0.0] * len(spaces)
    level = scenario["otma.security"]
    us = {
        "ims": scenario["security.check_us"] if level != "none" else 0.0,
        "region": scenario["security.full_us"] if level == "full" else 0.0,
    }
    return _by_group(us, spaces)


def _by_group(us: dict[str, float], spaces: Sequence[Space]) -> list[float]:
    """To the first space of each group."""
    added = [0.0] * len(spaces)
    for group, more in us.items():
        place = next((k for k, space in enumerate(spaces) if space.group == group), 0)
        added[place] += more
    return added


def _spread(us: float, listed: dict[str, float], spaces: Sequence[Space]) -> list[float]:
    """Shares of listed groups, the rest in proportion to the CPU of what is not listed."""
    present = {space.group for space in spaces}
    shares = {group: share for group, share in listed.items() if group in present}
    total = sum(listed.values())
    scale = total / sum(shares.values()) if shares else 0.0
    added = _by_group({g: us * share * scale for g, share in shares.items()}, spaces)
    others = [0.0 if space.group else space.us for space in spaces]
    rest = us - sum(added)
    weights = others if sum(others) > 0 else [space.us for space in spaces]
    return [a + rest * w / sum(weights) for a, w in zip(added, weights, strict=True)]


# --- factors -------------------------------------------------------------------------------------


def _jvm(scenario: Scenario, space: Space) -> float:
    """A 64-bit JVM makes the Java regions dearer."""
    if "jvm.bits" not in scenario or space.group != "region":
        return 1.0
    return float(scenario["jvm.factor_64"]) if scenario["jvm.bits"] == "64" else 1.0


def compile_s(scenario: Scenario) -> float:
    """CPU to compile the programs, seconds; 0 where nothing is compiled."""
    if scenario.get("cobol.compile", "off") == "off":
        return 0.0
    rows = scenario.table("compilers")
    found = next(row for row in rows if row["version"] == scenario["cobol.version"])
    return float(found["compile_s"])


def code_factor(scenario: Scenario) -> float:
    """CPU of COBOL regions against that with code of COBOL 4.2: compiler, ARCH, OPTIMIZE."""
    if "cobol.version" not in scenario:
        return 1.0
    rows, options = scenario.table("compilers"), scenario.table("compiler_options")
    compiler = next(row for row in rows if row["version"] == scenario["cobol.version"])
    code, least = compiler["code"], compiler["arch"]
    if least:
        factors = {(row["option"], row["level"]): row["code"] for row in options}
        given = scenario["cobol.arch"]
        level = least if given == "default" else max(int(given), least)
        code *= factors["arch", level] / factors["arch", least]
        code *= factors["optimize", int(scenario["cobol.optimize"])]
    share = scenario["cobol.code_share"]
    return float(1 - share + share * code)


def _passed(scenario: Scenario, space: Space) -> float:
    """IMS Connect has no work where messages come through SNA."""
    return float(space.group != "ims_connect" or scenario.get("driver.transport", "") != "sna")


def _acb(scenario: Scenario) -> float:
    """ACBs managed by IMS: a difference within the noise, whose size for a workload is lost."""
    if "acb.managed_cpu_pct" not in scenario or scenario["ims.managed_acb"] == "off":
        return 1.0
    return 1 + float(scenario["acb.managed_cpu_pct"]) / 100


def trace_factor(scenario: Scenario) -> float:
    """CPU with the table traces that are on against CPU without any.

    Each trace o_i loses a share of ITR; together (sum o_i^p)^(1/p), since they share work.
    """
    if "trace.ALL" not in scenario or "trace_costs" not in scenario.tables:
        return 1.0
    losses = {row["trace"]: row for row in scenario.table("trace_costs")}
    p = float(scenario["trace.exponent"])
    total = 0.0
    for name in TRACES:
        where = _destination(scenario, name)
        if where != "off" and name in losses:
            total += _loss(scenario, losses[name], where) ** p
    return float(1 / (1 - min(total ** (1 / p) / 100, 0.95)))


def external(scenario: Scenario) -> tuple[str, ...]:
    """The table traces that go to data sets."""
    if "trace.ALL" not in scenario:
        return ()
    return tuple(name for name in TRACES if _destination(scenario, name) == "external")


def _destination(scenario: Scenario, name: str) -> str:
    """Its own setting, or that of all traces."""
    own = str(scenario[TRACE + name])
    return own if own != "off" else str(scenario["trace.ALL"])


def _loss(scenario: Scenario, row: dict[str, float], where: str) -> float:
    """Per cent of ITR that one trace loses."""
    level = scenario["trace.volume"]
    factor = 1.0 if level == "medium" else float(scenario[f"trace.{level}_factor"])
    target = scenario["trace.target"]
    if where == "external" and target != "dasd":
        factor *= float(scenario[f"trace.{target}_factor"])
    return row[f"{scenario['workload.kind']}_{where}"] * factor


def kept_threads(scenario: Scenario) -> int:
    """Threads to Db2 that are there all the time: of each region, one, or those of its pool."""
    regions = sum(scenario[key] for key in ("regions.ifp", "regions.mpp"))
    if scenario.get("esaf.pooling", "off") == "off":
        return int(regions)
    plans = sum(row["weight"] > 0 for row in scenario.table("transactions"))
    return int(
        regions * min(scenario["esaf.pool_limit"], plans * scenario["esaf.authorization_ids"])
    )
