"""SMF type 123, layout version 2: requests to a z/OS Connect server, as API provider (subtype 1) or requester (subtype 2).

A record holds up to 20 requests. The version of the layout stands at +24 and tells the records apart, not the subtype:
version 1 is smf123_1. The byte at +29 says where the triplets are; it is 40 in all examples known. Request sections are
those of API providers alone: requesters have sections as long, but no source says where their fields are. Points in
time are UTC; zero bytes are no time. Times of 16 bytes are extended TOD clocks.
"""

from __future__ import annotations

from imsperf.kinds import centisec, date, flags1, opaque, stcke, text, tod_offset, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.record import At, Record, SectionPlace, once, triplet

_SOURCE = "IBM z/OS Connect documentation; ibm-messaging/mq-smf-csv, src/t123/smf123.h;"

# fmt: off

START = (
    #  +dec  name                       kind       meaning
    F(   0, "smf123_len",              u2,        "Record length, with the 4-byte RDW it begins with", "bytes"),
    F(   2, "smf123_seg",              u2,        "Segment descriptor: spanning code and a zero byte"),
    F(   4, "smf123_flag",             flags1,    "System indicator: X'40' subsystem and subtype are there"),
    F(   5, "smf123_rec_type",         u1,        "Record type, 123"),
    F(   6, "smf123_time",             centisec,  "Local time the record reached the SMF buffer"),
    F(  10, "smf123_date",             date,      "Local date the record reached the SMF buffer"),
    F(  14, "smf123_sid",              text(4),   "SMF system id"),
    F(  18, "smf123_ssi",              text(4),   "Subsystem, ZCON"),
    F(  22, "smf123_subtype",          u2,        "Subtype: 1 API provider, 2 API requester; in version 1 both are 1"),
    F(  24, "smf123_subtype_version",  u4,        "Version of the layout: 1 or 2"),
)

HEADER = Section("smf123_2_header", "One row per type 123 record of version 2: a server and its requests", f"{_SOURCE} header", 56, (
    *START,
    #  +dec  name                       kind         meaning
    F(  28, "smf123_triplet_count",    u1,          "Triplets in the record, 2"),
    F(  29, "smf123_triplet_offset",   u1,          "Offset of the triplets, 40, from the RDW", "bytes"),
    # +30: 2 bytes not described
    F(  32, "smf123_datetime_offset",  tod_offset,  "Local time minus UTC"),
    F(  40, "smf123_server_offset",    u4,          "Offset of the server section, from the RDW", "bytes"),
    F(  44, "smf123_server_len",       u2,          "Length of the server section", "bytes"),
    F(  46, "smf123_server_count",     u2,          "Server sections, 1"),
    F(  48, "smf123_req_data_offset",  u4,          "Offset of the first request section", "bytes"),
    F(  52, "smf123_req_data_len",     u2,          "Length of a request section", "bytes"),
    F(  54, "smf123_req_data_count",   u2,          "Request sections, 20 at most"),
))

SERVER = Section("smf123_2_server", "The server", f"{_SOURCE} server section", 188, (
    #  +dec  name                            kind        meaning
    F(   0, "smf123_server_sect_version",   u1,         "Version of the section, 2 from z/OS Connect 3.0.74 on"),
    F(   1, "smf123_server_feature_major",  u1,         "Level of the feature: first number, in section version 2; its place is assumed", "", "1src"),
    F(   2, "smf123_server_feature_minor",  u1,         "Level of the feature: second number, in section version 2; its place is assumed", "", "1src"),
    # +3: 1 byte not described
    F(   4, "smf123_server_system",         text(8),    "System name"),
    F(  12, "smf123_server_sysplex",        text(8),    "Sysplex name"),
    F(  20, "smf123_server_jobid",          text(8),    "Server: job id"),
    F(  28, "smf123_server_jobname",        text(8),    "Server: job name"),
    F(  36, "smf123_server_stoken",         opaque(8),  "Server: token of its address space"),
    F(  44, "smf123_server_config_dir",     text(128),  "Server: directory of its configuration"),
    F( 172, "smf123_server_version",        text(16),   "Server: version, release, modification and fix level"),
))

REQUEST = Section("smf123_2_request", "One request to an API provider", f"{_SOURCE} request data of API providers", 1560, (
    #  +dec  name                          kind         meaning
    F(   0, "smf123s1_req_data_ver",      u1,          "Version of the section"),
    F(   1, "smf123s1_req_type",          u1,          "What was asked for: 0 not known, 1 an API, 2 a service, 3 administration"),
    F(   2, "smf123s1_http_resp_code",    u2,          "HTTP response code"),
    F(   4, "smf123s1_resp_flags",        flags1,      "Flags of the response"),
    # +5: 3 bytes not described
    F(   8, "smf123s1_user_name",         text(64),    "User, as authenticated"),
    F(  72, "smf123s1_user_name_mapped",  text(8),     "SAF user the user is mapped to"),
    F(  80, "smf123s1_client_ip_addr",    text(48),    "Client: IP address"),
    F( 128, "smf123s1_api_name",          text(64),    "API: name"),
    F( 192, "smf123s1_api_version",       text(8),     "API: version"),
    F( 200, "smf123s1_service_name",      text(64),    "Service: name"),
    F( 264, "smf123s1_service_version",   text(8),     "Service: version"),
    F( 272, "smf123s1_req_method",        text(8),     "HTTP method"),
    F( 280, "smf123s1_req_query_str",     text(128),   "Query string of the request"),
    F( 408, "smf123s1_req_target_uri",    text(256),   "URI of the request"),
    F( 664, "smf123s1_req_payload_len",   u4,          "Request: length of the payload", "bytes"),
    F( 668, "smf123s1_resp_payload_len",  u4,          "Response: length of the payload", "bytes"),
    F( 672, "smf123s1_time_zc_entry",     stcke,       "Request reached the server, UTC"),
    F( 688, "smf123s1_time_zc_exit",      stcke,       "Response was ready in the server, UTC"),
    F( 704, "smf123s1_time_sor_sent",     stcke,       "Request went to the system of record, UTC"),
    F( 720, "smf123s1_time_sor_recv",     stcke,       "Response of the system of record came, UTC"),
    F( 736, "smf123s1_sp_name",           text(16),    "Service provider"),
    F( 752, "smf123s1_sor_reference",     text(32),    "Element of the configuration that names the system of record"),
    F( 784, "smf123s1_sor_identifier",    text(64),    "System of record"),
    F( 848, "smf123s1_sor_resource",      text(128),   "What was used of the system of record"),
    F( 976, "smf123s1_req_id",            u8,          "Request identifier, unique in the server"),
    F( 984, "smf123s1_tracking_token",    opaque(64),  "Token that follows the request through other systems"),
    F(1048, "smf123s1_req_hdr1",          text(64),    "First request header, name and value"),
    F(1112, "smf123s1_req_hdr2",          text(64),    "Second request header"),
    F(1176, "smf123s1_req_hdr3",          text(64),    "Third request header"),
    F(1240, "smf123s1_req_hdr4",          text(64),    "Fourth request header"),
    F(1304, "smf123s1_resp_hdr1",         text(64),    "First response header, name and value"),
    F(1368, "smf123s1_resp_hdr2",         text(64),    "Second response header"),
    F(1432, "smf123s1_resp_hdr3",         text(64),    "Third response header"),
    F(1496, "smf123s1_resp_hdr4",         text(64),    "Fourth response header"),
))

ZOS_CONNECT = Record(
    123, None, "z/OS Connect requests", HEADER,
    parts=(
        triplet(40, SERVER),
        SectionPlace(REQUEST, At(48, 4), At(52), At(54), when=(23, (1,))),  # subtype 1
    ),
    when=(27, (2,)),  # version
    evidence=(once(SERVER),),
)

RECORDS = (ZOS_CONNECT,)
