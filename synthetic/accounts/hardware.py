"""The machine, the system and the names a run is stamped with.

Document 002 (the IMS 13 100K TPS session) names a zEnterprise EC12, z/OS 2.1 and DS8870/DS8800
disks and nothing more. All else here is an assumption: it fills fields of the records, and no
performance figure of the model depends on it. A scenario replaces some with knobs, see KNOBS.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.accounts.definitions import Definitions, definitions_of
from imsperf.synthetic.workloads.devices import mirror_share, setting
from imsperf.synthetic.workloads.features import compile_s, encrypted

EARLIEST, LATEST = np.datetime64("1985-01-01"), np.datetime64("2042-01-01")
DB2_PREFIX = "DB2A.DSNDBD.IRWW"
OWN_DEVICES = 0x100  # device numbers between the log volumes of two systems
KNOBS = {  # field: knob of the scenario that replaces it
    "start": "run.start",
    "offset_minutes": "run.local_offset_minutes",
    "system": "system.name",
    "smf_id": "system.smf_id",
    "sysplex": "system.sysplex",
    "ims_id": "ims.id",
    "ims_level": "ims.release",
    "partition": "machine.partition",
    "physical_cps": "machine.cps",
    "ziips": "cpu.ziips",
    "smt": "cpu.smt",
    "smt_factor": "cpu.smt_factor",
    "msu_per_cp": "machine.msu_per_cp",
    "message_in": "message.in_bytes",
    "message_out": "message.out_bytes",
    "trace_blocks": "trace.dfstra_blocks",
}


@dataclass(frozen=True)
class DatabaseFile:
    """A data set of a database or a Db2 table; where it goes on, its pieces are numbered."""

    database: str
    name: str  # qualifiers, with the number of the piece
    access: str  # OSAM, VSAM, Db2

    def named(self, prefix: str, piece: int) -> str:
        """Name of a piece; `prefix`: of the data sets of IMS."""
        return f"{DB2_PREFIX if self.access == 'Db2' else prefix}.{self.name.format(piece=piece)}"


@dataclass(frozen=True)
class Host:
    """Machine, partition, operating system, disks and names."""

    start: str = "2014-03-10T14:00:00"  # UTC, when the measured part begins
    offset_minutes: int = -420  # local minus UTC: US Pacific summer time
    system: str = "SYSA"
    smf_id: str = "SYSA"
    sysplex: str = "PLEXA"
    ims_id: str = "IMSA"
    ims_level: int = 13

    machine_type: int = 0x2827  # zEC12, document 002; knob machine.type
    physical_model: str = "HA1"
    plant: str = "02"
    sequence_code: str = "00000000000A2B3C"
    serial: int = 0x0A2B3C
    physical_cps: int = 0  # 0: as many as the partition has logical ones
    ziips: int = 0
    smt: int = 1  # threads of a zIIP
    smt_factor: float = 1.0  # speed of a zIIP with all threads busy
    msu_per_cp: int = 100  # capacity rating of one CP, MSU/h; the same for each
    partition: str = "LPARA"
    partition_number: int = 1
    system_number: int = 0  # of the systems of a run
    weight: int = 900
    storage_mb: int = 262_144
    lpar_overhead: float = 0.002  # LPAR management inside the partition, share of its busy time
    hypervisor: float = 0.0005  # LPAR management of no partition, share of each physical CP
    tpi_share: float = 0.05  # I/O interrupts found by TPI
    io_processors: int = 4  # that the machine starts I/O with
    ipl_days: int = 8  # days since the IPL when the run starts

    device: int = 0x8000  # first database volume
    log_device: int = 0x9000  # WADS, then OLDS
    log_volumes: tuple[str, str] = ("WADS01", "OLDS01")  # table log_volumes of the scenario
    library_volume: str = "LIBR01"  # program libraries, behind the log volumes
    library_group: str = "SGPGM"
    trace_blocks: int = 1  # of each trace data set
    trace_volume: str = "TRAC01"  # trace data sets, where traces go to disk; behind the others
    volume: str = "S60$"  # prefix of the database volumes, document 002
    devices_per_lcu: int = 64
    storage_group: str = "SGIMSDB"
    log_group: str = "SGIMSLOG"
    device_model: str = "33909"
    device_type: int = 0x3010200F  # UCBTYP of a 3390
    control_unit: str = "2107"  # DS8000
    cylinders: int = 10_017
    node: str = "002107951IBM75000000"  # then eight letters of the unit
    log_pend: float = 0.30  # of the response of a log write; the rest but disconnect is connect
    log_disc: float = 0.02
    log_mirror: tuple[float, float] = (0.0, 0.0)  # WADS, OLDS: before that, wait for the mirror
    log_zhpf: tuple[bool, bool] = (True, True)
    log_zhyperwrite: tuple[bool, bool] = (False, False)
    encrypted: tuple[bool, bool, bool] = (False, False, False)  # databases, WADS, OLDS

    message_in: int = 76  # bytes, document 002
    message_out: int = 83
    spa_bytes: int = 500  # scratch pad area of a conversation
    iodf: str = "SYS1.IODF01"
    iodf_date: str = "03/01/2014"  # mm/dd/yyyy
    iodf_time: str = "06.00.00"
    database_prefix: str = ""  # of the data sets of databases; empty: ims_id
    databases: tuple[str, ...] = ()  # full function, or tables of Db2; from the scenario
    databases_of: tuple[tuple[str, tuple[str, ...]], ...] = ()  # code, those it uses
    changes_of: tuple[tuple[str, str], ...] = ()  # code, letters of 5050 that it changes with
    database_files: tuple[DatabaseFile, ...] = ()  # of these databases
    areas: tuple[str, ...] = ()  # DEDB areas, from the table `databases` of the scenario
    compile_s: float = 0.0  # CPU of the job that compiled the programs, before the run; 0: none
    ims: Definitions = field(default_factory=Definitions)  # what IMS is told about its work

    smf_block: int = 27_998  # block of a dumped SMF data set

    @property
    def start_utc(self) -> np.datetime64:
        """Start of the run."""
        return np.datetime64(self.start.removesuffix("Z"), "us")

    @property
    def ipl(self) -> np.datetime64:
        """When the system was started, UTC; so were its address spaces, unless they say more."""
        return self.start_utc - np.timedelta64(self.ipl_days, "D")

    @property
    def offset(self) -> np.timedelta64:
        """Local time minus UTC."""
        return np.timedelta64(self.offset_minutes * 60_000_000, "us")

    @property
    def zone(self) -> str:
        """The offset as +hh:mm or -hh:mm."""
        sign = "-" if self.offset_minutes < 0 else "+"
        return f"{sign}{abs(self.offset_minutes) // 60:02d}:{abs(self.offset_minutes) % 60:02d}"


def host_of(scenario: Any) -> Host:
    """The defaults above, with what the scenario says in their place."""
    given: dict[str, Any] = {}
    plain = Host()
    for name, knob in KNOBS.items():
        if knob in scenario.knobs:
            value = scenario.knobs[knob].value
            text = value.isoformat() if isinstance(value, datetime) else value
            given[name] = type(getattr(plain, name))(text)
    if "machine.type" in scenario.knobs:
        given["machine_type"] = _machine_type(scenario["machine.type"])
    if "log_volumes" in scenario.tables:
        volume = {row["use"]: row["volume"] for row in scenario.table("log_volumes")}
        given["log_volumes"] = tuple(
            volume.get(use, name)
            for use, name in zip(("WADS", "OLDS"), plain.log_volumes, strict=True)
        )
    given |= _log_writes(scenario)
    if "encryption" in scenario.knobs:
        given["encrypted"] = tuple(
            encrypted(scenario, data_set) for data_set in ("dedb", "wads", "olds")
        )
    host = replace(
        plain,
        **given,
        areas=_areas(scenario),
        databases=_databases(scenario),
        databases_of=_databases_of(scenario),
        changes_of=tuple(_changes_of(scenario)),
        database_files=tuple(_database_files(scenario)),
        compile_s=compile_s(scenario),
        ims=definitions_of(scenario),
    )
    _check_start(host)
    return host


def _log_writes(scenario: Any) -> dict[str, Any]:
    """How WADS and OLDS are written, where the scenario has a log."""
    if "log.mirror" not in scenario.knobs:
        return {}
    both = ("wads", "olds")
    settings: dict[str, Any] = {
        f"log_{name}": tuple(setting(scenario, side, name) == "on" for side in both)
        for name in ("zhpf", "zhyperwrite")
    }
    return settings | {"log_mirror": tuple(mirror_share(scenario, side) for side in both)}


def of_system(host: Host, number: int, first: Host) -> Host:
    """The host of a system of several, from 0: databases of all, log volumes of its own."""
    if number == 0:
        return host
    wads, olds = (f"{volume[:4]}{number + 1:02d}" for volume in host.log_volumes)
    return replace(
        host,
        partition_number=host.partition_number + number,
        system_number=number,
        log_device=host.log_device + number * OWN_DEVICES,
        log_volumes=(wads, olds),
        database_prefix=first.ims_id,
    )


def _machine_type(text: str) -> int:
    """The four digits of a machine type stand in the records as four hex digits."""
    if len(text) != 4 or not text.isdecimal():
        raise ScenarioError(f"machine.type: found {text!r}, expected four digits such as 2827")
    return int(text, 16)


def _check_start(host: Host) -> None:
    try:
        start = host.start_utc
    except ValueError as error:
        raise ScenarioError(
            f"run.start: found {host.start!r}, expected a date and time in UTC",
            "write it as 2014-03-10T14:00:00",
        ) from error
    if not EARLIEST <= start < LATEST:
        raise ScenarioError(
            f"run.start: found {host.start!r}, expected 1985 to 2041", "a TOD clock ends in 2042"
        )


def _databases(scenario: Any) -> tuple[str, ...]:
    """Full-function databases: those without areas; or table spaces of Db2, of up to 8 letters."""
    if "db2_tables" in scenario.tables:
        return tuple(row["table"][:8] for row in scenario.table("db2_tables"))
    if "databases" not in scenario.tables:
        return ()
    return tuple(row["database"] for row in scenario.table("databases") if not row["areas"])


def _databases_of(scenario: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The full-function databases of each transaction code, where the scenario says which."""
    known, database_rows = _databases(scenario), []
    if "transactions" not in scenario.tables:
        return ()
    for row in scenario.table("transactions"):
        names = tuple(str(row.get("databases", "")).split())
        for name in names:
            if name not in known:
                raise ScenarioError(
                    f"scenario {scenario.name}: table transactions: {row['tran']}: found database "
                    f"{name}, expected one of the table databases",
                    f"these are {', '.join(known)}",
                )
        if names:
            database_rows.append((str(row["tran"]), names))
    return tuple(database_rows)


def _changes_of(scenario: Any) -> Iterator[tuple[str, str]]:
    """How each transaction code changes databases: I inserts, D deletes, R replaces (5050)."""
    letters = {"read": "", "insert": "I", "delete": "D", "update": "R"}
    rows = scenario.table("transactions") if "transactions" in scenario.tables else []
    for row in rows:
        words = str(row.get("call_mix", "")).split()
        for word in words:
            if word not in letters:
                raise ScenarioError(
                    f"scenario {scenario.name}: table transactions: {row['tran']}: found call "
                    f"{word!r}, expected {', '.join(letters)}",
                    near(word, letters) or None,
                )
        changes = "".join(letters[word] for word in words)
        if changes:
            yield str(row["tran"]), changes


def _database_files(scenario: Any) -> Iterator[DatabaseFile]:
    """Copies of databases, by turns OSAM and VSAM (000 T1); parts and indexes of Db2 tables."""
    if "db2_tables" in scenario.tables:
        for row in scenario.table("db2_tables"):
            table = row["table"][:8]
            for part in range(1, max(row["parts"], 1) + 1):
                yield DatabaseFile(table, f"{table}.I{{piece:04d}}.A{part:03d}", "Db2")
            of_parts = row["parts"] if row["indexes"].startswith("index per part") else 0
            for part in range(1, of_parts + 1):
                yield DatabaseFile(table, f"IX{table[:6]}.I{{piece:04d}}.A{part:03d}", "Db2")
            if row["indexes"] != "none" and row["indexes"] != "index per part":
                yield DatabaseFile(table, f"IY{table[:6]}.I{{piece:04d}}.A001", "Db2")
    elif "databases" in scenario.tables:
        for row in scenario.table("databases"):
            copies = 0 if row["areas"] else row.get("replicates", 1)
            for copy in range(1, 1 + copies):
                own = f".R{copy:02d}" * (copies > 1)
                access = "OSAM" if copy % 2 else "VSAM"
                yield DatabaseFile(
                    row["database"], f"{row['database']}{own}.A{{piece:05d}}", access
                )


def _areas(scenario: Any) -> tuple[str, ...]:
    """Area names: five letters of the database and a number."""
    if "databases" not in scenario.tables:
        return ()
    rows = scenario.table("databases")
    return tuple(f"{row['database'][:5]}{n:03d}" for row in rows for n in range(row["areas"]))
