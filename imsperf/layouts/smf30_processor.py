"""Type 30: CPU time.

Times count 1/100 s and are cut, not rounded; those at a promoted priority count 1024 us. smf30tfl and its three
continuations say which times are not valid. An enclave's time counts for the address space that owns it.
"""

from __future__ import annotations

from imsperf.kinds import centisec, date, flags1, flags2, text, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK

_SOURCE = f"{BOOK}: record type 30,"

# fmt: off

PROCESSOR = Section("smf30_processor", "CPU time of the address space by what it was spent on", f"{_SOURCE} processor accounting section (SMF30CAS)", 216, (
    #  +dec  name                                kind      meaning
    # +0: 2 bytes not described
    F(   2, "smf30tfl",                          flags2,   "Which CPU times are not valid"),
    F(   4, "smf30cpt",                          u4,       "CPU time under TCBs on general-purpose processors; zIIP time is not in it", "1/100 s"),
    F(   8, "smf30cps",                          u4,       "CPU time under SRBs", "1/100 s"),
    F(  12, "smf30icu",                          u4,       "Initiator's CPU time under TCBs", "1/100 s"),
    F(  16, "smf30isb",                          u4,       "Initiator's CPU time under SRBs", "1/100 s"),
    F(  20, "smf30jvu",                          u4,       "Vector facility use; obsolete", "1/100 s"),
    F(  24, "smf30ivu",                          u4,       "Initiator's vector facility use; obsolete", "1/100 s"),
    F(  28, "smf30jva",                          u4,       "Vector facility affinity; obsolete", "1/100 s"),
    F(  32, "smf30iva",                          u4,       "Initiator's vector facility affinity; obsolete", "1/100 s"),
    F(  36, "smf30ist",                          centisec, "Local time the interval started"),
    F(  40, "smf30idt",                          date,     "Local date the interval started"),
    F(  44, "smf30iip",                          u4,       "CPU time for I/O interrupts", "1/100 s"),
    F(  48, "smf30rct",                          u4,       "CPU time of the region control task", "1/100 s"),
    F(  52, "smf30hpt",                          u4,       "CPU time to move hiperspace pages", "1/100 s"),
    F(  56, "smf30csc",                          u4,       "Instructions of the integrated cryptographic facility"),
    F(  60, "smf30dmi",                          u4,       "Pages the data mover wrote (ADMF)", "pages"),
    F(  64, "smf30dmo",                          u4,       "Pages the data mover read (ADMF)", "pages"),
    F(  68, "smf30asr",                          u4,       "CPU time under preemptable and client SRBs", "1/100 s"),
    F(  72, "smf30enc",                          u4,       "CPU time of independent enclaves", "1/100 s"),
    F(  76, "smf30det",                          u4,       "CPU time of dependent enclaves", "1/100 s"),
    F(  80, "smf30cep",                          u4,       "CPU time at a priority raised for an enqueue; the sources do not agree on the unit", "1024 us"),
    F(  84, "smf30tf2",                          flags1,   "More of smf30tfl"),
    F(  85, "smf30t32",                          flags1,   "More of smf30tfl"),
    F(  86, "smf30t33",                          flags1,   "More of smf30tfl"),
    F(  87, "smf30_boostinfo",                   flags1,   "Which boosts were on at the end", "", "1src"),
    F(  88, "smf30_time_on_ifa",                 u4,       "CPU time on zAAPs", "1/100 s"),
    F(  92, "smf30_enclave_time_on_ifa",         u4,       "CPU time of independent enclaves on zAAPs", "1/100 s"),
    F(  96, "smf30_dep_enclave_time_on_ifa",     u4,       "CPU time of dependent enclaves on zAAPs", "1/100 s"),
    F( 100, "smf30_time_ifa_on_cp",              u4,       "zAAP-eligible CPU time spent on CPs", "1/100 s"),
    F( 104, "smf30_enclave_time_ifa_on_cp",      u4,       "zAAP-eligible CPU time of independent enclaves spent on CPs", "1/100 s"),
    F( 108, "smf30_dep_enclave_time_ifa_on_cp",  u4,       "zAAP-eligible CPU time of dependent enclaves spent on CPs", "1/100 s"),
    F( 112, "smf30cepi",                         u4,       "Initiator's CPU time at a priority raised for an enqueue", "1024 us"),
    F( 116, "smf30_time_on_ziip",                u4,       "CPU time on zIIPs, at zIIP speed: times smf30snf/256 for CP speed", "1/100 s"),
    F( 120, "smf30_enclave_time_on_ziip",        u4,       "CPU time of independent enclaves on zIIPs", "1/100 s"),
    F( 124, "smf30_depenc_time_on_ziip",         u4,       "CPU time of dependent enclaves on zIIPs", "1/100 s"),
    F( 128, "smf30_time_ziip_on_cp",             u4,       "zIIP-eligible CPU time spent on CPs", "1/100 s"),
    F( 132, "smf30_enclave_time_ziip_on_cp",     u4,       "zIIP-eligible CPU time of independent enclaves spent on CPs", "1/100 s"),
    F( 136, "smf30_depenc_time_ziip_on_cp",      u4,       "zIIP-eligible CPU time of dependent enclaves spent on CPs", "1/100 s"),
    F( 140, "smf30_enclave_time_ziip_qual",      u4,       "CPU time of independent enclaves that qualified for zIIPs", "1/100 s"),
    F( 144, "smf30_depenc_time_ziip_qual",       u4,       "CPU time of dependent enclaves that qualified for zIIPs", "1/100 s"),
    F( 148, "smf30crp",                          u4,       "CPU time at a priority raised to resolve contention", "1024 us"),
    F( 152, "smf30icu_step_term",                u4,       "Initiator's CPU time under TCBs while it ended the step before", "1/100 s"),
    F( 156, "smf30icu_step_init",                u4,       "Initiator's CPU time under TCBs while it started this step", "1/100 s"),
    F( 160, "smf30isb_step_term",                u4,       "Initiator's CPU time under SRBs while it ended the step before", "1/100 s"),
    F( 164, "smf30isb_step_init",                u4,       "Initiator's CPU time under SRBs while it started this step", "1/100 s"),
    F( 168, "smf30_missed_blk",                  u4,       "Blocks not counted; meaning taken from the name", "blocks", "1src"),
    F( 172, "smf30_missed_dct",                  u4,       "Connect time not counted; meaning taken from the name", "", "1src"),
    F( 176, "smf30_highest_task_cpu_percent",    u2,       "Share of CPU of the task that used most", "%", "1src"),
    F( 178, "smf30_highest_task_cpu_program",    text(8),  "Program of the task that used most CPU", "", "1src"),
    F( 186, "smf30cas_flag",                     flags1,   "Flags of this section", "", "1src"),
    # +187: 5 bytes not described
    F( 192, "smf30_time_java_on_ziip",           u4,       "CPU time of Java on zIIPs", "1/100 s", "1src"),
    F( 196, "smf30_enclave_time_java_on_ziip",   u4,       "CPU time of Java on zIIPs, independent enclaves", "1/100 s", "1src"),
    F( 200, "smf30_depenc_time_java_on_ziip",    u4,       "CPU time of Java on zIIPs, dependent enclaves", "1/100 s", "1src"),
    F( 204, "smf30_time_java_on_cp",             u4,       "zIIP-eligible CPU time of Java spent on CPs", "1/100 s", "1src"),
    F( 208, "smf30_enclave_time_java_on_cp",     u4,       "zIIP-eligible CPU time of Java spent on CPs, independent enclaves", "1/100 s", "1src"),
    F( 212, "smf30_depenc_time_java_on_cp",      u4,       "zIIP-eligible CPU time of Java spent on CPs, dependent enclaves", "1/100 s", "1src"),
))
