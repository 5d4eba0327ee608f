/* imsperf check
title = "Calls by kind of region are those of the units of recovery in the log"
unit = "calls"
source = "IMS log A108 of all sources against 56FA between the same two sets, where each transaction wrote one (TRANSTAT): calls to databases, also by kind, and messages inserted; 0.5 % and those of 20 units for what is under way at both ends, of one kind of call three of the largest units more"
covers = "a log file has all records between two A108"
*/
WITH source AS (
    SELECT file_id, record_no,
        [sum(transactions_processed), sum(db_gu_calls + db_gn_calls + db_gnp_calls), sum(db_isrt_calls + db_dlet_calls + db_repl_calls),
            sum(dc_isrt_calls + dc_purg_calls), sum(db_gu_calls), sum(db_gn_calls), sum(db_gnp_calls), sum(db_isrt_calls),
            sum(db_dlet_calls), sum(db_repl_calls)]::DOUBLE[] AS number
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
        [sum(tpdgu + tpdghu + tpdgn + tpdghn + tpdgnp + tpdghnp), sum(dl_repl + dl_isrt + dl_dlet), sum(msg_isrt), sum(tpdgu + tpdghu),
            sum(tpdgn + tpdghn), sum(tpdgnp + tpdghnp), sum(dl_isrt), sum(dl_dlet), sum(dl_repl)]::DOUBLE[] AS number,
        [0, 0, 0, max(tpdgu + tpdghu), max(tpdgn + tpdghn), max(tpdgnp + tpdghnp), max(dl_isrt), max(dl_dlet),
            max(dl_repl)]::DOUBLE[] AS most
    FROM counted AS c
    JOIN ims_56fa AS u ON u.file_id = c.part::INTEGER AND u.log_lsn BETWEEN c.first_lsn AND c.last_lsn
    GROUP BY ALL
),
kind AS (
    SELECT unnest(['gets', 'changes', 'inserts', 'GU', 'GN', 'GNP', 'ISRT', 'DLET', 'REPL']) AS what, generate_subscripts(
        ['gets', 'changes', 'inserts', 'GU', 'GN', 'GNP', 'ISRT', 'DLET', 'REPL'], 1) AS place
)
SELECT c.run, NULL::VARCHAR AS system, c.since || ' ' || c.ims || ' ' || k.what AS key,
    c.number[k.place + 1] AS found, c.number[k.place + 1] AS found_low, c.number[k.place + 1] AS found_high,
    u.number[k.place] * (0.995 - 20 / u.units) - 3 * u.most[k.place] AS low,
    u.number[k.place] * (1.005 + 20 / u.units) + 3 * u.most[k.place] AS high
FROM counted AS c
JOIN unit AS u USING (run, ims, part, since)
CROSS JOIN kind AS k
WHERE u.number[k.place] > 0 AND c.number[1] <= u.units * 1.005 + 20
