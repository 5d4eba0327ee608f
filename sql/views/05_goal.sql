-- rmf_goal_actual: what the goal of a period is held against: mean ms, % within the goal, or
-- velocity in %. Of sums it is that of several intervals.
CREATE OR REPLACE MACRO rmf_goal_actual(
    goal_kind, response_us, ended_count, within_goal_count, distributed_count, using_count,
    velocity_samples_count
) AS
    CASE goal_kind
        WHEN 'average' THEN 0.001 * response_us / nullif(ended_count, 0)
        WHEN 'percentile' THEN 100 * within_goal_count / nullif(distributed_count, 0)
        WHEN 'velocity' THEN 100 * using_count / nullif(velocity_samples_count, 0)
    END;

-- rmf_goal_index: the performance index; of a percentile the upper edge, in goals, of the first
-- bucket of the response time distribution that reaches it. `ended_within`: the transactions that
-- ended in each of its 14 buckets or a lower one.
CREATE OR REPLACE MACRO rmf_goal_index(goal_kind, goal, goal_percentile, actual, ended_within) AS
    CASE goal_kind
        WHEN 'average' THEN actual / nullif(goal, 0)
        WHEN 'percentile' THEN CASE WHEN ended_within[14] > 0 THEN list_extract(
            [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 2.0, 4.0, 5.5],
            1 + len(list_filter(
                ended_within[1:13],
                lambda n: 100 * n < goal_percentile * ended_within[14]
            ))
        ) END
        WHEN 'velocity' THEN goal / nullif(actual, 0)
    END::DOUBLE;
