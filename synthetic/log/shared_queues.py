"""What a system shares: A103 and A104 of CQS and its message queues, A105 of the IRLM.

A103 is by structure, A104 by kind of request.

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

from imsperf.synthetic.accounts.integer_split import running_units
from imsperf.synthetic.accounts.sysplex_accounts import ENTRIES, Sysplex, elements_of
from imsperf.synthetic.arrays import I64, U8
from imsperf.synthetic.log.log_records import rows_of
from imsperf.synthetic.log.statistics_sets import RECORDS, Sets, parts_of, table_records
from imsperf.synthetic.network.network import Network, Structure
from imsperf.synthetic.units import TICKS_PER_US

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
    yield from table_records(sets, RECORDS[0xA1, 0x03], structures, len(queues), head)
    requests = _requests(sets, queues, used)
    yield from table_records(sets, RECORDS[0xA1, 0x04], requests, len(KINDS) * len(queues), name)


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
    switches = done @ (sets.network.of_classes("chain_length") - 1)
    came, ended = sets.total("arrivals"), done.sum(axis=1)
    read = np.maximum.accumulate(np.minimum(ended + sets.lately("region_busy_end"), came))
    return {"PUT": came + switches, "READ": read + switches, "DEL": ended + switches}


def _sizes(sets: Sets) -> dict[str, I64]:
    """Bytes of the messages put and read: inputs, and outputs to the next program."""
    sent, done = messages(sets), sets.total("completed")
    switches = done @ (sets.network.of_classes("chain_length") - 1)
    longer = sets.host.message_out - sets.host.message_in
    return {kind: sent[kind] * sets.host.message_in + switches * longer for kind in ("PUT", "READ")}


def _shared(values: I64, used: Sequence[Structure]) -> I64:
    """A counter for each of several structures, by the requests to them: (sets, structures)."""
    weight = np.array([structure.requests for structure in used])
    return parts_of(values, np.arange(1.0, len(values) + 1)[:, None] * weight)


def _time(sets: Sets, places: Sequence[int] | list[bool]) -> I64:
    """Time of requests to structures, us, (sets, structures)."""
    return sets.total("cf_sync_ticks", "cf_async_ticks", unit=TICKS_PER_US)[:, places]


def _structures(
    sets: Sets, plex: Sysplex, queues: Sequence[int], used: Sequence[Structure]
) -> dict[str, Any]:
    sent, sizes = messages(sets), _sizes(sets)
    sync = sets.total("cf_sync")[:, queues]
    level = np.array([structure.requests for structure in used])
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


# --- locks ----------------------------------------------------------------------------------------
#
# The IRLM of one system, its lock structure as this system uses it.
#
# Requests to the lock structure and the contention they met are those of the simulation. A lock
# that is obtained is released: half of the requests are for each, but for the locks that are held,
# by a program in a region half of its own on average (as if it obtained them evenly; assumed).
# Requests that met contention are lock requests that waited for another member; those whose
# contention was true were settled between the IRLMs. How long they waited is part of the
# unexplained time of a region, and counted where a fault says it.

GROUP = "IRLMGRP"


def lock_sets(sets: Sets) -> Iterator[U8]:
    """A105 of all sets, behind the statistics set, for each lock structure."""
    coupling = sets.network.coupling
    for n, structure in enumerate(() if coupling is None else coupling.structures):
        if structure.kind != "lock":
            continue
        sync, waited = sets.total("cf_sync")[:, n], sets.total("cf_contention")[:, n]
        requests = sync + sets.total("cf_async")[:, n]
        false = sets.total("cf_false_contention")[:, n]
        held, locks, unlocks = _locks(sets, structure, requests)
        columns = {
            "locks": locks,
            "unlocks": unlocks,
            "global_locks": waited,
            "wait_us": _waited(sets, n),
            "locks_held": held,
            "max_locks_held": np.maximum.accumulate(held),
            "irlm": f"IR{sets.host.ims_id[-2:]}",
            "irlm_group": GROUP,
            "lock_structure": structure.name,
            "waits": waited,
            "false_contentions": false,
            "xes_contentions": waited,
            "irlm_contentions": waited - false,
            "cf_requests": requests,
            "cf_sync": sync,
            "cf_us": sets.total("cf_sync_ticks", "cf_async_ticks", unit=TICKS_PER_US)[:, n],
            "lock_entries": ENTRIES["lock"],
            "subsystems": 1,
        }
        yield rows_of(RECORDS[0xA1, 0x05], sets.common() | columns)


def _locks(sets: Sets, structure: Structure, requests: I64) -> tuple[I64, I64, I64]:
    """Locks held at each set; locks obtained and released so far, which make up the requests."""
    each = structure.requests / 2  # of a transaction
    busy = np.asarray(sets.lately("region_busy_end"), dtype=np.int64)
    held = np.rint(busy * each / 2).astype(np.int64)
    locks = np.maximum.accumulate(np.maximum((requests + held + 1) // 2, held))
    unlocks = np.maximum.accumulate(locks - held)
    return locks - unlocks, locks, unlocks


def _waited(sets: Sets, number: int) -> I64 | int:
    """Wait for locks since IMS start, us; 0 where nothing says how long."""
    ticks = sets.result.cf_held_ticks
    if ticks is None:
        return 0
    return running_units(np.concatenate([[0], ticks[:, number]]), TICKS_PER_US)
