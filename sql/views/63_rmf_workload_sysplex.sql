-- rmf_workload_sysplex: one row per sysplex, interval and scope of workload activity of all its
-- systems together (*ALL), and one for each system of a class period: sums, and its samples by
-- state. Goals are those of the policy, the same in all systems.
CREATE OR REPLACE VIEW rmf_workload_sysplex AS
WITH state AS (
    SELECT
        run, sysplex, system, interval_start_utc, kind, class, period,
        any_value(spaces_count)                               AS spaces_count,
        any_value(wlm_samples_count)                          AS wlm_samples_count,
        any_value(execution_samples_count)                    AS execution_samples_count,
        max(state_count) FILTER (state = 'EXEC USING' AND reason = 'CPU') AS using_cpu_count,
        max(state_count) FILTER (state = 'EXEC USING' AND reason = 'IIP') AS using_iip_count,
        max(state_count) FILTER (state = 'EXEC USING' AND reason = 'I/O') AS using_io_count,
        max(state_count) FILTER (state = 'EXEC DELAY' AND reason = 'TOT') AS delay_count,
        max(state_count) FILTER (state = 'EXEC DELAY' AND reason = 'CPU') AS delay_cpu_count,
        max(state_count) FILTER (state = 'EXEC DELAY' AND reason = 'I/O') AS delay_io_count,
        max(state_count) FILTER (state = 'DELAY' AND reason = 'UNK') AS unknown_count,
        max(state_count) FILTER (state = 'DELAY' AND reason = 'IDL') AS idle_count
    FROM rmf_workload_state
    GROUP BY run, sysplex, system, interval_start_utc, kind, class, period
),
scope AS (
    SELECT
        w.*,
        s.* EXCLUDE (run, sysplex, system, interval_start_utc, kind, class, period)
    FROM rmf_workload AS w
    LEFT JOIN state AS s
        ON s.run = w.run AND s.sysplex = w.sysplex AND s.system = w.system
        AND s.interval_start_utc = w.interval_start_utc
        AND s.kind = w.kind AND s.class = w.class AND s.period = w.period
    WHERE w.sysplex IS NOT NULL
)
SELECT
    run                                                   AS run, -- Measurement
    sysplex                                               AS sysplex, -- Sysplex name
    CASE WHEN grouping(system) = 0 THEN system ELSE '*ALL' END AS system, -- System name; *ALL for all together
    min(interval_start)                                   AS interval_start, -- Interval start, local time of the system
    interval_start_utc                                    AS interval_start_utc, -- Interval start, UTC
    kind                                                  AS kind, -- policy, workload, service or report
    class                                                 AS class, -- Name of the policy, workload or class
    period                                                AS period, -- Period of the class; NULL for all its periods together
    place                                                 AS place, -- Order in which RMF prints the scopes
    grouping(system) = 1                                  AS all_systems, -- The row of all systems together
    count(*)                                              AS systems_count, -- Systems that the row is of
    max(interval_s)                                       AS interval_s, -- Length of the interval [s]
    max(interval_us)                                      AS interval_us, -- Length of the interval [us]
    any_value(workload)                                   AS workload, -- Workload of a service class
    any_value(resource_group)                             AS resource_group, -- Resource group of a class
    max(importance)                                       AS importance, -- Importance of the goal, 1 is highest
    sum(active_us)                                        AS active_us, -- Time transactions were active [us]
    sum(resident_us)                                      AS resident_us, -- Time transactions were swapped in [us]
    sum(ended_count)                                      AS ended_count, -- Transactions ended
    sum(executed_count)                                   AS executed_count, -- Transactions whose execution phase ended (CICS, IMS)
    sum(execution_count)                                  AS execution_count, -- Divisor of the execution time: phases ended, else transactions ended
    sum(swaps_count)                                      AS swaps_count, -- Swaps
    sum(response_us)                                      AS response_us, -- Elapsed time of the transactions ended [us]
    sum(response_squares_us2)                             AS response_squares_us2, -- Sum of the squares of the elapsed times [us squared]
    sum(execution_us)                                     AS execution_us, -- Execution time of the transactions ended [us]
    sum(queued_us)                                        AS queued_us, -- Time transactions were queued [us]
    sum(io_count)                                         AS io_count, -- DASD I/Os started
    sum(io_conn_us)                                       AS io_conn_us, -- DASD connect time [us]
    sum(io_disc_us)                                       AS io_disc_us, -- DASD disconnect time [us]
    sum(io_qpend_us)                                      AS io_qpend_us, -- DASD pending and control unit queue time [us]
    sum(io_iosq_us)                                       AS io_iosq_us, -- DASD time in the IOS queue [us]
    sum(total_su)                                         AS total_su, -- Service of all kinds [service units]
    sum(cpu_us)                                           AS cpu_us, -- CPU time of TCBs, zIIP work at CP speed included [us]
    sum(srb_us)                                           AS srb_us, -- CPU time of SRBs [us]
    sum(iip_us)                                           AS iip_us, -- CPU time on zIIPs, at zIIP speed [us]
    sum(iip_on_cp_us)                                     AS iip_on_cp_us, -- CPU time of zIIP work on CPs [us]
    sum(cp_us)                                            AS cp_us, -- CPU time on CPs alone [us]
    max(cp_capacity_us)                                   AS cp_capacity_us, -- What one CP can give in the interval [us]
    max(ziip_capacity_us)                                 AS ziip_capacity_us, -- What one zIIP can give in the interval [us]
    sum(frames_us)                                        AS frames_us, -- Frames held, times how long [frames us]
    sum(using_count)                                      AS using_count, -- Using samples that count in the velocity
    sum(velocity_samples_count)                           AS velocity_samples_count, -- Using and delay samples that count in the velocity
    any_value(goal_kind)                                  AS goal_kind, -- Kind of goal of a period
    any_value(goal)                                       AS goal, -- Goal of a period: milliseconds, or a velocity in per cent
    any_value(goal_percentile)                            AS goal_percentile, -- Share of transactions a percentile goal is for [%]
    CASE WHEN count(buckets) > 0 THEN [
        sum(buckets[1]), sum(buckets[2]), sum(buckets[3]), sum(buckets[4]), sum(buckets[5]),
        sum(buckets[6]), sum(buckets[7]), sum(buckets[8]), sum(buckets[9]), sum(buckets[10]),
        sum(buckets[11]), sum(buckets[12]), sum(buckets[13]), sum(buckets[14])
    ] END                                                 AS buckets, -- Ended transactions in each bucket of the response time distribution
    sum(spaces_count / nullif(wlm_samples_count, 0)) * max(interval_us) AS spaces_us, -- Address spaces and enclaves, times how long [us]
    sum(execution_samples_count)                          AS execution_samples_count, -- Samples of the execution phase, idle ones too
    sum(using_cpu_count)                                  AS using_cpu_count, -- Of these, using a CP
    sum(using_iip_count)                                  AS using_iip_count, -- Of these, using a zIIP
    sum(using_io_count)                                   AS using_io_count, -- Of these, using I/O
    sum(delay_count)                                      AS delay_count, -- Of these, delayed so that it counts in the velocity
    sum(delay_cpu_count)                                  AS delay_cpu_count, -- Of these, waiting for a CP
    sum(delay_io_count)                                   AS delay_io_count, -- Of these, waiting for DASD I/O
    sum(unknown_count)                                    AS unknown_count, -- Of these, in a state WLM does not know
    sum(idle_count)                                       AS idle_count -- Of these, idle
FROM scope
GROUP BY GROUPING SETS (
    (run, sysplex, interval_start_utc, kind, class, period, place),
    (run, sysplex, interval_start_utc, kind, class, period, place, system)
)
HAVING grouping(system) = 1 OR period IS NOT NULL;
