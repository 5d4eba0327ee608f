/* imsperf report
id       = "joined.log"
title    = "Log Data Sets"
answers  = "What is the time of a log write made of, and who else uses the volumes and channels?"
key      = ["kind", "job", "dataset", "volume"]
optional = ["ims_06", "ims_4500", "ims_4507", "smf73_1_channel", "smf73_1_cmg1", "smf73_1_cmg2",
    "smf73_1_cmg3", "smf73_1_control", "smf73_1_extended", "smf73_1_product", "smf74_1_device",
    "smf74_1_product", "smf78_3_control", "smf78_3_hyperpav", "smf78_3_path", "smf78_3_product",
    "smf78_3_queue"]
no_rows  = "no data set has a name of an OLDS or WADS; say what they are called with --param olds=.. and --param wads=.."

[[param]]
name     = "olds"
type     = "VARCHAR"
default  = "[.](DFS)?OL(P|S|DS)[A-Z0-9]*$"
doc      = "What names of OLDS look like: a regular expression"

[[param]]
name     = "wads"
type     = "VARCHAR"
default  = "[.](DFS)?WADS[A-Z0-9]*$"
doc      = "What names of WADS look like: a regular expression"

[chart]
mark     = "area"
x        = "interval_start_utc"
y        = ["pend_ms", "disc_ms", "conn_ms", "unexplained_ms"]
where    = "dataset IS NULL"
facet    = "kind"
title    = "Time of an I/O to log data sets, ms"

[page]
layout   = "ours"
note     = """
Milliseconds of an I/O; PEND, DISC, CONN and REST add up to RESP. REST: queued for the device
IMS: log blocks (OLDS) or channel programs (WADS) of the loggers of this system (4507) and their mean time as IMS tells it
OTHER %: I/Os of the volume that are not of this job and data set. -  not known: no record covers the time
"""

[[page.table]]
above    = "                                            ------------- DATA SET (42.6) ------------- --- VOLUME (74.1) --- -(73)- - IMS (4507) -"
columns  = """
kind            -4  KIND
job             -8  JOB
dataset        -22  DATA SET
volume          -6  VOLUME
ios_per_s        8  RATE
resp_ms          6  RESP
pend_ms          6  PEND
disc_ms          6  DISC
conn_ms          6  CONN
unexplained_ms   6  REST
volume_resp_ms   6  RESP
volume_util_pct  6  UTIL %
other_pct        7  OTHER %
channel_pct      6  CHAN %
ims_per_s        7  RATE
ims_ms           6  MS
"""

[page.texts]
dataset = "coalesce(dataset, '*ALL')"

[columns]
kind            = { label = "Kind" }
dataset         = { label = "Data set" }
ios_per_s       = { label = "I/O a second", format = "2" }
resp_ms         = { better = "lower", format = "3", contains = ["pend_ms", "disc_ms", "conn_ms", "unexplained_ms"] }
pend_ms         = { better = "lower", format = "3" }
disc_ms         = { better = "lower", format = "3" }
conn_ms         = { better = "lower", format = "3" }
unexplained_ms  = { better = "lower", format = "3" }
volume_resp_ms  = { label = "Volume RESP", better = "lower", format = "3" }
volume_util_pct = { label = "Volume util %", format = "2" }
other_pct       = { label = "Other I/O of the volume %", better = "lower", format = "1" }
channel_pct     = { label = "Channels busy %", format = "2" }
ims_per_s       = { label = "IMS writes a second", format = "2" }
ims_ms          = { label = "IMS write ms", better = "lower", format = "3" }
*/
WITH io AS (
    SELECT
        *,
        CASE
            WHEN regexp_matches(dataset, $olds) THEN 'OLDS'
            WHEN regexp_matches(dataset, $wads) THEN 'WADS'
        END                                                          AS kind
    FROM joined_data_sets('(' || $olds || ')|(' || $wads || ')')
),
-- a volume with several of them counts once
volume AS (
    SELECT DISTINCT ON (run, sysplex, system, interval_start_utc, kind, volume) *
    FROM io
    ORDER BY run, sysplex, system, interval_start_utc, kind, volume, interval_s DESC
),
volume_sum AS (
    SELECT
        run, sysplex, system, interval_start_utc, kind,
        sum(volume_io_count)                                         AS volume_io_count,
        sum(volume_measured_count)                                   AS volume_measured_count,
        sum(volume_iosq_us)                                          AS volume_iosq_us,
        sum(volume_device_us)                                        AS volume_device_us,
        sum(volume_util_us)                                          AS volume_util_us,
        sum(interval_us) FILTER (WHERE volume_util_us IS NOT NULL)   AS volume_us,
        sum(channel_busy_us)                                         AS channel_busy_us,
        sum(channel_us)                                              AS channel_us
    FROM volume
    GROUP BY run, sysplex, system, interval_start_utc, kind
),
kind_sum AS (
    SELECT
        run, sysplex, system, interval_start_utc, kind,
        max(interval_start)                                          AS interval_start,
        max(interval_s)                                              AS interval_s,
        sum(io_count)                                                AS io_count,
        sum(io_count) FILTER (WHERE volume_io_count IS NOT NULL)     AS own_count,
        sum(resp_us)                                                 AS resp_us,
        sum(pend_us)                                                 AS pend_us,
        sum(disc_us)                                                 AS disc_us,
        sum(conn_us)                                                 AS conn_us,
        sum(unexplained_us)                                          AS unexplained_us
    FROM io
    GROUP BY run, sysplex, system, interval_start_utc, kind
),
line AS (
    SELECT
        run, sysplex, system, interval_start, interval_start_utc, interval_s, kind, job, dataset,
        volume, io_count, volume_io_count - io_count AS other_count,
        resp_us, pend_us, disc_us, conn_us, unexplained_us,
        volume_io_count, volume_measured_count, volume_iosq_us, volume_device_us, volume_util_us,
        CASE WHEN volume_util_us IS NOT NULL THEN interval_us END    AS volume_us,
        channel_busy_us, channel_us, NULL::DOUBLE AS ims_count, NULL::DOUBLE AS ims_us
    FROM io
    UNION ALL BY NAME
    SELECT
        k.* EXCLUDE (own_count), v.volume_io_count - k.own_count AS other_count, NULL AS job,
        NULL AS dataset, NULL AS volume,
        v.* EXCLUDE (run, sysplex, system, interval_start_utc, kind),
        CASE k.kind WHEN 'OLDS' THEN w.olds_count ELSE w.wads_count END AS ims_count,
        CASE k.kind WHEN 'OLDS' THEN w.olds_us ELSE w.wads_us END    AS ims_us
    FROM kind_sum AS k
    JOIN volume_sum AS v
        ON v.run = k.run AND v.sysplex IS NOT DISTINCT FROM k.sysplex AND v.system = k.system
        AND v.interval_start_utc = k.interval_start_utc AND v.kind = k.kind
    LEFT JOIN joined_log_writes() AS w
        ON w.run = k.run AND w.sysplex IS NOT DISTINCT FROM k.sysplex AND w.system = k.system
        AND w.interval_start_utc = k.interval_start_utc
        AND w.interval_s = k.interval_s
)
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name, where RMF records of the run tell it
    system, -- System name where RMF records of the run tell it, else the SMF id
    interval_start, -- Interval start of the data sets, local time of the system
    interval_start_utc, -- Interval start of the data sets, UTC
    kind, -- OLDS or WADS, by the name of the data set
    job, -- Job name; NULL for all data sets of the kind
    dataset, -- Data set name; NULL for all of the kind
    volume, -- Volume serial; NULL for all
    io_count / nullif(interval_s, 0)                                 AS ios_per_s, -- I/Os a second
    0.001 * resp_us / nullif(io_count, 0)                            AS resp_ms, -- Response time of an I/O
    0.001 * pend_us / nullif(io_count, 0)                            AS pend_ms, -- Of it, pending
    0.001 * disc_us / nullif(io_count, 0)                            AS disc_ms, -- Of it, disconnected
    0.001 * conn_us / nullif(io_count, 0)                            AS conn_ms, -- Of it, connected
    0.001 * unexplained_us / nullif(io_count, 0)                     AS unexplained_ms, -- The rest: queued for the device, and rounding of means
    (volume_iosq_us / nullif(volume_io_count, 0)
        + volume_device_us / nullif(volume_measured_count, 0)) / 1000 AS volume_resp_ms, -- Response time of all I/Os of the system to the volume (74.1)
    100 * volume_util_us / nullif(volume_us, 0)                      AS volume_util_pct, -- Time the volume was in use (74.1); mean of the volumes
    100 * other_count / nullif(volume_io_count, 0)                   AS other_pct, -- I/Os of the volume that are of other data sets or jobs
    100 * channel_busy_us / nullif(channel_us, 0)                    AS channel_pct, -- Busy time of the channels of its control unit (73), all partitions
    ims_count / nullif(interval_s, 0)                                AS ims_per_s, -- OLDS blocks or WADS channel programs of the loggers of the system (4507)
    0.001 * ims_us / nullif(ims_count, 0)                            AS ims_ms, -- Mean time of these as IMS tells it, in a field of our layout
    interval_s, -- Length of the interval [s]
    io_count, -- I/Os
    other_count, -- I/Os of the volume that are of other data sets or jobs
    resp_us, -- Response time, sum [us]
    pend_us, -- Pending, sum [us]
    disc_us, -- Disconnected, sum [us]
    conn_us, -- Connected, sum [us]
    unexplained_us, -- The rest, sum [us]
    volume_io_count, -- I/Os of the system to the volume
    volume_measured_count, -- Of these, measured by the channel subsystem
    volume_iosq_us, -- Queued for the volume, sum [us]
    volume_device_us, -- Pending, disconnected and connected, sum [us]
    volume_util_us, -- Time the volumes were in use, sum [us]
    volume_us, -- Time of these volumes, sum [us]
    channel_busy_us, -- Time the channels were busy, sum [us]
    channel_us, -- Time of these channels, sum [us]
    ims_count, -- OLDS blocks or WADS channel programs
    ims_us -- Their time as IMS tells it [us]
FROM line
ORDER BY run, sysplex, system, interval_start_utc, kind, dataset IS NOT NULL, dataset, volume, job
