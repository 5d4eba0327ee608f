/* imsperf check
title = "Means of frames lie between least and most, and at least one sample is each"
unit = "frames"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 71: frames in use, not in use, available, and the system UIC: n samples are at least the most and n - 1 times the least, at most the least and n - 1 times the most; a frame of a mean. SMF71LVF and LVT are SMF71AVF and AVT in a wider form"
*/
WITH frame AS (
    SELECT f.run, g.system, g.interval_start, p.smf71sam::DOUBLE AS n, v.what, v.least::DOUBLE AS least,
        v.mean::DOUBLE AS mean, v.most::DOUBLE AS most, v.wide::DOUBLE AS wide
    FROM smf71_1_paging AS g
    JOIN smf71_1_product AS p ON p.file_id = g.file_id AND p.record_no = g.record_no
    JOIN load_file AS f ON f.file_id = g.file_id,
        LATERAL (VALUES
            ('not in use', g.smf71mnf, g.smf71avf, g.smf71mxf, g.smf71lvf),
            ('in use', g.smf71mnt, g.smf71avt, g.smf71mxt, g.smf71lvt),
            ('available', g.smf71cam, g.smf71caa, g.smf71cax, NULL),
            ('UIC', g.smf71ulc, g.smf71uac, g.smf71uhc, NULL)) AS v (what, least, mean, most, wide)
    WHERE p.smf71sam > 0
)
SELECT e.run, e.system, strftime(e.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || e.what || ' ' || v.what AS key,
    v.found, v.found - v.room AS found_low, v.found + v.room AS found_high, v.low, v.high
FROM frame AS e,
    LATERAL (VALUES
        ('mean', e.mean, 1, e.least, e.most),
        ('most', e.most, 0, 0, e.n * (e.mean + 1) - (e.n - 1) * e.least),
        ('least', e.least, 0, e.n * (e.mean - 1) - (e.n - 1) * e.most, 'Infinity'::DOUBLE),
        ('mean, wide', e.wide, 1, e.mean, e.mean)) AS v (what, found, room, low, high)
WHERE v.found > 0 AND e.mean > 0 AND e.most < 4294967295
