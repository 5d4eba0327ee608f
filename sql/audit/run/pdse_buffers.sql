/* imsperf check
title = "The buffer manager of PDSEs finds no more pages than it reads, storage classes no more than all, and uses no more buffers than it has"
unit = "pages"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 42.1: SMF42TRH, TRT, TDH, TDT, BMX, BUF and those of storage classes; exact"
*/
WITH class AS (
    SELECT run, system, interval_start_utc, sum(member_count) AS members, sum(directory_count) AS directories
    FROM smf_pdse
    WHERE storage_class IS NOT NULL
    GROUP BY ALL
)
SELECT p.run, p.system,
    strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || coalesce(p.storage_class, '*ALL') || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, 0 AS low, v.high
FROM smf_pdse AS p
LEFT JOIN class AS c ON p.storage_class IS NULL AND c.run = p.run AND c.system = p.system
    AND c.interval_start_utc = p.interval_start_utc,
    LATERAL (VALUES
        ('members found', p.member_hit_count, p.member_count),
        ('directories found', p.directory_hit_count, p.directory_count),
        ('members of classes', c.members, p.member_count),
        ('directories of classes', c.directories, p.directory_count),
        ('buffers', p.buffer_max_bytes / 4096, p.buffer_bytes / 4096)) AS v (what, found, high)
WHERE v.found IS NOT NULL AND v.high IS NOT NULL
