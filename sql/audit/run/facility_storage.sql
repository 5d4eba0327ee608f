/* imsperf check
title = "Structures and free storage of a coupling facility fit into it"
unit = "4 KB"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.4: R744SSIZ of the structures in use and R744GTSF against R744GTSD; 0.1 % for what changes between two readings"
views = ["smf74_4_request", "smf74_4_storage"]
*/
WITH held AS (
    SELECT file_id, record_no, sum(r744ssiz)::DOUBLE AS blocks
    FROM smf74_4_request
    GROUP BY ALL
)
SELECT f.run, g.system, strftime(g.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.r744fnam AS key,
    h.blocks + g.r744gtsf AS found, h.blocks + g.r744gtsf AS found_low, h.blocks + g.r744gtsf AS found_high,
    0 AS low, g.r744gtsd * 1.001 AS high
FROM smf74_4_storage AS g
JOIN held AS h ON h.file_id = g.file_id AND h.record_no = g.record_no
JOIN smf74_4_facility AS c ON c.file_id = g.file_id AND c.record_no = g.record_no
JOIN load_file AS f ON f.file_id = g.file_id
WHERE g.r744gtsd > 0
