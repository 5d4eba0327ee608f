"""IMS log code 45, statistics of work inside IMS: 4506 scheduling, 4509 locks, 450B selective dispatching and
save area prefixes (SAP), 450F dispatcher.
"""

from __future__ import annotations

from imsperf.kinds import text, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS, SET, TABLE
from imsperf.record import Entries, LogRecord

# fmt: off

SCHEDULING = Section("ims_4506", "Application scheduling", f"{OURS}: code 45 subcode 06", 110, (
    *SET,
    F(  30, "schedules",      u8, "Programs scheduled"),
    F(  38, "intent_fail",    u8, "Schedules put off: conflicting intent"),
    F(  46, "psb_pool_fail",  u8, "Schedules put off: no room in the PSB pool"),
    F(  54, "dmb_pool_fail",  u8, "Schedules put off: no room in the DMB pool"),
    F(  62, "work_pool_fail", u8, "Schedules put off: no room in the PSB work pool"),
    F(  70, "prty_cutoff",    u8, "Schedules put off: priority below the cutoff"),
    F(  78, "deadlocks",      u8, "Deadlocks"),
    F(  86, "pseudo_abend",   u8, "Pseudo abends"),
    F(  94, "quick_resched",  u8, "Quick reschedules: next message without a new schedule"),
    F( 102, "psb_loads",      u8, "PSBs loaded from ACBLIB"),
), PROJECT_DEFINED)

LOCKS = Section("ims_4509", "Lock activity", f"{OURS}: code 45 subcode 09", 86, (
    *SET,
    F(  30, "requests",    u8, "Lock requests", "requests"),
    F(  38, "waits",       u8, "Lock requests that had to wait", "requests"),
    F(  46, "deadlocks",   u8, "Deadlocks"),
    F(  54, "releases",    u8, "Lock releases", "requests"),
    F(  62, "wait_us",     u8, "Time of lock waits, sum", "us"),
    F(  70, "irlm_global", u8, "IRLM requests that needed another member of the group", "requests"),
    F(  78, "false_cont",  u8, "Contentions the IRLM found to be false (same hash, other resource)"),
), PROJECT_DEFINED)

DISPATCHING = Section("ims_450b", "Selective dispatching and save area prefixes (SAP)", f"{OURS}: code 45 subcode 0B", 122, (
    *TABLE,
    F(  34, "selective_starts",           u8, "Times selective dispatching began because SAPs or storage were short"),
    F(  42, "selective_us",               u8, "Time spent in selective dispatching", "us"),
    F(  50, "dispatcher_suspends",        u8, "Suspensions of an IMS TCB for lack of work, all TCBs"),
    F(  58, "total_suspend_backouts",     u8, "Suspensions given up because work came in meanwhile"),
    F(  66, "total_wrong_tcb_itask_term", u8, "ITASKs that ended on another TCB than they began on"),
    F(  74, "sap_waits",                  u8, "ITASK creations that waited for a SAP"),
    F(  82, "sap_expansions",             u8, "Times more SAPs were built"),
    F(  90, "saps",                       u4, "SAPs now"),
    F(  94, "max_saps",                   u4, "Most SAPs in use so far"),
    F(  98, "ave_avail_non_priv_saps_c",  u4, "Free SAPs for ordinary work, mean since the last set", "1/100 SAPs"),
    F( 102, "low_avail_non_priv_saps",    u4, "Free SAPs for ordinary work, fewest since the last set"),
    F( 106, "ave_priv_saps_c",            u4, "SAPs held by privileged work, mean since the last set", "1/100 SAPs"),
    F( 110, "high_priv_saps",             u4, "SAPs held by privileged work, most since the last set"),
    F( 114, "online_cps",                 u2, "General processors online", "processors"),
    F( 116, "online_zaaps",               u2, "zAAPs online", "processors"),
    F( 118, "online_ziips",               u2, "zIIPs online", "processors"),
    # +120: 2 reserved bytes
), PROJECT_DEFINED)

DISPATCHING_TCB = Section("ims_450b_tcb", "Dispatching on one TCB", f"{OURS}: code 45 subcode 0B, entry", 56, (
    F(   0, "tcb",                  text(3), "Kind of TCB, as in 450F"),
    # +3: 1 reserved byte
    F(   4, "itask_dispatches",     u8,      "ITASKs dispatched on this TCB"),
    F(  12, "dispatcher_suspends",  u8,      "Suspensions of this TCB for lack of work"),
    F(  20, "suspend_backouts",     u8,      "Suspensions of this TCB given up because work came in meanwhile"),
    F(  28, "wrong_tcb_itask_term", u8,      "ITASKs that ended here but began on another TCB"),
    F(  36, "suspend_us",           u8,      "Time this TCB was suspended", "us"),
    F(  44, "wait_us",              u8,      "Time ITASKs of this TCB were ready but not dispatched", "us"),
    F(  52, "maxq",                 u4,      "Longest queue of ready ITASKs"),
), PROJECT_DEFINED)

DISPATCHER = Section("ims_450f", "Dispatcher: one row per record", f"{OURS}: code 45 subcode 0F", 34, TABLE, PROJECT_DEFINED)

DISPATCHER_TCB = Section("ims_450f_tcb", "Dispatcher counters of one TCB", f"{OURS}: code 45 subcode 0F, entry", 52, (
    F(   0, "tcb",           text(3), "Kind of TCB: CTL, DLI, LOG, FP and others"),
    # +3: 1 reserved byte
    F(   4, "itask_creates", u8,      "ITASKs created"),
    F(  12, "dispatches",    u8,      "ITASKs dispatched"),
    F(  20, "iposts",        u8,      "Internal posts"),
    F(  28, "iwaits",        u8,      "Internal waits"),
    F(  36, "iswitches",     u8,      "Switches of an ITASK to another TCB"),
    F(  44, "cpu_us",        u8,      "CPU time of the TCB", "us"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x45, 0x06, "Scheduling statistics", SCHEDULING),
    LogRecord(0x45, 0x09, "Lock statistics", LOCKS),
    LogRecord(0x45, 0x0B, "Dispatching statistics", DISPATCHING, Entries(DISPATCHING_TCB, start=122, count_at=30, length_at=32)),
    LogRecord(0x45, 0x0F, "Dispatcher statistics", DISPATCHER, Entries(DISPATCHER_TCB, start=34, count_at=30, length_at=32)),
)
