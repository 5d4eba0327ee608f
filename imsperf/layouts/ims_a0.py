"""IMS log code A0: the signature record, first in every log this project writes.

A0 to FF are codes for users. The record tells a reader that profile imsperf-1 holds.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

SIGNATURE = Section("ims_a0", "What wrote this log: profile, IMS, seed, sampling", f"{OURS}: code A0", 56, (
    #  +dec  name           kind        meaning
    F(   6, "eye",          text(8),    "IMSPERF1"),
    F(  14, "profile",      text(10),   "Profile of the record layouts, imsperf-1"),
    F(  24, "imsid",        text(4),    "IMS id"),
    F(  28, "ims_level",    opaque(3),  "Version, release and modification: 0F0100"),
    # +31: 1 reserved byte
    F(  32, "seed",         u8,         "Seed of the generator"),
    F(  40, "start",        tod,        "When the run started, UTC"),
    F(  48, "sample_k",     u4,         "1: every transaction is in the log; k: one whole transaction in k, while statistics count all"),
    F(  52, "interval_cs",  u4,         "Time from one statistics set to the next", "1/100 s"),
), PROJECT_DEFINED)

RECORDS = (LogRecord(0xA0, None, "Signature", SIGNATURE),)
