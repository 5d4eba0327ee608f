/* imsperf report
id       = "rmf.address_spaces"
title    = "Address Space Analysis"
answers  = "How many address spaces are in storage, ready, or waiting, and of which type?"
key      = ["kind", "queue"]
time     = "interval_start_utc"
lead     = "smf70_1_product"
needs    = ["load_file", "smf70_1_asid", "smf70_1_control", "smf70_1_product"]
optional = ["smf70_1_control"]
page     = "rmf_cpu_interval"

[chart]
mark     = "bar"
x        = "queue"
y        = ["avg_count"]
facet    = "system"
title    = "Address spaces"

[[column]]
name     = "kind"
label    = "KIND"
kind     = "text"
doc      = "queue or type"
from     = ["smf70_1_asid.smf70itt", "smf70_1_asid.smf70rtt", "smf70_1_asid.smf70ott",
            "smf70_1_asid.smf70wtt", "smf70_1_asid.smf70ltt", "smf70_1_asid.smf70att",
            "smf70_1_asid.smf70btt", "smf70_1_asid.smf70stt", "smf70_1_asid.smf70ttt",
            "smf70_1_asid.smf70ptt", "smf70_1_asid.smf70xtt"]

[[column]]
name     = "queue"
label    = "QUEUE"
kind     = "text"
doc      = "IN, IN READY (among IN), OUT READY ..; BATCH, STC, TSO, ASCH, OMVS"
from     = ["smf70_1_asid.smf70itt", "smf70_1_asid.smf70rtt", "smf70_1_asid.smf70ott",
            "smf70_1_asid.smf70wtt", "smf70_1_asid.smf70ltt", "smf70_1_asid.smf70att",
            "smf70_1_asid.smf70btt", "smf70_1_asid.smf70stt", "smf70_1_asid.smf70ttt",
            "smf70_1_asid.smf70ptt", "smf70_1_asid.smf70xtt"]

[[column]]
name     = "min_count"
label    = "MIN"
unit     = "address spaces"
kind     = "level"
total    = "min"
format   = "int"
doc      = "Fewest in a sample"
from     = ["smf70_1_asid.smf70imn", "smf70_1_asid.smf70rmn", "smf70_1_asid.smf70omn",
            "smf70_1_asid.smf70wmn", "smf70_1_asid.smf70lmn", "smf70_1_asid.smf70amn",
            "smf70_1_asid.smf70bmn", "smf70_1_asid.smf70smn", "smf70_1_asid.smf70tmn",
            "smf70_1_asid.smf70pmn", "smf70_1_asid.smf70xmn"]

[[column]]
name     = "max_count"
label    = "MAX"
unit     = "address spaces"
kind     = "highwater"
format   = "int"
doc      = "Most in a sample"
from     = ["smf70_1_asid.smf70imm", "smf70_1_asid.smf70rmm", "smf70_1_asid.smf70omm",
            "smf70_1_asid.smf70wmm", "smf70_1_asid.smf70lmm", "smf70_1_asid.smf70amm",
            "smf70_1_asid.smf70bmm", "smf70_1_asid.smf70smm", "smf70_1_asid.smf70tmm",
            "smf70_1_asid.smf70pmm", "smf70_1_asid.smf70xmm"]

[[column]]
name     = "avg_count"
label    = "AVG"
unit     = "address spaces"
kind     = "ratio"
num      = "total_count"
den      = "samples_count"
format   = "1"
doc      = "Mean of the samples"
from     = ["smf70_1_asid.smf70itt", "smf70_1_asid.smf70rtt", "smf70_1_asid.smf70ott",
            "smf70_1_asid.smf70wtt", "smf70_1_asid.smf70ltt", "smf70_1_asid.smf70att",
            "smf70_1_asid.smf70btt", "smf70_1_asid.smf70stt", "smf70_1_asid.smf70ttt",
            "smf70_1_asid.smf70ptt", "smf70_1_asid.smf70xtt", "smf70_1_product.smf70sam"]

[[column]]
name     = "interval_s"
unit     = "s"
kind     = "part"
doc      = "Length of the interval"
from     = ["rmf_address_spaces.interval_s"]

[[column]]
name     = "total_count"
unit     = "address spaces"
kind     = "part"
doc      = "Sum over the samples"
from     = ["rmf_address_spaces.total_count"]

[[column]]
name     = "samples_count"
unit     = "samples"
kind     = "part"
doc      = "RMF samples"
from     = ["rmf_address_spaces.samples_count"]
*/
SELECT
    run                                                          AS run,
    sysplex                                                      AS sysplex,
    system                                                       AS system,
    interval_start                                               AS interval_start,
    interval_start_utc                                           AS interval_start_utc,
    kind                                                         AS kind,
    queue                                                        AS queue,
    min_count                                                    AS min_count,
    max_count                                                    AS max_count,
    total_count / nullif(samples_count, 0)                       AS avg_count,
    interval_s                                                   AS interval_s,
    total_count                                                  AS total_count,
    samples_count                                                AS samples_count
FROM rmf_address_spaces
ORDER BY run, system, interval_start_utc, interval_start, place
