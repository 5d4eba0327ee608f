"""Load dumps into a lake with the executors of Spark."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING, Unpack

from imsperf import layouts
from imsperf.errors import ImsperfError, StoreError
from imsperf.lake.manifest import is_lake
from imsperf.lake.parts import MEMORY
from imsperf.loading.jobs import Outcomes, Runner, load_with, stage_task
from imsperf.loading.load import Job
from imsperf.loading.loaded_file import LoadedFile
from imsperf.loading.tasks import Task
from imsperf.parsers.options import ReadKeywords, ReadOptions
from imsperf.parsers.ranges import RANGE_BYTES
from imsperf.parsers.read import expand_paths

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, Row, SparkSession

_ERROR = re.compile(r"[\w.]*(Error|Exception): ")  # the last line that Python prints
_RESULT = "task BIGINT, staged BINARY"


def load(
    spark: SparkSession,
    paths: str | Path | Sequence[str | Path],
    lake: str | Path,
    *,
    run: str | None = None,
    strict: bool = False,
    unread: str | Path | None = None,
    range_bytes: int = RANGE_BYTES,
    **options: Unpack[ReadKeywords],
) -> list[LoadedFile]:
    """Load dumps into a lake, which is made if there is none: `imsperf.load(.., parquet=True)`, its
    tasks read by executors, which must see dumps and lake under the same absolute paths.

    Executors write parts aside; the driver goes along the dumps first, and in the end adds what the
    attempts wrote that succeeded, in one commit. `options` are those of `imsperf.read`.
    Raises DumpError and StoreError as `imsperf.load` does, ImsperfError where an executor cannot
    write or lacks what it needs.
    """
    asked = ReadOptions.of(**options)
    job = Job(asked, run, strict, None if unread is None else Path(unread))
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    dumps = [path.absolute() for path in expand_paths(given, asked.passed_over)]
    place = Path(lake).absolute()
    return load_with(on_executors(spark), place, dumps, job, range_bytes, create=True)


def on_executors(spark: SparkSession, memory: int = MEMORY) -> Runner:
    """Stage tasks on the executors: one row, one partition, one task. Without a shuffle, that a
    lost executor would make run again."""
    user = layouts.current()
    beside = None if user is layouts.SHIPPED else user

    def run(tasks: Sequence[Task], staging: Path, load: int) -> Outcomes:
        if not tasks:
            return
        packed = [pickle.dumps(task) for task in tasks]

        def stage(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            lake = staging.parents[1]
            if not is_lake(lake):
                raise StoreError(f"{lake}: the machine {gethostname()} sees no lake there")
            for batch in batches:
                for at in batch.column(0).to_pylist():
                    with layouts.using(beside or layouts.SHIPPED):
                        staged = stage_task(pickle.loads(packed[at]), staging, load, memory)
                    yield pa.RecordBatch.from_pydict(
                        {"task": [at], "staged": [pickle.dumps(staged)]}
                    )

        rows = spark.range(len(tasks), numPartitions=len(tasks)).mapInArrow(stage, _RESULT)
        for row in _collected(rows):
            yield tasks[row.task], pickle.loads(bytes(row.staged))

    return run


def _collected(rows: DataFrame) -> list[Row]:
    """The rows; what ended the executors' Python as an error of ours, with its last line."""
    from pyspark.errors import PythonException

    try:
        collected: list[Row] = rows.collect()
        return collected
    except PythonException as error:
        last = [line for line in str(error).splitlines() if _ERROR.match(line)][-1:]
        raise ImsperfError(
            f"an executor of Spark could not read its task: {(last or [type(error).__name__])[0]}",
            "look at that error on the executors; the lake is as it was",
        ) from error
