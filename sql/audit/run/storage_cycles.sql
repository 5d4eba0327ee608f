/* imsperf check
title = "Storage is sampled as often as devices are"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record types 78.2 and 74.1, RMF product sections; one and 0.5 %"
*/
SELECT DISTINCT f.run, x.system, strftime(x.interval_start, '%Y-%m-%dT%H:%M:%S') AS key,
    x.smf78sam AS found, x.smf78sam::DOUBLE - 1 AS found_low, x.smf78sam + 1 AS found_high,
    d.smf74sam * 0.995 AS low, d.smf74sam * 1.005 AS high
FROM smf78_2_product AS x
JOIN load_file AS f ON f.file_id = x.file_id
JOIN smf74_1_product AS d ON d.system = x.system AND d.interval_start = x.interval_start
JOIN load_file AS g ON g.file_id = d.file_id AND g.run = f.run
WHERE x.smf78sam > 0 AND d.smf74sam > 0
