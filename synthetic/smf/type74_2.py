"""SMF 74.2: messages through XCF, between IMS Connect and IMS on one system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from imsperf.layouts import smf74_2
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import as_weights, shared
from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.measured import columns_of_each, stated
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group

WRITTEN_US = 75_000
LOCAL, ACTIVE = 0x20, 3
TRANSPORT_CLASS, BUFFER_BYTES, MOST_KB = "DEFAULT", 956, 2000


@dataclass(frozen=True)
class Member:
    """A member of an XCF group on this system."""

    group: str = stated("r742mgrp")
    name: str = stated("r742mmem")
    job: str = stated("r742mjob")


def xcf_group(
    fit: I64, members: Sequence[Member], sent: I64, received: I64, host: Host, interval: Interval
) -> Group:
    """One record per interval: messages on this system that fit their buffers, (n, 1), and what
    the members sent and received, (n, members)."""
    parts = [
        Sections(
            smf74_2.SYSTEM,
            {"r742sfit": fit},
            fixed={
                "r742snme": host.system,
                "r742sdir": LOCAL,
                "r742smxb": MOST_KB,
                "r742stcl": BUFFER_BYTES,
                "r742stcn": TRANSPORT_CLASS,
            },
        ),
        Sections(
            smf74_2.MEMBER,
            {"r742msnt": sent, "r742mrcv": received},
            len(members),
            fixed=columns_of_each(members, smf74_2.MEMBER)
            | {"r742msys": host.system, "r742mst1": ACTIVE},
        ),
    ]
    return rmf_group(smf74_2.XCF_ACTIVITY, host, interval, parts, WRITTEN_US)


def ports_of(jobs: Sequence[str], ports: int) -> Iterator[tuple[int, str]]:
    """So many ports over these jobs, in turn: number within its job from 0, job."""
    for number in range(ports):
        yield number // len(jobs), jobs[number % len(jobs)]


def xcf_records(
    result: SimResult, inventory: Inventory, host: Host, interval: Interval
) -> list[Group]:
    """74.2: messages between IMS Connect and IMS on this system, which take no signalling path.

    IMS Connect is a member for each port (data store) that XCF gives a quota of its own; they
    belong to the IMS Connects in turn (assumed).
    """
    connects = inventory.of_program("HWSHWS00")
    if not len(connects):
        return []
    inputs, outputs = (each.sum(axis=1) for each in (result.member_messages, result.completed))
    jobs = [inventory.spaces[n].job for n in connects.tolist()]
    group = f"{host.ims_id}XCF"
    ims = inventory.spaces[inventory.owner].job
    sent, received = result.member_messages, result.member_answers
    ports = [Member(group, f"{job}P{n + 1}", job) for n, job in ports_of(jobs, sent.shape[1])]
    if len(ports) <= len(jobs):  # one port each
        equal = as_weights(np.ones(len(jobs)))
        sent, received = shared(inputs, equal), shared(outputs, equal)
        ports = [Member(group, job, job) for job in jobs]
    members = [Member(group, host.ims_id, ims), *ports]

    def both(of_ims: I64, of_connects: I64) -> I64:
        return np.hstack([of_ims[:, None], of_connects])

    fit = (inputs + outputs)[:, None]
    all_sent, all_received = both(outputs, sent), both(inputs, received)
    return [xcf_group(fit, members, all_sent, all_received, host, interval)]
