"""Type 30: what the hardware counts for an address space: instructions, compression, crypto, neural networks.

A crypto or NNPI section holds one counter; the counters are named by equates of macro IFASMFCN.
"""

from __future__ import annotations

from imsperf.kinds import flags1, u2, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK

_SOURCE = f"{BOOK}: record type 30,"

# fmt: off

COUNTER = Section("smf30_counter", "Instructions executed, by what they were executed for", f"{_SOURCE} counter data section", 96, (
    #  +dec  name                              kind    meaning
    F(   0, "smf30_instflgs1",                 flags1, "Bit 0 counting was disturbed, bit 1 counts of enclaves are not complete"),
    # +1: 7 bytes not described
    F(   8, "smf30_inst_cp_task",              u8,     "Instructions on CPs under tasks, no enclave"),
    F(  16, "smf30_inst_cp_nonpreemptsrb",     u8,     "Instructions on CPs under SRBs that cannot be preempted"),
    F(  24, "smf30_inst_cp_preemptsrb",        u8,     "Instructions on CPs under preemptable and client SRBs"),
    F(  32, "smf30_inst_offload",              u8,     "Instructions on zIIPs, no enclave"),
    F(  40, "smf30_inst_offloadoncp",          u8,     "zIIP-eligible instructions on CPs, no enclave"),
    F(  48, "smf30_inst_cp_enclave",           u8,     "Instructions on CPs in independent enclaves"),
    F(  56, "smf30_inst_offload_enclave",      u8,     "Instructions on zIIPs in independent enclaves"),
    F(  64, "smf30_inst_offloadoncp_enclave",  u8,     "zIIP-eligible instructions on CPs in independent enclaves"),
    F(  72, "smf30_inst_cp_depenc",            u8,     "Instructions on CPs in dependent enclaves"),
    F(  80, "smf30_inst_offload_depenc",       u8,     "Instructions on zIIPs in dependent enclaves"),
    F(  88, "smf30_inst_offloadoncp_depenc",   u8,     "zIIP-eligible instructions on CPs in dependent enclaves"),
), "1src")

ZEDC = Section("smf30_zedc", "Compression with zEnterprise Data Compression", f"{_SOURCE} zEDC usage statistics section", 64, (
    #  +dec  name                       kind  meaning
    F(   0, "smf30_us_comprreq",        u8,   "Requests to compress or decompress", "requests"),
    F(   8, "smf30_us_comprreq_prob",   u8,   "Of these, requests of callers in problem state", "requests"),
    F(  16, "smf30_us_queuetime",       u8,   "Time requests were queued", "us"),
    F(  24, "smf30_us_exectime",        u8,   "Time requests were carried out", "us"),
    F(  32, "smf30_us_def_uncomprin",   u8,   "Data given to be compressed", "bytes"),
    F(  40, "smf30_us_def_comprout",    u8,   "Data that came out compressed", "bytes"),
    F(  48, "smf30_us_inf_comprin",     u8,   "Data given to be decompressed", "bytes"),
    F(  56, "smf30_us_inf_decomprout",  u8,   "Data that came out decompressed", "bytes"),
), "1src")

CRYPTO = Section("smf30_crypto", "Cryptographic instructions of one kind", f"{_SOURCE} crypto counters section", 10, (
    #  +dec  name                       kind  meaning
    F(   0, "smf30_crypctrs_entry_id",  u2,   "Which counter, by the SMF_CrypCtrs equates of macro IFASMFCN"),
    F(   2, "smf30_crypctrs_count",     u8,   "Instructions it counted"),
), "1src")

NNPI = Section("smf30_nnpi", "Neural network instructions (NNPI) of one kind", f"{_SOURCE} NNPI counters section", 10, (
    #  +dec  name                       kind  meaning
    F(   0, "smf30_nnpictrs_entry_id",  u2,   "Which counter, by the SMF_NNPICtrs equates of macro IFASMFCN"),
    F(   2, "smf30_nnpictrs_count",     u8,   "Instructions it counted"),
), "1src")
