"""The data source `imsperf`: one table of dumps, read by executors without a lake."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema

from imsperf.errors import ImsperfError, ReportError, near
from imsperf.lake.parts import columns_of
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.read import dumps_in, expand_paths, read_source
from imsperf.parsers.selection import Keep
from imsperf.spark.lake import schema_ddl

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

_READ = ("types", "system", "start", "end", "profile", "codepage", "framing")
_OPTIONS = ("path", "table", "raw", *_READ)


def register(spark: SparkSession) -> None:
    """Let a session know `spark.read.format("imsperf")`.

    Options: `path` (a file, folder or glob), `table`, and of `imsperf.read` types, system, start,
    end, profile, codepage, framing, and raw (true or false).
    """
    spark.dataSource.register(DumpSource)


class DumpSource(DataSource):  # type: ignore[misc]
    """One table of dumps."""

    @classmethod
    def name(cls) -> str:
        """What `format` calls it."""
        return "imsperf"

    def schema(self) -> str:
        """Name and type of each column of the table."""
        with _hint_in_message():
            for name in self.options:
                if name not in _OPTIONS:
                    raise ReportError(
                        f"found option {name!r}, which is none of dumps", near(name, _OPTIONS)
                    )
            _asked(self.options, "path")
            columns = columns_of(_asked(self.options, "table"))
        return schema_ddl({column.name: column.sql for column in columns})

    def reader(self, schema: StructType) -> DataSourceReader:
        """Who reads it."""
        return DumpReader(dict(self.options), to_arrow_schema(schema))


@dataclass
class DumpFile(InputPartition):  # type: ignore[misc]
    """A file is a partition: what stands in pieces over it belongs together."""

    path: str
    number: int


class DumpReader(DataSourceReader):  # type: ignore[misc]
    """Reads one table of each file; `file_id` counts the files from 1.

    `schema`: the columns as Spark takes them, whose types are other ones than ours.
    """

    def __init__(self, options: dict[str, str], schema: pa.Schema) -> None:
        self._path, self._table = _asked(options, "path"), _asked(options, "table")
        self._schema = schema
        chosen = {name: options[name] for name in _READ if name in options}
        raw = options.get("raw", "").lower() == "true"
        self._options = ReadOptions.of(raw=raw, **chosen)  # type: ignore[arg-type]

    def partitions(self) -> list[InputPartition]:
        """One for each file."""
        with _hint_in_message():
            files = expand_paths([self._path])
        return [DumpFile(str(file.absolute()), at) for at, file in enumerate(files, 1)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a file."""
        assert isinstance(partition, DumpFile)
        names = self._schema.names
        options, path = self._options, Path(partition.path)
        keep = Keep(options.selection, columns={self._table: frozenset(names)})
        for source in dumps_in(path, options.passed_over, options.framing):
            loaded = read_source(source, partition.number, options, keep=keep)
            for table, rows in loaded.batches:
                if table == self._table:
                    yield rows.select(names).cast(self._schema)


@contextmanager
def _hint_in_message() -> Iterator[None]:
    """Spark passes on the text of an error alone: the hint becomes part of it."""
    try:
        yield
    except ImsperfError as error:
        raise ImsperfError("; ".join(filter(None, (error.message, error.hint)))) from error


def _asked(options: dict[str, str], name: str) -> str:
    if not options.get(name):
        raise ReportError(
            f"found no option {name!r}, expected one: path and table",
            'spark.read.format("imsperf").option("path", file).option("table", name).load()',
        )
    return options[name]
