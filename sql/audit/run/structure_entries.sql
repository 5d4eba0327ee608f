/* imsperf check
title = "A list structure uses no more entries and elements than it has"
unit = "entries or elements"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.4: R744SLEM and R744SLEL, R744SCUE and R744SMAE, R744SLTM and R744SLTL; exact"
*/
SELECT f.run, r.system, strftime(r.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || r.r744snam || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM smf74_4_request AS r
JOIN load_file AS f ON f.file_id = r.file_id,
    LATERAL (VALUES
        ('entries', r.r744slem::DOUBLE, r.r744slel::DOUBLE),
        ('elements', r.r744scue::DOUBLE, r.r744smae::DOUBLE),
        ('lock entries', r.r744sltm::DOUBLE, r.r744sltl::DOUBLE)) AS v (what, found, high)
WHERE v.found > 0 AND v.high > 0
