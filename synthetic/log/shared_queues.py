"""CQS and the shared message queues: A103 by structure, A104 by kind of request.

A message for a program is put on the shared queue when it has arrived, read when a region takes it
and deleted when its transaction ends; so is each that a program switches to. Answers are sent in
commit mode 1, without a queue. A message whose answer is just being sent counts as read when it is
deleted. Requests to the coupling facility and their time are those of the simulation; a log
record of CQS is a request to the structure of its log stream.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from imsperf.layouts import ims_a1
from imsperf.synthetic.accounts.sysplex_accounts import ENTRIES, Sysplex, elements_of
from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.statistics_sets import Sets, parts_of, table_records
from imsperf.synthetic.network.network import Network, Structure
from imsperf.synthetic.units import TICKS_PER_US

RECORDS = {record.subcode: record for record in ims_a1.RECORDS}
KINDS = ("PUT", "READ", "DEL")


def queue_sets(sets: Sets, plex: Sysplex | None) -> Iterator[U8]:
    """A103 and A104 of all sets, behind the statistics set; none without shared queues."""
    queues, coupling = queue_structures(sets.network, plex), sets.network.coupling
    if not queues or coupling is None or plex is None:
        return
    log = "" if plex.log is None else plex.log.structure
    used = [coupling.structures[n] for n in queues]
    name = {"cqs": f"{sets.host.ims_id}CQS"}
    structures = _structures(sets, plex, queues, used)
    head = name | _whole(
        sets, plex, [structure.name == log for structure in coupling.structures], structures
    )
    yield from table_records(sets, RECORDS[0x03], structures, len(queues), head)
    requests = _requests(sets, queues, used)
    yield from table_records(sets, RECORDS[0x04], requests, len(KINDS) * len(queues), name)


def queue_structures(network: Network, plex: Sysplex | None) -> list[int]:
    """Places of the structures with shared message queues: lists, but for that of the log."""
    if network.coupling is None or plex is None:
        return []
    log = "" if plex.log is None else plex.log.structure
    lists = [
        (n, structure)
        for n, structure in enumerate(network.coupling.structures)
        if structure.kind == "list"
    ]
    return [n for n, structure in lists if structure.name != log]


def messages(sets: Sets) -> dict[str, I64]:
    """Messages for programs put, read and deleted so far."""
    done = sets.total("completed")
    switches = done @ np.array(
        [len(work_class.chain) for work_class in sets.network.classes], np.int64
    )
    came, ended = sets.total("arrivals"), done.sum(axis=1)
    read = np.maximum.accumulate(np.minimum(ended + sets.lately("region_busy_end"), came))
    return {"PUT": came + switches, "READ": read + switches, "DEL": ended + switches}


def _sizes(sets: Sets) -> dict[str, I64]:
    """Bytes of the messages put and read: inputs, and outputs to the next program."""
    sent, done = messages(sets), sets.total("completed")
    switches = done @ np.array(
        [len(work_class.chain) for work_class in sets.network.classes], np.int64
    )
    longer = sets.host.message_out - sets.host.message_in
    return {kind: sent[kind] * sets.host.message_in + switches * longer for kind in ("PUT", "READ")}


def _shared(values: I64, used: Sequence[Structure]) -> I64:
    """A counter for each of several structures, by the requests to them: (sets, structures)."""
    weight = np.array([structure.in_region + structure.in_output for structure in used])
    return parts_of(values, np.arange(1.0, len(values) + 1)[:, None] * weight)


def _time(sets: Sets, places: Sequence[int] | list[bool]) -> I64:
    """Time of requests to structures, us, (sets, structures)."""
    return sets.total("cf_sync_ticks", "cf_async_ticks", unit=TICKS_PER_US)[:, places]


def _structures(
    sets: Sets, plex: Sysplex, queues: Sequence[int], used: Sequence[Structure]
) -> dict[str, Any]:
    sent, sizes = messages(sets), _sizes(sets)
    sync = sets.total("cf_sync")[:, queues]
    level = np.array([structure.in_region + structure.in_output for structure in used])
    assert sets.network.coupling is not None
    each = elements_of(plex, sets.network.coupling)[queues]
    waiting = (_in_flight(plex)[:, None] * level // level.sum()).astype(np.int64)
    return {
        "structure": [structure.name for structure in used],
        "kind": "M",
        "state": "N",
        "puts": _shared(sent["PUT"], used),
        "put_bytes": _shared(sizes["PUT"], used),
        "reads": _shared(sent["READ"], used),
        "read_bytes": _shared(sizes["READ"], used),
        "deletes": _shared(sent["DEL"], used),
        "registrations": len(sets.network.codes),  # one for each queue of a transaction
        "cf_requests": sync + sets.total("cf_async")[:, queues],
        "cf_sync": sync,
        "cf_us": _time(sets, queues),
        "entries_now": waiting,
        "entries_max": np.maximum.accumulate(waiting, axis=0),
        "entries_total": ENTRIES["list"],
        "elements_now": waiting * each,
        "elements_max": np.maximum.accumulate(waiting, axis=0) * each,
        "elements_total": ENTRIES["list"] * each,
    }


def _in_flight(plex: Sysplex) -> I64:
    """Messages on the queues of all systems at each set, not yet deleted."""
    each = [
        np.concatenate([[result.warm["in_flight_end"]], result.in_flight_end])
        for result in plex.results
    ]
    total: I64 = np.sum(each, axis=0)
    return total


def _whole(
    sets: Sets, plex: Sysplex, is_log: list[bool], structures: dict[str, Any]
) -> dict[str, Any]:
    """What CQS did in all; its own client is its IMS."""
    writes = (sets.total("cf_sync") + sets.total("cf_async"))[:, is_log].sum(axis=1)
    bytes_ = 0 if plex.log is None else round(plex.log.bytes)
    return {
        "connects": 1,
        "clients": 1,
        "log_records": writes,
        "log_writes": writes,
        "log_bytes": writes * bytes_,
        "log_us": _time(sets, is_log).sum(axis=1),
        "cf_requests": structures["cf_requests"].sum(axis=1),
        "cf_us": structures["cf_us"].sum(axis=1),
    }


def _requests(sets: Sets, queues: Sequence[int], used: Sequence[Structure]) -> dict[str, Any]:
    """An entry for each structure and kind; time by the number of requests of the kind."""
    sent, sizes = messages(sets), _sizes(sets)
    number = np.stack([_shared(sent[kind], used) for kind in KINDS], axis=2)
    size = np.stack(
        [_shared(sizes.get(kind, np.zeros_like(sent[kind])), used) for kind in KINDS], axis=2
    )
    waited = sets.total("cf_queued_ticks", unit=TICKS_PER_US)[:, queues]
    inside = _parts(_time(sets, queues), number)
    count = len(sets.tick)
    columns = {
        "requests": number,
        "objects": number,
        "bytes": size,
        "cf_us": inside,
        "elapsed_us": inside + _parts(waited, number),
    }
    return {
        "request": list(KINDS) * len(used),
        "client": sets.host.ims_id,
        "structure": np.repeat([structure.name for structure in used], len(KINDS)),
        **{name: values.reshape(count, -1) for name, values in columns.items()},
    }


def _parts(values: I64, number: I64) -> I64:
    """Time of each structure, (sets, structures), by kind of request: (..., kinds)."""
    each = [parts_of(values[:, n], number[:, n]) for n in range(values.shape[1])]
    return np.stack(each, axis=1)
