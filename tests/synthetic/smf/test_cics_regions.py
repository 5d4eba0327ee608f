"""CICS regions without IMS (document 003): what a run of theirs leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import imsperf
from imsperf.database.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.workloads.cics import web_tasks
from imsperf.synthetic.workloads.families import predicted

SECONDS = 4


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("cics")
    generate(load("cics-ts31"), folder / "run", seconds=SECONDS, seed=3)
    assert not [*folder.glob("run/*imslog*")]
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", types="30,70,72,74.1,110")
    with imsperf.connect(folder / "r.duckdb") as opened:
        yield opened


def rows(store: Store, sql: str) -> list[Any]:
    return store.con.execute(sql).fetchall()


def test_cpu_of_the_roles_is_all_cpu_of_the_system(store: Store) -> None:
    """Report classes of 72.3 against busy time of 70.1, of which 0.2 % is LPAR management."""
    ((roles,),) = rows(
        store,
        "SELECT sum(cp_us) FROM rmf_workload "
        "WHERE class IN ('RTOR', 'RAOR', 'RFOR') AND period IS NULL",
    )
    ((busy,),) = rows(store, "SELECT sum(mvs_busy_us) FROM rmf_cpu WHERE type = 'CP'")
    assert roles == pytest.approx(busy, rel=0.001)


def test_each_region_uses_its_fixed_part_and_its_part_of_the_tasks(store: Store) -> None:
    """Foil 7, V3.1: 5.6, 16.8 and 13.1 ms a second and 193, 577 and 252 us a task."""
    ((ended,),) = rows(store, "SELECT count(*) FROM cics_task")
    used = rows(
        store,
        "SELECT class, cp_us FROM rmf_workload WHERE class LIKE 'R_OR' AND period IS NULL "
        "ORDER BY class",
    )
    parts = [("RAOR", 16805, 577.236), ("RFOR", 13095, 251.746), ("RTOR", 5609, 193.26)]
    for (name, us), (role, fixed, each) in zip(used, parts, strict=True):
        assert name == role
        assert us == pytest.approx(SECONDS * fixed + ended * each, rel=0.06)


def test_tasks_use_the_cpu_of_the_application_regions_on_their_qr_tcbs(store: Store) -> None:
    """A VSAM program is quasi-reentrant: all on QR. The regions have it and their fixed part."""
    ((cpu, qr, l8, regions),) = rows(
        store,
        "SELECT sum(usrcput_us), sum(qrcput_us), sum(l8cput_us), count(DISTINCT smfmnspn) "
        "FROM smf110_1_performance JOIN smf110_1_product USING (file_id, record_no)",
    )
    assert (qr, l8, regions) == (cpu, 0, 2)
    ((region,),) = rows(
        store, "SELECT sum(tcb_us + srb_us) FROM smf_address_space WHERE job LIKE 'CICSAOR%'"
    )
    assert region - SECONDS * 16805 == pytest.approx(cpu, rel=0.02)


@pytest.mark.parametrize(
    ("variant", "kind"),
    [("openapi", "l8"), ("xplink", "x8"), ("xplink-user-key", "x9"), ("openapi-user-key", "l9")],
)
def test_open_programs_run_on_tcbs_of_their_kind(tmp_path: Path, variant: str, kind: str) -> None:
    """003 XPLINK: X8 or X9 with MVS/LE rather than L8 or L9; 9 is for user key. QR has a tenth."""
    generate(load(f"cics-ts31@{variant}", {"clients": 20}), tmp_path / "run", seconds=1.0, seed=3)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", types="110.1")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        sums = ", ".join(f"sum({name}cput_us)" for name in ("usr", "qr", "l8", "l9", "x8", "x9"))
        ((cpu, qr, *opened),) = rows(store, f"SELECT {sums} FROM smf110_1_performance")
    by_kind = dict(zip(("l8", "l9", "x8", "x9"), opened, strict=True))
    assert qr == pytest.approx(0.1 * cpu, rel=0.001) and cpu > 0
    assert by_kind == {"l8": 0, "l9": 0, "x8": 0, "x9": 0} | {
        kind: pytest.approx(cpu - qr, abs=400)
    }


def test_menus_use_no_file_and_others_wait_for_theirs(store: Store) -> None:
    found = rows(
        store,
        "SELECT tran, sum(fcamct) / count(*), min(fciowtt_count), sum(fciowtt_us) > 0 "
        "FROM smf110_1_performance GROUP BY 1 ORDER BY 1",
    )
    assert found == [("INQY", 4, 4, True), ("MENU", 0, 0, False), ("UPDT", 8, 8, True)]


def test_nothing_is_written_to_a_log_of_ims(store: Store) -> None:
    """The file-owning region has all data sets; the volumes of the log are idle."""
    found = rows(
        store,
        "SELECT volume IN ('WADS01', 'OLDS01'), sum(io_count) > 0 FROM rmf_device GROUP BY 1 "
        "ORDER BY 1",
    )
    assert found == [(False, True), (True, False)]


# --- web ------------------------------------------------------------------------------------------


def of_tasks(**settings: Any) -> dict[str, tuple[float, float]]:
    given = {"web.tls": "on", **{f"web.{name}": value for name, value in settings.items()}}
    return {name: (n, us) for name, n, us in web_tasks(load("cics-ts31@https", given))}


def test_a_session_is_resumed_within_ssldelay_in_its_region_or_from_the_coupling_facility() -> None:
    """Mean 300 s until a client connects again, two regions: 1 - exp(-600 / 300) = 0.8647, half."""
    assert of_tasks()["CWXNFULL"] == (1, 1900)  # SSLDELAY 0: 400 us and 1,500 us
    of_region = of_tasks(ssldelay_s=600)
    assert of_region["CWXNPART"] == (pytest.approx(0.8647 / 2, abs=1e-4), 900)
    assert of_region["CWXNFULL"][0] == pytest.approx(1 - 0.8647 / 2, abs=1e-4)
    of_all = of_tasks(ssldelay_s=600, sslcache="sysplex")
    assert of_all["CWXNPART"][0] == pytest.approx(0.8647, abs=1e-4)


@pytest.mark.parametrize(
    ("level", "icsf", "cipher", "us_of_kb"),
    [  # 003: z/OS 1.6 has DES and SHA-1 in CPACF, 1.4 DES with ICSF; RC4 and MD5 never are
        ("1.6", "off", "des-sha", 10 + 5), ("1.4", "on", "des-sha", 10 + 30),
        ("1.5", "off", "des-sha", 60 + 30), ("1.6", "on", "rc4-md5", 25 + 15),
        ("1.4", "off", "rc4-md5", 25 + 15), ("1.6", "on", "3des-sha", 20 + 5),
    ],
)  # fmt: skip
def test_what_cpacf_does(level: str, icsf: str, cipher: str, us_of_kb: float) -> None:
    """A request costs 1,000 us, and 10 us for each of 4 KB."""
    given = {"web.icsf": icsf, "web.cipher": cipher, "system.zos": level}
    (_, _, us), *_ = web_tasks(load("cics-ts31@https", given))
    assert us == 1000 + 4 * (10 + us_of_kb)


def test_a_commarea_holds_32_kb() -> None:
    """64 KB: 1,000 us and 10 us for each KB that is sent."""
    sent = {
        program: of_tasks(tls="off", kb=64, program=program)["CWBA"][1]
        for program in ("webapi", "commarea")
    }
    assert sent == {"webapi": 1640, "commarea": 1320}


def test_a_kept_connection_of_the_older_release_holds_a_task() -> None:
    """1,000 clients who think 5 s, MXT 100 in two regions: 200 / 5 s against 1,000 / 5 s."""
    clients = {"clients": 1000, "driver.rate_per_s": 0, "driver.think_ms": 5000}
    rates = [
        predicted(load("cics-ts31@http", {**clients, "cics.release": release})).values["etr_per_s"]
        for release in ("2.3", "3.1")
    ]
    assert rates == [pytest.approx(200 / 5.034, rel=0.01), pytest.approx(1000 / 5.037, rel=0.01)]


def test_each_full_handshake_is_an_operation_of_the_first_card(tmp_path: Path) -> None:
    """The fragment of 003 has one card at work: rate x 0.8 ms is its utilisation."""
    generate(load("cics-ts31@https"), tmp_path / "run", seconds=2, every_s=1, seed=2)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", types="70,110")
    with imsperf.connect(tmp_path / "r.duckdb") as opened:
        cards = rows(
            opened,
            "SELECT card, type, sum(operation_count), sum(operation_us), sum(engine_us) "
            "FROM rmf_crypto GROUP BY 1, 2 ORDER BY 1",
        )
        ((shaken,),) = rows(opened, "SELECT count(*) FROM cics_task WHERE tran = 'CWXN'")
    assert cards == [
        (0, "PCIXCC", shaken, pytest.approx(800 * shaken), 2e6),
        (1, "PCIXCC", 0, 0, 2e6),
    ]
