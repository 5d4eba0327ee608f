"""Completion: a script for each shell, and what is offered; the versions a report should name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from imsperf.cli import cli, main


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", shell])
    script = capsys.readouterr().out
    assert f"_IMSPERF_COMPLETE={shell}_complete" in script and "%(" not in script


@pytest.mark.slow
def test_fish_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The shell itself, where it is there; what a command does has its whole line."""
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("no fish on this machine")
    main(["completion", "fish"])
    (tmp_path / "imsperf.fish").write_text(capsys.readouterr().out)
    asked = f"source {tmp_path}/imsperf.fish; complete -C 'imsperf report rmf.dev'; "
    asked += "complete -C 'imsperf rep'"
    place = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [fish, "--no-config", "-c", asked],
        env={**os.environ, "HOME": str(tmp_path), "PATH": place},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert {"rmf.device", "rmf.device_lcu"} <= {*lines}
    assert [line for line in lines if line.startswith("report\tPrint a report; without ID, the")]


@pytest.mark.slow
def test_zsh_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The shell itself, on a terminal, where it is there: what a Tab lists."""
    zsh = shutil.which("zsh")
    if zsh is None:
        pytest.skip("no zsh on this machine")
    main(["completion", "zsh"])
    (tmp_path / "imsperf.zsh").write_text(capsys.readouterr().out)
    ready = "autoload -U compinit; compinit -u -d $HOME/dump; . $HOME/imsperf.zsh; PROMPT=REA''DY"
    with terminal([zsh, "-f", "-i"], tmp_path) as typed:
        typed(f"{ready}\n", "READY")
        typed("imsperf report rmf.dev\t\t", "rmf.device_storage_group")
        shown = typed("\x15imsperf rep\t\t", "reproduce  --")  # the line anew
    assert "report     -- Print a report; without ID, the" in shown
    assert "-- Run published systems and set" in shown


@contextmanager
def terminal(program: list[str], home: Path) -> Iterator[Callable[[str, str], str]]:
    """A program on a terminal of its own: what types words and waits for others, and returns all
    that came until then."""
    import pty
    import select

    ours, theirs = pty.openpty()
    place = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    size = {"COLUMNS": "120", "LINES": "100", "TERM": "dumb"}
    shell = subprocess.Popen(
        program,
        env={**os.environ, **size, "HOME": str(home), "PATH": place},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )

    def typed(words: str, wanted: str) -> str:
        os.write(ours, words.encode())
        shown, end = "", time.monotonic() + 60
        while wanted not in shown:
            assert time.monotonic() < end, f"no {wanted} in {shown!r}"
            if select.select([ours], [], [], 1)[0]:
                shown += os.read(ours, 65536).decode()
        return shown

    try:
        yield typed
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)
        os.close(theirs)


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
