/* imsperf check
title = "WLM takes a sample every quarter of a second"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3: R723MTV, R723MTVL; half of one and 0.5 %"
views = ["smf72_3_control"]
*/
SELECT f.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.r723mcnm AS key,
    c.r723mtv AS found, c.r723mtv - 0.5 AS found_low, c.r723mtv + 0.5 AS found_high,
    1000 * epoch(p.smf72int) / c.r723mtvl * 0.995 AS low, 1000 * epoch(p.smf72int) / c.r723mtvl * 1.005 AS high
FROM smf72_3_control AS c
JOIN smf72_3_product AS p ON p.file_id = c.file_id AND p.record_no = c.record_no
JOIN load_file AS f ON f.file_id = c.file_id
WHERE c.r723mtvl > 0 AND c.r723mtv > 0
