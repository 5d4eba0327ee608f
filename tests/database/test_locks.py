"""Folders for temporary files are removed, those of killed processes by the next one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import second_writer as writer
from evidence_files import record_bytes

import imsperf
from imsperf.locks import WorkFolder
from imsperf.output_files import written_whole

HOLDS = """
import sys, imsperf
store = imsperf.connect(sys.argv[1])
store.con.execute("SELECT count(*) FROM smf74_1_device")
print("asked", flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, of this process and of others."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    file = tmp_path / "devices.smf"
    file.write_bytes(writer.vbs([record_bytes("smf74_1 record")[4:]], 4000))
    return file


def asking(dump: Path) -> subprocess.Popen[str]:
    """A process that has asked a dump and not closed it."""
    pipe = subprocess.PIPE
    words = [sys.executable, "-P", "-c", HOLDS, str(dump)]
    process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout and process.stdout.readline() == "asked\n"
    return process


def test_what_a_killed_command_left_is_removed_by_the_next(place: Path, dump: Path) -> None:
    """And what a living one has is not."""
    with asking(dump) as living:
        there = set(place.iterdir())
        assert len(there) == 2
        with asking(dump) as killed:
            (left,) = (path for path in place.iterdir() if path.is_dir() and path not in there)
            (left / "rows").write_text("spilled")
            os.kill(killed.pid, signal.SIGKILL)
        assert left.exists()
        with imsperf.connect(dump):
            assert not left.exists()
            assert len(set(place.iterdir()) - there) == 2
        assert set(place.iterdir()) == there
        living.communicate("")
    assert not list(place.iterdir())


def test_only_folders_with_such_a_file_are_removed(place: Path, tmp_path: Path) -> None:
    """Not one of that name without it, not where a link leads."""
    other = place / "imsperf-other"
    other.mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "rows").write_text("of somebody")
    (place / "imsperf-link").symlink_to(outside)
    (place / "imsperf-link.lock").write_text("")
    (place / "imsperf-far.lock").symlink_to(outside / "rows")
    os.mkfifo(place / "imsperf-pipe.lock")
    with WorkFolder() as folder:
        assert folder.path.stat().st_mode & 0o777 == 0o700
        assert other.exists() and (outside / "rows").read_text() == "of somebody"
    assert not folder.path.exists()


def test_a_fork_leaves_it_alone(place: Path) -> None:
    with WorkFolder() as folder:
        child = os.fork()
        if not child:
            folder.close()
            os._exit(0)
        os.waitpid(child, 0)
        assert folder.path.exists()
    assert not list(place.iterdir())


WRITES = """
import sys
from pathlib import Path
from imsperf.output_files import written_whole
with written_whole(Path(sys.argv[1])) as aside:
    aside.write_text("half")
    print("written", flush=True)
    sys.stdin.read()
"""


def test_half_a_file_of_a_killed_command_is_removed_by_the_next(tmp_path: Path) -> None:
    """By the next that writes there, whatever its name; what a living one writes is not."""

    def writing(name: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        words = [sys.executable, "-P", "-c", WRITES, str(tmp_path / name)]
        process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)
        assert process.stdout and process.stdout.readline() == "written\n"
        return process

    with writing("living.csv") as living:
        there = set(tmp_path.iterdir())
        with writing("killed.csv") as killed:
            os.kill(killed.pid, signal.SIGKILL)
        assert set(tmp_path.iterdir()) > there
        name = "n" * 251 + ".csv"  # as long as names may be
        with written_whole(tmp_path / name) as aside:
            aside.write_text("whole")
        assert set(tmp_path.iterdir()) == {*there, tmp_path / name}
        living.communicate("")
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {
        "living.csv": "half", name: "whole",
    }  # fmt: skip
