"""Defaults of options from the user's file: the command line comes first, mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from imsperf.cli import main
from imsperf.cli.defaults import is_default


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that is named, not there yet."""
    file = tmp_path / "imsperf.toml"
    monkeypatch.setenv("IMSPERF_CONFIG", str(file))
    return file


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        main(list(words))
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    return code, *capsys.readouterr()


def test_a_default_is_used_and_the_command_line_comes_first(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`format` is the option's name, whatever the code calls it."""
    config.write_text('[scenarios]\nformat = "json"\n')
    assert printed(capsys, "scenarios")[1].lstrip().startswith("[")
    assert printed(capsys, "scenarios", "--format", "csv")[1].startswith("scenario,")


def test_a_file_as_windows_writes_it(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a byte order mark, and CR before each line feed."""
    config.write_bytes(b'\xef\xbb\xbf[scenarios]\r\nformat = "json"\r\n')
    assert printed(capsys, "scenarios")[1].lstrip().startswith("[")


def test_a_default_database_gives_way_to_dumps(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path on the command line is what is asked for; without one the file's database is."""
    config.write_text(f'[report]\ndb = "{tmp_path}/none.duckdb"\n')
    code, _, error = printed(capsys, "report", "rmf.cpu")
    assert code == 1 and "none.duckdb: found no such file" in error
    code, _, error = printed(capsys, "report", "rmf.cpu", f"{tmp_path}/none.dump")
    assert code != 0 and "none.dump" in error and "one of them" not in error


@pytest.mark.parametrize(
    ("text", "words"),
    [("total = true", ("--interval", "1h")), ('interval = "1h"', ("--total",))],
)
def test_a_default_gives_way_to_what_excludes_it(
    config: Path, capsys: pytest.CaptureFixture[str], text: str, words: tuple[str, ...]
) -> None:
    config.write_text(f"[report]\n{text}\n")
    code, _, error = printed(capsys, "report", "rmf.cpu", "--db", "none.duckdb", *words)
    assert code == 1 and "none.duckdb: found no such file" in error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[scenarios]\nfromat = "json"\n', "[scenarios] has no option 'fromat'"),
        ("[scenario]\n", "found 'scenario', which is no command\nhint: did you mean scenarios?"),
        ("scenarios = 3\n", "expected a table [scenarios]"),
        ("[scenarios\n", "imsperf.toml: "),
        ('[scenarios]\nformat = "jsn"\n', "'jsn' is not one of"),
    ],
)
def test_a_mistake_is_named(
    config: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    """Nothing runs, and the file or the option stands in the message."""
    config.write_text(text)
    code, out, error = printed(capsys, "scenarios")
    assert code != 0 and not out and words in error


def test_other_commands_do_not_mind(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text('[report]\nfromat = "json"\n')
    assert printed(capsys, "scenarios")[0] == 0
    assert not is_default("db")


def test_a_file_that_is_named_must_be_there(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, error = printed(capsys, "scenarios")
    assert code == 1 and "no such file, though IMSPERF_CONFIG names it" in error
