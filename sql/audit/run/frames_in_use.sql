/* imsperf check
title = "Frames in use and not in use are all frames, and areas have no more than are in use"
unit = "frames"
source = "z/OS MVS System Management Facilities (SMF), SA38-0667: record type 71: means cut to a frame; frames of the nucleus may be in neither, and 1 %"
*/
SELECT f.run, g.system, strftime(g.interval_start, '%Y-%m-%dT%H:%M:%S') || ' ' || v.what AS key,
    v.found::DOUBLE AS found, v.found::DOUBLE AS found_low, v.found::DOUBLE + v.cut AS found_high, v.low, v.high
FROM smf71_1_paging AS g
JOIN load_file AS f ON f.file_id = g.file_id,
    LATERAL (VALUES
        ('mean', g.smf71avf::DOUBLE + g.smf71avt, 2, g.smf71tfc * 0.99 - g.smf71fin, g.smf71tfc),
        ('most in use', g.smf71mnf::DOUBLE + g.smf71mxt, 0, g.smf71tfc * 0.99 - g.smf71fin, g.smf71tfc),
        ('least in use', g.smf71mxf::DOUBLE + g.smf71mnt, 0, g.smf71tfc * 0.99 - g.smf71fin, g.smf71tfc),
        -- SQA, LPA, CSA, LSQA, private areas, pageable and fixed
        ('areas', g.smf71asr::DOUBLE + g.smf71alp + g.smf71avp + g.smf71alr + g.smf71avs + g.smf71avr, 6, 0, g.smf71avt + 1)
    ) AS v (what, found, cut, low, high)
WHERE g.smf71tfc > 0 AND g.smf71avt > 0
