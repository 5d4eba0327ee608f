/* imsperf check
title = "Members that no signalling path serves receive what is sent"
unit = "messages"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 74.2: messages sent and received of a group on one system; one for each member"
*/
WITH total AS (
    SELECT run, system, interval_start, group_name, sum(sent_count)::DOUBLE AS sent, sum(received_count)::DOUBLE AS received,
        count(DISTINCT member_system) AS systems, count(*) AS members
    FROM rmf_xcf_member
    GROUP BY ALL
)
SELECT run, system, strftime(interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || group_name AS key,
    received AS found, received AS found_low, received AS found_high, sent - members AS low, sent + members AS high
FROM total
WHERE systems = 1 AND sent > 0 AND received > 0
