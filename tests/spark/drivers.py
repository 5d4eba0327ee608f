"""A program that loads into a lake: `python tests drivers JSON`; tests start several of them.

The JSON says `by` ("spark" or "command"), `master`, `files`, `lake`, `run`, `options` of
`imsperf.spark.load`, and what happens on the way: `meet`, a folder where so many programs (`of`)
wait for each other before they commit; `killed`, at which step this one ends itself by SIGKILL
("tasks", "before" the manifest, "after" it); `pages`, how many are left free on the disk of the
lake. What became of each file is printed as JSON, or the error and what is on the disk.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from filling import filled

from imsperf.cli import main as command
from imsperf.errors import ImsperfError
from imsperf.lake import commits
from imsperf.lake.commits import STAGING, Claim

_PATIENCE = 300  # seconds that one waits for the other


def die(*_: object) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def die_while_tasks_run(lake: Path) -> None:
    while not list(lake.glob(f"{STAGING}/*/*")):
        time.sleep(0.01)
    die()


def meet_at(place: Path, programs: int) -> None:
    """The first commit waits until so many programs have all they commit."""
    publish = Claim.publish

    def meet(self: Claim, *given: Any) -> bool:
        mine = place / str(os.getpid())
        if not mine.exists():
            mine.touch()
            until = time.monotonic() + _PATIENCE
            while len(list(place.iterdir())) < programs:
                assert time.monotonic() < until, "the other program has not come"
                time.sleep(0.01)
        return publish(self, *given)

    Claim.publish = meet  # type: ignore[method-assign]


def load(asked: dict[str, Any]) -> list[Any]:
    files, lake = asked["files"], asked["lake"]
    if asked["by"] == "command":
        command(["load", *files, "--parquet", lake, "--run", asked["run"], "--jobs", "2"])
        return []
    from pyspark.sql import SparkSession

    import imsperf.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(asked["master"]).config("spark.ui.enabled", "false")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    done = imsperf.spark.load(session, files, lake, run=asked["run"], **asked["options"])
    session.stop()
    return [(Path(file.name).name, file.skipped, file.kept, file.repeated) for file in done]


def load_on_full_disk(asked: dict[str, Any]) -> dict[str, Any]:
    disk, error = Path(asked["lake"]).parent, ""
    with filled(disk, asked["pages"]):
        try:
            load(asked)
        except ImsperfError as caught:
            error = str(caught)
    return {"error": error, "left": [path.name for path in disk.iterdir()]}


def main(asked: dict[str, Any]) -> None:
    if place := asked.get("meet"):
        meet_at(Path(place), asked["of"])
    match asked.get("killed"):
        case "tasks":
            lake = Path(asked["lake"])
            threading.Thread(target=die_while_tasks_run, args=[lake], daemon=True).start()
        case "before":
            commits.manifest_text = die
        case "after":
            Claim.release = die  # type: ignore[method-assign]
    if "pages" in asked:
        print(json.dumps(load_on_full_disk(asked)), flush=True)
    else:
        print(json.dumps(load(asked)), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
