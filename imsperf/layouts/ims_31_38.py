"""IMS log codes 31 33 35 36 38: what a message does on its queue.

35 put on, 31 read (Get Unique), 36 taken off, 33 its queue record freed, 38 input put back after an abort. With 01 and 03
they give the time a message waits. A 38 whose next byte is 01 is another record, the start of an abort (ims_37_56).
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, u1, u2
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

_QUEUE = (
    #  +dec  name, kind, meaning
    F(   6, "uow",       opaque(24), "Unit of work id of the message; joins 01 03 31 33 35 36 and 56FA"),
    F(  30, "drrn",      opaque(8),  "Where the queue manager keeps it: device byte and relative record"),
    F(  38, "dest",      text(8),    "Queue: transaction code or logical terminal"),
    F(  46, "dest_type", text(1),    "S transaction, L logical terminal, R remote by MSC"),
    F(  47, "flags",     u1,         "X'80' last in first out, X'40' permanent destination, X'20' shared queues"),
    F(  48, "pst",       u2,         "Region number; 0 where data communication is the caller"),
    F(  50, "rtoken",    opaque(16), "Recovery token of the caller; zeros where data communication is the caller"),
)

READ = Section("ims_31", "Message read from its queue (Get Unique)", f"{OURS}: code 31", 66, _QUEUE, PROJECT_DEFINED)

FREE = Section("ims_33", "Message removed, its queue record freed", f"{OURS}: code 33", 66, _QUEUE, PROJECT_DEFINED)

ENQUEUE = Section("ims_35", "Message put on a queue", f"{OURS}: code 35", 66, _QUEUE, PROJECT_DEFINED)

DEQUEUE = Section("ims_36", "Message taken off a queue", f"{OURS}: code 36", 66, _QUEUE, PROJECT_DEFINED)

PUT_BACK = Section("ims_38", "Input message put back on its queue after an abort", f"{OURS}: code 38", 66, _QUEUE, PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x31, None, "Message read", READ),
    LogRecord(0x33, None, "Message freed", FREE),
    LogRecord(0x35, None, "Message enqueued", ENQUEUE),
    LogRecord(0x36, None, "Message dequeued", DEQUEUE),
    LogRecord(0x38, None, "Input put back", PUT_BACK),
)
