"""IMS log codes 11 and 12: a conversation began (11) and ended (12).

Both have one layout; what is known only at the end is blank or zero in 11. `conv_id` joins the two.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

_CONVERSATION = (
    #  +dec  name, kind, meaning
    F(   6, "flags",        u2,         "X'8000' input came by OTMA, X'4000' by APPC, X'2000' held at some time, X'1000' ended abnormally, X'0800' SPA kept in the message"),
    F(   8, "uow",          opaque(24), "Unit of work id of the message that began (11) or ended (12) the conversation"),
    F(  32, "conv_id",      u4,         "Number of the conversation in this IMS; joins 11 and 12"),
    F(  36, "lterm",        text(8),    "Logical terminal or TPIPE of the partner"),
    F(  44, "userid",       text(8),    "User id"),
    F(  52, "tmember",      text(16),   "OTMA client; blank if none"),
    F(  68, "tran",         text(8),    "Transaction that began the conversation (11), the last one in it (12)"),
    F(  76, "psb",          text(8),    "PSB of the program that ended it; blank in 11"),
    F(  84, "src_type",     text(1),    "T terminal, O OTMA, A APPC"),
    F(  85, "end_reason",   text(1),    "N program ended it, E command ended it, A abend, T timeout, L logoff; blank in 11"),
    F(  86, "pst",          u2,         "Region number of the program that ended it; 0 in 11"),
    F(  88, "spa_size",     u4,         "Size of the scratch pad area (SPA) now", "bytes"),
    F(  92, "max_spa_size", u4,         "Largest size it had; 0 in 11", "bytes"),
    F(  96, "steps",        u4,         "Input messages in the conversation; 1 in 11"),
    F( 100, "spa_inserts",  u4,         "SPA inserts by programs; 0 in 11", "calls"),
    F( 104, "spa_bytes",    u8,         "Bytes of SPA inserted in all; 0 in 11", "bytes"),
    F( 112, "start_time",   tod,        "When the conversation began, UTC"),
    F( 120, "end_time",     tod,        "When it ended, UTC; zeros in 11"),
)

START = Section("ims_11", "Conversation begun", f"{OURS}: code 11", 128, _CONVERSATION, PROJECT_DEFINED)

END = Section("ims_12", "Conversation ended", f"{OURS}: code 12", 128, _CONVERSATION, PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x11, None, "Conversation start", START),
    LogRecord(0x12, None, "Conversation end", END),
)
