"""The ledger: the tables that say what was loaded from where, and what could not be read."""

from __future__ import annotations

import pyarrow as pa

from imsperf.layout import Column

_US = pa.timestamp("us")
LEDGER_TABLES: dict[str, tuple[str, tuple[Column, ...]]] = {
    "load_file": (
        "One row for each file loaded",
        (
            Column("file_id", pa.int32(), "INTEGER", "Number of the file in this database"),
            Column("run", pa.string(), "VARCHAR", "Measurement the file belongs to"),
            Column(
                "path",
                pa.string(),
                "VARCHAR",
                "Where it was read from, from the root; a.zip!m is a member",
            ),
            Column(
                "sha256",
                pa.string(),
                "VARCHAR",
                "Hash of the file as it is on disk, or of the member; NULL: only some was read",
            ),
            Column("sample", pa.string(), "VARCHAR", "Hash of the size and of sampled blocks"),
            Column("selection", pa.string(), "VARCHAR", "What was asked for; NULL: everything"),
            Column("bytes", pa.int64(), "BIGINT", "Size on disk"),
            Column("container", pa.string(), "VARCHAR", "What it is packed in, outermost first"),
            Column("framing", pa.string(), "VARCHAR", "How records are framed in it"),
            Column("kind", pa.string(), "VARCHAR", "smf or ims; NULL: nothing could be unpacked"),
            Column("records", pa.int64(), "BIGINT", "Logical records in the file"),
            Column("kept", pa.int64(), "BIGINT", "Records that this load added to the run"),
            Column(
                "repeated", pa.int64(), "BIGINT", "Records that other files of the run had brought"
            ),
            Column("first", _US, "TIMESTAMP", "First record: SMF local time, IMS log UTC"),
            Column("last", _US, "TIMESTAMP", "Last record: SMF local time, IMS log UTC"),
            Column("loaded_at", _US, "TIMESTAMP", "When it was loaded, UTC"),
            Column("status", pa.string(), "VARCHAR", "whole, or damaged: see load_problem"),
        ),
    ),
    "load_count": (
        "Records in each file by type: nothing that was in a file is missing here",
        (
            Column("file_id", pa.int32(), "INTEGER", "File (load_file)"),
            Column("kind", pa.string(), "VARCHAR", "smf or ims"),
            Column("system", pa.string(), "VARCHAR", "SMF system id, or IMS id where known"),
            Column("type", pa.string(), "VARCHAR", "SMF type decimal, IMS log code hex"),
            Column("subtype", pa.string(), "VARCHAR", "SMF subtype decimal, IMS subcode hex"),
            Column("records", pa.int64(), "BIGINT", "Records found"),
            Column("bytes", pa.int64(), "BIGINT", "Bytes of them, RDW included"),
            Column("loaded", pa.int64(), "BIGINT", "Records decoded into tables of their own"),
            Column("first", _US, "TIMESTAMP", "First of them: SMF local time, IMS log UTC"),
            Column("last", _US, "TIMESTAMP", "Last of them: SMF local time, IMS log UTC"),
        ),
    ),
    "load_interval": (
        "RMF intervals by file, system and record type, of the records that were added",
        (
            Column("file_id", pa.int32(), "INTEGER", "File (load_file)"),
            Column("system", pa.string(), "VARCHAR", "SMF system id"),
            Column("name", pa.string(), "VARCHAR", "System name, as in tables and reports"),
            Column("sysplex", pa.string(), "VARCHAR", "Sysplex name"),
            Column("type", pa.string(), "VARCHAR", "SMF type decimal"),
            Column("subtype", pa.string(), "VARCHAR", "SMF subtype decimal"),
            Column("interval_start", _US, "TIMESTAMP", "Interval start, local time of the system"),
            Column("interval_end", _US, "TIMESTAMP", "Interval end, local time of the system"),
            Column(
                "interval_start_utc",
                _US,
                "TIMESTAMP",
                "Interval start, UTC; NULL where the record does not tell it",
            ),
            Column("records", pa.int64(), "BIGINT", "Records of it"),
        ),
    ),
    "load_record": (
        "One row for each record that was added: what tells it from others",
        (
            Column("file_id", pa.int32(), "INTEGER", "File (load_file)"),
            Column("record_no", pa.int64(), "BIGINT", "Record, from 1"),
            Column(
                "hash_high",
                pa.uint64(),
                "UBIGINT",
                "MurmurHash3 x64 128 of the record without its RDW and segments, first half",
            ),
            Column("hash_low", pa.uint64(), "UBIGINT", "Its second half"),
        ),
    ),
    "load_problem": (
        "What could not be read, with its place",
        (
            Column("file_id", pa.int32(), "INTEGER", "File (load_file)"),
            Column("record_no", pa.int64(), "BIGINT", "Record, NULL where none could be made out"),
            Column("byte_offset", pa.int64(), "BIGINT", "Place in the unpacked file"),
            Column("bytes", pa.int64(), "BIGINT", "Bytes lost"),
            Column("type", pa.string(), "VARCHAR", "SMF type decimal, IMS log code hex"),
            Column("subtype", pa.string(), "VARCHAR", "SMF subtype decimal, IMS subcode hex"),
            Column(
                "severity",
                pa.string(),
                "VARCHAR",
                "info, suspect (loaded, but doubtful), data_loss or error",
            ),
            Column("reason", pa.string(), "VARCHAR", "What is wrong, one word"),
            Column("detail", pa.string(), "VARCHAR", "Found and expected"),
        ),
    ),
    "run_config": (
        "What run.toml says of a run",
        (
            Column("run", pa.string(), "VARCHAR", "Run"),
            Column("section", pa.string(), "VARCHAR", "Section of run.toml"),
            Column("key", pa.string(), "VARCHAR", "Key"),
            Column("value", pa.string(), "VARCHAR", "Value as text"),
            Column("unit", pa.string(), "VARCHAR", "Unit, where one is given"),
            Column(
                "source", pa.string(), "VARCHAR", "Where the value is from, where that is given"
            ),
        ),
    ),
    "run_text": (
        "Displays and members beside the dumps of a run, value by value",
        (
            Column("run", pa.string(), "VARCHAR", "Run"),
            Column("path", pa.string(), "VARCHAR", "Where it was read from"),
            Column("kind", pa.string(), "VARCHAR", "What it is: see parsers/displays.py"),
            Column("line", pa.int32(), "INTEGER", "Line, from 1"),
            Column("row_no", pa.int32(), "INTEGER", "Row, from 1; 0 of a warning"),
            Column("name", pa.string(), "VARCHAR", "Name of the value, or warning"),
            Column("value", pa.string(), "VARCHAR", "Value as text"),
        ),
    ),
}

META_NAME = "imsperf_meta"
META_TABLE = """
CREATE TABLE IF NOT EXISTS imsperf_meta (key VARCHAR PRIMARY KEY, value VARCHAR);
COMMENT ON TABLE imsperf_meta IS 'What the database is: schema version, who wrote it';
COMMENT ON COLUMN imsperf_meta.key IS 'Name of a fact';
COMMENT ON COLUMN imsperf_meta.value IS 'Its value';
"""
