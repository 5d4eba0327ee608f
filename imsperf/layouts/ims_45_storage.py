"""IMS log code 45, statistics of storage: 4505 variable pools, 450C control block pools, 4511 address spaces.

Fixed pools are 450E (ims_45). IBM documents that 4511 is private storage, and the name of one field.
"""

from __future__ import annotations

from imsperf.kinds import text, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS, SET, TABLE
from imsperf.record import At, Entries, LogRecord

# fmt: off

VARIABLE_POOLS = Section("ims_4505", "Variable storage pools: one row per record", f"{OURS}: code 45 subcode 05", 34, TABLE, PROJECT_DEFINED)

VARIABLE_POOL = Section("ims_4505_pool", "One variable storage pool", f"{OURS}: code 45 subcode 05, entry", 112, (
    F(   0, "pool",                text(4), "Name of the pool: DLMP, DLDP, PSBW, DBWP, CIOP and others"),
    F(   4, "location",            text(1), "C CSA, E ECSA, P private, X extended private, 6 above the bar"),
    # +5: 3 reserved bytes
    F(   8, "pool_size",           u8,      "Size the pool is defined with", "bytes"),
    F(  16, "bytes_allocated",     u8,      "Bytes in use now", "bytes"),
    F(  24, "max_bytes_allocated", u8,      "Most bytes in use so far", "bytes"),
    F(  32, "ave_bytes_allocated", u8,      "Mean of the bytes in use since the last set", "bytes"),
    F(  40, "largest_free",        u8,      "Largest free piece now", "bytes"),
    F(  48, "gets",                u8,      "Requests for storage", "requests"),
    F(  56, "frees",               u8,      "Pieces given back", "requests"),
    F(  64, "bytes_requested",     u8,      "Sum of the requested sizes", "bytes"),
    F(  72, "getmains",            u8,      "Requests passed on to the system", "calls"),
    F(  80, "freemains",           u8,      "Storage given back to the system", "calls"),
    F(  88, "no_space",            u8,      "Requests that found no room"),
    F(  96, "waits",               u8,      "Requests that waited for room"),
    F( 104, "compressions",        u8,      "Compressions of the pool"),
), PROJECT_DEFINED)

BLOCK_POOLS = Section("ims_450c", "Pools of control blocks (CBT): one row per record", f"{OURS}: code 45 subcode 0C", 34, TABLE, PROJECT_DEFINED)

BLOCK_POOL = Section("ims_450c_pool", "One pool of control blocks", f"{OURS}: code 45 subcode 0C, entry", 80, (
    F(   0, "pool",                text(4), "Name of the block type"),
    F(   4, "location",            text(1), "C CSA, E ECSA, P private, X extended private, 6 above the bar"),
    # +5: 3 reserved bytes
    F(   8, "block_size",          u4,      "Size of one block", "bytes"),
    F(  12, "blocks_now",          u4,      "Blocks in use now", "blocks"),
    F(  16, "max_blocks",          u4,      "Most blocks in use so far", "blocks"),
    # +20: 4 reserved bytes
    F(  24, "gets",                u8,      "Requests for a block", "requests"),
    F(  32, "frees",               u8,      "Blocks given back", "requests"),
    F(  40, "getmains",            u8,      "Storage got from the system to build more", "calls"),
    F(  48, "freemains",           u8,      "Storage given back to the system", "calls"),
    F(  56, "bytes_allocated",     u8,      "Bytes held now", "bytes"),
    F(  64, "max_bytes_allocated", u8,      "Most bytes held so far", "bytes"),
    F(  72, "ave_bytes_allocated", u8,      "Mean of the bytes held since the last set", "bytes"),
), PROJECT_DEFINED)

CONTROL_REGION = Section("ims_4511", "Private and common storage of the control region", f"{OURS}: code 45 subcode 11", 226, (
    *SET,
    F(  30, "st4511_dsoff",              u4,      "Offset of the DLI/SAS section from the start of the record, 0 if there is none; the name is IBM's, place and length are ours", "bytes"),
    F(  34, "jobname",                   text(8), "Job name of the control region"),
    F(  42, "size_24bit_csa",            u8,      "Size of the CSA below 16 MB", "bytes"),
    F(  50, "size_24bit_sqa",            u8,      "Size of the SQA below 16 MB", "bytes"),
    F(  58, "size_24bit_priv",           u8,      "Size of the private area below 16 MB", "bytes"),
    F(  66, "size_31bit_csa",            u8,      "Size of the CSA above 16 MB", "bytes"),
    F(  74, "size_31bit_sqa",            u8,      "Size of the SQA above 16 MB", "bytes"),
    F(  82, "size_31bit_priv",           u8,      "Size of the private area above 16 MB", "bytes"),
    F(  90, "alloc_24bit_csa",           u8,      "CSA below 16 MB in use now", "bytes"),
    F(  98, "alloc_31bit_csa",           u8,      "CSA above 16 MB in use now", "bytes"),
    F( 106, "alloc_24bit_user_priv",     u8,      "User private below 16 MB in use now", "bytes"),
    F( 114, "alloc_31bit_user_priv",     u8,      "User private above 16 MB in use now", "bytes"),
    F( 122, "max_alloc_24bit_csa",       u8,      "Most CSA below 16 MB in use so far", "bytes"),
    F( 130, "max_alloc_24bit_sqa",       u8,      "Most SQA below 16 MB in use so far", "bytes"),
    F( 138, "max_alloc_24bit_user_priv", u8,      "Most user private below 16 MB in use so far", "bytes"),
    F( 146, "max_alloc_31bit_csa",       u8,      "Most CSA above 16 MB in use so far", "bytes"),
    F( 154, "max_alloc_31bit_sqa",       u8,      "Most SQA above 16 MB in use so far", "bytes"),
    F( 162, "max_alloc_31bit_user_priv", u8,      "Most user private above 16 MB in use so far", "bytes"),
    F( 170, "alloc_24bit_lsqa",          u8,      "LSQA and system private below 16 MB in use now", "bytes"),
    F( 178, "alloc_31bit_lsqa",          u8,      "LSQA and system private above 16 MB in use now", "bytes"),
    F( 186, "alloc_64bit_priv",          u8,      "Private storage above the bar in use now", "bytes"),
    F( 194, "max_alloc_64bit_priv",      u8,      "Most private storage above the bar so far", "bytes"),
    F( 202, "alloc_64bit_common",        u8,      "Common storage above the bar in use now", "bytes"),
    F( 210, "backed_64bit_common",       u8,      "Common storage above the bar backed in real storage", "bytes"),
    F( 218, "fixed_64bit_common",        u8,      "Common storage above the bar fixed in real storage", "bytes"),
), PROJECT_DEFINED)

DLI_REGION = Section("ims_4511_dlisas", "Private storage of the DLI/SAS region", f"{OURS}: code 45 subcode 11, DLI/SAS section", 76, (
    F(   0, "jobname",                   text(8), "Job name of the DLI/SAS region"),
    # +8: 4 reserved bytes
    F(  12, "size_24bit_priv",           u8,      "Size of the private area below 16 MB", "bytes"),
    F(  20, "size_31bit_priv",           u8,      "Size of the private area above 16 MB", "bytes"),
    F(  28, "alloc_24bit_user_priv",     u8,      "User private below 16 MB in use now", "bytes"),
    F(  36, "alloc_31bit_user_priv",     u8,      "User private above 16 MB in use now", "bytes"),
    F(  44, "max_alloc_24bit_user_priv", u8,      "Most user private below 16 MB in use so far", "bytes"),
    F(  52, "max_alloc_31bit_user_priv", u8,      "Most user private above 16 MB in use so far", "bytes"),
    F(  60, "alloc_64bit_priv",          u8,      "Private storage above the bar in use now", "bytes"),
    F(  68, "max_alloc_64bit_priv",      u8,      "Most private storage above the bar so far", "bytes"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x45, 0x05, "Variable pool statistics", VARIABLE_POOLS, Entries(VARIABLE_POOL, start=34, count_at=30, length_at=32)),
    LogRecord(0x45, 0x0C, "Control block pool statistics", BLOCK_POOLS, Entries(BLOCK_POOL, start=34, count_at=30, length_at=32)),
    LogRecord(0x45, 0x11, "Private storage statistics", CONTROL_REGION, Entries(DLI_REGION, start=At(30, 4), number=1)),
)
