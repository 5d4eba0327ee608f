-- ims_call_source: one row per IMS, pair of statistics sets and source of DL/I calls.
CREATE OR REPLACE VIEW ims_call_source AS
WITH entry AS (
    SELECT
        r.run, r.imsid AS ims, r.ckpt_no, r.interval_start AS counters_from, r.sample,
        (e.source, e.source_name) AS entry_key,
        CAST([
            e.transactions_processed, e.db_gu_calls, e.db_gn_calls, e.db_gnp_calls,
            e.db_isrt_calls, e.db_dlet_calls, e.db_repl_calls, e.db_other_calls, e.dc_gu_calls,
            e.dc_gn_calls, e.dc_isrt_calls, e.dc_purg_calls, e.dc_ical_calls, e.dli_chng_calls,
            e.dli_sync_calls, e.dli_other_calls, e.esaf_calls, e.schedules, e.schedule_waits,
            e.elapsed_us, e.cpu_us, e.ziip_us
        ] AS HUGEINT[]) AS counters,
        e.source, e.source_name,
        e.transactions_processed, e.db_gu_calls, e.db_gn_calls, e.db_gnp_calls, e.db_isrt_calls,
        e.db_dlet_calls, e.db_repl_calls, e.db_other_calls, e.dc_gu_calls, e.dc_gn_calls,
        e.dc_isrt_calls, e.dc_purg_calls, e.dc_ical_calls, e.dli_chng_calls, e.dli_sync_calls,
        e.dli_other_calls, e.esaf_calls, e.schedules, e.schedule_waits, e.elapsed_us, e.cpu_us,
        e.ziip_us,
        e.threads,
        e.max_threads,
        r.file_id, r.record_no
    FROM ims_records_once('ims_a108') AS r
    JOIN ims_a108_source AS e ON e.file_id = r.file_id AND e.record_no = r.record_no
)
SELECT
    p.now.run                                                AS run, -- Measurement
    p.s.sysplex                                              AS sysplex, -- Sysplex name, from the 4500 of the set
    p.s.system                                               AS system, -- SMF system id, from the 4500 of the set; NULL without it
    p.s.counted_from + p.s.local_offset                      AS interval_start, -- Start of the counted time, local; NULL without a 4500
    p.s.counted_from                                         AS interval_start_utc, -- Start of the counted time, UTC: the earlier set, or the restart after it
    epoch(p.now.sample - p.s.counted_from)                   AS interval_s, -- Counted time [s]
    p.restarted                                              AS restarted, -- IMS restarted since the earlier set: counts are those since the restart
    p.now.ims                                                AS ims, -- IMS id
    p.now.ckpt_no                                            AS ckpt_no, -- Checkpoint of the later set
    p.now.sample                                             AS sample_utc, -- Time of the later set, UTC
    p.now.source                                             AS source, -- Kind of region or thread: MPP, IFP, BMP, CICS, ODBM and others
    p.now.source_name                                        AS source_name, -- Application id of the CICS or name of the ODBM; blank for regions
    ims_since(p.now.transactions_processed, p.before.transactions_processed, p.restarted)
                                                             AS transaction_count, -- Transactions or units of work
    ims_since(p.now.db_gu_calls, p.before.db_gu_calls, p.restarted) AS db_gu_count, -- GU and GHU calls to databases
    ims_since(p.now.db_gn_calls, p.before.db_gn_calls, p.restarted) AS db_gn_count, -- GN and GHN calls to databases
    ims_since(p.now.db_gnp_calls, p.before.db_gnp_calls, p.restarted) AS db_gnp_count, -- GNP and GHNP calls to databases
    ims_since(p.now.db_isrt_calls, p.before.db_isrt_calls, p.restarted) AS db_isrt_count, -- ISRT calls to databases
    ims_since(p.now.db_dlet_calls, p.before.db_dlet_calls, p.restarted) AS db_dlet_count, -- DLET calls to databases
    ims_since(p.now.db_repl_calls, p.before.db_repl_calls, p.restarted) AS db_repl_count, -- REPL calls to databases
    ims_since(p.now.db_other_calls, p.before.db_other_calls, p.restarted) AS db_other_count, -- Other calls to databases
    ims_since(p.now.dc_gu_calls, p.before.dc_gu_calls, p.restarted) AS dc_gu_count, -- GU calls to the message queue
    ims_since(p.now.dc_gn_calls, p.before.dc_gn_calls, p.restarted) AS dc_gn_count, -- GN calls to the message queue
    ims_since(p.now.dc_isrt_calls, p.before.dc_isrt_calls, p.restarted) AS dc_isrt_count, -- ISRT calls of output messages
    ims_since(p.now.dc_purg_calls, p.before.dc_purg_calls, p.restarted) AS dc_purg_count, -- PURG calls
    ims_since(p.now.dc_ical_calls, p.before.dc_ical_calls, p.restarted) AS dc_ical_count, -- ICAL calls
    ims_since(p.now.dli_chng_calls, p.before.dli_chng_calls, p.restarted) AS chng_count, -- CHNG calls
    ims_since(p.now.dli_sync_calls, p.before.dli_sync_calls, p.restarted) AS sync_count, -- SYNC, CHKP and the like
    ims_since(p.now.dli_other_calls, p.before.dli_other_calls, p.restarted) AS service_count, -- Other system service calls
    ims_since(p.now.esaf_calls, p.before.esaf_calls, p.restarted) AS esaf_count, -- Calls to external subsystems
    ims_since(p.now.schedules, p.before.schedules, p.restarted) AS schedule_count, -- Schedules of a PSB
    ims_since(p.now.schedule_waits, p.before.schedule_waits, p.restarted) AS schedule_wait_count, -- Schedules that waited for a thread
    ims_since(p.now.elapsed_us, p.before.elapsed_us, p.restarted) AS elapsed_us, -- Time inside DL/I calls [us]
    ims_since(p.now.cpu_us, p.before.cpu_us, p.restarted)    AS cpu_us, -- CPU time on general processors [us]
    ims_since(p.now.ziip_us, p.before.ziip_us, p.restarted)  AS ziip_us, -- CPU time on zIIPs [us]
    p.now.threads                                            AS threads, -- Threads or regions at the later set
    p.now.max_threads                                        AS max_threads, -- Most threads or regions so far
    p.now.file_id                                            AS file_id, -- File of the later record
    p.now.record_no                                          AS record_no -- Later record in that file
FROM ims_entry_pairs('ims_a108', 'entry') AS p;
