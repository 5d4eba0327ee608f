"""IMS log codes of a system checkpoint: 4001 start, 4098 end, and 47, the regions that are active.

A statistics set (ims_45) belongs to the checkpoint with the same number.
"""

from __future__ import annotations

from imsperf.kinds import text, tod, u2, u4, utc12
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import Entries, LogRecord

# fmt: off

_CHECKPOINT = (
    #  +dec  name         kind     meaning
    F(   6, "ckpt_no",    u4,      "Checkpoint, counted from IMS start"),
    F(  10, "ckpt",       utc12,   "Checkpoint time, UTC"),
    F(  22, "imsid",      text(4), "IMS id"),
    F(  26, "ckpt_type",  text(1), "S system, F shutdown (freeze), C command"),
    # +27: 1 reserved byte
    F(  28, "ckpt_stck",  tod,     "Checkpoint id, a time in UTC"),
)

CHECKPOINT_START = Section("ims_4001", "Start of a checkpoint", f"{OURS}: code 40 subcode 01", 36, _CHECKPOINT, PROJECT_DEFINED)
CHECKPOINT_END = Section("ims_4098", "End of a checkpoint", f"{OURS}: code 40 subcode 98", 36, _CHECKPOINT, PROJECT_DEFINED)

REGIONS = Section("ims_47", "Regions active at a checkpoint: one row per record", f"{OURS}: code 47", 14, (
    F(   6, "ckpt_no",    u4,  "Checkpoint, counted from IMS start"),
    F(  10, "count",      u2,  "Entries in this record"),
    F(  12, "entry_len",  u2,  "Length of an entry", "bytes"),
), PROJECT_DEFINED)

REGION = Section("ims_47_region", "One region active at a checkpoint", f"{OURS}: code 47, entry", 36, (
    F(   0, "pst",          u2,      "Number of the partition specification table, the region's number"),
    F(   2, "jobname",      text(8), "Job name of the region"),
    F(  10, "psb",          text(8), "PSB scheduled in the region"),
    F(  18, "tran",         text(8), "Transaction code"),
    F(  26, "region_type",  text(1), "Kind of region, one letter"),
    F(  27, "state",        text(1), "A active, W wait for input, I idle"),
    F(  28, "sched",        tod,     "When the program was scheduled, UTC"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x40, 0x01, "Checkpoint start", CHECKPOINT_START),
    LogRecord(0x40, 0x98, "Checkpoint end", CHECKPOINT_END),
    LogRecord(0x47, None, "Active regions", REGIONS, Entries(REGION, start=14, count_at=10, length_at=12)),
)
