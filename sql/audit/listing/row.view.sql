-- Rows of a listing, a column for each heading that an identity reads: from where to where the
-- number may be that was printed. Dispatch times in seconds.

CREATE TABLE listing_row AS
SELECT
    run, system, start, any_value(seconds) AS seconds, part, table_no, row_no,
    bool_or(total) AS total, map(list(heading), list(text)) AS texts,
    map(list(heading), list(low)) AS lows, map(list(heading), list(high)) AS highs
FROM listing_cell
GROUP BY run, system, start, part, table_no, row_no;

-- a whole number of processors is not rounded
CREATE MACRO exact(text, bound) AS if(regexp_full_match(text, '[0-9]+'), text::DOUBLE, bound);

CREATE TABLE cpu_row AS
SELECT
    run, system, start, seconds, row_no, total,
    texts['CPU Number'] AS cpu, texts['CPU Type'] AS type,
    lows['Time% Online'] AS online_low, highs['Time% Online'] AS online_high,
    lows['Time% LPAR Busy'] AS lpar_low, highs['Time% LPAR Busy'] AS lpar_high,
    lows['Time% MVS Busy'] AS mvs_low, highs['Time% MVS Busy'] AS mvs_high,
    lows['Time% Parked'] AS parked_low, highs['Time% Parked'] AS parked_high,
    lows['LOG PROC Share%'] AS share_low, highs['LOG PROC Share%'] AS share_high,
    lows['I/O Interrupts Rate'] AS rate_low, highs['I/O Interrupts Rate'] AS rate_high,
    lows['I/O Interrupts% via TPI'] AS tpi_low, highs['I/O Interrupts% via TPI'] AS tpi_high
FROM listing_row
WHERE part = 'CPU Activity' AND texts['CPU Number'] IS NOT NULL;

CREATE TABLE partition_row AS
SELECT
    run, system, start, seconds, row_no, total,
    texts['Partition Name'] AS partition, texts['PROC Type'] AS type,
    lows['Partition Weight'] AS weight_low, highs['Partition Weight'] AS weight_high,
    lows['MSU Actual'] AS msu_low, highs['MSU Actual'] AS msu_high,
    exact(texts['Num of LOG PROCs'], lows['Num of LOG PROCs']) AS processors_low,
    exact(texts['Num of LOG PROCs'], highs['Num of LOG PROCs']) AS processors_high,
    lows['Effective Dispatch Time'] AS effective_low,
    highs['Effective Dispatch Time'] AS effective_high,
    lows['Total Dispatch Time'] AS dispatch_low, highs['Total Dispatch Time'] AS dispatch_high,
    lows['Avg Util%: LOG PROC Effective'] AS lp_effective_low,
    highs['Avg Util%: LOG PROC Effective'] AS lp_effective_high,
    lows['Avg Util%: LOG PROC Total'] AS lp_total_low,
    highs['Avg Util%: LOG PROC Total'] AS lp_total_high,
    lows['Avg Util%: PHYS PROC LPAR MGMT'] AS mgmt_low,
    highs['Avg Util%: PHYS PROC LPAR MGMT'] AS mgmt_high,
    lows['Avg Util%: PHYS PROC Effective'] AS phys_effective_low,
    highs['Avg Util%: PHYS PROC Effective'] AS phys_effective_high,
    lows['Avg Util%: PHYS PROC Total'] AS phys_total_low,
    highs['Avg Util%: PHYS PROC Total'] AS phys_total_high
FROM listing_row
WHERE part = 'Partition Data';

CREATE TABLE processor_type AS
SELECT
    run, system, start, total,
    coalesce(
        nullif(regexp_extract(texts['Type'], '\((\w+)\)', 1), ''), texts['Type']
    ) AS type,
    exact(texts['Number'], lows['Number']) AS count_low,
    exact(texts['Number'], highs['Number']) AS count_high
FROM listing_row
WHERE part = 'Number of Physical Processors';

-- zAAP and zIIP are AAP and IIP in the table of partitions
UPDATE processor_type SET type = CASE type WHEN 'zAAP' THEN 'AAP' WHEN 'zIIP' THEN 'IIP' ELSE type END;

CREATE TABLE printed_variable AS
SELECT run, system, start, heading AS name, text, low, high
FROM listing_cell
WHERE part IN ('CPU Activity', 'Partition Data Report');

CREATE MACRO place_of(start, place) AS strftime(start, '%Y-%m-%d %H:%M:%S') || '|' || place;
