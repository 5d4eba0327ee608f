/* imsperf check
title = "RMF samples of an interval are as many in each record type"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: RMF product section of each type; one at either end and 0.25 %"
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
    max(r.samples) AS found, max(r.samples)::DOUBLE - 1 AS found_low, max(r.samples) AS found_high,
    0 AS low, min(r.samples) * 1.0025 + 1 AS high
FROM recorded AS r
JOIN load_file AS f ON f.file_id = r.file_id
WHERE r.samples > 0
GROUP BY f.run, r.system, r.interval_start
