/* imsperf check
title = "A sample that counts as delayed has a reason"
unit = "samples"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 72.3: R723CTOT against the samples of all delays: processors, capping, swaps, paging, DASD, queues, servers, crypto, contention; a sample may have several reasons; exact"
*/
SELECT f.run, p.system, strftime(p.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.r723mcnm || ' ' || p.r723cper AS key,
    p.r723ctot AS found, p.r723ctot AS found_low, p.r723ctot AS found_high, 0 AS low,
    list_sum([p.r723ccde, p.r723ccca, p.r723cpde, p.r723cpqu, p.r723cswi, p.r723cmpl, p.r723capr, p.r723caco, p.r723caxm,
        p.r723cvio, p.r723chsp, p.r723cchs, p.r723ciod, p.r723cq, p.r723cspv, p.r723csvi, p.r723cshs, p.r723csmp, p.r723cssw,
        p.r723apd, p.r723fqd, p.r723rcod, p.r723ifad, p.r723supd]::BIGINT[]) AS high
FROM smf72_3_period AS p
JOIN smf72_3_control AS c ON c.file_id = p.file_id AND c.record_no = p.record_no
JOIN load_file AS f ON f.file_id = p.file_id
WHERE p.r723ctot > 0
