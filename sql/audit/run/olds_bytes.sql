/* imsperf check
title = "Blocks of the OLDS have room for the bytes that are logged"
unit = "bytes"
source = "IMS log 4507: bytes written between two sets against OLDS blocks written, and their size; a block at each end"
*/
SELECT run, system, strftime(interval_start_utc, '%Y-%m-%dT%H:%M:%SZ') || ' ' || ims AS key,
    bytes_written AS found, bytes_written AS found_low, bytes_written AS found_high,
    0 AS low, (olds_writes + 2) * block_size_bytes AS high
FROM ims_logger
WHERE NOT restarted AND bytes_written > 0 AND olds_writes > 0 AND block_size_bytes > 0
