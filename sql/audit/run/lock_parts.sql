/* imsperf check
title = "Contention of locks is settled between IRLMs or was false, needs another member, and is a part of what was asked"
unit = "requests"
source = "IMS log A105: false contention and that settled between IRLMs are the contention that XES found, and what needed another member; requests done synchronously are requests; requests to the structure are for locks, to obtain, change or release; 74.4: requests that met contention (R744SCN) were held up (R744STAC); exact"
*/
SELECT f.run, NULL::VARCHAR AS system, q.imsid || ' ' || q.ckpt_no || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM ims_a105 AS q
JOIN load_file AS f ON f.file_id = q.file_id,
    LATERAL (VALUES
        ('contention', q.irlm_contentions::DOUBLE + q.false_contentions, q.xes_contentions::DOUBLE, q.xes_contentions::DOUBLE),
        ('of another member', q.global_locks::DOUBLE, q.xes_contentions, q.xes_contentions),
        ('synchronous', q.cf_sync::DOUBLE, 0, q.cf_requests),
        ('waits', q.waits::DOUBLE, q.xes_contentions, 'Infinity'::DOUBLE),
        ('of locks', if(q.locks > 0, q.cf_requests::DOUBLE, NULL), 0, q.locks::DOUBLE + q.unlocks + q.change_req)) AS v (what, found, low, high)
WHERE v.found > 0
UNION ALL
SELECT f.run, r.system, strftime(r.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || r.r744snam || ' held up' AS key,
    r.r744scn AS found, r.r744scn AS found_low, r.r744scn AS found_high, 0 AS low, r.r744stac AS high
FROM smf74_4_request AS r
JOIN load_file AS f ON f.file_id = r.file_id
WHERE r.r744scn > 0 AND r.r744stac > 0
