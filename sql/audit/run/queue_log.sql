/* imsperf check
title = "CQS writes its log as often as its log stream is written"
unit = "writes, bytes, records or us"
source = "IMS log A103 against record type 88, subtype 1, of a system with one log stream, over the run; a write has a record at least and takes no less time than its request to the structure (74.4); 0.5 % and 10 for the ends of intervals"
views = ["ims_a103", "ims_statistics_set", "smf_logstream", "rmf_cf_structure"]
*/
WITH counted AS (
    SELECT f.run, q.imsid AS ims, [max(q.log_writes) - min(q.log_writes), max(q.log_bytes) - min(q.log_bytes),
            max(q.log_us) - min(q.log_us), max(q.log_records) - min(q.log_records)]::DOUBLE[] AS number,
        min(q.sample) AS first_utc, max(q.sample) AS last_utc
    FROM ims_a103 AS q
    JOIN load_file AS f ON f.file_id = q.file_id
    GROUP BY ALL
    HAVING count(DISTINCT q.interval_start) = 1
),
owner AS (
    SELECT run, system, any_value(ims) AS ims
    FROM ims_statistics_set
    GROUP BY ALL
    HAVING count(DISTINCT ims) = 1
),
stream AS (
    SELECT w.run, w.system, any_value(w.structure) AS structure, sum(w.write_count) AS writes, sum(w.written_bytes) AS bytes
    FROM smf_logstream AS w
    JOIN owner AS o USING (run, system)
    JOIN counted AS q USING (run, ims)
    WHERE w.interval_start_utc >= q.first_utc - INTERVAL 1 SECOND AND w.interval_end_utc <= q.last_utc + INTERVAL 1 SECOND
    GROUP BY ALL
    HAVING count(DISTINCT w.log_stream) = 1
),
served AS (
    SELECT s.run, s.system, sum(c.sync_us + c.async_us) AS us
    FROM rmf_cf_structure AS c
    JOIN stream AS s USING (run, system, structure)
    JOIN owner AS o USING (run, system)
    JOIN counted AS q USING (run, ims)
    WHERE c.interval_start_utc >= q.first_utc - INTERVAL 1 SECOND
        AND c.interval_start_utc + to_milliseconds((1000 * c.interval_s)::BIGINT) <= q.last_utc + INTERVAL 1 SECOND
    GROUP BY ALL
)
SELECT s.run, s.system, q.ims || ' ' || v.what AS key, q.number[v.n] AS found, q.number[v.n] AS found_low,
    q.number[v.n] AS found_high, v.low, v.high
FROM stream AS s
JOIN owner AS o USING (run, system)
JOIN counted AS q USING (run, ims)
LEFT JOIN served AS c USING (run, system),
    LATERAL (VALUES
        (1, 'writes', s.writes * 0.995 - 10, s.writes * 1.005 + 10),
        (2, 'bytes', s.bytes * 0.995 - 10 * s.bytes / s.writes, s.bytes * 1.005 + 10 * s.bytes / s.writes),
        (3, 'time', coalesce(c.us, 0) * 0.995 - 10, 'Infinity'::DOUBLE),
        (4, 'records', q.number[1], 'Infinity'::DOUBLE)) AS v (n, what, low, high)
WHERE s.writes > 0
