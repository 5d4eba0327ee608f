"""`compare` on generated runs with a fault: what the table of docs/compare.md says of a seed."""

from __future__ import annotations

import pytest
from compare_matrix import DOCUMENT, Outcome, added, document, line, outcome, outcomes
from test_comparison_summary import comparison, row

from imsperf.synthetic.interval_mode.faults import CATALOGUE

TABLE = DOCUMENT.read_text(encoding="utf-8")
TRUTH = {"report": "rmf.device", "key": "device=09001", "column": "resp_ms"}


def test_a_root_row_counts_by_report_key_and_column() -> None:
    """The group of the volume is the second; another column of it is no root row."""
    cpu = row("rmf.cpu", "system=SYSA,type=CP", "mvs_busy_pct", "differs")
    slow = row("rmf.device", "system=SYSA,device=09001", "resp_ms", "worse")
    told = outcome(comparison(cpu, slow), TRUTH)
    assert told == Outcome(
        "`rmf.device` resp_ms", ("`rmf.cpu` mvs_busy_pct", "`rmf.device` resp_ms"), 2
    )
    for other in (slow | {"column": "conn_ms"}, slow | {"key": "system=SYSA,device=09002"}):
        assert outcome(comparison(cpu, other), TRUTH).place == 0


def test_a_count_is_told_by_its_rates() -> None:
    """`count` of ims.logger is compared by the second and by the transaction."""
    waits = row("ims.logger", "system=SYSA,ims=IMSA,counter=bufwait", "per_transaction", "differs")
    truth = {"report": "ims.logger", "key": "ims=IMSA,counter=bufwait", "column": "count"}
    assert outcome(comparison(waits), truth).place == 1
    assert outcome(comparison(waits | {"key": "system=SYSA,ims=IMSA"}), truth).place == 0


def test_a_line_counts_seeds() -> None:
    told = [Outcome("`a` x", ("`b` y",), place) for place in (1, 3, 0)]
    assert line("slow", told) == "| `slow` | `a` x | `b` y | 1 | 0 | 1 | 2 of 3 |\n"
    more = [Outcome("`a` x", ("`c` z",), place) for place in (1, 2)]
    assert added(line("slow", told), more) == "| `slow` | `a` x | `b` y | 2 | 1 | 1 | 4 of 5 |\n"
    assert document([]).split("<!-- end of faults -->")[1]


@pytest.mark.slow
@pytest.mark.parametrize("fault", [fault for fault in CATALOGUE if f"| `{fault}` |" in TABLE])
def test_seed_1_is_as_the_document_says(fault: str) -> None:
    ((_, told),) = outcomes(1, [fault])
    begin = line(fault, [told]).split(" | ")[:3]
    assert " | ".join(begin) in TABLE
