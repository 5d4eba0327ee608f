/* imsperf check
title = "The samples of work units in and ready are 100 % in all"
unit = "%"
source = "RMF listings of z/OS V2R4 and V2R5, in which it holds"
*/
SELECT run, system, place_of(start, 'In-ready Work Unit Queue') AS key,
    sum(low + high) / 2 AS found, sum(low) AS found_low, sum(high) AS found_high,
    100 AS low, 100 AS high
FROM listing_cell
WHERE heading = '% of Samples' AND low IS NOT NULL
GROUP BY run, system, start
