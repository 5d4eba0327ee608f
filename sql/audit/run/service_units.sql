/* imsperf check
title = "Service units of an address space are the sum of their kinds"
unit = "SU"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 30, performance section; zIIP service may be in the total; a unit each"
views = ["smf30_performance"]
*/
SELECT f.run, p.system, strftime(i.smf30iet, '%Y-%m-%dT%H:%M:%S') || ' ' || i.smf30jbn || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM smf30_performance AS p
JOIN smf30_identification AS i ON i.file_id = p.file_id AND i.record_no = p.record_no
JOIN load_file AS f ON f.file_id = p.file_id
LEFT JOIN smf30_processor AS c ON c.file_id = p.file_id AND c.record_no = p.record_no,
    LATERAL (VALUES
        ('total', p.smf30srv_l::DOUBLE,
            p.smf30csu_l::DOUBLE + p.smf30srb_l + p.smf30io_l + coalesce(p.smf30mso_l, 0) - 4,
            if(coalesce(c.smf30_time_on_ziip, 0) > 0, 'Infinity'::DOUBLE,
                p.smf30csu_l::DOUBLE + p.smf30srb_l + p.smf30io_l + coalesce(p.smf30mso_l, 0) + 4)),
        ('total, 4 bytes', p.smf30srv, p.smf30srv_l % 4294967296, p.smf30srv_l % 4294967296),
        ('CPU, 4 bytes', p.smf30csu, p.smf30csu_l % 4294967296, p.smf30csu_l % 4294967296),
        ('SRB, 4 bytes', p.smf30srb, p.smf30srb_l % 4294967296, p.smf30srb_l % 4294967296),
        ('I/O, 4 bytes', p.smf30io, p.smf30io_l % 4294967296, p.smf30io_l % 4294967296))
        AS v (what, found, low, high)
WHERE v.found IS NOT NULL AND v.low IS NOT NULL
