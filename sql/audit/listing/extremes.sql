/* imsperf check
title = "A mean lies between the fewest and the most"
unit = ""
source = "by definition"
*/
WITH counted AS (
    SELECT run, system, start, part || ' ' || coalesce(texts['Type'], texts['CPU Type']) AS place,
        lows, highs, 'Number of ' || if(part LIKE 'Work%', 'Work Units', 'Address Spaces') AS name
    FROM listing_row
    WHERE part IN ('System Address Space Analysis', 'Work Unit Analysis')
)
SELECT run, system, place_of(start, place) AS key,
    (lows[name || ': AVG'] + highs[name || ': AVG']) / 2 AS found,
    lows[name || ': AVG'] AS found_low, highs[name || ': AVG'] AS found_high,
    lows[name || ': MIN'] AS low, highs[name || ': MAX'] AS high
FROM counted
WHERE found IS NOT NULL AND low IS NOT NULL AND high IS NOT NULL
