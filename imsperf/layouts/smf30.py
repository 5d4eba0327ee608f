"""SMF type 30: the work of one address space, written by SMF; one layout for all subtypes.

Subtype 1 is written when a job starts, 2 and 3 for each interval (3: the last one of a step), 4 at the end of a
step, 5 at the end of a job, 6 for each interval of a system address space. 2 and 3 hold what happened in the
interval, 4 the whole step, 5 the whole job, 6 everything since the address space started: never add one kind to
another.

A record holds as many EXCP, usage, z/OS UNIX process sections and the like as fit; the header counts those that
follow in later records. CPU times are cut to 1/100 s; zIIP time is in none of the times on CPs and counts at zIIP
speed (times smf30snf/256). interval_start is smf30idt with smf30ist, local; interval_end is NULL, as the
record has it only as a TOD clock: smf30iet.

The sections are in the modules smf30_*: job, processor, resources and those for work of special kinds.
"""

from __future__ import annotations

from imsperf.kinds import flags1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.layouts.smf30_counters import COUNTER, CRYPTO, NNPI, ZEDC
from imsperf.layouts.smf30_job import COMPLETION, EXCP, IDENTIFICATION, IO, OPERATOR, SUBSYSTEM
from imsperf.layouts.smf30_processor import PROCESSOR
from imsperf.layouts.smf30_resources import PERFORMANCE, STORAGE
from imsperf.layouts.smf30_work import (
    APPC,
    APPC_CUMULATIVE,
    CONTAINER,
    ENCLAVE,
    OMVS,
    RESTART,
    USAGE,
)
from imsperf.record import Interval, Record, never_zero, once, repeats, triplet

_SOURCE = f"{BOOK}: record type 30,"

# fmt: off

HEADER = Section("smf30_header", "One row per type 30 record: work of an address space", f"{_SOURCE} header and self-defining section", 228, (
    *standard_header("smf30"),
    #  +dec  name          kind    meaning
    F(  24, "smf30sof",    u4,     "Offset of the subsystem section, from the RDW", "bytes", "1src"),
    F(  28, "smf30sln",    u2,     "Length of the subsystem section", "bytes", "1src"),
    F(  30, "smf30son",    u2,     "Subsystem sections", "", "1src"),
    F(  32, "smf30iof",    u4,     "Offset of the identification section", "bytes", "1src"),
    F(  36, "smf30iln",    u2,     "Length of the identification section", "bytes", "1src"),
    F(  38, "smf30ion",    u2,     "Identification sections", "", "1src"),
    F(  40, "smf30uof",    u4,     "Offset of the I/O activity section", "bytes", "1src"),
    F(  44, "smf30uln",    u2,     "Length of the I/O activity section", "bytes", "1src"),
    F(  46, "smf30uon",    u2,     "I/O activity sections", "", "1src"),
    F(  48, "smf30tof",    u4,     "Offset of the completion section", "bytes", "1src"),
    F(  52, "smf30tln",    u2,     "Length of the completion section", "bytes", "1src"),
    F(  54, "smf30ton",    u2,     "Completion sections", "", "1src"),
    F(  56, "smf30cof",    u4,     "Offset of the processor accounting section", "bytes", "1src"),
    F(  60, "smf30cln",    u2,     "Length of the processor accounting section", "bytes", "1src"),
    F(  62, "smf30con",    u2,     "Processor accounting sections", "", "1src"),
    F(  64, "smf30aof",    u4,     "Offset of the first accounting section", "bytes", "1src"),
    F(  68, "smf30aln",    u2,     "Length of the accounting sections", "bytes", "1src"),
    F(  70, "smf30aon",    u2,     "Accounting sections", "", "1src"),
    F(  72, "smf30rof",    u4,     "Offset of the storage and paging section", "bytes", "1src"),
    F(  76, "smf30rln",    u2,     "Length of the storage and paging section", "bytes", "1src"),
    F(  78, "smf30ron",    u2,     "Storage and paging sections", "", "1src"),
    F(  80, "smf30pof",    u4,     "Offset of the performance section", "bytes", "1src"),
    F(  84, "smf30pln",    u2,     "Length of the performance section", "bytes", "1src"),
    F(  86, "smf30pon",    u2,     "Performance sections", "", "1src"),
    F(  88, "smf30oof",    u4,     "Offset of the operator section", "bytes", "1src"),
    F(  92, "smf30oln",    u2,     "Length of the operator section", "bytes", "1src"),
    F(  94, "smf30oon",    u2,     "Operator sections", "", "1src"),
    F(  96, "smf30eof",    u4,     "Offset of the first EXCP section", "bytes", "1src"),
    F( 100, "smf30eln",    u2,     "Length of an EXCP section", "bytes", "1src"),
    F( 102, "smf30eon",    u2,     "EXCP sections in this record", "", "1src"),
    F( 104, "smf30eor",    u2,     "EXCP sections that did not fit and follow in later records", "", "1src"),
    # +106: 2 bytes not described
    F( 108, "smf30eos",    u4,     "EXCP sections in the records that follow; meaning taken from the name", "", "1src"),
    F( 112, "smf30dro",    u4,     "Offset of the APPC resource section", "bytes", "1src"),
    F( 116, "smf30drl",    u2,     "Length of the APPC resource section", "bytes", "1src"),
    F( 118, "smf30drn",    u2,     "APPC resource sections", "", "1src"),
    F( 120, "smf30aro",    u4,     "Offset of the APPC cumulative resource section", "bytes", "1src"),
    F( 124, "smf30arl",    u2,     "Length of the APPC cumulative resource section", "bytes", "1src"),
    F( 126, "smf30arn",    u2,     "APPC cumulative resource sections", "", "1src"),
    F( 128, "smf30opo",    u4,     "Offset of the first z/OS UNIX process section", "bytes", "1src"),
    F( 132, "smf30opl",    u2,     "Length of a z/OS UNIX process section", "bytes", "1src"),
    F( 134, "smf30opn",    u2,     "z/OS UNIX process sections in this record", "", "1src"),
    F( 136, "smf30opm",    u4,     "z/OS UNIX process sections still to come in later records", "", "1src"),
    F( 140, "smf30udo",    u4,     "Offset of the first usage section", "bytes", "1src"),
    F( 144, "smf30udl",    u2,     "Length of a usage section", "bytes", "1src"),
    F( 146, "smf30udn",    u2,     "Usage sections in this record", "", "1src"),
    F( 148, "smf30uds",    u4,     "Usage sections still to come in later records", "", "1src"),
    F( 152, "smf30rmo",    u4,     "Offset of the first automatic restart section", "bytes", "1src"),
    F( 156, "smf30rml",    u2,     "Length of an automatic restart section", "bytes", "1src"),
    F( 158, "smf30rmn",    u2,     "Automatic restart sections in this record", "", "1src"),
    F( 160, "smf30rms",    u4,     "Automatic restart sections still to come in later records", "", "1src"),
    F( 164, "smf30mof",    u4,     "Offset of the first multisystem enclave section", "bytes", "1src"),
    F( 168, "smf30mln",    u2,     "Length of a multisystem enclave section", "bytes", "1src"),
    F( 170, "smf30mno",    u2,     "Multisystem enclave sections in this record", "", "1src"),
    F( 172, "smf30mos",    u4,     "Multisystem enclave sections still to come in later records", "", "1src"),
    F( 176, "smf30cdo",    u4,     "Offset of the hardware counter section", "bytes", "1src"),
    F( 180, "smf30cdl",    u2,     "Length of the hardware counter section", "bytes", "1src"),
    F( 182, "smf30cdn",    u2,     "Hardware counter sections", "", "1src"),
    F( 184, "smf30uso",    u4,     "Offset of the zEDC compression section", "bytes", "1src"),
    F( 188, "smf30usl",    u2,     "Length of the zEDC compression section", "bytes", "1src"),
    F( 190, "smf30usn",    u2,     "zEDC compression sections", "", "1src"),
    F( 192, "smf30cpo",    u4,     "Offset of the first crypto counter section", "bytes", "1src"),
    F( 196, "smf30cpl",    u2,     "Length of a crypto counter section", "bytes", "1src"),
    F( 198, "smf30cpn",    u2,     "Crypto counter sections in this record", "", "1src"),
    F( 200, "smf30cpa",    u4,     "Crypto counter sections still to come in later records", "", "1src"),
    F( 204, "smf30npo",    u4,     "Offset of the first NNPI counter section", "bytes", "1src"),
    F( 208, "smf30npl",    u2,     "Length of an NNPI counter section", "bytes", "1src"),
    F( 210, "smf30npn",    u2,     "NNPI counter sections in this record", "", "1src"),
    F( 212, "smf30npa",    u4,     "NNPI counter sections still to come in later records", "", "1src"),
    F( 216, "smf30cont",   u2,     "Continuation records still to come; the source has no name for it", "", "1src"),
    F( 218, "smf30contf",  flags1, "Where in such a run: bit 0 first record, 1 in the middle, 2 last; the source has no name for it", "", "1src"),
    # +219: 1 byte not described
    F( 220, "smf30cno",    u4,     "Offset of the container section", "bytes", "1src"),
    F( 224, "smf30cnl",    u2,     "Length of the container section", "bytes", "1src"),
    F( 226, "smf30cnn",    u2,     "Container sections, 1 or 0", "", "1src"),
))

ADDRESS_SPACE = Record(
    30, None, "Work of an address space", HEADER,
    parts=(
        triplet(24, SUBSYSTEM),
        triplet(32, IDENTIFICATION),
        triplet(40, IO),
        triplet(48, COMPLETION),
        triplet(56, PROCESSOR),
        triplet(72, STORAGE),
        triplet(80, PERFORMANCE),
        triplet(88, OPERATOR),
        triplet(96, EXCP),
        triplet(112, APPC),
        triplet(120, APPC_CUMULATIVE),
        triplet(128, OMVS),
        triplet(140, USAGE),
        triplet(152, RESTART),
        triplet(164, ENCLAVE),
        triplet(176, COUNTER),
        triplet(184, ZEDC),
        triplet(192, CRYPTO),
        triplet(204, NNPI),
        triplet(220, CONTAINER),
    ),
    interval=Interval(PROCESSOR, system="smf30syn", date="smf30idt", start="smf30ist", named_in=SUBSYSTEM),
    evidence=(
        once(SUBSYSTEM),
        repeats(SUBSYSTEM, "smf30typ", HEADER, "smf30sty"),
        *never_zero(SUBSYSTEM, "smf30rvn", "smf30pnm", "smf30syn"),
        once(IDENTIFICATION),
        *never_zero(IDENTIFICATION, "smf30jbn"),
    ),
)

RECORDS = (ADDRESS_SPACE,)
