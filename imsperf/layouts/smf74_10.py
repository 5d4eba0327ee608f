"""SMF type 74 subtype 10: storage class memory reached by extended asynchronous data movers (EADM), written by RMF.

One row for the device, one per part of a resource. Fields of the whole machine count all partitions.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone.
"""

from __future__ import annotations

from imsperf.kinds import flags1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 10,"

# fmt: off

HEADER = rmf_header("smf74_10_header", "One row per type 74.10 record: extended asynchronous data movers in an interval", (
    #  +dec  name        kind  meaning
    F(  36, "smf7410do", u4,  "Offset of the EADM device section", "bytes", "1src"),
    F(  40, "smf7410dl", u2,  "Length of the EADM device section", "bytes", "1src"),
    F(  42, "smf7410dn", u2,  "EADM device sections", "", "1src"),
    F(  44, "smf7410co", u4,  "Offset of the first configuration section", "bytes", "1src"),
    F(  48, "smf7410cl", u2,  "Length of each configuration section", "bytes", "1src"),
    F(  50, "smf7410cn", u2,  "Configuration sections in this record", "", "1src"),
))

PRODUCT = product("smf74_10_product")

DEVICE = Section("smf74_10_device", "The subchannels and their compression, one row per record", f"{_SOURCE} EADM device information section", 80, (
    #  +dec  name        kind      meaning
    F(   0, "r7410dsct", u4,      "Start subchannel instructions"),
    F(   4, "r7410dnum", u4,      "Updates of the times; divide the times by these"),
    F(   8, "r7410dfpt", u8,      "Pending time", "128 us"),
    F(  16, "r7410diqt", u8,      "Time queued at the I/O processor", "128 us"),
    F(  24, "r7410dcrt", u8,      "Initial command response time", "128 us"),
    F(  32, "r7410dflg", flags1,  "Flags: bit 0 compression is measured"),
    # +33: 7 bytes not described
    F(  40, "r7410docc", u4,      "Compressions"),
    F(  44, "r7410docd", u4,      "Expansions"),
    F(  48, "r7410disc", u8,      "Compressions: data in", "MB"),
    F(  56, "r7410dosc", u8,      "Compressions: data out", "MB"),
    F(  64, "r7410disd", u8,      "Expansions: data in", "MB"),
    F(  72, "r7410dosd", u8,      "Expansions: data out", "MB"),
), "1src")

CONFIGURATION = Section("smf74_10_configuration", "One part of a storage class memory resource", f"{_SOURCE} SCM configuration measurement section", 53, (
    #  +dec  name        kind      meaning
    F(   0, "r7410crid", u2,      "Resource"),
    F(   2, "r7410cpid", u2,      "Part of the resource"),
    F(   4, "r7410cdus", u4,      "Size of a data unit", "bytes"),
    F(   8, "r7410crqc", u4,      "Whole machine: requests", "requests"),
    F(  12, "r7410crq",  u4,      "This partition: requests", "requests"),
    F(  16, "r7410cdwc", u4,      "Whole machine: data units written"),
    F(  20, "r7410cdw",  u4,      "This partition: data units written"),
    F(  24, "r7410cdrc", u4,      "Whole machine: data units read"),
    F(  28, "r7410cdr",  u4,      "This partition: data units read"),
    F(  32, "r7410crtc", u4,      "Whole machine: execution time", "128 us"),
    F(  36, "r7410crt",  u4,      "This partition: execution time", "128 us"),
    F(  40, "r7410ciqc", u4,      "Whole machine: time queued at the I/O processor", "128 us"),
    F(  44, "r7410cwuc", u4,      "Whole machine: utilisation in per cent times seconds"),
    F(  48, "r7410cwu",  u4,      "This partition: utilisation in per cent times seconds"),
    F(  52, "r7410flg",  flags1,  "Flags: bit 0 virtual flash memory"),
), "1src")

DATA_MOVER = Record(
    74, 10, "Storage class memory activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, DEVICE),
        triplet(44, CONFIGURATION),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    evidence=rmf_evidence(PRODUCT),
)

RECORDS = (DATA_MOVER,)
