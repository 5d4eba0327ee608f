"""Long tests that only `-m slow` runs; at the end of a run, tests and seconds of each folder."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import PurePosixPath

import pytest

# Each takes seconds. Shorter tests that land with every change prove a part of what these prove.
SLOW = re.compile(
    r"""test_transfer_forms.py::test_small_files_are_named_right
    |test_schema_cache.py::test_a_copy_is_the_same
    |test_solve_agrees.py::test_one_work\[half
    |test_solvers_agree.py::test_(closed\[4\]|group_commit\[0.5-0.0\]|ziip\[0.006)
    |test_calibrate.py::test_the_java_workload
    |test_framing_named.py::test_a_whole_dump_leaves_no_side_file
    |test_damage_classes.py::test_neighbours_tell_what_is_wrong\[(?!page\]|blocks)
    |test_damage_classes.py::test_lengths_and_chains_prove_what_is_shown\[(8|2|zeros)
    |test_kernels.py::test_a_change_anywhere_inside
    |test_faults.py::test_a_(lake|database)_that_cannot_grow\[1500000
    |test_lake.py::test_a_killed_load_leaves_the_lake_as_it_was\[(?!0)
    |test_lake.py::test_overlapping_dumps_and_the_same_again
    |test_audit.py::test_frames_that_wrapped_are_found\[-1
    |test_ten_per_cent.py::test_a_tenth_more\[(XCF|callout|batch)
    |test_terse.py::test_the_plain_reader_agrees_on_anything\[.*-3
    |test_acceptance.py::test_a_knob_changes_the_transaction_rows\[regions.ifp
    |test_report_output.py::test_totals_print_in_every_form\[.*-every1
    |test_report_values.py::test_totals_print_in_every_form\[.*-every1""",
    re.VERBOSE,
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the long tests before pytest leaves out those that are marked."""
    for item in items:
        if SLOW.search(item.nodeid.replace(" ", "_")):
            item.add_marker(pytest.mark.slow)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Seconds are those of all processes together, with what fixtures take."""
    tests, seconds = defaultdict[str, set[str]](set), defaultdict[str, float](float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                folder = str(PurePosixPath(report.nodeid.split("::")[0]).parent)
                tests[folder].add(report.nodeid)
                seconds[folder] += report.duration
    if len(tests) < 2:
        return
    terminalreporter.section("tests and seconds by folder")
    for folder in sorted(tests):
        terminalreporter.write_line(f"{len(tests[folder]):7,} {seconds[folder]:8.1f} s  {folder}")
