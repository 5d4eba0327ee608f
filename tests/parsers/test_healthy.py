"""Healthy dumps: nothing speaks against any record, whatever form they travel in.

All scenarios, records of the evidence files (some of them those of real dumps), records in which
counters are idle, and real dumps where IMSPERF_REAL_DUMPS names their folder.
"""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
from evidence_files import record_bytes
from independent_forms import FORMS, LOG_FORMS, read_blocked
from independent_mangler import SMF_FORMS, later
from test_segment_order import long_record

import imsperf
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

REAL = os.environ.get("IMSPERF_REAL_DUMPS")
FAST_SCENARIOS = ("ff-haldb", "odbm")
FAST_FORMS = ("rdw", "vbs4096", "ftp_record", "ftp_block", "xmit")
MQ = [record_bytes(f"{name} record")[4:] for name in ("smf115_1", "smf115_2", "smf116_1")]
LONGEST = 32_756  # bytes of a record that a VB data set or a form without segments can hold
SPANNED = ("rdw_spanned", "vbs4096", "vbs8192", "vbs27998", "vbs32760", "ftp_block", "ftp_record")
DEVICES, FIRST_COUNTER = 60, 24  # bytes of a device section before its counters: who it is


def spoken_against(path: Path) -> list[str]:
    """What is said of a file beyond information."""
    reading = imsperf.read(path)
    for _ in reading:
        pass
    return [str(one) for file in reading.files for one in file.problems if one.severity != "info"]


def check(records: Sequence[bytes], forms: Sequence[str], path: Path) -> None:
    for form in forms:
        some = records
        if form not in SPANNED:
            some = [record for record in records if len(record) <= LONGEST]
        path.write_bytes(FORMS[form](some).data)
        assert spoken_against(path) == [], form


def check_scenario(name: str, smf_forms: Sequence[str], log_forms: Sequence[str], at: Path) -> None:
    generate(scenario.load(name), at / "run", seconds=1, every_s=1, seed=1, sample_k=60)
    dumps = [one for one in (at / "run").iterdir() if one.suffix in (".vbs", ".vb")]
    assert dumps
    for dump in dumps:
        forms = log_forms if dump.suffix == ".vb" else smf_forms
        check(read_blocked(dump.read_bytes()), forms, at / "dump")


@pytest.mark.parametrize("name", FAST_SCENARIOS)
def test_some_scenarios_in_some_forms(name: str, tmp_path: Path) -> None:
    log_forms = [form for form in FAST_FORMS if form in LOG_FORMS]
    check_scenario(name, FAST_FORMS, log_forms, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", scenario.names())
def test_every_scenario_in_every_form(name: str, tmp_path: Path) -> None:
    check_scenario(name, SMF_FORMS, LOG_FORMS, tmp_path)


@pytest.mark.parametrize("form", SMF_FORMS)
def test_records_of_real_queue_managers(form: str, tmp_path: Path) -> None:
    """Most of a 115.2 is idle: 62 of its 64 rows of structures, and pools that nobody uses."""
    check([later(one, 30 * turn) for turn in range(3) for one in MQ], [form], tmp_path / "dump")


@pytest.mark.skipif(not REAL, reason="IMSPERF_REAL_DUMPS names no folder of dumps")
@pytest.mark.parametrize("name", ["TEST115.dat", "TEST116.dat"])
def test_real_dumps(name: str, tmp_path: Path) -> None:
    data = (Path(REAL or "") / name).read_bytes()
    path = tmp_path / "dump"
    path.write_bytes(data)
    assert spoken_against(path) == []
    check(read_rdw(data), SMF_FORMS, path)


def read_rdw(data: bytes) -> list[bytes]:
    """The records of a dump with RDWs."""
    records = []
    while data:
        (length,) = struct.unpack_from(">H", data)
        records.append(data[4:length])
        data = data[length:]
    return records


def devices(idle: Sequence[int], rng: random.Random) -> bytes:
    """A 74.1 in which these of 60 devices did nothing: they have a number and a name, but only
    zeros as counters, and all others have counters of their own."""
    record = long_record()
    begin = len(record) - DEVICES * 300
    rows = []
    for number in range(DEVICES):
        row = record[begin + number * 300 :][:300]
        used = bytes(row[FIRST_COUNTER:]).rstrip(b"\0")
        counters = bytes(len(used)) if number in idle else rng.randbytes(len(used))
        rows.append((row[:FIRST_COUNTER] + counters).ljust(300, b"\0"))
    return record[:begin] + b"".join(rows)


@pytest.mark.parametrize(
    "idle",
    [range(1), range(7, 8), range(10, 50), range(60), range(0, 60, 2), range(1, 60)],
    ids=["first", "single", "run", "all", "every other", "all but one"],
)
@pytest.mark.parametrize("form", ["rdw", "vbs4096", "ftp_record"])
def test_idle_counters(idle: range, form: str, tmp_path: Path) -> None:
    """At 16 places of a sector, among records that are busy and alone."""
    rng = random.Random(len(idle))
    record, busy = devices(idle, rng), devices((), rng)
    for shift in range(0, 512, 32):
        padding = b"\x1e\x1f" + later(record, 1)[2:16] + b"\xa5" * (100 + shift)
        check([padding, record], [form], tmp_path / "dump")
        if shift % 256 == 0:
            check([padding, *[busy] * 3, record, *[busy] * 3], [form], tmp_path / "dump")
