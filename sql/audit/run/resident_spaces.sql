/* imsperf check
title = "Address spaces in storage have a service class"
unit = "address spaces"
source = "record type 70, ASID section: SMF70ITT over the samples is at most the MPL of the policy in record type 72.3 (R723CTRR, which counts enclaves, too); 0.5 % and one for what comes and goes between samples"
views = ["smf70_1_asid", "rmf_workload"]
*/
SELECT f.run, a.system, strftime(a.interval_start, '%Y-%m-%dT%H:%M:%S') AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low,
    w.resident_us / w.interval_us * 1.005 + 1 AS high
FROM smf70_1_asid AS a
JOIN smf70_1_product AS p ON p.file_id = a.file_id AND p.record_no = a.record_no
JOIN load_file AS f ON f.file_id = a.file_id
JOIN rmf_workload AS w ON w.run = f.run AND w.system = a.system AND w.interval_start = a.interval_start
    AND w.kind = 'policy' AND w.period IS NULL,
    LATERAL (VALUES (a.smf70itt / p.smf70sam::DOUBLE)) AS v (found)
WHERE p.smf70sam > 0 AND w.resident_us > 0 AND v.found IS NOT NULL
