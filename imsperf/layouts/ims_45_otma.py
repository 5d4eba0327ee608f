"""IMS log code 45, statistics of OTMA: 451A the whole system, 451B each client.

The counters of a client are those of the system. An ICAL is a synchronous callout; a TIB stands for an input message
being processed.
"""

from __future__ import annotations

from imsperf.kinds import text, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS, SET, TABLE
from imsperf.record import Entries, LogRecord

# fmt: off

OTMA = Section("ims_451a", "OTMA, the whole system", f"{OURS}: code 45 subcode 1A", 270, (
    *SET,
    F(  30, "messages_in",           u8, "Messages received"),
    F(  38, "bytes_in",              u8, "Bytes of messages received", "bytes"),
    F(  46, "messages_out",          u8, "Messages sent"),
    F(  54, "bytes_out",             u8, "Bytes of messages sent", "bytes"),
    F(  62, "send_then_commit",      u8, "Input messages in commit mode 1"),
    F(  70, "commit_then_send",      u8, "Input messages in commit mode 0"),
    F(  78, "send_only",             u8, "Input messages that want no answer"),
    F(  86, "sync_callouts",         u8, "ICAL calls sent out", "calls"),
    F(  94, "sync_responses",        u8, "Answers to ICAL calls received", "calls"),
    F( 102, "sync_timeouts",         u8, "ICAL calls that ran into their time limit", "calls"),
    F( 110, "sync_errors",           u8, "ICAL calls ended by another error", "calls"),
    F( 118, "async_callouts",        u8, "Asynchronous callout messages sent"),
    F( 126, "resume_tpipe",          u8, "Resume TPIPE requests received", "requests"),
    F( 134, "acks",                  u8, "Acknowledgements received"),
    F( 142, "naks",                  u8, "Negative acknowledgements received"),
    F( 150, "ack_timeouts",          u8, "Acknowledgements that did not come in time"),
    F( 158, "timeouts",              u8, "Transactions ended because they took too long"),
    F( 166, "rejected",              u8, "Input messages rejected"),
    F( 174, "flood_warnings",        u8, "Times the limit of waiting messages was near"),
    F( 182, "flood_rejects",         u8, "Input messages refused because the limit was reached"),
    F( 190, "acee_creates",          u8, "Security environments built"),
    F( 198, "acee_reuses",           u8, "Security environments found in the cache"),
    F( 206, "acee_refreshes",        u8, "Security environments built anew because of age"),
    F( 214, "credential_messages",   u8, "Messages that carried a network security credential"),
    F( 222, "credential_bytes",      u8, "Bytes of network security credentials", "bytes"),
    F( 230, "super_member_messages", u8, "Output routed by a super member"),
    F( 238, "members",               u4, "OTMA clients connected now"),
    F( 242, "max_members",           u4, "Most clients so far"),
    F( 246, "tpipes",                u4, "TPIPEs now"),
    F( 250, "max_tpipes",            u4, "Most TPIPEs so far"),
    F( 254, "tibs",                  u4, "Input messages being processed now"),
    F( 258, "max_tibs",              u4, "Most input messages being processed so far"),
    F( 262, "tib_limit",             u4, "Limit for input messages of all clients"),
    F( 266, "acees_cached",          u4, "Security environments in the cache now"),
), PROJECT_DEFINED)

CLIENTS = Section("ims_451b", "OTMA clients: one row per record", f"{OURS}: code 45 subcode 1B", 34, TABLE, PROJECT_DEFINED)

CLIENT = Section("ims_451b_member", "One OTMA client", f"{OURS}: code 45 subcode 1B, entry", 256, (
    F(   0, "member",                text(16), "Name of the client"),
    F(  16, "super_member",          text(4),  "Super member it belongs to; blank if none"),
    F(  20, "member_type",           text(1),  "I IMS Connect, M MQ, O other client, T IMS-to-IMS"),
    F(  21, "state",                 text(1),  "A active, I inactive, F flooded, W warned"),
    # +22: 2 reserved bytes
    F(  24, "messages_in",           u8,       "Messages received"),
    F(  32, "bytes_in",              u8,       "Bytes of messages received", "bytes"),
    F(  40, "messages_out",          u8,       "Messages sent"),
    F(  48, "bytes_out",             u8,       "Bytes of messages sent", "bytes"),
    F(  56, "send_then_commit",      u8,       "Input messages in commit mode 1"),
    F(  64, "commit_then_send",      u8,       "Input messages in commit mode 0"),
    F(  72, "send_only",             u8,       "Input messages that want no answer"),
    F(  80, "sync_callouts",         u8,       "ICAL calls sent out", "calls"),
    F(  88, "sync_responses",        u8,       "Answers to ICAL calls received", "calls"),
    F(  96, "sync_timeouts",         u8,       "ICAL calls that ran into their time limit", "calls"),
    F( 104, "sync_errors",           u8,       "ICAL calls ended by another error", "calls"),
    F( 112, "async_callouts",        u8,       "Asynchronous callout messages sent"),
    F( 120, "resume_tpipe",          u8,       "Resume TPIPE requests received", "requests"),
    F( 128, "acks",                  u8,       "Acknowledgements received"),
    F( 136, "naks",                  u8,       "Negative acknowledgements received"),
    F( 144, "ack_timeouts",          u8,       "Acknowledgements that did not come in time"),
    F( 152, "timeouts",              u8,       "Transactions ended because they took too long"),
    F( 160, "rejected",              u8,       "Input messages rejected"),
    F( 168, "flood_warnings",        u8,       "Times the limit of waiting messages was near"),
    F( 176, "flood_rejects",         u8,       "Input messages refused because the limit was reached"),
    F( 184, "acee_creates",          u8,       "Security environments built"),
    F( 192, "acee_reuses",           u8,       "Security environments found in the cache"),
    F( 200, "acee_refreshes",        u8,       "Security environments built anew because of age"),
    F( 208, "credential_messages",   u8,       "Messages that carried a network security credential"),
    F( 216, "credential_bytes",      u8,       "Bytes of network security credentials", "bytes"),
    F( 224, "super_member_messages", u8,       "Output routed by a super member"),
    F( 232, "tpipes",                u4,       "TPIPEs now"),
    F( 236, "max_tpipes",            u4,       "Most TPIPEs so far"),
    F( 240, "tibs",                  u4,       "Input messages being processed now"),
    F( 244, "max_tibs",              u4,       "Most input messages being processed so far"),
    F( 248, "tib_limit",             u4,       "Limit for input messages of this client"),
    F( 252, "input_queue_max",       u4,       "Longest queue of input from this client"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x45, 0x1A, "OTMA statistics", OTMA),
    LogRecord(0x45, 0x1B, "OTMA client statistics", CLIENTS, Entries(CLIENT, start=34, count_at=30, length_at=32)),
)
