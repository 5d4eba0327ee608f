/* imsperf check
title = "A processor of a coupling facility is busy or waits, a dedicated one all the time"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.4: R744PBSY and R744PWAI against the interval; bit 0 of R744PTYP: dedicated; 0.2 % for clocks"
views = ["smf74_4_processor", "smf74_4_product"]
*/
SELECT f.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || a.r744fnam || ' ' || c.r744pnum AS key,
    c.r744pbsy::DOUBLE + c.r744pwai AS found, c.r744pbsy::DOUBLE + c.r744pwai AS found_low,
    c.r744pbsy::DOUBLE + c.r744pwai AS found_high,
    if((c.r744ptyp & 128) <> 0, 1e6 * epoch(p.smf74int) * 0.998, 0) AS low, 1e6 * epoch(p.smf74int) * 1.002 AS high
FROM smf74_4_processor AS c
JOIN smf74_4_facility AS a ON a.file_id = c.file_id AND a.record_no = c.record_no
JOIN smf74_4_product AS p ON p.file_id = c.file_id AND p.record_no = c.record_no
JOIN load_file AS f ON f.file_id = c.file_id
WHERE c.r744pwai > 0 AND p.smf74int > INTERVAL 0 SECOND
