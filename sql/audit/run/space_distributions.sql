/* imsperf check
title = "A distribution of address spaces or work units has every sample"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70, ASID section: SMF70R00, I00, S00, Q00 and U00 and what follows; 0.5 %"
views = ["smf70_1_asid"]
*/
SELECT f.run, a.system, strftime(a.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.samples * 0.995 AS low, v.samples * 1.005 AS high
FROM smf70_1_asid AS a
JOIN smf70_1_product AS p ON p.file_id = a.file_id AND p.record_no = a.record_no
JOIN load_file AS f ON f.file_id = a.file_id,
    LATERAL (VALUES
        ('in and ready', list_sum(a.smf70r00_r15)::DOUBLE, p.smf70sam::DOUBLE),
        ('in', list_sum(a.smf70i00_i11)::DOUBLE, p.smf70sam::DOUBLE),
        ('out and ready', list_sum(a.smf70o00_o11)::DOUBLE, p.smf70sam::DOUBLE),
        ('out and waiting', list_sum(a.smf70w00_w11)::DOUBLE, p.smf70sam::DOUBLE),
        ('logically out and ready', list_sum(a.smf70l00_l11)::DOUBLE, p.smf70sam::DOUBLE),
        ('logically out and waiting', list_sum(a.smf70p00_p11)::DOUBLE, p.smf70sam::DOUBLE),
        ('batch', list_sum(a.smf70b00_b11)::DOUBLE, p.smf70sam::DOUBLE),
        ('started tasks', list_sum(a.smf70s00_s11)::DOUBLE, p.smf70sam::DOUBLE),
        ('TSO', list_sum(a.smf70t00_t11)::DOUBLE, p.smf70sam::DOUBLE),
        ('APPC', list_sum(a.smf70a00_a11)::DOUBLE, p.smf70sam::DOUBLE),
        ('OMVS', list_sum(a.smf70x00_x11)::DOUBLE, p.smf70sam::DOUBLE),
        ('excess of ready', list_sum(a.smf70q00_q12), p.smf70sam),
        ('excess of work units', list_sum(a.smf70u00_u15), a.smf70srm)) AS v (what, found, samples)
WHERE v.found > 0 AND v.samples > 0
