"""IMS log code A1, statistics for which no record of the online log data set is known; A0 to FF are codes for users.

The byte after the code says which; 0C and 0D are in ims_a1_blocks. All but A109 are written at a checkpoint, behind the statistics
set (45) with the same number, and count as it does; A109 is written after 08 for each schedule of a DBCTL thread.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS, SET, TABLE
from imsperf.record import Entries, LogRecord

# fmt: off

TPIPES = Section("ims_a101", "OTMA TPIPEs: one row per record", f"{OURS}: code A1 subcode 01", 34, TABLE, PROJECT_DEFINED)

TPIPE = Section("ims_a101_tpipe", "One TPIPE of OTMA", f"{OURS}: code A1 subcode 01, entry", 140, (
    F(   0, "tpipe",             text(8),  "Name of the TPIPE"),
    F(   8, "member",            text(16), "OTMA client it belongs to"),
    F(  24, "kind",              text(1),  "S synchronized, N not synchronized, H hold queue"),
    F(  25, "state",             text(1),  "A active, S stopped, W waiting for an acknowledgement"),
    F(  26, "parallel_limit",    u2,       "Resume TPIPE requests served at once (PARALLEL LIMIT); 1: not parallel", "requests"),
    F(  28, "resume_active",     u4,       "Resume TPIPE requests open now", "requests"),
    F(  32, "resume_active_max", u4,       "Most resume TPIPE requests open so far", "requests"),
    F(  36, "messages_in",       u8,       "Messages received"),
    F(  44, "messages_out",      u8,       "Messages sent"),
    F(  52, "bytes_in",          u8,       "Bytes received", "bytes"),
    F(  60, "bytes_out",         u8,       "Bytes sent", "bytes"),
    F(  68, "sync_callouts",     u8,       "ICAL calls sent out through it", "calls"),
    F(  76, "sync_responses",    u8,       "Answers to ICAL calls received", "calls"),
    F(  84, "sync_timeouts",     u8,       "ICAL calls that ran into their time limit", "calls"),
    F(  92, "callout_us",        u8,       "Time from ICAL to answer, sum", "us"),
    F( 100, "queue_us",          u8,       "Time a callout waited for a free resume TPIPE request, sum", "us"),
    F( 108, "resume_tpipe",      u8,       "Resume TPIPE requests received", "requests"),
    F( 116, "acks",              u8,       "Acknowledgements received"),
    F( 124, "naks",              u8,       "Negative acknowledgements received"),
    F( 132, "queue",             u4,       "Output messages waiting now"),
    F( 136, "queue_max",         u4,       "Most output messages waiting so far"),
), PROJECT_DEFINED)

CALLOUTS = Section("ims_a102", "Synchronous callouts (ICAL): one row per record", f"{OURS}: code A1 subcode 02", 34, TABLE, PROJECT_DEFINED)

CALLOUT = Section("ims_a102_ical", "ICAL calls of one transaction to one destination", f"{OURS}: code A1 subcode 02, entry", 136, (
    F(   0, "tran",             text(8),  "Transaction code; blank where there is none"),
    F(   8, "psb",              text(8),  "PSB of the program"),
    F(  16, "destination",      text(8),  "OTMA destination descriptor"),
    F(  24, "tpipe",            text(8),  "TPIPE used"),
    F(  32, "member",           text(16), "OTMA client used"),
    F(  48, "icals",            u8,       "ICAL calls", "calls"),
    F(  56, "responses",        u8,       "ICAL calls answered", "calls"),
    F(  64, "timeouts",         u8,       "ICAL calls ended by their time limit", "calls"),
    F(  72, "errors",           u8,       "ICAL calls ended by another error", "calls"),
    F(  80, "request_bytes",    u8,       "Bytes sent", "bytes"),
    F(  88, "response_bytes",   u8,       "Bytes received", "bytes"),
    F(  96, "credential_bytes", u8,       "Bytes of network security credentials sent along", "bytes"),
    F( 104, "elapsed_us",       u8,       "Time from call to return, sum", "us"),
    F( 112, "queue_us",         u8,       "Part of that time spent waiting for a resume TPIPE request", "us"),
    F( 120, "max_elapsed_us",   u8,       "Longest call", "us"),
    F( 128, "in_flight_max",    u4,       "Most calls open at once", "calls"),
    F( 132, "time_limit_cs",    u4,       "Time limit in force", "1/100 s"),
), PROJECT_DEFINED)

CQS = Section("ims_a103", "Common Queue Server (CQS)", f"{OURS}: code A1 subcode 03", 130, (
    *TABLE,
    F(  34, "cqs",                   text(8), "Name of the CQS"),
    F(  42, "connects",              u8,      "Clients that connected"),
    F(  50, "log_records",           u8,      "Records CQS wrote to its log streams", "records"),
    F(  58, "log_bytes",             u8,      "Bytes of these log records", "bytes"),
    F(  66, "log_writes",            u8,      "Log stream writes"),
    F(  74, "log_us",                u8,      "Time of log stream writes, sum", "us"),
    F(  82, "system_checkpoints",    u8,      "System checkpoints"),
    F(  90, "structure_checkpoints", u8,      "Structure checkpoints"),
    F(  98, "rebuilds",              u8,      "Structure rebuilds"),
    F( 106, "cf_requests",           u8,      "Requests to the coupling facility", "requests"),
    F( 114, "cf_us",                 u8,      "Time of requests to the coupling facility, sum", "us"),
    F( 122, "clients",               u4,      "Clients connected now"),
    F( 126, "tasks",                 u4,      "Worker tasks"),
), PROJECT_DEFINED)

STRUCTURE = Section("ims_a103_structure", "One structure pair of the CQS", f"{OURS}: code A1 subcode 03, entry", 188, (
    F(   0, "structure",      text(16), "Name of the primary structure"),
    F(  16, "kind",           text(1),  "M full-function queues (MSGQ), E Fast Path queues (EMHQ), R resource structure"),
    F(  17, "state",          text(1),  "N normal, O in overflow, C checkpoint running, R rebuild running"),
    # +18: 2 reserved bytes
    F(  20, "puts",           u8,       "Data objects put on queues", "requests"),
    F(  28, "put_bytes",      u8,       "Bytes of data objects put on queues", "bytes"),
    F(  36, "reads",          u8,       "Data objects read", "requests"),
    F(  44, "read_bytes",     u8,       "Bytes of data objects read", "bytes"),
    F(  52, "deletes",        u8,       "Data objects deleted", "requests"),
    F(  60, "unlocks",        u8,       "Data objects unlocked", "requests"),
    F(  68, "moves",          u8,       "Data objects moved to another queue", "requests"),
    F(  76, "browses",        u8,       "Data objects browsed", "requests"),
    F(  84, "queries",        u8,       "Queries", "requests"),
    F(  92, "informs",        u8,       "Clients told that a queue is no longer empty"),
    F( 100, "false_informs",  u8,       "Clients told so that then found the queue empty"),
    F( 108, "registrations",  u8,       "Interest registered by clients", "requests"),
    F( 116, "cf_requests",    u8,       "Requests to the coupling facility", "requests"),
    F( 124, "cf_sync",        u8,       "Requests to the coupling facility done synchronously", "requests"),
    F( 132, "cf_us",          u8,       "Time of requests to the coupling facility, sum", "us"),
    F( 140, "overflows",      u8,       "Times the structure went into overflow"),
    F( 148, "entries_now",    u4,       "List entries in use now"),
    F( 152, "entries_max",    u4,       "Most list entries in use so far"),
    F( 156, "entries_total",  u4,       "List entries there are"),
    F( 160, "elements_now",   u4,       "Data elements in use now"),
    F( 164, "elements_max",   u4,       "Most data elements in use so far"),
    F( 168, "elements_total", u4,       "Data elements there are"),
    F( 172, "lock_waits",     u8,       "Waits for the lock of a queue"),
    F( 180, "queues_now",     u4,       "Queues that are not empty now"),
    F( 184, "queues_max",     u4,       "Most queues not empty so far"),
), PROJECT_DEFINED)

REQUESTS = Section("ims_a104", "CQS requests by type: one row per record", f"{OURS}: code A1 subcode 04", 42, (
    *TABLE,
    F(  34, "cqs", text(8), "Name of the CQS"),
), PROJECT_DEFINED)

REQUEST = Section("ims_a104_request", "CQS requests of one type by one client", f"{OURS}: code A1 subcode 04, entry", 96, (
    F(   0, "request",        text(8),  "PUT, READ, UNLOCK, DEL, MOVE, BROWSE, QUERY, INFORM, UPDATE, RECOVER and others"),
    F(   8, "client",         text(8),  "Name of the client (IMS)"),
    F(  16, "structure",      text(16), "Name of the structure"),
    F(  32, "requests",       u8,       "Requests", "requests"),
    F(  40, "objects",        u8,       "Data objects handled"),
    F(  48, "bytes",          u8,       "Bytes handled", "bytes"),
    F(  56, "failed",         u8,       "Requests that ended with an error", "requests"),
    F(  64, "elapsed_us",     u8,       "Time from request to answer, sum", "us"),
    F(  72, "queue_us",       u8,       "Part of that time spent waiting for a task", "us"),
    F(  80, "cf_us",          u8,       "Part of that time spent in the coupling facility", "us"),
    F(  88, "max_elapsed_us", u8,       "Longest request", "us"),
), PROJECT_DEFINED)

IRLM = Section("ims_a105", "IRLM, the whole system", f"{OURS}: code A1 subcode 05", 266, (
    *SET,
    F(  30, "irlm",                   text(4),  "IRLM id"),
    F(  34, "irlm_group",             text(8),  "Data sharing group of the IRLM"),
    F(  42, "lock_structure",         text(16), "Name of the lock structure"),
    F(  58, "locks",                  u8,       "Lock requests", "requests"),
    F(  66, "unlocks",                u8,       "Unlock requests", "requests"),
    F(  74, "change_req",             u8,       "Requests to change the state of a lock", "requests"),
    F(  82, "verify_req",             u8,       "Verify requests", "requests"),
    F(  90, "purges",                 u8,       "Purge requests", "requests"),
    F(  98, "query_req",              u8,       "Query requests", "requests"),
    F( 106, "global_locks",           u8,       "Lock requests that needed another member of the group", "requests"),
    F( 114, "child_locks_propagated", u8,       "Child locks passed to the coupling facility", "requests"),
    F( 122, "rh_to_rh_notify",        u8,       "Notify messages between resource handlers", "requests"),
    F( 130, "notifies",               u8,       "Notify requests of the subsystem", "requests"),
    F( 138, "waits",                  u8,       "Requests that had to wait", "requests"),
    F( 146, "wait_us",                u8,       "Time requests waited, sum", "us"),
    F( 154, "deadlocks",              u8,       "Deadlocks"),
    F( 162, "timeouts",               u8,       "Requests ended because they waited too long"),
    F( 170, "false_contentions",      u8,       "Contentions that were false: same hash, other resource"),
    F( 178, "xes_contentions",        u8,       "Contentions found by the lock structure"),
    F( 186, "irlm_contentions",       u8,       "Contentions settled between the IRLMs"),
    F( 194, "cf_requests",            u8,       "Requests to the lock structure", "requests"),
    F( 202, "cf_sync",                u8,       "Requests to the lock structure done synchronously", "requests"),
    F( 210, "cf_us",                  u8,       "Time of requests to the lock structure, sum", "us"),
    F( 218, "deadlock_cycles",        u8,       "Cycles of deadlock detection"),
    F( 226, "locks_held",             u4,       "Locks held now"),
    F( 230, "max_locks_held",         u4,       "Most locks held so far"),
    F( 234, "lock_entries",           u4,       "Entries of the lock table"),
    F( 238, "record_list_entries",    u4,       "Entries of the record list"),
    F( 242, "record_list_used",       u4,       "Entries of the record list in use now"),
    F( 246, "subsystems",             u4,       "Subsystems identified now"),
    F( 250, "private_bytes",          u8,       "Private storage in use now", "bytes"),
    F( 258, "max_private_bytes",      u8,       "Most private storage in use so far", "bytes"),
), PROJECT_DEFINED)

IRLM_USERS = Section("ims_a106", "IRLM by subsystem: one row per record", f"{OURS}: code A1 subcode 06", 46, (
    *TABLE,
    F(  34, "irlm",       text(4), "IRLM id"),
    F(  38, "irlm_group", text(8), "Data sharing group of the IRLM"),
), PROJECT_DEFINED)

IRLM_USER = Section("ims_a106_subsystem", "What the IRLM did for one subsystem", f"{OURS}: code A1 subcode 06, entry", 144, (
    F(   0, "subsystem",              text(8), "Name of the subsystem, an IMS or a Db2 for example"),
    F(   8, "subsystem_type",         text(4), "IMS, DB2, CICS or other"),
    F(  12, "state",                  text(1), "A active, F failed (retained locks), D disconnected"),
    # +13: 3 reserved bytes
    F(  16, "locks",                  u8,      "Lock requests", "requests"),
    F(  24, "unlocks",                u8,      "Unlock requests", "requests"),
    F(  32, "change_req",             u8,      "Requests to change the state of a lock", "requests"),
    F(  40, "verify_req",             u8,      "Verify requests", "requests"),
    F(  48, "purges",                 u8,      "Purge requests", "requests"),
    F(  56, "query_req",              u8,      "Query requests", "requests"),
    F(  64, "global_locks",           u8,      "Lock requests that needed another member of the group", "requests"),
    F(  72, "child_locks_propagated", u8,      "Child locks passed to the coupling facility", "requests"),
    F(  80, "rh_to_rh_notify",        u8,      "Notify messages between resource handlers", "requests"),
    F(  88, "notifies",               u8,      "Notify requests of the subsystem", "requests"),
    F(  96, "waits",                  u8,      "Requests that had to wait", "requests"),
    F( 104, "wait_us",                u8,      "Time requests waited, sum", "us"),
    F( 112, "deadlocks",              u8,      "Deadlocks"),
    F( 120, "timeouts",               u8,      "Requests ended because they waited too long"),
    F( 128, "locks_held",             u4,      "Locks held now"),
    F( 132, "max_locks_held",         u4,      "Most locks held so far"),
    F( 136, "retained_locks",         u4,      "Locks kept for recovery"),
    F( 140, "work_units",             u4,      "Units of work with locks now"),
), PROJECT_DEFINED)

EXTERNAL = Section("ims_a107", "External subsystems (ESAF): one row per record", f"{OURS}: code A1 subcode 07", 34, TABLE, PROJECT_DEFINED)

EXTERNAL_SUBSYSTEM = Section("ims_a107_subsystem", "One external subsystem", f"{OURS}: code A1 subcode 07, entry", 140, (
    F(   0, "subsystem",         text(4), "Name of the external subsystem (SSM member)"),
    F(   4, "subsystem_type",    text(4), "DB2, MQ, WAS or other"),
    F(   8, "pooled",            text(1), "Y: threads are kept for use again; N: they are not"),
    F(   9, "state",             text(1), "C connected, S stopped, F failed"),
    # +10: 2 reserved bytes
    F(  12, "connections",       u4,      "Regions connected now"),
    F(  16, "threads",           u4,      "Threads now"),
    F(  20, "max_threads",       u4,      "Most threads so far"),
    F(  24, "indoubts",          u4,      "Units in doubt now"),
    F(  28, "connects",          u8,      "Connections made"),
    F(  36, "disconnects",       u8,      "Connections ended"),
    F(  44, "signons",           u8,      "Sign-ons"),
    F(  52, "thread_creates",    u8,      "Threads created"),
    F(  60, "thread_reuses",     u8,      "Times an existing thread was used again"),
    F(  68, "thread_terminates", u8,      "Threads terminated"),
    F(  76, "commands",          u8,      "Commands passed on"),
    F(  84, "calls",             u8,      "Calls to the subsystem", "calls"),
    F(  92, "calls_us",          u8,      "Time of calls inside the subsystem, sum", "us"),
    F( 100, "prepares",          u8,      "Prepares (commit phase 1)"),
    F( 108, "commits",           u8,      "Commits (phase 2)"),
    F( 116, "aborts",            u8,      "Aborts"),
    F( 124, "failures",          u8,      "Requests that failed"),
    F( 132, "storage_bytes",     u8,      "Common storage held by its threads now", "bytes"),
), PROJECT_DEFINED)

CALLS = Section("ims_a108", "DL/I calls by source: one row per record", f"{OURS}: code A1 subcode 08", 34, TABLE, PROJECT_DEFINED)

SOURCE = Section("ims_a108_source", "DL/I calls of one source", f"{OURS}: code A1 subcode 08, entry", 200, (
    F(   0, "source",                 text(4), "MPP, BMP, IFP, JMP, JBP, CICS, ODBM, ODBA, DRA"),
    F(   4, "source_name",            text(8), "Application id of the CICS, name of the ODBM or job; blank for a whole kind of region"),
    F(  12, "threads",                u4,      "Threads or regions now"),
    F(  16, "max_threads",            u4,      "Most threads or regions so far"),
    # +20: 4 reserved bytes
    F(  24, "transactions_processed", u8,      "Transactions or units of work processed", "transactions"),
    F(  32, "db_gu_calls",            u8,      "GU and GHU calls to databases", "calls"),
    F(  40, "db_gn_calls",            u8,      "GN and GHN calls to databases", "calls"),
    F(  48, "db_gnp_calls",           u8,      "GNP and GHNP calls to databases", "calls"),
    F(  56, "db_isrt_calls",          u8,      "ISRT calls to databases", "calls"),
    F(  64, "db_dlet_calls",          u8,      "DLET calls to databases", "calls"),
    F(  72, "db_repl_calls",          u8,      "REPL calls to databases", "calls"),
    F(  80, "db_other_calls",         u8,      "All other calls to databases", "calls"),
    F(  88, "dc_gu_calls",            u8,      "GU calls to the message queue", "calls"),
    F(  96, "dc_gn_calls",            u8,      "GN calls to the message queue", "calls"),
    F( 104, "dc_isrt_calls",          u8,      "ISRT calls of output messages", "calls"),
    F( 112, "dc_purg_calls",          u8,      "PURG calls", "calls"),
    F( 120, "dc_ical_calls",          u8,      "ICAL calls", "calls"),
    F( 128, "dli_chng_calls",         u8,      "CHNG calls", "calls"),
    F( 136, "dli_sync_calls",         u8,      "SYNC, CHKP and commit calls", "calls"),
    F( 144, "dli_other_calls",        u8,      "All other system service calls", "calls"),
    F( 152, "esaf_calls",             u8,      "Calls to external subsystems", "calls"),
    F( 160, "schedules",              u8,      "Schedules of a PSB (thread starts)"),
    F( 168, "schedule_waits",         u8,      "Schedules that waited for a thread"),
    F( 176, "elapsed_us",             u8,      "Time inside DL/I calls, sum", "us"),
    F( 184, "cpu_us",                 u8,      "CPU time on general processors", "us"),
    F( 192, "ziip_us",                u8,      "CPU time on zIIPs", "us"),
), PROJECT_DEFINED)

THREAD = Section("ims_a109", "Source of one thread or unit of work; joins with 07 08 56FA", f"{OURS}: code A1 subcode 09", 127, (
    F(   6, "pst",              u2,         "Region number"),
    F(   8, "rtoken",           opaque(16), "Recovery token of the unit of recovery"),
    F(  24, "source",           text(4),    "CICS, ODBM, ODBA, DRA"),
    F(  28, "source_name",      text(8),    "Application id of the CICS, name of the ODBM or job"),
    F(  36, "jobname",          text(8),    "Job of the caller"),
    F(  44, "psb",              text(8),    "PSB of the program"),
    F(  52, "tran",             text(8),    "Transaction of the caller, of CICS for example; blank if not known"),
    F(  60, "userid",           text(8),    "User the work runs for"),
    F(  68, "client_address",   opaque(16), "IP address of the client, IPv6 or IPv4-mapped; zeros if none"),
    F(  84, "client_port",      u2,         "TCP port of the client; 0 if none"),
    F(  86, "flags",            u2,         "X'8000' two-phase commit, X'4000' thread used again, X'2000' came through IMS Connect, X'1000' credential present"),
    F(  88, "credential_bytes", u4,         "Length of the network security credential that came with it; 0 if none", "bytes"),
    F(  92, "start_time",       tod,        "When the unit of work got the thread, UTC"),
    F( 100, "source_uow",       opaque(27), "Unit of work id of the caller (network UOW id of CICS); zeros if none"),
), PROJECT_DEFINED)

MESSAGE_QUEUE = Section("ims_a10a", "Message queue pool, counters beside those of 4502", f"{OURS}: code A1 subcode 0A", 134, (
    *SET,
    F(  30, "locates_from_pool",    u8, "Calls that locate a record, satisfied without I/O", "calls"),
    F(  38, "writes_for_space",     u8, "Writes made to free a buffer"),
    F(  46, "writes_by_purge",      u8, "Writes made by purge requests"),
    F(  54, "cancel_io_calls",      u8, "Requests that took back a queued I/O", "calls"),
    F(  62, "waits_for_decb_read",  u8, "Waits for a read to end"),
    F(  70, "waits_for_decb_write", u8, "Waits for a write to end"),
    F(  78, "waits_for_enq_deq",    u8, "Waits for another enqueue or dequeue"),
    F(  86, "waits_for_purge",      u8, "Waits for a purge to end"),
    F(  94, "waits_no_buffer",      u8, "Waits because no buffer was free"),
    F( 102, "wait_us",              u8, "Time of all these waits, sum", "us"),
    F( 110, "peak_qblks_blk_num",   u4, "Highest block used in the queue blocks data set", "blocks"),
    F( 114, "peak_shmsg_blk_num",   u4, "Highest block used in the short message data set", "blocks"),
    F( 118, "peak_lgmsg_blk_num",   u4, "Highest block used in the long message data set", "blocks"),
    F( 122, "qblks_blocks",         u4, "Blocks the queue blocks data set has", "blocks"),
    F( 126, "shmsg_blocks",         u4, "Blocks the short message data set has", "blocks"),
    F( 130, "lgmsg_blocks",         u4, "Blocks the long message data set has", "blocks"),
), PROJECT_DEFINED)

LOG_DATA_SETS = Section("ims_a10b", "Log data sets: one row per record", f"{OURS}: code A1 subcode 0B", 34, TABLE, PROJECT_DEFINED)

LOG_DATA_SET = Section("ims_a10b_dataset", "I/O of one log data set", f"{OURS}: code A1 subcode 0B, entry", 88, (
    F(   0, "ddname",                           text(8), "DD name, e.g. DFSOLP01, DFSOLS01, DFSWADS0"),
    F(   8, "kind",                             text(1), "O OLDS, W WADS"),
    F(   9, "copy",                             text(1), "P primary, S secondary"),
    F(  10, "state",                            text(1), "U in use, A available, F full (to be archived), E error"),
    # +11: 1 reserved byte
    F(  12, "buf_size",                         u4,      "Block or CI size", "bytes"),
    F(  16, "blocks",                           u4,      "Blocks the data set has", "blocks"),
    F(  20, "blocks_used",                      u4,      "Blocks written in its present use", "blocks"),
    F(  24, "ios",                              u8,      "Writes"),
    F(  32, "bytes",                            u8,      "Bytes written", "bytes"),
    F(  40, "io_time",                          u8,      "Time of writes, sum", "us"),
    F(  48, "max_io_time",                      u8,      "Longest write", "us"),
    F(  56, "waiters_needing_post_at_ckpt",     u8,      "Waiters that had to be posted, while a checkpoint ran"),
    F(  64, "waiters_needing_post_not_at_ckpt", u8,      "Waiters that had to be posted, at other times"),
    F(  72, "opens",                            u8,      "Times it was opened"),
    F(  80, "errors",                           u8,      "Write errors"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0xA1, 0x01, "TPIPE statistics", TPIPES, Entries(TPIPE, start=34, count_at=30, length_at=32)),
    LogRecord(0xA1, 0x02, "Callout statistics", CALLOUTS, Entries(CALLOUT, start=34, count_at=30, length_at=32)),
    LogRecord(0xA1, 0x03, "CQS statistics", CQS, Entries(STRUCTURE, start=130, count_at=30, length_at=32)),
    LogRecord(0xA1, 0x04, "CQS request statistics", REQUESTS, Entries(REQUEST, start=42, count_at=30, length_at=32)),
    LogRecord(0xA1, 0x05, "IRLM statistics", IRLM),
    LogRecord(0xA1, 0x06, "IRLM subsystem statistics", IRLM_USERS, Entries(IRLM_USER, start=46, count_at=30, length_at=32)),
    LogRecord(0xA1, 0x07, "External subsystem statistics", EXTERNAL, Entries(EXTERNAL_SUBSYSTEM, start=34, count_at=30, length_at=32)),
    LogRecord(0xA1, 0x08, "DL/I call statistics", CALLS, Entries(SOURCE, start=34, count_at=30, length_at=32)),
    LogRecord(0xA1, 0x09, "Source of a thread", THREAD),
    LogRecord(0xA1, 0x0A, "Further message queue statistics", MESSAGE_QUEUE),
    LogRecord(0xA1, 0x0B, "Log data set statistics", LOG_DATA_SETS, Entries(LOG_DATA_SET, start=34, count_at=30, length_at=32)),
)
