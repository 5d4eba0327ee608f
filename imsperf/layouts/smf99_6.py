"""SMF type 99 subtype 6: service class periods as WLM saw them, written every policy interval of about 10 s.

The data section holds the triplet of the period sections, a period that of its server sections; all offsets count
from the RDW. That the self-defining section stands at 28 is inferred from other records of this form.
"""

from __future__ import annotations

from imsperf.kinds import flags1, flags4, s4, text, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.record import Record, in_use, never_zero, once, triplet

_SOURCE = f"{BOOK}: record type 99 subtype 6,"

# fmt: off

HEADER = Section("smf99_6_header", "One row per type 99.6 record: what WLM knew of each period", f"{_SOURCE} header and self-defining section", 44, (
    *standard_header("smf99"),
    #  +dec  name              kind  meaning
    F(  24, "smf99_sdef_len",  u4,   "Length of the self-defining section", "bytes", "1src"),
    F(  28, "smf99pof",        u4,   "Offset of the product section, from the RDW", "bytes", "inferred"),
    F(  32, "smf99pln",        u2,   "Length of the product section", "bytes", "inferred"),
    F(  34, "smf99pon",        u2,   "Product sections, 1", "", "inferred"),
    F(  36, "smf99dof",        u4,   "Offset of the data section", "bytes", "inferred"),
    F(  40, "smf99dln",        u2,   "Length of the data section", "bytes", "inferred"),
    F(  42, "smf99don",        u2,   "Data sections", "", "inferred"),
))

PRODUCT = Section("smf99_6_product", "Who wrote the record", f"{_SOURCE} product section", 32, (
    #  +dec  name         kind     meaning
    F(   0, "smf99vn2",   u2,      "Second part of the record version"),
    F(   2, "smf99rvn",   text(2), "Version of the record layout"),
    F(   4, "smf99pnm",   text(8), "Product that wrote the record, SRM"),
    F(  12, "smf99slv",   text(8), "Level of the operating system"),
    F(  20, "smf99snm",   text(8), "System name"),
    F(  28, "smf99pflg",  flags4,  "Bit 0 the record is not complete, bit 1 it goes on in later records"),
), "1src")

DATA = Section("smf99_6_data", "Where the period sections are", f"{_SOURCE} data section", 8, (
    #  +dec  name          kind  meaning
    F(   0, "smf996cpof",  u4,   "Offset of the first period section, from the RDW", "bytes"),
    F(   4, "smf996cpln",  u2,   "Length of a period section", "bytes"),
    F(   6, "smf996cpon",  u2,   "Period sections"),
), "1src")

PERIOD = Section("smf99_6_period", "Goal, performance index and controls of one service class period", f"{_SOURCE} period section", 92, (
    #  +dec  name                        kind     meaning
    F(   0, "smf996_eclass_name",        text(8), "Service class"),
    F(   8, "smf996_per_num",            u2,      "Period number"),
    F(  10, "smf996_goaltype",           u1,      "Goal: 0 system or server, 1 short response time, 2 long response time, 3 velocity, 4 discretionary"),
    F(  11, "smf996_percentile",         u1,      "Percentile of the goal", "%"),
    F(  12, "smf996_iclass_name",        text(8), "Internal name of the class"),
    F(  20, "smf996_goalval",            u4,      "Goal: milliseconds or velocity"),
    F(  24, "smf996_impor",              u2,      "Importance"),
    F(  26, "smf996_dp",                 u1,      "Dispatching priority from now on"),
    F(  27, "smf996_iodp",               u1,      "I/O priority from now on"),
    F(  28, "smf996_mpli",               u2,      "Lower limit of the multiprogramming level"),
    F(  30, "smf996_mplo",               u2,      "Upper limit of the multiprogramming level"),
    F(  32, "smf996_rua",                s4,      "Address spaces ready, average times 16", "1/16"),
    F(  36, "smf996_pspt",               u4,      "Time an address space is kept from being swapped", "1024 us"),
    F(  40, "smf996_psitar",             s4,      "Storage isolation target", "frames"),
    F(  44, "smf996_local_pi",           u4,      "Performance index on this system, times 100"),
    F(  48, "smf996_sysplex_pi",         u4,      "Performance index in the sysplex, times 100"),
    F(  52, "smf996_server_data_of",     u4,      "Offset of the first server section, from the RDW; 0 if none", "bytes"),
    F(  56, "smf996_server_data_ln",     u2,      "Length of a server section", "bytes"),
    F(  58, "smf996_server_data_on",     u2,      "Server sections"),
    F(  60, "smf996_pserv",              s4,      "Service in the interval", "service units"),
    F(  64, "smf996_piserv",             s4,      "Service on zAAPs in the interval", "service units"),
    F(  68, "smf996_psserv",             s4,      "Service on zIIPs in the interval", "service units"),
    F(  72, "smf996_time_at_pdp_using",  s4,      "Samples that found work at a raised priority on a CPU", "samples"),
    F(  76, "smf996_time_at_pdp",        s4,      "Samples that found work at a raised priority", "samples"),
    F(  80, "smf996_flags",              flags1,  "Bit 0 managed by EWLM, 1 high I/O priority group, 2 CPs do not help zIIPs"),
    # +81: 3 bytes not described
    F(  84, "smf996_ewlm_local_pi",      s4,      "Performance index of EWLM on this system"),
    F(  88, "smf996_ewlm_global_pi",     s4,      "Performance index of EWLM over all systems"),
), "1src")

SERVER = Section("smf99_6_server", "A period that a server address space belonged to", f"{_SOURCE} server section", 12, (
    #  +dec  name                          kind     meaning
    F(   0, "smf99_s6_server_class_name",  text(8), "Service class the server was classified to at first"),
    F(   8, "smf99_s6_server_per_num",     u4,      "Period number in that class"),
), "1src")

PERIOD_SUMMARY = Record(
    99, 6, "Service class periods as WLM saw them", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, DATA),
        triplet(0, PERIOD, inside=DATA),
        triplet(52, SERVER, inside=PERIOD),
    ),
    evidence=(once(PRODUCT), *never_zero(PRODUCT, "smf99pnm", "smf99snm"), *in_use(PERIOD)),
)

RECORDS = (PERIOD_SUMMARY,)
