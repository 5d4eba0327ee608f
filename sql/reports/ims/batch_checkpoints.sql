/* imsperf report
id       = "ims.batch_checkpoints"
title    = "BMP Checkpoints"
answers  = "How often does a batch program commit, and what lies between two commits?"
key      = ["ims", "job", "psb"]
named_by = "program"
optional = ["ims_4500", "ims_06", "ims_a0", "ims_01", "ims_03", "ims_5901", "ims_5937", "ims_5938"]
no_rows  = "no statistics set or message tells which time its checkpoints are of"

[chart]
mark     = "bar"
x        = "job"
y        = ["apart_max_s", "apart_s"]
facet    = "ims"
stack    = "no"
title    = "Time between two checkpoints, mean and longest, s"

[page]
layout = "ours"

[[page.table]]
columns  = """
job                     -8  Job
psb                     -8  PSB
program                 -8  Program
checkpoints             11  Checkpoints
checkpoints_per_s        9  /Second
basic                    7  Basic
symbolic                 9  Symbolic
sync                     6  SYNC
changes                 10  Changes
changes_per_checkpoint  11  /Checkpoint
apart_s                 12  Mean s apart
apart_max_s             15  Longest s apart
"""

[columns]
checkpoints            = { kind = "count", format = "grouped" }
checkpoints_per_s      = { label = "Checkpoints /Second", format = "2" }
basic                  = { label = "Basic CHKP calls", kind = "count", format = "grouped" }
symbolic               = { label = "Symbolic CHKP calls", kind = "count", format = "grouped" }
sync                   = { label = "SYNC calls", kind = "count", format = "grouped" }
changes                = { label = "Database changes", kind = "count", format = "grouped" }
changes_per_checkpoint = { label = "Changes /Checkpoint", format = "1" }
apart_s                = { better = "lower", format = "3" }
apart_max_s            = { kind = "highwater", better = "lower", format = "3" }
*/
WITH program AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, ims, job, psb,
        CASE WHEN count(DISTINCT program) = 1 THEN any_value(program) END AS program,
        max(interval_s)                                          AS interval_s,
        count(*)                                                 AS checkpoints,
        count(*) FILTER (kind = 'basic')                         AS basic,
        count(*) FILTER (kind = 'symbolic')                      AS symbolic,
        count(*) FILTER (kind = 'sync')                          AS sync,
        sum(changes_count)::DOUBLE                               AS changes,
        1e-6 * sum(apart_us)                                     AS apart_total_s,
        count(apart_us)                                          AS apart_count,
        1e-6 * max(apart_us)                                     AS apart_max_s
    FROM ims_batch_checkpoint
    GROUP BY run, sysplex, system, interval_start, interval_start_utc, ims, job, psb
)
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name, from a 4500 of the IMS
    system, -- SMF system id, from a 4500 of the IMS, or NULL
    interval_start, -- The same, local; NULL without a 4500
    interval_start_utc, -- Statistics set, or first arrival in the log, UTC
    ims, -- IMS id
    job, -- Job name of the region
    psb, -- PSB of the program
    program, -- Application program; NULL where there are several
    checkpoints, -- Checkpoints taken
    checkpoints / nullif(interval_s, 0)                          AS checkpoints_per_s, -- Checkpoints a second
    basic, -- Basic CHKP calls among them
    symbolic, -- Symbolic CHKP calls among them
    sync, -- SYNC calls among them
    changes, -- Database changes that they committed
    changes / nullif(checkpoints, 0)                             AS changes_per_checkpoint, -- Database changes of a checkpoint
    apart_total_s / nullif(apart_count, 0)                       AS apart_s, -- Mean time since the checkpoint before of the program
    apart_max_s, -- Longest of these times
    interval_s, -- Length of the interval
    apart_total_s, -- Time since the checkpoints before
    apart_count -- Checkpoints where that is known
FROM program
ORDER BY run, system, ims, interval_start_utc, job, psb
