"""What the records of one log are made from: the simulation, the network, names encoded once."""

from __future__ import annotations

import math
from collections import abc
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from imsperf.kinds import text
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.regions import has_codes, job_names, psb_of_codes, region_types
from imsperf.synthetic.accounts.sysplex_accounts import Sysplex
from imsperf.synthetic.arrays import F64, I64, U8, Times, Values
from imsperf.synthetic.log.db_calls import Calls, calls_of_codes, letters_of_codes
from imsperf.synthetic.log.log_plan import Lookup
from imsperf.synthetic.log.shared_queues import queue_structures
from imsperf.synthetic.log.statistics_sets import tod_of
from imsperf.synthetic.network.network import Network, Sequence
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.units import TICKS_PER_US

TYPE_BITS = {"IFP": 0x08, "MPP": 0x01, "JMP": 0x21, "BMP": 0x02, "JBP": 0x22, "THREAD": 0x04}
WAITS = 0x40  # wait for input, in 07, 08 and in 56FA
MEMBER = "HWSMEM"  # OTMA client: IMS Connect


@dataclass(frozen=True)
class Names:
    """Text fields, encoded once: by code, client, area, database and region."""

    ims: U8
    tran: Lookup
    psb: Lookup
    lterm: Lookup
    userid: Lookup
    area: Lookup
    database: Lookup
    job: Lookup
    kind: Lookup
    type_bit: Lookup
    waits: Lookup
    caller: Lookup

    @classmethod
    def of(cls, network: Network, host: Host, clients: int, areas: abc.Sequence[str]) -> Names:
        """Names for a network; a routing code is that of the transaction."""
        eight = text(8)
        waits = waiting(network, host)
        tran = [code for code, _ in network.codes]
        kinds = [pool.name for pool in network.region_pools for _ in range(pool.count)]
        texts: dict[str, Any] = {
            "tran": [one if has_codes(network) else "" for one in tran],
            "psb": psb_of_codes(network),
            "lterm": [f"C{n:07d}" for n in range(clients)],
            "userid": [f"U{n:07d}" for n in range(clients)],
            "area": areas,
            "database": list(host.databases) or ["DATABASE"],
            "job": job_names(network),
            "caller": list(network.callers) or [""],
        }
        return cls(
            ims=eight.encode(host.ims_id).reshape(8),
            kind=Lookup(text(1).encode(region_types(network))),
            type_bit=Lookup(np.array([TYPE_BITS.get(kind, 1) for kind in kinds], np.int64) + waits),
            waits=Lookup(waits),
            **{name: Lookup(eight.encode(values)) for name, values in texts.items()},
        )


def waiting(network: Network, host: Host) -> I64:
    """Flag of each region: its program waits for input, as A10D has it; no flag of threads and
    batch programs, which get no messages."""
    number = [pool.count for pool in network.region_pools]
    if network.source or network.sequence:
        return np.zeros(sum(number), np.int64)
    stays = host.ims.wait_for_input
    each = [WAITS * (stays or pool.schedule_chance == 0) for pool in network.region_pools]
    return np.repeat(np.array(each, np.int64), number)


@dataclass(frozen=True)
class Log:
    """Everything the log of one run is made from."""

    result: SimResult
    host: Host
    network: Network
    seed: int
    start: int  # TOD of tick 0
    ims_start: int  # TOD
    plex: Sysplex | None = None  # all systems of the run

    @classmethod
    def of(
        cls,
        result: SimResult,
        host: Host,
        network: Network,
        seed: int,
        plex: Sysplex | None = None,
    ) -> Log:
        """The log of a simulation; IMS was started a warm-up before the run."""
        start = tod_of(host.start_utc)
        return cls(result, host, network, seed, start, start - int(result.warm["ticks"]), plex)

    @property
    def end(self) -> int:
        """Tick at which the run ends."""
        return int(interval_ends(self.result.seconds, self.result.every_s)[-1])

    @cached_property
    def names(self) -> Names:
        """Names of everything, for as many clients and areas as there are."""
        clients, volumes = max(self.network.clients, 1), max(self.network.dasd.volumes, 1)
        # an area is simulated as the volume it is on
        areas = self.host.areas or [f"AREA{n:04d}" for n in range(volumes)]
        chosen = [areas[n % len(areas)] for n in range(volumes)]
        return Names.of(self.network, self.host, clients, chosen)

    @cached_property
    def lengths(self) -> Mapping[str, int]:
        """Bytes of a record by code, with prefix and suffix."""
        logger = self.network.logger
        logged = {database.code: database.bytes for database in self.network.logged}
        ends = {"5604": logger.thread_end_bytes} if logger.thread_end_bytes else {}
        return logged | ends | {"08": logger.schedule_bytes, "07": logger.end_bytes}

    @cached_property
    def counts(self) -> Mapping[str, I64]:
        """Records of one transaction by code, for each class."""
        return {
            database.code: np.array(database.counts, np.int64) for database in self.network.logged
        }

    @property
    def sequence(self) -> Sequence | None:
        """The one program there is, if it is no transaction."""
        return self.network.sequence

    @cached_property
    def changes(self) -> I64:
        """Changes of a DEDB between two sync points, for each class."""
        return self.counts.get("5950", np.zeros(len(self.network.classes), np.int64))

    @property
    def has_messages(self) -> bool:
        """Transactions come as messages on queues."""
        return "01" in self.lengths

    @cached_property
    def code_databases(self) -> U8 | None:
        """Databases of each code, over and over to the same number: (codes, number, 8); or all."""
        known = dict(self.host.databases_of)
        if not known:
            return None
        each = [known.get(code, self.host.databases) for code, _ in self.network.codes]
        number = math.lcm(*(len(database) for database in each))
        eight = text(8)
        return np.stack(
            [eight.encode([*database] * (number // len(database))) for database in each]
        )

    @cached_property
    def has_shared_queues(self) -> bool:
        """Messages for programs are put on a queue in the coupling facility."""
        return bool(queue_structures(self.network, self.plex))

    @property
    def source(self) -> str:
        """Where messages come from: O OTMA, T terminal."""
        return "O" if self.network.xcf.is_gate else "T"

    @property
    def member(self) -> str:
        """OTMA client, blank for terminals."""
        return MEMBER if self.source == "O" else ""

    @cached_property
    def dedb_buffers(self) -> I64:
        """Buffers for DEDBs that one transaction uses, for each class: a control interval for each
        change, one at least for its calls, and no fewer than it may read; read or found there."""
        most = np.ceil(self.network.of_classes("reads")).astype(np.int64)
        return np.maximum(np.maximum(self.changes, most), self.dedb_calls > 0)

    @cached_property
    def dedb_calls(self) -> I64:
        """DL/I calls to DEDBs of one transaction, for each class."""
        return self.network.of_classes("dedb_calls")

    @cached_property
    def esaf_calls(self) -> I64:
        """Calls to Db2 of one transaction, for each class."""
        return self.network.of_classes("esaf_calls")

    @cached_property
    def is_external(self) -> bool:
        """Reads and writes are of tables of Db2, not of databases of IMS."""
        return bool(self.esaf_calls.any())

    @cached_property
    def message_class(self) -> I64:
        """Message class of each code; 0 of threads, which no message schedules."""
        classes = np.array([number for _, number in self.network.codes], np.int64)
        return classes * (not self.network.source)

    @cached_property
    def priority(self) -> I64:
        """Scheduling priority of each code, as A10D has it; 0 for what is no transaction."""
        known = {
            transaction.code: transaction.current_priority
            for transaction in self.host.ims.transactions
        }
        if self.network.source or self.network.sequence:
            known = {}
        return np.array([known.get(code, 0) for code, _ in self.network.codes], np.int64)

    @cached_property
    def chain_lengths(self) -> I64:
        """Programs that a transaction of each class runs, one after the other."""
        return self.network.of_classes("chain_length")

    @cached_property
    def chains(self) -> I64:
        """Codes of these programs, (classes, most), as places in `Network.codes`."""
        codes, classes = self.network.codes, self.network.classes
        places = np.zeros((len(classes), int(self.chain_lengths.max())), np.int64)
        for number, work_class in enumerate(classes):
            places[number, 0] = number
            places[number, 1 : 1 + len(work_class.chain)] = [
                codes.index(pair) for pair in work_class.chain
            ]
        return places

    @cached_property
    def chain_shares(self) -> Mapping[str, F64]:
        """Of CPU, reads, writes: share of the first so many programs, (classes, most + 1)."""
        shape = len(self.network.classes), int(self.chain_lengths.max())
        shares = {}
        for name in ("cpu_factor", "reads", "writes"):
            each = np.zeros(shape)
            for number, work_class in enumerate(self.network.classes):
                own = [float(getattr(program, name)) for program in work_class.programs]
                each[number, : len(own)] = own
                if not any(own):  # nothing to be divided
                    each[number, 0] = 1.0
            upto = np.cumsum(np.pad(each, ((0, 0), (1, 0))), axis=1)
            shares[name] = upto / upto[:, -1:]
        return shares

    def of_codes(self, own: I64, name: str) -> I64:
        """A number of each of `Network.codes`: of a class, or what a program has of its chain's."""
        values = np.zeros(len(self.network.codes), np.int64)
        values[: len(own)] = own
        for work_class, places in zip(self.network.classes, self.chains, strict=True):
            values[places[: len(work_class.programs)]] = [
                getattr(each, name) for each in work_class.programs
            ]
        return values

    @cached_property
    def code_changes(self) -> I64:
        """Changes of full-function databases that each code logs."""
        none = np.zeros(len(self.network.classes), np.int64)
        return self.of_codes(self.counts.get("5050", none), "changes")

    @cached_property
    def code_calls(self) -> Calls:
        """Calls to full-function databases of each code."""
        return calls_of_codes(self.network, self.host)

    @cached_property
    def code_letters(self) -> U8:
        """With what each code changes databases, as `code_databases` has these: (codes, n, 1)."""
        each = letters_of_codes(self.network, self.host)
        number = math.lcm(*map(len, each))
        one = text(1)
        return np.stack([one.encode([*own] * (number // len(own))) for own in each])

    @cached_property
    def code_esaf_calls(self) -> I64:
        """Calls to Db2 of each code."""
        return self.of_codes(self.esaf_calls, "calls") * self.is_external

    @cached_property
    def calls(self) -> Calls:
        """Calls to full-function databases of one transaction, for each class."""
        return self.code_calls.of_classes(self.network)

    def utc(self, tick: Values) -> Times:
        """UTC of ticks of the run, to the microsecond."""
        us = tick.astype(np.int64) // TICKS_PER_US
        times: Times = self.host.start_utc + us.astype("timedelta64[us]")
        return times
