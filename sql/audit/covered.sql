-- Covered time: what two kinds of records count is compared only where both cover the same time.
-- Made in the session before the checks of a run; the checks join what is declared here.

-- audit_inside: an interval lies in a time, but for a thousandth of that at either end.
CREATE OR REPLACE TEMP MACRO audit_inside(start, seconds, begin, finish) AS
    epoch(start) >= epoch(begin) - 0.001 * epoch(finish - begin)
    AND epoch(start) + seconds <= epoch(finish) + 0.001 * epoch(finish - begin);

-- audit_fills: intervals in a time, so many seconds in all, leave no gap in it.
CREATE OR REPLACE TEMP MACRO audit_fills(seconds, begin, finish) AS
    abs(seconds - epoch(finish - begin)) <= 0.002 * epoch(finish - begin);

-- audit_apart: the part of a time by which the intervals in it begin and end apart from it.
CREATE OR REPLACE TEMP MACRO audit_apart(first, last, begin, finish) AS
    (abs(epoch(first) - epoch(begin)) + abs(epoch(last) - epoch(finish))) / epoch(finish - begin);

-- audit_end: where an interval ends.
CREATE OR REPLACE TEMP MACRO audit_end(start, seconds) AS
    start + to_microseconds((1e6 * seconds)::BIGINT);

-- audit_whole: all records of a log file were there and read, none twice.
CREATE OR REPLACE TEMP MACRO audit_whole(log_file) AS
    log_file NOT IN (
        SELECT file_id
        FROM load_problem
        WHERE reason IN ('lsn_gap', 'lsn_repeat', 'lsn_order') OR severity <> 'info'
    );

-- audit_spans: times between statistics sets and what counters gained there: each set and the one
-- before, and, of three sets or more, the first and the last. `records` names rows with run, ims,
-- part (any text), restart (from when it counts), sample, lsn and number (counters, DOUBLE[]);
-- the same set twice counts once.
CREATE OR REPLACE TEMP MACRO audit_spans(records) AS TABLE
WITH step AS (
    SELECT
        run, ims, part, restart, sample, lsn, number,
        lag(sample) OVER sets AS sample_before, lag(lsn) OVER sets AS lsn_before,
        lag(number) OVER sets AS number_before
    FROM (SELECT DISTINCT run, ims, part, restart, sample, lsn, number FROM query_table(records))
    WINDOW sets AS (PARTITION BY run, ims, part, restart ORDER BY sample)
),
span AS (
    SELECT
        run, ims, part, min(sample_before) AS begin, max(sample) AS finish,
        min(lsn_before) AS first_lsn, max(lsn) AS last_lsn,
        arg_min(number_before, sample) AS before, arg_max(number, sample) AS number,
        grouping(sample) = 1 AS all_sets
    FROM step
    WHERE sample_before < sample
    GROUP BY GROUPING SETS ((run, ims, part, restart, sample), (run, ims, part, restart))
    HAVING NOT all_sets OR count(*) > 1
)
SELECT
    run, ims, part, begin, finish, first_lsn, last_lsn,
    list_transform(list_zip(number, before), lambda pair: pair[1] - pair[2]) AS number,
    if(all_sets, 'all sets', strftime(begin, '%Y-%m-%dT%H:%M:%SZ')) AS since
FROM span;

-- audit_log_sets: the statistics sets of log files that hold every transaction, as audit_spans takes
-- them. `heads` names the table of the records, `entries` rows with file_id, record_no and number.
CREATE OR REPLACE TEMP MACRO audit_log_sets(heads, entries) AS TABLE
SELECT
    f.run, h.imsid AS ims, h.file_id::VARCHAR AS part, h.interval_start AS restart, h.sample,
    h.log_lsn AS lsn, e.number
FROM query_table(heads) AS h
JOIN query_table(entries) AS e ON e.file_id = h.file_id AND e.record_no = h.record_no
JOIN load_file AS f ON f.file_id = h.file_id
LEFT JOIN ims_log_file AS l ON l.file_id = h.file_id
WHERE coalesce(l.sample_every, 1) = 1 AND audit_whole(h.file_id);

-- audit_spaces: address spaces in the intervals of RMF. One that began or ended within an interval
-- has a shorter one of its own: it gets that of RMF, and is not `whole`. `spaces` names the view of
-- address spaces, `records` one with the intervals.
CREATE OR REPLACE TEMP MACRO audit_spaces(spaces, records) AS TABLE
SELECT s.* REPLACE (c.interval_start_utc AS interval_start_utc), s.interval_s >= 0.99 * c.seconds AS whole
FROM query_table(spaces) AS s
ASOF JOIN (
    SELECT run, system, interval_start_utc, max(interval_s) AS seconds
    FROM query_table(records)
    GROUP BY run, system, interval_start_utc
) AS c
    ON c.run = s.run AND c.system = s.system AND s.interval_start_utc >= c.interval_start_utc
WHERE s.kind = 'interval'
    AND audit_inside(s.interval_start_utc, s.interval_s, c.interval_start_utc, audit_end(c.interval_start_utc, c.seconds));
