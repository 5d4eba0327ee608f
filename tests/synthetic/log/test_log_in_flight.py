"""What is under way when a log ends stands in it as far as it happened.

Expected: with all transactions in the log, as many arrivals as the run has counted, and as many
messages got and not answered as regions are busy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from imsperf import api
from imsperf.kinds import utc12
from imsperf.synthetic.generate import WARM_UP_S, generate
from imsperf.synthetic.log.log_records import with_offset
from imsperf.synthetic.order import systems_in
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.run import TIMES
from imsperf.synthetic.simulation.simulate import simulate

END = 4096 * 500_000
SETTINGS: dict[str, dict[str, Any]] = {
    "jmp": {"dasd.volumes": 8},
    "fast-path": {"dasd.volumes": 8, "clients": 300},
}


def simulated(name: str) -> SimResult:
    variant = scenario.load(name, SETTINGS[name])
    (system,) = systems_in(variant)
    return simulate(
        system.network, seed=1, seconds=0.5, every_s=0.5, warmup_s=WARM_UP_S, sample_k=1
    )


def logged(name: str, folder: Path, code: str, *, since: int = 0) -> int:
    """Records of a code in the log of the same run."""
    if not (folder / "x.duckdb").exists():
        generate(scenario.load(name, SETTINGS[name]), folder / "run", seconds=0.5, every_s=0.5)
        api.load(folder / "run", db=folder / "x.duckdb")
    with api.connect(folder / "x.duckdb") as store:
        rows_read = api.query(store, f"SELECT count(*) AS n FROM ims_{code}").to_pylist()
        return int(rows_read[0]["n"])


@pytest.mark.parametrize("name", ["jmp"])
def test_every_arrival_is_in_the_log(name: str, tmp_path: Path) -> None:
    result = simulated(name)
    assert int(result.in_flight_end[-1]) > 0
    assert logged(name, tmp_path, "01") == int(result.arrivals.sum())


def test_every_input_of_fast_path_is_in_the_log(tmp_path: Path) -> None:
    """5901 is written when the program gets the message: those of transactions that ended, and of
    those in a region at the end."""
    result = simulated("fast-path")
    flying = result.flying
    assert flying is not None
    got = result.transactions["gu"]
    ended = int(((got >= 0) & (got < END)).sum())
    begun = int(((flying["gu"] >= 0) & (flying["gu"] < END)).sum())
    assert begun > 0
    assert logged("fast-path", tmp_path, "5901") == ended + begun


def test_times_to_come_are_after_the_end() -> None:
    """Times of a transaction never fall; what has not happened is a tick after the end."""
    flying = simulated("jmp").flying
    assert flying is not None
    names = [time for time in TIMES[TIMES.index("arrival") :] if time in ("arrival", "taken", "gu")]
    names += ["sync", "written", "dequeue"]
    times = np.stack([flying[name] for name in names])
    assert times.shape[1] > 0 and (np.diff(times, axis=0) >= 0).all()
    assert (times[0] < END).all() and (times[-1] == END + 1).all()


def test_packed_stamps_have_the_local_offset() -> None:
    """-7 h are 28 quarters, sign D; +5.5 h are 22, sign C; zeros are no time."""
    stamp = utc12.encode(np.array(["2010-06-24T08:35:01.411184"], "datetime64[us]"))
    assert with_offset(stamp.copy(), -420).tobytes().hex() == "2010175f083501411184028d"
    assert with_offset(stamp.copy(), 330).tobytes().hex() == "2010175f083501411184022c"
    assert not with_offset(np.zeros((1, 12), np.uint8), -420).any()
