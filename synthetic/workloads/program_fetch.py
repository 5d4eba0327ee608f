"""Where the program objects of a schedule are found, and what it costs to get them (004).

They are searched in the job pack area (preloaded modules), then in VLF, where LLA manages the
library and the object has at most two segments (deferred ones: with APAR OA45127), then in the PDSE
hiperspace, last on disk. A library of a PDSE is eligible for the hiperspace with MSR 1 where SMS
manages it, else in LNKLST.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import Libraries, LibraryReads
from imsperf.synthetic.scenarios.scenario import Scenario

MOST_SEGMENTS = 2  # of an object that LLA can hold in VLF
PAGE_KB = 4
PROGRAM = "PROGRAM"  # of each transaction its own
FAULT_READS = 4  # a page fault reads so much less at once
LOAD_LIBRARY = "IMSPERF.COBOL.LOADLIB"  # PDS


@dataclass(frozen=True)
class Fetch:
    """Of one schedule: CPU in us, and what is read from each library."""

    cpu_us: float
    io_us: float = 0.0
    reads: tuple[LibraryReads, ...] = ()


def fetch(scenario: Scenario) -> Fetch:
    """What loading costs; one number where a scenario has no table of program objects."""
    if "program_objects" not in scenario.tables:
        off = scenario["sched.preload"] == "off"
        return Fetch(float(scenario["sched.load_us"]) if off else 0.0)
    cpu, reads = 0.0, dict[str, LibraryReads]()
    for one in _objects(scenario):
        us, read = _cost(scenario, one)
        cpu += us
        if read is not None:
            reads[read.data_set] = reads[read.data_set] + read if read.data_set in reads else read
    io_us = scenario["fetch.io_ms"] * 1000 * sum(read.ios for read in reads.values())
    return Fetch(cpu, io_us, tuple(reads.values()))


def libraries(scenario: Scenario) -> Libraries | None:
    """The program libraries of a scenario and their buffers, as the network has them."""
    if "program_objects" not in scenario.tables:
        return None
    return Libraries(
        reads=fetch(scenario).reads,
        io_us=scenario["fetch.io_ms"] * 1000,
        hsp_mb=scenario["pdse.hsp_mb"],
        held_kb=held_kb(scenario),
        bmf_s=scenario["pdse.bmf_s"],
        lru_s=scenario["pdse.lru_s"],
        lru_cycles=scenario["pdse.lru_cycles"],
    )


def _objects(scenario: Scenario) -> Iterator[dict[str, Any]]:
    """Those of the compiler's version; the program with what the knobs say of it."""
    version = scenario["cobol.version"]
    wanted = {"any", version} | ({"5"} if version != "4.2" else set())
    pds = scenario["cobol.library"] == "pds"
    if pds and version != "4.2":
        raise ScenarioError(
            f"cobol.library: found pds, expected pdse with COBOL {version}",
            "program objects of COBOL 5 and later need a PDSE",
        )
    for row in scenario.table("program_objects"):
        if row["language"] not in wanted:
            continue
        mine = row["object"] == PROGRAM
        library = LOAD_LIBRARY if mine and pds else row["library"]
        rmode = scenario["cobol.rmode"] if mine else row["rmode"]
        apart = mine and scenario["cobol.mixed"] == "on" and rmode != "24"
        yield row | {"library": library, "mine": mine, "segments": 1 + row["deferred"] + apart}


def _cost(scenario: Scenario, one: dict[str, Any]) -> tuple[float, LibraryReads | None]:
    """CPU of one object, and what is read for it, where a library is."""
    if one["object"] in preloaded(scenario):
        return _us(scenario, "jpa", one, 0.0)[0], None
    managed = not one["mine"] or scenario["lla.managed"] == "on"
    pdse = one["library"] != LOAD_LIBRARY
    takes = not one["deferred"] or scenario["lla.apar"] == "on"
    if managed and (not pdse or (one["segments"] <= MOST_SEGMENTS and takes)):
        return _us(scenario, "vlf", one, 0.0)[0], None
    share = held_share(scenario) if pdse and eligible(scenario, one["library"]) else 0.0
    far, ios, kb = _us(scenario, "dasd", one, 0.0 if managed or pdse else 1.0)
    near, _, _ = _us(scenario, "hiperspace", one, 0.0)
    pages = kb / PAGE_KB if pdse else 0.0
    read = LibraryReads(
        one["library"],
        storage_class=storage_class(scenario, one["library"]),
        is_pdse=pdse,
        ios=ios * (1 - share),
        read_kb=kb * (1 - share),
        pages=pages,
        found=pages * share,
        directory_pages=0.0 if managed or not pdse else scenario["fetch.directory_pages"],
    )
    return share * near + (1 - share) * far, read


def preloaded(scenario: Scenario) -> list[str]:
    """Modules that DFSMPLxx keeps: those before a blank in its list."""
    if scenario["sched.preload"] == "off":
        return []
    names = [row["module"] for row in scenario.table("preload")]
    return names[: scenario["preload.blank_after"] or len(names)]


def _us(
    scenario: Scenario, place: str, one: dict[str, Any], more_ios: float
) -> tuple[float, float, float]:
    """CPU, I/Os and KB of one object at a place."""
    row = next(row for row in scenario.table("fetch_places") if row["place"] == place)
    kb, at_once, faults = float(one["kb"]), float(row["kb_per_io"]), 0.0
    if one["mine"] and scenario["binder.fetchopt"] == "nopack-noprime" and place != "jpa":
        kb, at_once = kb * scenario["fetch.touched"], at_once / FAULT_READS
        faults = kb / PAGE_KB * scenario["fetch.fault_us"]
    ios = kb / at_once + more_ios
    us = row["cpu_us"] + kb * row["us_per_kb"] + ios * row["us_per_io"] + faults
    return float(us), ios, kb


# --- the hiperspace -------------------------------------------------------------------------------


def library(scenario: Scenario, data_set: str) -> dict[str, Any]:
    """The row of a library; of the application's the knobs say what SMS and LNKLST do with it."""
    rows = scenario.table("libraries")
    row = next((row for row in rows if row["data_set"] == data_set), None)
    if row is None:
        return {"data_set": data_set, "sms": "no", "lnklst": "no", "storage_class": "", "msr": 999}
    if data_set not in _application(scenario):
        return row | {"msr": 1}
    sms, linked = (scenario[f"pdse.{name}"] == "on" for name in ("sms", "lnklst"))
    return row | {
        "sms": "yes" if sms else "no",
        "lnklst": "yes" if linked else "no",
        "storage_class": row["storage_class"] if sms else "",
        "msr": scenario["pdse.msr"],
    }


def _application(scenario: Scenario) -> set[str]:
    rows = scenario.table("program_objects")
    return {row["library"] for row in rows if row["object"] == PROGRAM}


def storage_class(scenario: Scenario, data_set: str) -> str:
    """Of a library; empty where SMS does not manage it."""
    return str(library(scenario, data_set)["storage_class"])


def always(scenario: Scenario, data_set: str) -> bool:
    """Whether its members are always held: SMS-managed with MSR 1."""
    row = library(scenario, data_set)
    return bool(row["sms"] == "yes" and row["msr"] == 1)


def eligible(scenario: Scenario, data_set: str) -> bool:
    """Whether the hiperspace takes its members."""
    row = library(scenario, data_set)
    linked = row["sms"] == "no" and row["lnklst"] == "yes"
    return scenario["pdse.hsp_mb"] > 0 and (always(scenario, data_set) or linked)


def held_kb(scenario: Scenario) -> float:
    """KB of programs that the hiperspace would hold if there were room: one for each code."""
    mine = sum(one["kb"] for one in _objects(scenario) if one["mine"])
    return float(mine * len(scenario.table("transactions")))


def held_share(scenario: Scenario) -> float:
    """Of the programs, what finds room in the hiperspace; all are used alike."""
    return min(1.0, float(scenario["pdse.hsp_mb"]) * 1024 / held_kb(scenario))
