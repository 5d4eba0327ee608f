/* imsperf check
title = "Servers are seen serving no more often than they are not idle"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3: R723SCS of a class of servers against the execution samples of its periods; one"
views = ["smf72_3_served", "smf72_3_period"]
*/
WITH served AS MATERIALIZED (
    SELECT file_id, record_no, system, interval_start, sum(r723scs)::DOUBLE AS seen
    FROM smf72_3_served
    GROUP BY ALL
),
working AS MATERIALIZED (
    SELECT file_id, record_no, sum(r723ctsa - coalesce(r723cidl, 0))::DOUBLE AS samples
    FROM smf72_3_period
    GROUP BY ALL
)
SELECT f.run, s.system, strftime(s.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.r723mcnm AS key,
    s.seen AS found, s.seen AS found_low, s.seen AS found_high, 0 AS low, w.samples + 1 AS high
FROM served AS s
JOIN working AS w ON w.file_id = s.file_id AND w.record_no = s.record_no
JOIN smf72_3_control AS c ON c.file_id = s.file_id AND c.record_no = s.record_no
JOIN load_file AS f ON f.file_id = s.file_id
WHERE s.seen > 0
