/* imsperf check
title = "RMF records of an interval are of one length"
unit = "s"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: RMF product section of each type; 0.2 % for clocks"
*/
WITH recorded AS MATERIALIZED (
    SELECT file_id, system, interval_start, '70.1' AS type, smf70sam AS samples, epoch(smf70int) AS length_s
    FROM smf70_1_product
    UNION ALL
    SELECT file_id, system, interval_start, '72.3' AS type, smf72sam AS samples, epoch(smf72int) AS length_s
    FROM smf72_3_product
    UNION ALL
    SELECT file_id, system, interval_start, '73' AS type, smf73sam AS samples, epoch(smf73int) AS length_s
    FROM smf73_1_product
    UNION ALL
    SELECT file_id, system, interval_start, '74.1' AS type, smf74sam AS samples, epoch(smf74int) AS length_s
    FROM smf74_1_product
    UNION ALL
    SELECT file_id, system, interval_start, '78.3' AS type, smf78sam AS samples, epoch(smf78int) AS length_s
    FROM smf78_3_product
)
SELECT f.run, r.system, strftime(r.interval_start, '%Y-%m-%dT%H:%M:%S') AS key,
    max(r.length_s) AS found, max(r.length_s) AS found_low, max(r.length_s) AS found_high,
    0 AS low, min(r.length_s) * 1.002 + 0.002 AS high
FROM recorded AS r
JOIN load_file AS f ON f.file_id = r.file_id
GROUP BY f.run, r.system, r.interval_start
