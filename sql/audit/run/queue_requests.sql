/* imsperf check
title = "CQS counts the same requests by structure and by kind"
unit = "requests, bytes or us"
source = "IMS log A103 against A104 of the same set: puts, reads, deletes, their bytes and time in the coupling facility, all clients; nothing is read or deleted that was not put; exact"
*/
WITH structure AS (
    SELECT q.file_id, q.imsid, q.ckpt_no, q.sample, q.cqs, s.structure, s.puts::DOUBLE AS puts, s.reads::DOUBLE AS reads,
        s.deletes::DOUBLE AS deletes, s.put_bytes::DOUBLE AS put_bytes, s.read_bytes::DOUBLE AS read_bytes
    FROM ims_a103 AS q
    JOIN ims_a103_structure AS s ON s.file_id = q.file_id AND s.record_no = q.record_no
),
request AS (
    SELECT q.file_id, q.imsid, q.ckpt_no, q.sample, q.cqs, r.structure,
        coalesce(sum(r.objects) FILTER (r.request = 'PUT'), 0)::DOUBLE AS puts,
        coalesce(sum(r.objects) FILTER (r.request = 'READ'), 0)::DOUBLE AS reads,
        coalesce(sum(r.objects) FILTER (r.request = 'DEL'), 0)::DOUBLE AS deletes,
        coalesce(sum(r.bytes) FILTER (r.request = 'PUT'), 0)::DOUBLE AS put_bytes,
        coalesce(sum(r.bytes) FILTER (r.request = 'READ'), 0)::DOUBLE AS read_bytes
    FROM ims_a104 AS q
    JOIN ims_a104_request AS r ON r.file_id = q.file_id AND r.record_no = q.record_no
    GROUP BY ALL
)
SELECT f.run, NULL::VARCHAR AS system, s.imsid || ' ' || s.ckpt_no || ' ' || s.structure || ' ' || v.what AS key,
    v.found, v.found AS found_low, v.found AS found_high, v.low, v.high
FROM structure AS s
JOIN request AS r USING (file_id, imsid, ckpt_no, sample, cqs, structure)
JOIN load_file AS f ON f.file_id = s.file_id,
    LATERAL (VALUES
        ('puts', r.puts, s.puts, s.puts), ('reads', r.reads, s.reads, s.reads), ('deletes', r.deletes, s.deletes, s.deletes),
        ('put bytes', r.put_bytes, s.put_bytes, s.put_bytes), ('read bytes', r.read_bytes, s.read_bytes, s.read_bytes),
        ('read of what was put', s.reads, s.deletes, s.puts)) AS v (what, found, low, high)
WHERE s.puts > 0
