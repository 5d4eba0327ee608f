"""Files that people write, as editors of Windows save them: a byte order mark before the text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from imsperf.errors import ReportError
from imsperf.loading.notes import run_config_rows
from imsperf.reports.application_map import _lines as lines_of
from imsperf.reports.catalog import with_own
from imsperf.reports.findings.findings import findings
from imsperf.reports.in_memory import in_memory
from imsperf.synthetic.interval_mode.load_profile import load_profile
from imsperf.synthetic.measurements import read_csv
from imsperf.synthetic.scenarios.scenario import load
from imsperf.user_layouts.layout_file import read

REPORT = """/* imsperf report
id = "my.runs"
title = "Runs"
answers = "Which runs?"
key = ["run"]
*/
SELECT run -- Run
FROM load_file
"""
LAYOUT = """[[record]]
kind = "smf"
type = 201
[[record.section]]
table = "runs"
triplet = 24
length = 4
fields = [{offset = 0, name = "a", kind = "u4"}]
"""
PROFILE = "weekday = [2, 1, 1, 1, 1, 1, 1]"
MAP = "pattern,application\nPAY*,payments\n"


def of_site(file: Path) -> list[str]:
    """A rule that no site may change is refused by its name; an unread mark, as no TOML."""
    with in_memory() as con, pytest.raises(ReportError) as refused:
        findings(con, site=file, rules=())
    return refused.value.message.split("'")[1::2]


FILES: dict[str, tuple[str, Callable[[Path], object], object]] = {
    "runs.sql": (REPORT, lambda file: with_own(file.parent)[0].get("my.runs").title, "Runs"),
    "runs.toml": (
        LAYOUT,
        lambda file: [one.key for one in read([file.parent]).records],
        [("smf", 201, None)],
    ),
    "mine.toml": ('extends = "jmp"\ntitle = "Runs"', lambda file: load(file).title, "Runs"),
    "run.toml": ('name = "Runs"', lambda file: run_config_rows("r", file)[0]["value"], "Runs"),
    "site.toml": ("[runs]\ntimes = 4", of_site, ["runs"]),
    "week.toml": (PROFILE, lambda file: load_profile(file).weekday[0], 2),
    "seen.csv": ("case,etr_per_s\nRuns,1\n", lambda file: read_csv(file)[0]["case"], "Runs"),
    "map.csv": (MAP, lambda file: lines_of(file)["pattern"].to_pylist(), ["PAY*"]),
}


@pytest.mark.parametrize("name", FILES)
def test_a_byte_order_mark_is_no_text(name: str, tmp_path: Path) -> None:
    text, read_file, expected = FILES[name]
    (tmp_path / name).write_bytes(text.encode("utf-8-sig"))
    assert read_file(tmp_path / name) == expected
