/* imsperf check
title = "Schedules by kind of region are those that IMS counts"
unit = "schedules"
source = "IMS log A108 of all sources against 4506 of the same set, where all are regions that wait for messages: a thread of CICS or ODBM, or a batch program, is not scheduled for a message; exact"
*/
WITH source AS (
    SELECT k.file_id, k.imsid, k.ckpt_no, k.sample, sum(c.schedules)::DOUBLE AS schedules
    FROM ims_a108 AS k
    JOIN ims_a108_source AS c ON c.file_id = k.file_id AND c.record_no = k.record_no
    GROUP BY ALL
    HAVING bool_and(c.source IN ('MPP', 'JMP', 'IFP'))
)
SELECT f.run, NULL::VARCHAR AS system, s.imsid || ' ' || s.ckpt_no AS key, s.schedules AS found,
    s.schedules AS found_low, s.schedules AS found_high, h.schedules::DOUBLE AS low, h.schedules::DOUBLE AS high
FROM source AS s
JOIN ims_4506 AS h USING (file_id, imsid, ckpt_no, sample)
JOIN load_file AS f ON f.file_id = s.file_id
WHERE s.schedules > 0 OR h.schedules > 0
