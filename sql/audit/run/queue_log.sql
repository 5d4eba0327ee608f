/* imsperf check
title = "CQS writes its log as often as its log stream is written"
unit = "writes, bytes, records or us"
source = "IMS log A103 against record type 88, subtype 1, of a system with one log stream, between statistics sets; a write has a record at least and takes no less time than its request to the structure (74.4); 2 writes for the moments of reading, and as much as the ends are apart"
covers = "88 (for the time 74.4 too) fills the time between two A103"
*/
WITH taken AS (
    SELECT f.run, q.imsid AS ims, NULL::VARCHAR AS part, q.interval_start AS restart, q.sample, NULL::UBIGINT AS lsn,
        [q.log_writes, q.log_bytes, q.log_us, q.log_records]::DOUBLE[] AS number
    FROM ims_a103 AS q
    JOIN load_file AS f ON f.file_id = q.file_id
),
owner AS (
    SELECT run, system, any_value(ims) AS ims
    FROM ims_statistics_set
    GROUP BY ALL
    HAVING count(DISTINCT ims) = 1
),
counted AS MATERIALIZED (
    SELECT q.*, o.system
    FROM audit_spans('taken') AS q
    JOIN owner AS o USING (run, ims)
),
stream AS (
    SELECT q.run, q.system, q.begin, q.finish, any_value(w.structure) AS structure, sum(w.write_count) AS writes, sum(w.written_bytes) AS bytes,
        audit_apart(min(w.interval_start_utc), max(w.interval_end_utc), q.begin, q.finish) AS apart
    FROM smf_logstream AS w
    JOIN counted AS q ON q.run = w.run AND q.system = w.system AND audit_inside(w.interval_start_utc, w.interval_s, q.begin, q.finish)
    GROUP BY q.run, q.system, q.begin, q.finish
    HAVING count(DISTINCT w.log_stream) = 1 AND audit_fills(sum(w.interval_s), q.begin, q.finish)
),
served AS (
    SELECT s.run, s.system, s.begin, s.finish, sum(c.sync_us + c.async_us) AS us
    FROM rmf_cf_structure AS c
    JOIN stream AS s ON s.run = c.run AND s.system = c.system AND s.structure = c.structure
        AND audit_inside(c.interval_start_utc, c.interval_s, s.begin, s.finish)
    GROUP BY s.run, s.system, s.begin, s.finish
)
SELECT s.run, s.system, q.since || ' ' || q.ims || ' ' || v.what AS key, q.number[v.n] AS found, q.number[v.n] AS found_low,
    q.number[v.n] AS found_high, v.low, v.high
FROM stream AS s
JOIN counted AS q USING (run, system, begin, finish)
LEFT JOIN served AS c USING (run, system, begin, finish),
    LATERAL (VALUES
        (1, 'writes', s.writes * (1 - s.apart) - 2, s.writes * (1 + s.apart) + 2),
        (2, 'bytes', s.bytes * (1 - s.apart) - 2 * s.bytes / s.writes, s.bytes * (1 + s.apart) + 2 * s.bytes / s.writes),
        (3, 'time', coalesce(c.us, 0) * (1 - s.apart) - 10, 'Infinity'::DOUBLE),
        (4, 'records', q.number[1], 'Infinity'::DOUBLE)) AS v (n, what, low, high)
WHERE s.writes > 0
