"""Smaller dumps: which records, the bytes of each, both forms, packed; and what is refused."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import struct
import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import second_writer as writer
from dump_files import bodies, log, smf
from evidence_files import record_bytes
from test_cics import ALL, dictionary, performance
from test_damage_classes import CLASSES, FORMS, Seen, seen, with_peers
from test_transfer_forms import records as clean_records

from imsperf import api
from imsperf.errors import DumpError
from imsperf.parsers.framing.frames import open_dump

DEVICES = record_bytes("smf74_1 record")[4:]
CPU = record_bytes("smf70_1 record")[4:]
LONG = [smf(31, 1, bytes([n]) * size) for n, size in enumerate((32_728, 32_733, 65_500, 100_000))]
PLAIN = [smf(31 + n % 3 * 60, n % 4, bytes([n]) * (n * 37), time=1000 * n) for n in range(60)]
RECORDS = [smf(2, time=0), *PLAIN[:20], LONG[2], *PLAIN[20:], DEVICES, CPU, *LONG, smf(3)]
LOG = [log(0x01 + n % 2 * 2, 0x81, 100 + n, bytes([n]) * (n * 20)) for n in range(200)]


def put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def records(path: Path) -> list[bytes]:
    """The records of a dump without their RDWs, in order."""
    return bodies(open_dump(path).index())


def tables(db: Path) -> dict[str, list[Any]]:
    """All rows of all tables of records, without what says where they stood."""
    where = {"file_id", "record_no", "byte_offset"}
    with api.connect(db) as store:
        names = store.con.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        contents = {
            name: store.con.table(name)
            for (name,) in names
            if name.startswith(("smf", "ims_")) or name == "load_record"
        }
        return {
            name: sorted(map(str, table.select(*_others(table.columns, where)).fetchall()))
            for name, table in contents.items()
            if len(table)
        }


def _others(columns: list[str], left_out: set[str]) -> list[str]:
    return [column for column in columns if column not in left_out]


# --- records -------------------------------------------------------------------------------------

IN = {
    "blocks": lambda: writer.bdw_rdw([r for r in RECORDS if len(r) < 4000], 4096),
    "spanned": lambda: writer.vbs(RECORDS, 5000),
    "large blocks": lambda: writer.vbs(RECORDS, 32_760, pseudo=True),
    "no blocks": lambda: writer.rdw_spanned(RECORDS, 32_760),
}


@pytest.mark.parametrize("form", ["rdw", "vbs"])
@pytest.mark.parametrize("form_in", IN)
def test_all_records_in_order(tmp_path: Path, form_in: str, form: Any) -> None:
    """Without a selection a dump changes its form and nothing else."""
    file = put(tmp_path / "in", IN[form_in]())
    (one,) = api.extract([file], tmp_path / "out", form=form)
    extracted = records(tmp_path / "out")
    assert extracted == records(file)
    assert (one.kept, one.kept_bytes) == (len(extracted), sum(len(r) + 4 for r in extracted))


def test_forms_are_those_of_the_second_writer(tmp_path: Path) -> None:
    """Byte for byte what a writer makes that was written from the manuals for the tests."""
    file = put(tmp_path / "in", writer.vbs(RECORDS, 3000))
    api.extract([file], tmp_path / "rdw")
    assert (tmp_path / "rdw").read_bytes() == writer.rdw_spanned(RECORDS, 32_760)
    api.extract([file], tmp_path / "vbs", form="vbs")
    assert (tmp_path / "vbs").read_bytes() == writer.vbs(RECORDS, 32_760, pseudo=True)
    file = put(tmp_path / "log", b"".join(LOG))
    api.extract([file], tmp_path / "log.rdw")
    assert (tmp_path / "log.rdw").read_bytes() == b"".join(LOG)
    api.extract([file], tmp_path / "log.vb", form="vbs")
    assert (tmp_path / "log.vb").read_bytes() == writer.ims_vb(LOG, 32_760)


@pytest.mark.parametrize("form", ["rdw", "vbs"])
def test_lengths_about_the_largest_segment(tmp_path: Path, form: Any) -> None:
    """Every length where a record is cut once more, or a block is full."""
    sizes = [k * step + d for k in (1, 2) for step in (32_752, 32_756) for d in range(-30, 31)]
    records_made = [smf(31, 1, bytes([n % 251]) * (size - 20)) for n, size in enumerate(sizes)]
    file = put(tmp_path / "in", writer.vbs(records_made, 32_760))
    api.extract([file], tmp_path / "out", form=form)
    assert records(tmp_path / "out") == records_made
    data = (tmp_path / "out").read_bytes()
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from(">H", data, at)
        assert 4 < length <= 32_760
        at += length


@pytest.mark.parametrize("form", ["rdw", "vbs"])
def test_parts_do_not_show(tmp_path: Path, form: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much of a file is handled at a time, the result is the same."""
    file = put(tmp_path / "in", writer.vbs(RECORDS, 700))
    api.extract([file], tmp_path / "whole", form=form)
    monkeypatch.setattr("imsperf.parsers.framing.frames.PART_BYTES", {"smf": 1500, "ims": 1500})
    api.extract([file], tmp_path / "parts", form=form)
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_several_files_and_members_follow_each_other(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.bin", writer.rdw(PLAIN[20:40]))
        archive.writestr("readme.txt", "what this is\n" * 100)
        archive.writestr("c.bin", writer.vbs(PLAIN[40:], 300))
    first = put(tmp_path / "a", writer.bdw_rdw(PLAIN[:20], 4000))
    told: list[str] = []
    done = api.extract(
        [first, put(tmp_path / "z.zip", packed.getvalue())], tmp_path / "out",
        passed_over=lambda _, why: told.append(why),
    )  # fmt: skip
    assert [file.kept for file in done] == [20, 20, 20]
    assert records(tmp_path / "out") == PLAIN
    assert len(told) == 1 and "readme.txt" in told[0]


# --- selections ----------------------------------------------------------------------------------

SELECTIONS: list[Any] = [
    pytest.param({"types": "74"}, marks=pytest.mark.slow),
    {"types": "smf:31.1,70"},
    pytest.param({"system": "SYS1"}, marks=pytest.mark.slow),
    {"start": "2024-03-04T00:00:50"},
    {"end": "2024-03-04T00:01:40", "types": "31"},
]


@pytest.mark.parametrize("chosen", SELECTIONS, ids=str)
def test_load_of_an_extract_is_the_load_of_the_selection(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    file = put(tmp_path / "in", writer.vbs(RECORDS, 900))
    _same_loads(tmp_path, file, chosen)


def _same_loads(folder: Path, file: Path, chosen: dict[str, Any]) -> None:
    api.extract([file], folder / "once", **chosen)
    api.extract([folder / "once"], folder / "twice", **chosen)
    assert (folder / "once").read_bytes() == (folder / "twice").read_bytes()
    api.load([folder / "once"], folder / "extract.duckdb", run="r", **chosen)
    api.load([file], folder / "selected.duckdb", run="r", **chosen)
    extracted = tables(folder / "extract.duckdb")
    assert extracted and extracted == tables(folder / "selected.duckdb")


def test_interval_records_go_by_when_their_interval_begins(tmp_path: Path) -> None:
    file, out = put(tmp_path / "in", writer.rdw([CPU, DEVICES])), tmp_path / "out"
    api.load([file], tmp_path / "all.duckdb")
    with api.connect(tmp_path / "all.duckdb") as store:
        begin = store.scalar("SELECT min(interval_start) FROM smf74_1_device")
    assert isinstance(begin, datetime)
    api.extract([file], out, types="74", start=begin, end=begin + timedelta(seconds=1))
    assert records(out) == [DEVICES]
    with pytest.raises(DumpError, match="none of 2 records"):
        api.extract([file], out, types="74", start=begin + timedelta(seconds=1), force=True)


def test_signature_of_a_log_goes_with_its_records(tmp_path: Path) -> None:
    """Without it a synthetic log could not be decoded."""
    from imsperf.cli import main

    words = ["generate", "tps-100k", "--seconds", "4", "--every", "2s", "--sample", "1000"]
    main([*words, "--out", str(tmp_path / "run")])
    (file,) = (path for path in (tmp_path / "run").iterdir() if ".imslog" in path.name)
    (probe,) = api.extract([file], tmp_path / "probe", types="ims:4507")
    assert probe.context == 1
    _same_loads(tmp_path, file, {"types": "ims:4507"})
    assert "ims_4507" in tables(tmp_path / "extract.duckdb")


def test_dictionaries_of_cics_go_with_their_records(tmp_path: Path) -> None:
    """The dictionary was written before the time that is asked for."""
    other = {"region": ("CICSB", "CICSB1"), "system": b"\xe2\xe8\xe2\xf2"}
    records_made = [
        dictionary(time=0),
        dictionary(time=100, **other),
        *(performance(ALL, time=1000 * n) for n in range(8)),
        *PLAIN[:4],
    ]
    file = put(tmp_path / "in", writer.vbs(records_made, 700))
    chosen = {"types": "110.1", "start": "2024-03-04T00:00:40", "system": "SYS1"}
    (probe,) = api.extract([file], tmp_path / "probe", **chosen)
    assert (probe.kept, probe.context) == (4, 1)
    assert records(tmp_path / "probe") == [records_made[0], *records_made[6:10]]
    _same_loads(tmp_path, file, chosen)
    assert len(tables(tmp_path / "extract.duckdb")["smf110_1_performance"]) == 4


def test_nothing_is_left_out_of_random_selections(tmp_path: Path) -> None:
    """Extracts of all types, one by one, are the whole."""
    rng = np.random.default_rng(3)
    some = [smf(int(rng.integers(4, 30)), 1, bytes(int(rng.integers(0, 900)))) for _ in range(300)]
    file = put(tmp_path / "in", writer.vbs(some, 1000))
    extracted = []
    for kind in sorted({record[1] for record in some}):
        api.extract([file], tmp_path / f"t{kind}", types=str(kind))
        extracted += records(tmp_path / f"t{kind}")
    assert sorted(extracted) == sorted(some)


# --- proof of each record -------------------------------------------------------------------------


def damaged(name: str, form: str, folder: Path) -> tuple[Path, Seen]:
    """A damaged copy in which a load admits no more than some records, and what it says."""
    data = FORMS[form](with_peers())
    for turn in range(40):
        file = put(folder / "damaged", CLASSES[name][0](data, np.random.default_rng([1, turn])))
        loaded = seen(file)
        if loaded is not None and loaded.refused | loaded.suspect:
            return file, loaded
    raise AssertionError("found no damaged copy with a record that something speaks against")


@pytest.mark.parametrize(
    ("name", "form"),
    [("sector 512", "rdw"), ("sectors 2048", "vbs_27998"), ("blocks swapped", "vbs_4096")],
)
def test_extract_and_load_admit_the_same_records(name: str, form: str, tmp_path: Path) -> None:
    """What a load does not decode is not in the extract, where no place in the file would show it;
    what it decodes is, and each of both is told as by the load."""
    file, loaded = damaged(name, form, tmp_path)
    (written,) = api.extract([file], tmp_path / "out")
    numbers = {p.record_no for p in written.problems if p.severity != "info"} - {None}
    assert numbers == loaded.refused | loaded.suspect
    assert (written.refused, written.suspect) == (len(loaded.refused), len(loaded.suspect))
    admitted = [body for number, body in sorted(loaded.hashes) if number not in loaded.refused]
    extracted = seen(tmp_path / "out")
    assert extracted is not None
    assert [body for _, body in sorted(extracted.hashes)] == admitted
    assert written.kept == len(admitted)


def swapped(folder: Path) -> Path:
    """A record whose middle segments changed places, which is suspect: its end says nothing."""
    from test_segment_order import blocks_of, long_record

    blocks = blocks_of(long_record(idle=range(27, 60)))
    blocks[2:4] = blocks[3], blocks[2]
    return put(folder / "swapped", b"".join(blocks) + writer.bdw_rdw(PLAIN[:3], 4000))


def test_a_suspect_record_is_written_and_told(tmp_path: Path) -> None:
    file = swapped(tmp_path)
    (extracted,) = api.extract([file], tmp_path / "out")
    assert (extracted.kept, extracted.suspect, extracted.refused) == (4, 1, 0)
    (problem,) = [problem for problem in extracted.problems if problem.severity != "info"]
    assert (problem.severity, problem.record_no) == ("suspect", 1)
    assert problem.detail.endswith("it is written as it stands")
    (extracted,) = api.extract([file], tmp_path / "sound", drop_suspect=True)
    assert (extracted.kept, extracted.suspect, extracted.refused) == (3, 0, 1)
    assert records(tmp_path / "sound") == PLAIN[:3]
    with pytest.raises(DumpError, match="something speaks against all of them"):
        api.extract([file], tmp_path / "none", types="74", drop_suspect=True)
    assert not (tmp_path / "none").exists()


def test_strict_refuses_a_suspect_record(tmp_path: Path) -> None:
    with pytest.raises(DumpError, match="segment_order") as raised:
        api.extract([swapped(tmp_path)], tmp_path / "out", strict=True)
    assert raised.value.hint.startswith("nothing was written")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["swapped"]
    (extracted,) = api.extract([tmp_path / "swapped"], tmp_path / "out", strict=True, types="31")
    assert extracted.kept == 1


def test_a_log_is_weighed_too(tmp_path: Path) -> None:
    """A page of it reads as zeros; those of its records that hold zeros are not passed on."""
    data = FORMS["ims_rdw"](clean_records("ims", 2))
    at = len(data) // 2 // 512 * 512
    file = put(tmp_path / "log", data[:at] + bytes(512) + data[at + 512 :])
    (written,) = api.extract([file], tmp_path / "out")
    loaded, extracted = seen(file), seen(tmp_path / "out")
    assert loaded is not None and extracted is not None and written.problems
    admitted = [body for number, body in sorted(loaded.hashes) if number not in loaded.refused]
    assert [body for _, body in sorted(extracted.hashes)] == admitted


def test_command_says_what_is_amiss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from imsperf.cli import main

    file, out = swapped(tmp_path), tmp_path / "out"
    main(["extract", str(file), "-o", str(out), "--format", "json"])
    printed = capsys.readouterr()
    (row,) = (row for row in json.loads(printed.out) if row["severity"] != "info")
    assert (row["record_no"], row["severity"], row["reason"]) == (1, "suspect", "segment_order")
    assert "1 suspect record was written" in printed.err
    main(["extract", str(file), "-o", str(out), "--force", "--drop-suspect"])
    assert "1 records were left out" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="1"):
        main(["extract", str(file), "-o", str(out), "--force", "--strict"])
    assert "nothing was written" in capsys.readouterr().err
    assert records(out) == PLAIN[:3]


# --- packed, refused ------------------------------------------------------------------------------


def test_packed_by_suffix(tmp_path: Path) -> None:
    file = put(tmp_path / "in", writer.rdw(PLAIN))
    data = writer.rdw(PLAIN)
    for suffix in ("gz", "xz", "zst"):
        api.extract([file], tmp_path / f"out.{suffix}")
        assert records(tmp_path / f"out.{suffix}") == PLAIN
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()) == data
    assert lzma.decompress((tmp_path / "out.xz").read_bytes()) == data
    with pa.CompressedInputStream(pa.OSFile(str(tmp_path / "out.zst")), "zstd") as stream:
        assert stream.read() == data
    api.extract([tmp_path / "out.gz"], tmp_path / "again.gz")
    assert (tmp_path / "out.gz").read_bytes() == (tmp_path / "again.gz").read_bytes()
    with pytest.raises(DumpError, match=r"cannot be written as \.zip"):
        api.extract([file], tmp_path / "out.zip")


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    file, out = put(tmp_path / "in", writer.rdw(PLAIN)), put(tmp_path / "out", b"mine")
    with pytest.raises(DumpError, match="found a file of that name"):
        api.extract([file], out)
    assert out.read_bytes() == b"mine"
    with pytest.raises(DumpError, match="found none of 60 records"):
        api.extract([file], out, types="99", force=True)
    assert out.read_bytes() == b"mine"
    api.extract([file], out, force=True)
    assert records(out) == PLAIN
    with pytest.raises(DumpError, match="among the files to read"):
        api.extract([file], file, force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_both_kinds_in_one_file_are_refused(tmp_path: Path) -> None:
    files = [put(tmp_path / "smf", writer.rdw(PLAIN)), put(tmp_path / "log", b"".join(LOG))]
    with pytest.raises(DumpError, match=r"found an IMS log after an SMF dump .*smf") as raised:
        api.extract(files, tmp_path / "out")
    assert "--types" in str(raised.value.hint)
    told: list[str] = []
    api.extract(
        files, tmp_path / "out", types="ims:03", passed_over=lambda _, why: told.append(why)
    )
    assert records(tmp_path / "out") == [record[4:] for record in LOG[1::2]]
    assert told == [f"{files[0]}: holds smf records, which were not asked for"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "out", "smf"]


def test_damage_is_told_and_the_rest_extracted(tmp_path: Path) -> None:
    data = writer.zero_rdw(writer.rdw(PLAIN), writer.rdw_starts(PLAIN), 30)
    file = put(tmp_path / "in", data)
    (extracted,) = api.extract([file], tmp_path / "out")
    assert extracted.problems
    assert records(tmp_path / "out") == records(file)
    assert extracted.records > 50


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from imsperf.cli import main

    file, out = put(tmp_path / "in", writer.rdw(PLAIN)), tmp_path / "out"
    with pytest.raises(SystemExit, match="1"):
        main(["extract", str(file), "-o", str(out), "--types", "99"])
    assert "found none of 60 records" in capsys.readouterr().err
    assert not out.exists()
    main(["extract", str(file), "-o", str(out), "--types", "31", "--form", "vbs"])
    told = capsys.readouterr().err
    size = sum(len(record) + 4 for record in PLAIN[::3])
    every = sum(len(record) + 4 for record in PLAIN)
    assert f"kept 20 of 60 records, {size:,} of {every:,} bytes" in told
    assert records(out) == PLAIN[::3]
