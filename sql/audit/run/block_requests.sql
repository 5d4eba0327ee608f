/* imsperf check
title = "Every request for a control block is satisfied by one path"
unit = "requests"
source = "IMS log A10C: requests of each caller, and expansions of the pool, against the paths; session 14772, AWE pool: queue, expansion in task mode, z/OS storage, blocks of the caller's own; exact"
*/
WITH asked AS (
    SELECT c.file_id, c.record_no, c.caller, c.requests::DOUBLE AS found,
        (c.from_queue::DOUBLE + c.from_expansion + c.from_storage + c.from_own) AS paths
    FROM ims_a10c_caller AS c
    UNION ALL
    SELECT b.file_id, b.record_no, 'expansions', any_value(b.expansions)::DOUBLE, sum(c.from_expansion)::DOUBLE
    FROM ims_a10c AS b
    JOIN ims_a10c_caller AS c ON c.file_id = b.file_id AND c.record_no = b.record_no
    GROUP BY b.file_id, b.record_no
)
SELECT f.run, NULL::VARCHAR AS system, b.imsid || ' ' || b.ckpt_no || ' ' || b.block || ' ' || a.caller AS key,
    a.found, a.found AS found_low, a.found AS found_high, a.paths AS low, a.paths AS high
FROM asked AS a
JOIN ims_a10c AS b ON b.file_id = a.file_id AND b.record_no = a.record_no
JOIN load_file AS f ON f.file_id = a.file_id
WHERE a.found > 0 OR a.paths > 0
