/* imsperf report
id       = "rmf.work_units"
title    = "Work Unit Analysis"
answers  = "How many work units are ready for each type of processor?"
key      = ["type"]
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_asid", "smf70_1_control", "smf70_1_product"]
optional = ["smf70_1_control"]
page     = "rmf_cpu_interval"

[chart]
mark     = "bar"
x        = "type"
y        = ["avg_count", "max_count"]
facet    = "system"
stack    = "no"
title    = "Work units ready"

[[column]]
name     = "type"
label    = "CPU TYPES"
kind     = "text"
doc      = "CP, AAP, IIP"
from     = ["smf70_1_asid.smf70ctt", "smf70_1_asid.smf70dtt", "smf70_1_asid.smf70ett"]

[[column]]
name     = "min_count"
label    = "MIN"
unit     = "work units"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Fewest in a sample"
from     = ["smf70_1_asid.smf70cmn", "smf70_1_asid.smf70dmn", "smf70_1_asid.smf70emn"]

[[column]]
name     = "max_count"
label    = "MAX"
unit     = "work units"
better   = "lower"
kind     = "highwater"
format   = "int"
doc      = "Most in a sample"
from     = ["smf70_1_asid.smf70cmm", "smf70_1_asid.smf70dmm", "smf70_1_asid.smf70emm"]

[[column]]
name     = "avg_count"
label    = "AVG"
unit     = "work units"
better   = "lower"
kind     = "ratio"
num      = "total_count"
den      = "samples_count"
format   = "1"
doc      = "Mean of the samples SRM took"
from     = ["smf70_1_asid.smf70ctt", "smf70_1_asid.smf70dtt", "smf70_1_asid.smf70ett",
            "smf70_1_asid.smf70srm"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_work_units.interval_s"]

[[column]]
name     = "total_count"
unit     = "work units"
kind     = "part"
doc      = "Sum over the samples"
from     = ["rmf_work_units.total_count"]

[[column]]
name     = "samples_count"
unit     = "samples"
kind     = "part"
doc      = "Samples SRM took"
from     = ["rmf_work_units.samples_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    type                                                         AS type,
    min_count                                                    AS min_count,
    max_count                                                    AS max_count,
    total_count / nullif(samples_count, 0)                       AS avg_count,
    interval_s                                                   AS interval_s,
    total_count                                                  AS total_count,
    samples_count                                                AS samples_count
FROM rmf_work_units
ORDER BY run, system, interval_start_utc, interval_start,
    CASE type WHEN 'CP' THEN 0 WHEN 'AAP' THEN 1 ELSE 2 END
