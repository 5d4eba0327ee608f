"""Which records the transactions of a scenario log and what is in them, by hand from its tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import imsperf
from imsperf import api
from imsperf.errors import ScenarioError
from imsperf.synthetic.accounts.hardware import host_of
from imsperf.synthetic.generate import generate
from imsperf.synthetic.log.db_calls import calls_of_codes
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.workloads.families import network

QUEUED = {"01": 1, "35": 2, "31": 2, "5607": 1, "03": 1, "3730": 1, "5612": 1, "56FA": 1,
          "36": 1, "33": 1}  # fmt: skip
FAST = {"5901": 1, "5937": 1, "5903": 1, "5936": 1}
THREAD = {"5603": 1, "560B": 1}
PHASES = {"5610": 1, "5611": 1}  # IMS asks Db2 before it commits: two phases


def logged(network: Network, tran: str) -> dict[str, int]:
    """Records of a transaction by code."""
    place = [work_class.name for work_class in network.classes].index(tran)
    return {
        record_kind.code: record_kind.counts[place]
        for record_kind in network.logged
        if record_kind.counts[place]
    }


def test_db2_transactions_log_by_the_kind_of_their_region() -> None:
    """IFP: Fast Path messages, MPP: queued ones. No changes: those are in the log of Db2."""
    mixed = network(load("tm-db2-irww"))
    assert logged(mixed, "NEWORDER") == FAST | THREAD
    assert logged(mixed, "DELIVERY") == logged(mixed, "PRICECHG") == QUEUED | PHASES | THREAD
    queued = network(load("esaf-pooling"))
    assert all(
        logged(queued, work_class.name) == QUEUED | PHASES | THREAD for work_class in queued.classes
    )
    assert {record_kind.code for record_kind in queued.logged} == {*QUEUED, *PHASES, *THREAD}
    alone = network(load("ff-haldb"))  # one resource manager, IMS itself: no first phase
    assert not {record_kind.code for record_kind in alone.logged} & PHASES.keys()


@pytest.mark.parametrize("name", ["tm-db2-irww", "esaf-pooling"])
def test_calls_of_db2_transactions_are_to_db2(name: str) -> None:
    calls = {work_class.name: (work_class.esaf_calls, work_class.db_calls, work_class.dedb_calls)
             for work_class in network(load(name)).classes}  # fmt: skip
    assert calls["NEWORDER"] == (20, 0, 0) and calls["STOCKINQ"] == (3, 0, 0)


def test_records_of_db2_transactions_have_no_databases(tmp_path: Path) -> None:
    """07 and 56FA count calls to Db2, 20 for each NEWORDER; no I/O to databases of IMS."""
    generate(load("esaf-pooling"), tmp_path / "run", seconds=0.2, seed=3)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        ends, units = (
            store.con.execute(sql).fetchall()
            for sql in (
                "SELECT DISTINCT esaf_calls / msgs, db_ios + db_io_us + gu + repl + fp_calls "
                "FROM ims_07 WHERE tran = 'NEWORDER'",
                "SELECT DISTINCT esaf_calls, db_ios + tptdbio + tpdgu + dl_repl + fp_calls "
                "FROM ims_56fa WHERE tptran = 'NEWORDER'",
            )
        )
        ((waited,),) = store.con.execute(
            "SELECT min(esaf_us) FROM ims_07 WHERE msgs > 1"
        ).fetchall()
        ((phases, others),) = store.con.execute(
            "SELECT count(*) FILTER (a.log_lsn < b.log_lsn AND b.log_lsn < c.log_lsn "
            "AND c.log_lsn < d.log_lsn), count(*) FROM ims_3730 AS c LEFT JOIN ims_5612 AS d "
            "USING (rtoken) LEFT JOIN ims_5610 AS a USING (rtoken) "
            "LEFT JOIN ims_5611 AS b USING (rtoken)"
        ).fetchall()
    assert phases == others > 300  # 5610 5611 3730 5612 of each unit of recovery
    assert ends == units == [(20, 0)]
    assert waited > 0  # of the time in Db2, the waits for its tables


@pytest.mark.parametrize("name, codes", [("jmp", ("01", "03")), ("tps-100k", ("5901", "5903"))])
def test_messages_are_logged_with_their_credentials(name: str, codes: tuple[str, str]) -> None:
    """000 7.5: "logged into IMS for all inbound and outbound messages": 2 x 100 bytes."""
    none, some = (network(load(name, {"security.credential_bytes": n})) for n in (0, 100))
    longer = {b.code: b.bytes - a.bytes for a, b in zip(none.logged, some.logged, strict=True)}
    assert {code: more for code, more in longer.items() if more} == dict.fromkeys(codes, 100)
    assert {b.log_bytes - a.log_bytes for a, b in zip(none.classes, some.classes, strict=True)} == {
        200
    }


DATA_SETS = """
    SELECT job, regexp_replace(dataset, '\\d+$', 'n') AS name, count(DISTINCT dataset)
    FROM smf_dataset_io WHERE dataset NOT LIKE '%.DFS%' GROUP BY ALL ORDER BY ALL"""


@pytest.mark.parametrize(
    "name, job, prefix, known",
    [
        ("jmp", "IMSADLI", "IMSA.", {"ACCOUNT", "CUSTOMER", "HISTORY"}),
        ("esaf-pooling", "DB2ADBM1", "DB2A.DSNDBD.IRWW.", {"CUSTOMER", "WAREHOUS", "IYITEM"}),
        ("fast-path", "IMSACTL", "IMSA.", set()),
    ],
)
def test_io_is_on_the_data_sets_of_databases(
    tmp_path: Path, name: str, job: str, prefix: str, known: set[str]
) -> None:
    """42.6 and type 30: DLI/SAS and Db2 have their own data sets, the control region areas.

    JMP transactions use three of six databases (000 T13).
    """
    scenario = load(name)
    generate(scenario, tmp_path / "run", seconds=0.1, seed=3)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        rows_read = store.con.execute(DATA_SETS).fetchall()
        logs = store.con.execute(
            "SELECT DISTINCT job, dataset FROM smf_dataset_io WHERE dataset LIKE '%.DFS%' "
            "ORDER BY 2"
        ).fetchall()
        charged = store.con.execute(
            "SELECT DISTINCT job FROM smf_address_space WHERE io_count > 0 ORDER BY 1"
        ).fetchall()
    assert {name for name, _, _ in rows_read} == {job}
    assert logs == [("IMSACTL", "IMSA.DFSOLP01"), ("IMSACTL", "IMSA.DFSWADS0")]
    assert charged == sorted({(job,), ("IMSACTL",)})
    assert sum(count for _, _, count in rows_read) > 50
    found = {name.removeprefix(prefix).split(".")[0] for _, name, _ in rows_read}
    assert known <= found and (name != "jmp" or found == known)


def test_the_interface_of_callers_names_their_kind() -> None:
    """A108 and A109: ODBM, or ODBA where application programs call by that interface."""
    usual, odba = (network(load("odbm", {"odbm.api": api})) for api in ("jdbc", "odba"))
    assert (usual.source, odba.source) == ("ODBM", "ODBA")
    assert usual.callers == odba.callers == ("ODBM1",)
    assert usual.cpu == odba.cpu


# Calls of each code by hand. 000 T2 says who inserts, deletes and updates; as many calls change as
# records are logged (2 for each write), but at most half of all, and they take turns. A delete and
# a replace have a hold call each; of the other gets one for each database is GU, the rest GN.
BY_HAND = {  #        GU GN GHU ISRT DLET REPL
    ("ff-haldb", "HR1"): (1, 9, 4, 0, 0, 4),  # 18 calls, 4 changes, update
    ("ff-haldb", "IT8"): (4, 18, 11, 0, 0, 11),  # 44, 11, update, four databases
    ("ff-haldb", "OE2"): (1, 0, 1, 0, 0, 1),  # 3, 1, update
    ("ff-haldb", "OE5"): (2, 1, 1, 1, 0, 1),  # 6, 2, update and insert, two databases
    ("ff-haldb", "PS2"): (2, 26, 0, 0, 0, 0),  # 28, reads two databases
    ("ff-haldb", "SC6"): (1, 6, 9, 0, 9, 0),  # 25, 9, delete
    ("ff-haldb", "TS1"): (1, 11, 5, 6, 5, 0),  # 28, 11, insert and delete
    ("cics-ff", "HR2"): (1, 4, 0, 1, 0, 0),  # 6, 1, insert
    ("cics-ff", "SC2"): (2, 4, 4, 0, 0, 4),  # 14, 4, update, two databases
    ("jmp", "FBTRAN"): (
        2,
        0,
        1,
        1,
        0,
        1,
    ),  # 5, 4; T13: inserts history, updates
    ("jmp", "FBLOGIN"): (1, 0, 1, 0, 0, 1),  # 3, 2: verifies, updates
    ("jmp", "FBLOGOUT"): (0, 0, 1, 0, 0, 1),  # 2, 2
    ("jmp", "FBACSUM"): (1, 3, 0, 0, 0, 0),  # 4
    ("trace-tables", "TS1"): (1, 9, 6, 6, 6, 0),  # 28, 12; no databases told
}


@pytest.mark.parametrize(("name", "code"), BY_HAND)
def test_calls_by_kind(name: str, code: str) -> None:
    scenario = load(name, {"workload.kind": "ff"} if name == "trace-tables" else {})
    model_network = network(scenario)
    calls = calls_of_codes(model_network, host_of(scenario))
    place = [known for known, _ in model_network.codes].index(code)
    kinds = (calls.gu, calls.gn, calls.ghu, calls.isrt, calls.dlet, calls.repl)
    assert tuple(int(kind[place]) for kind in kinds) == BY_HAND[name, code]


def test_calls_of_a_chain_are_those_of_its_programs() -> None:
    """OE1 3 gets of one database, OE2 and OE5 as above, OE4 3 gets: 5 GU, 5 GN and so on."""
    scenario = load("ff-haldb")
    model_network = network(scenario)
    calls = calls_of_codes(model_network, host_of(scenario)).of_classes(model_network)
    place = [work_class.name for work_class in model_network.classes].index("OE1")
    kinds = (calls.gu, calls.gn, calls.ghu, calls.isrt, calls.dlet, calls.repl)
    assert tuple(int(kind[place]) for kind in kinds) == (5, 5, 2, 1, 0, 2)


def test_records_tell_calls_by_kind(tmp_path: Path) -> None:
    """TS1 inserts and deletes by turns: 6 and 5 calls, in 56FA, 07 and A108; so do its 5050."""
    few = {"clients": 60, "regions.mpp": 20, "dasd.volumes": 8, "sched.plct": 1}
    generate(load("ff-haldb", few), tmp_path / "run", seconds=2.0, every_s=1.0, seed=3)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", strict=True)
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        unit, ended, changed = (
            store.con.execute(sql).fetchall()
            for sql in (
                "SELECT DISTINCT tpdgu, tpdgn, tpdghu, dl_isrt, dl_dlet, dl_repl FROM ims_56fa "
                "WHERE tptran = 'TS1'",
                "SELECT DISTINCT gu / msgs, gn / msgs, ghu / msgs, isrt / msgs, dlet / msgs, "
                "repl / msgs FROM ims_07 WHERE tran = 'TS1'",
                "SELECT DISTINCT count(*) FILTER (call = 'I'), count(*) FILTER (call = 'D'), "
                "count(*) FROM ims_5050 WHERE psb = (SELECT any_value(psb) FROM ims_07 "
                "WHERE tran = 'TS1') GROUP BY rtoken",
            )
        )
        ((source,),) = store.con.execute(
            "SELECT bool_and(db_gn_calls > 0 AND db_isrt_calls > 0 AND db_dlet_calls > 0) "
            "FROM ims_a108_source WHERE transactions_processed > 100"
        ).fetchall()
        audited = api.audit(store, check="source_units", every=True).table.to_pylist()
    assert unit == ended == [(1, 11, 5, 6, 5, 0)]
    assert changed == [(6, 5, 11)] and source
    kinds = {row["key"].rpartition(" ")[2] for row in audited}
    assert {"GU", "GN", "ISRT", "DLET", "REPL"} <= kinds


def test_threads_of_odbm_have_its_job_and_no_transaction(tmp_path: Path) -> None:
    """ODBM is no source of transactions: units of recovery name their PSB alone; 47 lists ODBM1."""
    few = {"clients": 4, "dasd.volumes": 8}
    generate(load("odbm", few), tmp_path / "run", seconds=0.1, seed=3)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", types="ims:47,ims:56,ims:A1")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        units, sources, regions = (
            store.con.execute(sql).fetchall()
            for sql in (
                "SELECT DISTINCT tpjobn, coalesce(tptran, ''), tpclass, tpprty FROM ims_56fa",
                "SELECT DISTINCT jobname, coalesce(tran, '') FROM ims_a109",
                "SELECT DISTINCT jobname, coalesce(tran, '') FROM ims_47_region",
            )
        )
    assert units == [("ODBM1", "", 0, 0)]
    assert sources == regions == [("ODBM1", "")]


@pytest.mark.parametrize(
    ("api_name", "flags"), [("jdbc", 0x6000), ("csldmi", 0x4000), ("odba", 0x4000)]
)
def test_clients_on_zos_do_not_come_through_ims_connect(
    tmp_path: Path, api_name: str, flags: int
) -> None:
    """000 6.10: CSLDMI and ODBA are called from z/OS; drivers come by DRDA: X'2000' of A109."""
    few = {"clients": 4, "dasd.volumes": 8, "odbm.api": api_name}
    generate(load("odbm", few), tmp_path / "run", seconds=0.05, seed=3)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", types="ims:A1")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        told = store.con.execute("SELECT DISTINCT flags FROM ims_a109").fetchall()
    assert told == [(flags,)]


def test_databases_of_transactions_are_those_of_the_scenario() -> None:
    scenario = load("jmp")
    table = scenario.tables["transactions"]
    table = replace(table, rows=tuple((*row[:-1], "ACOUNT") for row in table.rows))
    wrong = replace(scenario, tables=scenario.tables | {"transactions": table})
    with pytest.raises(ScenarioError, match="FBTRAN: found database ACOUNT"):
        host_of(wrong)
