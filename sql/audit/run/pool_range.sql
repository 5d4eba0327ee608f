/* imsperf check
title = "A mean of pool buffers lies between its lowest and highest"
unit = "buffers"
source = "IMS log 450E; hundredths"
*/
SELECT run, system,
    strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || pool || coalesce(' ' || buffer_size, ' OVERSIZE') AS key,
    avg_buffers AS found, avg_buffers - 0.005 AS found_low, avg_buffers + 0.005 AS found_high,
    low_buffers AS low, high_buffers AS high
FROM ims_fixed_pool
WHERE avg_buffers IS NOT NULL AND low_buffers IS NOT NULL AND high_buffers IS NOT NULL
