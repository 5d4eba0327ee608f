"""imsperf doctor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imsperf.cli.output import output_options
from imsperf.cli.screen import passed_over, show, tell


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))
@click.option(
    "--strict",
    is_flag=True,
    help="Exit code 3 where anything is told of a file, also that records are suspect.",
)
@output_options
def command(paths: tuple[str, ...], strict: bool, fmt: str | None, output: Path | None) -> None:
    """Say whether files are damaged; if so, what happened and how to transfer them again.

    The exit code is 1 if a file is damaged or cannot be loaded.

    \b
    Examples:
      imsperf doctor smf.d0301.bin
      imsperf doctor dumps/ --strict --format csv
    """
    from imsperf.errors import CheckFailed, ImsperfError
    from imsperf.parsers.diagnosis.doctor import examine, is_whole

    findings = examine(paths, passed_over)
    if output is None and fmt in (None, "text"):
        for number, row in enumerate(findings.to_pylist()):
            if number:
                click.echo()
            tell(_paragraph(row))
    else:
        show(findings, fmt, output)
    told = findings.to_pylist()
    files = {row["file"] for row in told}
    bad = sorted({row["file"] for row in told if row["verdict"] != "whole"})
    if strict and not is_whole(findings):
        bad = sorted({row["file"] for row in told if row["severity"] != "info"})
        raise CheckFailed(f"{', '.join(bad)}: not as they should be", _HINT)
    if bad:
        raise ImsperfError(
            f"{len(bad):,} of {len(files):,} files damaged or not readable: {', '.join(bad[:5])}"
            f"{' ...' if bad[5:] else ''}",
            _HINT,
        )


_HINT = "what to do stands above"
_VERDICTS = {"whole": "no damage", "damaged": "damaged", "not_loadable": "cannot be loaded"}


def _paragraph(row: dict[str, Any]) -> str:
    """A finding in plain words; of a file that cannot be loaded no byte is to blame."""
    packed = f" in {row['container']}" if row["container"] else ""
    form = "" if row["framing"] == "unknown" else f" ({row['framing']}{packed})"
    words = [f"{row['file']}: {_VERDICTS[row['verdict']]}{form}."]
    detail = row["detail"].removeprefix(f"{row['file']}: ")
    if row["cause"] and row["verdict"] != "not_loadable":
        cause = "" if row["cause"] == "other" else row["cause"].replace("_", " ") + " "
        detail = f"{cause}at byte {row['byte_offset']:,}: {detail}"
    words.append(f"{detail[:1].upper()}{detail[1:]}.")
    if row["bytes_lost"]:
        count = "an unknown number of" if row["records"] is None else f"{row['records']:,}"
        words.append(f"Lost: {row['bytes_lost']:,} bytes, {count} records.")
    if row["advice"]:
        end = "" if row["advice"].endswith("?") else "."
        words.append(f"{row['advice'][0].upper()}{row['advice'][1:]}{end}")
    return " ".join(words)
