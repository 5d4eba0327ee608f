"""Requests to servers, of sampled transactions: SMF 110.1 of CICS regions, 123 of z/OS Connect.

The simulation keeps the CPU of a transaction by its place on the way, not by address space; a
server has its share of the cost table in it, as type 30 charges it.

A z/OS Connect server does its part of a request before it goes to IMS, as all CPU outside the
response is simulated (simulated.py): sent when that CPU is used, at the earliest, and the answer of
IMS is the response. A CICS task waits for DBCTL while it has, or waits for, a thread, but for its
own CPU in that time: waits for the QR TCB and what no equation explains are in that wait.

The SMF dump is written after the log, when the transactions themselves are forgotten. 80 bytes of
each sampled one are kept to the end, and only of systems that write such records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.arrays import I32, I64, Times, Values
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.run import SMALL, TIMES, Completed
from imsperf.synthetic.smf.record_groups import Group
from imsperf.synthetic.smf.type110 import Region, dictionary_group, task_groups
from imsperf.synthetic.smf.type123 import Api, ApiRequests, Server, request_groups
from imsperf.synthetic.units import TICKS_PER_US

Rows = Mapping[str, Values]

CICS, AOR, ZOS_CONNECT = "CICS", "AOR", "ZOSC"  # rows of the cost table
OK = 200  # of HTTP
TASK_NUMBERS = 99_999  # then they begin again
KEPT_TIMES = (
    *("send", "arrival", "sync", "written", "dequeue", "cpu_input", "cpu_region", "cpu_output"),
    *("io_wait", "number"),
)
KEPT_SMALL = ("cls", "client")
TASK = ("tran", "start", "stop", "trannum", "usrdispt", "usrcput", "susptime")
DBCTL = (*TASK, "imsreqct", "imswait")  # fields of regions that call IMS
OPEN = ("l8cput", "l9cput", "x8cput", "x9cput")  # by kind of open TCB
WITHOUT_IMS = (*TASK, "qrcput", *OPEN, "fcamct", "fciowtt", "db2reqct")


# --- sampled transactions, until the SMF dump is written ------------------------------------------


class SampledRequests:
    """Transactions of one system, handed over piece by piece; nothing where `wanted` is False."""

    def __init__(self, *, wanted: bool) -> None:
        self.wanted = wanted
        self._times: list[I64] = []
        self._small: list[I32] = []

    def add(self, new: Completed) -> None:
        """Transactions that ended."""
        if self.wanted and len(new.times):
            self._times.append(new.times[:, [TIMES.index(name) for name in KEPT_TIMES]])
            self._small.append(new.small[:, [SMALL.index(name) for name in KEPT_SMALL]])

    def taken(self) -> dict[str, I64 | I32]:
        """Columns of all of them in the order of their ends; nothing is kept after that."""
        if not self._times:
            none: dict[str, I64 | I32] = {
                name: np.empty(0, np.int64) for name in (*KEPT_TIMES, *KEPT_SMALL)
            }
            return none
        times, small = np.concatenate(self._times), np.concatenate(self._small)
        self._times, self._small = [], []
        place = {name: n for n, name in enumerate(KEPT_TIMES)}
        order = np.lexsort((times[:, place["number"]], times[:, place["dequeue"]]))
        columns: dict[str, I64 | I32] = {name: times[order, n] for name, n in place.items()}
        return columns | {name: small[order, n] for n, name in enumerate(KEPT_SMALL)}


def keep(kept: Sequence[SampledRequests], handed: Sequence[Completed]) -> None:
    """What all systems handed over."""
    for sampled, new in zip(kept, handed, strict=True):
        sampled.add(new)


def keep_rest(kept: Sequence[SampledRequests], results: Sequence[SimResult]) -> None:
    """What is left when the run is over: all, where nothing was handed over."""
    for sampled, result in zip(kept, results, strict=True):
        if sampled.wanted:
            sampled.add(Completed.of(result.transactions, result.programs, 0))


# --- records --------------------------------------------------------------------------------------


def serves(inventory: Inventory) -> bool:
    """Whether a server of the system writes a record for each request."""
    return any(_spaces(inventory, row) for row in (CICS, AOR, ZOS_CONNECT))


def request_records(rows: Rows, inventory: Inventory, network: Network, host: Host) -> list[Group]:
    """All records of single requests of a system. `rows`: in the order of their ends."""
    return [
        *_api_records(rows, inventory, network, host),
        *_task_records(rows, inventory, network, host),
    ]


def _spaces(inventory: Inventory, row: str) -> list[int]:
    """The address spaces that a row of the cost table is about."""
    return [n for n, row_of in enumerate(inventory.rows) if row_of == row]


def _us(network: Network, row: str) -> float:
    """CPU of the mean transaction that a row of the cost table has."""
    return dict(network.cpu.share_by_space).get(row, 0.0)


def _utc(host: Host, ticks: I64) -> Times:
    utc: Times = host.start_utc + (ticks // TICKS_PER_US).astype("timedelta64[us]")
    return utc


def _of_server(rows: Rows, number: int, of: int) -> Rows:
    """The requests of one server of several: a client keeps to one, as A109 says."""
    if of == 1:
        return rows
    mine = np.flatnonzero(rows["client"] % of == number)
    return {name: values[mine] for name, values in rows.items()}


# --- z/OS Connect ---------------------------------------------------------------------------------


def _api_records(rows: Rows, inventory: Inventory, network: Network, host: Host) -> list[Group]:
    """123: an API for each transaction code, each request successful."""
    places = _spaces(inventory, ZOS_CONNECT)
    apis = [_api(work_class.name, host) for work_class in network.classes]
    share = min(_us(network, ZOS_CONNECT) / network.cpu.input_us, 1.0) if places else 0.0
    groups = list[Group]()
    for number, place in enumerate(places):
        mine, space = _of_server(rows, number, len(places)), inventory.spaces[place]
        own = np.rint(mine["cpu_input"] * share).astype(np.int64)
        ended = _utc(host, mine["dequeue"])
        requests = ApiRequests(
            api=mine["cls"].astype(np.int64),
            entry=_utc(host, mine["send"]),
            exit=ended,
            sent=_utc(host, mine["send"] + own),
            received=ended,
            bytes_in=host.message_in,
            bytes_out=host.message_out,
            code=OK,
        )
        groups += request_groups(Server(space.job, space.job_id), apis, requests, host)
    return groups


def _api(code: str, host: Host) -> Api:
    """Names of ours: those of the transaction."""
    name = code.lower()
    return Api(
        name, name, f"/{name}", connection=f"{host.ims_id}CONN", system=host.ims_id, resource=code
    )


# --- CICS -----------------------------------------------------------------------------------------


def _task_records(rows: Rows, inventory: Inventory, network: Network, host: Host) -> list[Group]:
    """110.1: the dictionary of each region as the run begins, then its tasks."""
    row = CICS if network.has_ims else AOR
    places = _spaces(inventory, row)
    total = sum(us for _, us in network.cpu.share_by_space)
    share = _us(network, row) / total if places else 0.0
    code = network.of_classes("name").astype("<U4")
    calls = network.of_classes("db_calls") + network.of_classes("dedb_calls")
    groups = list[Group]()
    for number, place in enumerate(places):
        job = inventory.spaces[place].job
        region = Region(job, job, DBCTL if network.has_ims else WITHOUT_IMS)
        groups.append(dictionary_group(region, host, host.start_utc))
        mine = _of_server(rows, number, len(places))
        if network.has_ims:
            tasks = _clocks(mine, share, _freed(mine, network), calls[mine["cls"]])
        else:
            tasks = _without_ims(mine, share, network)
        tasks |= {
            "tran": code[mine["cls"]],
            "start": _utc(host, mine["send"]),
            "stop": _utc(host, mine["dequeue"]),
            "trannum": mine["number"] % TASK_NUMBERS + 1,
        }
        groups += task_groups(region, tasks, host)
    return groups


def _freed(rows: Rows, network: Network) -> I64:
    """When the thread was given back."""
    return rows["written" if network.logger.check_write == "in_region" else "sync"]


def _clocks(rows: Rows, share: float, freed: I64, calls: I64) -> dict[str, Any]:
    """Clocks in ticks: dispatched and suspended are the time from start to stop, whole."""
    own = np.rint(rows["cpu_region"] * share).astype(np.int64)
    waited = freed - rows["arrival"] - own
    cpu = np.rint((rows["cpu_input"] + rows["cpu_output"]) * share).astype(np.int64) + own
    return {
        "usrdispt_us": rows["dequeue"] - rows["send"] - waited,
        "usrdispt_count": calls + 1,
        "usrcput_us": cpu,
        "usrcput_count": calls + 1,
        "susptime_us": waited,
        "susptime_count": calls,
        "imsreqct": calls,
        "imswait_us": waited,
        "imswait_count": calls,
    }


def _without_ims(rows: Rows, share: float, network: Network) -> dict[str, Any]:
    """The same of regions without IMS. CPU is on the QR TCB or, as far as it may, on open TCBs."""
    classes = network.classes
    files = np.array([one.file_calls for one in classes], np.int64)[rows["cls"]]
    db2 = np.array([one.db2_calls for one in classes], np.int64)[rows["cls"]]
    switches = np.array([one.tcb_switches for one in classes], np.int64)[rows["cls"]]
    cpu = np.rint(rows["cpu_region"] * share).astype(np.int64)
    on_qr = network.tcbs.us / _us(network, AOR) if network.tcbs else 0.0
    qr = np.rint(cpu * on_qr).astype(np.int64)
    none = np.zeros_like(cpu)
    opened = dict.fromkeys((f"{name}_{part}" for name in OPEN for part in ("us", "count")), none)
    kind = network.tcbs.open_kind if network.tcbs else "l8"
    opened[f"{kind}cput_us"] = cpu - qr
    opened[f"{kind}cput_count"] = np.maximum(switches // 2, int(on_qr < 1))
    return opened | {
        "usrdispt_us": cpu,
        "usrdispt_count": files + switches + 1,
        "usrcput_us": cpu,
        "usrcput_count": files + switches + 1,
        "susptime_us": rows["dequeue"] - rows["send"] - cpu,
        "susptime_count": files + 1,
        "qrcput_us": qr,
        "qrcput_count": files + switches // 2 + 1,
        "fcamct": files,
        "fciowtt_us": rows["io_wait"] * (files > 0),
        "fciowtt_count": files,
        "db2reqct": db2,
    }
