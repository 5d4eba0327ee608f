/* imsperf check
title = "Threads to an external subsystem are made, used and ended"
unit = "threads"
source = "IMS log A107: those made and not ended are there, exact; one is made or used again for each commit or abort, and at most one more for each that is there"
*/
SELECT f.run, NULL::VARCHAR AS system, h.imsid || ' ' || h.ckpt_no || ' ' || e.subsystem || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM ims_a107 AS h
JOIN ims_a107_subsystem AS e ON e.file_id = h.file_id AND e.record_no = h.record_no
JOIN load_file AS f ON f.file_id = h.file_id,
    LATERAL (VALUES
        ('threads', e.threads::DOUBLE, e.thread_creates::DOUBLE - e.thread_terminates, e.thread_creates::DOUBLE - e.thread_terminates),
        ('uses', e.thread_creates::DOUBLE + e.thread_reuses, e.commits::DOUBLE + e.aborts, e.commits::DOUBLE + e.aborts + e.threads)
    ) AS v (what, found, low, high)
WHERE e.thread_creates > 0
