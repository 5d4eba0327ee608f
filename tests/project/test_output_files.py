"""Files that commands write: refused before the work, and whole or not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pyarrow as pa
import pytest

from imsperf.cli import COMMANDS, cli, main
from imsperf.cli.output import OutputFile, OutputFolder
from imsperf.errors import OutputError
from imsperf.output_files import check_file, check_folder, written_whole
from imsperf.reports import formats


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


LATE = [  # command lines, OUT stands for what cannot be written
    "load DUMP --db OUT/x.duckdb",
    "load DUMP --parquet FILE/lake",
    "load DUMP --db x.duckdb --unread FILE/lost",
    "extract DUMP --types 70 -o OUT/x.smf",
    "unpack DUMP -o FILE/folder",
    "report rmf.cpu --db DB -o OUT/x.csv",
    "report rmf.cpu --db DB -o x.foo",
    "report rmf.cpu --db DB --format xlsx",
    "report rmf.cpu --db DB --format rmfxml -o OUT/x.xml",
    "query --db DB FROM -o OUT/x.csv",
    "chart rmf.cpu --db DB -o OUT/x.png",
    "chart rmf.cpu --db DB -o x.pdf",
    "findings --db DB -o OUT/x.csv",
    "html --db DB -o OUT/x.html",
    "html --db DB -o x.pdf",
    "workbook --db DB -o OUT/x.xlsx",
    "compare DB DB -o OUT/x.csv",
    "table --db DB -o OUT/x.csv",
    "table --db DB -o x.foo",
    "table --db DB --chart OUT/x.png",
    "table --db DB --chart x.foo",
    "explain rmf.cpu.mvs_busy_pct --db DB -o OUT/x.txt",
    "records DUMP -o OUT/x.csv",
    "audit --db DB -o OUT/x.csv",
    "model jmp -o OUT/x.csv",
    "whatif --db DB --load +20% -o OUT/x.csv",
    "calibrate jmp --db DB --write OUT/x.toml",
    "generate jmp --out FILE/run",
    "generate jmp --out run --save-state OUT/x.state",
    "reproduce jmp --out FILE/runs",
    "demo --out FILE/demo",
]


@pytest.mark.parametrize("words", LATE)
def test_a_place_that_cannot_be_written_is_told_first(
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before anything is read: the dump and the database are not there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    places = {"OUT": "no/such", "FILE": "file", "DUMP": "no.dump", "DB": "no.duckdb"}
    line = [
        "/".join([places.get(first, first), *rest])
        for first, *rest in (word.split("/") for word in words.split())
    ]
    with pytest.raises(SystemExit) as end:
        main(line)
    told = capsys.readouterr().err
    assert end.value.code in (1, 2)
    assert any(
        said in told for said in ("no folder", "a folder", "suffix", "ending in", "expected -o")
    ), told
    assert names(tmp_path) == ["file"]


def test_every_output_of_every_command_is_looked_at() -> None:
    """A plain path that need not exist is one to read: an output has a type of its own."""
    reads = {"db", "file", "listing", "site", "resume", "layouts", "config", "paths", "map_file"}
    context = click.Context(cli)
    plain = set()
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        parts = command.commands.values() if isinstance(command, click.Group) else [command]
        plain |= {
            f"{name} {option.name}"
            for part in parts
            for option in part.params
            if isinstance(option.type, click.Path)
            and not option.type.exists
            and option.name not in reads
        }
        assert name not in ("load", "html") or any(
            isinstance(option.type, (OutputFile, OutputFolder)) for option in command.params
        )
    assert plain == set()


def test_what_is_there_stays_where_writing_fails(tmp_path: Path) -> None:
    """And no half file beside it."""
    file = tmp_path / "a.csv"
    file.write_text("before")
    file.chmod(0o640)
    with pytest.raises(KeyboardInterrupt), written_whole(file) as aside:
        aside.write_text("half")
        raise KeyboardInterrupt
    assert (file.read_text(), names(tmp_path)) == ("before", ["a.csv"])
    with written_whole(file) as aside:
        aside.write_text("after")
    assert (file.read_text(), names(tmp_path)) == ("after", ["a.csv"])
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_leads_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    with written_whole(tmp_path / "link.csv") as aside:
        aside.write_text("x")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "a.csv").read_text() == "x"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX devices and limits")
def test_a_device_is_written_in_place() -> None:
    check_file(Path("/dev/null"))
    with written_whole(Path("/dev/null")) as aside:
        assert aside == Path("/dev/null")


@pytest.mark.parametrize("name", ["x.csv", "x.json", "x.parquet", "x.xlsx", "x.html"])
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_full_disk_leaves_no_half_file(name: str, tmp_path: Path) -> None:
    """Files may have 64 KB: one message, exit code 1, nothing under the name or beside it."""
    script = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "import pyarrow as pa\n"
        "from pathlib import Path\n"
        "from imsperf.errors import OutputError\n"
        "from imsperf.reports import formats\n"
        "rows = pa.table({'n': range(200000), 't': [str(n * 7919) for n in range(200000)]})\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))\n"
        "try:\n"
        "    formats.write(rows, Path(sys.argv[1]))\n"
        "except OutputError as error:\n"
        "    print(error.message)\n"
    )
    words = [sys.executable, "-P", "-c", script, str(tmp_path / name)]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": "/tmp"}
    )
    assert f"{name}: cannot be written" in done.stdout, done.stderr
    assert names(tmp_path) == []


def test_a_folder_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="expected a folder"):
        check_folder(tmp_path / "file" / "deep" / "er")
    check_folder(tmp_path / "new" / "deep")
    with pytest.raises(OutputError, match="expected a name for a file"):
        check_file(tmp_path)
    assert names(tmp_path) == ["file"]


def test_python_names_the_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"x\.csv: cannot be written"):
        formats.write(pa.table({"a": [1]}), tmp_path / "no" / "x.csv")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_a_reader_that_has_enough_is_no_error() -> None:
    """`| head -1`: no message, exit code 0."""
    words = [sys.executable, "-P", "-m", "imsperf", "dict", "smf30_"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.read(10)
        process.stdout.close()
        told = process.stderr.read()
    assert (process.returncode, told) == (0, b"")
