"""What was simulated is what stands in the bytes, read back without our parsers."""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from adapya.base.recordio import readrec
from evidence_files import evidence

from imsperf.errors import ImsperfError, ScenarioError
from imsperf.kinds import TOD_EPOCH
from imsperf.synthetic import generate as generating
from imsperf.synthetic.accounts.hardware import Host, host_of
from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.generate import WARM_UP_S, Generated, generate
from imsperf.synthetic.log import logstream
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation import columns
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.smf.type74_1 import volume_names
from imsperf.synthetic.workloads.network_family import declared as build
from imsperf.synthetic.writer import DumpFile

SETTINGS = {"driver.rate_per_s": 4000, "dasd.volumes": 120, "cpu.gcps": 3, "regions.ifp": 60}
SECONDS, EVERY = 2.5, 1.0
TICK = 4096

START, SWITCH, SIGNATURE, CHECKPOINT, REGIONS = "06", "42", "a0", "4001", "47"


def small() -> scenario.Scenario:
    return scenario.load("tps-100k", SETTINGS)


@pytest.fixture(scope="module")
def run_written(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("run")
    return generate(small(), folder, seconds=SECONDS, every_s=EVERY, seed=3)


@pytest.fixture(scope="module")
def result() -> SimResult:
    """The simulation behind `made`."""
    return simulate(
        build(small()), seed=3, seconds=SECONDS, every_s=EVERY, warmup_s=WARM_UP_S, sample_k=1
    )


def records(path: Path) -> list[bytes]:
    """Records with an RDW in front, so that documented offsets hold."""
    form = "RDW" if path.suffix == ".rdw" else "BDW"
    with path.open("rb") as file:
        return [
            (len(record) + 4).to_bytes(2, "big") + bytes(2) + record
            for record in readrec(file, form)
        ]


# --- SMF ----------------------------------------------------------------------------------------


def places() -> dict[str, tuple[int, int]]:
    """Offset and length of each field, from the source, not from our declarations."""
    lines = {**evidence("smf70_1").fields, **evidence("smf74_1").fields}
    return {".".join(key): (line.offset or 0, line.length) for key, line in lines.items()}


PLACES = places()


def field(table: str, column: str, section: bytes) -> int:
    at, length = PLACES[f"{table}.{column}"]
    return int.from_bytes(section[at : at + length], "big")


def sections(record: bytes, at: int) -> list[bytes]:
    """The sections a triplet points to."""
    start, length, number = (
        int.from_bytes(record[at + a : at + b], "big") for a, b in ((0, 4), (4, 6), (6, 8))
    )
    return [record[start + n * length : start + (n + 1) * length] for n in range(number)]


def of_type(run_written: Generated, kind: int, subtype: int = 1) -> list[bytes]:
    matching = [record for record in records(run_written.paths[0]) if record[5] == kind]
    return [record for record in matching if int.from_bytes(record[22:24], "big") == subtype]


def values(run_written: Generated, kind: int, at: int, table: str, column: str) -> np.ndarray:
    """A field of every section, (records, sections)."""
    return np.array(
        [
            [field(table, column, s) for s in sections(record, at)]
            for record in of_type(run_written, kind)
        ],
        dtype=np.int64,
    )


def devices(run_written: Generated, column: str) -> np.ndarray:
    """A field of every device, (intervals, devices), over all 74.1 records of an interval."""
    per_interval = len(of_type(run_written, 74)) // 3
    per_record = [
        [field("smf74_1_device", column, s) for s in sections(record, 44)]
        for record in of_type(run_written, 74)
    ]
    grouped = [per_record[n : n + per_interval] for n in range(0, len(per_record), per_interval)]
    return np.array([[v for device in group for v in device] for group in grouped], dtype=np.int64)


def test_order_of_the_dump(run_written: Generated) -> None:
    """Dump header, records by the time of their write, trailer; lengths of z/OS 2.4.

    In each interval 75 address spaces (master, 3 of IMS, 5 IMS Connects, 60 regions, TCP/IP, XCF),
    two records of 121 data sets and one of the OLDS, 42.5, 70, 71, 11 classes, 73, two 74.1, 74.2,
    78.3; 74.5 of 64 and 56 database volumes and of those of the log.
    """
    smf_records = records(run_written.paths[0])
    expected = {(30, 2): 71, (42, 6): 3, (42, 5): 1, (70, 1): 1, (72, 3): 11, (73, 1): 1}
    expected |= {(71, 1): 1, (74, 1): 2, (74, 2): 1, (74, 5): 3, (78, 3): 1}
    kinds = [(r[5], int.from_bytes(r[22:24], "big")) for r in smf_records[1:-1]]
    each = sum(expected.values())
    for n in range(3):
        assert Counter(kinds[n * each : (n + 1) * each]) == expected
    written = [(r[10:14], r[6:10]) for r in smf_records[1:-1]]
    assert written == sorted(written)
    assert (smf_records[0][5], smf_records[-1][5]) == (2, 3)
    assert len(smf_records[0]) == len(smf_records[-1]) == 18
    (cpu, *_) = of_type(run_written, 70)
    control, processors = sections(cpu, 36), sections(cpu, 68)
    assert (len(control), len(control[0]), len(processors[0])) == (1, 344, 88)
    assert max(map(len, smf_records)) <= 32_756


def test_cpu_wait_is_exact(run_written: Generated, result: SimResult) -> None:
    """Online minus wait is the simulated busy time, to the tick, on each CPU."""
    wait = values(run_written, 70, 44, "smf70_1_cpu", "smf70wat")
    assert (result.ticks[:, None] - wait == result.cpu_ticks).all()


def test_dispatch_time_adds_up(run_written: Generated, result: SimResult) -> None:
    """PDT is the busy time within 1 us over any intervals; EDT <= PDT <= what the machine has."""
    cps = result.cpu_ticks.shape[1]
    dispatch = values(run_written, 70, 68, "smf70_1_processor", "smf70pdt")
    effective = values(run_written, 70, 68, "smf70_1_processor", "smf70edt")
    drift = np.cumsum(result.cpu_ticks / TICK - dispatch[:, :cps], axis=0)
    assert (drift >= 0).all() and (drift < 1).all()
    assert (dispatch >= effective).all()
    online = result.ticks / TICK * dispatch[:, cps:].shape[1]
    assert (dispatch.sum(axis=1) <= online).all()


def test_sections_of_the_partitions(run_written: Generated) -> None:
    """BDS skips, BDN counts; the second partition is PHYSICAL and ends the list."""
    first = values(run_written, 70, 60, "smf70_1_partition", "smf70bds")
    number = values(run_written, 70, 60, "smf70_1_partition", "smf70bdn")
    assert (first[:, 1] == number[:, 0]).all()
    one = of_type(run_written, 70)[0]
    assert number[0].sum() == len(sections(one, 68))
    assert sections(one, 60)[1][:8].decode("cp037") == "PHYSICAL"
    index = values(run_written, 70, 68, "smf70_1_processor", "smf70cix")
    assert (index == 1).all()
    assert sections(one, 76)[0][:16].decode("cp037").rstrip() == "CP"


def test_vertical_weights_share_the_machine(run_written: Generated) -> None:
    """A CPU that could take a whole physical one is entitled to 100 %."""
    weight = values(run_written, 70, 68, "smf70_1_processor", "smf70pow")[:, 0]
    samples = values(run_written, 70, 36, "smf70_1_control", "smf70dsa")[:, 0]
    physical = values(run_written, 70, 76, "smf70_1_cpu_id", "smf70ctn")[0, 0]
    total = values(run_written, 70, 68, "smf70_1_processor", "smf70bps")[0, 0]
    assert weight / (4096 * samples) / total * physical == pytest.approx(1, abs=1e-3)


def test_interrupts_are_the_ios(run_written: Generated, result: SimResult) -> None:
    """SLH + TPI over the CPUs = I/Os to databases and logs."""
    taken = sum(
        values(run_written, 70, 44, "smf70_1_cpu", name).sum(axis=1)
        for name in ("smf70slh", "smf70tpi")
    )
    ios = result.io_count.sum(axis=1) + result.wads_writes + result.olds_blocks
    assert (taken == ios).all()
    assert (devices(run_written, "smf74ssc").sum(axis=1) == ios).all()


def test_ready_work_is_the_sampled_work(run_written: Generated, result: SimResult) -> None:
    """The distribution of 16 and its sums are those of the simulated samples."""
    asid = [sections(record, 52)[0] for record in of_type(run_written, 70)]
    for n, space in enumerate(asid):
        at, _ = PLACES["smf70_1_asid.smf70u00_u15"]
        counters = np.frombuffer(space[at : at + 64], dtype=">u4")
        assert (counters == result.ready_bucket[n]).all()
        assert counters.sum() == field("smf70_1_asid", "smf70srm", space) == result.samples[n]
        assert field("smf70_1_asid", "smf70ctt", space) == result.ready_sum[n]


def test_device_times_add_up(run_written: Generated, result: SimResult) -> None:
    """Each time is within one unit of the simulated sum over any intervals from the start."""
    for column, name in (
        ("smf74cnn", "conn"), ("smf74pen", "pend"), ("smf74dis", "disc"),
        ("smf74cmr", "cmr"), ("smf74dvb", "db"), ("smf74idt", "int"),
    ):  # fmt: skip
        units = devices(run_written, column)[:, :120]
        drift = np.cumsum(getattr(result, f"io_{name}") / (128 * TICK) - units, axis=0)
        assert (drift >= 0).all() and (drift < 1).all(), column
    active = devices(run_written, "smf74atv")
    parts = sum(devices(run_written, name) for name in ("smf74cnn", "smf74pen", "smf74dis"))
    assert (active == parts).all()
    assert not devices(run_written, "smf74utl").any()


def test_log_volumes_have_the_log_writes(run_written: Generated, result: SimResult) -> None:
    """The two last devices are WADS and OLDS; their response is the time of the writes."""
    writes = np.stack([result.wads_writes, result.olds_blocks], axis=1)
    time = np.stack([result.wads_ticks, result.olds_ticks], axis=1).sum(axis=0)
    assert (devices(run_written, "smf74ssc")[:, -2:] == writes).all()
    units = devices(run_written, "smf74atv")[:, -2:].sum(axis=0)
    assert (np.abs(units - time / (128 * TICK)) < 3).all()


def test_devices_go_on_in_the_next_record(run_written: Generated) -> None:
    """TOT counts the devices over all records; all but the last say that more follow."""
    for column, want in (("smf74tot", [122, 122]), ("smf74smf", [0x80, 0]), ("smf74nxt", [2, 0])):
        controls = [
            field("smf74_1_control", column, sections(record, 36)[0])
            for record in of_type(run_written, 74)
        ]
        assert controls == want * 3, column
    numbers = devices(run_written, "smf74num")
    assert all(len(set(number)) == 122 for number in numbers.tolist())


def test_local_and_utc(run_written: Generated) -> None:
    """IST and DAT are local, GIE is UTC, LGO is the difference; intervals join without a gap."""
    product = [sections(record, 28)[0] for record in of_type(run_written, 70)]
    host = host_of(small())
    for n, section in enumerate(product):
        offset = int.from_bytes(section[60:68], "big", signed=True) // TICK
        assert offset == host.offset_minutes * 60_000_000
        end = TOD_EPOCH + np.timedelta64(int.from_bytes(section[80:88], "big") // TICK, "us")
        length = min(EVERY, SECONDS - n * EVERY)
        start = host.start_utc + np.timedelta64(round(n * EVERY * 1e6), "us")
        assert end == start + np.timedelta64(round(length * 1e6), "us")
        local = (start + host.offset).astype("datetime64[s]").item()
        assert section[10:14].hex() == f"0{local:%H%M%S}f"
        assert section[14:18].hex() == f"0{local.year - 1900:03d}{local:%j}f"
        assert section[18:22].hex() == f"00{round(length * 1000):05d}f"
        assert section[40:48].decode("cp037") == "zV020400"


def test_intervals_across_the_year_end_in_local_time(tmp_path: Path) -> None:
    """Starts on both sides of local midnight, an hour from UTC; the last interval is cut."""
    start = {"run.start": "2014-12-31T22:59:58", "run.local_offset_minutes": 60}
    variant = scenario.load("tps-100k", {**SETTINGS, "driver.rate_per_s": 100, **start})
    run_written = generate(variant, tmp_path, seconds=4.5, every_s=2, sample_k=1000)
    product = [sections(record, 28)[0] for record in of_type(run_written, 70)]
    assert [
        (section[10:14].hex(), section[14:18].hex(), section[18:22].hex()) for section in product
    ] == [
        ("0235958f", "0114365f", "0002000f"),
        ("0000000f", "0115001f", "0002000f"),
        ("0000002f", "0115001f", "0000500f"),
    ]


def test_error_diffusion() -> None:
    """Any run of intervals is within one unit of its ticks; the whole is cut once."""
    ticks = np.random.default_rng(1).integers(0, 10_000, (50, 7))
    units = in_units(ticks, 512)
    drift = np.cumsum(ticks, axis=0) - 512 * np.cumsum(units, axis=0)
    assert (drift >= 0).all() and (drift < 512).all()


def test_volume_names_are_different() -> None:
    """Six letters each, as many as are asked for."""
    for count in (1, 99, 205, 435, 1035, 5000):
        names = volume_names("S60$", count)
        assert len(set(names)) == count and all(len(name) == 6 for name in names)
    assert volume_names("S60$", 3) == ["S60$01", "S60$02", "S60$03"]


# --- IMS log ------------------------------------------------------------------------------------


def code(record: bytes) -> str:
    """Code, and subcode where the code has one."""
    return record[4:6].hex() if record[4] in (0x40, 0x45, 0x59, 0xA1) else record[4:5].hex()


def number(record: bytes, at: int, length: int = 8) -> int:
    return int.from_bytes(record[at : at + length], "big")


def log(run_written: Generated) -> list[bytes]:
    return records(run_written.paths[1])


def test_log_is_in_order(run_written: Generated) -> None:
    """Sequence numbers from 1 without a gap, times that never fall, the signature first."""
    log_records = log(run_written)
    assert [number(record, len(record) - 8) for record in log_records] == list(
        range(1, len(log_records) + 1)
    )
    stck = np.array([number(record, len(record) - 16) for record in log_records], dtype=np.uint64)
    assert (stck[1:] >= stck[:-1]).all()
    assert [code(record) for record in log_records[:4]] == [SIGNATURE, START, SWITCH, CHECKPOINT]
    assert code(log_records[-1]) == SWITCH
    assert number(log_records[-1], 52) == len(log_records)
    assert all(number(record, 0, 2) == len(record) for record in log_records)


def test_signature(run_written: Generated) -> None:
    """Profile, seed, sampling and interval, at the places of the profile."""
    first = log(run_written)[0]
    assert first[6:24].decode("cp037") == "IMSPERF1imsperf-1 "
    assert (number(first, 32), number(first, 48, 4), number(first, 52, 4)) == (3, 1, 100)
    start = TOD_EPOCH + np.timedelta64(number(first, 40) // TICK, "us")
    assert start == host_of(small()).start_utc


def checkpoints(run_written: Generated) -> list[tuple[int, int]]:
    """Where each checkpoint begins and ends in the log."""
    codes = [code(log_record) for log_record in log(run_written)]
    starts = [n for n, log_code in enumerate(codes) if log_code == CHECKPOINT]
    ends = [n for n, log_code in enumerate(codes) if log_code == "4098"]
    return list(zip(starts, ends, strict=True))


def test_order_of_a_checkpoint(run_written: Generated) -> None:
    """At the start, at each boundary and at the end; the record 45FF counts those of code 45."""
    log_records = log(run_written)
    pools = len({pool.pool for pool in build(small()).pools})
    want = [CHECKPOINT, REGIONS, "4500", "4506", "4507", "450a", *["450e"] * pools]
    want += ["451a", "451b", "4505", "4521", "4522", "45ff", "a108", "a10d", "a10c", "4098"]
    assert len(checkpoints(run_written)) == 4
    for n, (begin, end) in enumerate(checkpoints(run_written), start=1):
        assert [code(log_record) for log_record in log_records[begin : end + 1]] == want
        last = log_records[begin + want.index("45ff")]
        assert number(last, 30, 4) == sum(field.startswith("45") for field in want)
        assert {number(log_record, 6, 4) for log_record in log_records[begin : end + 1]} == {n}


def between(run_written: Generated) -> list[Counter[str]]:
    """Records of each code from one checkpoint to the next."""
    codes = [code(log_record) for log_record in log(run_written)]
    return [Counter(codes[a[1] + 1 : b[0]]) for a, b in pairwise(checkpoints(run_written))]


def grown(run_written: Generated, name: str, at: int) -> np.ndarray:
    """Differences of a statistics counter from set to set."""
    return np.diff(
        [number(log_record, at) for log_record in log(run_written) if code(log_record) == name]
    )


def test_statistics_count_what_the_log_holds(run_written: Generated, result: SimResult) -> None:
    """With every transaction logged: dequeued = 5936, records = those of each sync point.

    That holds to the end: what is under way then is in the counter and in the log.
    """
    counted = between(run_written)
    dequeued = [log_record["5936"] for log_record in counted]
    assert (
        grown(run_written, "4500", 54).tolist() == dequeued == result.completed.sum(axis=1).tolist()
    )
    written = np.array([4 * log_record["5937"] + log_record["5950"] for log_record in counted])
    assert (grown(run_written, "4507", 30) == written).all()
    size = np.array([400 * log_record["5937"] + 66 * log_record["5950"] for log_record in counted])
    assert (grown(run_written, "4507", 38) == size).all()
    assert (grown(run_written, "4507", 30) == result.records).all()


def test_statistics_are_the_simulated_sums(run_written: Generated, result: SimResult) -> None:
    """Logger, latches: counters exact, times within a microsecond."""
    for name, at in (
        ("check_writes", 46), ("wait_writes", 54), ("awe", 78), ("wads_writes", 86),
        ("wads_cis", 94), ("olds_blocks", 102),
    ):  # fmt: skip
        assert (grown(run_written, "4507", at) == getattr(result, name)).all(), name
    assert np.abs(grown(run_written, "4507", 134) - result.wads_ticks / TICK).max() < 1
    for latch in (0, 1):
        for name, at in (("get_shr", 42), ("get_exc", 50), ("cont_shr", 58), ("cont_exc", 66)):
            want = getattr(result, name)[:, latch]
            assert (grown(run_written, "450a", at + 52 * latch) == want).all(), name


def test_pools_are_the_simulated_pools(run_written: Generated, result: SimResult) -> None:
    """Gets and high-water marks of each buffer size, in the order of the pool definitions."""
    network = build(small())
    statistics = [log_record for log_record in log(run_written) if code(log_record) == "450e"]
    for n, size in enumerate(network.pools):
        mine = [record for record in statistics if record[34:38].decode("cp037") == size.pool]
        entry = [m for m, pool in enumerate(network.pools) if pool.pool == size.pool].index(n)
        at = 70 + 120 * entry
        assert [number(record, at, 4) for record in mine] == [size.buffer_bytes] * 4
        gets = np.diff([number(record, at + 32) for record in mine])
        assert (gets == result.pool_gets[:, n]).all()
        high = [number(record, at + 112, 4) for record in mine[1:]]
        assert (high == result.pool_high[:, n]).all()


def test_records_of_a_transaction_belong_together(
    run_written: Generated, result: SimResult
) -> None:
    """Tokens are unique, equal in all records of a transaction, and the times are in order; what
    follows is missing of those that are under way at the end."""
    assert result.flying is not None
    under_way = int((result.flying["sync"] < result.ticks.sum()).sum())
    uow = {"5901": 80, "5937": 64, "5903": 32, "5936": 6}
    rtoken = {"5901": 6, "5937": 6, "5903": 6, "5950": 6}
    by_key: dict[str, list[bytes]] = {}
    for log_record in log(run_written):
        by_key.setdefault(code(log_record), []).append(log_record)
    sets = {k: [log_record[at : at + 24] for log_record in by_key[k]] for k, at in uow.items()}
    assert all(len(set(v)) == len(v) for v in sets.values())
    assert set(sets["5903"]) <= {*sets["5936"], *sets["5937"]}
    assert len(set(sets["5937"]) - set(sets["5936"])) == under_way
    tokens = {k: {log_record[at : at + 16] for log_record in by_key[k]} for k, at in rtoken.items()}
    assert tokens["5950"] <= tokens["5937"]
    assert len(tokens["5937"] - tokens["5903"]) <= under_way
    for log_record in by_key["5901"]:
        assert (
            number(log_record, 64)
            <= number(log_record, 72)
            == number(log_record, len(log_record) - 16)
        )
    for log_record in by_key["5937"]:
        assert number(log_record, 48) <= number(log_record, 56)
        assert number(log_record, 48) == number(log_record, len(log_record) - 16)


def test_transactions_are_the_simulated_ones(run_written: Generated, result: SimResult) -> None:
    """Sync point times are those of the table, each once."""
    start = int(host_tod(host_of(small())))
    offsets = [
        number(log_record, 48) - start
        for log_record in log(run_written)
        if code(log_record) == "5937"
    ]
    assert result.flying is not None
    sync = np.sort(np.concatenate([result.transactions["sync"], result.flying["sync"]]))
    assert offsets == sync[(sync >= 0) & (sync < result.ticks.sum())].tolist()


def host_tod(host: Host) -> int:
    return int((host.start_utc - TOD_EPOCH).astype(np.int64)) * TICK


# --- the run ------------------------------------------------------------------------------------


def digest(run_written: Generated) -> list[bytes]:
    return [path.read_bytes() for path in run_written.paths]


def test_same_seed_same_bytes(
    run_written: Generated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the log is cut into slices; another seed gives another log."""
    monkeypatch.setattr(logstream, "SLICE", 777)
    options: dict[str, Any] = {"seconds": SECONDS, "every_s": EVERY}
    again = generate(small(), tmp_path / "a", seed=3, **options)
    assert digest(again) == digest(run_written)
    other = generate(small(), tmp_path / "b", seed=4, **options)
    assert other.paths[1].read_bytes() != run_written.paths[1].read_bytes()


@pytest.mark.parametrize("rows", [97, 2011])
def test_bytes_do_not_depend_on_what_is_handed_over_at_once(
    run_written: Generated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """Every so many transactions the log goes on, also between the ends of the intervals."""
    monkeypatch.setattr(columns, "CHUNK_ROWS", rows)
    told = list[int]()
    add = logstream.LogWriter.add
    monkeypatch.setattr(
        logstream.LogWriter,
        "add",
        lambda self, log, new: (told.append(len(new.times)), add(self, log, new)),
    )
    again = generate(small(), tmp_path, seconds=SECONDS, every_s=EVERY, seed=3)
    assert digest(again) == digest(run_written)
    assert max(told) == rows and len(told) == run_written.numbers["logged_transactions"] // rows


@pytest.mark.parametrize(
    "name", ["ff-haldb", "dsff-smq", "trace-tables", "otma-tpipe", "esaf-pooling"]
)
def test_nor_do_those_of_programs_chains_traces_and_two_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Whose records wait for several steps and full blocks; 47 of the start is written early."""
    options: dict[str, Any] = {"seconds": 0.4, "every_s": 0.4, "seed": 3}
    full_run = generate(scenario.load(name), tmp_path / "whole", **options)
    monkeypatch.setattr(columns, "CHUNK_ROWS", 300)
    monkeypatch.setattr(logstream, "SLICE", 150)
    assert digest(generate(scenario.load(name), tmp_path / "pieces", **options)) == digest(full_run)


def test_an_error_while_the_run_goes_on_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is written by another thread; what goes wrong there is told here, with no files."""
    monkeypatch.setattr(columns, "CHUNK_ROWS", 500)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(DumpFile, "_to_disk", full)
    with pytest.raises(ImsperfError, match="could not be written"):
        generate(small(), tmp_path / "run", seconds=SECONDS, every_s=EVERY, seed=3)
    assert not list(tmp_path.iterdir())


def test_rdw_holds_the_same_records(run_written: Generated, tmp_path: Path) -> None:
    """The form changes blocks and names only."""
    plain = generate(small(), tmp_path, seconds=SECONDS, every_s=EVERY, seed=3, form="rdw")
    assert [path.name for path in plain.paths[:2]] == [
        "tps-100k.SYSA.smf.rdw",
        "tps-100k.IMSA.imslog.rdw",
    ]
    for ours, theirs in zip(plain.paths[:2], run_written.paths[:2], strict=True):
        assert records(ours) == records(theirs)


def test_sampling_thins_the_log_only(run_written: Generated, tmp_path: Path) -> None:
    """One whole transaction in five; SMF and statistics stay as they are."""
    thin = generate(small(), tmp_path, seconds=SECONDS, every_s=EVERY, seed=3, sample_k=5)
    assert thin.paths[0].read_bytes() == run_written.paths[0].read_bytes()

    def statistics(run_written: Generated) -> list[bytes]:
        return [
            r[:-16] for r in log(run_written) if code(r) in ("4500", "4507", "450a", "450e", "45ff")
        ]

    assert statistics(thin) == statistics(run_written)

    def tokens(run_written: Generated) -> set[bytes]:
        return {r[6:22] for r in log(run_written) if code(r) == "5937"}

    sampled = {token for token in tokens(run_written) if number(token, 8) % 5 == 0}
    assert tokens(thin) == sampled
    assert number(log(thin)[0], 48, 4) == 5


def test_run_toml(run_written: Generated) -> None:
    """It says what was asked for, where, and that nothing was measured."""
    told_fault = tomllib.loads(run_written.paths[2].read_text(encoding="utf-8"))
    assert told_fault["name"] == "tps-100k" and "not measured" in told_fault["note"]
    assert told_fault["settings"]["dasd.volumes"]["value"] == 120
    assert told_fault["generator"]["seed"] == 3 and told_fault["generator"]["sample_k"] == 1
    assert told_fault["timezone"] == {"SYSA": "-07:00"}
    assert told_fault["interval"]["every_s"] == EVERY
    assert set(told_fault["files"]) == {path.name for path in run_written.paths[:2]}


def test_facts_of_the_scenario_are_in_the_records(tmp_path: Path) -> None:
    """Machine type, z/OS level that ran, interval: what is set is what is written."""
    given = {"machine.type": "3906", "system.zos": "2.3", "run.interval_s": 1}
    variant = scenario.load("tps-100k", {**SETTINGS, "driver.rate_per_s": 100, **given})
    run_written = generate(variant, tmp_path, seconds=2, sample_k=1000)
    control = [sections(record, 36)[0] for record in of_type(run_written, 70)]
    assert [record[:2].hex() for record in control] == ["3906", "3906"]
    note = tomllib.loads(run_written.paths[2].read_text(encoding="utf-8"))
    assert (note["machine"]["type"], note["levels"]["zos_measured"]) == ("3906", "z/OS 2.3")


@pytest.mark.parametrize(
    ("knob", "value"),
    [("machine.type", "z14"), ("run.start", "monday"), ("run.start", "2050-01-01T00:00:00")],
)
def test_impossible_facts(tmp_path: Path, knob: str, value: str) -> None:
    """One error that names the knob."""
    with pytest.raises(ScenarioError, match=knob):
        generate(scenario.load("tps-100k", {knob: value}), tmp_path, seconds=0.2)


def test_variants_are_in_the_names(tmp_path: Path) -> None:
    """SCENARIO.VARIANT.SYSTEM.kind.form."""
    variant = scenario.load("tps-100k@rb9-before", {**SETTINGS, "dasd.volumes": 5})
    run_written = generate(variant, tmp_path, seconds=0.2)
    assert run_written.paths[0].name == "tps-100k.rb9-before.SYSA.smf.vbs"
    assert run_written.paths[1].name == "tps-100k.rb9-before.IMSA.imslog.vb"
    assert tomllib.loads(run_written.paths[2].read_text())["role"] == "before"


def test_progress_ends_at_the_run(tmp_path: Path) -> None:
    """Steps add up to the seconds of the run."""
    steps: list[float] = []
    generate(small(), tmp_path, seconds=1.5, every_s=1, progress=steps.append)
    assert sum(steps) == pytest.approx(1.5)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seconds": 0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"seconds": 1e-7},
        {"seconds": 2.0000003, "every_s": 1},  # the last interval would have no length
        {"seconds": 2, "every_s": 0.5},  # two intervals would begin in the same second
        {"seconds": 3, "every_s": 1.5},
        {"every_s": 0},
        {"every_s": 7200},
        {"sample_k": 0},
        {"seed": -1},
        {"form": "vb"},
    ],
    ids=str,
)
def test_impossible_orders(tmp_path: Path, wrong: dict[str, Any]) -> None:
    """One error with what was found, before anything is simulated."""
    with pytest.raises(ScenarioError, match="found"):
        generate(small(), tmp_path, **{"seconds": 0.2, **wrong})


def test_a_run_that_fails_leaves_nothing(
    run_written: Generated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No folder where there was none; a folder with an older run keeps it; nothing beside it."""
    old = tmp_path / "old"
    old.mkdir()
    earlier = "name = 'tps-100k'\nsynthetic = true\n"
    (old / "run.toml").write_text(earlier)

    def full(*arguments: Any) -> None:
        raise ImsperfError("disk full")

    monkeypatch.setattr(generating, "write_text", full)
    for name in ("new", "old"):
        with pytest.raises(ImsperfError, match="disk full"):
            generate(small(), tmp_path / name, seconds=0.2)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["old", "run.toml"]
    assert (old / "run.toml").read_text() == earlier
    monkeypatch.undo()
    again = generate(small(), old, seconds=SECONDS, every_s=EVERY, seed=3)
    assert digest(again) == digest(run_written) and len(list(old.iterdir())) == 4


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    """One error that names it."""
    (tmp_path / "out").write_text("")
    with pytest.raises(ImsperfError, match="out: could not be written"):
        generate(small(), tmp_path / "out", seconds=0.2)
