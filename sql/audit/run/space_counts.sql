/* imsperf check
title = "Address spaces by queue and by kind are the same"
unit = "address spaces"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70, ASID section: least, mean and most; ready address spaces are no more than ready work units"
views = ["smf70_1_asid"]
*/
SELECT f.run, a.system, strftime(a.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM smf70_1_asid AS a
JOIN smf70_1_product AS p ON p.file_id = a.file_id AND p.record_no = a.record_no
JOIN load_file AS f ON f.file_id = a.file_id,
    LATERAL (VALUES
        ('in', a.smf70itt / p.smf70sam::DOUBLE, a.smf70imn::DOUBLE, a.smf70imm::DOUBLE),
        ('started tasks', a.smf70stt / p.smf70sam::DOUBLE, a.smf70smn, a.smf70smm),
        ('in, most', a.smf70imm, 0, coalesce(a.smf70bmm, 0)::DOUBLE + coalesce(a.smf70smm, 0)::DOUBLE + coalesce(a.smf70tmm, 0)::DOUBLE + coalesce(a.smf70amm, 0)::DOUBLE + coalesce(a.smf70xmm, 0)::DOUBLE),
        ('started tasks, most', a.smf70smm, 0, coalesce(a.smf70imm, 0)::DOUBLE + coalesce(a.smf70omm, 0)::DOUBLE + coalesce(a.smf70wmm, 0)::DOUBLE + coalesce(a.smf70lmm, 0)::DOUBLE + coalesce(a.smf70pmm, 0)::DOUBLE),
        ('ready', a.smf70rtt / p.smf70sam::DOUBLE, a.smf70rmn, if(a.smf70srm > 0, least(a.smf70rmm, a.smf70ctt / a.smf70srm::DOUBLE * 1.005), a.smf70rmm)))
        AS v (what, found, low, high)
WHERE p.smf70sam > 0 AND v.found IS NOT NULL
