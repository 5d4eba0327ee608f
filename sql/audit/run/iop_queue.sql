/* imsperf check
title = "A request in the queue of an I/O processor meets itself at least"
unit = "requests"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 78.3: R783IQSM, lengths of the queue summed over the enqueues, against the enqueues R783IQCT; RMF prints the mean of what is beyond one; exact"
*/
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' IOP ' || iop AS key,
    queue_count + queue_excess_sum AS found, queue_count + queue_excess_sum AS found_low,
    queue_count + queue_excess_sum AS found_high, queue_count AS low, 'Infinity'::DOUBLE AS high
FROM rmf_io_processor
WHERE iop IS NOT NULL AND queue_count > 0 AND queue_excess_sum IS NOT NULL
