/* imsperf check
title = "Regions are connected to external subsystems, and no more threads were there than were made"
unit = "connections or threads"
source = "IMS log A107: connections made and not ended are there, one for each region of 47 of the same checkpoint at most; the most threads are those there now at least, those made at most, without a pool one for each connection; a new thread signs on, and a sign-on is a use of a thread; exact"
*/
WITH held AS (
    SELECT h.file_id, h.ckpt_no, count(*)::DOUBLE AS regions
    FROM ims_47 AS h
    JOIN ims_47_region AS r ON r.file_id = h.file_id AND r.record_no = h.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, h.imsid || ' ' || h.ckpt_no || ' ' || e.subsystem || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM ims_a107 AS h
JOIN ims_a107_subsystem AS e ON e.file_id = h.file_id AND e.record_no = h.record_no
JOIN load_file AS f ON f.file_id = h.file_id
LEFT JOIN held AS r ON r.file_id = h.file_id AND r.ckpt_no = h.ckpt_no,
    LATERAL (VALUES
        ('connections', e.connections::DOUBLE, e.connects::DOUBLE - e.disconnects, e.connects::DOUBLE - e.disconnects),
        ('regions', e.connections::DOUBLE, 0, r.regions),
        ('most threads', e.max_threads::DOUBLE, e.threads::DOUBLE,
            if(e.pooled = 'N', least(e.thread_creates, e.connections), e.thread_creates)::DOUBLE),
        ('sign-ons', e.signons::DOUBLE, e.thread_creates, e.thread_creates::DOUBLE + e.thread_reuses)) AS v (what, found, low, high)
WHERE v.found > 0 AND v.high IS NOT NULL
