/* imsperf check
title = "Calls to buffer pools are those to databases, and each found its block or read it"
unit = "calls"
source = "IMS log 4504 (OSAM), 4508 (VSAM) and A108 of the same set: blocks located, records retrieved and inserted are calls to databases, those that change are inserts, deletes and replaces; what was not found was read, more where nothing was found; both pools are written out at the same sync points; exact"
*/
WITH osam AS (
    SELECT h.file_id, h.imsid, h.ckpt_no, h.sample, sum(p.locate)::DOUBLE AS located, sum(p.hit)::DOUBLE AS found, sum(p.hit)::DOUBLE + sum(p.reads) AS answered,
        sum(p.alter)::DOUBLE AS changed, sum(p.purge)::DOUBLE AS synced
    FROM ims_4504 AS h
    JOIN ims_4504_subpool AS p ON p.file_id = h.file_id AND p.record_no = h.record_no
    GROUP BY ALL
),
vsam AS (
    SELECT h.file_id, h.imsid, h.ckpt_no, h.sample, sum(p.rba_retr)::DOUBLE + sum(p.key_retr) AS located,
        sum(p.get_hit)::DOUBLE AS found, sum(p.get_hit)::DOUBLE + sum(p.get_io) AS answered, sum(p.esds_ins)::DOUBLE + sum(p.ksds_ins) AS inserted,
        sum(p."alter")::DOUBLE AS changed, sum(p.sync)::DOUBLE AS synced
    FROM ims_4508 AS h
    JOIN ims_4508_subpool AS p ON p.file_id = h.file_id AND p.record_no = h.record_no
    GROUP BY ALL
),
made AS (
    SELECT h.file_id, h.imsid, h.ckpt_no, h.sample,
        sum(s.db_isrt_calls)::DOUBLE + sum(s.db_dlet_calls) + sum(s.db_repl_calls) AS changes,
        changes + sum(s.db_gu_calls) + sum(s.db_gn_calls) + sum(s.db_gnp_calls) + sum(s.db_other_calls) AS calls
    FROM ims_a108 AS h
    JOIN ims_a108_source AS s ON s.file_id = h.file_id AND s.record_no = h.record_no
    GROUP BY ALL
),
both_pools AS (
    FROM osam AS o
    FULL JOIN vsam AS v USING (file_id, imsid, ckpt_no, sample)
    SELECT file_id, imsid, ckpt_no, sample, o.located AS osam_located, o.answered AS osam_answered, o.found AS osam_hit, v.found AS vsam_hit, v.located AS vsam_located,
        v.answered AS vsam_answered, o.synced AS osam_synced, v.synced AS vsam_synced,
        coalesce(o.located, 0) + coalesce(v.located, 0) + coalesce(v.inserted, 0) AS calls,
        coalesce(o.changed, 0) + coalesce(v.changed, 0) + coalesce(v.inserted, 0) AS changes
)
SELECT f.run, NULL::VARCHAR AS system, b.imsid || ' ' || b.ckpt_no || ' ' || w.what AS key, w.found, w.found AS found_low, w.found AS found_high,
    w.expected AS low, w.most AS high
FROM both_pools AS b
JOIN made AS m USING (file_id, imsid, ckpt_no, sample)
JOIN load_file AS f ON f.file_id = b.file_id,
    LATERAL (VALUES
        ('calls', b.calls, m.calls, m.calls), ('changes', b.changes, m.changes, m.changes),
        ('OSAM blocks', b.osam_answered, b.osam_located, if(b.osam_hit > 0, b.osam_located, b.osam_answered)),
        ('VSAM records', b.vsam_answered, b.vsam_located, if(b.vsam_hit > 0, b.vsam_located, b.vsam_answered)),
        ('sync points', b.osam_synced, b.vsam_synced, b.vsam_synced)
    ) AS w (what, found, expected, most)
WHERE w.found IS NOT NULL AND w.expected IS NOT NULL
