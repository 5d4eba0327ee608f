"""SMF 123, layout version 2: requests to a z/OS Connect server as API provider, 20 in a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from imsperf.layouts import smf123
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64, Times, Values
from imsperf.synthetic.smf.measured import Amounts, columns_of_each, stated
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, smf_group

IN_RECORD = 20
PROVIDER, LAYOUT, TRIPLETS, TRIPLETS_AT = 1, 2, 2, 40
FLAGS = 0x5E  # subtypes, without the bit of a subsystem id
API = 1


@dataclass(frozen=True)
class Server:
    """A z/OS Connect server."""

    job: str
    job_id: str


@dataclass(frozen=True)
class Api:
    """What a request asks for."""

    name: str = stated("smf123s1_api_name")
    service: str = stated("smf123s1_service_name")
    uri: str = stated("smf123s1_req_target_uri")
    connection: str = stated("smf123s1_sor_reference", default="")
    system: str = stated("smf123s1_sor_identifier", default="")  # of record
    resource: str = stated("smf123s1_sor_resource", default="")


@dataclass(frozen=True, kw_only=True)
class ApiRequests:
    """r requests in the order they ended. Times are UTC, NaT where there is none."""

    api: I64  # index of each
    entry: Times
    exit: Times
    sent: Times  # to the system of record
    received: Times
    bytes_in: Amounts
    bytes_out: Amounts
    code: Amounts  # of HTTP


def request_groups(
    server: Server, apis: Sequence[Api], requests: ApiRequests, host: Host
) -> list[Group]:
    """Records of 20 requests, written when the last of them ended, and one of those left over."""
    number = len(requests.api)
    full = number // IN_RECORD * IN_RECORD
    cuts = ((0, full, IN_RECORD), (full, number, number - full))
    return [
        _group(server, apis, requests, host, slice(begin, end), each)
        for begin, end, each in cuts
        if end > begin
    ]


def _group(
    server: Server,
    apis: Sequence[Api],
    requests: ApiRequests,
    host: Host,
    here: slice,
    each: int,
) -> Group:
    def of(values: Values) -> Values:
        return values[here].reshape(-1, each)

    amounts = {
        "smf123s1_http_resp_code": requests.code,
        "smf123s1_req_payload_len": requests.bytes_in,
        "smf123s1_resp_payload_len": requests.bytes_out,
    }
    same = {name: amount for name, amount in amounts.items() if isinstance(amount, int)}
    columns = {name: of(amount) for name, amount in amounts.items() if not isinstance(amount, int)}
    columns |= {
        "smf123s1_time_zc_entry": of(requests.entry),
        "smf123s1_time_zc_exit": of(requests.exit),
        "smf123s1_time_sor_sent": of(requests.sent),
        "smf123s1_time_sor_recv": of(requests.received),
        "smf123s1_req_id": of(np.arange(1, len(requests.api) + 1)),
    }
    fixed = {**columns_of_each(apis, smf123.REQUEST), **same}
    fixed |= {
        "smf123s1_api_version": "1.0.0",
        "smf123s1_req_method": "GET",
        "smf123s1_sp_name": "IMS",
        "smf123s1_req_data_ver": 1,
        "smf123s1_req_type": API,
    }
    part = Sections(smf123.REQUEST, columns, each, fixed=fixed, which=of(requests.api))
    header = {
        "smf123_flag": FLAGS,
        "smf123_subtype": PROVIDER,
        "smf123_subtype_version": LAYOUT,
        "smf123_triplet_count": TRIPLETS,
        "smf123_triplet_offset": TRIPLETS_AT,
        "smf123_datetime_offset": host.offset,
    }
    time = of(requests.exit)[:, -1]
    parts = [_server(server, host), part]
    return smf_group(smf123.ZOS_CONNECT, host, parts, time, subsystem="ZCON", fixed=header)


def _server(server: Server, host: Host) -> Sections:
    fixed = {
        "smf123_server_sect_version": 2,
        "smf123_server_feature_major": 3,
        "smf123_server_system": host.system,
        "smf123_server_sysplex": host.sysplex,
        "smf123_server_jobid": server.job_id,
        "smf123_server_jobname": server.job,
        "smf123_server_config_dir": f"/var/zosconnect/servers/{server.job}",
        "smf123_server_version": "3.0.74.0",
    }
    return Sections(smf123.SERVER, {}, fixed=fixed)
