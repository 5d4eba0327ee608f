/* imsperf check
title = "The coupling facility serves the requests that CQS makes"
unit = "requests or us"
source = "IMS log A103 against record type 74.4 of the structure on the system of the IMS, between statistics sets; 2 requests for the moments of reading, and as much as the ends are apart"
covers = "74.4 of the structure fills the time between two A103"
*/
WITH taken AS (
    SELECT f.run, q.imsid AS ims, s.structure AS part, q.interval_start AS restart, q.sample, NULL::UBIGINT AS lsn,
        [s.cf_requests, s.cf_us, s.cf_sync]::DOUBLE[] AS number
    FROM ims_a103 AS q
    JOIN ims_a103_structure AS s ON s.file_id = q.file_id AND s.record_no = q.record_no
    JOIN load_file AS f ON f.file_id = q.file_id
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
made AS (
    SELECT f.run, r.system, r.r744snam AS structure, r.interval_start, sum(r.r744strc)::DOUBLE AS made
    FROM smf74_4_request AS r
    JOIN load_file AS f ON f.file_id = r.file_id
    GROUP BY ALL
),
owner AS (
    SELECT DISTINCT run, system, ims FROM ims_statistics_set
),
served AS (
    SELECT q.run, o.system, q.ims, q.part, q.begin, q.finish, any_value(q.number) AS counted, any_value(q.since) AS since,
        audit_apart(min(c.interval_start_utc), max(audit_end(c.interval_start_utc, c.interval_s)), q.begin, q.finish) AS apart,
        sum(c.request_count)::DOUBLE AS requests, sum(c.sync_us + c.async_us)::DOUBLE AS us, sum(c.sync_count)::DOUBLE AS sync, sum(m.made) AS made
    FROM rmf_cf_structure AS c
    JOIN made AS m USING (run, system, structure, interval_start)
    JOIN owner AS o USING (run, system)
    JOIN counted AS q ON q.run = c.run AND q.ims = o.ims AND q.part = c.structure
        AND audit_inside(c.interval_start_utc, c.interval_s, q.begin, q.finish)
    GROUP BY q.run, o.system, q.ims, q.part, q.begin, q.finish
    HAVING audit_fills(sum(c.interval_s), q.begin, q.finish)
)
SELECT s.run, s.system, s.since || ' ' || s.ims || ' ' || s.part || ' ' || v.what AS key, v.found, v.found AS found_low,
    v.found AS found_high, v.served * (1 - s.apart) - v.room AS low, v.served * (1 + s.apart) + v.room AS high
FROM served AS s,
    LATERAL (VALUES ('requests', s.counted[1], s.requests, 2), ('requests made', s.counted[1], s.made, 2),
        ('time', s.counted[2], s.us, 2 * s.us / s.requests + 2), ('synchronous', s.counted[3], s.sync, 2)) AS v (what, found, served, room)
WHERE v.served > 0
