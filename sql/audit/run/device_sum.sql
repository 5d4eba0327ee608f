/* imsperf check
title = "Device active time is connect, disconnect and pending time"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.1: SMF74ATV; a unit of 128 us each. Measured I/Os are no more than I/Os"
*/
SELECT f.run, d.system, strftime(d.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || d.smf74num || ' ' || v.what AS key,
    v.found, v.found - 128 AS found_low, v.found + 128 AS found_high, v.low, v.high
FROM smf74_1_device AS d
JOIN load_file AS f ON f.file_id = d.file_id,
    LATERAL (VALUES
        ('active', 128.0 * d.smf74atv, 128.0 * (d.smf74cnn::DOUBLE + d.smf74dis + d.smf74pen - 3),
            128.0 * (d.smf74cnn::DOUBLE + d.smf74dis + d.smf74pen + 3)),
        ('measured', 1000.0 * d.smf74mec, 0, 1000.0 * d.smf74ssc)) AS v (what, found, low, high)
WHERE v.found > 0
