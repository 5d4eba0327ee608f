/* imsperf report
id       = "load.coverage"
title    = "Coverage"
answers  = "What is loaded, from when to when, and what is missing, damaged or there twice?"
key      = ["kind", "type", "subtype"]
no_rows  = "nothing is loaded yet: `imsperf load` adds files"

[chart]
mark     = "bar"
x        = "type"
y        = ["records"]
color    = "kind"
facet    = "system"
own_y    = true
printed  = true
where    = "type IS NOT NULL"
top      = 30
by       = "records"
title    = "Records in the files, the 30 most frequent types"

[page]
layout   = "ours"
heading  = "run"
above    = """
Coverage
Run : {run}

"""

[page.texts]
type_name = """CASE WHEN type IS NULL THEN kind || ', all' ELSE
    type || if(kind = 'smf' AND subtype <> '', '.', '') || coalesce(subtype, '') END"""
clock     = "nullif(clock, '')"
from      = "coalesce(strftime(coalesce(interval_start, interval_start_utc), '%Y-%m-%d %H:%M:%S'), '-')"
to        = "coalesce(strftime(last, '%m-%d %H:%M:%S'), '-')"
intervals = "CASE WHEN intervals_found > 0 THEN format('{}/{}', intervals_found, intervals_expected) ELSE '' END"
gaps      = "CASE WHEN coalesce(gaps, 0) = 0 THEN '' ELSE gaps::VARCHAR END"
gap       = "strftime(first_gap, '%m-%d %H:%M:%S')"
lsn       = """CASE kind WHEN 'ims' THEN format(
    ', {:,} gaps and {:,} repeats of log sequence numbers',
    coalesce(lsn_gaps, 0), coalesce(lsn_repeats, 0)) END"""

[[page.table]]
columns  = """
system      -8  SYSTEM
type_name   -8  TYPE
clock       -5  CLOCK
from       -19  FROM
to         -14  TO
files        5  FILES
records     11  RECORDS
bytes       13  BYTES
decoded     10  DECODED
intervals   10  INTERVALS
gaps         4  GAPS
gap         14  FIRST GAP
"""

[[page.table]]
where    = "type IS NULL"
text     = "{kind}: {errors} errors, {data_losses} data losses, {infos} remarks, {bytes_lost} bytes lost, {repeated} records in another file too{lsn}"

[columns]
sysplex            = { label = "SYSPLEX" }
interval_start     = { label = "START" }
interval_start_utc = { label = "START UTC" }
kind               = { label = "KIND" }
type               = { label = "TYPE" }
subtype            = { label = "SUB" }
last               = { label = "LAST", kind = "time", total = "max" }
files              = { kind = "count", total = "max", format = "grouped", empty = "0" }
records            = { kind = "count", format = "grouped", empty = "0" }
bytes              = { kind = "count", format = "grouped", empty = "0" }
decoded            = { kind = "count", format = "grouped", empty = "0" }
repeated           = { label = "REPEATED", kind = "count", format = "grouped", empty = "0" }
intervals_found    = { label = "FOUND", kind = "count", total = "max", format = "grouped" }
intervals_expected = { label = "EXPECTED", kind = "count", total = "max", format = "grouped" }
intervals_missing  = { label = "MISSING", kind = "count", better = "lower", total = "max", format = "grouped" }
gaps               = { kind = "count", better = "lower", total = "max", format = "grouped" }
first_gap          = { label = "FIRST GAP", kind = "time" }
lsn_gaps           = { label = "LSN GAPS", kind = "count", better = "lower", format = "grouped" }
lsn_repeats        = { label = "LSN REP.", kind = "count", better = "lower", format = "grouped" }
errors             = { label = "ERRORS", kind = "count", better = "lower", format = "grouped", empty = "0" }
data_losses        = { label = "LOSSES", kind = "count", better = "lower", format = "grouped", empty = "0" }
infos              = { label = "INFOS", kind = "count", format = "grouped", empty = "0" }
bytes_lost         = { label = "LOST", kind = "count", better = "lower", format = "grouped", empty = "0" }
*/
WITH counted AS (
    SELECT
        f.run, s.sysplex, c.kind, c.system, c.type, c.subtype,
        min(c.first)               AS first,
        max(c.last)                AS last,
        count(DISTINCT c.file_id)  AS files,
        sum(c.records)             AS records,
        sum(c.bytes)               AS bytes,
        sum(c.loaded)              AS decoded,
        max(s.name)                AS name
    FROM load_count AS c
    JOIN load_file AS f ON f.file_id = c.file_id
    LEFT JOIN smf_file_systems() AS s
        ON s.file_id = c.file_id AND s.sid = c.system AND c.kind = 'smf'
    GROUP BY f.run, s.sysplex, c.kind, c.system, c.type, c.subtype
),
-- When an interval was is told by UTC: local times repeat where a clock is set back. Records
-- without it have the offset of the interval before that has one, else of the first; without any,
-- local times count.
met AS (
    SELECT f.run, i.*
    FROM load_interval AS i
    JOIN load_file AS f ON f.file_id = i.file_id
),
clock AS (
    SELECT DISTINCT
        run, sysplex, system, interval_start, interval_start_utc - interval_start AS to_utc
    FROM met
    WHERE interval_start_utc IS NOT NULL
),
first_clock AS (
    SELECT run, sysplex, system, arg_min(to_utc, interval_start) AS to_utc
    FROM clock
    GROUP BY run, sysplex, system
),
told AS (
    SELECT
        i.*,
        coalesce(
            i.interval_start_utc,
            i.interval_start + coalesce(c.to_utc, o.to_utc),
            i.interval_start
        )                                                    AS begins
    FROM met AS i
    ASOF LEFT JOIN clock AS c
        ON c.run = i.run AND c.sysplex IS NOT DISTINCT FROM i.sysplex AND c.system = i.system
        AND i.interval_start >= c.interval_start
    LEFT JOIN first_clock AS o
        ON o.run = i.run AND o.sysplex IS NOT DISTINCT FROM i.sysplex AND o.system = i.system
),
interval AS (
    SELECT
        run, sysplex, system, type, subtype, begins,
        min(interval_start)                                  AS interval_start,
        max(interval_end)                                    AS interval_end,
        max(begins + (interval_end - interval_start))        AS ends
    FROM told
    GROUP BY run, sysplex, system, type, subtype, begins
),
of_system AS (
    SELECT
        run, sysplex, system,
        min(begins)                                          AS begins,
        arg_min(interval_start, begins)                      AS first,
        max(ends)                                            AS ends
    FROM interval
    GROUP BY run, sysplex, system
),
of_type AS (
    SELECT
        run, sysplex, system, type, subtype,
        count(begins)                                        AS found,
        arg_min(interval_start, begins)                      AS first,
        arg_max(interval_end, ends)                          AS last,
        max(ends)                                            AS ends,
        median(epoch(interval_end - interval_start))         AS usual_s
    FROM interval
    GROUP BY run, sysplex, system, type, subtype
),
pause AS (
    -- between one interval and the next, before the first and after the last; since: local time
    SELECT
        i.run, i.sysplex, i.system, i.type, i.subtype,
        coalesce(max(i.ends) OVER earlier, s.begins)         AS begins,
        coalesce(arg_max(i.interval_end, i.ends) OVER earlier, s.first) AS since,
        i.begins                                             AS ends
    FROM interval AS i
    JOIN of_system AS s
        ON s.run = i.run AND s.sysplex IS NOT DISTINCT FROM i.sysplex AND s.system = i.system
    WINDOW earlier AS (
        PARTITION BY i.run, i.sysplex, i.system, i.type, i.subtype ORDER BY i.begins
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
    UNION ALL
    SELECT
        t.run, t.sysplex, t.system, t.type, t.subtype,
        t.ends AS begins, t.last AS since, s.ends
    FROM of_type AS t
    JOIN of_system AS s
        ON s.run = t.run AND s.sysplex IS NOT DISTINCT FROM t.sysplex AND s.system = t.system
),
gap AS (
    -- starts are stored in whole seconds, lengths are not
    SELECT
        p.run, p.sysplex, p.system, p.type, p.subtype,
        date_trunc('second', p.since + INTERVAL 500 MILLISECONDS) AS begins,
        round(epoch(p.ends - p.begins) / nullif(t.usual_s, 0)) AS missing
    FROM pause AS p
    JOIN of_type AS t
        ON t.run = p.run AND t.sysplex IS NOT DISTINCT FROM p.sysplex AND t.system = p.system
        AND t.type = p.type AND t.subtype = p.subtype
    WHERE epoch(p.ends - p.begins) > 1
),
missed AS (
    SELECT
        run, sysplex, system, type, subtype,
        sum(missing)::BIGINT       AS missing,
        count(begins)              AS gaps,
        min(begins)                AS first_gap
    FROM gap
    WHERE missing > 0
    GROUP BY run, sysplex, system, type, subtype
),
found AS (
    SELECT
        t.run, t.sysplex, t.system, t.type, t.subtype, t.found, t.first, t.last,
        coalesce(m.missing, 0)                               AS missing,
        coalesce(m.gaps, 0)                                  AS gaps,
        m.first_gap
    FROM of_type AS t
    LEFT JOIN missed AS m
        ON m.run = t.run AND m.sysplex IS NOT DISTINCT FROM t.sysplex AND m.system = t.system
        AND m.type = t.type AND m.subtype = t.subtype
),
-- records of a file that has the system in several sysplexes: the intervals of all of them
found_of AS (
    SELECT * FROM found WHERE sysplex IS NOT NULL
    UNION ALL BY NAME
    SELECT
        run, NULL AS sysplex, system, type, subtype, sum(found)::BIGINT AS found,
        min(first) AS first, max(last) AS last, sum(missing)::BIGINT AS missing,
        sum(gaps)::BIGINT AS gaps, min(first_gap) AS first_gap
    FROM found
    GROUP BY run, system, type, subtype
),
problem AS (
    SELECT
        f.run, coalesce(f.kind, 'unknown') AS kind,
        count(*) FILTER (p.reason = 'lsn_gap')          AS lsn_gaps,
        count(*) FILTER (p.reason = 'lsn_repeat')       AS lsn_repeats,
        count(*) FILTER (p.severity IN ('error', 'suspect')) AS errors,
        count(*) FILTER (p.severity = 'data_loss')      AS data_losses,
        count(*) FILTER (p.severity = 'info')           AS infos,
        sum(p.bytes)                                    AS bytes_lost
    FROM load_problem AS p
    JOIN load_file AS f ON f.file_id = p.file_id
    GROUP BY f.run, f.kind
),
of_kind AS (
    SELECT
        run, coalesce(kind, 'unknown') AS kind,
        min(first)                 AS first,
        max(last)                  AS last,
        count(*)                   AS files,
        sum(records)               AS records,
        sum(repeated)              AS repeated
    FROM load_file
    GROUP BY run, kind
),
of_records AS (
    SELECT run, kind, sum(bytes) AS bytes, sum(decoded) AS decoded
    FROM counted
    GROUP BY run, kind
),
covered AS (
    SELECT
        c.run,
        c.sysplex,
        coalesce(c.name, c.system)                                 AS system,
        CASE WHEN c.kind = 'smf' THEN coalesce(t.first, c.first) END AS interval_start,
        CASE WHEN c.kind = 'ims' THEN c.first END                  AS interval_start_utc,
        c.kind, c.type, c.subtype,
        coalesce(t.last, c.last)                                   AS last,
        c.files, c.records, c.bytes, c.decoded,
        NULL::BIGINT                                               AS repeated,
        t.found                                                    AS intervals_found,
        t.found + t.missing                                        AS intervals_expected,
        t.missing                                                  AS intervals_missing,
        t.gaps                                                     AS gaps,
        t.first_gap,
        NULL::BIGINT                                               AS lsn_gaps,
        NULL::BIGINT                                               AS lsn_repeats,
        NULL::BIGINT                                               AS errors,
        NULL::BIGINT                                               AS data_losses,
        NULL::BIGINT                                               AS infos,
        NULL::BIGINT                                               AS bytes_lost
    FROM counted AS c
    LEFT JOIN found_of AS t
        ON t.run = c.run AND t.sysplex IS NOT DISTINCT FROM c.sysplex AND t.system = c.system
        AND t.type = c.type AND t.subtype = c.subtype AND c.kind = 'smf'
    UNION ALL
    SELECT
        k.run,
        NULL                                                       AS sysplex,
        NULL                                                       AS system,
        CASE WHEN k.kind = 'smf' THEN k.first END                  AS interval_start,
        CASE WHEN k.kind = 'ims' THEN k.first END                  AS interval_start_utc,
        k.kind,
        NULL                                                       AS type,
        NULL                                                       AS subtype,
        k.last, k.files, k.records,
        coalesce(r.bytes, 0)                                       AS bytes,
        coalesce(r.decoded, 0)                                     AS decoded,
        coalesce(k.repeated, 0)                                    AS repeated,
        NULL                                                       AS intervals_found,
        NULL                                                       AS intervals_expected,
        NULL                                                       AS intervals_missing,
        NULL                                                       AS gaps,
        NULL                                                       AS first_gap,
        CASE WHEN k.kind = 'ims' THEN coalesce(p.lsn_gaps, 0) END    AS lsn_gaps,
        CASE WHEN k.kind = 'ims' THEN coalesce(p.lsn_repeats, 0) END AS lsn_repeats,
        coalesce(p.errors, 0)                                      AS errors,
        coalesce(p.data_losses, 0)                                 AS data_losses,
        coalesce(p.infos, 0)                                       AS infos,
        coalesce(p.bytes_lost, 0)                                  AS bytes_lost
    FROM of_kind AS k
    LEFT JOIN of_records AS r ON r.run = k.run AND r.kind = k.kind
    LEFT JOIN problem AS p ON p.run = k.run AND p.kind = k.kind
)
SELECT
    run, -- Measurement
    sysplex, -- Sysplex name, from RMF records of the system; empty where a file has the system of several
    system, -- System name as RMF records have it, else SMF id or IMS id; empty for all of a kind
    interval_start, -- SMF: start of the first interval, else time of the first record; local
    interval_start_utc, -- IMS log: time of the first record
    CASE kind WHEN 'smf' THEN 'local' WHEN 'ims' THEN 'UTC' END AS clock, -- Of the times of the row: local to the system in SMF, UTC in an IMS log
    kind, -- smf or ims
    type, -- SMF type decimal, IMS log code hex; empty for all of the kind
    subtype, -- SMF subtype decimal, IMS subcode hex
    last, -- End of the last interval, else time of the last record; SMF local, IMS log UTC
    files, -- Files that hold such records [files]
    records, -- Records in these files [records]
    bytes, -- Bytes of them [bytes]
    decoded, -- Records decoded into tables of their own [records]
    repeated, -- Records that other files of the run had brought; of all types [records]
    intervals_found, -- RMF intervals with such a record [intervals]
    intervals_expected, -- RMF intervals from the first to the last of the system [intervals]
    intervals_missing, -- RMF intervals without such a record [intervals]
    gaps, -- Places where intervals are missing [gaps]
    first_gap, -- Where the first of them begins, local time
    lsn_gaps, -- Places where log sequence numbers are missing [gaps]
    lsn_repeats, -- Places where log sequence numbers do not rise [places]
    errors, -- Problems of severity error or suspect [problems]
    data_losses, -- Problems of severity data_loss [problems]
    infos, -- Problems of severity info [problems]
    bytes_lost -- Bytes that could not be read [bytes]
FROM covered
ORDER BY
    run, kind DESC, type IS NULL, system, sysplex,
    CASE WHEN kind = 'smf' THEN type::INTEGER END, type,
    CASE WHEN kind = 'smf' THEN subtype::INTEGER END, subtype
