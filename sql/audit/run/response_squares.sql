/* imsperf check
title = "The squares of response times are no less than their mean allows"
unit = "us^2"
source = "record type 72.3: sum of squares times count is at least the square of the sum; 0.1 % for units"
*/
SELECT run, system,
    strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || class || coalesce(' ' || period, '') AS key,
    response_squares_us2 AS found, response_squares_us2 AS found_low,
    response_squares_us2 AS found_high,
    0.999 * response_us * response_us / ended_count AS low, CAST('Infinity' AS DOUBLE) AS high
FROM rmf_workload
WHERE ended_count > 0 AND response_squares_us2 > 0
