"""What a load keeps beside the records: intervals met, what run.toml says, bytes not read."""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from imsperf import layouts
from imsperf.errors import ImsperfError, StoreError
from imsperf.loading.file_names import safe_name
from imsperf.loading.loaded_file import LoadedFile
from imsperf.parsers.containers.source import Source, storable
from imsperf.parsers.problems import Problem
from imsperf.parsers.read import Loaded
from imsperf.parsers.rows import Columns
from imsperf.parsers.selection import Selection

Batch = tuple[str, pa.RecordBatch]

_TABLE = re.compile(r"smf(\d+)_(\d+)_(header|product)")
_SYSTEM_AT = 14  # offset of the SMF system id in the header
_KEYS = ["system", "interval_start", "interval_end"]
_RECORD = "record_no"


def _told_in(product: str) -> list[str]:
    """The columns of a product section that tell the sysplex, and local time less UTC."""
    name = product.partition("_")[0]
    return [f"{name}xnm", f"{name}lgo"]


@cache
def _label(table: str) -> tuple[str, str, str] | None:
    """Type, subtype and name of the SMF system id in a header table of interval records."""
    match = _TABLE.fullmatch(table)
    record = layouts.smf_record(int(match[1]), int(match[2])) if match else None
    if match is None or record is None or record.header.table != table:
        return None
    if record.interval is None or not record.interval.length:
        return None
    names = [field.name for field in record.header.fields if field.offset == _SYSTEM_AT]
    return (match[1], match[2], names[0]) if names else None


class WithIntervals(Mapping[str, frozenset[str]]):
    """Columns by table, and those in which `Intervals` looks."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def __getitem__(self, table: str) -> frozenset[str]:
        asked = self._columns.get(table, frozenset())
        if table.endswith("_header") and (label := _label(table)):
            return asked | {label[2], _RECORD, *_KEYS}
        if table.endswith("_product") and _label(table.replace("_product", "_header")):
            return asked | {_RECORD, *_told_in(table)}
        return self._columns[table]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


class Intervals:
    """The intervals of the records in batches that pass by.

    The header of a record has the SMF system id, its product section the sysplex and the offset of
    local time; the batch of the headers comes first.
    """

    def __init__(self) -> None:
        self._found: Counter[tuple[Any, ...]] = Counter()
        self._headers: dict[str, pa.Table] = {}

    def watch(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """The same batches."""
        for table, rows in batches:
            if table.startswith("smf"):
                self._look(table, rows)
            yield table, rows

    def _look(self, table: str, rows: pa.RecordBatch) -> None:
        record, _, section = table.rpartition("_")
        label = _label(f"{record}_header") if section in ("header", "product") else None
        if label is None:
            return
        names = [label[2], *_KEYS] if section == "header" else _told_in(table)
        if not {_RECORD, *names} <= set(rows.schema.names):
            return  # not wanted
        some = pa.Table.from_batches([rows]).select([_RECORD, *names])
        if section == "product":
            if record in self._headers:  # else only this section is wanted
                headers = self._headers.pop(record)
                self._count(label, headers.join(some, _RECORD, join_type="inner"))
        elif layouts.has_table(f"{record}_product"):
            self._headers[record] = some
        else:  # records of MQ
            self._count(label, some)

    def _count(self, label: tuple[str, str, str], records: pa.Table) -> None:
        kind, subtype, system = label
        told = [name for name in records.schema.names if name != _RECORD]
        for group in records.group_by(told).aggregate([([], "count_all")]).to_pylist():
            if group["interval_start"] is not None:
                of_product = [group[name] for name in told[1 + len(_KEYS) :]] or [None, None]
                of_header = [group[name] for name in (system, *_KEYS)]
                self._found[kind, subtype, *of_header, *of_product] += group["count_all"]

    def absorb(self, more: Intervals) -> None:
        """Take those of the next range of the file."""
        self._found.update(more._found)

    def rows(self, file_id: int) -> list[dict[str, Any]]:
        """Rows of load_interval; the sysplex that other records of the system name, where one."""
        named: dict[str, set[str]] = {}
        for *_, name, _start, _end, sysplex, _offset in self._found:
            named.setdefault(name, set()).update([sysplex] if sysplex else [])
        only = {name: next(iter(of)) for name, of in named.items() if len(of) == 1}
        return [
            {
                "file_id": file_id, "system": system, "name": name,
                "sysplex": sysplex or only.get(name), "type": kind, "subtype": subtype,
                "interval_start": start, "interval_end": end,
                "interval_start_utc": None if offset is None else start - offset,
                "records": records,
            }
            for (kind, subtype, system, name, start, end, sysplex, offset), records
            in self._found.items()
        ]  # fmt: skip


def place_of(loaded: Loaded | Source) -> str:
    """The name of a file or of a member, with all folders: another command runs elsewhere."""
    return storable(loaded.path.absolute()) + loaded.name.removeprefix(storable(loaded.path))


def problem_row(file_id: int, problem: Problem) -> dict[str, Any]:
    return {
        "file_id": file_id,
        "record_no": problem.record_no,
        "byte_offset": problem.byte_offset,
        "bytes": problem.bytes,
        "type": problem.type,
        "subtype": problem.subtype,
        "severity": problem.severity,
        "reason": problem.reason,
        "detail": problem.detail,
    }


def file_row(
    loaded: Loaded, result: LoadedFile, selection: Selection, fingerprint: bool
) -> dict[str, Any]:
    damaged = any(p.severity != "info" for p in loaded.problems)
    return {
        "file_id": result.file_id,
        "run": result.run,
        "path": place_of(loaded),
        "sha256": loaded.sha256 if fingerprint else None,
        "sample": loaded.sample,
        "selection": str(selection) or None,
        "bytes": loaded.bytes,
        "container": loaded.container,
        "framing": loaded.framing,
        "kind": loaded.kind,
        "records": loaded.records,
        "kept": result.kept,
        "repeated": result.repeated,
        "first": loaded.first,
        "last": loaded.last,
        "loaded_at": datetime.now(UTC).replace(tzinfo=None),
        "status": "damaged" if damaged else "whole",
    }


def lost_row(source: Source, file_id: int, run: str) -> dict[str, Any]:
    """The row of load_file for a member of which nothing could be unpacked."""
    row: dict[str, Any] = dict.fromkeys(("sha256", "sample", "selection", "kind", "first", "last"))
    row |= {"file_id": file_id, "run": run, "path": place_of(source), "container": source.container}
    row |= {"bytes": 0, "framing": "", "records": 0, "kept": 0, "repeated": 0, "status": "damaged"}
    return {**row, "loaded_at": datetime.now(UTC).replace(tzinfo=None)}


def run_config_rows(run: str, file: Path) -> list[dict[str, Any]]:
    """Rows of run_config from a run.toml; a value may be a table of value, unit and source."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StoreError(f"{file}: {error}, expected TOML", "mend or remove run.toml") from error
    return list(_config_rows(run, "", content))


def _config_rows(run: str, section: str, content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key, value in content.items():
        if isinstance(value, dict) and "value" not in value:
            yield from _config_rows(run, f"{section}.{key}".lstrip("."), value)
            continue
        facts = value if isinstance(value, dict) else {"value": value}
        yield {
            "run": run,
            "section": section,
            "key": key,
            "value": str(facts["value"]),
            "unit": facts.get("unit"),
            "source": facts.get("source"),
        }


_COLUMNS = ("byte_offset", "bytes", "unread_offset", "reason", "detail")
_PIECE = 8 << 20  # bytes written at a time


def keep_unread(folder: Path, source: Source, problems: Sequence[Problem]) -> Path | None:
    """Write the lost ranges of a dump back to back to NAME.unread, and where each was to NAME.csv.

    The file of bytes; None where nothing was lost. `byte_offset` is the place in the (unpacked)
    dump, `unread_offset` that in NAME.unread. Of a spanned record it is where its first segment
    stands, with as many bytes as its segments have. Files of that name are replaced.
    Raises ImsperfError where they cannot be written.
    """
    lost = [problem for problem in problems if problem.severity == "data_loss" and problem.bytes]
    if not lost:
        return None
    target = folder / f"{safe_name(source.name)}.unread"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            for lost_bytes in lost:
                end = lost_bytes.byte_offset + lost_bytes.bytes
                for at in range(lost_bytes.byte_offset, end, _PIECE):
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
    for lost_bytes in lost:
        rows.writerow(
            (lost_bytes.byte_offset, lost_bytes.bytes, at, lost_bytes.reason, lost_bytes.detail)
        )
        at += lost_bytes.bytes
