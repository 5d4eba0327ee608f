/* imsperf report
id       = "rmf.lpar_cluster"
title    = "LPAR Cluster Report"
answers  = "How does WLM move weight between the partitions of a cluster?"
key      = ["cluster", "partition"]
named_by = "partition_system"
optional = ["smf70_1_cpu_id"]
facts    = "rmf_partition_header"
no_rows  = "no partition is a member of an LPAR cluster"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["weight_avg"]
color    = "partition"
facet    = "cluster"
where    = "partition <> 'TOTAL'"
title    = "Weight in effect, mean of the interval"

[page]
layout = "smf2db 0.1.3"

[page.texts]
# a cluster is named once; its total has no weights but the initial ones
cluster          = "if(row_place > min(row_place) OVER (PARTITION BY run, system, interval_start_utc, cluster), '', NULL)"
partition        = "if(partition = 'TOTAL', '', NULL)"
partition_system = "if(partition = 'TOTAL', 'TOTAL', NULL)"
weight_min       = "if(partition = 'TOTAL', '', NULL)"
weight_max       = "if(partition = 'TOTAL', '', NULL)"
weight_avg       = "if(partition = 'TOTAL', '', NULL)"
expanded_mb      = "if(expanded_mb = 0, 'N/A', NULL)"

[[page.table]]
above    = """
                           ------ WEIGHTING STATISTICS --------  ---- PROCESSOR STATISTICS ---  STORAGE STATISTICS
                           ---- DEFINED ---  ------ ACTUAL -----  ---- NUMBER ---  ---TOTAL%--  ----- (MB) ------
CLUSTER  PARTITION SYSTEM   INIT  MIN   MAX    AVG  MIN %  MAX %  DEFINED  ACTUAL  LBUSY PBUSY  CENTRAL  EXPANDED
"""
columns  = """
cluster            -8
partition          -9
partition_system   -8
weight_init         4
weight_min          4
weight_max          5
weight_avg          6
near_min_pct        6
near_max_pct        6
defined             8
actual              7
lbusy_pct           6
pbusy_pct           5
central_mb          8
expanded_mb         9
"""

[columns]
cluster          = { label = "CLUSTER" }
partition        = { label = "PARTITION" }
partition_system = { label = "SYSTEM", empty = "" }
weight_init      = { label = "DEFINED INIT", kind = "level", format = "int", empty = "" }
weight_min       = { label = "DEFINED MIN", kind = "level", format = "int", empty = "" }
weight_max       = { label = "DEFINED MAX", kind = "level", format = "int", empty = "" }
weight_avg       = { label = "ACTUAL AVG", format = "int", empty = "" }
near_min_pct     = { label = "ACTUAL MIN %", format = "1", empty = "" }
near_max_pct     = { label = "ACTUAL MAX %", format = "1", empty = "" }
defined          = { label = "NUMBER DEFINED", kind = "level", format = "int" }
actual           = { label = "NUMBER ACTUAL", format = "1" }
lbusy_pct        = { label = "TOTAL% LBUSY", format = "2" }
pbusy_pct        = { label = "TOTAL% PBUSY", format = "2" }
central_mb       = { label = "CENTRAL", kind = "level", format = "int" }
expanded_mb      = { label = "EXPANDED", kind = "level", format = "int" }
*/
WITH member AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, cluster,
        coalesce(partition, 'TOTAL')                 AS partition,
        any_value(partition_system)                  AS own_system,
        grouping(partition)                          AS is_total,
        max(interval_s)                              AS interval_s,
        max(interval_us)                             AS interval_us,
        sum(initial_weight)                          AS weight_init,
        sum(min_weight)                              AS weight_min,
        sum(max_weight)                              AS weight_max,
        sum(weight_sum)                              AS weight_sum,
        sum(near_min_count)                          AS near_min_sum,
        sum(near_max_count)                          AS near_max_sum,
        max(dispatch_samples_count)                  AS dispatch_samples_count,
        sum(defined_count)                           AS defined_count,
        sum(online_us)                               AS online_us,
        sum(dispatch_us)                             AS dispatch_us,
        max(engine_us)                               AS engine_us,
        sum(central_mb)                              AS central_mb,
        sum(expanded_mb)                             AS expanded_mb,
        min(section_no)                              AS section_no
    FROM rmf_partition_capacity
    WHERE cluster IS NOT NULL
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, cluster,
        GROUPING SETS ((partition), ())
),
counted AS (
    SELECT
        *,
        CASE WHEN is_total = 0 THEN own_system END   AS partition_system,
        CASE WHEN is_total = 0 THEN near_min_sum END AS near_min_count,
        CASE WHEN is_total = 0 THEN near_max_sum END AS near_max_count
    FROM member
)
SELECT
    run, sysplex, system, interval_start, interval_start_utc, cluster,
    partition, -- Partition; TOTAL is the sum of the cluster
    partition_system,
    weight_init, -- Weight of the CPs as defined
    weight_min, -- Smallest weight WLM may give
    weight_max, -- Largest weight WLM may give
    weight_sum / nullif(dispatch_samples_count, 0)               AS weight_avg, -- Weight in effect, mean of the samples
    100 * near_min_count / nullif(dispatch_samples_count, 0)     AS near_min_pct, -- Samples with the weight near its smallest
    100 * near_max_count / nullif(dispatch_samples_count, 0)     AS near_max_pct, -- Samples with the weight near its largest
    defined_count                                                AS defined, -- Logical CPs defined [processors]
    online_us / nullif(interval_us, 0)                           AS actual, -- Logical CPs online, mean of the interval [processors]
    100 * dispatch_us / nullif(online_us, 0)                     AS lbusy_pct, -- Dispatch time, of the online time of the logical CPs
    100 * dispatch_us / nullif(engine_us, 0)                     AS pbusy_pct, -- Dispatch time, of the physical CPs
    central_mb, -- Central storage online [MB]
    expanded_mb, -- Expanded storage online [MB]
    interval_s, interval_us, weight_sum, near_min_count, near_max_count, dispatch_samples_count,
    online_us, dispatch_us, engine_us
FROM counted
ORDER BY run, sysplex, system, interval_start_utc, interval_start, cluster, is_total, section_no
