/* imsperf check
title = "Every sample finds work that is always active in a state"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3: R723CTSA against the samples R723MTV#, of a class in which nothing ended and whose active time R723CTAT is that of whole address spaces from begin to end; 0.1 % and one"
*/
WITH class AS (
    SELECT f.run, c.system, c.interval_start, c.r723mcnm AS name, c.r723mtv::DOUBLE AS samples,
        sum(p.r723ctsa) AS seen, sum(p.r723ctat) * 0.001024 / epoch(r.smf72int) AS active
    FROM smf72_3_period AS p
    JOIN smf72_3_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
    JOIN smf72_3_product AS r ON r.file_id = p.file_id AND r.record_no = p.record_no
    JOIN load_file AS f ON f.file_id = p.file_id
    WHERE r.smf72int > INTERVAL 0 SECOND
    GROUP BY f.run, c.system, c.interval_start, c.r723mcnm, c.r723mtv, r.smf72int, p.file_id, p.record_no
    HAVING sum(p.r723crcp) = 0
)
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || name AS key,
    seen AS found, seen AS found_low, seen + 1 AS found_high,
    round(active) * samples * 0.999 AS low, 'Infinity'::DOUBLE AS high
FROM class
WHERE active > 0.5 AND abs(active - round(active)) < 0.001 * active AND samples > 0 AND seen > 0
