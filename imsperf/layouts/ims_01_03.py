"""IMS log codes 01 and 03: a message was put on a queue, by data communication (01) or by a program (03).

`uow` joins the records of one message; an output or a switch has its own and names that of its input in `parent_uow`.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u2
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

_MESSAGE = (
    #  +dec  name, kind, meaning
    F(   6, "flags",      u2,         "X'8000' first segment, X'4000' last, X'2000' made by a program, X'1000' may go to Fast Path"),
    F(   8, "uow",        opaque(24), "Unit of work id of this message; joins 01 03 31 33 35 36 and 56FA"),
    F(  32, "parent_uow", opaque(24), "Unit of work id of the input that led to this output or switch; zeros for input"),
    F(  56, "drrn",       opaque(8),  "Where the queue manager keeps it: device byte and relative record"),
    F(  64, "arrival",    tod,        "When the input arrived, UTC; a switch keeps that of its first input"),
    F(  72, "dest",       text(8),    "Where it goes: transaction code or logical terminal"),
    F(  80, "dest_type",  text(1),    "S transaction, L logical terminal, R remote by MSC"),
    F(  81, "src_type",   text(1),    "T terminal, O OTMA, A APPC, P program, M MSC"),
    F(  82, "lterm",      text(8),    "Logical terminal or TPIPE it came from"),
    F(  90, "userid",     text(8),    "User id"),
    F(  98, "tmember",    text(16),   "OTMA client it came through"),
    F( 114, "pst",        u2,         "Region number of the program that made it; 0 for input"),
    F( 116, "text_len",   u2,         "Length of the text", "bytes"),
    F( 118, "text",       text(8),    "Start of the text, a sample"),
)

INPUT = Section("ims_01", "Message put on a queue by data communication", f"{OURS}: code 01", 126, _MESSAGE, PROJECT_DEFINED)

OUTPUT = Section("ims_03", "Message put on a queue by a program", f"{OURS}: code 03", 126, _MESSAGE, PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x01, None, "Input message", INPUT),
    LogRecord(0x03, None, "Output message", OUTPUT),
)
