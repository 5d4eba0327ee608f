"""Networks for the tests of the simulation: one in which everything happens, and an idle one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from imsperf.synthetic.network.network import (
    Cpu,
    Dasd,
    Latches,
    Logger,
    Network,
    PoolSize,
    RegionPool,
    TransactionClass,
    Xcf,
)


def busy_network(**changes: Any) -> Network:
    """Each station has work and some waiting; parts are changed by `part={"field": value}`."""
    return changed(_BUSY, changes)


def idle_network(**changes: Any) -> Network:
    """Nothing costs anything until it is changed; open, so that arrivals are Poisson."""
    return changed(_IDLE, changes)


def changed(network: Network, changes: dict[str, Any]) -> Network:
    """The network with fields replaced; a dictionary replaces fields of a part.

    `regions` is the number of a single pool.
    """
    if "regions" in changes:
        changes["region_pools"] = (RegionPool("IFP", changes.pop("regions")),)
    parts = {
        name: replace(getattr(network, name), **value) if isinstance(value, dict) else value
        for name, value in changes.items()
    }
    return replace(network, **parts)


def two_pools(messages: float = 1.6, mpps: int = 14) -> Network:
    """The busy network with classes in pools of their own, the second with schedules.

    14 MPPs are too few for what clients send: they set the rate.
    """
    pools = (RegionPool("IFP", 30), RegionPool("MPP", mpps, messages, 90.0, 400.0))
    classes = tuple(
        replace(work_class, pool=int(work_class.name != "CCCK")) for work_class in _BUSY.classes
    )
    return replace(_BUSY, region_pools=pools, classes=classes)


_BUSY = Network(
    clients=300,
    think_us=9_000.0,
    rate_per_s=0.0,
    classes=(
        TransactionClass("CCCK", 3.0, 0.85, 0.0, 0.0, 2, 5, 400),
        TransactionClass("CLCK", 2.0, 0.95, 0.7, 0.0, 2, 5, 410),
        TransactionClass("DEBIT", 1.0, 1.2, 2.4, 1.3, 4, 6, 466),
    ),
    cpu=Cpu(4, 40.0, 50.0, 30.0, 60_000.0, 0.1, quantum_us=0.0),
    xcf=Xcf(5, 70, 10_000.0),
    region_pools=(RegionPool("IFP", 60),),
    unexplained_us=600.0,
    latches=Latches("shared", 4, 2.0, 3.0, 900.0, 9.0, 7.0),
    logger=Logger("notified", 300.0, 0.4, 4096, 280.0, 26_624, 100),
    dasd=Dasd(3, 8, 40.0, 120.0, 5.0, 20.0, 3.0, 150.0, 1),
    pools=(
        PoolSize("DYNP", 2048, 40, 8, True, 1.0, 1_700.0, 900.0, 12, 3),
        PoolSize("LUMP", 512, 16, 16, False, 0.4, 300.0, 1_500.0),
    ),
    block_search_us=0.5,
)

_IDLE = Network(
    clients=0,
    think_us=0.0,
    rate_per_s=1_000.0,
    classes=(TransactionClass("ONE", 1.0, 1.0, 0.0, 0.0, 1, 1, 100),),
    cpu=Cpu(1, quantum_us=0.0),
    xcf=Xcf(1, 1_000_000, 10_000.0),
    region_pools=(RegionPool("IFP", 100_000),),
    unexplained_us=0.0,
    latches=Latches("split", 0, 0.0, 0.0, 0.0, 0.0, 0.0),
    logger=Logger("notified", 0.0, 0.0, 4096, 0.0, 26_624, 100),
    dasd=Dasd(1, 1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0),
    pools=(),
    block_search_us=0.0,
)
