/* imsperf check
title = "CQS counts for its structures what it counts in all, and for kinds of requests what it counts for a structure"
unit = "requests or us"
source = "IMS log A103 and A104 of the same checkpoint: requests to the coupling facility, in all and done synchronously, and their time; a request to put or read has one data object unless it failed, other requests have one at least; a us for each sum"
*/
WITH structure AS (
    SELECT q.file_id, q.record_no, q.imsid, q.ckpt_no, q.sample, q.cqs, any_value(q.cf_requests)::DOUBLE AS cf_requests, any_value(q.cf_us)::DOUBLE AS cf_us,
        sum(s.cf_requests)::DOUBLE AS each_requests, sum(s.cf_us)::DOUBLE AS each_us, count(*) AS number
    FROM ims_a103 AS q
    JOIN ims_a103_structure AS s ON s.file_id = q.file_id AND s.record_no = q.record_no
    GROUP BY ALL
),
request AS (
    SELECT q.file_id, q.imsid, q.ckpt_no, q.sample, q.cqs, sum(r.cf_us)::DOUBLE AS cf_us, count(*) AS number
    FROM ims_a104 AS q
    JOIN ims_a104_request AS r ON r.file_id = q.file_id AND r.record_no = q.record_no
    GROUP BY ALL
),
tested AS (
    SELECT s.file_id, s.imsid, s.ckpt_no, '' AS what, v.what AS measure, v.found, v.low, v.high
    FROM structure AS s
    LEFT JOIN request AS r USING (file_id, imsid, ckpt_no, sample, cqs),
        LATERAL (VALUES
            ('requests', s.each_requests, s.cf_requests, s.cf_requests),
            ('time of structures', s.each_us, s.cf_us - s.number, s.cf_us + s.number),
            ('time of requests', r.cf_us, s.cf_us - s.number - r.number, s.cf_us + s.number + r.number)) AS v (what, found, low, high)
    UNION ALL
    SELECT q.file_id, q.imsid, q.ckpt_no, s.structure || ' ', 'synchronous', s.cf_sync::DOUBLE, 0, s.cf_requests
    FROM ims_a103 AS q
    JOIN ims_a103_structure AS s ON s.file_id = q.file_id AND s.record_no = q.record_no
    UNION ALL
    SELECT q.file_id, q.imsid, q.ckpt_no, r.structure || ' ' || r.client || ' ' || r.request || ' ', v.what, v.found, v.low, v.high
    FROM ims_a104 AS q
    JOIN ims_a104_request AS r ON r.file_id = q.file_id AND r.record_no = q.record_no,
        LATERAL (VALUES
            ('requests', r.requests::DOUBLE, if(r.request IN ('PUT', 'READ'), r.objects::DOUBLE, 0), r.objects::DOUBLE + r.failed),
            ('parts of the time', r.queue_us::DOUBLE + r.cf_us, 0, r.elapsed_us)) AS v (what, found, low, high)
)
SELECT f.run, NULL::VARCHAR AS system, t.imsid || ' ' || t.ckpt_no || ' ' || t.what || t.measure AS key,
    t.found, t.found AS found_low, t.found AS found_high, t.low, t.high
FROM tested AS t
JOIN load_file AS f ON f.file_id = t.file_id
WHERE t.found IS NOT NULL AND (t.found > 0 OR t.high > 0)
