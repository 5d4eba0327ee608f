/* imsperf check
title = "ICAL calls by kind of region are those of the transactions that make them"
unit = "calls"
source = "IMS log A108 of all sources against A102 of all transactions of the same checkpoint: between the calls that came back and those that were made"
*/
WITH source AS (
    SELECT h.file_id, h.imsid, h.ckpt_no, sum(c.dc_ical_calls)::DOUBLE AS calls
    FROM ims_a108 AS h
    JOIN ims_a108_source AS c ON c.file_id = h.file_id AND c.record_no = h.record_no
    GROUP BY ALL
),
call AS (
    SELECT h.file_id, h.imsid, h.ckpt_no, sum(c.icals)::DOUBLE AS made, sum(c.responses + c.timeouts + c.errors)::DOUBLE AS ended
    FROM ims_a102 AS h
    JOIN ims_a102_ical AS c ON c.file_id = h.file_id AND c.record_no = h.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, s.imsid || ' ' || s.ckpt_no AS key, s.calls AS found, s.calls AS found_low,
    s.calls AS found_high, c.ended AS low, c.made AS high
FROM source AS s
JOIN call AS c USING (file_id, imsid, ckpt_no)
JOIN load_file AS f ON f.file_id = s.file_id
WHERE s.calls > 0 OR c.made > 0
