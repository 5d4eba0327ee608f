"""Data sets of databases in type 42.6: how many, of which kind, and whose I/O they have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from imsperf import api
from imsperf.synthetic.accounts.database_files import DatabaseFiles
from imsperf.synthetic.accounts.hardware import host_of
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.workloads.families import network


def loaded(name: str, folder: Path, sql: str, **options: Any) -> list[tuple[Any, ...]]:
    generate(scenario.load(name), folder / "run", sample_k=200, **options)
    api.load([folder / "run"], folder / "x.duckdb")
    with api.connect(folder / "x.duckdb") as store:
        return list(store.con.execute(sql).fetchall())


def test_copies_and_their_io(tmp_path: Path) -> None:
    """000 T1 to T3: 32 copies of nine databases; no transaction of the mix uses VENDORDA.

    Reads and writes of table `transactions`, weight x count: ITEMMASA has a quarter of IT8 (8.89 x
    21.5), half of PS2 (24.44 x 12), all of PS3 (22.23 x 10): 416.72. CUSTOMRA has 1.6 + 1.5 + half
    of 3.1 of the chain, 8.88 x 4.65 = 41.29. All together 1,200.03.
    """
    rows = loaded(
        "ff-haldb",
        tmp_path,
        """
        SELECT split_part(s42dsn, '.', 2) AS database,
            count(DISTINCT split_part(s42dsn, '.', 3)) FILTER (s42dstyp = 1) AS osam,
            count(DISTINCT split_part(s42dsn, '.', 3)) FILTER (s42dstyp = 22) AS vsam,
            min(s42dsfl1) FILTER (s42dstyp = 22) AS flags
        FROM smf42_6_dataset WHERE s42dsn LIKE 'IMSA.%.R%' GROUP BY 1 ORDER BY 1
        """,
        seconds=2,
    )
    names = "COMPOSDA CUSTDA CUSTOMRA DEPSUMDA EMPACTDA HOTELDBA INVENTRA ITEMACTA ITEMMASA"
    assert rows == [(name, 16, 16, 0x80) for name in names.split()]
    with api.connect(tmp_path / "x.duckdb") as store:
        count = dict(
            store.con.execute(
                "SELECT split_part(dataset, '.', 2), sum(io_count) FROM smf_dataset_io "
                "WHERE dataset LIKE '%.R%' GROUP BY 1"
            ).fetchall()
        )
        unlike = store.con.execute(
            "SELECT count(*) FROM (SELECT volume, sum(io_count) AS n FROM smf_dataset_io GROUP BY "
            "1) AS f JOIN (SELECT smf74ser AS volume, sum(smf74ssc) AS n FROM smf74_1_device GROUP "
            "BY 1) AS d USING (volume) WHERE f.n <> d.n"
        ).fetchone()
    total = float(sum(count.values()))
    for name, part in {"ITEMMASA": 416.72, "CUSTOMRA": 41.29, "HOTELDBA": 88.9}.items():
        assert float(count[name]) / total == pytest.approx(part / 1200.03, rel=0.03)
    assert unlike == (0,)


def test_tables_of_db2(tmp_path: Path) -> None:
    """000 T9: five tables of ten parts with an index each, one more of CUSTOMER; four by growth,
    three of them with one index: 50 + 50 + 1 + 4 + 3 linear data sets, in pieces on the volumes."""
    rows = loaded(
        "tm-db2-irww",
        tmp_path,
        """
        SELECT count(DISTINCT file), min(s42dstyp), max(s42dstyp),
            count(DISTINCT file) FILTER (file LIKE '%.CUSTOMER.%'),
            count(DISTINCT file) FILTER (file LIKE '%CUSTOM.%')
        FROM (SELECT regexp_replace(s42dsn, '[.]I0[0-9]{3}[.]', '.') AS file, s42dstyp
            FROM smf42_6_dataset WHERE s42dsn LIKE 'DB2A.%')
        """,
        seconds=1,
    )
    assert rows == [(108, 21, 21, 10, 11)]


def test_what_is_encrypted_is_extended(tmp_path: Path) -> None:
    """000 7.4: WADS, OLDS and DEDBs; an extended data set has the third bit of its flags."""
    rows = loaded(
        "fp-encryption",
        tmp_path,
        "SELECT DISTINCT s42dsent > 0, (s42dsfl1 & 32) > 0 FROM smf42_6_dataset",
        seconds=0.5,
    )
    assert rows == [(True, True)]


def test_a_split_keeps_what_volumes_have() -> None:
    """7 volumes, 5 intervals: parts of each volume add up to it, and follow the weights."""
    base = scenario.load("ff-haldb", {"dasd.volumes": 7})
    files = DatabaseFiles.of(host_of(base), network(base))
    values = np.arange(35).reshape(5, 7) * 1_000_003
    weight = np.random.default_rng(1).integers(0, 1000, (5, len(files.volume)))
    parts = files.share(values, weight)
    assert parts.min() >= 0
    for volume in range(7):
        mine = files.volume == volume
        assert (parts[:, mine].sum(axis=1) == values[:, volume]).all()
        wanted = values[:, [volume]] * weight[:, mine] / weight[:, mine].sum(axis=1, keepdims=True)
        assert np.abs(parts[:, mine] - wanted).max() <= 1
    assert (files.share(values, weight * 0).sum(axis=1) == values.sum(axis=1)).all()
