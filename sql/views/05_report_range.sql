-- in_report_range: whether a report asked for an interval that begins then (local time).
-- `report --from --to --tod` sets the variables in its own connection; without them all are.
CREATE OR REPLACE MACRO in_report_range(local_start) AS
    (CAST(getvariable('report_from') AS TIMESTAMP) IS NULL
        OR local_start >= CAST(getvariable('report_from') AS TIMESTAMP))
    AND (CAST(getvariable('report_to') AS TIMESTAMP) IS NULL
        OR local_start < CAST(getvariable('report_to') AS TIMESTAMP))
    AND CASE
        WHEN CAST(getvariable('report_tod_from') AS TIME) IS NULL THEN true
        WHEN CAST(getvariable('report_tod_from') AS TIME)
            < CAST(getvariable('report_tod_to') AS TIME)
            THEN CAST(local_start AS TIME) >= CAST(getvariable('report_tod_from') AS TIME)
                AND CAST(local_start AS TIME) < CAST(getvariable('report_tod_to') AS TIME)
        ELSE CAST(local_start AS TIME) >= CAST(getvariable('report_tod_from') AS TIME)
            OR CAST(local_start AS TIME) < CAST(getvariable('report_tod_to') AS TIME)
    END;

-- near_report_range: whether an interval that begins then (local time) may have time in common with
-- one that in_report_range keeps. RMF and SMF take no interval of more than an hour.
CREATE OR REPLACE MACRO near_report_range(local_start) AS
    (CAST(getvariable('report_from') AS TIMESTAMP) IS NULL
        OR local_start > CAST(getvariable('report_from') AS TIMESTAMP) - INTERVAL 1 HOUR)
    AND (CAST(getvariable('report_to') AS TIMESTAMP) IS NULL
        OR local_start < CAST(getvariable('report_to') AS TIMESTAMP) + INTERVAL 1 HOUR);

-- report_clock_bucket: the clock time at which a longer interval of so many seconds begins, counted
-- from local midnight; whole days from a Monday. Starts are cut to whole seconds, so that one of
-- 09:59:59 is 10:00:00.
CREATE OR REPLACE MACRO report_clock_bucket(every_s, clock) AS
    CASE WHEN every_s > 86400
        THEN time_bucket(to_seconds(every_s), clock + INTERVAL 1 SECOND)
        ELSE date_trunc('day', clock + INTERVAL 1 SECOND) + to_seconds(
            every_s * floor(
                epoch(clock + INTERVAL 1 SECOND - date_trunc('day', clock + INTERVAL 1 SECOND))
                / every_s
            )
        )
    END;

-- report_bucket: the longer interval of `report --interval` that one belongs to; NULL without it.
-- Of more than an hour, in whole hours, it is a time of the local clock, so that a day has 23, 24
-- or 25 hours. The hour that a clock shows twice is two hours of all others: an instant, UTC.
CREATE OR REPLACE MACRO report_bucket(local_start, utc_start) AS
    CASE
        WHEN getvariable('report_every') IS NULL THEN NULL
        WHEN CAST(getvariable('report_every') AS DOUBLE) > 3600
            AND CAST(getvariable('report_every') AS DOUBLE) % 3600 = 0
            THEN report_clock_bucket(
                CAST(getvariable('report_every') AS DOUBLE), coalesce(local_start, utc_start)
            )
        ELSE report_clock_bucket(
            CAST(getvariable('report_every') AS DOUBLE), coalesce(local_start, utc_start)
        ) - (coalesce(local_start, utc_start) - utc_start)
    END;

