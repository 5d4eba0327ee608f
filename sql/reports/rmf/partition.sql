/* imsperf report
id       = "rmf.partition"
title    = "Partition Data Report"
answers  = "Who uses the machine, what does PR/SM itself take, and is somebody capped?"
key      = ["partition", "type"]
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_control", "smf70_1_cpu_id", "smf70_1_partition",
            "smf70_1_processor", "smf70_1_product"]
optional = ["smf70_1_cpu_id"]
page     = "rmf_partition_header"

[chart]
mark     = "area"
x        = "interval_start"
y        = ["phys_effective_pct"]
color    = "partition"
facet    = "type"
where    = "status = 'Active'"
title    = "Physical processors used, per cent, by partition"

[[column]]
name     = "partition"
label    = "NAME"
kind     = "text"
doc      = "Partition; *PHYSICAL* is the hypervisor, TOTAL the sum of a type"
from     = ["smf70_1_partition.smf70lpm"]

[[column]]
name     = "type"
label    = "TYPE"
kind     = "text"
doc      = "Processor type; NULL for a deactivated partition"
from     = ["smf70_1_cpu_id.smf70cin"]

[[column]]
name     = "status"
label    = "S"
kind     = "text"
doc      = "Active or Deactivated; NULL for *PHYSICAL* and TOTAL"
from     = ["smf70_1_partition.smf70bdn"]

[[column]]
name     = "boost_type"
label    = "BT"
kind     = "text"
doc      = "N none, S speed, I zIIP, B both; NULL in records without it"
from     = ["smf70_1_partition.smf70_boostinfo"]

[[column]]
name     = "weight"
label    = "WGT"
kind     = "level"
format   = "int"
doc      = "Weight for the type, the mean where WLM manages it; NULL where dedicated"
from     = ["rmf_partition.weight", "smf70_1_processor.smf70bps", "smf70_1_processor.smf70acs"]

[[column]]
name     = "msu_def"
label    = "MSU DEF"
unit     = "MSU/h"
kind     = "config"
format   = "int"
doc      = "Defined capacity, 0 = none; on the CP row"
from     = ["smf70_1_partition.smf70msu"]

[[column]]
name     = "msu_act"
label    = "MSU ACT"
unit     = "MSU/h"
kind     = "ratio"
num      = "msu_s"
den      = "interval_s"
format   = "int"
doc      = "Capacity used, from effective dispatch time; zIIP time at CP speed"
from     = ["rmf_partition.msu_s", "smf70_1_processor.smf70edt",
            "smf70_1_control.smf70cpa_actual", "smf70_1_control.smf70cpa_scaling_factor",
            "smf70_1_control.smf70nrm"]

[[column]]
name     = "cap_def"
label    = "CAPPING DEF"
kind     = "config"
doc      = "Initial cap, absolute hardware cap, group hardware cap: Y or N each"
from     = ["smf70_1_processor.smf70vpf", "smf70_1_processor.smf70hw_cap_limit",
            "smf70_1_processor.smf70hwgr_cap_limit"]

[[column]]
name     = "wlm_cap_pct"
label    = "CAPPING WLM%"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "wlm_capped_samples_count"
den      = "dispatch_samples_count"
scale    = 100
format   = "1"
doc      = "Samples in which WLM capped the partition"
from     = ["smf70_1_processor.smf70nsw", "smf70_1_control.smf70dsa"]

[[column]]
name     = "processors"
label    = "PROCESSOR NUM"
kind     = "ratio"
num      = "online_us"
den      = "interval_us"
format   = "1"
doc      = "Logical processors online, mean of the interval"
from     = ["rmf_partition.online_us", "smf70_1_processor.smf70ont"]

[[column]]
name     = "effective_s"
label    = "DISPATCH EFFECTIVE"
unit     = "s"
kind     = "count"
format   = "time"
doc      = "Dispatch time without LPAR management; *PHYSICAL* has none and TOTAL leaves it out"
from     = ["rmf_partition.effective_us", "smf70_1_processor.smf70edt"]

[[column]]
name     = "total_s"
label    = "DISPATCH TOTAL"
unit     = "s"
kind     = "count"
format   = "time"
doc      = "Dispatch time with LPAR management; TOTAL includes *PHYSICAL*"
from     = ["rmf_partition.dispatch_us", "smf70_1_processor.smf70pdt"]

[[column]]
name     = "lp_effective_pct"
label    = "LOGICAL EFFECTIVE"
unit     = "%"
kind     = "ratio"
num      = "effective_us"
den      = "online_us"
scale    = 100
format   = "2"
doc      = "Effective dispatch time, of the online time of the logical processors"
from     = ["rmf_partition.effective_us", "rmf_partition.online_us"]

[[column]]
name     = "lp_total_pct"
label    = "LOGICAL TOTAL"
unit     = "%"
kind     = "ratio"
num      = "dispatch_us"
den      = "online_us"
scale    = 100
format   = "2"
doc      = "Dispatch time, of the online time of the logical processors"
from     = ["rmf_partition.dispatch_us", "rmf_partition.online_us"]

[[column]]
name     = "mgmt_pct"
label    = "LPAR MGMT"
unit     = "%"
better   = "lower"
kind     = "ratio"
num      = "management_us"
den      = "engine_us"
scale    = 100
format   = "2"
doc      = "LPAR management time, of the physical processors of the type"
from     = ["rmf_partition.management_us", "rmf_partition.engine_us", "smf70_1_cpu_id.smf70ctn"]

[[column]]
name     = "phys_effective_pct"
label    = "PHYSICAL EFFECTIVE"
unit     = "%"
kind     = "ratio"
num      = "effective_us"
den      = "engine_us"
scale    = 100
format   = "2"
doc      = "Effective dispatch time, of the physical processors of the type"
from     = ["rmf_partition.effective_us", "rmf_partition.engine_us"]

[[column]]
name     = "phys_total_pct"
label    = "PHYSICAL TOTAL"
unit     = "%"
kind     = "ratio"
num      = "dispatch_us"
den      = "engine_us"
scale    = 100
format   = "2"
doc      = "Dispatch time, of the physical processors of the type"
from     = ["rmf_partition.dispatch_us", "rmf_partition.engine_us"]

[[column]]
name     = "dedicated"
kind     = "config"
doc      = "Processors are dedicated: RMF prints DED as weight"
from     = ["smf70_1_processor.smf70bps"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_partition.interval_s"]

[[column]]
name     = "interval_us"
unit     = "us"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_partition.interval_us"]

[[column]]
name     = "online_us"
unit     = "us"
kind     = "part"
doc      = "Online time of the logical processors"
from     = ["rmf_partition.online_us"]

[[column]]
name     = "effective_us"
unit     = "us"
kind     = "part"
doc      = "Dispatch time without LPAR management"
from     = ["rmf_partition.effective_us"]

[[column]]
name     = "dispatch_us"
unit     = "us"
kind     = "part"
doc      = "Dispatch time with LPAR management"
from     = ["rmf_partition.dispatch_us"]

[[column]]
name     = "management_us"
unit     = "us"
kind     = "part"
doc      = "LPAR management time"
from     = ["rmf_partition.management_us"]

[[column]]
name     = "engine_us"
unit     = "us"
kind     = "part"
doc      = "Time of all physical processors of the type"
from     = ["rmf_partition.engine_us"]

[[column]]
name     = "msu_s"
unit     = "MSU/h s"
kind     = "part"
doc      = "MSU/h used x seconds"
from     = ["rmf_partition.msu_s"]

[[column]]
name     = "wlm_capped_samples_count"
unit     = "samples"
kind     = "part"
doc      = "Samples in which WLM capped the partition"
from     = ["rmf_partition.wlm_capped_samples_count"]

[[column]]
name     = "dispatch_samples_count"
unit     = "samples"
kind     = "part"
doc      = "Diagnose X'204' samples"
from     = ["rmf_partition.dispatch_samples_count"]
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
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    partition                                                    AS partition,
    type                                                         AS type,
    status                                                       AS status,
    boost_type                                                   AS boost_type,
    weight                                                       AS weight,
    defined_msu                                                  AS msu_def,
    msu_s / nullif(interval_s, 0)                                AS msu_act,
    cap_def                                                      AS cap_def,
    100 * wlm_capped_samples_count / nullif(dispatch_samples_count, 0) AS wlm_cap_pct,
    online_us / nullif(interval_us, 0)                           AS processors,
    effective_us / 1e6                                           AS effective_s,
    dispatch_us / 1e6                                            AS total_s,
    100 * effective_us / nullif(online_us, 0)                    AS lp_effective_pct,
    100 * dispatch_us / nullif(online_us, 0)                     AS lp_total_pct,
    100 * management_us / nullif(engine_us, 0)                   AS mgmt_pct,
    100 * effective_us / nullif(engine_us, 0)                    AS phys_effective_pct,
    100 * dispatch_us / nullif(engine_us, 0)                     AS phys_total_pct,
    dedicated                                                    AS dedicated,
    interval_s                                                   AS interval_s,
    interval_us                                                  AS interval_us,
    online_us                                                    AS online_us,
    effective_us                                                 AS effective_us,
    dispatch_us                                                  AS dispatch_us,
    management_us                                                AS management_us,
    engine_us                                                    AS engine_us,
    msu_s                                                        AS msu_s,
    wlm_capped_samples_count                                     AS wlm_capped_samples_count,
    dispatch_samples_count                                       AS dispatch_samples_count
FROM report_row
ORDER BY run, system, interval_start_utc, interval_start, place = 3,
    CASE type WHEN 'CP' THEN 0 WHEN 'AAP' THEN 1 WHEN 'IIP' THEN 2 WHEN 'ICF' THEN 3 ELSE 4 END,
    type, place, section_no
