"""What was simulated, charged to address spaces, classes and devices, adds up in the records."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from dump_files import load
from record_checks import HOST, every, read, written

from imsperf.errors import ScenarioError
from imsperf.synthetic.accounts.cpu_accounts import cpu_of
from imsperf.synthetic.accounts.hardware import host_of
from imsperf.synthetic.accounts.integer_split import as_weights, shared
from imsperf.synthetic.accounts.inventory import inventory_of
from imsperf.synthetic.accounts.space_queues import space_queues
from imsperf.synthetic.accounts.storage_accounts import storage_of
from imsperf.synthetic.generate import WARM_UP_S, generate
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.smf.type70 import average_msu, defined_msu, interrupts, used_msu
from imsperf.synthetic.smf.type71 import common_frames, page_time, paging_record
from imsperf.synthetic.smf.type78_2 import storage_group
from imsperf.synthetic.workloads.network_family import declared as build

SETTINGS = {"driver.rate_per_s": 4000, "dasd.volumes": 120, "cpu.gcps": 3, "regions.ifp": 60}
SECONDS, EVERY = 4.5, 1.0
UNIT_US = 36  # a service unit of 100 MSU/h
TICK = 4096

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def small() -> scenario.Scenario:
    return scenario.load("tps-100k", SETTINGS)


@pytest.fixture(scope="module")
def result(small: scenario.Scenario) -> SimResult:
    return simulate(build(small), seed=5, seconds=SECONDS, every_s=EVERY, warmup_s=WARM_UP_S)


@pytest.fixture(scope="module")
def rows(small: scenario.Scenario, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    run_written = generate(
        small, tmp_path_factory.mktemp("run"), seconds=SECONDS, every_s=EVERY, seed=5, sample_k=7
    )
    loaded, variant = load(run_written.paths[0])
    assert loaded.problems == []
    return variant


def of_records(rows: Rows, table: str) -> dict[int, dict[str, Any]]:
    """The section of each record that has one."""
    return {row["record_no"]: row for row in rows[table]}


def intervals(rows: Rows, table: str) -> dict[int, int]:
    """The interval of each record: those of type 30 by its clock, 42.6 by the product section."""
    start = {row["record_no"]: row["interval_start"] for row in rows[table]}
    order = sorted(set(start.values()))
    return {record: order.index(begin) for record, begin in start.items()}


def totals(rows: Rows, table: str, fields: str, key: dict[int, Any]) -> dict[Any, float]:
    """Sums of fields by what `key` says of a record; records without a key are left out."""
    by_key: dict[Any, float] = defaultdict(float)
    for row in rows[table]:
        if row["record_no"] in key:
            by_key[key[row["record_no"]]] += sum(row[name] for name in fields.split())
    return by_key


# --- shares ---------------------------------------------------------------------------------------


def test_shares_add_up() -> None:
    """To the last unit, and none is a unit or more away from its part, however large the total."""
    random = np.random.default_rng(1)
    total = np.concatenate([random.integers(0, 1 << 55, 200), np.arange(50)])
    weight = as_weights(random.random(40))
    shares = shared(total, weight)
    assert (shares.sum(axis=1) == total).all() and (shares >= 0).all()
    exact = total[-50:, None] * (weight / weight.sum())
    assert np.abs(shares[-50:] - exact).max() < 1
    assert shared(np.array([7]), np.zeros(3, dtype=np.int64)).tolist() == [[0, 0, 7]]
    by_row = shared(np.array([10, 10]), np.array([[1, 0], [1, 4]]))
    assert by_row.tolist() == [[10, 0], [2, 8]]


# --- CPU ------------------------------------------------------------------------------------------


def test_cpu_is_that_of_address_spaces_and_uncaptured(
    small: scenario.Scenario, result: SimResult
) -> None:
    """To the tick in every interval; what is uncaptured is what no space of the cost table has."""
    network = build(small)
    inventory = inventory_of(small, network)
    cpu, uncaptured = cpu_of(result, network, inventory)
    assert (cpu.sum(axis=1) + uncaptured == result.cpu_ticks.sum(axis=1)).all()
    assert cpu.min() >= 0 and uncaptured.min() > 0
    cost = dict(network.cpu.share_by_space)
    waits = (result.cont_shr + result.cont_exc).sum(axis=1) * 5 * TICK
    rest = result.cpu_ticks.sum(axis=1) - result.background_cpu_ticks
    rest = rest - result.cpu_search_ticks - waits
    assert uncaptured / rest == pytest.approx(cost["OTHER"] / sum(cost.values()), abs=1e-8)
    regions = inventory.of_program("DFSRRC00")
    done = result.transactions
    used = np.bincount(done["region"], done["cpu_region"], 60)  # in the order of their names
    assert len(regions) == 60 and np.ptp(used) > 0.05 * used.mean()
    assert cpu[:, regions].sum(axis=0) / cpu[:, regions].sum() == pytest.approx(
        used / used.sum(), abs=2e-4
    )
    ims = np.array([row == "IMS" for row in inventory.rows])
    share = (cpu[:, ims].sum(axis=1) - result.cpu_search_ticks - waits) / rest
    assert share == pytest.approx(cost["IMS"] / sum(cost.values()), abs=1e-8)
    assert (cpu[:, inventory.master] == result.background_cpu_ticks).all()


def test_type_72_is_the_sum_of_type_30(rows: Rows) -> None:
    """Service units of a class are those of its address spaces, also of a report class.

    An address space, and a class, has whole units of all its time since the run began: the spaces
    of a class together are less than one unit for each of them behind the class.
    """
    interval = intervals(rows, "smf30_processor")
    classes = of_records(rows, "smf30_performance")
    control = of_records(rows, "smf72_3_control")
    when = intervals(rows, "smf72_3_product")
    for which, report in (("smf30scn", 0), ("smf30rcn", 128)):
        key = {n: (interval[n], classes[n][which]) for n in interval}
        mine = {
            n: (when[n], section["r723mcnm"])
            for n, section in control.items()
            if section["r723mscf"] & 128 == report
            and section["r723mcnm"] not in ("IMSTRAN", "RTRAN")
        }
        for ours, theirs in (
            ("csu_l", "ccpu"),
            ("srb_l", "csrb"),
            ("io_l", "cioc"),
            ("srv_l", "csrv"),
        ):
            space = totals(rows, "smf30_performance", f"smf30{ours}", key)
            class_totals = totals(rows, "smf72_3_period", f"r723{theirs}", mine)
            assert set(class_totals) == set(space) and sum(class_totals.values()) > 0, theirs
            number = Counter(key.values())
            for name in {name for _, name in class_totals}:
                behind = np.cumsum([class_totals[n, name] - space[n, name] for n in range(5)])
                kinds = 3 if theirs == "csrv" else 1
                assert (behind >= 0).all() and (behind < kinds * number[0, name]).all()


def test_a_class_has_the_cpu_of_all_its_regions(
    rows: Rows, small: scenario.Scenario, result: SimResult
) -> None:
    """Behind it by less than a unit of 36 us at any time, not by one for each of 60 regions."""
    network = build(small)
    inventory = inventory_of(small, network)
    cpu, _ = cpu_of(result, network, inventory)
    used = cpu[:, inventory.of_program("DFSRRC00")].sum(axis=1) / TICK
    control = of_records(rows, "smf72_3_control")
    when = intervals(rows, "smf72_3_product")
    mine = {n: when[n] for n, section in control.items() if section["r723mcnm"] == "RREG"}
    units = totals(rows, "smf72_3_period", "r723ccpu", mine)
    behind = np.cumsum(used) - np.cumsum([units[n] * UNIT_US for n in range(5)])
    assert (behind >= 0).all() and (behind < UNIT_US).all() and used.min() > 10_000


def test_type_70_is_type_72_and_uncaptured(
    rows: Rows, small: scenario.Scenario, result: SimResult
) -> None:
    """Busy time of any intervals is what the classes have and the model says is uncaptured."""
    network = build(small)
    _, uncaptured = cpu_of(result, network, inventory_of(small, network))
    control = of_records(rows, "smf72_3_control")
    when = intervals(rows, "smf72_3_product")
    service = {n: when[n] for n in when if control[n]["r723mscf"] & 128 == 0}
    units = totals(
        rows, "smf72_3_period", "r723ccpu r723csrb", service
    )  # fmt: skip
    captured = np.array([units[n] for n in range(5)]) * UNIT_US
    where = intervals(rows, "smf70_1_cpu")
    wait = totals(rows, "smf70_1_cpu", "smf70wat", where)
    length = np.diff([0, 1, 2, 3, 4, 4.5]) * 1e6 * 3
    busy = length - np.array([wait[n] for n in range(5)]) / TICK
    gap = np.cumsum(busy - captured - uncaptured / TICK)
    spaces = len({row["smf30jbn"] for row in rows["smf30_identification"]})
    assert (gap > -1).all() and (gap < 2 * spaces * UNIT_US).all()
    assert 0.9 < captured.sum() / busy.sum() < 0.99


def test_cpu_time_of_type_30_is_cut_from_its_total(rows: Rows) -> None:
    """Hundredths of a second over the run are the service units over the run, to a unit of each."""
    spaces = of_records(rows, "smf30_identification")
    job = {n: space["smf30jbn"] for n, space in spaces.items()}
    time = totals(rows, "smf30_processor", "smf30cpt", job)
    units = totals(rows, "smf30_performance", "smf30csu_l", job)
    for name in time:
        assert -1 < units[name] * UNIT_US / 1e4 - time[name] < 1, name
    assert time["*MASTER*"] > 0 and len(time) == 71


# --- transactions ---------------------------------------------------------------------------------


def test_transactions_end_in_their_classes(rows: Rows, result: SimResult) -> None:
    """Ended, elapsed, squares, distribution: those of the simulation, in both kinds of class."""
    control = of_records(rows, "smf72_3_control")
    when = intervals(rows, "smf72_3_product")
    ended = result.completed.sum(axis=1)
    for name in ("IMSTRAN", "RTRAN"):
        mine = [n for n, section in control.items() if section["r723mcnm"] == name]
        periods = [row for row in rows["smf72_3_period"] if row["record_no"] in mine]
        assert [row["r723crcp"] for row in periods] == ended.tolist()
        elapsed = np.cumsum([row["r723ctetx"] for row in periods])
        drift = np.cumsum(result.response_ticks) / TICK - elapsed
        assert (drift >= 0).all() and (drift < 1).all()
        squares = [row["r723cetsx"] for row in periods]
        assert squares == result.response_squares_us2.tolist()
        by_name = {
            when[row["record_no"]]: row["r723trdb"]
            for row in rows["smf72_3_response"]
            if row["record_no"] in mine and row["period_no"]
        }
        assert [by_name[n] for n in range(5)] == result.response_bucket.tolist()
        assert {(row["r723crgf"], row["r723cval"], row["r723cpct"]) for row in periods} == {
            (128, 10, 90)
        }
    served = [row["r723scsn"] for row in rows["smf72_3_served"]]
    assert served == ["IMSTRAN"] * 5
    region = [row["r723scs"] for row in rows["smf72_3_served"]]
    assert sum(region) == result.region_ticks.sum() // (250_000 * TICK)


def test_report_classes_have_the_samples_of_service_classes(rows: Rows) -> None:
    """Using samples are CPU time over the sampling time."""
    control = of_records(rows, "smf72_3_control")
    kind = {n: section["r723mscf"] & 128 for n, section in control.items()}
    using = totals(rows, "smf72_3_period", "r723ccus", kind)
    units = totals(rows, "smf72_3_period", "r723ccpu r723csrb", kind)
    for flag in (0, 128):
        assert using[flag] == pytest.approx(units[flag] * UNIT_US / 250_000, abs=12)


# --- capacity -------------------------------------------------------------------------------------


def test_four_hours_roll() -> None:
    """Hours of 100 to 600 MSU; as many as in the first one in the hours before the run."""
    used = np.arange(100.0, 700.0, 100.0)
    assert average_msu(used, every(3600, 6)).tolist() == [100, 125, 175, 250, 350, 450]
    half = np.repeat(used, 2)  # the same in half hours
    assert average_msu(half, every(1800, 12))[1::2].tolist() == [100, 125, 175, 250, 350, 450]


def test_a_capped_partition_has_a_defined_capacity() -> None:
    """Two CPs of 100 MSU, busy 50 s and 40 s of a minute: 150 MSU, the limit while it is capped."""
    busy = np.array([[60, 60], [50, 40], [50, 40]]) * 1_000_000
    used = used_msu(busy, HOST, every(60, 3))
    assert used.tolist() == [200.0, 150.0, 150.0]
    assert defined_msu(used, np.array([0, 240, 0])).tolist() == [0, 150, 0]
    assert defined_msu(used, None).tolist() == [0, 0, 0]


# --- address spaces -------------------------------------------------------------------------------


def test_address_spaces_are_those_of_type_30_and_of_the_policy(rows: Rows) -> None:
    """60 regions and what tps-100k has beside them: 71 records of type 30, 71 in, MPL 71."""
    written = Counter(intervals(rows, "smf30_processor").values())
    asid = rows["smf70_1_asid"]
    assert [(row["smf70imn"], row["smf70imm"]) for row in asid] == [(71, 71)] * 5
    assert [row["smf70itt"] for row in asid] == [71 * row["smf70srm"] for row in asid]
    assert [(row["smf70smn"], row["smf70bmm"]) for row in asid] == [(71, 0)] * 5
    assert written == dict.fromkeys(range(5), 71)
    control = of_records(rows, "smf72_3_control")
    service = [r for r in rows["smf72_3_period"] if not control[r["record_no"]]["r723mscf"] & 128]
    seconds = sum(row["r723ctrr"] for row in service) * 1024 / 1e6
    assert seconds / SECONDS == pytest.approx(71, abs=0.02)


def test_a_job_that_ends_is_a_batch_address_space() -> None:
    """A quarter of a minute of a job beside two started tasks: 60 of 240 samples find three."""
    minute = 60_000_000 * TICK
    resident = np.array([[minute, minute // 4, minute]])
    none = np.zeros((1, 16), dtype=np.int64)
    simulated: Any = SimpleNamespace(
        ready_bucket=none, ready_min=none[:, 0], ready_max=none[:, 0] + 5, ready_sum=none[:, 0] + 9
    )
    program: Any = SimpleNamespace(place=1)
    queues = space_queues(simulated, resident, np.array([program.place]), every(60))
    assert [queues[f"smf70{name}"].tolist() for name in ("imn", "imm", "itt")] == [[2], [3], [540]]
    assert [queues[f"smf70{name}"].tolist() for name in ("bmn", "bmm", "btt")] == [[0], [1], [60]]
    assert [queues[f"smf70{name}"].tolist() for name in ("smn", "smm", "stt")] == [[2], [2], [480]]
    assert queues["smf70i00_i11"].tolist() == [[0, 180, 60, *[0] * 9]]
    assert queues["smf70b00_b11"].tolist() == [[180, 60, *[0] * 10]]
    assert queues["smf70rmm"] == 3 and queues["smf70cmm"] == 5 and queues["smf70rtt"] == 9
    simulated.ready_sum = (
        none[:, 0] + 90_000
    )  # all are ready, but in the one sample that finds none
    queues = space_queues(simulated, resident[:, :1], np.zeros(0, np.int64), every(60))
    assert [queues[f"smf70r{name}"].tolist() for name in ("mn", "mm", "tt")] == [[0], [1], [239]]


def test_frames_are_held_while_an_address_space_is_there(tmp_path: Path) -> None:
    """25,600 of each, for a quarter of the minute or all of it, in units of 1,024 us.

    SQA: 269 pages of 448 and 6,144 of 10,240 are 60 %; LPA: 91 MB; CSA: 260 KB and 19.2 MB.
    """
    minute = 60_000_000 * TICK
    resident = np.array([[minute, minute // 4, minute]])
    assert page_time(resident).tolist() == [[1_500_000_000, 375_000_000, 1_500_000_000]]
    storage = {"csa_below_16m_key7_kb": 260.0, "csa_above_16m_key7_mb": 19.2}
    common = common_frames(storage)
    assert common == {"sqa": 269 + 6144, "lpa": 91 * 256, "csa": 65 + 4916}
    group = paging_record(resident, storage, HOST, every(60))
    (row,) = read(written([group]), tmp_path / "dump")["smf71_1_paging"]
    in_use = [row[f"smf71{name}"] for name in ("mnt", "mxt", "avt")]
    assert in_use == [n + sum(common.values()) for n in (51_200, 76_800, 57_600)]
    assert [row[f"smf71{name}"] for name in ("mns", "mxs", "avs")] == [51_200, 76_800, 57_600]
    assert row["smf71avt"] + row["smf71avf"] == row["smf71tfc"] == 67_108_864
    once = replace(every(60), samples=np.array([1]))  # a quarter of one sample is none
    (row,) = read(written([paging_record(resident, storage, HOST, once)]), tmp_path / "once")[
        "smf71_1_paging"
    ]
    assert [row[f"smf71{name}"] for name in ("mns", "mxs", "avs")] == [51_200] * 3


def test_classes_have_the_frames_of_their_address_spaces(rows: Rows) -> None:
    """71 address spaces of 25,600 in 4.5 s, in units of 1,024 us of one frame."""
    control = of_records(rows, "smf72_3_control")
    service = [r for r in rows["smf72_3_period"] if not control[r["record_no"]]["r723mscf"] & 128]
    held = sum(row["r723cprs"] for row in service)
    assert held == pytest.approx(71 * 25_600 * SECONDS / 1024e-6, rel=1e-6)
    subtypes = {row["smf30typ"] for row in rows["smf30_subsystem"]}
    assert subtypes == {2}  # intervals: no address space here is one of the system's own (6)
    pages = [row["smf30psc"] for row in rows["smf30_storage"]]
    assert set(pages) == {25_000_000, 12_500_000}  # of 1 s, and of the last half
    assert len(pages) == 5 * 71
    assert [row["smf71avs"] for row in rows["smf71_1_paging"]] == [71 * 25_600] * 5


# --- I/O ------------------------------------------------------------------------------------------


def test_ios_agree_from_device_to_channel(rows: Rows) -> None:
    """74.1 = 42.6 = 42.5 = EXCP sections and total of 30 = paths of 78.3 = operations of 73."""
    device = sum(row["smf74ssc"] for row in rows["smf74_1_device"])
    assert device > 5000
    assert sum(row["s42dsion"] for row in rows["smf42_6_io"]) == device
    assert sum(row["s42scion"] for row in rows["smf42_5_storage_class"]) == device
    assert sum(row["smf30blk"] for row in rows["smf30_excp"]) == device
    assert sum(row["smf30ais"] for row in rows["smf30_io"]) == device
    assert sum(row["r783pt"] for row in rows["smf78_3_path"]) == device
    assert sum(row["r783htio"] for row in rows["smf78_3_hyperpav"]) < device
    assert sum(row["r783iifs"] for row in rows["smf78_3_iop"]) == device
    assert sum(row["smf73etc"] for row in rows["smf73_1_extended"]) == device
    path: dict[int, int] = defaultdict(int)
    for row in rows["smf78_3_path"]:
        path[row["r783cpid"]] += row["r783pt"]
    by_key: dict[int, int] = defaultdict(int)
    for row in rows["smf73_1_extended"]:
        by_key[row["smf73ecp"]] += row["smf73etc"]
    assert by_key == path and len(path) == 18


def test_each_area_is_on_its_volume_with_its_ios(rows: Rows) -> None:
    """T4: ACCTA has 480 areas; here one each on 120 volumes from device 8000, in their order."""
    names: dict[int, set[str]] = defaultdict(set)
    ios: dict[int, int] = defaultdict(int)
    for data_set, use in zip(rows["smf42_6_dataset"], rows["smf42_6_io"], strict=True):
        names[data_set["s42dsdev"]].add(data_set["s42dsn"].rpartition(".")[2])
        ios[data_set["s42dsdev"]] += use["s42dsion"]
    on_device: dict[int, int] = defaultdict(int)
    for row in rows["smf74_1_device"]:
        on_device[row["smf74num"]] += row["smf74ssc"]
    first = min(names)
    areas = {device: name for device, name in names.items() if device < first + 120}
    assert areas == {first + n: {f"ACCTA{n:03d}"} for n in range(120)}
    assert {device: ios[device] for device in areas} == {d: on_device[d] for d in areas}


def test_requests_find_the_queue_of_an_io_processor_empty(rows: Rows) -> None:
    """RMF prints (R783IQSM - R783IQCT) / R783IQCT: 0.00 where a request counts itself alone."""
    queue = [(row["r783iqct"], row["r783iqsm"] - row["r783iqct"]) for row in rows["smf78_3_iop"]]
    assert len(queue) == 4 * 5 and all(count > 0 for count, _ in queue)
    assert {excess for _, excess in queue} == {0}


def test_any_cp_takes_an_interrupt() -> None:
    """30,000 by three CPs: 10,000 each, standard deviation 82; by TPI 500, 22."""
    total = np.array([30_000, 29_990, 0, 30_010])
    taken, interrupted = interrupts(total, 3, HOST)
    assert (taken.sum(axis=1) == total).all()
    busy = [0, 1, 3]
    assert (abs(taken[busy] - 10_000) < 5 * 82).all() and (
        abs(interrupted[busy] - 500) < 5 * 22
    ).all()
    assert (
        np.ptp(taken, axis=1).tolist() != [0, 0, 0, 0]
        and len(set(interrupted[busy, 0].tolist())) > 1
    )
    alone = interrupts(np.array([1, 2, 3, 30_010]), 3, HOST)  # the last one is as it was
    assert (alone[0][3] == taken[3]).all() and (alone[1][3] == interrupted[3]).all()


def test_connect_time_agrees(rows: Rows) -> None:
    """Within a unit for each place that cuts: devices, control units, the address space."""
    unit = {
        "74.1": sum(row["smf74cnn"] for row in rows["smf74_1_device"]),
        "78.3": sum(row["r783dctm"] for row in rows["smf78_3_queue"]),
        "30": sum(row["smf30aic"] for row in rows["smf30_io"]),
        "72.3": sum(row["r723cict"] for row in rows["smf72_3_period"]) / 2,  # in reports once more
    }
    devices = len({row["smf74num"] for row in rows["smf74_1_device"]})
    assert max(unit.values()) - min(unit.values()) < devices
    means = sum(row["s42dsc1u"] * row["s42dsion"] for row in rows["smf42_6_io"])
    assert means / 128 == pytest.approx(unit["74.1"], rel=0.01)


def test_messages_are_sent_and_received(rows: Rows, result: SimResult) -> None:
    """What IMS Connect sends IMS receives, and back."""
    ims = [row for row in rows["smf74_2_member"] if row["r742mmem"] == "IMSA"]
    others = [row for row in rows["smf74_2_member"] if row["r742mmem"] != "IMSA"]
    assert [row["r742mrcv"] for row in ims] == result.xcf_messages.tolist()
    assert [row["r742msnt"] for row in ims] == result.completed.sum(axis=1).tolist()
    for ours, theirs in (("r742msnt", "r742mrcv"), ("r742mrcv", "r742msnt")):
        assert sum(row[ours] for row in ims) == sum(row[theirs] for row in others)
    assert len(others) == 5 * 20  # intervals; ports, four of each IMS Connect
    assert {row["r742mjob"] for row in others} == {f"IMSACON{n}" for n in range(1, 6)}


# --- the inventory --------------------------------------------------------------------------------


def test_inventory_of_a_scenario_with_tables() -> None:
    """Address spaces, classes and goals are those of the scenario's tables."""
    variant = scenario.load("tps-100k", SETTINGS)
    given = scenario.load("fast-path")
    tables = {name: given.tables[name] for name in ("address_spaces", "goals")}
    inventory = inventory_of(Merged(variant, tables), build(variant))
    jobs = [space.job for space in inventory.spaces]
    assert {"*MASTER*", "IMSACTL", "IMSADLI", "IMSACON5", "IFP00060", "RACF"} <= set(jobs)
    assert len(jobs) == len(set(jobs)) and len({space.asid for space in inventory.spaces}) == len(
        jobs
    )
    names = [work_class.name for work_class in inventory.classes if not work_class.report]
    assert names == ["SYSTEM", "SYSSTC", "IMSHI", "IMSREG", "IMSTRAN"]
    assert (
        inventory.classes[inventory.transactions[0]].goals[0].middle_ms == 10
    )  # of the simulation
    assert host_of(variant).ims_id == "IMSA"


class Merged:
    """A scenario with other tables."""

    def __init__(self, one: scenario.Scenario, tables: dict[str, Any]) -> None:
        self.tables = {**one.tables, **tables}
        self.knobs, self._one = one.knobs, one

    def __getitem__(self, key: str) -> Any:
        return self._one[key]

    def table(self, name: str) -> list[dict[str, Any]]:
        rows_of_table = self.tables[name]
        return [
            dict(zip([c.name for c in rows_of_table.columns], row, strict=True))
            for row in rows_of_table.rows
        ]


def test_storage_that_a_scenario_repeats(tmp_path: Path) -> None:
    """Metrics in KB and MB become bytes of the areas that the reports name, in each interval."""
    variant = scenario.load("tps-100k", SETTINGS)
    values = {
        "csa_below_16m_key7_kb": 368.0,
        "csa_above_16m_key7_mb": 715.0,
        "control_lsqa_private_kb": 1280.0,
        "control_lsqa_eprivate_mb": 15.1,
        "control_user_private_kb": 2272.0,
        "control_user_eprivate_mb": 96.2,
        "ims_connect_user_eprivate_mb": 206.0,
        "cqs_user_eprivate_mb": 11.0,  # no such address space here
    }
    interval = every(60, 2)
    storage = storage_of(values, inventory_of(variant, build(variant)), interval)
    assert storage is not None
    rows_read = read(written([storage_group(storage, HOST, interval)]), tmp_path / "dump")
    common = [r for r in rows_read["smf78_2_common_area"] if r["area"] == "r782csak_7"]
    assert [(r["bmin"], r["amax"]) for r in common] == [(376_832, 749_731_840)] * 2
    free = [r for r in rows_read["smf78_2_common_area"] if r["area"] == "r782csaf"]
    assert [(r["bmin"], r["amin"]) for r in free] == [((4096 - 368) * 1024, 85 << 20)] * 2
    sqa = {
        r["area"]: r["btotl"] / 240 for r in rows_read["smf78_2_common_area"] if "sq" in r["area"]
    }
    assert sqa["r782sqau"] == sqa["r782sqal"] == 269 * 4096  # 60 % of 448 pages: 268.8
    assert sqa["r782sqaf"] == sqa["r782sqlf"] == 179 * 4096
    names = [r["r782jobn"] for r in rows_read["smf78_2_private"]]
    assert names == ["IMSACTL", "IMSACON1"] * 2
    area = {
        (r["private_no"], r["area"]): r for r in rows_read["smf78_2_private_area"] if r["amax"]
    }  # fmt: skip
    assert area[1, "r782lsal"]["bmax"] == 1_310_720 and area[1, "r782lsal"]["amax"] == 15_833_498
    assert area[1, "r782usal"]["bmin"] == 2_326_528 and area[1, "r782usal"]["amin"] == 100_873_011
    assert area[2, "r782usal"]["atotl"] / 240 == pytest.approx(216_006_656, rel=1e-6)
    assert area[1, "r782lspa"]["amax"] == 3866 * 4096  # 3865.6 pages
    for name in ("lsfp", "lsfb", "usfp", "usfb"):
        assert area[1, f"r782{name}"]["bmax"] == (8192 - 1280 - 2272) * 1024
    assert storage_of({}, inventory_of(variant, build(variant)), interval) is None


def test_space_of_an_unknown_class() -> None:
    variant = scenario.load("tps-100k", SETTINGS)
    given = scenario.load("fast-path")
    tables = {"address_spaces": given.tables["address_spaces"], "goals": None}
    merged = Merged(variant, tables)
    del merged.tables["goals"]
    inventory = inventory_of(merged, build(variant))  # the assumed goals have all its classes
    assert inventory.spaces
    rows = merged.table("address_spaces")
    rows[0]["service_class"] = "IMSHIGH"
    merged.table = lambda name: rows  # type: ignore[method-assign]
    with pytest.raises(ScenarioError, match="IMSACTL: found no service class 'IMSHIGH'"):
        inventory_of(merged, build(variant))
