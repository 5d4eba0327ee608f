-- displayed_transaction: one row per transaction of a /DISPLAY TRAN ALL beside the dumps of a run.
CREATE OR REPLACE VIEW displayed_transaction AS
SELECT
    run                                                      AS run, -- Measurement
    path                                                     AS path, -- Text it is from
    any_value(line)                                          AS line, -- Line of the text
    any_value(value) FILTER (name = 'TRAN')                  AS tran, -- Transaction code
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'CLS')           AS class, -- Message class (CLS)
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'ENQCT')         AS enqueued_count, -- Messages put on its queue (ENQCT)
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'QCT')           AS queued_count, -- Messages on its queue (QCT)
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'LCT')           AS limit_count, -- Messages waiting at which the priority is raised (LCT)
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'PLCT')          AS processing_limit, -- Messages one schedule may process (PLCT); 65535: no limit
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'CP')            AS current_priority, -- Scheduling priority now (CP)
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'NP')            AS normal_priority, -- Normal scheduling priority (NP)
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'LP')            AS limit_priority, -- Priority once limit_count messages wait (LP)
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'SEGSZ')         AS segment_size, -- Largest output segment (SEGSZ); 0: no limit
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'SEGNO')         AS segment_number, -- Output segments of a message at most (SEGNO); 0: no limit
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'PARLM') AS parallel_limit, -- Messages waiting for each region before another is scheduled (PARLM); NULL: NONE
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'RC')            AS regions_count -- Regions in which it is scheduled (RC)
FROM run_text
WHERE kind = 'dis_tran' AND row_no > 0
GROUP BY run, path, row_no;

-- sms_option: one row per option of a D SMS,OPTIONS.
CREATE OR REPLACE VIEW sms_option AS
SELECT
    run                                                      AS run, -- Measurement
    path                                                     AS path, -- Text it is from
    any_value(value) FILTER (name = 'option')                AS option, -- Option
    any_value(value) FILTER (name = 'value')                 AS value -- Value as shown
FROM run_text
WHERE kind = 'sms_options' AND row_no > 0
GROUP BY run, path, row_no;

-- pdse_library: one row per data set of a D SMS,PDSE1,HSPSTATS, with the sizes of the display.
CREATE OR REPLACE VIEW pdse_library AS
WITH shown AS (
    SELECT
        run, path, row_no,
        any_value(value) FILTER (name = 'data_set')          AS data_set,
        any_value(value = 'Y') FILTER (name = 'eligible')    AS is_eligible,
        any_value(value = 'Y') FILTER (name = 'always')      AS is_always,
        any_value(value = 'Y') FILTER (name = 'do_not')      AS is_never,
        any_value(try_cast(value AS BIGINT)) FILTER (name = 'size_mb')   AS size_mb
    FROM run_text
    WHERE kind = 'hspstats' AND row_no > 0
    GROUP BY run, path, row_no
)
SELECT
    run                                                      AS run, -- Measurement
    path                                                     AS path, -- Text it is from
    data_set                                                 AS data_set, -- Data set
    is_eligible                                              AS is_eligible, -- The hiperspace may hold its members
    is_always                                                AS is_always, -- Its members are always held
    is_never                                                 AS is_never, -- Its members are never held
    max(size_mb) OVER (PARTITION BY run, path) * 1048576.0   AS hiperspace_bytes -- Size of the hiperspace [bytes]
FROM shown
QUALIFY data_set IS NOT NULL;

-- region_parameter: one row per parameter of the procedure of message regions (DFSMPR).
CREATE OR REPLACE VIEW region_parameter AS
SELECT
    run                                                      AS run, -- Measurement
    path                                                     AS path, -- Text it is from
    row_no                                                   AS parameter_no, -- Place, from 1
    any_value(value) FILTER (name = 'parameter')             AS parameter, -- Parameter
    any_value(value) FILTER (name = 'value')                 AS value -- Value; empty: none
FROM run_text
WHERE kind = 'region_parameters' AND row_no > 0
GROUP BY run, path, row_no;

-- preload_module: one row per module of a member DFSMPLxx, up to the blank that ends its list.
CREATE OR REPLACE VIEW preload_module AS
SELECT
    run                                                      AS run, -- Measurement
    path                                                     AS path, -- Text it is from
    row_no                                                   AS module_no, -- Place, from 1
    value                                                    AS module -- Module that stays in the job pack area
FROM run_text
WHERE kind = 'preload_modules' AND row_no > 0;

-- preinit_module: one row per module of a member DFSINTxx.
CREATE OR REPLACE VIEW preinit_module AS
SELECT
    run                                                      AS run, -- Measurement
    path                                                     AS path, -- Text it is from
    row_no                                                   AS module_no, -- Place, from 1
    value                                                    AS module -- Module that runs when a region starts
FROM run_text
WHERE kind = 'preinit_modules' AND row_no > 0;

-- fixed_pool_definition: one row per buffer size of an FPL statement.
CREATE OR REPLACE VIEW fixed_pool_definition AS
SELECT
    run                                                      AS run, -- Measurement
    path                                                     AS path, -- Text it is from
    any_value(value) FILTER (name = 'pool')                  AS pool, -- Pool
    any_value(try_cast(value AS DOUBLE)) FILTER (name = 'bytes')         AS buffer_bytes, -- Buffer size as defined [bytes]
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'primary')       AS primary_count, -- Buffers of the first block
    any_value(try_cast(value AS BIGINT)) FILTER (name = 'secondary')     AS secondary_count, -- Buffers of each further block
    any_value(value = 'Y') FILTER (name = 'initial')         AS is_initial -- The first block is there from the start
FROM run_text
WHERE kind = 'fixed_pools' AND row_no > 0
GROUP BY run, path, row_no;
