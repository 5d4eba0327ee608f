/* imsperf check
title = "The coupling facility serves the requests that CQS makes"
unit = "requests or us"
source = "IMS log A103 against record type 74.4 of the structure on the system of the IMS, over the run; 0.5 % and 10 for the moments of reading"
views = ["ims_a103", "ims_a103_structure", "ims_statistics_set", "rmf_cf_structure", "smf74_4_request"]
*/
WITH counted AS (
    SELECT f.run, q.imsid AS ims, s.structure, max(s.cf_requests)::DOUBLE - min(s.cf_requests) AS requests,
        max(s.cf_us)::DOUBLE - min(s.cf_us) AS us, max(s.cf_sync)::DOUBLE - min(s.cf_sync) AS sync, min(q.sample) AS first_utc, max(q.sample) AS last_utc
    FROM ims_a103 AS q
    JOIN ims_a103_structure AS s ON s.file_id = q.file_id AND s.record_no = q.record_no
    JOIN load_file AS f ON f.file_id = q.file_id
    GROUP BY ALL
    HAVING count(DISTINCT q.interval_start) = 1
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
    SELECT o.ims, c.run, c.system, c.structure, sum(c.request_count)::DOUBLE AS requests,
        sum(c.sync_us + c.async_us)::DOUBLE AS us, sum(c.sync_count)::DOUBLE AS sync, sum(m.made) AS made
    FROM rmf_cf_structure AS c
    JOIN made AS m USING (run, system, structure, interval_start)
    JOIN owner AS o USING (run, system)
    JOIN counted AS q ON q.run = c.run AND q.ims = o.ims AND q.structure = c.structure
    WHERE c.interval_start_utc >= q.first_utc - INTERVAL 1 SECOND
        AND c.interval_start_utc + to_milliseconds((1000 * c.interval_s)::BIGINT) <= q.last_utc + INTERVAL 1 SECOND
    GROUP BY ALL
)
SELECT s.run, s.system, q.ims || ' ' || q.structure || ' ' || v.what AS key, v.found, v.found AS found_low,
    v.found AS found_high, v.served * 0.995 - 10 AS low, v.served * 1.005 + 10 AS high
FROM counted AS q
JOIN served AS s USING (run, ims, structure),
    LATERAL (VALUES ('requests', q.requests, s.requests), ('requests made', q.requests, s.made), ('time', q.us, s.us),
        ('synchronous', q.sync, s.sync)) AS v (what, found, served)
WHERE v.served > 0
