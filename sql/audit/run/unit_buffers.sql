/* imsperf check
title = "Buffers of a unit of recovery are those of its subpools, and those of its sync point"
unit = "buffers"
source = "IMS log 5945: buffers used against the sum of its entries, and against normal and overflow buffers of the 5937 with its region and recovery token"
*/
WITH used AS MATERIALIZED (
    SELECT b.file_id, b.record_no, b.pst, b.rtoken, b.uow, any_value(b.bufs_used)::DOUBLE AS used, sum(s.bufs_used)::DOUBLE AS of_subpools
    FROM ims_5945 AS b
    JOIN ims_5945_subpool AS s ON s.file_id = b.file_id AND s.record_no = b.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, hex(u.rtoken) || ' region ' || u.pst || ' ' || v.what AS key,
    u.used AS found, u.used AS found_low, u.used AS found_high, v.expected AS low, v.expected AS high
FROM used AS u
JOIN load_file AS f ON f.file_id = u.file_id
LEFT JOIN ims_5937 AS c ON c.file_id = u.file_id AND c.pst = u.pst AND c.rtoken = u.rtoken AND c.uow = u.uow,
    LATERAL (VALUES ('subpools', u.of_subpools), ('sync point', (c.nba + coalesce(c.oba, 0))::DOUBLE)) AS v (what, expected)
WHERE v.expected IS NOT NULL
