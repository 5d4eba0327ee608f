/* imsperf report
id       = "rmf.group_capacity"
title    = "Group Capacity Report"
answers  = "Does a capacity group hold its partitions back?"
key      = ["group_name", "partition"]
named_by = "partition_system"
records_by = ["interval_start"]
optional = ["smf70_1_cpu_id"]
facts    = "rmf_partition_header"
no_rows  = "no partition is a member of a capacity group"

[chart]
mark     = "area"
x        = "interval_start"
y        = ["msu_act"]
color    = "partition"
facet    = "group_name"
title    = "Capacity used on CPs, MSU/h"

[page]
layout   = "RMF Report Analysis, SC34-2665"
above    = """
GROUP-CAPACITY    PARTITION  SYSTEM    ----- MSU ------    WGT ------ CAPPING -----   - ENTITLEMENT --
NAME       LIMIT                         DEF      ACT          DEF    WLM%    ACT%    MINIMUM  MAXIMUM
"""
blocks   = ["group_name"]

[page.texts]
gap        = "'  '"
group_name = "if(row_place > min(row_place) OVER block, '', NULL)"
group_msu  = "if(row_place > min(row_place) OVER block, '', NULL)"
cap_def    = "CASE cap_def WHEN 'Y' THEN 'YES' WHEN 'N' THEN 'NO' END"
act_sum    = "format('{:.0f}', sum(msu_act) OVER block)"
weight_sum = "format('{:.0f}', sum(weight) OVER block)"

[[page.table]]
columns  = """
group_name           -8
group_msu             7
{gap}{partition}    -11
partition_system     -8
msu_def               7
msu_act               8
weight                6
{gap}{cap_def}       -5
wlm_cap_pct           6
act_cap_pct           7
entitlement_min_msu  10
entitlement_max_msu   8
"""

[[page.table]]
where    = "row_place = max(row_place) OVER block"
joined   = true
text     = "                             TOTAL            {act_sum:8} {weight_sum:6}"

[columns]
group_name          = { label = "GROUP-CAPACITY NAME" }
group_msu           = { label = "LIMIT", kind = "level", format = "int" }
partition           = { label = "PARTITION" }
partition_system    = { label = "SYSTEM", empty = "" }
msu_def             = { label = "MSU DEF", kind = "level", format = "int" }
msu_act             = { label = "MSU ACT", format = "int" }
weight              = { label = "WGT", kind = "level", format = "int" }
cap_def             = { label = "CAPPING DEF" }
wlm_cap_pct         = { label = "CAPPING WLM%", better = "lower", format = "1" }
act_cap_pct         = { label = "CAPPING ACT%", better = "lower", format = "1" }
entitlement_min_msu = { label = "ENTITLEMENT MINIMUM", kind = "level", format = "int" }
entitlement_max_msu = { label = "ENTITLEMENT MAXIMUM", kind = "level", format = "int" }
*/
WITH member AS (
    SELECT
        *,
        CASE WHEN initial_cap THEN 'Y' WHEN NOT initial_cap THEN 'N' END AS cap_def,
        least(
            nullif(defined_msu, 0),
            group_msu * initial_weight / nullif(sum(initial_weight) OVER (
                PARTITION BY file_id, record_no, group_name
            ), 0)
        )                                            AS entitlement_min_msu,
        least(nullif(defined_msu, 0), nullif(group_msu, 0))::DOUBLE AS entitlement_max_msu
    FROM rmf_partition_capacity
    WHERE group_name IS NOT NULL
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, group_name, group_msu, partition,
    partition_system,
    defined_msu                                                  AS msu_def, -- Defined capacity, 0 = none [MSU/h]
    msu_s / nullif(interval_s, 0)                                AS msu_act, -- Capacity used on CPs, from effective dispatch time [MSU/h]
    initial_weight                                               AS weight, -- Weight of the CPs as defined; NULL where dedicated
    cap_def, -- Initial capping: Y or N
    100 * wlm_capped_count / nullif(dispatch_samples_count, 0)   AS wlm_cap_pct, -- Samples in which WLM capped the partition
    100 * capped_count / nullif(dispatch_samples_count, 0)       AS act_cap_pct, -- Samples in which a cap held the partition back
    entitlement_min_msu, -- What the partition gets when all members want more: its share of the limit by weight, or its defined capacity if that is less [MSU/h]
    entitlement_max_msu, -- What it may use when the others want nothing: the limit, or its defined capacity if that is less [MSU/h]
    interval_s, msu_s, wlm_capped_count, capped_count, dispatch_samples_count
FROM member
ORDER BY run, sysplex, system, interval_start_utc, interval_start, group_name, section_no
