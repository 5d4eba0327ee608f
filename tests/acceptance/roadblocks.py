"""docs/roadblocks.md: each change of the 100K benchmark in a column of a report, before and after.

`python tests roadblocks` runs both variants of each, and writes the table; a test compares it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from places import CHECKOUT

import imsperf
from imsperf.api import load, run_report
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

DOCUMENT = CHECKOUT / "docs" / "roadblocks.md"
BEGIN, END = "<!-- written by `python tests roadblocks` -->\n", "<!-- end -->\n"
SECONDS, SAMPLE = 3.0, 1000
CONTENTIONS = "max(contentions_per_s)"


@dataclass(frozen=True)
class Sign:
    """What changes: an aggregate over rows of a report, in words and as SQL; digits to print."""

    change: str  # variants CHANGE-before and CHANGE-after
    report: str
    words: str
    value: str
    where: str = "true"
    digits: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)  # of both

    def read(self, folder: Path, state: str) -> str:
        """The value in the report of that state; `-` where no row has it."""
        db = database(folder, f"tps-100k@{self.change}-{state}", tuple(self.settings.items()))
        with imsperf.connect(db) as store:
            store.con.register("rows", run_report(store, self.report, total=True).table)
            sql = f"SELECT {self.value} FROM rows WHERE {self.where}"
            ((value,),) = store.con.execute(sql).fetchall()
        return "-" if value is None else f"{value:,.{self.digits}f}"


def metric(name: str) -> str:
    """Rows of run.metrics with one metric."""
    return f"metric = '{name}'"


SIGNS = (
    Sign("bc1", "ims.latches", "contentions_per_s of LOGL", CONTENTIONS, "latch = 'LOGL'"),
    Sign("bc1", "run.metrics", "value of ims_cpu_us_per_tran, us", "max(value)",
         metric("ims_cpu_us_per_tran"), 2),
    Sign("bc2", "ims.latches", "contentions_per_s of LOCL, the local lock", CONTENTIONS,
         "latch = 'LOCL'"),
    Sign("bc2", "run.metrics", "value of etr_per_s", "max(value)", metric("etr_per_s")),
    Sign("bc3", "run.metrics", "value of ims_cpu_us_per_tran, us", "max(value)",
         metric("ims_cpu_us_per_tran"), 2),
    Sign("rb1", "run.metrics", "value of etr_per_s", "max(value)", metric("etr_per_s")),
    Sign("rb1", "rmf.xcf_member", "sent_per_s, most of a port of IMS Connect", "max(sent_per_s)",
         "member LIKE '%P_'"),
    Sign("rb2", "ims.latches", "contentions_per_s of LUBT", CONTENTIONS, "latch = 'LUBT'"),
    Sign("rb2", "ims.latches", "contentions_per_s of CBTS", CONTENTIONS, "latch = 'CBTS'"),
    Sign("rb3", "run.metrics", "value of ims_cpu_us_per_tran, us", "max(value)",
         metric("ims_cpu_us_per_tran"), 2),
    Sign("rb4", "run.metrics", "value of cpu_us_per_tran, us", "max(value)",
         metric("cpu_us_per_tran"), 2),
    Sign("rb4", "run.metrics", "value of etr_per_s", "max(value)", metric("etr_per_s"), 0,
         {"cpu.gcps": 8}),
    Sign("rb5", "ims.latches", "contentions_per_s of LOGL", CONTENTIONS, "latch = 'LOGL'"),
    Sign("rb5", "ims.latches", "contentions_per_s of LREC", CONTENTIONS, "latch = 'LREC'"),
    Sign("rb6", "run.metrics", "value of etr_per_s", "max(value)", metric("etr_per_s")),
    Sign("rb6", "ims.logger", "per_transaction of Waits for writes", "max(per_transaction)",
         "label = 'Waits for writes'", 2),
    Sign("rb7", "ims.control_blocks", "from_queue_per_transaction of OTMA",
         "max(from_queue_per_transaction)", "caller = 'OTMA'", 2, {"awe.blocks": 80}),
    Sign("rb7", "run.metrics", "value of etr_per_s", "max(value)", metric("etr_per_s"), 0,
         {"awe.blocks": 80}),
    Sign("rb8", "ims.fixed_pools", "avg_blocks, all pools", "sum(avg_blocks)"),
    Sign("rb8", "run.metrics", "value of cpu_us_per_tran, us", "max(value)",
         metric("cpu_us_per_tran"), 2),
    Sign("rb9", "rmf.device", "resp_ms, mean of the database volumes", "avg(resp_ms)",
         "volume LIKE 'S60%'", 3),
    Sign("rb9", "rmf.device", "cmr_ms, mean of the database volumes", "avg(cmr_ms)",
         "volume LIKE 'S60%'", 3),
)  # fmt: skip


@cache
def database(folder: Path, name: str, settings: tuple[tuple[str, Any], ...]) -> Path:
    """A short run of a variant, generated and loaded."""
    here = folder / f"{name}-{len(settings)}"
    asked = scenario.load(name, dict(settings))
    generate(asked, here / "run", seed=1, seconds=SECONDS, sample_k=SAMPLE)
    load([here / "run"], db=here / "run.duckdb", run="run", strict=True)
    return here / "run.duckdb"


def rows(folder: Path) -> Iterator[str]:
    """The table: a line for each sign."""
    yield "| change | with | report | column | before | after |"
    yield "|---|---|---|---|---:|---:|"
    for sign in SIGNS:
        at = ", ".join(f"`{key}={value}`" for key, value in sign.settings.items())
        values = [sign.read(folder, state) for state in ("before", "after")]
        cells = [f"`{sign.change}`", at, f"`{sign.report}`", sign.words, *values]
        yield f"| {' | '.join(cells)} |"


def written() -> list[str]:
    """The lines of the table in the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    return text.split(BEGIN)[1].split(END)[0].splitlines()


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        table = "".join(f"{line}\n" for line in rows(Path(temporary)))
    head, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    DOCUMENT.write_text(head + BEGIN + table + END + rest.split(END)[1], encoding="utf-8")
