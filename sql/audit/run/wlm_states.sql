/* imsperf check
title = "Samples of a class are those of its states"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3: using with its parts, execution, delays (of I/O where using I/O counts, too) and idle samples against the active time; each address space or enclave that is found is in a state; 0.1 % and one"
views = ["smf72_3_period"]
*/
SELECT f.run, p.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.r723mcnm || ' ' || p.r723cper || ' ' || v.what AS key,
    v.found, v.found - v.room AS found_low, v.found + v.room AS found_high, v.low, v.high
FROM smf72_3_period AS p
JOIN smf72_3_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
JOIN load_file AS f ON f.file_id = p.file_id,
    LATERAL (VALUES
        ('using', p.r723ctou::DOUBLE, 0,
            p.r723ccus::DOUBLE + coalesce(p.r723ciou, 0) + coalesce(p.r723supu, 0),
            p.r723ccus::DOUBLE + coalesce(p.r723ciou, 0) + coalesce(p.r723supu, 0)),
        ('execution', p.r723ctsa::DOUBLE, 0,
            p.r723ctou::DOUBLE + p.r723ctot + p.r723cunk + coalesce(p.r723cidl, 0),
            p.r723ctou::DOUBLE + p.r723ctot + p.r723cunk + coalesce(p.r723cidl, 0)),
        ('delayed for CPU or I/O', p.r723ccde::DOUBLE + if(p.r723ciou > 0, p.r723ciod, 0), 0, 0, p.r723ctot),
        ('delayed', p.r723ctot::DOUBLE, 0, 0, p.r723ctdq),
        ('address spaces', p.r723csac::DOUBLE, 0, 0, p.r723ctsa),
        ('idle', p.r723cidl::DOUBLE, 0, 0, 1.024 * p.r723ctat / c.r723mtvl * 1.001 + 1))
        AS v (what, found, room, low, high)
WHERE v.found > 0 AND p.r723crcp = 0
