"""XML of the RMF Postprocessor: ours agrees with the database; a changed digit is found.

The listing below was worked out by hand: 1,000 s, 4 CPs, CPC capacity 400 MSU.
"""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from report_database import sample

from imsperf.cli import main
from imsperf.errors import ReportError
from imsperf.reports.rmf_xml.listing import Value, read
from imsperf.reports.rmf_xml.reconciling import agree, reconcile
from imsperf.reports.rmf_xml.tables import CPU, PARTITION
from imsperf.reports.rmf_xml.writing import listings, segments_of, xml

# processor 0: all the time, 1: half of it, and of that parked for half
# LPAR (100 x 60 + 50 x 30) / 150, MVS (100 x 61 + 25 x 40) / 125, TPI (90 x 2 + 10 x 12) / 100
PROCESSORS = """
CPU Number|CPU Type|Time% Online|Time% LPAR Busy|Time% MVS Busy|Time% Parked|LOG PROC Share%|\
I/O Interrupts Rate|I/O Interrupts% via TPI
0|CP|100.00|60.00|61.00|0.00|100.0|90.00|2.00
1|CP|50.00|30.00|40.00|50.00|50.0|10.00|12.00
TOTAL/AVERAGE|CP||50.00|56.80||150.0|100.0|3.00
"""
# OWN: 720 s and 750 s of 1.5 processors; OTHER: 1,000 s and 1,020 s of 2; *PHYSICAL* 40 s
PARTITIONS = """
Partition Name|Partition Weight|MSU Actual|Num of LOG PROCs|PROC Type|Effective Dispatch Time|\
Total Dispatch Time|Avg Util%: LOG PROC Effective|Avg Util%: LOG PROC Total|\
Avg Util%: PHYS PROC LPAR MGMT|Avg Util%: PHYS PROC Effective|Avg Util%: PHYS PROC Total
OWN|60|72|1.5|CP|00.12.00.000|00.12.30.000|48.00|50.00|0.75|18.00|18.75
OTHER|40|100|2|CP|00.16.40.000|00.17.00.000|50.00|51.00|0.50|25.00|25.50
*PHYSICAL*||||CP||00.00.40.000|||1.00||1.00
TOTAL|100|||CP|00.28.40.000|00.30.10.000|||2.25|43.00|45.25
GONE|||||||||||
"""
TYPES = "Type|Number\nGeneral purpose processor (CP)|4\nICF processor (ICF)|1\nTotal|5"
SPACES = (
    "Type|Number of Address Spaces: MIN|Number of Address Spaces: MAX|"
    "Number of Address Spaces: AVG\nIN Queue|10|20|15.0"
)
READY = "Number of Work Units|% of Samples\n&lt;=N|90.0\n=N+1|9.9\n&gt;N+150|0.1"


def table(text: str) -> str:
    head, *rows = ["".join(f"<col>{c}</col>" for c in r.split("|")) for r in text.split("\n") if r]
    kinds = [' type="SUM"' if "<col>TOTAL" in row or "<col>Total" in row else "" for row in rows]
    of_rows = "".join(f"<row{kind}>{row}</row>" for kind, row in zip(kinds, rows, strict=True))
    return f"<table><column-headers>{head}</column-headers>{of_rows}</table>"


def part(name: str, *tables: str, **variables: str) -> str:
    named = "".join(
        f"<var><name>{key.replace('_', ' ')}</name><value>{value}</value></var>"
        for key, value in variables.items()
    )
    return f"<part><name>{name}</name><var-list>{named}</var-list>{''.join(tables)}</part>"


BY_HAND = (
    "<ddsml><postprocessor><resource><resname>SYSA</resname></resource><time-data>"
    "<display-start>03/02/2026-10.00.00</display-start>"
    "<report-interval>16:40:000</report-interval></time-data>"
    f"<segment><name>{CPU}</name>"
    + part("", table(PROCESSORS), CPC_Capacity="400")
    + part("System Address Space Analysis", table(SPACES))
    + part("Distribution of In-ready Work Unit Queue", table(READY))
    + f"</segment><segment><name>{PARTITION}</name>"
    + part(
        "",
        MVS_Partition_Name="OWN",
        Wait_Completion="NO",
        Number_of_Configured_Partitions="3",
    )
    + part("Number of Physical Processors", table(TYPES))
    + part("Partition Data", table(PARTITIONS))
    + "</segment></postprocessor></ddsml>"
)


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "listing.xml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    return sample()


@pytest.fixture(scope="module")
def ours(con: duckdb.DuckDBPyConnection) -> str:
    return b"".join(xml(listings(con, segments_of("rmf.cpu")))).decode()


def test_ours_agrees_with_the_database(
    con: duckdb.DuckDBPyConnection, ours: str, tmp_path: Path
) -> None:
    done = reconcile(written(tmp_path, ours), con)
    assert done.table.num_rows == 0
    assert (done.intervals, done.others) == (2, ())
    assert done.cells == len(re.findall("<col/?>|<value/?>", ours))
    assert done.identities > 100


def test_a_changed_digit_of_any_number_is_found(con: duckdb.DuckDBPyConnection) -> None:
    """The last digit of each number in turn, one more."""
    numbers = [
        value
        for listing in listings(con, (CPU, PARTITION))
        for listed in listing.tables
        for row in listed.rows
        for value in row.values.values()
        if value.number is not None
    ]
    assert len(numbers) > 300
    for value in numbers:
        digit = str((int(value.text[-1]) + 1) % 10)
        assert agree(Value(value.text), value)
        assert not agree(Value(value.text[:-1] + digit), value), value


def test_it_says_which_cell_and_row_differ(
    con: duckdb.DuckDBPyConnection, ours: str, tmp_path: Path
) -> None:
    changed = ours.replace("<col>71.04</col>", "<col>71.14</col>", 1)
    changed = changed.replace("<col>BATCH Address Spaces</col>", "<col>OTHER</col>", 1)
    rows = reconcile(written(tmp_path, changed), con).table.to_pylist()
    spaces = f"{CPU} / System Address Space Analysis"
    assert [(row["kind"], row["place"], row["listing"]) for row in rows] == [
        ("cell", f"{CPU}: 0 CP, Time% LPAR Busy", "71.14"),
        ("row", f"{spaces}: OTHER", "printed"),
        ("row", f"{spaces}: BATCH Address Spaces", "not printed"),
        ("identity", "CP LPAR BUSY: LPAR BUSY of a type is that of its processors, weighted by "
         "their online time", "53.23"),
    ]  # fmt: skip
    assert rows[0]["expected"].startswith("71.04 (71.04")


def test_the_command_ends_with_3_where_something_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["reconcile", str(written(tmp_path, BY_HAND))])
    printed = capsys.readouterr()
    assert printed.out == "" and "all agree" in printed.err  # no table without rows
    broken = BY_HAND.replace("<col>56.80</col>", "<col>56.90</col>")
    with pytest.raises(SystemExit) as ended:
        main(["reconcile", str(written(tmp_path, broken)), "--format", "csv"])
    assert ended.value.code == 3
    assert "MVS BUSY of a type is that of its processors" in capsys.readouterr().out


def test_an_interval_that_the_database_lacks(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    (row,) = reconcile(written(tmp_path, BY_HAND), con).table.to_pylist()
    assert (row["kind"], row["expected"]) == ("interval", "not in the database")


BROKEN = {
    "LPAR BUSY of a type": ("|50.00|56.80|", "|50.10|56.80|"),
    "LPAR BUSY of the system": ("|50.00|56.80|", "|50.10|56.80|"),
    "MVS BUSY of a type": ("|56.80|", "|56.90|"),
    "I/O interrupts a second": ("|100.0|3.00", "|100.2|3.00"),
    "The share of interrupts": ("|100.0|3.00", "|100.0|3.10"),
    "The share of a type": ("|150.0|", "|150.3|"),
    "Utilization of logical processors, effective": ("|50.00|51.00|", "|50.01|51.00|"),
    "Utilization of logical processors, total": ("|50.00|51.00|", "|50.00|51.01|"),
    "Utilization of physical processors, effective": ("|25.00|25.50", "|25.01|25.50"),
    "Utilization of physical processors, total": ("|25.00|25.50", "|25.00|25.51"),
    "LPAR management": ("|0.50|25.00", "|0.52|25.00"),
    "The TOTAL row": ("TOTAL|100|", "TOTAL|102|"),
    "Physical processors in all": ("Total|5", "Total|7"),
    "Configured partitions": ("GONE|||||||||||", "GONE|||||||||||\nMORE|||||||||||"),
    "The samples of work units": ("=N+1|9.9", "=N+1|8.9"),
    "A mean lies": ("|10|20|15.0", "|10|20|21.0"),
    "MSU of a partition": ("OTHER|40|100", "OTHER|40|101"),
}


def test_identities_hold_of_the_listing_by_hand(tmp_path: Path) -> None:
    done = reconcile(written(tmp_path, BY_HAND), None)
    assert done.table.num_rows == 0
    # 5 of CP's total; 2 + 2 utilizations of OWN and OTHER, 2 + 2 physical and of *PHYSICAL* 1,
    # of TOTAL 2; management 4; TOTAL 6; 2 MSU; own partition, processors, partitions, samples, mean
    assert done.identities == 5 + 4 + 7 + 4 + 6 + 2 + 5


def test_each_identity_finds_what_breaks_it(tmp_path: Path) -> None:
    """A system for each, in one listing."""
    listed = []
    for title, (before, after) in BROKEN.items():
        (source,) = [t for t in (PROCESSORS, PARTITIONS, TYPES, SPACES, READY) if before in t]
        changed = BY_HAND.replace(table(source), table(source.replace(before, after, 1)))
        assert changed != BY_HAND
        inner = changed.removeprefix("<ddsml>").removesuffix("</ddsml>")
        listed.append(inner.replace(">SYSA<", f">{title}<"))
    rows = reconcile(written(tmp_path, f"<ddsml>{''.join(listed)}</ddsml>"), None).table
    broken = {(row["system"], row["place"].split(": ", 1)[1]) for row in rows.to_pylist()}
    for title in BROKEN:
        assert any(title == system and place.startswith(title) for system, place in broken), title


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("1.36", 1.355, 1.365),
        ("0", -0.5, 0.5),
        (".70", 0.695, 0.705),
        ("12K", 11_500, 12_500),
        ("-3.5", -3.55, -3.45),
        ("01.00.30.899", 3630.899, 3630.900),
        ("00.30.899", 30.899, 30.900),
    ],
)
def test_a_printed_number_is_a_range(text: str, low: float, high: float) -> None:
    assert Value(text).range == pytest.approx((low, high))


@pytest.mark.parametrize("text", ["", ".", "-----", "N/A", "TOTAL", "1.2.3", "1e5", "०"])
def test_what_is_no_number(text: str) -> None:
    assert Value(text).range is None


BAD = {
    "document type": '<!DOCTYPE d [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><ddsml>&c;</ddsml>',
    "document type.*": '<!DOCTYPE d SYSTEM "file:///etc/passwd"><ddsml/>',
    "mismatched tag, line 2, column 3": "<ddsml>\n</a>",
    "undefined entity": "<ddsml>&nbsp;</ddsml>",
    "no element found": "",
    "no <postprocessor> in <html>": "<html/>",
    "a message of RMF: GPM0739E Invalid DDS request": (
        '<ddsml><postprocessor><message id="GPM0739E"><description>Invalid DDS request parameter '
        "'DATE'</description><severity>3</severity></message></postprocessor></ddsml>"
    ),
    "more than 64 elements": "<a>" * 100,
    "found 'yesterday'": BY_HAND.replace("03/02/2026-10.00.00", "yesterday"),
    "not well-formed": b"\x00\x01",
}


@pytest.mark.parametrize("words", BAD)
def test_what_is_no_listing_is_refused(words: str, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=words):
        read(written(tmp_path, BAD[words]))


def test_names_of_a_dump_stay_text(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    every = listings(con, segments_of("rmf.partition"))
    every[0].system = '<a href="x">&\x1b\n'
    text = b"".join(xml(every)).decode()
    assert "<a href" not in text
    assert "\x1b" not in text
    assert len(read(written(tmp_path, text))) == len(every)
    assert f"<name>{CPU}<" not in text
