/* imsperf check
title = "Calls by kind of region are those of the units of recovery in the log"
unit = "calls"
source = "IMS log A108 of all sources against 56FA between the same two sets, where each transaction wrote one (TRANSTAT): calls to databases and messages inserted; 0.5 % and those of 20 units for what is under way at both ends"
views = ["ims_a108", "ims_a108_source", "ims_56fa"]
covers = "a log file has all records between two A108"
*/
WITH source AS (
    SELECT file_id, record_no,
        [sum(transactions_processed), sum(db_gu_calls + db_gn_calls + db_gnp_calls), sum(db_isrt_calls + db_dlet_calls + db_repl_calls),
            sum(dc_isrt_calls + dc_purg_calls)]::DOUBLE[] AS number
    FROM ims_a108_source
    GROUP BY ALL
),
taken AS (
    FROM audit_log_sets('ims_a108', 'source')
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
unit AS MATERIALIZED (
    SELECT c.run, c.ims, c.part, c.since, count(*)::DOUBLE AS units,
        [sum(tpdgu + tpdghu + tpdgn + tpdghn + tpdgnp + tpdghnp), sum(dl_repl + dl_isrt + dl_dlet), sum(msg_isrt)]::DOUBLE[] AS number
    FROM counted AS c
    JOIN ims_56fa AS u ON u.file_id = c.part::INTEGER AND u.log_lsn BETWEEN c.first_lsn AND c.last_lsn
    GROUP BY ALL
)
SELECT c.run, NULL::VARCHAR AS system, c.since || ' ' || c.ims || ' ' || v.what AS key, v.found, v.found AS found_low, v.found AS found_high,
    v.logged * (0.995 - 20 / u.units) AS low, v.logged * (1.005 + 20 / u.units) AS high
FROM counted AS c
JOIN unit AS u USING (run, ims, part, since),
    LATERAL (VALUES ('gets', c.number[2], u.number[1]), ('changes', c.number[3], u.number[2]), ('inserts', c.number[4], u.number[3])) AS v (what, found, logged)
WHERE v.logged > 0 AND c.number[1] <= u.units * 1.005 + 20
