/* imsperf report
id       = "rmf.partition_header"
title    = "Partition Data Report: Image"
answers  = "What may this image use, and how is it capped?"
key      = []
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_control", "smf70_1_cpu_id", "smf70_1_partition",
            "smf70_1_processor", "smf70_1_product"]
optional = ["smf70_1_control", "smf70_1_cpu_id", "smf70_1_processor"]
page     = "rmf_cpu_interval"

[chart]
mark     = "line"
x        = "interval_start"
y        = ["image_capacity_msu"]
color    = "partition"
facet    = "system"
title    = "Capacity available to the image, MSU/h"

[[column]]
name     = "partition"
label    = "MVS PARTITION NAME"
kind     = "text"
doc      = "Partition that wrote the record"
from     = ["smf70_1_partition.smf70lpm"]

[[column]]
name     = "image_capacity_msu"
label    = "IMAGE CAPACITY"
unit     = "MSU/h"
kind     = "config"
format   = "int"
doc      = "Capacity available to the image; a limit"
from     = ["smf70_1_control.smf70wla"]

[[column]]
name     = "configured_partitions"
label    = "NUMBER OF CONFIGURED PARTITIONS"
unit     = "partitions"
kind     = "level"
format   = "int"
doc      = "Configured partitions, *PHYSICAL* not among them"
from     = ["smf70_1_partition.smf70lpm"]

[[column]]
name     = "wait_completion"
label    = "WAIT COMPLETION"
kind     = "config"
doc      = "Wait completion: YES or NO"
from     = ["smf70_1_processor.smf70vpf"]

[[column]]
name     = "dispatch_interval"
label    = "DISPATCH INTERVAL"
kind     = "config"
doc      = "PR/SM dispatch interval: DYNAMIC, or milliseconds"
from     = ["smf70_1_control.smf70gts"]

[[column]]
name     = "group_name"
label    = "GROUP NAME"
kind     = "config"
doc      = "Capacity group"
from     = ["smf70_1_partition.smf70gnm"]

[[column]]
name     = "group_msu"
label    = "LIMIT"
unit     = "MSU/h"
kind     = "config"
format   = "int"
doc      = "Limit of the capacity group"
from     = ["smf70_1_partition.smf70gmu"]

[[column]]
name     = "initial_cap"
label    = "INITIAL CAP"
kind     = "config"
doc      = "Initial capping: YES or NO"
from     = ["smf70_1_processor.smf70vpf"]

[[column]]
name     = "lpar_hw_cap"
label    = "LPAR HW CAP"
kind     = "config"
doc      = "Absolute cap of the partition on CPs, in processors, or NO"
from     = ["smf70_1_processor.smf70hw_cap_limit"]

[[column]]
name     = "hw_group_cap"
label    = "HW GROUP CAP"
kind     = "config"
doc      = "Absolute cap of its hardware group on CPs, in processors, or NO"
from     = ["smf70_1_processor.smf70hwgr_cap_limit"]

[[column]]
name     = "abs_msu_cap"
label    = "ABS MSU CAP"
kind     = "config"
doc      = "Absolute MSU capping: YES or NO"
from     = ["smf70_1_control.smf70hhf"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_partition_settings.interval_s"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    partition                                                    AS partition,
    image_capacity_msu                                           AS image_capacity_msu,
    configured_partitions                                        AS configured_partitions,
    wait_completion                                              AS wait_completion,
    dispatch_interval                                            AS dispatch_interval,
    group_name                                                   AS group_name,
    group_msu                                                    AS group_msu,
    initial_cap                                                  AS initial_cap,
    lpar_hw_cap                                                  AS lpar_hw_cap,
    hw_group_cap                                                 AS hw_group_cap,
    abs_msu_cap                                                  AS abs_msu_cap,
    interval_s                                                   AS interval_s
FROM rmf_partition_settings
ORDER BY run, system, interval_start_utc, interval_start
