"""Request section of SMF type 74 subtype 4: what one system asked of one structure.

Service and delay times count microseconds; counts of requests are hexadecimal floating point and, from
+44 on, are not aligned. Means and deviations come from count, sum and sum of squares.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone: no second source confirms them.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp8, opaque, text, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK

_SOURCE = f"{BOOK}: record type 74 subtype 4,"

# fmt: off

REQUEST = Section("smf74_4_request", "Requests of one system to one structure", f"{_SOURCE} request section (R744SREQ)", 544, (
    #  +dec  name       kind         meaning
    F(   0, "r744snam", text(16),   "Structure"),
    F(  16, "r744sver", opaque(8),  "Structure version"),
    F(  24, "r744styp", u1,         "Structure type: 1 list without and 2 with a lock table, 3 lock, 4 cache"),
    F(  25, "r744sflg", flags1,     "Flags: bit 0 connected, 1 became active, 3 duplexed, 6 encrypted"),
    # +26: 1 byte not described
    F(  27, "r744slec", u1,         "Lock table entry size code"),
    F(  28, "r744slel", u4,         "List: entries it may hold"),
    F(  32, "r744slem", u4,         "List: entries used"),
    F(  36, "r744sltl", u4,         "Lock: table entries it may hold"),
    F(  40, "r744sltm", u4,         "Lock: table entries used"),
    F(  44, "r744ssta", hfp8,       "Synchronous requests turned asynchronous", "requests"),
    F(  52, "r744strc", hfp8,       "Requests, all", "requests"),
    F(  60, "r744stac", hfp8,       "Lock requests held up by contention", "requests"),
    F(  68, "r744sarc", hfp8,       "Requests executed asynchronously", "requests"),
    F(  76, "r744satm", u8,         "Asynchronous requests: service time", "us"),
    F(  84, "r744sasq", u8,         "Asynchronous requests: service time, sum of squares in us squared"),
    F(  92, "r744ssrc", hfp8,       "Requests executed synchronously", "requests"),
    F( 100, "r744sstm", u8,         "Synchronous requests: service time", "us"),
    F( 108, "r744sssq", u8,         "Synchronous requests: service time, sum of squares in us squared"),
    F( 116, "r744sqrc", hfp8,       "Requests that were queued", "requests"),
    F( 124, "r744sqtm", u8,         "Queued requests: delay", "us"),
    F( 132, "r744sqsq", u8,         "Queued requests: delay, sum of squares in us squared"),
    F( 140, "r744sdrc", hfp8,       "Requests held up by dump serialisation", "requests"),
    F( 148, "r744sdtm", u8,         "Dump serialisation: delay", "us"),
    F( 156, "r744sdsq", u8,         "Dump serialisation: delay, sum of squares in us squared"),
    F( 164, "r744sdmp", hfp8,       "Times dump serialisation was met"),
    F( 172, "r744shto", hfp8,       "High-priority queue: requests, all", "requests"),
    F( 180, "r744shmn", u4,         "High-priority queue: least at one time", "requests"),
    F( 184, "r744shmx", u4,         "High-priority queue: most at one time", "requests"),
    F( 188, "r744slto", hfp8,       "Low-priority queue: requests, all", "requests"),
    F( 196, "r744slmn", u4,         "Low-priority queue: least at one time", "requests"),
    F( 200, "r744slmx", u4,         "Low-priority queue: most at one time", "requests"),
    F( 204, "r744sdto", hfp8,       "Held up while a dump was under way: requests, all", "requests"),
    F( 212, "r744sdmn", u4,         "Held up while a dump was under way: least at one time", "requests"),
    F( 216, "r744sdmx", u4,         "Held up while a dump was under way: most at one time", "requests"),
    F( 220, "r744scn",  hfp8,       "Lock: requests that met contention", "requests"),
    F( 228, "r744sfcn", hfp8,       "Lock: requests that met false contention", "requests"),
    F( 236, "r744ssiz", u4,         "Size allocated", "4 KB"),
    F( 240, "r744smas", u4,         "Largest size allowed; the unit is assumed", "4 KB"),
    F( 244, "r744smis", u4,         "Smallest size allowed; the unit is assumed", "4 KB"),
    F( 248, "r744sdec", u4,         "Cache: directory entries"),
    F( 252, "r744sdel", u4,         "Cache: data elements"),
    F( 256, "r744snlh", u4,         "List: list headers"),
    F( 260, "r744smae", u4,         "List: data elements it may hold"),
    F( 264, "r744scue", u4,         "List: data elements used"),
    F( 268, "r744cdsi", u2,         "First cache section of this structure, from 1"),
    F( 270, "r744cdne", u2,         "Cache sections of this structure"),
    F( 272, "r744spln", hfp8,       "Times the link to the peer was not there"),
    F( 280, "r744spes", hfp8,       "Times execution was suppressed"),
    F( 288, "r744sptc", hfp8,       "Waits for a subchannel of the peer"),
    F( 296, "r744spst", u8,         "Waits for a subchannel of the peer: time", "us"),
    F( 304, "r744spss", u8,         "Waits for a subchannel of the peer: sum of squares in us squared"),
    F( 312, "r744srtc", hfp8,       "Waits for a subchannel of the peer while one is reserved here"),
    F( 320, "r744srst", u8,         "Waits while one is reserved here: time", "us"),
    F( 328, "r744srss", u8,         "Waits while one is reserved here: sum of squares in us squared"),
    F( 336, "r744sctc", hfp8,       "Waits for the peer to complete"),
    F( 344, "r744scst", u8,         "Waits for the peer to complete: time", "us"),
    F( 352, "r744scss", u8,         "Waits for the peer to complete: sum of squares in us squared"),
    F( 360, "r744slsv", opaque(8),  "Logical structure version"),
    F( 368, "r744setm", hfp8,       "Execution time in the facility", "us"),
    F( 376, "r744sisc", u2,         "First storage class memory section of this structure, from 1"),
    F( 378, "r744snsc", u2,         "Storage class memory sections of this structure"),
    F( 380, "r744ssac", u4,         "Times access to storage class memory was needed"),
    F( 384, "r744sosa", u4,         "Requests that needed storage class memory and succeeded", "requests"),
    F( 388, "r744siad", u2,         "First asynchronous duplexing section of this structure, from 1"),
    F( 390, "r744sadn", u2,         "Asynchronous duplexing sections of this structure"),
    F( 392, "r744sixc", u4,         "Asynchronous duplexing: sync-up requests", "requests"),
    F( 396, "r744sxsc", u4,         "Asynchronous duplexing: sync-up requests that had to wait", "requests"),
    F( 400, "r744sxst", u8,         "Asynchronous duplexing: time sync-up requests waited", "us"),
    F( 408, "r744sxsq", u8,         "Asynchronous duplexing: wait of sync-up requests, sum of squares in us squared"),
    F( 416, "r744sado", u4,         "Asynchronous duplexing: operations delayed"),
    F( 420, "r744sadr", u4,         "Asynchronous duplexing: requests with a delayed operation", "requests"),
    F( 424, "r744sqch", u1,         "Size of the duplexing queue as a power of two"),
    F( 425, "r744sxfl", flags1,     "What is valid: bit 0 primary, 1 secondary, 2 data volume, 3 monopolisation fields"),
    # +426: 2 bytes not described
    F( 428, "r744swdr", u4,         "Requests that wrote data", "requests"),
    F( 432, "r744swac", u4,         "Adjunct areas written"),
    F( 436, "r744srdr", u4,         "Requests that read data", "requests"),
    F( 440, "r744srac", u4,         "Adjunct areas read"),
    F( 444, "r744swec", u4,         "Data entries written"),
    F( 448, "r744srec", u4,         "Data entries read"),
    # +452: 4 bytes not described
    F( 456, "r744swed", u8,         "Data written", "256 bytes"),
    F( 464, "r744swes", u8,         "Data written, sum of squares of 256-byte counts"),
    F( 472, "r744sred", u8,         "Data read", "256 bytes"),
    F( 480, "r744sres", u8,         "Data read, sum of squares of 256-byte counts"),
    F( 488, "r744smrc", hfp8,       "Monopolisation avoidance: requests held up", "requests"),
    F( 496, "r744smtm", u8,         "Monopolisation avoidance: time queued", "us"),
    F( 504, "r744smsq", u8,         "Monopolisation avoidance: time queued, sum of squares; us squared assumed"),
    F( 512, "r744smto", hfp8,       "Monopolisation avoidance: operations queued"),
    F( 520, "r744smht", hfp8,       "Monopolisation avoidance: high-priority operations queued"),
    F( 528, "r744smmn", u4,         "Monopolisation avoidance: least queued at one time"),
    F( 532, "r744smmx", u4,         "Monopolisation avoidance: most queued at one time"),
    F( 536, "r744smhn", u4,         "Monopolisation avoidance: least of high priority at one time"),
    F( 540, "r744smhx", u4,         "Monopolisation avoidance: most of high priority at one time"),
), "1src")
