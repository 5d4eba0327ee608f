"""SMF type 89 subtype 1: CPU time of products that register for usage pricing, written by SMF once an interval.

One usage section per product, version, qualifier and id, summed over the address spaces of the system; CPU times
are floating point in 1/100 s. The layout comes from one reader of the record; fields it names on its own say so.
The section of products used together (triplet at 56) is not described, nor are later triplets.
"""

from __future__ import annotations

from imsperf.kinds import centisec, date, flags1, hfp8, opaque, text, u1, u2, u3, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.record import Interval, Record, in_use, never_zero, once, triplet

_SOURCE = "colinpaicemq/SMFFormatter, code/SMF891,"

# fmt: off

HEADER = Section("smf89_1_header", "One row per type 89.1 record: use of products in an interval", f"{BOOK}: record type 89 header and self-defining section", 64, (
    *standard_header("smf89"),
    #  +dec  name        kind  meaning
    # +24: 2 bytes not described
    F(  26, "smf89sdl",  u2,   "Length of the self-defining section", "bytes", "1src"),
    F(  28, "smf89pro",  u4,   "Offset of the product section, from the RDW", "bytes", "1src"),
    F(  32, "smf89prl",  u2,   "Length of the product section", "bytes", "1src"),
    F(  34, "smf89prn",  u2,   "Product sections, 1", "", "1src"),
    F(  36, "smf89sio",  u4,   "Offset of the system section", "bytes", "1src"),
    F(  40, "smf89sil",  u2,   "Length of the system section", "bytes", "1src"),
    F(  42, "smf89sin",  u2,   "System sections, 1", "", "1src"),
    F(  44, "smf89udo",  u4,   "Offset of the first usage section", "bytes", "1src"),
    F(  48, "smf89udl",  u2,   "Length of a usage section", "bytes", "1src"),
    F(  50, "smf89udn",  u2,   "Usage sections", "", "1src"),
    F(  52, "smf89udr",  u4,   "State sections still to come in later records", "", "1src"),
    F(  56, "smf89cno",  u4,   "Offset of the first section of products used together", "bytes", "1src"),
    F(  60, "smf89cnl",  u2,   "Length of a section of products used together", "bytes", "1src"),
    F(  62, "smf89cnn",  u2,   "Sections of products used together", "", "1src"),
))

PRODUCT = Section("smf89_1_product", "Who wrote the record and for which interval", f"{_SOURCE} product section", 62, (
    #  +dec  name              kind       meaning
    F(   0, "smf89pnm",        text(8),   "Product that wrote the record"),
    F(   8, "smf89rnm",        text(4),   "Version of the record layout"),
    F(  12, "smf89osl",        text(8),   "Level of the operating system"),
    F(  20, "smf89ist",        centisec,  "Local time the interval started"),
    F(  24, "smf89isd",        date,      "Local date the interval started"),
    F(  28, "smf89iet",        centisec,  "Local time the interval ended"),
    F(  32, "smf89ied",        date,      "Local date the interval ended"),
    F(  36, "smf89pfl",        flags1,    "Flags of the record"),
    # +37: 3 bytes not described
    F(  40, "smf89hof",        opaque(8), "Clock offset of the hypervisor, a signed TOD"),
    F(  48, "smf89dto",        opaque(8), "Local time minus GMT, a signed TOD"),
    F(  56, "smf89core_cp",    u2,        "CP cores; the source has no name for it"),
    F(  58, "smf89core_zaap",  u2,        "zAAP cores; the source has no name for it"),
    F(  60, "smf89core_ziip",  u2,        "zIIP cores; the source has no name for it"),
), "1src")

SYSTEM = Section("smf89_1_system", "The system and machine the products ran on", f"{_SOURCE} system id section", 206, (
    #  +dec  name                kind        meaning
    F(   0, "smf89syn",          text(8),    "System name"),
    F(   8, "smf89ust",          centisec,   "Local time use began to be counted"),
    F(  12, "smf89usd",          date,       "Local date use began to be counted"),
    F(  16, "smf89uet",          centisec,   "Local time use ceased to be counted"),
    F(  20, "smf89ued",          date,       "Local date use ceased to be counted"),
    # +24: 8 bytes not described
    F(  32, "smf89cmn",          u2,         "CPU model number, read as hex digits"),
    F(  34, "smf89cvn",          u1,         "CPU version"),
    F(  35, "smf89lpi",          u1,         "Whether the system runs in a partition"),
    F(  36, "smf89ser",          u3,         "CPU serial number, read as hex digits"),
    F(  39, "smf89llp3",         u1,         "Partition id"),
    F(  40, "smf89rpp",          u4,         "Relative processor power"),
    F(  44, "smf89spn",          text(8),    "Sysplex name"),
    F(  52, "smf89cpt",          text(6),    "Machine type"),
    F(  58, "smf89cpm",          text(3),    "Machine model"),
    F(  61, "smf89cps",          text(12),   "Machine serial number"),
    F(  73, "smf89sif",          flags1,     "Flags of the system"),
    # +74: 2 bytes not described
    F(  76, "smf89mnf",          text(16),   "Maker of the machine"),
    F(  92, "smf89tid",          text(4),    "Machine type as the Store System Information instruction gives it"),
    F(  96, "smf89mdl",          text(16),   "Machine model as the Store System Information instruction gives it"),
    F( 112, "smf89sqc",          text(16),   "Serial number of the machine"),
    F( 128, "smf89pom",          text(4),    "Plant the machine was made in"),
    F( 132, "smf89cpc",          u4,         "CPU capability"),
    F( 136, "smf89ccc",          u2,         "CPUs configured", "processors"),
    F( 138, "smf89scc",          u2,         "CPUs in standby", "processors"),
    F( 140, "smf89maf",          opaque(30), "Multiprocessing factors, two bytes each"),
    F( 170, "smf89lpn",          text(8),    "Partition name"),
    F( 178, "smf89cap_cha_cnt",  u2,         "Times the capacity changed; the source has no name for it"),
    F( 180, "smf89cpu_adj_act",  u4,         "CPU adjustment factor in effect; the source has no name for it"),
    F( 184, "smf89cpu_adj_nom",  u4,         "CPU adjustment factor at nominal capacity; the source has no name for it"),
    F( 188, "smf89cpu_sca_fac",  u4,         "CPU scaling factor; the source has no name for it"),
    F( 192, "smf89cap_adj_ind",  u1,         "How far the capacity is reduced, as a level; the source has no name for it"),
    F( 193, "smf89cap_cha_rea",  u1,         "Why the capacity changed; the source has no name for it"),
    F( 194, "smf89cap_flags",    flags1,     "Flags about capacity; the source has no name for it"),
    # +195: 1 byte not described
    F( 196, "smf89znf",          u4,         "zAAP speed compared with a CP, times 256", "1/256"),
    F( 200, "smf89snf",          u4,         "zIIP speed compared with a CP, times 256", "1/256"),
    F( 204, "smf89seq",          u2,         "Number of the record in its interval"),
), "1src")

USAGE = Section("smf89_1_usage", "Use of one registered product", f"{_SOURCE} usage data section", 100, (
    #  +dec  name                kind       meaning
    F(   0, "smf89upo",          text(16),  "Owner of the product"),
    F(  16, "smf89upn",          text(16),  "Product"),
    F(  32, "smf89upv",          text(8),   "Version of the product"),
    F(  40, "smf89upq",          text(8),   "Qualifier of the product"),
    F(  48, "smf89upi",          text(8),   "Product id"),
    F(  56, "smf89uct",          hfp8,      "CPU time of the product under TCBs", "1/100 s"),
    F(  64, "smf89usr",          hfp8,      "CPU time of the product under SRBs", "1/100 s"),
    F(  72, "smf89ufg",          flags1,    "Flags of the product"),
    F(  73, "smf89uf2",          flags1,    "More flags of the product"),
    F(  74, "smf89boost",        flags1,    "Which boosts were on; the source has no name for it"),
    F(  75, "smf89urt",          u1,        "Form of smf89urd"),
    F(  76, "smf89urd",          opaque(8), "What the product measured of itself"),
    F(  84, "smf89utz",          hfp8,      "CPU time of the product on zIIPs", "1/100 s"),
    F(  92, "smf89countastrad",  u4,        "Address spaces outside of tenant resource groups; the source has no name for it"),
    F(  96, "smf89countastrg",   u4,        "Address spaces in tenant resource groups; the source has no name for it"),
), "1src")

PRODUCT_USE = Record(
    89, 1, "Use of products", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, SYSTEM),
        triplet(44, USAGE),
    ),
    interval=Interval(PRODUCT, date="smf89isd", start="smf89ist"),
    evidence=(once(PRODUCT), once(SYSTEM), *in_use(USAGE), *never_zero(SYSTEM, "smf89syn")),
)

RECORDS = (PRODUCT_USE,)
