/* imsperf check
title = "OTMA gets an AWE for each message, the logger hands on one for each that it submits"
unit = "requests"
source = "IMS log A10C against 451A and 4507 of the same set; session 14772: one AWE for each input message; exact"
*/
WITH asked AS (
    SELECT b.file_id, b.imsid, b.ckpt_no, b.sample, c.caller, c.requests
    FROM ims_a10c AS b
    JOIN ims_a10c_caller AS c ON c.file_id = b.file_id AND c.record_no = b.record_no
    WHERE b.block = 'AWE'
),
done AS (
    SELECT file_id, imsid, ckpt_no, sample, 'OTMA' AS caller, messages_in AS number FROM ims_451a
    UNION ALL
    SELECT file_id, imsid, ckpt_no, sample, 'LOGGER', awe_submitted FROM ims_4507
)
SELECT f.run, NULL::VARCHAR AS system, a.imsid || ' ' || a.ckpt_no || ' ' || a.caller AS key,
    a.requests::DOUBLE AS found, a.requests::DOUBLE AS found_low, a.requests::DOUBLE AS found_high,
    d.number::DOUBLE AS low, d.number::DOUBLE AS high
FROM asked AS a
JOIN done AS d USING (file_id, imsid, ckpt_no, sample, caller)
JOIN load_file AS f ON f.file_id = a.file_id
WHERE d.number > 0
