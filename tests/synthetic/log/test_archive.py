"""Archive of an OLDS that is full: a job (DFSUARC0) reads it. 30, 42.6, 74.1, 72.3 and 70.1.

Expected by hand. An OLDS has 300 blocks; the job reads ten with an I/O of 1 ms, then works on them
for 100 us each, and reads on: 30 I/Os, 30 ms of CPU, 60 ms at least from its start to its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import imsperf
from imsperf import api
from imsperf.database.store import Store
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios.scenario import Scenario, load

ASKED = {
    "dasd.volumes": 8, "log.archive.read_blocks": 10, "log.archive.read_ms": 1.0,
    "log.archive.cpu_us": 100.0,
}  # fmt: skip
CUT = ("run.dataset_time", "run.storage_class_time", "run.log_io_time")  # of whole units

FULL = "SELECT prev_ddname, close_prev FROM ims_42 WHERE reason = 'F' ORDER BY log_stck"
JOBS = """
    SELECT i.smf30jnm AS job, s.smf30typ AS subtype, i.smf30iss AS begun, i.smf30iet AS ended,
        p.smf30cpt AS cpu_10ms
    FROM smf30_identification AS i JOIN smf30_subsystem AS s USING (file_id, record_no)
    JOIN smf30_processor AS p USING (file_id, record_no) WHERE i.smf30pgm = 'DFSUARC0'"""
EXCP = """
    SELECT i.smf30jnm AS job, s.smf30typ AS subtype, i.smf30pgm AS program, e.smf30ddn AS dd,
        e.smf30blk AS blocks
    FROM smf30_excp AS e JOIN smf30_identification AS i USING (file_id, record_no)
    JOIN smf30_subsystem AS s USING (file_id, record_no)"""


def scenario(blocks: int, **more: Any) -> Scenario:
    return load("ff-haldb", ASKED | {"log.olds.blocks": blocks} | more)


def loaded(folder: Path) -> Store:
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="r", strict=True)
    return imsperf.connect(folder / "r.duckdb")


@pytest.fixture(scope="module", params=["events", "intervals"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A run of 4 s with OLDS of 300 blocks, and one of four minutes with such of 9,000."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "events":
        generate(scenario(300), folder / "run", seconds=4, every_s=1.0, sample_k=50)
    else:
        generate_intervals(
            scenario(9000), folder / "run", intervals=4, every_s=60.0, profile="flat"
        )
    with loaded(folder) as store:
        yield store


def rows(store: Store, sql: str) -> list[Any]:
    return store.con.execute(sql).fetchall()


def blocks_of(store: Store) -> int:
    ((blocks,),) = rows(store, "SELECT any_value(blocks_prev) FROM ims_42 WHERE reason = 'F'")
    return int(blocks)


def test_each_olds_that_is_full_has_a_job(store: Store) -> None:
    """Step and job end of all that ended; the job reads the OLDS whose switch began it."""
    full = [name for name, _ in rows(store, FULL)]
    read = (
        f"SELECT dd, sum(blocks)::BIGINT FROM ({EXCP}) WHERE program = 'DFSUARC0' AND subtype = 4 "
        "GROUP BY job, 1 ORDER BY job"
    )
    ended = rows(store, read)
    assert len(full) - 1 <= len(ended) <= len(full) and len(ended) > 3
    assert ended == [(name, blocks_of(store) // 10) for name in full[: len(ended)]]
    subtypes = rows(store, f"SELECT subtype, count(*) FROM ({JOBS}) GROUP BY 1 ORDER BY 1")
    assert dict(subtypes)[4] == dict(subtypes)[5] == dict(subtypes)[3] == len(ended)


def test_a_job_uses_what_its_blocks_need(store: Store) -> None:
    """300 blocks of 100 us are 30 ms: 3 units of 10 ms."""
    used = rows(store, f"SELECT DISTINCT cpu_10ms FROM ({JOBS}) WHERE subtype = 4")
    assert used == [(blocks_of(store) // 100,)]


def test_a_job_begins_when_its_olds_is_full(store: Store) -> None:
    """At its switch, or when the job before has ended; it lasts 200 us a block at least."""
    switches = [time for _, time in rows(store, FULL)]
    jobs = rows(
        store,
        f"SELECT min(begun), max(ended) FROM ({JOBS}) WHERE subtype IN (2, 3) GROUP BY job "
        "HAVING max(subtype) = 3 ORDER BY job",
    )
    ended = None
    for switch, (start, end) in zip(switches, jobs, strict=False):
        due = switch if ended is None else max(switch, ended)
        assert abs((start - due).total_seconds()) <= 2e-6
        assert (end - start).total_seconds() >= 200e-6 * blocks_of(store) - 2e-6
        ended = end


def test_reads_are_those_of_the_volume(store: Store) -> None:
    """42.6: reads of the job; 74.1: writes of IMS and those; 30: EXCPs of both."""
    ((reads, all_of_olds),) = rows(
        store,
        "SELECT sum(read_count)::BIGINT, sum(io_count)::BIGINT FROM smf_dataset_io "
        "WHERE dataset LIKE '%.DFSOLP%'",
    )
    ((of_job, others),) = rows(
        store,
        "SELECT sum(io_count) FILTER (job = 'IMSAARC')::BIGINT, "
        "sum(read_count) FILTER (job <> 'IMSAARC')::BIGINT FROM smf_dataset_io "
        "WHERE dataset LIKE '%.DFSOLP%'",
    )
    assert reads == of_job > 0 == others
    ((volume,),) = rows(
        store,
        "SELECT sum(d.io_count)::BIGINT FROM rmf_device AS d WHERE d.volume IN "
        "(SELECT volume FROM smf_dataset_io WHERE dataset LIKE '%.DFSOLP%')",
    )
    assert volume == all_of_olds
    ((excp,),) = rows(
        store,
        f"SELECT sum(blocks)::BIGINT FROM ({EXCP}) WHERE dd LIKE 'DFSOLP%' AND subtype IN (2, 3)",
    )
    assert excp == all_of_olds


def test_no_identity_is_broken(store: Store) -> None:
    broken = api.audit(store.path).violations.to_pylist()
    assert not [row for row in broken if row["check"] not in CUT]


def test_without_archiving_there_is_no_job(tmp_path: Path) -> None:
    generate(scenario(300, **{"log.archive": "off"}), tmp_path / "run", seconds=1.0, sample_k=50)
    with loaded(tmp_path) as store:
        assert rows(store, f"SELECT count(*) FROM ({JOBS})") == [(0,)]
        assert rows(store, "SELECT count(*) FROM ims_42 WHERE reason = 'F'") > [(0,)]
