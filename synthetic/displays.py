"""Displays and members that a run has beside its dumps, as text: what a system would show.

The displays are from before the load begins: no message has come, no program is scheduled. What a
scenario has no table or knobs for is not written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from imsperf.synthetic.accounts.definitions import Definitions, definitions_of
from imsperf.synthetic.workloads.program_fetch import always, eligible, preloaded
from imsperf.synthetic.writer import write_text

TRAN = ("TRAN", "CLS", "ENQCT", "QCT", "LCT", "PLCT", "CP", "NP", "LP", "SEGSZ", "SEGNO", "PARLM",
        "RC")  # fmt: skip
WIDTHS = (8, 3, 5, 3, 5, 5, 2, 2, 2, 5, 5, 5, 2)
HSP = "IGW048I PDSE HSPSTATS Start of Report(SMSPDSE1) 985"
LINE = 71  # columns of a member or of JCL
POOL = "pools."


def write_displays(folder: Path, scenario: Any) -> list[str]:
    """Write the texts of a scenario into a folder; their names."""
    texts = dict(displays(scenario))
    for name, lines in texts.items():
        write_text(folder / name, "\n".join([*lines, ""]))
    return list(texts)


def displays(scenario: Any) -> Iterator[tuple[str, list[str]]]:
    """Names and lines."""
    if "dis_tran" in scenario.tables:
        yield "dis_tran.txt", list(_dis_tran(definitions_of(scenario)))
    if "sms_options" in scenario.tables:
        yield "sms_options.txt", list(_sms_options(scenario))
        yield "hspstats.txt", list(_hspstats(scenario))
    if "region_parameters" in scenario.tables:
        yield "DFSMPR.jcl", list(_procedure(scenario))
        if scenario["sched.preload"] == "on":
            yield "DFSMPL00", _preload(scenario)
        if scenario["sched.preinit"] == "on":
            yield "DFSINTM1", ["CEELRRIN"]
    pools = [key for key, knob in scenario.knobs.items() if knob.unit == "FPL"]
    if pools:
        yield "DFSSPM00", [f"FPL={key.removeprefix(POOL)},{scenario[key]}" for key in pools]


def _dis_tran(definitions: Definitions) -> Iterator[str]:
    yield _row(TRAN)
    for one in definitions.transactions:
        priorities = one.current_priority, one.normal_priority, one.limit_priority
        limits = one.segment_size, one.segment_number, one.parallel_limit
        counts = one.message_class, 0, 0, one.limit_count, one.processing_limit
        yield _row((one.code, *counts, *priorities, *limits, 0))


def _row(values: tuple[Any, ...]) -> str:
    first, *others = zip(values, WIDTHS, strict=True)
    return " ".join([f"{first[0]:<{first[1]}}", *(f"{v:>{width}}" for v, width in others)])


def _sms_options(scenario: Any) -> Iterator[str]:
    """The first four options in lines of their own, then two a line."""
    ours = {
        "HSP_SIZE": f"{scenario['pdse.hsp_mb']}MB",
        "BMFTIME": scenario["pdse.bmf_s"],
        "LRUTIME": scenario["pdse.lru_s"],
        "LRUCYCLES": scenario["pdse.lru_cycles"],
    }
    known = {f"{kind}_{name}": value for kind in ("PDSE", "PDSE1") for name, value in ours.items()}
    rows = scenario.table("sms_options")
    shown = [f"{row['option']} = {known.get(row['option'], row['value'])}" for row in rows]
    yield from ("D SMS,OPTIONS", "", "IGD002I 09:25:55 DISPLAY SMS 270", *shown[:4])
    for first, second in zip(shown[4::2], shown[5::2], strict=True):
        yield f"{first:<29}{second}"


def _hspstats(scenario: Any) -> Iterator[str]:
    yield from ("D SMS,PDSE1,HSPSTATS", HSP, f"HiperSpace Size: {scenario['pdse.hsp_mb']} MB")
    yield "LRUtime : {} Seconds  LRUcycles: {} Cycles".format(
        scenario["pdse.lru_s"], scenario["pdse.lru_cycles"]
    )
    yield f"BMF Time interval {scenario['pdse.bmf_s']} Seconds"
    yield "-----data set name-----Cache--Always-DoNot"
    yield " " * 32 + "Elig---Cache--Cache"
    for row in scenario.table("libraries"):
        name = row["data_set"]
        held = eligible(scenario, name)
        marks = held, held and always(scenario, name), False
        yield f"{name:<32}" + "      ".join("NY"[mark] for mark in marks)
    yield "PDSE HSPSTATS End of Report(SMSPDSE1)"


def _procedure(scenario: Any) -> Iterator[str]:
    """Parameters of the procedure, as many in a line as there is room for."""
    own: Mapping[str, str] = {
        "PREINIT": "M1" if scenario["sched.preinit"] == "on" else "",
        "PRLD": "00" if scenario["sched.preload"] == "on" else "",
        "PWFI": "Y" if scenario["sched.wfi"] == "on" else "N",
    }
    rows = scenario.table("region_parameters")
    given = [f"{row['parameter']}={own.get(row['parameter'], row['value'])}" for row in rows]
    return _wrapped("//         PROC ", "//         ", given)


def _wrapped(first: str, others: str, words: list[str]) -> Iterator[str]:
    """Words with commas between them, in lines that begin so; a line ends with its comma."""
    line = first + words[0]
    for word in words[1:]:
        if len(line) + len(word) + 2 > LINE:
            yield line + ","
            line = others + word
        else:
            line += "," + word
    yield line


def _preload(scenario: Any) -> list[str]:
    """The member in lines of up to five modules; a blank behind a comma ends its list."""
    names = [row["module"] for row in scenario.table("preload")]
    read = len(preloaded(scenario))
    words = [" " * (0 < read < len(names) and n == read) + name for n, name in enumerate(names)]
    return list(_wrapped("", "", words)) if read == len(names) else [",".join(words)]
