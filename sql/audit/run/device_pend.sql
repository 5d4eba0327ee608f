/* imsperf check
title = "Delays of an I/O in the control unit, device and channel are within its pending time"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.1; a unit of 128 us each"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || device AS key,
    cmr_us + db_us AS found, cmr_us + db_us - 256 AS found_low, cmr_us + db_us AS found_high,
    0 AS low, pend_us + 128 AS high
FROM rmf_device
WHERE cmr_us IS NOT NULL AND pend_us IS NOT NULL
