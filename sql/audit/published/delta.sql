/* imsperf check
title = "A delta is the newer value less the older one"
unit = "as printed"
source = "000, tables 18 to 39"
*/
SELECT run, system, key, value AS found, low AS found_low, high AS found_high,
    new_low - base_high AS low, new_high - base_low AS high
FROM compared
WHERE role = 'delta'
