-- counts_once: whether a record or a section is the first of its key in the run; used in QUALIFY.
-- Overlapping dumps, both copies of a log and product sections that are repeated in each record
-- bring the same more than once. `key` is a row that tells it from all others of the run, `place`
-- where it stands: (file_id, record_no) or (file_id, record_no, section_no).
CREATE OR REPLACE MACRO counts_once(key, place) AS
    row_number() OVER (PARTITION BY key ORDER BY place) = 1;

-- counts_once_in: the same for records of intervals. `run`, `system` and `interval_start` are
-- columns beside the key: a filter on them is applied to the table, before rows are numbered.
CREATE OR REPLACE MACRO counts_once_in(run, system, interval_start, key, place) AS
    row_number() OVER (PARTITION BY run, system, interval_start, key ORDER BY place) = 1;

-- sections_once: the same for tables with thousands of sections in an interval: the rows of
-- `sections` but the later copies. `keys` is a view with run, system, interval_start, key,
-- file_id, record_no and section_no of each (a view and no part of WITH: the format of our
-- databases does not keep NOT MATERIALIZED). Copies are of whole records: where one of 64
-- sections has a key that is there twice, normally nowhere, all sections of that interval are
-- numbered. A filter on run, system and interval_start is applied to the table each time. Sections
-- of no known system or interval, which no equality finds, are numbered. To plan this takes longer
-- than to number the rows of a small table.
CREATE OR REPLACE MACRO sections_once(sections, keys) AS TABLE
SELECT s.*
FROM query_table(sections) AS s
LEFT JOIN (
    SELECT r.run, r.system, r.interval_start, r.file_id, r.record_no, r.section_no
    FROM query_table(keys) AS r
    JOIN (
        SELECT DISTINCT run, system, interval_start
        FROM (
            SELECT run, system, interval_start
            FROM query_table(keys)
            WHERE section_no % 64 = 1
            GROUP BY run, system, interval_start, hash(key)
            HAVING count(*) > 1
        ) AS twice
    ) AS n ON n.run = r.run AND n.system = r.system AND n.interval_start = r.interval_start
    QUALIFY NOT counts_once_in(
        r.run, r.system, r.interval_start, r.key, (r.file_id, r.record_no, r.section_no)
    )
) AS later
    ON later.run = s.run AND later.system = s.system AND later.interval_start = s.interval_start
    AND later.file_id = s.file_id AND later.record_no = s.record_no
    AND later.section_no = s.section_no
LEFT JOIN (
    SELECT file_id, record_no, section_no
    FROM query_table(keys)
    WHERE system IS NULL OR interval_start IS NULL
    QUALIFY NOT counts_once_in(
        run, system, interval_start, key, (file_id, record_no, section_no)
    )
) AS unknown
    ON unknown.file_id = s.file_id AND unknown.record_no = s.record_no
    AND unknown.section_no = s.section_no
WHERE later.file_id IS NULL AND unknown.file_id IS NULL;

-- ims_records_once: the records of a table of IMS log records, each with its run. Dual logging and
-- overlapping files bring the same record twice; one without a sequence number is never the same.
CREATE OR REPLACE MACRO ims_records_once(records) AS TABLE
SELECT f.run, r.*
FROM query_table(records) AS r
JOIN load_file AS f ON f.file_id = r.file_id
QUALIFY r.log_lsn IS NULL OR counts_once(
    (f.run, r.imsid, r.log_stck, r.log_lsn), (r.file_id, r.record_no)
);

-- smf_systems: one row per run and SMF id of a system that RMF records of the run name. Records of
-- other types have the id alone. The sysplex is NULL where systems of several have the id.
CREATE OR REPLACE MACRO smf_systems() AS TABLE
SELECT
    f.run, n.system AS sid, max(n.name) AS name,
    CASE WHEN min(n.sysplex) = max(n.sysplex) THEN max(n.sysplex) END AS sysplex
FROM load_interval AS n
JOIN load_file AS f ON f.file_id = n.file_id
GROUP BY f.run, n.system;

-- smf_file_systems: the same for each file of the run: RMF records of the file itself decide.
CREATE OR REPLACE MACRO smf_file_systems() AS TABLE
SELECT
    f.file_id, k.sid,
    coalesce(o.name, k.name)                         AS name,
    CASE WHEN o.sid IS NULL THEN k.sysplex ELSE o.sysplex END AS sysplex
FROM load_file AS f
JOIN smf_systems() AS k ON k.run = f.run
LEFT JOIN (
    SELECT
        file_id, system AS sid, max(name) AS name,
        CASE WHEN min(sysplex) = max(sysplex) THEN max(sysplex) END AS sysplex
    FROM load_interval
    GROUP BY file_id, system
) AS o ON o.file_id = f.file_id AND o.sid = k.sid;

-- same_sysplex: whether records of a system may be of one sysplex: its names agree, or one is not
-- known. Systems of two sysplexes may have one name.
CREATE OR REPLACE MACRO same_sysplex(one_name, other_name) AS
    coalesce(one_name = other_name, true);

-- common_us: microseconds that two times, each from a start on and before an end, have in common.
-- A DOUBLE: sums of microseconds times those of an hour are beyond a BIGINT.
CREATE OR REPLACE MACRO common_us(start_1, end_1, start_2, end_2) AS
    greatest(epoch_us(least(end_1, end_2)) - epoch_us(greatest(start_1, start_2)), 0)::DOUBLE;

-- hex2, hex4: a number of one and of two bytes as so many hex digits. printf takes three times as
-- long, which is seen where every device of a day has its number.
CREATE OR REPLACE MACRO hex2(number) AS substr(hex(256 + number), 2);
CREATE OR REPLACE MACRO hex4(number) AS substr(hex(65536 + number), 2);

-- interval_end: when an interval of so many seconds ends.
CREATE OR REPLACE MACRO interval_end(interval_start, interval_s) AS
    interval_start + to_microseconds((1e6 * interval_s)::BIGINT);
