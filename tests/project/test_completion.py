"""Completion: a script for each shell, and what is offered; the versions a report should name."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from click.shell_completion import ShellComplete

from imsperf.cli import cli, main


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", shell])
    script = capsys.readouterr().out
    assert f"_IMSPERF_COMPLETE={shell}_complete" in script and "%(" not in script


@pytest.mark.parametrize(
    ("words", "begun", "offered", "not_offered"),
    [
        ([], "com", "compare", "load"),
        (["report"], "rmf.cf", "rmf.cf_usage", "rmf.cpu"),
        (["chart"], "ims.", "ims.olds", "rmf.cpu"),
        (["model"], "ff", "ff-haldb", "tps-100k"),
        (["generate"], "tps-100k@rb9", "tps-100k@rb9-before", "tps-100k"),
        (["explain"], "rmf.device.re", "rmf.device.resp_ms", "rmf.device.conn_ms"),
        (["compare", "a", "b", "--report"], "rmf.cf", "rmf.cf_usage", "rmf.cpu"),
        (["html", "--report"], "rmf.cf", "rmf.cf_usage", "rmf.cpu"),
        (["dict"], "smf74_1", "smf74_1_device", "rmf.cpu"),
    ],
)
def test_names_are_offered(words: list[str], begun: str, offered: str, not_offered: str) -> None:
    shell = ShellComplete(cli, {}, "imsperf", "_IMSPERF_COMPLETE")
    names = {item.value for item in shell.get_completions(words, begun)}
    assert offered in names and not_offered not in names


def test_version_names_what_reads_the_data(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--version"])
    said = capsys.readouterr().out
    assert f"duckdb {version('duckdb')}" in said and f"pyarrow {version('pyarrow')}" in said
