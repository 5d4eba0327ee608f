"""4505, 4521, 4522 and the latches of 002 in 450A, against counts of the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from imsperf import api
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario


def rows(name: str, folder: Path, sql: str, settings: Any = None) -> list[tuple[Any, ...]]:
    variant = scenario.load(name, {"dasd.volumes": 8, **(settings or {})})
    generate(variant, folder / "run", seconds=0.5, sample_k=50)
    api.load([folder / "run"], folder / "x.duckdb")
    with api.connect(folder / "x.duckdb") as store:
        return list(store.con.execute(sql).fetchall())


POOLS = """
    SELECT pool, gets::BIGINT, bytes_requested::BIGINT, frees::BIGINT, bytes_allocated::BIGINT
    FROM ims_4505_pool JOIN ims_4505 USING (file_id, record_no)
    WHERE ckpt_no = (SELECT max(ckpt_no) FROM ims_4505) ORDER BY pool
"""


def test_pools_of_full_function(tmp_path: Path) -> None:
    """Each input of 200 and each output of 600 bytes has a buffer: what came in is freed when the
    transaction ends. Conversations, 8.88 % of the mix, have a SPA of 500 bytes as well."""
    found = {row[0]: row[1:] for row in rows("ff-haldb", tmp_path, POOLS)}
    assert sorted(found) == ["CIOP", "HIOP", "LUMC", "LUMP", "SPAP"]
    with api.connect(tmp_path / "x.duckdb") as store:
        came, left = store.con.execute(
            "SELECT max(messages_in), max(messages_out) FROM ims_451a"
        ).fetchone()  # type: ignore[misc]
    assert found["HIOP"] == (came, 200 * came, left, 200 * (came - left))
    assert found["CIOP"] == (left, 600 * left, left, 0)
    gets, asked, freed, held = found["SPAP"]
    assert asked == 500 * gets and held == 500 * (gets - freed)
    assert gets / came == pytest.approx(0.0888, rel=0.15)


def test_fast_path_buffers(tmp_path: Path) -> None:
    """000 6.2: 64-bit buffers, one base subpool of 4 KB; a call to a DEDB takes a buffer."""
    sql = """
        SELECT s.sync_points::BIGINT, s.buffer_gets::BIGINT, s.emh_messages::BIGINT,
            p.gets::BIGINT, p.buf_size::INTEGER, p.purpose, f.messages_in::BIGINT
        FROM ims_4521 AS s JOIN ims_4522 AS h USING (ckpt_no)
        JOIN ims_4522_subpool AS p ON p.record_no = h.record_no
        JOIN ims_451a AS f USING (ckpt_no) ORDER BY s.ckpt_no DESC LIMIT 1
    """
    ((sync, gets, emh, own, size, purpose, came),) = rows("fast-path", tmp_path, sql)
    assert 0 < sync <= came and emh == sync
    # table transactions: two calls of CCKK and CLCK, four of DEBIT and CREDIT: 266.6 / 99.98
    assert gets == own and gets / sync == pytest.approx(2.6665, rel=0.02)
    assert (size, purpose) == (4096, "B")


@pytest.mark.parametrize(
    ("variant", "latches"),
    [
        ("rb2-before", {"LUBT", "CBTS"}),
        ("bc2-before", {"LOCL"}),
        ("rb2-after", set()),
    ],
)
def test_latches_of_roadblocks(variant: str, latches: set[str], tmp_path: Path) -> None:
    """LUBT and CBTS with the free chain, the local lock with STORAGE calls: gets are the calls of
    all arrivals, and of who waits for it still; some wait, or all where it is the limit."""
    sql = """
        SELECT name, get_exc::BIGINT, cont_exc::BIGINT, wait_us::BIGINT,
            (SELECT max(messages_in)::BIGINT FROM ims_451a)
        FROM ims_450a_latch JOIN ims_450a USING (file_id, record_no)
        WHERE ckpt_no = (SELECT max(ckpt_no) FROM ims_450a) AND name NOT IN ('LOGL', 'LREC')
    """
    found = rows(f"tps-100k@{variant}", tmp_path, sql)
    assert {row[0] for row in found} == latches
    for name, gets, waited, wait_us, came in found:
        calls = scenario.load(f"tps-100k@{variant}")[
            "storage.calls_per_tran" if name == "LOCL" else "otma.block_calls"
        ]
        behind = 0 if name != "LOCL" else int(scenario.load("tps-100k")["clients"])  # in its queue
        assert calls * came <= gets <= calls * (came + 50 + behind)  # and between it and IMS
        assert 0 < waited <= gets and wait_us > 0


BUFFERS = """
    WITH calls AS (
        SELECT k.ckpt_no, sum(db_isrt_calls + db_dlet_calls + db_repl_calls)::BIGINT AS changes,
            changes + sum(db_gu_calls + db_gn_calls)::BIGINT AS n
        FROM ims_a108 AS k JOIN ims_a108_source USING (file_id, record_no) GROUP BY ALL
    )
    SELECT c.n, c.changes, o.locate::BIGINT, o.alter::BIGINT, o.hit::BIGINT, o.reads::BIGINT,
        o.writes::BIGINT, v.rba_retr::BIGINT, v.esds_ins::BIGINT, v.alter::BIGINT,
        v.get_hit::BIGINT, v.get_io::BIGINT, v.nonuser_write::BIGINT
    FROM ims_4504 AS a JOIN ims_4504_subpool AS o USING (file_id, record_no)
    JOIN ims_4508 AS b ON b.ckpt_no = a.ckpt_no
    JOIN ims_4508_subpool AS v ON v.file_id = b.file_id AND v.record_no = b.record_no
    JOIN calls AS c ON c.ckpt_no = a.ckpt_no ORDER BY a.ckpt_no
"""
ON_DISK = """
    SELECT regexp_matches(dataset, 'R[0-9][13579][.]A') AS odd, sum(io_count)::BIGINT,
        sum(read_count)::BIGINT
    FROM smf_dataset_io WHERE dataset NOT LIKE '%.DFS%' GROUP BY 1 ORDER BY 1
"""


def test_database_buffers(tmp_path: Path) -> None:
    """Odd copies are OSAM, even ones VSAM (000 4.1.1). A call locates a block or a record, or
    inserts one; what no read was needed for was found. Reads and writes are those of 42.6.
    """
    sets = rows("ff-haldb", tmp_path, BUFFERS)
    for calls, changes, locate, alter, hit, reads, _, retr, ins, changed, found, got, _ in sets:
        assert locate + retr + ins == calls > 0 and alter + ins + changed == changes
        assert locate == hit + reads and retr == found + got
    with api.connect(tmp_path / "x.duckdb") as store:
        even, odd = store.con.execute(ON_DISK).fetchall()
        assert api.audit(store).violations.to_pylist() == []
    first, last = sets[0], sets[-1]
    gain = {
        name: last[n] - first[n] for n, name in enumerate(("", "", "", "", "", "r", "w")) if name
    }
    assert (gain["r"], gain["w"]) == (odd[2], odd[1] - odd[2])
    assert (last[11] - first[11], last[12] - first[12]) == (even[2], even[1] - even[2])


def test_only_copies_that_there_are_have_buffers(tmp_path: Path) -> None:
    """JMP: one copy of each database, OSAM (000 T12)."""
    sql = "SELECT (SELECT count(*) > 0 FROM ims_4504), (SELECT count(*) FROM ims_4508)"
    assert rows("jmp", tmp_path, sql) == [(True, 0)]
    assert rows("fast-path", tmp_path / "fp", "SELECT count(*) FROM ims_4504") == [(0,)]
