"""SMF type 70 subtype 1: processor, partition and address-space activity, written by RMF once an interval.

Sections point to each other by number, not by nesting: a partition to its logical processors (bds, bdn), a
processor to its type name (cix), a core to its CPUs (cpu_skip, cpu_num). Accumulated values divide by the
samples: smf70sam for sampled counts, smf70dsa for those taken by Diagnose X'204'.
"""

from __future__ import annotations

from imsperf.kinds import (
    array,
    flags1,
    flags2,
    opaque,
    s2,
    s4,
    text,
    tod,
    tod_offset,
    u1,
    u2,
    u3,
    u4,
    u8,
)
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Index, Interval, Record, in_use, never_zero, triplet

_SOURCE = f"{BOOK}: record type 70 subtype 1,"

# fmt: off

HEADER = rmf_header("smf70_1_header", "One row per type 70.1 record: CPU activity of an interval", (
    #  +dec  name         kind  meaning
    F(  36, "smf70ccs",   u4,   "Offset of the CPU control section", "bytes"),
    F(  40, "smf70ccl",   u2,   "Length of the CPU control section", "bytes"),
    F(  42, "smf70ccn",   u2,   "CPU control sections"),
    F(  44, "smf70cps",   u4,   "Offset of the first CPU data section", "bytes"),
    F(  48, "smf70cpl",   u2,   "Length of a CPU data section", "bytes"),
    F(  50, "smf70cpn",   u2,   "CPU data sections"),
    F(  52, "smf70ass",   u4,   "Offset of the address-space section", "bytes"),
    F(  56, "smf70asl",   u2,   "Length of the address-space section", "bytes"),
    F(  58, "smf70asn",   u2,   "Address-space sections"),
    F(  60, "smf70bcs",   u4,   "Offset of the first partition section", "bytes"),
    F(  64, "smf70bcl",   u2,   "Length of a partition section", "bytes"),
    F(  66, "smf70bcn",   u2,   "Partition sections"),
    F(  68, "smf70bvs",   u4,   "Offset of the first logical processor section", "bytes"),
    F(  72, "smf70bvl",   u2,   "Length of a logical processor section", "bytes"),
    F(  74, "smf70bvn",   u2,   "Logical processor sections"),
    F(  76, "smf70cns",   u4,   "Offset of the first CPU identification section", "bytes"),
    F(  80, "smf70cnl",   u2,   "Length of a CPU identification section", "bytes"),
    F(  82, "smf70cnn",   u2,   "CPU identification sections"),
    F(  84, "smf70cos",   u4,   "Offset of the first logical core section", "bytes"),
    F(  88, "smf70col",   u2,   "Length of a logical core section", "bytes"),
    F(  90, "smf70con",   u2,   "Logical core sections"),
    F(  92, "smf70tns",   u4,   "Offset of the first tenant resource group section", "bytes"),
    F(  96, "smf70tnl",   u2,   "Length of a tenant resource group section", "bytes"),
    F(  98, "smf70tnn",   u2,   "Tenant resource group sections"),
))

PRODUCT = product("smf70_1_product")

# 344 bytes long before z/OS 3.1.
CONTROL = Section("smf70_1_control", "The machine and its capacity, one row per record", f"{_SOURCE} CPU control section (SMF70CTL)", 404, (
    #  +dec  name         kind        meaning
    F(   0, "smf70mod",   u2,         "Machine type, read as hex digits: X'3906'"),
    F(   2, "smf70ver",   u1,         "CPU version number"),
    F(   3, "smf70bnp",   u1,         "Physical processors PR/SM may use"),
    F(   4, "smf70inb",   flags1,     "PR/SM flags: bit 0 Diagnose X'204' failed, 3 partition PHYSICAL is present, 4 extended data"),
    F(   5, "smf70stf",   flags1,     "Flags: bit 0 STSI, 1 and 2 factors changed, 4 mdl and hwm are two names, 7 gau valid"),
    F(   6, "smf70gts",   u2,         "PR/SM dispatch interval, 0 if it is dynamic", "ms"),
    F(   8, "smf70mdl",   text(16),   "Capacity model of the machine"),
    F(  24, "smf70dsa",   u2,         "Diagnose X'204' samples in the interval", "samples"),
    F(  26, "smf70ifa",   u2,         "zAAPs online when the interval ended"),
    F(  28, "smf70cpa",   u4,         "Physical CPU adjustment factor"),
    F(  32, "smf70wla",   u4,         "Capacity limit of the image, defined or in effect; not what it uses", "MSU/h"),
    F(  36, "smf70lac",   u4,         "What the image used, rolling average over four hours", "MSU/h"),
    F(  40, "smf70hof",   tod_offset, "Hypervisor date and time offset"),
    F(  48, "smf70hwm",   text(16),   "Physical model of the machine"),
    F(  64, "smf70sup",   u2,         "zIIPs online when the interval ended"),
    F(  66, "smf70gjt",   tod,        "When the partition joined its capacity group"),
    F(  74, "smf70pom",   text(4),    "Plant of manufacture"),
    F(  78, "smf70csc",   text(16),   "Sequence code of the machine"),
    F(  94, "smf70hhf",   flags1,     "Flags: bit 0 HiperDispatch supported, 1 active, 2 status changed, 4 absolute MSU capping, 5 os_prtct valid"),
    F(  95, "smf70cr",    opaque(1),  "Internal to zEP"),
    F(  96, "smf70pmi",   u4,         "Blocked units that may be promoted per second, accumulated; divide by smf70sam", "1/s x samples"),
    F( 100, "smf70pmu",   u4,         "Blocked units promoted in the interval"),
    F( 104, "smf70pmw",   u4,         "Address spaces and enclaves that waited for promotion, accumulated; divide by smf70sam", "samples"),
    F( 108, "smf70pmp",   u4,         "Most address spaces and enclaves that waited for promotion at once"),
    F( 112, "smf70pmt",   u2,         "Share of the capacity that promotion may take", "1/1000"),
    F( 114, "smf70pml",   u2,         "How long swapped-in work may starve before it is promoted", "s"),
    F( 116, "smf70mpc",   text(16),   "Permanent capacity model, if it is another"),
    F( 132, "smf70mtc",   text(16),   "Temporary capacity model, if it is another"),
    F( 148, "smf70mcr",   u4,         "Capacity rating of the model", "MSU/h"),
    F( 152, "smf70mpr",   u4,         "Capacity rating of the permanent model", "MSU/h"),
    F( 156, "smf70mtr",   u4,         "Capacity rating of the temporary model", "MSU/h"),
    F( 160, "smf70zep",   opaque(4),  "Internal to zEP"),
    F( 164, "smf70zer",   opaque(8),  "Internal to zEP"),
    F( 172, "smf70zee",   opaque(8),  "Internal to zEP"),
    F( 180, "smf70zec",   opaque(8),  "Internal to zEP"),
    F( 188, "smf70nrm",   u4,         "Normalisation factor of zIIP time to CP time", "1/256"),
    F( 192, "smf70gau",   s4,         "Unused capacity of the group, long-term average; may be below zero", "MSU/h"),
    F( 196, "smf70zei",   opaque(8),  "Internal to zEP"),
    F( 204, "smf70ncr",   u4,         "Nominal capacity rating of the model", "MSU/h"),
    F( 208, "smf70npr",   u4,         "Nominal capacity rating of the permanent model", "MSU/h"),
    F( 212, "smf70ntr",   u4,         "Nominal capacity rating of the temporary model", "MSU/h"),
    F( 216, "smf70cai",   u1,         "Capacity adjustment: 0 not reported, 1-99 reduced, 100 normal"),
    F( 217, "smf70ccr",   u1,         "Why the capacity last changed, reason code"),
    F( 218, "smf70mcp",   u2,         "Highest CPU address possible since this IPL"),
    F( 220, "smf70icp",   u2,         "Highest CPU id installed at IPL"),
    F( 222, "smf70ccp",   u2,         "Highest CPU id installed now"),
    F( 224, "smf70cpa_actual",         u4, "Physical CPU adjustment factor for MSU arithmetic, scaled"),
    F( 228, "smf70cpa_scaling_factor", u4, "What smf70cpa_actual is scaled by"),
    F( 232, "smf70mcf",   u4,         "Multithreading maximum capacity of a CP core", "1/1024"),
    F( 236, "smf70mcfs",  u4,         "Multithreading maximum capacity of a zIIP core", "1/1024"),
    F( 240, "smf70mcfi",  u4,         "Multithreading maximum capacity of a zAAP core", "1/1024"),
    F( 244, "smf70cf",    u4,         "Multithreading capacity of a CP core", "1/1024"),
    F( 248, "smf70cfs",   u4,         "Multithreading capacity of a zIIP core", "1/1024"),
    F( 252, "smf70cfi",   u4,         "Multithreading capacity of a zAAP core", "1/1024"),
    F( 256, "smf70atd",   u4,         "Threads active on a CP core, average", "1/1024"),
    F( 260, "smf70atds",  u4,         "Threads active on a zIIP core, average", "1/1024"),
    F( 264, "smf70atdi",  u4,         "Threads active on a zAAP core, average", "1/1024"),
    F( 268, "smf70lacm",  u4,         "Used by mobile transactions, long-term average", "MSU/h"),
    F( 272, "smf70laca",  u4,         "Used by work tagged category A, long-term average", "MSU/h"),
    F( 276, "smf70lacb",  u4,         "Used by work tagged category B, long-term average", "MSU/h"),
    F( 280, "smf70adj",   u4,         "Adjustment factor of the logical CPU rate"),
    F( 284, "smf70laccr", u4,         "Used by work of the container category, long-term average", "MSU/h"),
    F( 288, "smf70maxpu", u2,         "Processor units of the machine, if not zero"),
    F( 290, "smf70os_prtct", u1,      "OSPROTECT parameter; bit 5 of smf70hhf says if it counts"),
    # +291: 1 reserved byte
    F( 292, "smf70mdl_cbp", text(16), "Kept for later use"),
    F( 308, "smf70mcr_cbp", u4,       "Kept for later use"),
    F( 312, "smf70ncr_cbp", u4,       "Kept for later use"),
    F( 316, "smf70lac_cbp", u4,       "Kept for later use"),
    F( 320, "smf70cpa_actual_cbp", u4, "Kept for later use"),
    F( 324, "smf70_ipl_time", tod,    "When this partition was IPLed"),
    F( 332, "smf70_trg_m_cnt", u4,    "Samples of tenant resource group storage", "samples"),
    F( 336, "smf70crw",   opaque(4),  "Internal use"),
    F( 340, "smf70cpc_type", text(4), "Machine type as text"),
    F( 344, "smf70mdl_var", text(16), "Variable capacity model (z/OS 3.1)", "", "1src"),
    F( 360, "smf70mvcr",  u4,         "Capacity rating of the variable model (z/OS 3.1)", "MSU/h", "1src"),
    F( 364, "smf70nvcr",  u4,         "Nominal capacity rating of the variable model (z/OS 3.1)", "MSU/h", "1src"),
    F( 368, "smf70zsu_on_ziip", u8,   "zIIP-eligible service that ran on zIIPs (z/OS 3.1)", "service units", "1src"),
    F( 376, "smf70zsu_on_cp", u8,     "zIIP-eligible service that ran on CPs (z/OS 3.1)", "service units", "1src"),
    F( 384, "smf70jsu_on_ziip", u8,   "Java service that ran on zIIPs (z/OS 3.1)", "service units", "1src"),
    F( 392, "smf70jsu_on_cp", u8,     "Java service that ran on CPs (z/OS 3.1)", "service units", "1src"),
    F( 400, "smf70cpe_lo", s2,        "CPU efficiency, lower value (z/OS 3.1)", "", "1src"),
    F( 402, "smf70cpe_hi", s2,        "CPU efficiency, upper value (z/OS 3.1)", "", "1src"),
), levels=(("z/OS 2.4", 344),))

CPU = Section("smf70_1_cpu", "One logical CPU of this image; one thread where multithreading is on", f"{_SOURCE} CPU data section (SMF70CPU)", 92, (
    #  +dec  name         kind        meaning
    F(   0, "smf70wat",   u8,         "Wait time", "1/4096 us"),
    F(   8, "smf70cid",   u2,         "CPU address"),
    F(  10, "smf70cnf",   flags1,     "Flags: bit 4 online all the interval, 5 varied, 6 data invalid, 7 online when it ended"),
    F(  11, "smf70rv3",   opaque(1),  "Reserved"),
    F(  12, "smf70ser",   u3,         "Serial number, read as six hex digits"),
    F(  15, "smf70typ",   u1,         "Processor type: 0 CP, 1 zAAP, 2 zIIP"),
    F(  16, "smf70slh",   u4,         "I/O interrupts taken by the second-level handler"),
    F(  20, "smf70tpi",   u4,         "I/O interrupts found by Test Pending Interruption"),
    F(  24, "smf70vfs",   u4,         "Samples with the vector bit on; out of use", "samples"),
    F(  28, "smf70v",     flags1,     "Vector configuration; out of use"),
    F(  29, "smf70cpm",   opaque(3),  "Reserved"),
    F(  32, "smf70pat",   u8,         "Parked time", "1/4096 us"),
    F(  40, "smf70tcb",   u8,         "TCB dispatches"),
    F(  48, "smf70srb",   u8,         "SRB dispatches"),
    F(  56, "smf70nio",   u8,         "I/Os started"),
    F(  64, "smf70sig",   u8,         "SIGP instructions issued"),
    F(  72, "smf70wtd",   u8,         "Dispatches that found no work"),
    F(  80, "smf70wts",   u4,         "Warning-track interrupts answered in time"),
    F(  84, "smf70wtu",   u4,         "Warning-track interrupts answered too late"),
    F(  88, "smf70wti",   u4,         "Time given back because of warning-track interrupts", "ms"),
))

# Of each distribution the sources give the number of buckets, not their bounds.
ASID = Section("smf70_1_asid", "Address spaces and work units by state, counted at each sample", f"{_SOURCE} ASID data section (SMF70AID)", 788, (
    #  +dec  name            kind           meaning
    F(   0, "smf70rmn",      u2,            "In and ready, fewest"),
    F(   2, "smf70rmm",      u2,            "In and ready, most"),
    F(   4, "smf70rtt",      u4,            "In and ready, sum over the samples"),
    F(   8, "smf70r00_r15",  array(u4, 16), "In and ready, samples by number", "samples"),
    F(  72, "smf70imn",      u2,            "In, fewest"),
    F(  74, "smf70imm",      u2,            "In, most"),
    F(  76, "smf70itt",      u4,            "In, sum over the samples"),
    F(  80, "smf70i00_i11",  array(u4, 12), "In, samples by number", "samples"),
    F( 128, "smf70omn",      u2,            "Out and ready, fewest"),
    F( 130, "smf70omm",      u2,            "Out and ready, most"),
    F( 132, "smf70ott",      u4,            "Out and ready, sum over the samples"),
    F( 136, "smf70o00_o11",  array(u4, 12), "Out and ready, samples by number", "samples"),
    F( 184, "smf70wmn",      u2,            "Out and waiting, fewest"),
    F( 186, "smf70wmm",      u2,            "Out and waiting, most"),
    F( 188, "smf70wtt",      u4,            "Out and waiting, sum over the samples"),
    F( 192, "smf70w00_w11",  array(u4, 12), "Out and waiting, samples by number", "samples"),
    F( 240, "smf70bmn",      u2,            "Batch, fewest"),
    F( 242, "smf70bmm",      u2,            "Batch, most"),
    F( 244, "smf70btt",      u4,            "Batch, sum over the samples"),
    F( 248, "smf70b00_b11",  array(u4, 12), "Batch, samples by number", "samples"),
    F( 296, "smf70smn",      u2,            "Started tasks, fewest"),
    F( 298, "smf70smm",      u2,            "Started tasks, most"),
    F( 300, "smf70stt",      u4,            "Started tasks, sum over the samples"),
    F( 304, "smf70s00_s11",  array(u4, 12), "Started tasks, samples by number", "samples"),
    F( 352, "smf70tmn",      u2,            "TSO users, fewest"),
    F( 354, "smf70tmm",      u2,            "TSO users, most"),
    F( 356, "smf70ttt",      u4,            "TSO users, sum over the samples"),
    F( 360, "smf70t00_t11",  array(u4, 12), "TSO users, samples by number", "samples"),
    F( 408, "smf70lmn",      u2,            "Logically out and ready, fewest"),
    F( 410, "smf70lmm",      u2,            "Logically out and ready, most"),
    F( 412, "smf70ltt",      u4,            "Logically out and ready, sum over the samples"),
    F( 416, "smf70l00_l11",  array(u4, 12), "Logically out and ready, samples by number", "samples"),
    F( 464, "smf70amn",      u2,            "Logically out and waiting, fewest"),
    F( 466, "smf70amm",      u2,            "Logically out and waiting, most"),
    F( 468, "smf70att",      u4,            "Logically out and waiting, sum over the samples"),
    F( 472, "smf70a00_a11",  array(u4, 12), "Logically out and waiting, samples by number", "samples"),
    F( 520, "smf70pmn",      u2,            "APPC transaction schedulers (ASCH), fewest"),
    F( 522, "smf70pmm",      u2,            "APPC transaction schedulers (ASCH), most"),
    F( 524, "smf70ptt",      u4,            "APPC transaction schedulers (ASCH), sum over the samples"),
    F( 528, "smf70p00_p11",  array(u4, 12), "APPC transaction schedulers (ASCH), samples by number", "samples"),
    F( 576, "smf70xmn",      u2,            "z/OS UNIX (OMVS), fewest"),
    F( 578, "smf70xmm",      u2,            "z/OS UNIX (OMVS), most"),
    F( 580, "smf70xtt",      u4,            "z/OS UNIX (OMVS), sum over the samples"),
    F( 584, "smf70x00_x11",  array(u4, 12), "z/OS UNIX (OMVS), samples by number", "samples"),
    F( 632, "smf70q00_q12",  array(u4, 13), "In and ready against the CPUs online, samples by excess", "samples"),
    F( 684, "smf70srm",      u4,            "Samples SRM took for the distributions of ready work", "samples"),
    F( 688, "smf70cmn",      u4,            "Work units ready for CPs, fewest"),
    F( 692, "smf70cmm",      u4,            "Work units ready for CPs, most"),
    F( 696, "smf70ctt",      u4,            "Work units ready for CPs, sum over the samples SRM took"),
    F( 700, "smf70dmn",      u4,            "Work units ready for zAAPs, fewest"),
    F( 704, "smf70dmm",      u4,            "Work units ready for zAAPs, most"),
    F( 708, "smf70dtt",      u4,            "Work units ready for zAAPs, sum over the samples SRM took"),
    F( 712, "smf70emn",      u4,            "Work units ready for zIIPs, fewest"),
    F( 716, "smf70emm",      u4,            "Work units ready for zIIPs, most"),
    F( 720, "smf70ett",      u4,            "Work units ready for zIIPs, sum over the samples SRM took"),
    F( 724, "smf70u00_u15",  array(u4, 16), "Work units in and ready against the CPUs online, SRM samples by excess", "samples"),
))

PARTITION = Section("smf70_1_partition", "One partition of the machine; PHYSICAL holds the hypervisor's own time", f"{_SOURCE} PR/SM partition data section (SMF70BCT)", 84, (
    #  +dec  name         kind        meaning
    F(   0, "smf70lpm",   text(8),    "Partition name; PHYSICAL for the hypervisor"),
    F(   8, "smf70lpn",   u1,         "Partition number"),
    F(   9, "smf70pfg",   flags1,     "Flags: bit 0 activated or deactivated, 1 number of CPUs changed, 2 dedicated, 3 shared changed, 4 WLM managed, 5 wst valid, 6 defined capacity changed"),
    F(  10, "smf70bdn",   u2,         "Logical processor sections of this partition; 0 when it is not active"),
    F(  12, "smf70bds",   u4,         "Logical processor sections to skip before the first of this partition"),
    F(  16, "smf70bda",   u4,         "Active logical processors, accumulated; divide by smf70dsa", "samples"),
    F(  20, "smf70spn",   text(8),    "LPAR cluster, empty if none"),
    F(  28, "smf70stn",   text(8),    "Name of the system that runs in the partition"),
    # +36: 4 reserved bytes
    F(  40, "smf70csf",   u4,         "Central storage online", "MB"),
    # +44: 4 reserved bytes
    F(  48, "smf70esf",   u4,         "Expanded storage online", "MB"),
    F(  52, "smf70msu",   u4,         "Defined capacity, 0 if none", "MSU/h"),
    F(  56, "smf70pfl",   flags2,     "Flags: bit 0 upi valid, 1 member of a capacity group, 2 vertical polarisation, 3 initial weight"),
    F(  58, "smf70upi",   u1,         "Partition id a user gave"),
    F(  59, "smf70mtid",  u1,         "Highest thread id of a core; 0 without multithreading"),
    F(  60, "smf70gnm",   text(8),    "Capacity group"),
    F(  68, "smf70gmu",   u4,         "Limit of the capacity group", "MSU/h"),
    F(  72, "smf70hwgr_name", text(8), "Hardware group with an absolute cap"),
    F(  80, "smf70_boostinfo", flags1, "Recovery boosts: bit 0 zIIP boost, 1 speed boost"),
    # +81: 3 reserved bytes
))

# 88 bytes long before z/OS 3.1.
PROCESSOR = Section("smf70_1_processor", "One logical processor of a partition; a core where multithreading is on", f"{_SOURCE} PR/SM logical processor data section (SMF70BPD)", 96, (
    #  +dec  name         kind        meaning
    F(   0, "smf70pdt",   u8,         "Dispatch time, with the overhead of LPAR management", "us"),
    F(   8, "smf70vpa",   u2,         "Logical processor address"),
    F(  10, "smf70bps",   u2,         "Weight; 65535 for a dedicated processor"),
    F(  12, "smf70vpf",   flags1,     "Flags: bit 0 wait completion, 1 and 2 settings changed, 3 initial cap, 5 varied online, 6 and 7 limits changed"),
    F(  13, "smf70pof",   flags1,     "Polarisation in bits 0-1: 00 horizontal, 01 vertical low, 10 medium, 11 high"),
    F(  14, "smf70cix",   u2,         "Which CPU identification section names its type, from 1; 0 says nothing"),
    F(  16, "smf70edt",   u8,         "Dispatch time without the overhead of LPAR management", "us"),
    F(  24, "smf70acs",   u4,         "Weight in effect, accumulated; divide by smf70dsa", "samples"),
    F(  28, "smf70mis",   u2,         "Smallest weight"),
    F(  30, "smf70mas",   u2,         "Largest weight"),
    F(  32, "smf70nsi",   u4,         "Diagnose samples with the weight near its smallest", "samples"),
    F(  36, "smf70nsa",   u4,         "Diagnose samples with the weight near its largest", "samples"),
    F(  40, "smf70ont",   u8,         "Online time", "us"),
    F(  48, "smf70wst",   u8,         "Time in wait state; internal, never in place of smf70wat", "us"),
    F(  56, "smf70pma",   u4,         "Weight adjustment by pricing management, average"),
    F(  60, "smf70nsw",   u4,         "Diagnose samples in which WLM capped the partition", "samples"),
    F(  64, "smf70pow",   u4,         "Weight under vertical polarisation times 4096, accumulated; divide by smf70dsa", "1/4096 samples"),
    F(  68, "smf70nca",   u4,         "Diagnose samples with any cap at work", "samples"),
    F(  72, "smf70hw_cap_limit", u4,  "Absolute cap of the partition", "1/100 CPU"),
    F(  76, "smf70hwgr_cap_limit", u4, "Absolute cap of its hardware group", "1/100 CPU"),
    F(  80, "smf70mtit",  u8,         "Multithreading idle time", "us"),
    F(  88, "smf70lpf",   flags1,     "More flags of the logical processor (z/OS 3.1)", "", "1src"),
    F(  89, "smf70maxnl", u1,         "Topology: deepest nesting level (z/OS 3.1)", "", "1src"),
    F(  90, "smf70cordl1", u1,        "Topology: place on level 1 (z/OS 3.1)", "", "1src"),
    F(  91, "smf70cordl2", u1,        "Topology: place on level 2 (z/OS 3.1)", "", "1src"),
    F(  92, "smf70cordl3", u1,        "Topology: place on level 3 (z/OS 3.1)", "", "1src"),
    F(  93, "smf70cordl4", u1,        "Topology: place on level 4 (z/OS 3.1)", "", "1src"),
    F(  94, "smf70cordl5", u1,        "Topology: place on level 5 (z/OS 3.1)", "", "1src"),
    F(  95, "smf70cordl6", u1,        "Topology: place on level 6 (z/OS 3.1)", "", "1src"),
), levels=(("z/OS 2.4", 88),))

CPU_ID = Section("smf70_1_cpu_id", "One processor type of the machine", f"{_SOURCE} CPU identification name section (SMF70CIS)", 24, (
    F(   0, "smf70cin",   text(16),   "Name of the type: CP, IIP, ICF, IFL"),
    F(  16, "smf70ctn",   u2,         "Physical CPUs of the type"),
    # +18: 2 reserved bytes
    F(  20, "smf70can",   u4,         "Physical CPUs of the type, accumulated; divide by smf70dsa", "samples"),
))

CORE = Section("smf70_1_core", "One logical core of this image", f"{_SOURCE} logical core data section (SMF70LCS)", 16, (
    F(   0, "smf70_core_id",   u2,     "Core id"),
    F(   2, "smf70_core_flg",  flags1, "Flags: bit 0 smf70_lpar_busy valid"),
    # +3: 1 reserved byte
    F(   4, "smf70_cpu_skip",  u2,     "CPU data sections to skip before the first of this core"),
    F(   6, "smf70_cpu_num",   u2,     "CPU data sections of this core, one per thread"),
    F(   8, "smf70_prod",      u4,     "Multithreading productivity of the core", "1/1024"),
    F(  12, "smf70_lpar_busy", u4,     "Time the partition kept the core busy", "ms"),
))

TENANT = Section("smf70_1_tenant", "One tenant resource group", f"{_SOURCE} tenant resource group section (SMF70TNT)", 188, (
    F(   0, "smf70_trg_name",    text(8),   "Tenant resource group"),
    F(   8, "smf70_trg_desc",    text(32),  "What the group is for"),
    F(  40, "smf70_trg_tntid",   text(8),   "Tenant id"),
    F(  48, "smf70_trg_tntname", text(32),  "Tenant name"),
    F(  80, "smf70_trg_sbid",    text(64),  "Solution id"),
    F( 144, "smf70_trg_sucp",    u8,        "Service used on CPs, not weighted", "service units"),
    F( 152, "smf70_trg_suifa",   u8,        "Service used on zAAPs, not weighted", "service units"),
    F( 160, "smf70_trg_susup",   u8,        "Service used on zIIPs, not weighted", "service units"),
    F( 168, "smf70_trg_lac",     u4,        "General-purpose CPU used, long-term average", "MSU/h"),
    F( 172, "smf70_trg_lac_cbp", opaque(4), "Kept for later use"),
    F( 176, "smf70_trg_flags",   flags2,    "Flags, all reserved"),
    # +178: 2 reserved bytes
    F( 180, "smf70_trg_mem",     u8,        "Storage the group used; the sources name no unit"),
))

CPU_ACTIVITY = Record(
    70, 1, "CPU activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(44, CPU),
        triplet(52, ASID),
        triplet(60, PARTITION),
        triplet(68, PROCESSOR),
        triplet(76, CPU_ID),
        triplet(84, CORE),
        triplet(92, TENANT),
    ),
    interval=Interval(PRODUCT, system="smf70snm", date="smf70dat", start="smf70ist", length="smf70int"),
    indexes=(
        Index(PARTITION, PROCESSOR, first="smf70bds", number="smf70bdn", base=0),
        Index(CORE, CPU, first="smf70_cpu_skip", number="smf70_cpu_num", base=0),
    ),
    evidence=(*rmf_evidence(PRODUCT), *in_use(CPU, PARTITION, PROCESSOR, CPU_ID), *never_zero(CONTROL, "smf70mod")),
)

RECORDS = (CPU_ACTIVITY,)
