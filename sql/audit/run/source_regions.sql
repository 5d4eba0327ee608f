/* imsperf check
title = "Sources have the regions and threads that IMS has"
unit = "regions"
source = "IMS log A108 against 47 of the same checkpoint: regions of a kind (M MPP, I IFP, J JMP, B BMP, D threads of CICS and ODBM) are those of its sources, at most the most so far; exact"
*/
WITH held AS (
    SELECT h.file_id, h.ckpt_no, r.region_type AS kind, count(*)::DOUBLE AS regions
    FROM ims_47 AS h
    JOIN ims_47_region AS r ON r.file_id = h.file_id AND r.record_no = h.record_no
    GROUP BY ALL
),
source AS (
    SELECT k.file_id, k.imsid, k.ckpt_no, CASE c.source WHEN 'MPP' THEN 'M' WHEN 'IFP' THEN 'I' WHEN 'JMP' THEN 'J' WHEN 'BMP' THEN 'B' WHEN 'JBP' THEN 'B' ELSE 'D' END AS kind,
        sum(c.threads)::DOUBLE AS threads, sum(c.max_threads)::DOUBLE AS most
    FROM ims_a108 AS k
    JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, s.imsid || ' ' || s.ckpt_no || ' ' || s.kind || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM source AS s
JOIN held AS h USING (file_id, ckpt_no, kind)
JOIN load_file AS f ON f.file_id = s.file_id,
    LATERAL (VALUES ('now', s.threads, h.regions, h.regions), ('most', s.most, s.threads, 'Infinity'::DOUBLE)) AS v (what, found, low, high)
WHERE v.found > 0
