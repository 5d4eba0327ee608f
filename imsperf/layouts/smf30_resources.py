"""Type 30: storage, paging, WLM service.

The 32-bit service counters wrap: take the copies that end in _l. Transaction times count 1024 us.
"""

from __future__ import annotations

from imsperf.kinds import flags1, text, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK

_SOURCE = f"{BOOK}: record type 30,"

# fmt: off

STORAGE = Section("smf30_storage", "Storage and paging of the address space", f"{_SOURCE} storage and paging section (SMF30SAP)", 244, (
    #  +dec  name             kind    meaning
    # +0: 2 bytes not described
    F(   2, "smf30sfl",       flags1, "Flags about storage"),
    F(   3, "smf30spk",       u1,     "Storage protect key, in the left four bits"),
    F(   4, "smf30prv",       u2,     "Private area below 16 MB used at most", "KB"),
    F(   6, "smf30sys",       u2,     "LSQA and SWA below 16 MB used", "KB"),
    F(   8, "smf30pgi",       u4,     "Pages read from auxiliary storage", "pages"),
    F(  12, "smf30pgo",       u4,     "Pages written to auxiliary storage", "pages"),
    F(  16, "smf30cpm",       u4,     "Hiperspace reads that did not find the page"),
    F(  20, "smf30nsw",       u4,     "Times the address space was swapped out and in"),
    F(  24, "smf30psi",       u4,     "Pages swapped in", "pages"),
    F(  28, "smf30pso",       u4,     "Pages swapped out", "pages"),
    F(  32, "smf30vpi",       u4,     "VIO pages read", "pages"),
    F(  36, "smf30vpo",       u4,     "VIO pages written", "pages"),
    F(  40, "smf30vpr",       u4,     "VIO pages reclaimed", "pages"),
    F(  44, "smf30cpi",       u4,     "Common area pages read", "pages"),
    F(  48, "smf30hpi",       u4,     "Hiperspace pages read", "pages"),
    F(  52, "smf30lpi",       u4,     "LPA pages read", "pages"),
    F(  56, "smf30hpo",       u4,     "Hiperspace pages written", "pages"),
    F(  60, "smf30pst",       u4,     "Pages stolen from the address space", "pages"),
    F(  64, "smf30psc",       u8,     "Pages held times how long: one page for one unit of time", "1024 us"),
    F(  72, "smf30rgb",       u4,     "Limit of the private area below 16 MB", "bytes"),
    F(  76, "smf30erg",       u4,     "Limit of the private area above 16 MB", "bytes"),
    F(  80, "smf30arb",       u4,     "LSQA and SWA below 16 MB, highest", "bytes"),
    F(  84, "smf30ear",       u4,     "LSQA and SWA above 16 MB, highest", "bytes"),
    F(  88, "smf30urb",       u4,     "User subpools below 16 MB, highest", "bytes"),
    F(  92, "smf30eur",       u4,     "User subpools above 16 MB, highest", "bytes"),
    F(  96, "smf30rgn",       u4,     "Region size asked for", "KB"),
    F( 100, "smf30dsv",       u4,     "Virtual storage of data spaces and hiperspaces, highest", "MB"),
    # +104: 40 bytes not described
    F( 144, "smf30psf",       u8,     "A total of pages times how long; meaning not verified"),
    # +152: 8 bytes not described
    F( 160, "smf30ers",       u8,     "Stay in expanded storage; meaning taken from the name"),
    F( 168, "smf30mem",       u8,     "MEMLIMIT in effect", "MB"),
    F( 176, "smf30mes",       u1,     "Where the MEMLIMIT comes from"),
    F( 177, "smf30slm",       flags1, "Flags about storage limits"),
    F( 178, "smf30raxflags",  flags1, "Flags from the RAX, the address space control block of RSM"),
    # +179: 5 bytes not described
    F( 184, "smf30hvr",       u8,     "Real storage behind high virtual storage; meaning taken from the name"),
    F( 192, "smf30hva",       u8,     "Auxiliary storage behind high virtual storage; meaning taken from the name"),
    F( 200, "smf30hvo",       u8,     "High virtual private storage held; meaning taken from the name", "bytes"),
    F( 208, "smf30hvh",       u8,     "High virtual private storage, highest; meaning taken from the name", "bytes"),
    F( 216, "smf30hso",       u8,     "High virtual shared storage held; meaning taken from the name", "bytes"),
    F( 224, "smf30hsh",       u8,     "High virtual shared storage, highest; meaning taken from the name", "bytes"),
    F( 232, "smf30tih",       u4,     "A counter; meaning not verified"),
    F( 236, "smf30tiu",       u4,     "A counter; meaning not verified"),
    F( 240, "smf30tis",       u4,     "A counter; meaning not verified"),
), "1src")

PERFORMANCE = Section("smf30_performance", "WLM classes, service and transaction times", f"{_SOURCE} performance section (SMF30PRF)", 216, (
    #  +dec  name                             kind      meaning
    F(   0, "smf30srv",                       u4,       "Service of all kinds; wraps at 32 bits, see smf30srv_l", "service units"),
    F(   4, "smf30csu",                       u4,       "CPU service; wraps, see smf30csu_l", "service units"),
    F(   8, "smf30srb",                       u4,       "SRB service; wraps, see smf30srb_l", "service units"),
    F(  12, "smf30io",                        u4,       "I/O service; wraps, see smf30io_l", "service units"),
    F(  16, "smf30mso",                       u4,       "Storage service; wraps, see smf30mso_l", "service units"),
    F(  20, "smf30tat",                       u4,       "Time transactions were active", "1024 us"),
    F(  24, "smf30sus",                       u4,       "Microseconds of CPU for one service unit, times 16", "1/16"),
    F(  28, "smf30res",                       u4,       "Time transactions were in storage", "1024 us"),
    F(  32, "smf30trs",                       u4,       "Transactions", "transactions"),
    F(  36, "smf30wlm",                       text(8),  "Workload"),
    F(  44, "smf30scn",                       text(8),  "Service class"),
    F(  52, "smf30grn",                       text(8),  "Resource group"),
    F(  60, "smf30rcn",                       text(8),  "Report class"),
    F(  68, "smf30eta",                       u4,       "Time transactions of independent enclaves were active", "1024 us"),
    F(  72, "smf30esu",                       u4,       "CPU service of independent enclaves", "service units"),
    F(  76, "smf30etc",                       u4,       "Transactions of independent enclaves", "transactions"),
    F(  80, "smf30pfl",                       text(16), "Scheduling environment"),
    F(  96, "smf30jqt",                       u4,       "Time JCL conversion took", "1024 us"),
    F( 100, "smf30rqt",                       u4,       "Time the job waited for a resource it has affinity to", "1024 us"),
    F( 104, "smf30hqt",                       u4,       "Time the job was held", "1024 us"),
    F( 108, "smf30sqt",                       u4,       "Time the job was ready and waited for an initiator", "1024 us"),
    F( 112, "smf30pf1",                       flags1,   "Performance flags"),
    F( 113, "smf30pf2",                       flags1,   "More performance flags"),
    F( 114, "smf30inv",                       flags1,   "Which fields of this section are not valid", "", "1src"),
    # +115: 1 byte not described
    F( 116, "smf30jpn",                       text(8),  "Subsystem collection name"),
    F( 124, "smf30msc",                       u4,       "Storage service coefficient, scaled; by 1000 according to one source"),
    F( 128, "smf30cpc",                       u2,       "CPU service coefficient times 10"),
    F( 130, "smf30loc",                       u2,       "I/O service coefficient times 10"),
    F( 132, "smf30src",                       u2,       "SRB service coefficient times 10"),
    F( 134, "smf30znf",                       u2,       "zAAP speed compared with a CP, times 256", "1/256"),
    F( 136, "smf30snf",                       u2,       "zIIP speed compared with a CP, times 256", "1/256"),
    # +138: 6 bytes not described
    F( 144, "smf30srv_l",                     u8,       "Service of all kinds, 64 bits", "service units"),
    F( 152, "smf30csu_l",                     u8,       "CPU service, 64 bits", "service units"),
    F( 160, "smf30srb_l",                     u8,       "SRB service, 64 bits", "service units"),
    F( 168, "smf30io_l",                      u8,       "I/O service, 64 bits", "service units"),
    F( 176, "smf30mso_l",                     u8,       "Storage service, 64 bits", "service units"),
    F( 184, "smf30esu_l",                     u8,       "CPU service of independent enclaves, 64 bits", "service units"),
    F( 192, "smf30acb",                       flags1,   "Flags; their use is not verified", "", "1src"),
    # +193: 15 bytes not described
    F( 208, "smf30_capacity_adjustment_ind",  u1,       "How far the processor's capacity is reduced, as a level", "", "1src"),
    F( 209, "smf30_capacity_change_rsn",      u1,       "Why the capacity changed", "", "1src"),
    # +210: 2 bytes not described
    F( 212, "smf30_rmctadjn_nominal",         u4,       "CPU rate adjustment of the processor at its nominal capacity", "", "1src"),
))
