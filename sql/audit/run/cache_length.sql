/* imsperf check
title = "Cache intervals are as long as those of devices"
unit = "s"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record types 74.5 and 74.1, RMF product sections; 0.2 % for clocks"
*/
SELECT DISTINCT f.run, x.system, strftime(x.interval_start, '%Y-%m-%dT%H:%M:%S') AS key,
    epoch(x.smf74int) AS found, epoch(x.smf74int) AS found_low, epoch(x.smf74int) AS found_high,
    epoch(d.smf74int) * 0.998 - 0.002 AS low, epoch(d.smf74int) * 1.002 + 0.002 AS high
FROM smf74_5_product AS x
JOIN load_file AS f ON f.file_id = x.file_id
JOIN smf74_1_product AS d ON d.system = x.system AND d.interval_start = x.interval_start
JOIN load_file AS g ON g.file_id = d.file_id AND g.run = f.run
WHERE d.smf74int > INTERVAL 0 SECOND
