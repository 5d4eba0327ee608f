/* imsperf report
id       = "rmf.partition"
title    = "Partition Data Report"
answers  = "Who uses the machine, what does PR/SM itself take, and is somebody capped?"
called   = ["lpar"]
key      = ["partition", "type"]
records_by = ["system", "interval_start"]
optional = ["smf70_1_cpu_id"]
facts    = "rmf_partition_settings"

[chart]
mark     = "area"
x        = "interval_start"
y        = ["phys_effective_pct"]
color    = "partition"
facet    = "type"
where    = "status = 'Active'"
title    = "Physical processors used, per cent, by partition"

[page]
layout   = "smf2db 0.1.3"
together = [["rmf.partition", "rmf.processors"], ["rmf.lpar_cluster"], ["rmf.group_capacity"]]
above    = """
MVS PARTITION NAME               {facts.partition:10}      GROUP NAME     {group_name:10}      INITIAL CAP    {facts.initial_cap:5}
IMAGE CAPACITY                   {facts.image_capacity_msu:10}      LIMIT          {group_limit:10}      LPAR HW CAP    {facts.lpar_hw_cap:5}
NUMBER OF CONFIGURED PARTITIONS  {facts.configured_partitions:10}      AVAILABLE      {group_available:10}      HW GROUP CAP   {facts.hw_group_cap:5}
WAIT COMPLETION                  {facts.wait_completion:10}                                     ABS MSU CAP    {facts.abs_msu_cap:5}
DISPATCH INTERVAL                {facts.dispatch_interval:10}

"""

[page.texts]
group_name        = "coalesce(facts.group_name, 'N/A')"
group_limit       = "coalesce(facts.group_msu::VARCHAR, 'N/A')"
group_available   = "coalesce(facts.group_available_msu::VARCHAR, 'N/A')"
state             = "status[1]"
weight            = "CASE WHEN dedicated THEN 'DED' END"

[[page.table]]
above    = """
------------- PARTITION DATA ----------------  -- LOGICAL PARTITION PROCESSOR DATA --  AVERAGE PROCESSOR UTILIZATION PERCENTAGES
                       ---MSU---  -CAPPING---  PROCESSOR- --DISPATCH TIME DATA--         LOGICAL PROC      -- PHYSICAL PROC -----
NAME       S BT  WGT   DEF   ACT  DEF    WLM%   NUM TYPE     EFFECTIVE        TOTAL    EFFECTIVE   TOTAL   MGMT EFFECTIVE   TOTAL
"""
columns  = """
partition           -10
state                -1
boost_type           -1
weight                5
msu_def               5
msu_act               5
cap_def              -5
wlm_cap_pct           6
processors            5
type                 -4
effective_s          13
total_s              12
lp_effective_pct     11
lp_total_pct          7
mgmt_pct              6
phys_effective_pct    9
phys_total_pct        7
"""

[columns]
partition          = { label = "NAME", empty = "" }
type               = { label = "TYPE", empty = "" }
status             = { label = "S" }
boost_type         = { label = "BT", empty = "" }
weight             = { label = "WGT", kind = "level", format = "int", empty = "" }
msu_def            = { label = "MSU DEF", format = "int", empty = "" }
msu_act            = { label = "MSU ACT", format = "int", empty = "" }
cap_def            = { label = "CAPPING DEF", empty = "" }
wlm_cap_pct        = { label = "CAPPING WLM%", better = "lower", format = "1", empty = "" }
processors         = { label = "PROCESSOR NUM", format = "1", empty = "" }
effective_s        = { label = "DISPATCH EFFECTIVE", kind = "count", format = "time", empty = "" }
total_s            = { label = "DISPATCH TOTAL", kind = "count", format = "time", empty = "" }
lp_effective_pct   = { label = "LOGICAL EFFECTIVE", format = "2", empty = "" }
lp_total_pct       = { label = "LOGICAL TOTAL", format = "2", empty = "" }
mgmt_pct           = { label = "LPAR MGMT", better = "lower", format = "2", empty = "" }
phys_effective_pct = { label = "PHYSICAL EFFECTIVE", format = "2", empty = "" }
phys_total_pct     = { label = "PHYSICAL TOTAL", format = "2", empty = "" }
*/
WITH shown AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, interval_us,
        partition, type, boost_type, weight, defined_msu, msu_s, dedicated, section_no,
        CASE WHEN physical THEN NULL WHEN active THEN 'Active' ELSE 'Deactivated' END AS status,
        CASE WHEN physical THEN 1 WHEN active THEN 0 ELSE 3 END AS place,
        CASE WHEN active AND NOT physical THEN
            concat_ws(
                ' ', if(initial_cap, 'Y', 'N'), if(hw_cap, 'Y', 'N'), if(hw_group_cap, 'Y', 'N')
            )
        END                                                      AS cap_def,
        -- the time of *PHYSICAL* that is not management belongs to no partition: it is not printed
        CASE WHEN NOT physical THEN effective_us END             AS effective_us,
        CASE WHEN NOT physical THEN online_us END                AS online_us,
        CASE WHEN NOT physical THEN wlm_capped_samples_count END AS wlm_capped_samples_count,
        CASE WHEN NOT physical THEN dispatch_samples_count END   AS dispatch_samples_count,
        dispatch_us, management_us, engine_us,
        physical
    FROM rmf_partition
),
report_row AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, interval_us,
        partition, type, status, place, section_no,
        CASE WHEN NOT physical THEN boost_type END               AS boost_type,
        CASE WHEN NOT physical THEN weight END                   AS weight,
        CASE WHEN NOT physical THEN defined_msu END              AS defined_msu,
        CASE WHEN NOT physical THEN msu_s END                    AS msu_s,
        CASE WHEN NOT physical THEN dedicated END                AS dedicated,
        cap_def, wlm_capped_samples_count, dispatch_samples_count,
        online_us, effective_us, dispatch_us, management_us, engine_us
    FROM shown
    UNION ALL BY NAME
    -- the total row of a type: *PHYSICAL* is in its total time but has no effective time
    SELECT
        run, sysplex, system, interval_start, interval_start_utc,
        max(interval_s)                                          AS interval_s,
        max(interval_us)                                         AS interval_us,
        'TOTAL'                                                  AS partition,
        type,
        2                                                        AS place,
        sum(weight) FILTER (NOT physical)                        AS weight,
        sum(effective_us)                                        AS effective_us,
        sum(dispatch_us)                                         AS dispatch_us,
        sum(management_us)                                       AS management_us,
        max(engine_us)                                           AS engine_us
    FROM shown
    WHERE place < 2
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, type
)
SELECT
    run, sysplex,
    system, -- System name
    interval_start, interval_start_utc,
    partition, -- Partition; *PHYSICAL* is the hypervisor, TOTAL the sum of a type
    type, -- Processor type; NULL for a deactivated partition
    status, -- Active or Deactivated; NULL for *PHYSICAL* and TOTAL
    boost_type, -- N none, S speed, I zIIP, B both; NULL in records without it
    weight, -- Weight for the type, the mean where WLM manages it; NULL where dedicated
    defined_msu                                                  AS msu_def, -- Defined capacity, 0 = none; on the CP row [MSU/h]
    msu_s / nullif(interval_s, 0)                                AS msu_act, -- Capacity used, from effective dispatch time; zIIP time at CP speed [MSU/h]
    cap_def, -- Initial cap, absolute hardware cap, group hardware cap: Y or N each
    100 * wlm_capped_samples_count / nullif(dispatch_samples_count, 0) AS wlm_cap_pct, -- Samples in which WLM capped the partition
    online_us / nullif(interval_us, 0)                           AS processors, -- Logical processors online, mean of the interval
    effective_us / 1e6                                           AS effective_s, -- Dispatch time without LPAR management; *PHYSICAL* has none and TOTAL leaves it out
    dispatch_us / 1e6                                            AS total_s, -- Dispatch time with LPAR management; TOTAL includes *PHYSICAL*
    100 * effective_us / nullif(online_us, 0)                    AS lp_effective_pct, -- Effective dispatch time, of the online time of the logical processors
    100 * dispatch_us / nullif(online_us, 0)                     AS lp_total_pct, -- Dispatch time, of the online time of the logical processors
    100 * management_us / nullif(engine_us, 0)                   AS mgmt_pct, -- LPAR management time, of the physical processors of the type
    100 * effective_us / nullif(engine_us, 0)                    AS phys_effective_pct, -- Effective dispatch time, of the physical processors of the type
    100 * dispatch_us / nullif(engine_us, 0)                     AS phys_total_pct, -- Dispatch time, of the physical processors of the type
    dedicated, -- Processors are dedicated: RMF prints DED as weight
    interval_s, interval_us, online_us, effective_us, dispatch_us, management_us, engine_us,
    msu_s, wlm_capped_samples_count, dispatch_samples_count
FROM report_row
ORDER BY run, sysplex, system, interval_start_utc, interval_start, place = 3,
    CASE type WHEN 'CP' THEN 0 WHEN 'AAP' THEN 1 WHEN 'IIP' THEN 2 WHEN 'ICF' THEN 3 ELSE 4 END,
    type, place, section_no
