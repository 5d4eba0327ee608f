"""The bytes of a dump that could not be read, in files beside it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from imsperf.errors import ImsperfError
from imsperf.file_names import safe_name
from imsperf.parsers.containers.source import Source
from imsperf.parsers.problems import Problem

_COLUMNS = ("byte_offset", "bytes", "unread_offset", "reason", "detail")
_PIECE = 8 << 20  # bytes written at a time


def keep_unread(folder: Path, source: Source, problems: Sequence[Problem]) -> Path | None:
    """Write the lost ranges of a dump back to back to NAME.unread, and where each was to NAME.csv.

    The file of bytes; None where nothing was lost. `byte_offset` is the place in the (unpacked)
    dump, `unread_offset` that in NAME.unread. Of a spanned record it is where its first segment
    stands, with as many bytes as its segments have. Files of that name are replaced.
    Raises ImsperfError where they cannot be written.
    """
    lost = [one for one in problems if one.severity == "data_loss" and one.bytes]
    if not lost:
        return None
    target = folder / f"{safe_name(source.name)}.unread"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            for one in lost:
                end = one.byte_offset + one.bytes
                for at in range(one.byte_offset, end, _PIECE):
                    file.write(source.buffer[at : min(at + _PIECE, end)].data)
        with target.with_suffix(".csv").open("w", newline="", encoding="utf-8") as file:
            _list(file, lost)
    except OSError as error:
        raise ImsperfError(
            f"{target}: cannot be written: {error.strerror}", "name another folder with --unread"
        ) from error
    return target


def _list(file: TextIO, lost: Sequence[Problem]) -> None:
    rows = csv.writer(file)
    rows.writerow(_COLUMNS)
    at = 0
    for one in lost:
        rows.writerow((one.byte_offset, one.bytes, at, one.reason, one.detail))
        at += one.bytes
