"""SMF type 74 subtype 3: the z/OS UNIX kernel, its limits and how near them it came, written by RMF.

One row per record. What is "sum over the samples" divides by the samples (smf74sam); fewest and most are those of one
cycle. "Refused" counts requests that met a limit.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone.
"""

from __future__ import annotations

from imsperf.kinds import flags4, hfp4, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 3,"

# fmt: off

HEADER = rmf_header("smf74_3_header", "One row per type 74.3 record: the z/OS UNIX kernel in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf743po", u4,  "Offset of the kernel data section", "bytes", "1src"),
    F(  40, "smf743pl", u2,  "Length of the kernel data section", "bytes", "1src"),
    F(  42, "smf743pn", u2,  "Kernel data sections", "", "1src"),
))

PRODUCT = product("smf74_3_product")

KERNEL = Section("smf74_3_kernel", "The z/OS UNIX kernel, one row per record", f"{_SOURCE} OMVS kernel activity section", 308, (
    #  +dec  name       kind      meaning
    F(   0, "r743cycu", u4,      "Cycle units from the first sample to the last"),
    F(   4, "r743cyct", u4,      "Cycle time of the gatherer; the unit is not verified"),
    F(   8, "r743flg",  flags4,  "Flags: bit 0 kernel ended or restarted in the interval, 1 to 11 a limit was changed"),
    F(  12, "r743sysc", hfp4,    "System calls"),
    F(  16, "r743scmn", u4,      "System calls: fewest in a cycle"),
    F(  20, "r743scmx", u4,      "System calls: most in a cycle"),
    F(  24, "r743cpu",  hfp4,    "CPU time of system calls; the unit is not verified"),
    F(  28, "r743ctmn", u4,      "CPU time of system calls: least in a cycle"),
    F(  32, "r743ctmx", u4,      "CPU time of system calls: most in a cycle"),
    F(  36, "r743opr",  hfp4,    "Forks or dubs refused, limit of processes"),
    F(  40, "r743opmn", u4,      "Refused, limit of processes: fewest in a cycle"),
    F(  44, "r743opmx", u4,      "Refused, limit of processes: most in a cycle"),
    F(  48, "r743ous",  hfp4,    "Forks or dubs refused, limit of users"),
    F(  52, "r743oumn", u4,      "Refused, limit of users: fewest in a cycle"),
    F(  56, "r743oumx", u4,      "Refused, limit of users: most in a cycle"),
    F(  60, "r743opru", hfp4,    "Forks or dubs refused, limit of processes per user"),
    F(  64, "r743ormn", u4,      "Refused, limit of processes per user: fewest in a cycle"),
    F(  68, "r743ormx", u4,      "Refused, limit of processes per user: most in a cycle"),
    F(  72, "r743maxp", u2,      "Limit of processes"),
    F(  74, "r743maxu", u2,      "Limit of users"),
    F(  76, "r743mxpu", u2,      "Limit of processes per user"),
    # +78: 2 bytes not described
    F(  80, "r743curp", hfp4,    "Processes: sum over the samples"),
    F(  84, "r743cpmn", u2,      "Processes: fewest"),
    F(  86, "r743cpmx", u2,      "Processes: most"),
    F(  88, "r743curu", hfp4,    "Users: sum over the samples"),
    F(  92, "r743cumn", u2,      "Users: fewest"),
    F(  94, "r743cumx", u2,      "Users: most"),
    F(  96, "r743mmsg", u4,      "Limit of message queues"),
    F( 100, "r743msem", u4,      "Limit of semaphores"),
    F( 104, "r743mshm", u4,      "Limit of shared memory ids"),
    F( 108, "r743mspg", u4,      "Limit of shared memory", "pages"),
    F( 112, "r743cmsg", hfp4,    "Message queues: sum over the samples"),
    F( 116, "r743cmmn", u4,      "Message queues: fewest"),
    F( 120, "r743cmmx", u4,      "Message queues: most"),
    F( 124, "r743csem", hfp4,    "Semaphores: sum over the samples"),
    F( 128, "r743csmn", u4,      "Semaphores: fewest"),
    F( 132, "r743csmx", u4,      "Semaphores: most"),
    F( 136, "r743cshm", hfp4,    "Shared memory ids: sum over the samples"),
    F( 140, "r743chmn", u4,      "Shared memory ids: fewest"),
    F( 144, "r743chmx", u4,      "Shared memory ids: most"),
    F( 148, "r743cspg", hfp4,    "Shared memory: sum over the samples", "pages"),
    F( 152, "r743cgmn", u4,      "Shared memory: least", "pages"),
    F( 156, "r743cgmx", u4,      "Shared memory: most", "pages"),
    F( 160, "r743omsg", hfp4,    "Message queues refused"),
    F( 164, "r743ommn", u4,      "Message queues refused: fewest in a cycle"),
    F( 168, "r743ommx", u4,      "Message queues refused: most in a cycle"),
    F( 172, "r743osem", hfp4,    "Semaphores refused"),
    F( 176, "r743osmn", u4,      "Semaphores refused: fewest in a cycle"),
    F( 180, "r743osmx", u4,      "Semaphores refused: most in a cycle"),
    F( 184, "r743oshm", hfp4,    "Shared memory ids refused"),
    F( 188, "r743ohmn", u4,      "Shared memory ids refused: fewest in a cycle"),
    F( 192, "r743ohmx", u4,      "Shared memory ids refused: most in a cycle"),
    F( 196, "r743ospg", hfp4,    "Shared memory refused"),
    F( 200, "r743ogmn", u4,      "Shared memory refused: fewest in a cycle"),
    F( 204, "r743ogmx", u4,      "Shared memory refused: most in a cycle"),
    F( 208, "r743mmap", u4,      "Limit of memory maps", "pages"),
    F( 212, "r743cmap", hfp4,    "Memory maps: sum over the samples", "pages"),
    F( 216, "r743camn", u4,      "Memory maps: least", "pages"),
    F( 220, "r743camx", u4,      "Memory maps: most", "pages"),
    F( 224, "r743omap", hfp4,    "Memory maps refused"),
    F( 228, "r743oamn", u4,      "Memory maps refused: fewest in a cycle"),
    F( 232, "r743oamx", u4,      "Memory maps refused: most in a cycle"),
    F( 236, "r743mpag", u4,      "Limit of shared storage", "pages"),
    F( 240, "r743cpag", hfp4,    "Shared storage: sum over the samples", "pages"),
    F( 244, "r743cxmn", u4,      "Shared storage: least", "pages"),
    F( 248, "r743cxmx", u4,      "Shared storage: most", "pages"),
    F( 252, "r743opag", hfp4,    "Shared storage refused"),
    F( 256, "r743oxmn", u4,      "Shared storage refused: fewest in a cycle"),
    F( 260, "r743oxmx", u4,      "Shared storage refused: most in a cycle"),
    F( 264, "r743mslr", u4,      "Limit of the shared library region", "MB"),
    F( 268, "r743cslr", hfp4,    "Shared library region: sum over the samples", "MB"),
    F( 272, "r743clmn", u4,      "Shared library region: least", "MB"),
    F( 276, "r743clmx", u4,      "Shared library region: most", "MB"),
    F( 280, "r743oslr", hfp4,    "Shared library storage refused"),
    F( 284, "r743olmn", u4,      "Shared library storage refused: fewest in a cycle"),
    F( 288, "r743olmx", u4,      "Shared library storage refused: most in a cycle"),
    F( 292, "r743mqds", u4,      "Limit of queued signals of a process"),
    F( 296, "r743oqds", hfp4,    "Queued signals refused"),
    F( 300, "r743oqmn", u4,      "Queued signals refused: fewest in a cycle"),
    F( 304, "r743oqmx", u4,      "Queued signals refused: most in a cycle"),
), "1src")

UNIX_KERNEL = Record(
    74, 3, "z/OS UNIX kernel activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, KERNEL),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    evidence=rmf_evidence(PRODUCT),
)

RECORDS = (UNIX_KERNEL,)
