/* imsperf check
title = "A delta in per cent is the change divided by the older value"
unit = "%"
source = "000, tables 18 to 39; 001, tables 3 to 6"
*/
SELECT run, system, key, value AS found, low AS found_low, high AS found_high,
    100 * (new_low / base_high - 1) AS low, 100 * (new_high / base_low - 1) AS high
FROM compared
WHERE role = 'delta_pct' AND base_low > 0
