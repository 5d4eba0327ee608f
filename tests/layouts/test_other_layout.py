"""A log in a layout that is not ours: through a mapping, the same reports as from our profile.

Nothing here is a real IMS: the layout below is made up, with other names, places, orders, widths
and units than imsperf-1. The log is written from the rows of a generated run by struct formats of
its own, so that the declaration has a second witness.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from dump_files import load, log

from imsperf import api
from imsperf.errors import LayoutError
from imsperf.kinds import Kind, hfp8, opaque, s1, s4, stcke, text, tod, u1, u2, u3, u4, u6, u8
from imsperf.layout import Field, Section
from imsperf.layouts import mapped_profile
from imsperf.layouts.profile import Columns, Profile, Scaled
from imsperf.record import Entries, LogRecord
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

# --- their layout --------------------------------------------------------------------------------


def their(name: str, length: int, *fields: tuple[int, str, Kind]) -> Section:
    """A section of theirs: places and names."""
    declared = (Field(at, field, kind, "Theirs") for at, field, kind in fields)
    return Section(name, "A section of theirs", "made up for this test", length, tuple(declared))


STP = their("stp", 32, (5, "event", text(1)), (8, "at", stcke), (24, "id", text(8)))
STH = their(
    "sth", 76, (8, "plex", text(8)), (16, "smf", text(4)), (20, "id", text(4)), (24, "ckp", u8),
    (32, "since", tod), (40, "at", stcke), (56, "trn", u6), (64, "offset", s4),
    (68, "level", opaque(3)), (72, "spare", u4),
)  # fmt: skip
LGR = their(
    "lgr", 116, (12, "otime", u8), (20, "wtime", u8), (28, "oswitch", u2), (30, "oread", u2),
    (32, "opart", u4), (36, "owrite", u4), (40, "w4k", u6), (46, "wio", u6), (52, "awe", u4),
    (56, "bwoth", u4), (60, "bwckp", u4), (64, "waitw", u4), (68, "chkw", u4), (72, "bytes", u8),
    (80, "recs", u6), (86, "bufs", u2), (88, "bufkb", u2), (90, "id", text(8)), (98, "ckp", u2),
    (100, "since", tod), (108, "at", tod),
)  # fmt: skip
LAT = their(
    "lat", 40, (6, "n", u2), (8, "size", u2), (10, "ckp", u4), (14, "id", text(4)),
    (18, "since", tod), (26, "at", tod),
)  # fmt: skip
LATE = their(
    "late", 44, (0, "most", u2), (2, "level", u2), (4, "wait", u8), (12, "conx", u4),
    (16, "cons", u4), (20, "getx", u6), (26, "gets", u6), (32, "name", text(8)),
)  # fmt: skip
FPL = their(
    "fpl", 72, (6, "pool", text(8)), (14, "id", text(4)), (18, "ckp", u4), (22, "since", tod),
    (30, "at", tod), (38, "size", u2), (40, "n", u2), (44, "maxall", u8), (52, "over", u4),
    (56, "max", u8), (64, "now", u8),
)  # fmt: skip
FPLE = their(
    "fple", 84, (0, "uselo", u4), (4, "usehi", u4), (8, "useavg", u4), (12, "blklo", u2),
    (14, "blkhi", u2), (16, "blkavg", u4), (20, "plw", u4), (24, "pl", u4), (28, "freed", u4),
    (32, "got", u4), (36, "use", u4), (40, "blk", u2), (42, "bigger", u4), (46, "limit", u4),
    (50, "gets", u8), (58, "bytes", u8), (66, "blkmax", u4), (70, "usemax", u4),
    (74, "init", text(1)), (76, "sec", u2), (78, "prim", u2), (80, "size", u4),
)  # fmt: skip
MSGI = their(
    "msgi", 118, (6, "uow", opaque(24)), (30, "got", stcke), (46, "came", tod),
    (54, "tran", text(8)), (62, "psb", text(8)), (70, "term", text(8)), (78, "user", text(8)),
    (86, "route", text(8)), (94, "token", opaque(16)), (110, "region", u4), (114, "size", u4),
)  # fmt: skip
MSGO = their(
    "msgo", 60, (6, "size", u4), (10, "region", u2), (12, "uow", opaque(24)), (36, "term", text(8)),
    (44, "token", opaque(16)),
)  # fmt: skip
MSGD = their("msgd", 48, (8, "gone", tod), (16, "uow", opaque(24)), (40, "term", text(8)))
SYN = their(
    "syn", 108, (6, "token", opaque(16)), (22, "vso", u2), (24, "bwait", u2), (26, "conf", u2),
    (28, "oba", u2), (30, "nba", u2), (32, "upd", u2), (34, "read", u2), (36, "msdb", u2),
    (38, "dedb", u2), (40, "route", tod), (48, "sync", tod), (56, "uow", opaque(24)),
    (80, "tran", text(8)), (88, "psb", text(8)), (96, "code", text(8)), (104, "region", u4),
)  # fmt: skip
CHG = their(
    "chg", 44, (6, "area", text(8)), (14, "rba", u6), (20, "ci", u4), (24, "size", u4),
    (28, "token", opaque(16)),
)  # fmt: skip

RECORDS = (
    LogRecord(0x06, None, "Start or stop", STP),
    LogRecord(0x45, 0x00, "Statistics begin", STH),
    LogRecord(0x45, 0x07, "Logger", LGR),
    LogRecord(0x45, 0x0A, "Latches", LAT, Entries(LATE, start=40, count_at=6, length_at=8)),
    LogRecord(0x45, 0x0E, "Pool", FPL, Entries(FPLE, start=72, count_at=40, length_at=38)),
    LogRecord(0x59, 0x01, "Message in", MSGI),
    LogRecord(0x59, 0x03, "Message out", MSGO),
    LogRecord(0x59, 0x36, "Message gone", MSGD),
    LogRecord(0x59, 0x37, "Sync point", SYN),
    LogRecord(0x59, 0x50, "Change", CHG),
)


def _from(section: str, names: str) -> dict[str, str]:
    """`our=their our=their ...` as a mapping."""
    pairs = (pair.split("=") for pair in names.split())
    return {ours: f"{section}.{theirs}" for ours, theirs in pairs}


_SET = "imsid=id ckpt_no=ckp interval_start=since sample=at "
COLUMNS: dict[str, Columns] = {
    "ims_06": _from("stp", "imsid=id event=event event_time=at"),
    "ims_4500": {
        **_from("sth", _SET + "sysplex=plex smfid=smf trans_total=trn ims_level=level"),
        "local_offset_q": Scaled("sth.offset", 1 / 15),  # theirs is in minutes
    },
    "ims_4507": {
        **_from("lgr", _SET + "records_written=recs bytes_written=bytes check_write=chkw"),
        **_from("lgr", "wait_writes=waitw bufwait_ckpt=bwckp bufwait_nonckpt=bwoth"),
        **_from("lgr", "awe_submitted=awe wads_excpvr=wio wads_4k=w4k olds_writes=owrite"),
        **_from("lgr", "olds_partial=opart olds_reads=oread olds_switches=oswitch buffers=bufs"),
        "wads_us": Scaled("lgr.wtime", 1 / 4096),  # theirs are in units of the TOD clock
        "olds_us": Scaled("lgr.otime", 2**-12),
        "buf_size": Scaled("lgr.bufkb", 1024),
    },
    "ims_450a": _from("lat", _SET + "count=n entry_len=size"),
    "ims_450a_latch": {
        **_from("late", "name=name level=level get_shr=gets get_exc=getx cont_shr=cons"),
        **_from("late", "cont_exc=conx maxq=most"),
        "wait_us": Scaled("late.wait", 0.0625),
    },
    "ims_450e": _from(
        "fpl",
        _SET + "count=n entry_len=size pool=pool pool_size=now pool_max=max oversize=over "
        "pool_max_restart=maxall",
    ),
    "ims_450e_buffer": _from(
        "fple",
        "buf_size=size prim=prim sec=sec init=init max_bufs=usemax max_blocks=blkmax "
        "bytes_req=bytes gets=gets limit=limit larger=bigger blocks=blk bufs=use expand=got "
        "compress=freed pl_noiw=pl pl_iw=plw avg_blocks_c=blkavg high_blocks=blkhi "
        "low_blocks=blklo avg_bufs_c=useavg high_bufs=usehi low_bufs=uselo",
    ),
    "ims_5901": _from(
        "msgi",
        "rtoken=token routing=route tran=tran lterm=term userid=user psb=psb pst=region "
        "arrival=came gu=got uow=uow len=size",
    ),
    "ims_5903": _from("msgo", "rtoken=token lterm=term pst=region uow=uow len=size"),
    "ims_5936": _from("msgd", "uow=uow lterm=term dequeue=gone"),
    "ims_5937": _from(
        "syn",
        "rtoken=token pst=region psb=psb tran=tran routing=code sync=sync router=route uow=uow "
        "dedb_calls=dedb msdb_calls=msdb ci_reads=read ci_updates=upd nba=nba oba=oba "
        "ci_conflicts=conf buf_waits=bwait vso_hits=vso",
    ),
    "ims_5950": _from("chg", "rtoken=token area=area rba=rba ci_size=ci len=size"),
}


def theirs(columns: Mapping[str, Columns] = COLUMNS) -> Profile:
    return mapped_profile("theirs", RECORDS, columns)


# --- their writer --------------------------------------------------------------------------------

Row = Mapping[str, Any]


def clock(when: datetime) -> int:
    """TOD units."""
    return (when - datetime(1900, 1, 1)) // timedelta(microseconds=1) << 12


def long_clock(when: datetime) -> bytes:
    """STCKE."""
    return b"\0" + clock(when).to_bytes(8, "big") + b"\xee" * 7


def ebcdic(letters: str) -> bytes:
    """Eight letters; a format cuts them."""
    return letters.ljust(8).encode("cp037")


def six(number: int) -> bytes:
    return number.to_bytes(6, "big")


def when(r: Row) -> tuple[int, int]:
    return clock(r["interval_start"]), clock(r["sample"])


def stp(r: Row, _: list[Row]) -> bytes:
    return struct.pack(">2x16s8s", long_clock(r["event_time"]), ebcdic(r["imsid"]))


def sth(r: Row, _: list[Row]) -> bytes:
    return struct.pack(
        ">2x8s4s4sQQ16s6s2xi3sxI", ebcdic(r["sysplex"]), ebcdic(r["smfid"]), ebcdic(r["imsid"]),
        r["ckpt_no"], clock(r["interval_start"]), long_clock(r["sample"]), six(r["trans_total"]),
        r["local_offset_q"] * 15, r["ims_level"], 4711,
    )  # fmt: skip


def lgr(r: Row, _: list[Row]) -> bytes:
    return struct.pack(
        ">6xQQHHII6s6sIIIIIQ6sHH8sHQQ", r["olds_us"] << 12, r["wads_us"] << 12, r["olds_switches"],
        r["olds_reads"], r["olds_partial"], r["olds_writes"], six(r["wads_4k"]),
        six(r["wads_excpvr"]), r["awe_submitted"], r["bufwait_nonckpt"], r["bufwait_ckpt"],
        r["wait_writes"], r["check_write"], r["bytes_written"], six(r["records_written"]),
        r["buffers"], r["buf_size"] // 1024, ebcdic(r["imsid"]), r["ckpt_no"], *when(r),
    )  # fmt: skip


def lat(r: Row, entries: list[Row]) -> bytes:
    head = struct.pack(">HHI4sQQ6x", len(entries), 44, r["ckpt_no"], ebcdic(r["imsid"]), *when(r))
    return head + b"".join(
        struct.pack(
            ">HHQII6s6s8s4x", e["maxq"], e["level"], e["wait_us"] << 4, e["cont_exc"],
            e["cont_shr"], six(e["get_exc"]), six(e["get_shr"]), ebcdic(e["name"]),
        )
        for e in entries
    )  # fmt: skip


def fpl(r: Row, entries: list[Row]) -> bytes:
    head = struct.pack(
        ">8s4sIQQHH2xQIQQ", ebcdic(r["pool"]), ebcdic(r["imsid"]), r["ckpt_no"], *when(r), 84,
        len(entries), r["pool_max_restart"], r["oversize"], r["pool_max"], r["pool_size"],
    )  # fmt: skip
    return head + b"".join(
        struct.pack(
            ">IIIHHIIIIIIHIIQQII1sxHHI", e["low_bufs"], e["high_bufs"], e["avg_bufs_c"],
            e["low_blocks"], e["high_blocks"], e["avg_blocks_c"], e["pl_iw"], e["pl_noiw"],
            e["compress"], e["expand"], e["bufs"], e["blocks"], e["larger"], e["limit"], e["gets"],
            e["bytes_req"], e["max_blocks"], e["max_bufs"], ebcdic(e["init"]), e["sec"], e["prim"],
            e["buf_size"],
        )
        for e in entries
    )  # fmt: skip


def msgi(r: Row, _: list[Row]) -> bytes:
    names = (ebcdic(r[name]) for name in ("tran", "psb", "lterm", "userid", "routing"))
    return struct.pack(
        ">24s16sQ8s8s8s8s8s16sII", r["uow"], long_clock(r["gu"]), clock(r["arrival"]), *names,
        r["rtoken"], r["pst"], r["len"],
    )  # fmt: skip


def msgo(r: Row, _: list[Row]) -> bytes:
    names = r["len"], r["pst"], r["uow"], ebcdic(r["lterm"]), r["rtoken"]
    return struct.pack(">IH24s8s16s", *names)


def msgd(r: Row, _: list[Row]) -> bytes:
    return struct.pack(">2xQ24s8s", clock(r["dequeue"]), r["uow"], ebcdic(r["lterm"]))


def syn(r: Row, _: list[Row]) -> bytes:
    counts = (
        "vso_hits", "buf_waits", "ci_conflicts", "oba", "nba", "ci_updates", "ci_reads",
        "msdb_calls", "dedb_calls",
    )  # fmt: skip
    return struct.pack(
        ">16s9HQQ24s8s8s8sI", r["rtoken"], *(r[name] for name in counts), clock(r["router"]),
        clock(r["sync"]), r["uow"], ebcdic(r["tran"]), ebcdic(r["psb"]), ebcdic(r["routing"]),
        r["pst"],
    )  # fmt: skip


def chg(r: Row, _: list[Row]) -> bytes:
    numbers = six(r["rba"]), r["ci_size"], r["len"]
    return struct.pack(">8s6sII16s", ebcdic(r["area"]), *numbers, r["rtoken"])


Writer = Callable[[Row, list[Row]], bytes]
WRITERS: dict[str, tuple[int, int, Writer, str]] = {  # code, subcode, body, table of the entries
    "ims_06": (0x06, 0, stp, ""),
    "ims_4500": (0x45, 0x00, sth, ""),
    "ims_4507": (0x45, 0x07, lgr, ""),
    "ims_450a": (0x45, 0x0A, lat, "ims_450a_latch"),
    "ims_450e": (0x45, 0x0E, fpl, "ims_450e_buffer"),
    "ims_5901": (0x59, 0x01, msgi, ""),
    "ims_5903": (0x59, 0x03, msgo, ""),
    "ims_5936": (0x59, 0x36, msgd, ""),
    "ims_5937": (0x59, 0x37, syn, ""),
    "ims_5950": (0x59, 0x50, chg, ""),
}


def written(rows: Callable[[str], list[Row]]) -> bytes:
    """Their log of the same run: the records that they have a layout for, in the same order."""
    records: dict[int, bytes] = {}
    for table, (code, subcode, body, inner) in WRITERS.items():
        entries = defaultdict(list)
        for entry in rows(inner) if inner else []:
            entries[entry["record_no"]].append(entry)
        for row in rows(table):
            second = ebcdic(row["event"])[0] if table == "ims_06" else subcode
            record_bytes = body(row, entries[row["record_no"]])
            stamp = clock(row["log_stck"])
            records[row["record_no"]] = log(code, second, row["log_lsn"], record_bytes, stamp)
    return b"".join(records[number] for number in sorted(records))


# --- the same run twice --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One run as imsperf-1 and in their layout, loaded."""
    folder = tmp_path_factory.mktemp("layouts")
    settings = {"driver.rate_per_s": 4000, "dasd.volumes": 120, "cpu.gcps": 3, "regions.ifp": 60}
    small = scenario.load("tps-100k", settings)
    written_run = generate(small, folder / "ours", seconds=4, every_s=1, sample_k=40)
    dump = next(path for path in written_run.paths if ".imslog." in path.name)
    ours, other = folder / "ours.duckdb", folder / "other.duckdb"
    api.load([dump], ours, run="same")
    with api.connect(ours) as store:
        file = folder / "theirs.log"
        file.write_bytes(written(lambda table: rows_of(store, f"FROM {table}")))
    (done,) = api.load([file], other, run="same", profile=theirs())
    assert done.records == done.decoded > 1000
    return ours, other


def rows_of(store: Any, sql: str) -> list[Row]:
    rows: list[Row] = store.con.sql(sql).to_arrow_table().to_pylist()
    return rows


PROVENANCE = ("file_id", "record_no")


def without_provenance(rows: list[Row]) -> list[Row]:
    return [{k: v for k, v in row.items() if k not in PROVENANCE} for row in rows]


@pytest.mark.parametrize("report", ["ims.fixed_pools", "ims.latches", "ims.logger"])
def test_same_report(databases: tuple[Path, Path], report: str) -> None:
    """Every column of every row, though the log had other names, places, widths and units."""
    pages = []
    for database in databases:
        with api.connect(database) as store:
            pages.append(without_provenance(api.run_report(store, report).table.to_pylist()))
    assert pages[0]
    assert pages[1] == pages[0]


def test_same_transactions(databases: tuple[Path, Path]) -> None:
    """The Fast Path view joins four of their records as it does ours."""
    views = []
    for database in databases:
        with api.connect(database) as store:
            views.append(without_provenance(rows_of(store, "FROM ims_fast_path ORDER BY uow")))
    assert len(views[0]) > 100
    assert views[1] == views[0]


@pytest.mark.parametrize("table", sorted(COLUMNS))
def test_same_rows(databases: tuple[Path, Path], table: str) -> None:
    """Each mapped column has our values, each other one is NULL; a row leads to its record."""
    names = ", ".join(f'"{name}"' for name in COLUMNS[table] if name != "entry_len")
    differing = []
    for database in databases:
        with api.connect(database) as store:
            sql = f"SELECT section_no, {names} FROM {table} ORDER BY record_no, section_no"
            differing.append(rows_of(store, sql))
            last = rows_of(store, f"SELECT * FROM {table}")[-1]
    assert differing[1] == differing[0] != []
    others = set(last) - set(COLUMNS[table]) - {*PROVENANCE, "section_no", "byte_offset"}
    assert {name for name in others if last[name] is not None} <= {"log_stck", "log_lsn"}


def test_what_is_not_kept_is_said(databases: tuple[Path, Path]) -> None:
    """Fields without a column of ours: one note for a file, by name; the file is whole."""
    with api.connect(databases[1]) as store:
        (note,) = rows_of(store, "FROM load_problem WHERE reason = 'unmapped_field'")
        assert note["severity"] == "info"
        assert note["detail"].endswith("found 1 fields that no column of ours takes; "
                                       "they are not kept: sth.spare")  # fmt: skip
        assert store.scalar("SELECT status FROM load_file") == "whole"


# --- what a mapping does -------------------------------------------------------------------------

NUMBERS = their("num", 40, (6, "wide", u8), (14, "minus", s1), (15, "hex", hfp8), (23, "id", u3),
                (26, "mark", opaque(2)), (28, "when", tod), (36, "name", text(4)))  # fmt: skip
SOME = (LogRecord(0x59, 0x36, "Numbers", NUMBERS), LogRecord(0x45, 0x77, "Others", STH))


def numbers(lsn: int, wide: int = 0, minus: int = 0, hexadecimal: int = 0, clock: int = 0) -> bytes:
    body = struct.pack(">QbQ3s2sQ4s", wide, minus, hexadecimal, b"\0\1\2", b"\xab\xcd", clock,
                       ebcdic("ABC")[:4])  # fmt: skip
    return log(0x59, 0x36, lsn, body)


def read(tmp_path: Path, columns: Mapping[str, Columns], *records: bytes) -> Any:
    """The rows of a log in the layout NUMBERS, and its problems by reason."""
    file = tmp_path / "theirs.log"
    file.write_bytes(b"".join(records) + log(0x01, 3, 1000))
    loaded, rows = load(file, profile=mapped_profile("some", SOME, columns))
    return rows, {problem.reason: problem for problem in loaded.problems}


def test_values_that_do_not_fit_are_null_and_counted(tmp_path: Path) -> None:
    """A number past our column, or below zero, never wraps round."""
    columns = {"ims_4507": {"buffers": "num.wide", "buf_size": "num.minus"}}
    records = [numbers(1, 1 << 32), numbers(2, (1 << 32) - 1, -1), numbers(3, 7, 8)]
    rows, problems = read(tmp_path, columns, *records)
    assert [row["buffers"] for row in rows["ims_4507"]] == [None, (1 << 32) - 1, 7]
    assert [row["buf_size"] for row in rows["ims_4507"]] == [0, None, 8]
    assert problems["invalid_value"].record_no in (1, 2)
    assert "found 1 invalid values" in problems["invalid_value"].detail


@pytest.mark.parametrize(
    ("factor", "values", "wanted"),
    [
        (10_000, [3, 1 << 63], [30_000, None]),
        (3.0, [(1 << 62) + 1, (1 << 63) - 1], [(3 << 62) + 3, None]),
        (1 / 4096, [4096, 6143, 6145, (1 << 64) - 1], [1, 1, 2, 1 << 52]),
        (1e10, [1, 1 << 62], [10_000_000_000, None]),
    ],
)
def test_factors(
    tmp_path: Path, factor: float, values: list[int], wanted: list[int | None]
) -> None:
    """Whole factors are exact, others give the nearest value; what does not fit is NULL."""
    columns = {"ims_4507": {"wads_us": Scaled("num.wide", factor)}}
    rows, _ = read(tmp_path, columns, *(numbers(n + 1, v) for n, v in enumerate(values)))
    assert [row["wads_us"] for row in rows["ims_4507"]] == wanted


def test_hex_floats_become_whole_numbers(tmp_path: Path) -> None:
    columns = {"ims_4507": {"wads_us": "num.hex"}}
    rows, _ = read(tmp_path, columns, numbers(1, 0, 0, 0x42_64_8000_0000_0000))  # 100.5
    assert [row["wads_us"] for row in rows["ims_4507"]] == [100]


def test_short_opaque_fields_are_padded(tmp_path: Path) -> None:
    rows, _ = read(tmp_path, {"ims_5936": {"uow": "num.mark", "lterm": "num.name"}}, numbers(1))
    (row,) = rows["ims_5936"]
    assert (row["uow"], row["lterm"], row["dequeue"]) == (b"\xab\xcd" + bytes(22), "ABC", None)


def test_one_record_may_fill_a_table_and_its_entries(tmp_path: Path) -> None:
    """A log with one record for each latch has no entries; ours are filled all the same."""
    columns = {"ims_450a": {"sample": "num.when"}, "ims_450a_latch": {"get_shr": "num.wide"}}
    rows, _ = read(tmp_path, columns, numbers(1, 5, clock=0xDEBE7AECECE00000))
    (main,), (latch,) = rows["ims_450a"], rows["ims_450a_latch"]
    assert main["sample"] == datetime(2024, 3, 4, 15, 30)
    assert (latch["get_shr"], latch["record_no"], latch["section_no"]) == (5, 1, 1)
    assert main["log_lsn"] == 1 and "log_lsn" not in latch


def test_record_that_fills_no_table_stays_raw(tmp_path: Path) -> None:
    rows, _ = read(tmp_path, {"ims_5936": {"uow": "num.mark"}}, log(0x45, 0x77, 1, bytes(70)))
    assert [row["code"] for row in rows["ims_raw"]] == ["45", "01"]
    assert set(rows) == {"ims_raw"}


def test_what_ibm_documents_is_read_beside_theirs(tmp_path: Path) -> None:
    """Unless they have a layout of that code, whatever its subcode."""
    capture = log(0x99, 0x04, 2, bytes(26))
    rows, _ = read(tmp_path, {"ims_5936": {"uow": "num.mark"}}, numbers(1), capture)
    assert len(rows["ims_5936"]) == len(rows["ims_99"]) == 1
    mine = [*SOME, LogRecord(0x99, 0x77, "Mine", their("mine", 60, (6, "uow", opaque(24))))]
    profile = mapped_profile("p", mine, {"ims_5936": {"uow": "mine.uow"}})
    assert profile.record(0x99, 0x04) is None and profile.record(0x67, 0xFA) is not None


def test_without_the_profile_nothing_is_decoded(tmp_path: Path) -> None:
    """No signature and no option: never a layout that nobody has asked for."""
    file = tmp_path / "theirs.log"
    file.write_bytes(numbers(1) + numbers(2) + numbers(3))
    assert set(load(file)[1]) == {"ims_raw"}


@pytest.mark.parametrize(
    ("columns", "message", "hint"),
    [
        ({"ims_4057": {"buffers": "num.wide"}}, "no table 'ims_4057'", "ims_4507"),
        ({"smf70_1_cpu": {"smf70wat": "num.wide"}}, "no table 'smf70_1_cpu' of log records", ""),
        ({"ims_4507": {"bufers": "num.wide"}}, "no field 'bufers'", "buffers"),
        ({"ims_4507": {"log_lsn": "num.wide"}}, "ims_4507: found no field 'log_lsn'", ""),
        ({"ims_4507": {"buffers": "num.wyde"}}, "num: found no field 'wyde'", "wide"),
        ({"ims_4507": {"buffers": "nun.wide"}}, "no section 'nun'", "num"),
        ({"ims_4507": {"buffers": "wide"}}, "SECTION.FIELD", "sections: num, sth"),
        ({"ims_4507": {"imsid": "num.wide"}}, "found a number .u8., expected text", "declare"),
        ({"ims_4507": {"buffers": "num.name"}}, "found text .*, expected a number", "declare"),
        ({"ims_4507": {"sample": "num.mark"}}, "bytes .*, expected a point in time", "declare"),
        ({"ims_a0": {"ims_level": "num.name"}}, "found text .*, expected bytes", "declare"),
        ({"ims_5950": {"data": "sth.level"}, "ims_a0": {"ims_level": "big.all"}}, "big", ""),
        ({"ims_4507": {"buffers": "num.wide", "imsid": "sth.id"}}, "num and sth", "one section"),
        ({"ims_4507": {}}, "from no section", "one section"),
        ({"ims_4507": {"buffers": Scaled("num.wide", 0)}}, "factor 0, expected", ""),
        ({"ims_4507": {"buffers": Scaled("num.wide", float("nan"))}}, "factor nan", ""),
        ({"ims_4507": {"imsid": Scaled("num.name", 2)}}, "only for a number", ""),
    ],
)
def test_wrong_mapping_is_refused(columns: Mapping[str, Columns], message: str, hint: str) -> None:
    """At once, with the place, and the near name where one is unknown."""
    with pytest.raises(LayoutError, match=message) as raised:
        mapped_profile("wrong", SOME, columns)
    assert hint in (raised.value.hint or "")


def test_wrong_records_are_refused() -> None:
    wide = their("wide", 60, (6, "uow", opaque(40)))
    with pytest.raises(LayoutError, match="found 40 bytes, expected at most 24"):
        mapped_profile("p", [LogRecord(0x59, 1, "", wide)], {"ims_5901": {"uow": "wide.uow"}})
    with pytest.raises(LayoutError, match="record 5901: found two layouts"):
        mapped_profile("p", [LogRecord(0x59, 1, "", wide), LogRecord(0x59, 1, "", STH)], {})
    again = their("wide", 60, (6, "other", u1))
    with pytest.raises(LayoutError, match="two sections 'wide'"):
        mapped_profile("p", [LogRecord(0x59, 1, "", wide), LogRecord(0x59, 3, "", again)], {})
