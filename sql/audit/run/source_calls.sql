/* imsperf check
title = "What sources call outside is what external subsystems are called"
unit = "calls"
source = "IMS log A108 of all sources against A107 of all subsystems of the same set; exact"
*/
WITH source AS (
    SELECT k.file_id, k.imsid, k.ckpt_no, k.sample, sum(c.esaf_calls)::DOUBLE AS calls
    FROM ims_a108 AS k
    JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    GROUP BY ALL
),
subsystem AS (
    SELECT h.file_id, h.imsid, h.ckpt_no, h.sample, sum(e.calls)::DOUBLE AS calls
    FROM ims_a107 AS h
    JOIN ims_a107_subsystem AS e ON e.file_id = h.file_id AND e.record_no = h.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, s.imsid || ' ' || s.ckpt_no AS key, s.calls AS found, s.calls AS found_low,
    s.calls AS found_high, e.calls AS low, e.calls AS high
FROM source AS s
JOIN subsystem AS e USING (file_id, imsid, ckpt_no, sample)
JOIN load_file AS f ON f.file_id = s.file_id
WHERE e.calls > 0
