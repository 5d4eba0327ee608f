/* imsperf check
title = "Times of ended transactions are the same in both units"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3: R723CTET and R723CTETX, R723CXET and R723CXETX, R723CQDT and R723CQDTX, roots of R723CETS and R723CETSX; 1024 us and 0.1 %"
views = ["rmf_class_period"]
*/
SELECT c.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.class || ' ' || c.period || ' ' || v.what AS key,
    v.found, v.found - v.room AS found_low, v.found + v.room AS found_high, v.fine * 0.999 AS low, v.fine * 1.001 AS high
FROM smf72_3_period AS p
JOIN rmf_class_period AS c ON c.file_id = p.file_id AND c.record_no = p.record_no AND c.section_no = p.section_no,
    LATERAL (VALUES
        ('response', 1024.0 * p.r723ctet, 1024, p.r723ctetx::DOUBLE),
        ('execution', 1024.0 * p.r723cxet, 1024, p.r723cxetx::DOUBLE),
        ('queued', 1024.0 * p.r723cqdt, 1024, p.r723cqdtx::DOUBLE),
        ('squares', 1024 * sqrt(p.r723cets::DOUBLE), 0, sqrt(p.r723cetsx::DOUBLE)))
        AS v (what, found, room, fine)
WHERE v.found > 0 AND v.fine > 0
