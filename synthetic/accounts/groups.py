"""What run.toml says of the address spaces: which belong to a group, a report class, a name.

run.metrics reads it: without these sections it knows groups by program only, and SCI, OM, IRLM,
ODBM and z/OS Connect run programs that others run too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.accounts.storage_accounts import KINDS

MOST_NAMED = 8  # address spaces that are listed one by one
SHORTEST = 3  # characters before the `*` of a pattern
USUAL = {"IMS": "ims", "ICON": "ims_connect", "IFP": "region"}  # rows of a table without groups
COSTS = "cpu_by_space"

Sections = dict[str, dict[str, list[str]]]


def group_sections(scenario: Any, inventory: Inventory) -> Sections:
    """Sections address_spaces, report_classes and storage of run.toml: names of each group."""
    groups = _groups(scenario)
    spaces = list(zip(inventory.spaces, inventory.rows, strict=True))
    of_group: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    of_class: dict[str, set[str]] = defaultdict(set)
    for space, row in spaces:
        group = groups.get(row, "")
        of_class[space.report_class].add(group)
        if group:
            of_group[group][space.program].append(space.job)
    classes: dict[str, list[str]] = defaultdict(list)
    for name, found in of_class.items():
        if len(found) == 1 and "" not in found:
            classes[found.pop()].append(name)
    return {
        "address_spaces": {
            group: [one for jobs in programs.values() for one in _patterns(jobs)]
            for group, programs in of_group.items()
        },
        "report_classes": dict(classes),
        "storage": dict(_named(inventory)),
    }


def _groups(scenario: Any) -> Mapping[str, str]:
    """Group of each row of the cost table."""
    if COSTS not in scenario.tables:
        return USUAL
    rows = scenario.table(COSTS)
    return {row["space"]: row.get("group", USUAL.get(row["space"], "")) for row in rows}


def _patterns(jobs: list[str]) -> list[str]:
    """The names, or what many of them begin with."""
    least, most = min(jobs), max(jobs)
    same = (n for n, (a, b) in enumerate(zip(least, most, strict=False)) if a != b)
    first = least[: next(same, len(least))]
    return jobs if len(jobs) <= MOST_NAMED or len(first) < SHORTEST else [f"{first}*"]


def _named(inventory: Inventory) -> Iterator[tuple[str, list[str]]]:
    """The address spaces whose storage type 78.2 holds, as storage_accounts names them."""
    for name in ("control", "dli"):
        job = next((one.job for one in inventory.spaces if KINDS[name](one)), None)
        if job:
            yield name, [job]
