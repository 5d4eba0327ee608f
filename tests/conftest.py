"""At the end of a run, tests and seconds of each folder."""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePosixPath

import pytest


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
