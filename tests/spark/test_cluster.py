"""A master and two workers as docs/spark.md starts them: a worker dies, a task is slow.

The workers have addresses of their own, as on two machines: Spark tries a slow task a second time
only on another one, so never in `local-cluster`.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import second_writer as writer
from test_tasks import PART, job_of, rows_of
from test_transfer_forms import records
from watching import Watch, parent_of

from imsperf import spark as on_spark
from imsperf.lake.commits import STAGING
from imsperf.loading.load import load_into

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    pytest.mark.skipif(not find_spec("pyspark"), reason="pyspark is not installed"),
    pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is this machine; /proc"),
]
HOSTS = ("127.0.0.1", "127.0.0.2")
OPTIONS: dict[str, Any] = {"run": "r", "raw": True, "part_bytes": PART, "range_bytes": 10 * PART}
Start = Callable[..., subprocess.Popen[bytes]]


def free_port() -> int:
    with socket.socket() as some:
        some.bind((HOSTS[0], 0))
        return int(some.getsockname()[1])


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts a part of a cluster, which ends with the tests."""
    import pyspark

    home, work = pyspark.__path__[0], tmp_path_factory.mktemp("work")
    environment = os.environ | {"SPARK_HOME": home, "SPARK_WORKER_DIR": str(work)}
    running = list[subprocess.Popen[bytes]]()

    def run(name: str, *words: str) -> subprocess.Popen[bytes]:
        command = [f"{home}/bin/spark-class", f"org.apache.spark.deploy.{name}", *words]
        with (work / f"{len(running)}.log").open("wb") as log:
            running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
        return running[-1]

    yield run
    for process in running:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def master(start: Start) -> str:
    port = str(free_port())
    start("master.Master", "--host", HOSTS[0], "--port", port, "--webui-port", "0")
    return f"spark://{HOSTS[0]}:{port}"


@pytest.fixture(scope="module")
def workers(start: Start, master: str) -> list[subprocess.Popen[bytes]]:
    few = ["--cores", "1", "--memory", "1g", "--webui-port", "0"]
    return [start("worker.Worker", master, "--host", host, *few) for host in HOSTS]


@pytest.fixture(scope="module")
def session(master: str, workers: list[subprocess.Popen[bytes]]) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master)
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": HOSTS[0],
        "spark.executor.memory": "1g",
        "spark.speculation": "true",
        "spark.speculation.interval": "50ms",
        "spark.speculation.quantile": "0.3",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    _wait(lambda: executors(session) == len(HOSTS))
    yield session
    session.stop()


def executors(session: Any) -> int:
    """How many it has; the driver is counted too."""
    return len(session.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) - 1


def _wait(is_so: Callable[[], bool], seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.fixture
def dumps(tmp_path: Path) -> list[Path]:
    """SMF and a log."""
    files = {"smf": records("smf", 1), "log": records("ims", 1)}
    for name, some in files.items():
        (tmp_path / name).write_bytes(writer.rdw(some))
    return [tmp_path / name for name in files]


def whole(dumps: list[Path], lake: Path) -> Any:
    load_into(lake, dumps, job_of(), parquet=True)
    return rows_of(lake)


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_slow_task(goes_on: bool, session: Any, dumps: list[Path], tmp_path: Path) -> None:
    """It is stopped in its midst, so that it is tried a second time, and goes on then or never:
    its rows are there once."""
    lake, stopped = tmp_path / "lake", list[str]()

    def stop(watch: Watch) -> None:
        name, pid = watch.writer()
        os.kill(pid, signal.SIGSTOP)
        stopped.append(name[:5])
        watch.until(lambda _: len(watch.attempts[name[:5]]) > 1)
        if goes_on:
            os.kill(pid, signal.SIGCONT)

    watch = Watch(lake)
    with watch.during(stop):
        on_spark.load(session, dumps, lake, **OPTIONS)
    assert len(watch.attempts[stopped[0]]) > 1
    one = whole(dumps, tmp_path / "one")
    assert rows_of(lake) == one
    (again,) = on_spark.load(session, dumps[:1], lake, **OPTIONS)  # removes what was left
    assert "already" in again.skipped
    assert rows_of(lake) == one
    assert not (lake / STAGING).exists()


def test_a_worker_of_the_cluster_is_killed(
    session: Any, workers: list[subprocess.Popen[bytes]], dumps: list[Path], tmp_path: Path
) -> None:
    """With the executor that it started: in the midst of a task, which the other one reads."""
    lake, killed = tmp_path / "lake", list[str]()

    def kill(watch: Watch) -> None:
        name, pid = watch.writer()
        executor = parent_of(parent_of(pid))
        worker = parent_of(executor)
        assert worker in {process.pid for process in workers}
        for some in (worker, executor):
            os.kill(some, signal.SIGKILL)
        killed.append(name[:5])

    watch = Watch(lake)
    with watch.during(kill):
        on_spark.load(session, dumps, lake, **OPTIONS)
    assert len(watch.attempts[killed[0]]) > 1
    assert rows_of(lake) == whole(dumps, tmp_path / "one")
    assert not (lake / STAGING).exists()
