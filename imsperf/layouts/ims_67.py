"""IMS log code 67: dumps and diagnostics (67), line, node and transaction traces (6701), trace tables (67FA).

IBM documents these bodies, so they are read in every log. 67 and 6701 are a prefix and subrecords, each with its own length.
67FA is a prefix and entries of 32 bytes; the table that the prefix names, and then the entry's first byte, say what an
entry is. An entry is a row of ims_67fa_entry whatever it is, and a row of its own table beside where one is declared,
with the same section_no. The two letters of some tables could not be read: `block` takes them, profile imsperf-1 has
letters of its own. Assumed: subrecords begin behind a 32-byte prefix, trace entries too. Times are local in prefixes,
UTC in entries.
"""

from __future__ import annotations

from dataclasses import replace

from imsperf.kinds import clock, date, opaque, text, tod, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.record import Entries, LogRecord, Variant

# fmt: off

_PREFIX_PAGE = "IMS 15.1 Diagnosis, log record prefix area format"
_SUBRECORD_PAGE = "IMS 15.2 Diagnosis, log subrecord and data area"
_DISPATCHER_PAGE = "IMS 15.1 Diagnosis, dispatcher trace"
_SCHEDULER_PAGE = "IMS 15.5 Diagnosis, scheduler trace"
_QUEUE_PAGE = "IMS 15.2 Diagnosis, queue manager trace, format of trace records"
_DLI_PAGE = "IMS 15.2 and 15.3 Diagnosis, X'AA' and X'D0' trace entries"

# --- dumps and traces of lines, nodes and transactions

_PREFIX = (
    #  +dec  name, kind, meaning
    F(   5, "subtype",      u1,      "X'01' line and transaction trace, X'FB' X'FD' dump, X'FF' SNAP, X'D0' diagnostics"),
    # +6: 2 reserved bytes
    F(   8, "requestor_id", text(4), "Who asked for the record: LA3A, LA3B, A01, DD6M, CRTU"),
    F(  12, "segment_no",   u2,      "Number of this record among those of one dump"),
    # +14: 2 reserved bytes
    F(  16, "time",         clock,   "Local time; that it is packed 0hhmmssF is assumed"),
    F(  20, "date",         date,    "Local date"),
    # +24: 4 reserved bytes
    F(  28, "condition",    text(4), "Condition indicator"),
)

DUMP = Section("ims_67", "Dump or diagnostic record: its prefix", _PREFIX_PAGE, 32, _PREFIX, "1src")

TRACE = Section("ims_6701", "Line, node or transaction trace record: its prefix", _PREFIX_PAGE, 32, _PREFIX, "1src")

SUBRECORD = Section("ims_67_subrecord", "One area of a dump or trace record; its data follow", _SUBRECORD_PAGE, 16, (
    F(   0, "element_id",  text(8),   "Name of the area"),
    # +8: 2 reserved bytes
    F(  10, "element_len", u2,        "Length of the data behind these 16 bytes", "bytes"),
    F(  12, "address",     opaque(4), "Storage address of the data; zeros where it goes on from the element before"),
), "1src")

CRTU = Section("ims_6701_crtu", "Buffer of DFSCRTU0, in a trace record of requestor CRTU", "IMS 15.3 Diagnosis, 6701 log record with CRTU identifier", 84, (
    F(   0, "len",   u2,      "Length of the buffer", "bytes"),
    # +2: 5 bytes not described
    F(   7, "rc",    u1,      "Return code of DFSCRTU0"),
    # +8: 68 bytes not described
    F(  76, "lterm", text(8), "Logical terminal of the input"),
), "1src")

# --- trace tables

BLOCK = Section("ims_67fa", "Block of a trace table: its prefix", _PREFIX_PAGE, 32, (
    # +6: 2 reserved bytes
    F(   8, "date",     date,    "Local date the block was written"),
    F(  12, "time",     clock,   "Local time the block was written; that it is packed 0hhmmssF is assumed"),
    F(  16, "table_id", text(2), "Trace table, two letters"),
    F(  18, "flags",    u2,      "Flags; their meaning is not published"),
    # +20: 12 bytes not described
), "1src")

ENTRY = Section("ims_67fa_entry", "Entry of a trace table in words, whatever the table", f"{_QUEUE_PAGE}; {_DISPATCHER_PAGE}", 32, (
    F(   0, "trace_id", u1,        "Function code"),
    F(   1, "byte1",    u1,        "Region number, TCB type, subcode or low half of the function code, by table"),
    F(   2, "seq",      u2,        "Sequence number the trace component gave the entry; wraps"),
    F(   4, "word1",    opaque(4), "Word 1 of the entry, not interpreted"),
    F(   8, "word2",    opaque(4), "Word 2 of the entry, not interpreted"),
    F(  12, "word3",    opaque(4), "Word 3 of the entry, not interpreted"),
    F(  16, "word4",    opaque(4), "Word 4 of the entry, not interpreted"),
    F(  20, "word5",    opaque(4), "Word 5 of the entry, not interpreted"),
    F(  24, "word6",    opaque(4), "Word 6 of the entry, not interpreted"),
    F(  28, "word7",    opaque(4), "Word 7 of the entry, not interpreted"),
))

LATCH = Section("ims_67fa_latc", "Entry of the latch trace", "IMS 15.1 Diagnosis, latch manager trace entries", 32, (
    F(   0, "trace_id",    u1,        "Function code", "", "2src"),
    F(   1, "subfunction", u1,        "X'01' get, X'02' upgrade from shared to exclusive, X'03' release, X'04' recover; that it stands here is assumed", "", "inferred"),
    F(   2, "seq",         u2,        "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "sap",         opaque(4), "Address of the SAP of the caller"),
    F(   8, "latch",       text(4),   "Name of the latch"),
    F(  12, "ret",         opaque(4), "Return address of the caller"),
    F(  16, "rhdr",        opaque(4), "Address of the resource header"),
    F(  20, "level",       u2,        "Level of the latch"),
    F(  22, "flags",       u2,        "Flags the latch manager was called with"),
    F(  24, "clock",       tod,       "When the entry was made, UTC"),
), "1src")

DISPATCHER = Section("ims_67fa_disp", "Entry of the dispatcher trace", _DISPATCHER_PAGE, 32, (
    F(   0, "trace_id",  u1,         "Function code", "", "2src"),
    F(   1, "tcb_id",    u1,         "Type of the IMS TCB that made the entry"),
    F(   2, "seq",       u2,         "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "data",      opaque(24), "Words 1 to 6, by function code"),
    F(  28, "clock_mid", u4,         "Bits 16 to 47 of the TOD clock, which is assumed; wraps after 19.1 hours", "16 us", "inferred"),
), "1src")

SCHEDULE_START = Section("ims_67fa_schd41", "Entry of the scheduler trace: scheduling starts", _SCHEDULER_PAGE, 32, (
    F(   0, "trace_id", u1,        "Function code", "", "2src"),
    F(   1, "pst_no",   u1,        "Region number, one byte of it", "", "2src"),
    F(   2, "seq",      u2,        "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "word1",    opaque(4), "Word 1, not interpreted"),
    # +8: 4 reserved bytes
    F(  12, "word3",    opaque(4), "SAPCNTRL of the SAP"),
    # +16: 8 bytes not described
    F(  24, "word6",    opaque(4), "Identifier of the module"),
    F(  28, "word7",    opaque(4), "Part of the TOD clock; which is not published"),
), "1src")

BLOCK_MOVER = Section("ims_67fa_schd42", "Entry of the scheduler trace: block mover", _SCHEDULER_PAGE, 32, (
    F(   0, "trace_id", u1,        "Function code", "", "2src"),
    F(   1, "pst_no",   u1,        "Region number, one byte of it", "", "2src"),
    F(   2, "seq",      u2,        "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "pdircode", u1,        "Copy of the control block byte PDIRCODE"),
    F(   5, "pdiroptc", u1,        "Copy of the control block byte PDIROPTC"),
    F(   6, "pstschdf", u1,        "Copy of the control block byte PSTSCHDF"),
    F(   7, "pstcode1", u1,        "Copy of the control block byte PSTCODE1"),
    F(   8, "pstpsb",   opaque(4), "Copy of the field PSTPSB"),
    F(  12, "pstsmb",   opaque(4), "Copy of the field PSTSMB"),
    # +16: 8 bytes not described
    F(  24, "word6",    opaque(4), "Identifier of the module"),
    F(  28, "word7",    opaque(4), "Part of the TOD clock; which is not published"),
), "1src")

SCHEDULE_END = Section("ims_67fa_schd43", "Entry of the scheduler trace: scheduling ends", _SCHEDULER_PAGE, 32, (
    F(   0, "trace_id", u1,        "Function code", "", "2src"),
    F(   1, "pst_no",   u1,        "Region number, one byte of it", "", "2src"),
    F(   2, "seq",      u2,        "Sequence number the trace component gave the entry; wraps", "", "2src"),
    # +4: 20 bytes not described
    F(  24, "word6",    opaque(4), "Identifier of the module, as in 41 and 42; assumed", "", "inferred"),
    F(  28, "word7",    opaque(4), "Part of the TOD clock, as in 41 and 42; assumed", "", "inferred"),
), "1src")

QUEUE = Section("ims_67fa_qmgr", "Entry of the queue manager trace, low level", _QUEUE_PAGE, 32, (
    F(   0, "trace_id",    u1,        "Function code, X'4E'"),
    F(   1, "subfunction", u1,        "X'02' GU, X'03' GN, X'04' dequeue, X'06' reject, X'0C' enqueue first in first out, X'0D' last in, X'0E' X'0F' again, X'1A' insert prefix, X'1E' transfer, X'20' entry, X'21' exit; that it stands here is assumed", "", "inferred"),
    F(   2, "seq",         u2,        "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "ecb",         opaque(4), "Address of the ECB"),
    F(   8, "qtppcb",      opaque(4), "Address of the QTPPCB"),
    F(  12, "call_cur",    u1,        "Type of this call"),
    F(  13, "call_prev",   u1,        "Type of the call before"),
    # +14: 2 bytes not described
    F(  16, "caller",      text(8),   "Who called"),
    # +24: 4 bytes not described
    F(  28, "clock",       opaque(4), "Time stamp of one word; which part of the TOD clock is not published"),
), "1src")

FAST_PATH = Section("ims_67fa_fptt", "Entry of the Fast Path trace", "IMS 15.2 and 15.6 Diagnosis, Fast Path trace", 32, (
    F(   0, "id",      u1,         "X'9C' notify, X'9D' every other trace point"),
    F(   1, "subcode", u1,         "Trace point; of X'9C': X'01' entry of DBFNOTM0, X'04' IWAIT, X'05' after it, X'09' IPOST"),
    F(   2, "seq",     u2,         "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "data",    opaque(28), "Words 1 to 7, by trace point"),
), "1src")

LU_MANAGER = Section("ims_67fa_lumi", "Entry of the LU manager trace", "IMS 15.4 Diagnosis, formatting the LU manager trace", 32, (
    F(   0, "id",     u2,        "X'7B01' module entry, X'7B02' exit, X'7B03' internal error, X'7B04' APPC status changed"),
    F(   2, "seq",    u2,        "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "module", u1,        "Module number"),
    # +5: 3 bytes not described
    F(   8, "ecb",    opaque(4), "Address of the ECB, in X'7B01' and X'7B02'"),
    # +12: 12 bytes not described
    F(  24, "clock",  tod,       "When the entry was made, UTC"),
), "1src")

DLI_CALL = Section("ims_67fa_dli_aa", "Entry of the DL/I trace: call analyzer entered", _DLI_PAGE, 32, (
    F(   0, "trace_id", u1,         "Function code", "", "2src"),
    F(   1, "pst_no",   u1,         "Region number, one byte of it", "", "2src"),
    F(   2, "seq",      u2,         "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "parmlist", opaque(4),  "Address of the parameter list of the call"),
    F(   8, "func",     text(4),    "Function of the call: GU, GN and others"),
    F(  12, "pcb",      opaque(4),  "Address of the PCB"),
    F(  16, "level",    opaque(10), "Piece of the level table, or text of a message call"),
    F(  26, "status",   text(2),    "Status code of the call before"),
    # +28: 4 bytes not described
), "1src")

NOTIFY = Section("ims_67fa_dli_d0", "Entry of the DL/I trace: notify sent through the IRLM", _DLI_PAGE, 32, (
    F(   0, "trace_id", u1,        "Function code", "", "2src"),
    F(   1, "pst_no",   u1,        "Region number, one byte of it", "", "2src"),
    F(   2, "seq",      u2,        "Sequence number the trace component gave the entry; wraps", "", "2src"),
    F(   4, "route",    u1,        "4 invalidate a VSAM buffer, 16 an OSAM buffer, 12 and 40 extend VSAM, 24 and 44 extend OSAM"),
    F(   5, "dmb",      u2,        "Number of the DMB, or partition id"),
    F(   7, "dcb",      u1,        "DCB number"),
    F(   8, "rbn",      opaque(4), "Block number or byte address of the buffer, for invalidate and write errors"),
    # +12: 20 bytes not described
), "1src")

_SUBRECORDS = Entries(SUBRECORD, start=32, more_at=10)
_CRTU = Variant(CRTU, "requestor_id", "CRTU", inside=16, number=1)


def block(scheduler: str = "", lu_manager: str = "") -> LogRecord:
    """Record 67FA; the two letters of the scheduler's and of the LU manager's table, for a log where they are known."""
    table = "table_id"
    variants = [
        Variant(LATCH, table, "LA"),
        Variant(DISPATCHER, table, "DS"),
        Variant(QUEUE, table, "QM", (b"\x4e",)),
        Variant(FAST_PATH, table, "FT", (b"\x9c", b"\x9d")),
        Variant(DLI_CALL, table, "DL", (b"\xaa",)),
        Variant(NOTIFY, table, "DL", (b"\xd0",)),
    ]
    if scheduler:
        ids = ((SCHEDULE_START, b"\x41"), (BLOCK_MOVER, b"\x42"), (SCHEDULE_END, b"\x43"))
        variants += [Variant(section, table, scheduler, (field,)) for section, field in ids]
    if lu_manager:
        variants.append(Variant(LU_MANAGER, table, lu_manager, (b"\x7b\x01", b"\x7b\x02", b"\x7b\x03", b"\x7b\x04")))
    return LogRecord(0x67, 0xFA, "Trace table block", BLOCK, Entries(ENTRY, start=32, variants=tuple(variants), kinds=table))


_DUMPS = (
    LogRecord(0x67, None, "Dump", DUMP, _SUBRECORDS),
    LogRecord(0x67, 0x01, "Line and transaction trace", TRACE, replace(_SUBRECORDS, variants=(_CRTU,))),
)
RECORDS = (*_DUMPS, block(scheduler="SC", lu_manager="LU"))
DOCUMENTED = (*_DUMPS, block())
