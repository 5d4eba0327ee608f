/* imsperf check
title = "The coupling facility serves the lock requests that IRLM makes, and both count the same contention"
unit = "requests or us"
source = "IMS log A105 against record type 74.4 of the lock structure on the system of the IMS, over the run: requests (R744STRC), those done synchronously, their time, contention (R744SCN) and false contention (R744SFCN); requests that waited are at least those held up (R744STAC); 0.5 % and 10 for the moments of reading"
views = ["ims_a105", "ims_statistics_set", "smf74_4_request", "smf74_4_product"]
*/
WITH counted AS (
    SELECT f.run, q.imsid AS ims, q.lock_structure AS structure, min(q.sample) AS first_utc, max(q.sample) AS last_utc,
        [max(q.cf_requests) - min(q.cf_requests), max(q.cf_sync) - min(q.cf_sync), max(q.cf_us) - min(q.cf_us),
            max(q.xes_contentions) - min(q.xes_contentions), max(q.false_contentions) - min(q.false_contentions),
            max(q.waits) - min(q.waits)]::DOUBLE[] AS number
    FROM ims_a105 AS q
    JOIN load_file AS f ON f.file_id = q.file_id
    GROUP BY ALL
    HAVING count(DISTINCT q.interval_start) = 1
),
owner AS (
    SELECT DISTINCT run, system, ims FROM ims_statistics_set
),
served AS (
    SELECT o.ims, f.run, r.system, r.r744snam AS structure,
        [sum(r.r744strc), sum(r.r744ssrc), sum(r.r744sstm + r.r744satm), sum(r.r744scn), sum(r.r744sfcn), sum(r.r744stac)]::DOUBLE[] AS number
    FROM smf74_4_request AS r
    JOIN smf74_4_product AS p ON p.file_id = r.file_id AND p.record_no = r.record_no
    JOIN load_file AS f ON f.file_id = r.file_id
    JOIN owner AS o ON o.run = f.run AND o.system = r.system
    JOIN counted AS q ON q.run = f.run AND q.ims = o.ims AND q.structure = r.r744snam
    WHERE p.smf74gie - p.smf74int >= q.first_utc - INTERVAL 1 SECOND AND p.smf74gie <= q.last_utc + INTERVAL 1 SECOND
    GROUP BY ALL
)
SELECT s.run, s.system, q.ims || ' ' || q.structure || ' ' || v.what AS key, q.number[v.n] AS found, q.number[v.n] AS found_low,
    q.number[v.n] AS found_high, s.number[v.n] * 0.995 - 10 AS low,
    if(v.what = 'held up', 'Infinity'::DOUBLE, s.number[v.n] * 1.005 + 10) AS high
FROM counted AS q
JOIN served AS s USING (run, ims, structure),
    LATERAL (VALUES (1, 'requests'), (2, 'synchronous'), (3, 'time'), (4, 'contention'), (5, 'false contention'), (6, 'held up')) AS v (n, what)
WHERE s.number[1] > 0
