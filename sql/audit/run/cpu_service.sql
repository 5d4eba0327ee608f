/* imsperf check
title = "CPU time of an address space is its service at the service rate"
unit = "us"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 30: SMF30CPT and CPS against service units, coefficients and SMF30SUS; where no enclave and no zIIP worked; a hundredth of a second either way, as what is cut off is carried on, and 0.5 % for changes of the rate"
views = ["smf30_performance", "smf30_processor"]
*/
SELECT f.run, p.system, strftime(i.smf30iet, '%Y-%m-%dT%H:%M:%S') || ' ' || i.smf30jbn || ' ' || v.what AS key,
    1e4 * v.ticks AS found, 1e4 * v.ticks - 1e4 AS found_low, 1e4 * v.ticks + 1e4 AS found_high,
    0.995 * v.us AS low, 1.005 * v.us AS high
FROM smf30_performance AS p
JOIN smf30_processor AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
JOIN smf30_identification AS i ON i.file_id = p.file_id AND i.record_no = p.record_no
JOIN load_file AS f ON f.file_id = p.file_id,
    LATERAL (VALUES
        ('tasks', c.smf30cpt, p.smf30csu_l * p.smf30sus / 16.0 * 10 / nullif(p.smf30cpc, 0)),
        ('SRBs', c.smf30cps, p.smf30srb_l * p.smf30sus / 16.0 * 10 / nullif(p.smf30src, 0))) AS v (what, ticks, us)
WHERE v.ticks > 0 AND v.us > 0 AND coalesce(c.smf30enc, 0) = 0 AND coalesce(c.smf30_time_on_ziip, 0) = 0
    AND coalesce(c.smf30_enclave_time_on_ziip, 0) = 0 AND i.smf30iet IS NOT NULL
