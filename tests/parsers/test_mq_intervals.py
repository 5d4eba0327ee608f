"""Intervals of MQ statistics: the block QWHS tells them, with a clock and a length."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from imsperf import api

# QWHS of a queue manager that counted from 20:40:12.045 to 21:10:04.930 local time, 2015-11-23.
# From TEST115.dat in testing/data of ibm-messaging/mq-smf-csv. The TOD clock of the start is
# X'CFE4B840E142F' us after 1900-01-01: 3,657,300,012,045,359. The length is X'6ADD3F3F' us.
QWHS = bytes.fromhex(
    "0034011a000209102ec98608d4d8d7c3cfe50f6612bdaa100000005c00550b4600000000cfe4b840e142ff56"
)
US, UNITS = (0x6ADD3F3F).to_bytes(8, "big"), (0x6ADD3F3F << 12).to_bytes(8, "big")
START = dt.datetime(1900, 1, 1) + dt.timedelta(microseconds=3_657_300_012_045_359)
END = START + dt.timedelta(microseconds=1_792_884_543)


def record(kind: int, subtype: int, length: bytes) -> bytes:
    """A header of type 115 or 116 with one triplet, and QWHS; written at 21:10:04.93."""
    body = bytearray(100)
    body[4], body[5], body[28:32] = 0x5E, kind, (100).to_bytes(4, "big")
    body[6:10], body[10:14] = (7_620_493).to_bytes(4, "big"), bytes.fromhex("0115327f")
    body[14:22] = "H019MQPC".encode("cp037")
    body[22:24] = subtype.to_bytes(2, "big")
    body[32:36] = bytes.fromhex("00340001")
    return (152).to_bytes(2, "big") + bytes(body[2:]) + QWHS + length


@pytest.mark.parametrize(
    ("kind", "subtype", "length"),
    [(115, 2, US), (115, 215, US), (115, 231, UNITS), (116, 10, UNITS)],
)
def test_rows_have_the_interval_of_their_record(
    tmp_path: Path, kind: int, subtype: int, length: bytes
) -> None:
    dump, db = tmp_path / "mq.smf", tmp_path / "mq.duckdb"
    dump.write_bytes(record(kind, subtype, length))
    api.load([dump], db)
    with api.connect(db) as store:
        table = f"smf{kind}_{subtype}_qwhs"
        rows = store.con.execute(f"SELECT interval_start, interval_end FROM {table}").fetchall()
        noted = store.con.execute(
            "SELECT system, type, subtype, interval_start, interval_end FROM load_interval"
        ).fetchall()
    assert str(START) == "2015-11-23 20:40:12.045359" and str(END) == "2015-11-23 21:10:04.929902"
    assert rows == [(START, END)]
    assert noted == [("H019", str(kind), str(subtype), START, END)]
