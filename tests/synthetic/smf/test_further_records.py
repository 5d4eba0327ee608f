"""Records of a system beside its own counters: paging and cache, in both modes, of any scenario."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import imsperf
from imsperf.database.store import Store
from imsperf.measured.metrics import read_values
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios.scenario import load

VOLUMES = 70  # two control units of 64 devices at most


@pytest.fixture(scope="module", params=["events", "intervals"])
def loaded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """Two intervals of a system without a coupling facility."""
    folder = tmp_path_factory.mktemp(request.param)
    scenario = load("ff-haldb", {"clients": 100, "dasd.volumes": VOLUMES, "dasd.disc_share": 0.3})
    if request.param == "events":
        generate(scenario, folder / "run", seconds=2, every_s=1, sample_k=1000)
    else:
        generate_intervals(scenario, folder / "run", intervals=2, every_s=60)
    some = "smf:71,smf:74.1,smf:74.5"
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="one", types=some, strict=True)
    with imsperf.connect(folder / "r.duckdb") as store:
        yield store


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    return store.con.execute(sql).fetchall()


def test_storage_in_use(loaded: Store) -> None:
    """256 GB are 67,108,864 frames: 138 address spaces of 25,600, SQA, LPA, CSA; none is paged."""
    rows_read = rows(
        loaded, "SELECT smf71tfc, smf71avt, smf71avf, smf71pin + smf71pot FROM smf71_1_paging"
    )
    in_use = 138 * 25_600 + 6_413 + 23_296 + 4_981
    assert rows_read == [(67_108_864, in_use, 67_108_864 - in_use, 0)] * 2


def test_published_quantities_of_devices(loaded: Store) -> None:
    """Parts of the response, from fields of 128 us: PEND, CMR, all with CONN and DISC."""
    read = read_values(loaded, {"db_pend_ms", "db_cmr_ms", "db_io_ms", "wads_write_ms"})
    sums = ("sum(smf74pen)", "sum(smf74cmr)", "sum(smf74pen + smf74cnn + smf74dis)")
    for metric, ticks in zip(("db_pend_ms", "db_cmr_ms", "db_io_ms"), sums, strict=True):
        ((expected,),) = rows(
            loaded,
            f"SELECT {ticks} * 0.128 / sum(smf74ssc) FROM smf74_1_device "
            "WHERE smf74ser LIKE 'S60$%'",
        )
        assert read.get(metric)[0] == pytest.approx(expected, rel=1e-3), metric
    ((write,),) = rows(
        loaded,
        "SELECT sum(smf74pen + smf74cnn + smf74dis) * 0.128 / sum(smf74ssc) FROM smf74_1_device "
        "WHERE smf74ser LIKE 'WADS%'",
    )
    assert read.get("wads_write_ms")[0] == pytest.approx(write, rel=1e-3)


def test_the_cache_sees_the_ios_of_the_devices(loaded: Store) -> None:
    """Reads and writes are the I/Os of 74.1, device by device; the log is only written."""
    rows_read = rows(
        loaded,
        "SELECT d.smf74num, sum(smf74ssc) FROM smf74_1_device AS d GROUP BY ALL ORDER BY ALL",
    )
    cache = rows(
        loaded,
        "SELECT r745devn, sum(r745drcr + r745dwrc + r745dwsr) FROM smf74_5_device "
        "GROUP BY ALL ORDER BY ALL",
    )
    assert len(rows_read) == VOLUMES + 2 and sum(n for _, n in rows_read) > 1000
    assert cache == rows_read
    numbers = rows(loaded, "SELECT count(*) FROM smf74_5_device GROUP BY file_id, record_no")
    assert sorted(n for (n,) in numbers) == [2, 2, 6, 6, 64, 64]
    log = "SELECT sum(r745drcr + r745dwrc), sum(r745dwsr - r745dwsh) FROM smf74_5_device"
    assert rows(loaded, f"{log} WHERE r745dwsr > 0") == [(0, 0)]


def test_misses_are_the_time_disconnected(loaded: Store) -> None:
    """A miss keeps a read disconnected for 500 us; what 74.1 says in units of 128 us."""
    wrong = rows(
        loaded,
        "WITH cache AS (SELECT r745devn AS device, sum(r745drcr) AS reads, "
        "sum(r745drcr - r745dcrh) AS missed, sum(r745dntd) AS staged FROM smf74_5_device "
        "WHERE r745dwsr = 0 GROUP BY ALL), "
        "io AS (SELECT smf74num AS device, sum(smf74dis) * 128 AS us FROM smf74_1_device "
        "GROUP BY ALL) "
        "SELECT * FROM cache JOIN io USING (device) "
        "WHERE staged <> missed OR abs(missed - least(us / 500, reads)) > 3",
    )
    assert wrong == []
    assert rows(loaded, "SELECT sum(r745drcr - r745dcrh) > 100 FROM smf74_5_device") == [(True,)]


@pytest.mark.parametrize(
    ("variant", "disc_us", "conn_us", "zhpf", "both"),
    [  # write 251 us, 120 more without zHPF; mirror 796 us and 5.4 us/km; PEND 30 %, DISC 2 % of it
        ("", 796 + 7.42, 0.68 * 371, 0, 0),
        ("@100km", 796 + 540 + 7.42, 0.68 * 371, 0, 0),
        ("@zhyperwrite", 7.42, 0.68 * 371, 0, 1),
        ("@zhpf", 796 + 5.02, 0.68 * 251, 1, 0),
    ],
)
def test_a_mirrored_log_is_disconnected_and_says_how_it_writes(
    variant: str, disc_us: float, conn_us: float, zhpf: int, both: int, tmp_path: Path
) -> None:
    """74.1, 42.6 and 73 of the WADS; the host writes both copies by zHyperWrite."""
    variant_scenario = load(f"logger-mm{variant}", {"dasd.volumes": 16})
    generate_intervals(variant_scenario, tmp_path / "run", intervals=1, every_s=60)
    some = "smf:42.6,smf:73,smf:74.1"
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="mm", types=some, strict=True)
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        (time,) = rows(
            store,
            "SELECT sum(disc_us) / sum(io_count), sum(conn_us) / sum(io_count) FROM rmf_device "
            "WHERE volume = 'WADS01'",
        )
        (count,) = rows(
            store,
            f"SELECT sum(zhpf_write_count) = sum(io_count) * {zhpf}, sum(zhyperwrite_count) = "
            f"sum(io_count) * {both} FROM smf_dataset_io WHERE dataset = 'IMSA.DFSWADS0'",
        )
        paths = rows(
            store,
            "SELECT channel, sum(zhpf_count) > 0, sum(ficon_count) > 0 FROM rmf_channel "
            "WHERE channel IN ('50', '70') GROUP BY ALL ORDER BY ALL",
        )
    assert time == pytest.approx((disc_us, conn_us), rel=0.01)
    assert count == (True, True)
    assert paths == [("50", True, False), ("70", bool(zhpf), not zhpf)]
