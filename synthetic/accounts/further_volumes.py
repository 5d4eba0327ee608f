"""Volumes behind those of databases: WADS, OLDS, then program libraries and trace data sets."""

from __future__ import annotations

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.trace_accounts import has_data_sets
from imsperf.synthetic.network.network import Network

LOGS = 2  # WADS, OLDS


def further_volumes(host: Host, network: Network) -> list[tuple[str, str]]:
    """Serial and storage group of each, in the order of their device numbers."""
    volumes = [(serial, host.log_group) for serial in host.log_volumes]
    if network.libraries is not None:
        volumes.append((host.library_volume, host.library_group))
    if has_data_sets(network):
        volumes.append((host.trace_volume, host.log_group))
    return volumes


def is_library(network: Network) -> slice:
    """Of all volumes, that of program libraries; nothing where there is none."""
    first = network.dasd.volumes + LOGS
    return slice(first, first + (network.libraries is not None))


def of_traces(network: Network) -> slice:
    """Of all volumes, that of trace data sets; nothing where there is none."""
    first = is_library(network).stop
    return slice(first, first + has_data_sets(network))
