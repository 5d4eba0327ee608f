"""Type 30: work of special kinds: APPC, z/OS UNIX, products that are metered, restart, enclaves, containers.

A section stands in the record only if the address space did work of that kind. CPU times count 1/100 s; time
that enclaves used on other systems is at the speed of those (smf30mra).
"""

from __future__ import annotations

from imsperf.kinds import centisec, date, flags1, hfp8, opaque, text, u1, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK

_SOURCE = f"{BOOK}: record type 30,"

# fmt: off

APPC = Section("smf30_appc", "APPC conversations of one transaction program", f"{_SOURCE} APPC resource section", 40, (
    #  +dec  name        kind  meaning
    F(   0, "smf30dc",   u4,   "Conversations of the program, over or not"),
    F(   4, "smf30dca",  u4,   "Conversations the program allocated"),
    F(   8, "smf30dsc",  u4,   "Times the program sent"),
    F(  12, "smf30dds",  hfp8, "Data the program sent", "bytes"),
    F(  20, "smf30drc",  u4,   "Times the program received"),
    F(  24, "smf30ddr",  hfp8, "Data the program received", "bytes"),
    F(  32, "smf30dac",  u4,   "Conversations not over yet"),
    F(  36, "smf30dtr",  u4,   "Transaction programs that the APPC scheduler started"),
), "1src")

APPC_CUMULATIVE = Section("smf30_appc_cumulative", "APPC conversations of the whole step or job", f"{_SOURCE} APPC cumulative resource section", 40, (
    #  +dec  name        kind  meaning
    F(   0, "smf30cn",   u4,   "Conversations, whole step or job"),
    F(   4, "smf30cna",  u4,   "Conversations allocated, whole step or job"),
    F(   8, "smf30sen",  u4,   "Sends, whole step or job"),
    F(  12, "smf30dat",  hfp8, "Data sent, whole step or job", "bytes"),
    F(  20, "smf30rec",  u4,   "Receives, whole step or job"),
    F(  24, "smf30dar",  hfp8, "Data received, whole step or job", "bytes"),
    F(  32, "smf30tac",  u4,   "Conversations not over yet, whole step or job"),
    F(  36, "smf30atr",  u4,   "Requests the program handled"),
), "1src")

OMVS = Section("smf30_omvs", "One z/OS UNIX process", f"{_SOURCE} z/OS UNIX process section", 96, (
    #  +dec  name        kind  meaning
    F(   0, "smf30opi",  u4,   "Process id"),
    F(   4, "smf30opg",  u4,   "Process group id"),
    F(   8, "smf30oui",  u4,   "z/OS UNIX user id (UID)"),
    F(  12, "smf30oug",  u4,   "z/OS UNIX group id (GID)"),
    F(  16, "smf30osi",  u4,   "Session id"),
    F(  20, "smf30osc",  u4,   "CPU time in kernel services", "1/100 s"),
    F(  24, "smf30ost",  u4,   "Calls of kernel services"),
    F(  28, "smf30odr",  u4,   "Directory blocks read", "blocks"),
    F(  32, "smf30ofr",  u4,   "Blocks read from ordinary files", "blocks"),
    F(  36, "smf30ofw",  u4,   "Blocks written to ordinary files", "blocks"),
    F(  40, "smf30opr",  u4,   "Blocks read from pipes", "blocks"),
    F(  44, "smf30opw",  u4,   "Blocks written to pipes", "blocks"),
    # +48: 8 bytes not described
    F(  56, "smf30oll",  u4,   "Path names looked up by the logical file system"),
    F(  60, "smf30olp",  u4,   "Path names looked up by the physical file system"),
    F(  64, "smf30ogl",  u4,   "Path names built by the logical file system"),
    F(  68, "smf30ogp",  u4,   "Path names built by the physical file system"),
    F(  72, "smf30opp",  u4,   "Process id of the parent"),
    # +76: 16 bytes not described
    F(  92, "smf30osy",  u4,   "Calls of sync"),
), "1src")

USAGE = Section("smf30_usage", "Use of one registered product", f"{_SOURCE} usage data section", 74, (
    #  +dec  name        kind       meaning
    F(   0, "smf30upo",  text(16),  "Owner of the product, as IBM CORP"),
    F(  16, "smf30upn",  text(16),  "Product"),
    F(  32, "smf30upv",  text(8),   "Version of the product"),
    F(  40, "smf30upq",  text(8),   "Qualifier of the product"),
    F(  48, "smf30upi",  text(8),   "Product id"),
    F(  56, "smf30uct",  u4,        "CPU time of the product under TCBs", "1/100 s"),
    F(  60, "smf30ucs",  u4,        "CPU time of the product under SRBs", "1/100 s"),
    F(  64, "smf30urd",  opaque(8), "What the product measured of itself; smf30udf says how it is written"),
    F(  72, "smf30udf",  u1,        "Form of smf30urd: 0 none, 1 CPU time as a TOD, 2 integer, 3 long hexadecimal float"),
    F(  73, "smf30ufg",  flags1,    "Bit 0: the caller that registered was not authorised"),
), "1src")

RESTART = Section("smf30_restart", "One element of automatic restart management", f"{_SOURCE} automatic restart management section", 80, (
    #  +dec  name        kind      meaning
    F(   0, "smf30rnm",  text(16), "Element"),
    F(  16, "smf30rtp",  text(8),  "Type of the element"),
    F(  24, "smf30rrg",  text(16), "Restart group"),
    F(  40, "smf30rsn",  text(8),  "System the element was first started on; blank the first time"),
    F(  48, "smf30rgt",  centisec, "Local time the element registered"),
    F(  52, "smf30rgd",  date,     "Local date the element registered"),
    F(  56, "smf30rwt",  centisec, "Local time it began to wait for its predecessors"),
    F(  60, "smf30rwd",  date,     "Local date it began to wait for its predecessors"),
    F(  64, "smf30ryt",  centisec, "Local time it was ready"),
    F(  68, "smf30ryd",  date,     "Local date it was ready"),
    F(  72, "smf30rtt",  centisec, "Local time it deregistered"),
    F(  76, "smf30rtd",  date,     "Local date it deregistered"),
), "1src")

ENCLAVE = Section("smf30_enclave", "CPU time that multisystem enclaves used on one other system", f"{_SOURCE} multisystem enclave remote system data section", 20, (
    #  +dec  name        kind     meaning
    F(   0, "smf30mrs",  text(8), "System the enclave ran on"),
    F(   8, "smf30mra",  u4,      "Microseconds of CPU for one service unit on that system, times 16", "1/16"),
    F(  12, "smf30mrd",  u4,      "CPU time of dependent enclaves on that system", "1/100 s"),
    F(  16, "smf30mri",  u4,      "CPU time of independent enclaves on that system", "1/100 s"),
), "1src")

CONTAINER = Section("smf30_container", "The container the work ran in", f"{_SOURCE} container section", 160, (
    #  +dec  name                    kind      meaning
    F(   0, "smf30_container_id",    text(64), "Container id"),
    F(  64, "smf30_container_qual",  text(32), "Container qualifier"),
    F(  96, "smf30_pod_id",          text(64), "Pod id"),
), "1src")
