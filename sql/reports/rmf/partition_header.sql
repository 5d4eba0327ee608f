/* imsperf report
id       = "rmf.partition_header"
title    = "Partition Data Report: Image"
answers  = "What may this image use, and how is it capped?"
key      = []
named_by = "partition"
records_by = ["system", "interval_start"]
optional = ["smf70_1_control", "smf70_1_cpu_id", "smf70_1_processor"]
facts    = "rmf_cpu_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["image_capacity_msu"]
color    = "partition"
facet    = "system"
title    = "Capacity available to the image, MSU/h"

[page]
layout   = "smf2db 0.1.3"
title    = "Partition Data Report"

[[page.table]]
text     = """
MVS PARTITION NAME               {partition:10}      GROUP NAME     {group_name:10}      INITIAL CAP    {initial_cap:5}
IMAGE CAPACITY                   {image_capacity_msu:10}      LIMIT          {group_msu:10}      LPAR HW CAP    {lpar_hw_cap:5}
NUMBER OF CONFIGURED PARTITIONS  {configured_partitions:10}      AVAILABLE      {group_available_msu:10}      HW GROUP CAP   {hw_group_cap:5}
WAIT COMPLETION                  {wait_completion:10}                                     ABS MSU CAP    {abs_msu_cap:5}
DISPATCH INTERVAL                {dispatch_interval:10}
"""

[columns]
partition             = { label = "MVS PARTITION NAME" }
image_capacity_msu    = { label = "IMAGE CAPACITY", format = "int" }
configured_partitions = { label = "NUMBER OF CONFIGURED PARTITIONS", kind = "level", format = "int" }
wait_completion       = { label = "WAIT COMPLETION" }
dispatch_interval     = { label = "DISPATCH INTERVAL" }
group_name            = { label = "GROUP NAME", empty = "N/A" }
group_msu             = { label = "LIMIT", format = "int", empty = "N/A" }
group_available_msu   = { label = "AVAILABLE", kind = "level", format = "int", empty = "N/A" }
initial_cap           = { label = "INITIAL CAP" }
lpar_hw_cap           = { label = "LPAR HW CAP" }
hw_group_cap          = { label = "HW GROUP CAP" }
abs_msu_cap           = { label = "ABS MSU CAP" }
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, partition,
    image_capacity_msu, -- Capacity available to the image; a limit [MSU/h]
    configured_partitions, -- Configured partitions, *PHYSICAL* not among them [partitions]
    wait_completion, dispatch_interval, group_name,
    group_msu, -- Limit of the capacity group [MSU/h]
    group_available_msu, -- Capacity the group leaves unused, long-term mean; may be below 0 [MSU/h]
    initial_cap,
    lpar_hw_cap, -- Absolute cap of the partition on CPs, in processors, or NO
    hw_group_cap, -- Absolute cap of its hardware group on CPs, in processors, or NO
    abs_msu_cap, interval_s
FROM rmf_partition_settings
ORDER BY run, sysplex, system, interval_start_utc, interval_start
