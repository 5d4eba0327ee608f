-- ims_log_record: one row per record of an IMS log with the time it was written, whether a layout
-- for its body is known or not. A table for each code; a test holds the list against the layouts.
CREATE OR REPLACE VIEW ims_log_record AS
WITH record AS (
    SELECT file_id, record_no, code || coalesce(subcode, '') AS code, log_stck, log_lsn FROM ims_raw
    UNION ALL SELECT file_id, record_no, '01', log_stck, log_lsn FROM ims_01
    UNION ALL SELECT file_id, record_no, '03', log_stck, log_lsn FROM ims_03
    UNION ALL SELECT file_id, record_no, '06', log_stck, log_lsn FROM ims_06
    UNION ALL SELECT file_id, record_no, '07', log_stck, log_lsn FROM ims_07
    UNION ALL SELECT file_id, record_no, '08', log_stck, log_lsn FROM ims_08
    UNION ALL SELECT file_id, record_no, '11', log_stck, log_lsn FROM ims_11
    UNION ALL SELECT file_id, record_no, '12', log_stck, log_lsn FROM ims_12
    UNION ALL SELECT file_id, record_no, '31', log_stck, log_lsn FROM ims_31
    UNION ALL SELECT file_id, record_no, '33', log_stck, log_lsn FROM ims_33
    UNION ALL SELECT file_id, record_no, '35', log_stck, log_lsn FROM ims_35
    UNION ALL SELECT file_id, record_no, '36', log_stck, log_lsn FROM ims_36
    UNION ALL SELECT file_id, record_no, '3730', log_stck, log_lsn FROM ims_3730
    UNION ALL SELECT file_id, record_no, '38', log_stck, log_lsn FROM ims_38
    UNION ALL SELECT file_id, record_no, '3801', log_stck, log_lsn FROM ims_3801
    UNION ALL SELECT file_id, record_no, '4001', log_stck, log_lsn FROM ims_4001
    UNION ALL SELECT file_id, record_no, '4098', log_stck, log_lsn FROM ims_4098
    UNION ALL SELECT file_id, record_no, '41', log_stck, log_lsn FROM ims_41
    UNION ALL SELECT file_id, record_no, '42', log_stck, log_lsn FROM ims_42
    UNION ALL SELECT file_id, record_no, '43', log_stck, log_lsn FROM ims_43
    UNION ALL SELECT file_id, record_no, '4500', log_stck, log_lsn FROM ims_4500
    UNION ALL SELECT file_id, record_no, '4502', log_stck, log_lsn FROM ims_4502
    UNION ALL SELECT file_id, record_no, '4503', log_stck, log_lsn FROM ims_4503
    UNION ALL SELECT file_id, record_no, '4504', log_stck, log_lsn FROM ims_4504
    UNION ALL SELECT file_id, record_no, '4505', log_stck, log_lsn FROM ims_4505
    UNION ALL SELECT file_id, record_no, '4506', log_stck, log_lsn FROM ims_4506
    UNION ALL SELECT file_id, record_no, '4507', log_stck, log_lsn FROM ims_4507
    UNION ALL SELECT file_id, record_no, '4508', log_stck, log_lsn FROM ims_4508
    UNION ALL SELECT file_id, record_no, '4509', log_stck, log_lsn FROM ims_4509
    UNION ALL SELECT file_id, record_no, '450A', log_stck, log_lsn FROM ims_450a
    UNION ALL SELECT file_id, record_no, '450B', log_stck, log_lsn FROM ims_450b
    UNION ALL SELECT file_id, record_no, '450C', log_stck, log_lsn FROM ims_450c
    UNION ALL SELECT file_id, record_no, '450D', log_stck, log_lsn FROM ims_450d
    UNION ALL SELECT file_id, record_no, '450E', log_stck, log_lsn FROM ims_450e
    UNION ALL SELECT file_id, record_no, '450F', log_stck, log_lsn FROM ims_450f
    UNION ALL SELECT file_id, record_no, '4511', log_stck, log_lsn FROM ims_4511
    UNION ALL SELECT file_id, record_no, '451A', log_stck, log_lsn FROM ims_451a
    UNION ALL SELECT file_id, record_no, '451B', log_stck, log_lsn FROM ims_451b
    UNION ALL SELECT file_id, record_no, '4521', log_stck, log_lsn FROM ims_4521
    UNION ALL SELECT file_id, record_no, '4522', log_stck, log_lsn FROM ims_4522
    UNION ALL SELECT file_id, record_no, '45FF', log_stck, log_lsn FROM ims_45ff
    UNION ALL SELECT file_id, record_no, '47', log_stck, log_lsn FROM ims_47
    UNION ALL SELECT file_id, record_no, '48', log_stck, log_lsn FROM ims_48
    UNION ALL SELECT file_id, record_no, '4C01', log_stck, log_lsn FROM ims_4c01
    UNION ALL SELECT file_id, record_no, '5050', log_stck, log_lsn FROM ims_5050
    UNION ALL SELECT file_id, record_no, '5600', log_stck, log_lsn FROM ims_5600
    UNION ALL SELECT file_id, record_no, '5601', log_stck, log_lsn FROM ims_5601
    UNION ALL SELECT file_id, record_no, '5602', log_stck, log_lsn FROM ims_5602
    UNION ALL SELECT file_id, record_no, '5603', log_stck, log_lsn FROM ims_5603
    UNION ALL SELECT file_id, record_no, '5604', log_stck, log_lsn FROM ims_5604
    UNION ALL SELECT file_id, record_no, '5605', log_stck, log_lsn FROM ims_5605
    UNION ALL SELECT file_id, record_no, '5606', log_stck, log_lsn FROM ims_5606
    UNION ALL SELECT file_id, record_no, '5607', log_stck, log_lsn FROM ims_5607
    UNION ALL SELECT file_id, record_no, '5608', log_stck, log_lsn FROM ims_5608
    UNION ALL SELECT file_id, record_no, '5609', log_stck, log_lsn FROM ims_5609
    UNION ALL SELECT file_id, record_no, '560A', log_stck, log_lsn FROM ims_560a
    UNION ALL SELECT file_id, record_no, '560B', log_stck, log_lsn FROM ims_560b
    UNION ALL SELECT file_id, record_no, '560C', log_stck, log_lsn FROM ims_560c
    UNION ALL SELECT file_id, record_no, '5610', log_stck, log_lsn FROM ims_5610
    UNION ALL SELECT file_id, record_no, '5611', log_stck, log_lsn FROM ims_5611
    UNION ALL SELECT file_id, record_no, '5612', log_stck, log_lsn FROM ims_5612
    UNION ALL SELECT file_id, record_no, '5613', log_stck, log_lsn FROM ims_5613
    UNION ALL SELECT file_id, record_no, '5614', log_stck, log_lsn FROM ims_5614
    UNION ALL SELECT file_id, record_no, '56FA', log_stck, log_lsn FROM ims_56fa
    UNION ALL SELECT file_id, record_no, '5901', log_stck, log_lsn FROM ims_5901
    UNION ALL SELECT file_id, record_no, '5903', log_stck, log_lsn FROM ims_5903
    UNION ALL SELECT file_id, record_no, '5936', log_stck, log_lsn FROM ims_5936
    UNION ALL SELECT file_id, record_no, '5937', log_stck, log_lsn FROM ims_5937
    UNION ALL SELECT file_id, record_no, '5938', log_stck, log_lsn FROM ims_5938
    UNION ALL SELECT file_id, record_no, '5945', log_stck, log_lsn FROM ims_5945
    UNION ALL SELECT file_id, record_no, '5950', log_stck, log_lsn FROM ims_5950
    UNION ALL SELECT file_id, record_no, '67', log_stck, log_lsn FROM ims_67
    UNION ALL SELECT file_id, record_no, '6701', log_stck, log_lsn FROM ims_6701
    UNION ALL SELECT file_id, record_no, '67FA', log_stck, log_lsn FROM ims_67fa
    UNION ALL SELECT file_id, record_no, '99', log_stck, log_lsn FROM ims_99
    UNION ALL SELECT file_id, record_no, '9930', log_stck, log_lsn FROM ims_9930
    UNION ALL SELECT file_id, record_no, '9934', log_stck, log_lsn FROM ims_9934
    UNION ALL SELECT file_id, record_no, 'A0', log_stck, log_lsn FROM ims_a0
    UNION ALL SELECT file_id, record_no, 'A101', log_stck, log_lsn FROM ims_a101
    UNION ALL SELECT file_id, record_no, 'A102', log_stck, log_lsn FROM ims_a102
    UNION ALL SELECT file_id, record_no, 'A103', log_stck, log_lsn FROM ims_a103
    UNION ALL SELECT file_id, record_no, 'A104', log_stck, log_lsn FROM ims_a104
    UNION ALL SELECT file_id, record_no, 'A105', log_stck, log_lsn FROM ims_a105
    UNION ALL SELECT file_id, record_no, 'A106', log_stck, log_lsn FROM ims_a106
    UNION ALL SELECT file_id, record_no, 'A107', log_stck, log_lsn FROM ims_a107
    UNION ALL SELECT file_id, record_no, 'A108', log_stck, log_lsn FROM ims_a108
    UNION ALL SELECT file_id, record_no, 'A109', log_stck, log_lsn FROM ims_a109
    UNION ALL SELECT file_id, record_no, 'A10A', log_stck, log_lsn FROM ims_a10a
    UNION ALL SELECT file_id, record_no, 'A10B', log_stck, log_lsn FROM ims_a10b
    UNION ALL SELECT file_id, record_no, 'A10C', log_stck, log_lsn FROM ims_a10c
    UNION ALL SELECT file_id, record_no, 'A10D', log_stck, log_lsn FROM ims_a10d
    UNION ALL SELECT file_id, record_no, 'FA_BMC', log_stck, log_lsn FROM ims_fa_bmc
)
SELECT
    f.run                                                    AS run, -- Measurement
    f.sysplex                                                AS sysplex, -- Sysplex name, from a 4500 of the same IMS
    f.system                                                 AS system, -- SMF system id, from a 4500 of the same IMS; NULL without one
    ims_local(r.log_stck, f.clock)                           AS interval_start, -- When it was written, local; NULL without a 4500
    r.log_stck                                               AS interval_start_utc, -- When it was written, UTC
    f.ims                                                    AS ims, -- IMS id; NULL where the log names none
    r.code                                                   AS code, -- Code and subcode, hex; of a record without a layout code and the byte after it
    r.log_lsn                                                AS log_lsn, -- Log sequence number
    f.log_no                                                 AS log_no, -- Number of the log, as in ims_log_file
    f.sample_every                                           AS sample_every, -- One transaction in so many is in a sampled synthetic log, else 1
    r.file_id                                                AS file_id, -- File
    r.record_no                                              AS record_no -- Record in that file
FROM record AS r
JOIN ims_log_file AS f ON f.file_id = r.file_id;
