"""`imsperf dev`: what is missing is printed with the lines to paste; a wheel says why it cannot."""

from __future__ import annotations

from pathlib import Path

import dev_check
import pytest
from click.testing import CliRunner
from evidence_files import EVIDENCE, evidence
from places import CHECKOUT

from imsperf.cli import dev


def test_names_of_records() -> None:
    names = {"74.1": "smf74_1", "30": "smf30", "smf74_1": "smf74_1", "4507": "ims_4507"}
    names |= {"92.11": "smf92_11", "a10c": "ims_a10c", "08": "ims_08", "rmf.device": None}
    assert {word: dev_check.record_name(word) for word in names} == names


def test_a_complete_record_has_nothing_to_mend() -> None:
    words = ("fields", "bytes", "values", "places", "whole record")
    said = [line for line in dev_check.check_record("smf74_1") if "out of date" not in line]
    assert said == [f"{word}: ok" for word in words]


def test_missing_files_are_printed_with_their_lines() -> None:
    said = "\n".join(dev_check.check_record("smf250_1"))
    assert "missing: imsperf/layouts/smf250_1.py" in said and "RECORDS = (RECORD,)" in said
    assert "missing: tests/evidence/smf250_1.csv" in said and "# status: single reader" in said


def test_the_module_that_is_printed_reads_the_bytes_of_the_evidence(tmp_path: Path) -> None:
    """From evidence alone: the fields of every section of a record, declared as they are ours."""
    code = "\n".join(dev_check._new_module("smf75_1", evidence("smf75_1"))).partition("\n")[2]
    module: dict[str, object] = {}
    exec(compile(code, "smf75_1", "exec"), module)
    (record,) = module["RECORDS"]  # type: ignore[misc]
    said = [
        line
        for wrong in (dev_check.CHECKS["fields"], dev_check.CHECKS["whole record"])
        for line in wrong(record, evidence("smf75_1"))
    ]
    assert [line for line in said if "confidence" not in line] == []


def test_evidence_asks_for_what_the_manual_says() -> None:
    """Names only: whoever fills it in reads the source, not our declaration."""
    record = dev_check.shipped()["smf74_3"]
    lines = list(dev_check._new_evidence("smf74_3", record))
    assert ",smf74_3_kernel,,,AT,,HOW,,,," in lines
    assert "record,smf74_3_kernel,1,r743cycu,OFFSET,LENGTH,FORMAT,1src,HEX,VALUE," in lines


def test_reports_and_scenarios() -> None:
    assert not dev_check._missing(list(dev_check.check_report("rmf.device")))
    said = "\n".join(dev_check.check_report("rmf.no_such"))
    assert "missing: sql/reports/rmf/no_such.sql" in said
    assert not any(line.startswith("missing") for line in dev_check.check_scenario("fast-path"))
    assert "missing: synthetic/scenarios/no-such.toml" in "\n".join(
        dev_check.check_scenario("no-such")
    )


def test_an_installed_copy_says_that_it_needs_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "_tests", lambda: tmp_path / "tests")
    done = CliRunner().invoke(dev.command, ["check", "74.1"])
    assert done.exit_code and "checkout" in str(done.exception)


def test_evidence_stands_where_the_command_of_a_checkout_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = CHECKOUT / "imsperf" / "cli" / "dev.py"
    assert module.exists()
    monkeypatch.setattr(dev, "__file__", str(module))  # whatever is installed
    assert EVIDENCE.parent == dev._tests()
