/* imsperf check
title = "Calls by kind of region are those of the units of recovery in the log"
unit = "calls"
source = "IMS log A108 of all sources against 56FA of the whole log, where each transaction wrote one (TRANSTAT): calls to databases and messages inserted; 0.5 % and those of 20 units for what is under way at both ends"
views = ["ims_a108", "ims_a108_source", "ims_56fa"]
*/
WITH counted AS (
    SELECT k.file_id, k.imsid, min(k.sample) AS first_utc, max(k.sample) AS last_utc,
        [max(c.processed) - min(c.processed), max(c.calls) - min(c.calls), max(c.changes) - min(c.changes), max(c.inserts) - min(c.inserts)]::DOUBLE[] AS number
    FROM ims_a108 AS k
    JOIN (
        SELECT file_id, record_no, sum(transactions_processed) AS processed,
            sum(db_gu_calls + db_gn_calls + db_gnp_calls) AS calls, sum(db_isrt_calls + db_dlet_calls + db_repl_calls) AS changes,
            sum(dc_isrt_calls + dc_purg_calls) AS inserts
        FROM ims_a108_source
        GROUP BY ALL
    ) AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    GROUP BY ALL
    HAVING count(DISTINCT k.interval_start) = 1
),
unit AS MATERIALIZED (
    SELECT file_id, count(*)::DOUBLE AS units, [sum(tpdgu + tpdghu + tpdgn + tpdghn + tpdgnp + tpdghnp), sum(dl_repl + dl_isrt + dl_dlet), sum(msg_isrt)]::DOUBLE[] AS number
    FROM ims_56fa
    GROUP BY file_id
)
SELECT f.run, NULL::VARCHAR AS system, c.imsid || ' ' || v.what AS key, v.found, v.found AS found_low, v.found AS found_high,
    v.logged * (0.995 - 20 / u.units) AS low, v.logged * (1.005 + 20 / u.units) AS high
FROM counted AS c
JOIN unit AS u USING (file_id)
JOIN ims_log_file AS l USING (file_id)
JOIN load_file AS f USING (file_id),
    LATERAL (VALUES ('gets', c.number[2], u.number[1]), ('changes', c.number[3], u.number[2]), ('inserts', c.number[4], u.number[3])) AS v (what, found, logged)
WHERE v.logged > 0 AND coalesce(l.sample_every, 1) = 1 AND c.number[1] <= u.units * 1.005 + 20
