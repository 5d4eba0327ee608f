/* imsperf check
title = "A HyperPAV base is one of the exposures of its device, without I/O the only one"
unit = "exposures"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.1: SMF74NUX, which RMF prints over SMF74PSM as PAV, base and aliases, is at least the samples of devices with bit 6 of SMF74CNX, and those samples where no I/O was started or active: an alias is bound for an I/O; a sample"
*/
SELECT f.run, d.system, strftime(d.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || printf('%04X', d.smf74num) AS key,
    d.smf74nux::DOUBLE AS found, d.smf74nux::DOUBLE - 1 AS found_low, d.smf74nux::DOUBLE + 1 AS found_high,
    d.smf74psm::DOUBLE AS low, if(d.smf74ssc = 0 AND d.smf74atv = 0, d.smf74psm, 'Infinity'::DOUBLE) AS high
FROM smf74_1_device AS d
JOIN load_file AS f ON f.file_id = d.file_id
WHERE (d.smf74cnx & 2) <> 0 AND d.smf74psm > 0
