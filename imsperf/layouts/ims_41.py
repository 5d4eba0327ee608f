"""IMS log code 41: a batch message program (BMP) took a checkpoint.

It ends a unit of recovery of a program without messages: what the program changed since the checkpoint before is
committed. `pst` and `rtoken` join with 07, 08 and the records of the unit of recovery.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u2, u4
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

CHECKPOINT = Section("ims_41", "Checkpoint of a batch message program", f"{OURS}: code 41", 76, (
    #  +dec  name, kind, meaning
    F(   6, "pst",      u2,         "Region number"),
    F(   8, "rtoken",   opaque(16), "Recovery token of the unit of recovery that ends"),
    F(  24, "jobname",  text(8),    "Job name of the region"),
    F(  32, "psb",      text(8),    "PSB of the program"),
    F(  40, "program",  text(8),    "Application program name"),
    F(  48, "ckpt_id",  text(8),    "Checkpoint id that the program gave"),
    F(  56, "kind",     text(1),    "B basic CHKP call, S symbolic CHKP call, Y SYNC call"),
    # +57: 3 reserved bytes
    F(  60, "number",   u4,         "Checkpoint of this program, from 1"),
    F(  64, "changes",  u4,         "Database changes since the one before"),
    F(  68, "ckpt",     tod,        "When it was taken, UTC"),
), PROJECT_DEFINED)

RECORDS = (LogRecord(0x41, None, "Checkpoint of a BMP", CHECKPOINT),)
