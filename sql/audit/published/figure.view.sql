-- A printed number is a range: half a unit of its last digit to either side.
CREATE VIEW figure AS
WITH cell AS (
    SELECT
        * REPLACE (CAST("table" AS INTEGER) AS "table", CAST(row AS INTEGER) AS row),
        replace(replace(printed, ',', ''), '%', '') AS digits
    FROM published_figure
)
SELECT
    document,
    document || ' T' || "table" AS run,
    "table",
    row,
    section,
    metric,
    unit,
    "column",
    coalesce(system, '') AS system,
    role,
    printed,
    concat_ws(' ', nullif(system, ''), nullif(section, 'metrics'), "column", metric) AS key,
    digits::DOUBLE AS value,
    digits::DOUBLE - 0.5 * power(10, -length(split_part(digits, '.', 2))) AS low,
    digits::DOUBLE + 0.5 * power(10, -length(split_part(digits, '.', 2))) AS high
FROM cell;

-- The numbers that a table prints for one column, side by side.
CREATE VIEW measured AS
SELECT
    f.document,
    f.run,
    f."table",
    f."column",
    f.system,
    any_value(CAST(t.cps AS INTEGER)) AS cps,
    any_value(f.low) FILTER (metric = 'etr_tps') AS etr_low,
    any_value(f.high) FILTER (metric = 'etr_tps') AS etr_high,
    any_value(f.low) FILTER (metric = 'cpu_busy_pct') AS busy_low,
    any_value(f.high) FILTER (metric = 'cpu_busy_pct') AS busy_high
FROM figure f
LEFT JOIN published_table t ON (t.document, CAST(t."table" AS INTEGER)) = (f.document, f."table")
WHERE f.role = 'value' AND f.document IN ('000', '001')
GROUP BY ALL;

-- What a delta was made from: the older or plainer side of the table.
CREATE VIEW compared AS
SELECT
    d.*,
    n.low AS new_low,
    n.high AS new_high,
    b.low AS base_low,
    b.high AS base_high
FROM figure d
JOIN figure n
    ON (n.document, n."table", n.section, n.row, n.metric, n."column")
    = (d.document, d."table", d.section, d.row, d.metric, d."column") AND n.role = 'value'
JOIN figure b
    ON (b.document, b."table", b.section, b.metric) = (d.document, d."table", d.section, d.metric)
    AND b.role = 'value'
    AND (d.document = '001' OR d."table" IN (33, 34) OR b.row = d.row)
    AND b."column" = CASE
        WHEN d.document = '001' THEN 'No Trace'
        WHEN d."table" IN (30, 31) THEN 'base'
        WHEN d."table" = 32 THEN 'ims15_noenc'
        WHEN d."table" IN (33, 34) THEN '0_bytes'
        WHEN d."table" = 36 THEN 'ims15_31bit'
        WHEN d."table" IN (37, 38, 39) THEN 'nonpool'
        ELSE 'ims14'
    END
WHERE d.role <> 'value' AND d.document IN ('000', '001');

-- CPU over all regions in per cent of one of the three processors, of a CICS measurement.
CREATE VIEW cics AS
SELECT
    run,
    section,
    "column",
    concat_ws(' ', section, 'row', "column") AS key,
    any_value(value) FILTER (metric = 'etr_tps') AS etr,
    any_value(low) FILTER (metric = 'etr_tps') AS etr_low,
    any_value(high) FILTER (metric = 'etr_tps') AS etr_high,
    sum(low) FILTER (metric LIKE '%\_pct' ESCAPE '\') AS cpu_low,
    sum(high) FILTER (metric LIKE '%\_pct' ESCAPE '\') AS cpu_high,
    any_value(value) FILTER (metric = 'ms_per_tran') AS ms,
    any_value(low) FILTER (metric = 'ms_per_tran') AS ms_low,
    any_value(high) FILTER (metric = 'ms_per_tran') AS ms_high,
    any_value(value) FILTER (metric = 'itr_tps') AS itr,
    any_value(low) FILTER (metric = 'itr_tps') AS itr_low,
    any_value(high) FILTER (metric = 'itr_tps') AS itr_high
FROM figure
WHERE document = '003' AND role = 'value' AND "column" <> 'mean'
GROUP BY ALL;
