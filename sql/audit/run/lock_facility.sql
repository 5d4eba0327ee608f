/* imsperf check
title = "The coupling facility serves the lock requests that IRLM makes, and both count the same contention"
unit = "requests or us"
source = "IMS log A105 against record type 74.4 of the lock structure on the system of the IMS, between statistics sets: requests (R744STRC), those done synchronously, their time, contention (R744SCN) and false contention (R744SFCN); requests that waited are at least those held up (R744STAC); 2 requests for the moments of reading, and as much as the ends are apart"
covers = "74.4 of the structure fills the time between two A105"
*/
WITH taken AS (
    SELECT f.run, q.imsid AS ims, q.lock_structure AS part, q.interval_start AS restart, q.sample, NULL::UBIGINT AS lsn,
        [q.cf_requests, q.cf_sync, q.cf_us, q.xes_contentions, q.false_contentions, q.waits]::DOUBLE[] AS number
    FROM ims_a105 AS q
    JOIN load_file AS f ON f.file_id = q.file_id
),
counted AS MATERIALIZED (
    FROM audit_spans('taken')
),
owner AS (
    SELECT DISTINCT run, system, ims FROM ims_statistics_set
),
served AS (
    SELECT q.run, o.system, q.ims, q.part, q.begin, q.finish, any_value(q.number) AS counted, any_value(q.since) AS since,
        audit_apart(min(p.smf74gie - p.smf74int), max(p.smf74gie), q.begin, q.finish) AS apart,
        [sum(r.r744strc), sum(r.r744ssrc), sum(r.r744sstm + r.r744satm), sum(r.r744scn), sum(r.r744sfcn), sum(r.r744stac)]::DOUBLE[] AS number
    FROM smf74_4_request AS r
    JOIN smf74_4_product AS p ON p.file_id = r.file_id AND p.record_no = r.record_no
    JOIN load_file AS f ON f.file_id = r.file_id
    JOIN owner AS o ON o.run = f.run AND o.system = r.system
    JOIN counted AS q ON q.run = f.run AND q.ims = o.ims AND q.part = r.r744snam
        AND audit_inside(p.smf74gie - p.smf74int, epoch(p.smf74int), q.begin, q.finish)
    GROUP BY q.run, o.system, q.ims, q.part, q.begin, q.finish
    HAVING audit_fills(sum(epoch(p.smf74int)), q.begin, q.finish)
)
SELECT s.run, s.system, s.since || ' ' || s.ims || ' ' || s.part || ' ' || v.what AS key, s.counted[v.n] AS found, s.counted[v.n] AS found_low,
    s.counted[v.n] AS found_high, s.number[v.n] * (1 - s.apart) - v.room AS low,
    if(v.what = 'held up', 'Infinity'::DOUBLE, s.number[v.n] * (1 + s.apart) + v.room) AS high
FROM served AS s,
    LATERAL (VALUES (1, 'requests', 2), (2, 'synchronous', 2), (3, 'time', 2 * s.number[3] / s.number[1] + 2), (4, 'contention', 2), (5, 'false contention', 2),
        (6, 'held up', 2)) AS v (n, what, room)
WHERE s.number[1] > 0
