"""One run in a folder: a run of the same scenario is replaced whole, any other is left alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic.run_folder import run_folder


def wrote(folder: Path, name: str, *files: str) -> set[str]:
    """Let a run write these files; names in the folder afterwards."""
    with run_folder(folder, name) as aside:
        for file in files:
            (aside / file).write_text(name, encoding="utf-8")
        listed = "".join(f'"{file}" = 1\n' for file in files)
        text = f'name = "{name}"\nsynthetic = true\n[files]\n{listed}'
        (aside / "run.toml").write_text(text, encoding="utf-8")
    return {path.name for path in folder.iterdir()}


def test_a_run_of_the_same_scenario_is_replaced_whole(tmp_path: Path) -> None:
    """Dumps in another form, and no truth: nothing of the first run is left."""
    out = tmp_path / "run"
    wrote(out, "jmp", "jmp.SYSA.smf.vbs", "jmp.IMSA.imslog.vb", "truth.toml")
    (out / "notes.md").write_text("mine", encoding="utf-8")
    left = wrote(out, "jmp", "jmp.SYSA.smf.rdw", "jmp.IMSA.imslog.rdw")
    assert left == {"jmp.SYSA.smf.rdw", "jmp.IMSA.imslog.rdw", "run.toml", "notes.md"}


@pytest.mark.parametrize("other", ["jmp", "ff-haldb@x"])
def test_a_run_of_another_scenario_is_left_alone(other: str, tmp_path: Path) -> None:
    wrote(tmp_path, "ff-haldb", "ff-haldb.SYSA.smf.vbs")
    with pytest.raises(ScenarioError, match="found a run of ff-haldb, expected") as caught:
        wrote(tmp_path, other, "other.SYSA.smf.vbs")
    assert "--out" in (caught.value.hint or "")
    assert {path.name for path in tmp_path.iterdir()} == {"ff-haldb.SYSA.smf.vbs", "run.toml"}


def test_dumps_of_somebody_else_are_left_alone(tmp_path: Path) -> None:
    dump = tmp_path / "real.smf.vbs"
    dump.write_bytes(b"\x00")
    with pytest.raises(ScenarioError, match=r"found real\.smf\.vbs of another run"):
        wrote(tmp_path, "jmp", "jmp.SYSA.smf.vbs")
    (tmp_path / "run.toml").write_text('name = "monday"', encoding="utf-8")
    with pytest.raises(ScenarioError, match="did not write"):
        wrote(tmp_path, "jmp", "jmp.SYSA.smf.vbs")
    assert {path.name for path in tmp_path.iterdir()} == {"real.smf.vbs", "run.toml"}


def test_a_run_that_fails_leaves_the_one_before(tmp_path: Path) -> None:
    wrote(tmp_path, "jmp", "jmp.SYSA.smf.vbs")
    with pytest.raises(RuntimeError), run_folder(tmp_path, "jmp"):
        raise RuntimeError
    assert {path.name for path in tmp_path.iterdir()} == {"jmp.SYSA.smf.vbs", "run.toml"}


WRITES = """
import sys
from pathlib import Path
from imsperf.synthetic.run_folder import run_folder
with run_folder(Path(sys.argv[1]), "jmp") as aside:
    (aside / "jmp.SYSA.smf.vbs").write_text("half")
    print("half", flush=True)
    sys.stdin.read()
"""


def writing(folder: Path) -> subprocess.Popen[str]:
    """A process that writes a run there and has not finished."""
    pipe = subprocess.PIPE
    words = [sys.executable, "-P", "-c", WRITES, str(folder)]
    process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout and process.stdout.readline() == "half\n"
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX")
def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """And what a living one has is not, nor what is another run's."""
    out = tmp_path / "run [1]"
    with writing(out) as living, writing(tmp_path / "run") as other:
        there = set(tmp_path.iterdir())
        with writing(out) as killed:
            left = set(tmp_path.iterdir()) - there
            killed.kill()
        assert left and left < set(tmp_path.iterdir())
        assert wrote(out, "jmp", "jmp.SYSA.smf.vbs") == {"jmp.SYSA.smf.vbs", "run.toml"}
        assert set(tmp_path.iterdir()) == there | {out}
        living.communicate("")
        other.communicate("")
    assert sorted(tmp_path.iterdir()) == [tmp_path / "run", out]
    (tmp_path / "plain").mkdir()
    assert (tmp_path / "run").stat().st_mode == (tmp_path / "plain").stat().st_mode
