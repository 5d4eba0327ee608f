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
