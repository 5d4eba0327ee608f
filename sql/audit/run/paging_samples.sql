/* imsperf check
title = "RMF samples paging as often as devices"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: RMF product sections of types 71 and 74.1; one at either end and 0.25 %"
*/
SELECT DISTINCT f.run, x.system, strftime(x.interval_start, '%Y-%m-%dT%H:%M:%S') AS key, x.smf71sam AS found,
    x.smf71sam::DOUBLE - 1 AS found_low, x.smf71sam::DOUBLE + 1 AS found_high, d.smf74sam * 0.9975 AS low, d.smf74sam * 1.0025 AS high
FROM smf71_1_product AS x
JOIN load_file AS f ON f.file_id = x.file_id
JOIN smf74_1_product AS d ON d.system = x.system AND d.interval_start = x.interval_start
JOIN load_file AS g ON g.file_id = d.file_id AND g.run = f.run
WHERE d.smf74sam > 0 AND x.smf71sam > 0
