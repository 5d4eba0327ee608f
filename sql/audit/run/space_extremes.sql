/* imsperf check
title = "One sample at least is the most address spaces, one the least"
unit = "address spaces"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 70, ASID section: the total of n samples is at least the most and n - 1 times the least, at most the least and n - 1 times the most"
views = ["smf70_1_asid"]
*/
WITH counted AS (
    SELECT f.run, a.system, a.interval_start, p.smf70sam::DOUBLE AS n, v.what, v.least::DOUBLE AS least, v.total::DOUBLE AS total, v.most::DOUBLE AS most
    FROM smf70_1_asid AS a
    JOIN smf70_1_product AS p ON p.file_id = a.file_id AND p.record_no = a.record_no
    JOIN load_file AS f ON f.file_id = a.file_id,
        LATERAL (VALUES
            ('in', a.smf70imn, a.smf70itt, a.smf70imm), ('started tasks', a.smf70smn, a.smf70stt, a.smf70smm),
            ('ready', a.smf70rmn, a.smf70rtt, a.smf70rmm), ('batch', a.smf70bmn, a.smf70btt, a.smf70bmm)) AS v (what, least, total, most)
)
SELECT c.run, c.system, strftime(c.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || c.what || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM counted AS c,
    LATERAL (VALUES
        ('most', c.most, 0, c.total - (c.n - 1) * c.least),
        ('least', c.least, c.total - (c.n - 1) * c.most, 'Infinity'::DOUBLE)) AS v (what, found, low, high)
WHERE c.n > 0 AND c.total > 0
