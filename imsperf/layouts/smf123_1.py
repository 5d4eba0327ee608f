"""SMF type 123 subtype 1, layout version 1: one request to a z/OS Connect server, as API provider or requester.

The version of the layout stands at +24; version 2 is smf123. Triplets are of 4 bytes each: offset, length, number.
Offsets come from one set of C declarations; IBM's names of the sections' fields were not found, they are those of
version 2. No record of this kind was seen.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf123 import START
from imsperf.record import At, Record, SectionPlace, once

_SOURCE = "ibm-messaging/mq-smf-csv, src/t123/smf123.h:"

# fmt: off

HEADER = Section("smf123_1_header", "One row per type 123 record of version 1: one request", f"{_SOURCE} header; IBM z/OS Connect documentation", 72, (
    *START,
    #  +dec  name               kind        meaning
    F(  28, "smf123_numtrip",  u4,         "Triplets in the record, 2"),
    F(  32, "smf123_index",    u4,         "Which record of a set this is, 0"),
    F(  36, "smf123_numrecs",  u4,         "Records of the set, 1"),
    F(  40, "smf123_cnttkn",   opaque(8),  "Token that ties the records of a set, zero"),
    F(  48, "smf123_svo",      u4,         "Offset of the server section, from the RDW", "bytes"),
    F(  52, "smf123_svl",      u4,         "Length of the server section", "bytes"),
    F(  56, "smf123_svn",      u4,         "Server sections, 1"),
    F(  60, "smf123_udo",      u4,         "Offset of the user data section", "bytes"),
    F(  64, "smf123_udl",      u4,         "Length of the user data section", "bytes"),
    F(  68, "smf123_udn",      u4,         "User data sections, 1"),
))

SERVER = Section("smf123_1_server", "The server", f"{_SOURCE} server section", 80, (
    #  +dec  name                      kind        meaning
    F(   0, "smf123_server_version",  u4,         "Version of the section"),
    F(   4, "smf123_server_system",   text(8),    "System name"),
    F(  12, "smf123_server_sysplex",  text(8),    "Sysplex name"),
    F(  20, "smf123_server_jobid",    text(8),    "Server: job id"),
    F(  28, "smf123_server_jobname",  text(8),    "Server: job name"),
    F(  36, "smf123_server_stoken",   opaque(8),  "Server: token of its address space"),
    # +44: 36 bytes not described
), "1src")

DATA = Section("smf123_1_data", "The request", f"{_SOURCE} user data section", 336, (
    #  +dec  name                        kind        meaning
    F(   0, "smf123_user_version",      u4,         "Version of the section"),
    F(   4, "smf123_user_type",         u4,         "What the data are about"),
    F(   8, "smf123_user_len",          u4,         "Length of what follows", "bytes"),
    F(  12, "smf123_data_version",      u4,         "Version of the data"),
    F(  16, "smf123_time_zc_entry",     tod,        "Request reached the server, UTC"),
    F(  24, "smf123_time_zc_exit",      tod,        "Response left the server, UTC"),
    F(  32, "smf123_req_target_uri",    text(64),   "URI of the request"),
    F(  96, "smf123_req_payload_len",   u4,         "Request: length of the payload", "bytes"),
    F( 100, "smf123_service_name",      text(64),   "Service"),
    F( 164, "smf123_req_method",        text(8),    "HTTP method"),
    F( 172, "smf123_resp_payload_len",  u4,         "Response: length of the payload", "bytes"),
    F( 176, "smf123_user_name",         text(64),   "User, as authenticated"),
    F( 240, "smf123_req_id",            opaque(8),  "Request identifier"),
    # +248: 16 bytes not described
    F( 264, "smf123_service_group",     text(64),   "Group of services"),
    F( 328, "smf123_user_name_mapped",  text(8),    "SAF user the user is mapped to"),
), "1src")

ZOS_CONNECT_1 = Record(
    123, 1, "z/OS Connect request, version 1", HEADER,
    parts=(
        SectionPlace(SERVER, At(48, 4), At(52, 4), At(56, 4)),
        SectionPlace(DATA, At(60, 4), At(64, 4), At(68, 4)),
    ),
    when=(27, (1,)),  # version
    evidence=(once(SERVER), once(DATA)),
)

RECORDS = (ZOS_CONNECT_1,)
