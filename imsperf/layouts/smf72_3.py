"""SMF type 72 subtype 3: what the work of a service or report class did, written by RMF once an interval.

One record holds one class: its policy and group, its periods, and per period the response times and the states
of work managers (CICS, IMS). Other sections belong to a period by index and not by place: r723crtx counts from 0,
where 0 is none; that r723cwmx and r723rdnx count from 1 is assumed. Delay names may serve several states: join them by r723rdnx then.

A report class (bit 0 of r723mscf) repeats work that a service class record holds already: never add the two.
WLM samples divide by r723mtv or, for the percentages of a report, by r723ctsa; velocity is ctou / (ctou + ctot).
The 14 numbers of a distribution are a map and buckets around r723rtdm; they exist only for response time goals.
"""

from __future__ import annotations

from imsperf.kinds import array, flags1, opaque, text, tod, u1, u2, u3, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.layouts.smf72_3_period import PERIOD
from imsperf.record import Index, Interval, Record, never_zero, triplet

_SOURCE = f"{BOOK}: record type 72 subtype 3,"

# fmt: off

HEADER = rmf_header("smf72_3_header", "One row per type 72.3 record: one service or report class in an interval", (
    #  +dec  name        kind meaning
    F(  36, "smf72wms",  u4,  "Offset of the workload manager control section", "bytes"),
    F(  40, "smf72wml",  u2,  "Length of the workload manager control section", "bytes"),
    F(  42, "smf72wmn",  u2,  "Workload manager control sections"),
    F(  44, "smf72sss",  u4,  "Offset of the first served section", "bytes"),
    F(  48, "smf72ssl",  u2,  "Length of a served section", "bytes"),
    F(  50, "smf72ssn",  u2,  "Served sections"),
    F(  52, "smf72rgs",  u4,  "Offset of the resource group section", "bytes"),
    F(  56, "smf72rgl",  u2,  "Length of the resource group section", "bytes"),
    F(  58, "smf72rgn",  u2,  "Resource group sections"),
    F(  60, "smf72scs",  u4,  "Offset of the first class period section", "bytes"),
    F(  64, "smf72scl",  u2,  "Length of a class period section", "bytes"),
    F(  66, "smf72scn",  u2,  "Class period sections"),
    F(  68, "smf72rts",  u4,  "Offset of the first response time distribution section", "bytes"),
    F(  72, "smf72rtl",  u2,  "Length of a response time distribution section", "bytes"),
    F(  74, "smf72rtn",  u2,  "Response time distribution sections"),
    F(  76, "smf72wrs",  u4,  "Offset of the first work and resource manager state section", "bytes"),
    F(  80, "smf72wrl",  u2,  "Length of a work and resource manager state section", "bytes"),
    F(  82, "smf72wrn",  u2,  "Work and resource manager state sections"),
    F(  84, "smf72dns",  u4,  "Offset of the first resource delay name section", "bytes"),
    F(  88, "smf72dnl",  u2,  "Length of a resource delay name section", "bytes"),
    F(  90, "smf72dnn",  u2,  "Resource delay name sections"),
))

PRODUCT = product("smf72_3_product")

CONTROL = Section("smf72_3_control", "The policy, the workload and the class, one row per record", f"{_SOURCE} workload manager control section (R723WMS)", 280, (
    #  +dec  name                      kind       meaning
    F(   0, "r723mscf",                flags1,    "Flags: bit 0 report class, 3 I/O delays count in the velocity, 4 CPU protection"),
    F(   1, "r723mflg",                flags1,    "Flags: bit 1 zAAP work may run on CPs, 2 zIIP work may, 4 this class may not, 5 tenant report class"),
    F(   2, "r723mfl2",                flags1,    "Flags: bit 0 a zAAP is online in the sysplex"),
    F(   3, "r723mrs2",                u1,        "Reserved"),
    F(   4, "r723mnsp",                text(8),   "Active service policy"),
    F(  12, "r723mdsp",                text(32),  "What the policy is for"),
    F(  44, "r723mtpa",                tod,       "Local time the policy was activated"),
    F(  52, "r723mcpu",                u4,        "CPU service coefficient, times 10000"),
    F(  56, "r723mioc",                u4,        "I/O service coefficient, times 10000"),
    F(  60, "r723mmso",                u4,        "Storage service coefficient, times 10000"),
    F(  64, "r723msrb",                u4,        "SRB service coefficient, times 10000"),
    F(  68, "r723mtvl",                u4,        "Time from one WLM sample to the next", "ms"),
    F(  72, "r723mtv",                 u4,        "Samples WLM took in the interval", "samples"),
    F(  76, "r723mopt",                text(2),   "Suffix of the IEAOPT member"),
    F(  78, "r723mrs3",                u2,        "Reserved"),
    F(  80, "r723mwnm",                text(8),   "Workload"),
    F(  88, "r723mwde",                text(32),  "What the workload is"),
    F( 120, "r723mcnm",                text(8),   "Service class, or report class where bit 0 of r723mscf is on"),
    F( 128, "r723mcde",                text(32),  "What the class is for"),
    F( 160, "r723mcpg",                u2,        "Periods of the class"),
    F( 162, "r723msub",                u1,        "State sections a period has"),
    F( 163, "r723mrs4",                u3,        "Reserved"),
    F( 166, "r723merf",                opaque(6), "Coefficient of the enqueue residence value; its coding is not described"),
    F( 172, "r723madj",                u4,        "CPU rate adjustment: 16000000 divided by it gives service units per second"),
    F( 176, "r723midn",                text(8),   "Service definition"),
    F( 184, "r723midd",                text(32),  "What the service definition is for"),
    F( 216, "r723mtdi",                tod,       "Local time the service definition was installed"),
    F( 224, "r723midu",                text(8),   "Who installed the service definition"),
    F( 232, "r723clsc",                text(8),   "Report class only: service class that added to it last"),
    F( 240, "r723nffi",                u4,        "Speed of a zAAP against a CP", "1/256"),
    F( 244, "r723nffs",                u4,        "Speed of a zIIP against a CP", "1/256"),
    F( 248, "r723nadj",                u4,        "CPU rate adjustment at nominal speed"),
    F( 252, "r723ceca",                u4,        "CPU rate adjustment of the whole machine"),
    F( 256, "r723mcf",                 u4,        "CP capacity at full multithreading against one thread", "1/1024"),
    F( 260, "r723mcfs",                u4,        "zIIP capacity at full multithreading against one thread", "1/1024"),
    F( 264, "r723mcfi",                u4,        "zAAP capacity at full multithreading against one thread", "1/1024"),
    F( 268, "r723cpa_actual",          u4,        "CPU adjustment of the physical machine, scaled by the next field"),
    F( 272, "r723cpa_scaling_factor",  u4,        "What r723cpa_actual is divided by"),
    F( 276, "r723cpa_actual_zcbp",     u4,        "Kept for later use"),
))

SERVED = Section("smf72_3_served", "One service class that the address spaces of this class served", f"{_SOURCE} service class served section (R723SSS)", 12, (
    #  +dec  name        kind     meaning
    F(   0, "r723scsn",  text(8), "Service class whose transactions were served"),
    F(   8, "r723scs",   u4,      "Times an address space was seen serving that class", "samples"),
))

RESOURCE_GROUP = Section("smf72_3_resource_group", "The resource group of the class", f"{_SOURCE} resource group section (R723RGS)", 160, (
    #  +dec  name        kind      meaning
    F(   0, "r723ggnm",  text(8),  "Resource group"),
    F(   8, "r723ggde",  text(32), "What the group is for"),
    F(  40, "r723gglt",  flags1,   "Flags: bit 0 maximum set, 1 minimum set, 2 in % of the partition, 3 in % of a CP, 4 memory limit set, 5 in MSU/h"),
    F(  41, "r723ggtf",  flags1,   "Flags: bit 0 tenant resource group"),
    F(  42, "r723grs2",  u2,       "Reserved"),
    F(  44, "r723ggmn",  u4,       "Least capacity; r723gglt gives its unit"),
    F(  48, "r723ggmx",  u4,       "Most capacity; r723gglt gives its unit"),
    F(  52, "r723ggml",  u4,       "Memory limit in GB, where bit 4 of r723gglt is on"),
    F(  56, "r723ggti",  text(8),  "Tenant id"),
    F(  64, "r723ggtn",  text(32), "Tenant name"),
    F(  96, "r723ggky",  text(64), "Solution id"),
))

RESPONSE = Section("smf72_3_response", "Distribution of the response times of one period", f"{_SOURCE} response time distribution section (R723RTS)", 56, (
    #  +dec  name        kind           meaning
    F(   0, "r723trdb",  array(u4, 14), "Map of the buckets, then ended transactions in each of them", "transactions"),
), "1src")

STATE = Section("smf72_3_state", "States of transactions that a work manager saw, in one phase of one period", f"{_SOURCE} work/resource manager state section (R723WRS)", 172, (
    #  +dec  name             kind           meaning
    F(   0, "r723rtyp",       text(4),       "Subsystem type: CICS, IMS"),
    F(   4, "r723rflg",       flags1,        "Phase: bit 0 begin to end, 1 execution"),
    F(   5, "r723rrs2",       u3,            "Reserved"),
    F(   8, "r723ress",       u4,            "Samples in any state", "samples"),
    F(  12, "r723ract",       u4,            "Samples active in the subsystem", "samples"),
    F(  16, "r723rrdy",       u4,            "Samples ready to run", "samples"),
    F(  20, "r723ridl",       u4,            "Samples idle", "samples"),
    F(  24, "r723rwlo",       u4,            "Samples waiting for a lock", "samples"),
    F(  28, "r723rwio",       u4,            "Samples waiting for I/O", "samples"),
    F(  32, "r723rwco",       u4,            "Samples waiting for a conversation", "samples"),
    F(  36, "r723rwds",       u4,            "Samples waiting for a distributed request", "samples"),
    F(  40, "r723rwsl",       u4,            "Samples waiting for a session on this system", "samples"),
    F(  44, "r723rwsn",       u4,            "Samples waiting for a session in the network", "samples"),
    F(  48, "r723rwss",       u4,            "Samples waiting for a session in the sysplex", "samples"),
    F(  52, "r723rwtm",       u4,            "Samples waiting for a timer", "samples"),
    F(  56, "r723rwo",        u4,            "Samples waiting for another product", "samples"),
    F(  60, "r723rwms",       u4,            "Samples waiting for something not named", "samples"),
    F(  64, "r723rssl",       u4,            "Samples of work that went on elsewhere on this system", "samples"),
    F(  68, "r723rsss",       u4,            "Samples of work that went on elsewhere in the sysplex", "samples"),
    F(  72, "r723rssn",       u4,            "Samples of work that went on elsewhere in the network", "samples"),
    F(  76, "r723rwst",       u4,            "Samples waiting for an SSL thread", "samples"),
    F(  80, "r723rwrt",       u4,            "Samples waiting for a regular thread", "samples"),
    F(  84, "r723rwwr",       u4,            "Samples waiting to be entered in a work table", "samples"),
    F(  88, "r723rapp",       u4,            "Samples active in the application", "samples"),
    F(  92, "r723rwnl",       u4,            "Samples waiting for a new latch", "samples"),
    F(  96, "r723rw01_rw15",  array(u4, 15), "Samples waiting for resource 1 to 15; the delay names say which it is", "samples"),
    F( 156, "r723rbpm",       u4,            "Samples with I/O after a miss in the buffer pool", "samples"),
    F( 160, "r723rdnx",       u2,            "First delay name of this subsystem type, counted from 1"),
    F( 162, "r723rdnn",       u2,            "Delay names of this subsystem type"),
    F( 164, "r723rrs3",       opaque(8),     "Reserved"),
))

DELAY_NAME = Section("smf72_3_delay_name", "What one of the numbered resources of a subsystem type is", f"{_SOURCE} resource delay name section (R723DNS)", 24, (
    #  +dec  name        kind      meaning
    F(   0, "r723dnst",  text(4),  "Subsystem type the name belongs to"),
    F(   4, "r723dnnu",  u2,       "Resource number, 1 to 15: place in r723rw01_rw15"),
    F(   6, "r723dnde",  text(16), "What the resource is"),
    F(  22, "r723rrs4",  u2,       "Reserved"),
))

WORKLOAD_ACTIVITY = Record(
    72, 3, "Workload activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(44, SERVED),
        triplet(52, RESOURCE_GROUP),
        triplet(60, PERIOD),
        triplet(68, RESPONSE),
        triplet(76, STATE),
        triplet(84, DELAY_NAME),
    ),
    interval=Interval(PRODUCT, system="smf72snm", date="smf72dat", start="smf72ist", length="smf72int"),
    indexes=(
        Index(PERIOD, RESPONSE, first="r723crtx", base=0, none=0),
        Index(PERIOD, STATE, first="r723cwmx", number="r723cwmn"),
        Index(STATE, DELAY_NAME, first="r723rdnx", number="r723rdnn"),
    ),
    evidence=(*rmf_evidence(PRODUCT), *never_zero(CONTROL, "r723mnsp", "r723mwnm", "r723mcnm")),
)

RECORDS = (WORKLOAD_ACTIVITY,)
